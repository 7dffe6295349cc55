// SPDX-License-Identifier: Apache-2.0
// First-word-fall-through FIFO for short queues: decouples a producer from a consumer. Any DEPTH
// from 2 up, one word a cycle in and out at every level but the ends, one cycle from input to
// output. in_ready_o and out_valid_o depend on registers only. The storage is read without a clock:
// it becomes flip-flops or LUT RAM, or block RAM where a tool moves the read pointer inside (yosys
// on iCE40). RAM = 1 is for wide queues in small FPGAs: all but WIDTH % 16 bits are in block RAM
// whose output register holds the first word, and a word takes two cycles from input to output.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_fifo #(
  parameter integer WIDTH = 8,
  parameter integer DEPTH = 2,
  parameter integer RAM   = 0
) (
  input  wire                         clk_i,
  input  wire                         rst_i,

  input  wire                         in_valid_i,
  output wire                         in_ready_o,
  input  wire [WIDTH-1:0]             in_data_i,

  output wire                         out_valid_o,
  input  wire                         out_ready_i,
  output wire [WIDTH-1:0]             out_data_o,

  output wire [$clog2(DEPTH+1)-1:0]   level_o
);
  generate
    if (WIDTH < 1) begin : g_bad_width
      ktpu_param_error_fifo_width_must_be_positive u_stop ();
    end
    if (DEPTH < 2) begin : g_bad_depth
      ktpu_param_error_fifo_depth_must_be_at_least_two u_stop ();
    end
  endgenerate

  localparam integer AW = $clog2(DEPTH);
  localparam integer LW = $clog2(DEPTH + 1);
  localparam integer LAST_INDEX = DEPTH - 1;
  localparam [AW-1:0] LAST  = LAST_INDEX[AW-1:0];
  localparam [LW-1:0] FULL  = DEPTH[LW-1:0];
  localparam [AW-1:0] A_ONE = {{(AW-1){1'b0}}, 1'b1};
  localparam [LW-1:0] L_ONE = {{(LW-1){1'b0}}, 1'b1};

  localparam integer MEM_BITS = RAM == 0 ? WIDTH : WIDTH % 16 == 0 ? 1 : WIDTH % 16;
  reg [MEM_BITS-1:0] mem_q [0:DEPTH-1];   // all of a word, or what the block RAM leaves
  reg [AW-1:0]    head_q;                 // next word to read
  reg [AW-1:0]    tail_q;                 // next free place
  reg [LW-1:0]    level_q;

  wire          read;                     // the word at head_q leaves the storage
  wire [LW-1:0] in_first;                 // words read and not yet taken
  wire push = in_valid_i && in_ready_o;
  wire pop  = out_valid_o && out_ready_i;

  assign in_ready_o  = level_q != FULL;
  assign level_o     = level_q;

  always @(posedge clk_i) begin
    if (push) tail_q <= tail_q == LAST ? {AW{1'b0}} : tail_q + A_ONE;
    if (read) head_q <= head_q == LAST ? {AW{1'b0}} : head_q + A_ONE;
    if (push && !pop) level_q <= level_q + L_ONE;
    if (pop && !push) level_q <= level_q - L_ONE;
    if (rst_i) begin
      head_q  <= {AW{1'b0}};
      tail_q  <= {AW{1'b0}};
      level_q <= {LW{1'b0}};
    end
  end

  // no reset of the storage: level_q says which words mean something
  always @(posedge clk_i)
    if (push) mem_q[tail_q] <= in_data_i[WIDTH-1 -: MEM_BITS];

  generate
    if (RAM != 0) begin : g_ram
      reg             first_q;            // the output register holds a word
      assign out_valid_o = first_q;
      assign read        = level_q != in_first && (!first_q || out_ready_i);
      assign in_first    = {{(LW-1){1'b0}}, first_q};
      always @(posedge clk_i) begin
        if (read) first_q <= 1'b1;
        else if (out_ready_i) first_q <= 1'b0;
        if (rst_i) first_q <= 1'b0;
      end
      if (WIDTH >= 16) begin : g_words
        localparam integer WORDS = WIDTH - WIDTH % 16;
        ktpu_ram_sdp #(.WIDTH(WORDS), .DEPTH(DEPTH)) u_words (
          .clk_i(clk_i), .we_i(push), .waddr_i(tail_q), .wdata_i(in_data_i[WORDS-1:0]),
          .re_i(read), .raddr_i(head_q), .rdata_o(out_data_o[WORDS-1:0])
        );
      end
      if (WIDTH % 16 != 0) begin : g_rest       // too few bits for a block RAM
        reg [MEM_BITS-1:0] rest_q;
        always @(posedge clk_i)
          if (read) rest_q <= mem_q[head_q];
        assign out_data_o[WIDTH-1 -: MEM_BITS] = rest_q;
      end else begin : g_no_rest
        wire unused_mem = &{1'b0, mem_q[head_q]};
      end
    end else begin : g_registers
      assign out_valid_o = level_q != {LW{1'b0}};
      assign out_data_o  = mem_q[head_q];
      assign read        = pop;
      assign in_first    = {LW{1'b0}};
    end
  endgenerate

`ifndef SYNTHESIS
  // tail - head, taken round the ring, is the level less the words read ahead (0 may be DEPTH)
  wire [LW-1:0] stored   = level_q - in_first;
  wire [LW-1:0] head_ext = {{(LW-AW){1'b0}}, head_q};
  wire [LW-1:0] tail_ext = {{(LW-AW){1'b0}}, tail_q};
  wire [LW-1:0] span = tail_q >= head_q ? tail_ext - head_ext : tail_ext + (FULL - head_ext);
  always @(posedge clk_i)
    if (!rst_i && (push || pop)) begin
      `KTPU_CHECK(level_q <= FULL, "fifo level past its depth")
      `KTPU_CHECK(span == stored || (span == {LW{1'b0}} && stored == FULL),
                  "fifo pointers and level disagree")
    end
`endif
`ifdef FORMAL
  `include "ktpu_fifo_fv.vh"
`endif
endmodule
`default_nettype wire
