// SPDX-License-Identifier: Apache-2.0
// Reads instructions of the running program out of the instruction memory, one ahead of the
// sequencer, and header words when the sequencer asks. A taken branch drops what was read ahead.
`default_nettype none
module ktpu_int8_fetch_instr #(
  parameter integer IMEM_SIZE = 104,   // 64-bit words
  parameter integer BUS_BITS  = 64,    // width of the instruction memory's rows
  parameter integer AW        = 7,     // bits of a word address
  parameter integer PC_BITS   = 6,
  parameter integer PIPELINE  = 0      // an instruction is read only when none is held
) (
  input  wire                clk_i,
  input  wire                rst_i,

  input  wire                jump_i,       // start at jump_pc_i
  input  wire [PC_BITS-1:0]  jump_pc_i,
  input  wire [AW-1:0]       jump_addr_i,  // word address of that instruction
  input  wire                enable_i,     // a program is running
  input  wire [PC_BITS-1:0]  avail_i,      // instructions that have arrived

  output wire                valid_o,
  input  wire                take_i,
  output wire [63:0]         word0_o,
  output wire [63:0]         word1_o,
  output wire [AW-1:0]       next_addr_o,  // word address of the instruction after this one
  output wire [PC_BITS-1:0]  want_pc_o,    // the instruction to be read next

  input  wire                hdr_re_i,     // header read, only when no instruction is wanted
  input  wire [AW-1:0]       hdr_addr_i,
  output wire [63:0]         hdr_data_o,   // one cycle later

  output wire                im_re_o,
  output wire [AW-1:0]       im_addr_o,    // word address; the row is its upper bits
  input  wire [BUS_BITS-1:0] im_data_i
);
  localparam [AW-1:0] SIZE = IMEM_SIZE[AW-1:0];

  function [AW-1:0] step(input [AW-1:0] addr, input [1:0] by);
    reg [AW:0] sum;
    begin
      sum  = {1'b0, addr} + {{(AW-1){1'b0}}, by};
      step = (sum >= {1'b0, SIZE}) ? sum[AW-1:0] - SIZE : sum[AW-1:0];
    end
  endfunction

  reg [PC_BITS-1:0] pc_q;
  reg [AW-1:0]      addr_q;
  reg               valid_q;
  reg               read_q;       // the row read in the cycle before is an instruction's (last) row
  reg               first_q;      // ... its first word (64-bit rows only)
  reg [63:0]        word0_q, word1_q;
  reg [AW-1:0]      next_q;

  wire busy  = read_q || first_q;
  wire start = enable_i && !busy && (!valid_q || (PIPELINE == 0 && take_i)) &&
               (pc_q < avail_i) && !jump_i;

  assign valid_o     = valid_q;
  assign word0_o     = word0_q;
  assign word1_o     = word1_q;
  assign next_addr_o = next_q;
  assign want_pc_o   = pc_q;

  wire [AW-1:0] after = step(addr_q, 2'd2);
  wire          step_pc;          // the instruction's last row is being read
  reg  [AW-1:0] rd_addr_q;        // word address of the last read, for the choice within a row

  generate
    if (BUS_BITS == 64) begin : g_two_reads
      wire unused = &{1'b0, rd_addr_q};
      assign step_pc    = first_q;
      assign im_re_o    = start || first_q || hdr_re_i;
      assign im_addr_o  = hdr_re_i ? hdr_addr_i : {addr_q[AW-1:1], first_q};   // programs are even
      assign hdr_data_o = im_data_i;
      always @(posedge clk_i) begin
        first_q <= start;
        if (rst_i || jump_i) first_q <= 1'b0;
      end
      always @(posedge clk_i) begin
        if (first_q) word0_q <= im_data_i;
        if (read_q)  word1_q <= im_data_i;
      end
    end else begin : g_one_read
      localparam integer SB = $clog2(BUS_BITS / 64);
      wire [SB-1:0] half = (rd_addr_q[SB-1:0] >> 1) << 1;      // an instruction is two words
      wire unused_row = &{1'b0, rd_addr_q};
      wire [BUS_BITS-1:0] pair = im_data_i >> {half, 6'd0};
      assign step_pc    = start;
      assign im_re_o    = start || hdr_re_i;
      assign im_addr_o  = hdr_re_i ? hdr_addr_i : addr_q;
      assign hdr_data_o = im_data_i[{rd_addr_q[SB-1:0], 6'd0} +: 64];
      always @(posedge clk_i) first_q <= 1'b0;
      always @(posedge clk_i) if (read_q) {word1_q, word0_q} <= pair[127:0];
      if (BUS_BITS > 128) begin : g_rest
        wire unused = &{1'b0, pair[BUS_BITS-1:128]};
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    read_q <= step_pc && !jump_i;
    if (take_i) valid_q <= 1'b0;
    if (read_q) valid_q <= 1'b1;
    if (rst_i || jump_i) begin
      read_q  <= 1'b0;
      valid_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    rd_addr_q <= im_addr_o;
    if (jump_i) begin
      pc_q   <= jump_pc_i;
      addr_q <= jump_addr_i;
    end else if (step_pc) begin
      pc_q   <= pc_q + {{(PC_BITS-1){1'b0}}, 1'b1};
      addr_q <= after;
    end
    if (read_q) next_q <= addr_q;     // already stepped to the one after
  end
endmodule
`default_nettype wire
