// One slot of the descriptor list in builds without STRIDES: as ktpu_int8_desc, but keeps only what
// a run needs. Each beat is checked as it comes, and of what is wrong only the rule and the word
// are kept: the argument of a fault is 1 (0 for CONTINUE).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_desc_small #(
  parameter integer MAXDIM    = 16,
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 17,
  parameter integer AW        = 7,
  parameter integer BEAT_BITS = 4
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 copy_i,       // with rst_i: follow the register descriptor
  input  wire [511:0]         desc_i,
  input  wire                 fill_i,       // a beat for this slot
  input  wire [BEAT_BITS-1:0] beat_i,
  input  wire [BUS_BITS-1:0]  data_i,
  input  wire                 check_i,      // all of it is here
  input  wire                 first_i,      // nothing to continue

  output wire [ADDR_BITS-1:0] prog_o,
  output wire [AW:0]          words_o,
  output wire [ADDR_BITS-1:0] base_a_o,
  output wire [ADDR_BITS-1:0] base_b_o,
  output wire [ADDR_BITS-1:0] base_c_o,
  output wire [15:0]          stride_a_o,
  output wire [15:0]          stride_b_o,
  output wire [15:0]          stride_c_o,
  output wire                 wide_o,
  output wire                 shifted_o,
  output wire [4:0]           shift_o,
  output wire                 continue_o,
  output wire                 fence_o,

  output wire                 bad_o,
  output wire [7:0]           code_o,
  output wire [7:0]           sub_o,
  output wire [31:0]          arg_o
);
  `include "ktpu_tinytpu.vh"

  localparam integer WPB = BUS_BITS / 32;              // descriptor words a beat
  localparam integer BBL = $clog2(BUS_BITS / 8);
  localparam [31:0]  WORDS_MAX = IMEM_SIZE;
  localparam [31:0]  WORDS_MIN = KT_NHDR + KT_IWORDS;
  localparam [15:0]  ROW_BYTES  = MAXDIM[15:0];
  localparam [15:0]  WIDE_BYTES = {MAXDIM[13:0], 2'b00};

  reg [ADDR_BITS-1:0] prog_q, a_q, b_q, c_q;
  reg [AW:0]          words_q;
  reg [1:0]           form_q;
  reg [4:0]           shift_q;
  reg                 continue_q, fence_q;
  reg                 found_q, align_q, bad_q;
  reg [3:0]           word_q;       // the first word at fault

  // ---- what is wrong with word n: bit 0 something, bit 1 its alignment
  function [1:0] judge(input integer n, input [31:0] v);
    begin
      judge = 2'b00;
      if (n == 1)
        judge[0] = v[31:AW+1] != {(31-AW){1'b0}} || v[AW:0] < WORDS_MIN[AW:0] ||
                   v[AW:0] > WORDS_MAX[AW:0] || v[0];
      else if (n == 0 || n == 2 || n == 3 || n == 4) begin
        judge[1] = v[BBL-1:0] != {BBL{1'b0}};
        judge[0] = judge[1] || (v >> ADDR_BITS) != 32'd0;
      end else if (n == 8)
        judge[0] = v[1:0] == 2'd3 || (v[1:0] != KT_FORM_INT8_SHIFT && v[12:8] != 5'd0) ||
                   v[7:2] != 6'd0 || v[15:13] != 3'd0 || v[31:18] != 14'd0;
      else
        judge[0] = v != 32'd0;
    end
  endfunction
  function here(input [BEAT_BITS-1:0] beat, input integer word);
    here = {{(32-BEAT_BITS){1'b0}}, beat} == word / WPB;
  endfunction

  // {alignment, something, word}: words from the last to the first, word 1 after them; the last
  // finding stands. Once for the beat, once for the registers.
  integer k, n;
  reg [5:0] beat_finds, reg_finds;
  reg [1:0] beat_judged, reg_judged;
  always @* begin
    beat_finds  = 6'd0;
    reg_finds   = 6'd0;
    beat_judged = 2'b00;
    reg_judged  = 2'b00;
    for (k = 16; k > 0; k = k - 1) begin
      n = (k == 1) ? 1 : (k == 2) ? 0 : k - 1;
      beat_judged = judge(n, data_i[(n % WPB)*32 +: 32]);
      reg_judged  = judge(n, desc_i[n*32 +: 32]);
      if (beat_judged[0] && here(beat_i, n)) beat_finds = {beat_judged, n[3:0]};
      if (reg_judged[0]) reg_finds = {reg_judged, n[3:0]};
    end
  end
  wire keep = !rst_i && found_q && beat_i != {BEAT_BITS{1'b0}};

  always @(posedge clk_i) begin
    if ((rst_i || fill_i) && !keep)
      {align_q, found_q, word_q} <= rst_i ? reg_finds : beat_finds;
    if (check_i) bad_q <= found_q || (continue_q && first_i);
    if (rst_i && !copy_i) bad_q <= 1'b0;
  end

  // ---- what a run needs
  localparam integer LANE8 = (8 % WPB) * 32;
  always @(posedge clk_i) begin
    if (rst_i) begin
      prog_q  <= desc_i[0 +: ADDR_BITS];
      words_q <= desc_i[32 +: AW+1];
      a_q     <= desc_i[64 +: ADDR_BITS];
      b_q     <= desc_i[96 +: ADDR_BITS];
      c_q     <= desc_i[128 +: ADDR_BITS];
      {fence_q, continue_q, shift_q, form_q} <= {desc_i[273:272], desc_i[268:264], desc_i[257:256]};
    end else if (fill_i) begin
      if (here(beat_i, 0)) prog_q  <= data_i[0 +: ADDR_BITS];
      if (here(beat_i, 1)) words_q <= data_i[(1 % WPB)*32 +: AW+1];
      if (here(beat_i, 2)) a_q     <= data_i[(2 % WPB)*32 +: ADDR_BITS];
      if (here(beat_i, 3)) b_q     <= data_i[(3 % WPB)*32 +: ADDR_BITS];
      if (here(beat_i, 4)) c_q     <= data_i[(4 % WPB)*32 +: ADDR_BITS];
      if (here(beat_i, 8))
        {fence_q, continue_q, shift_q, form_q} <= {data_i[LANE8+16 +: 2], data_i[LANE8+8 +: 5],
                                                   data_i[LANE8 +: 2]};
    end
  end

  wire is_words = word_q == 4'd1;
  assign prog_o     = {prog_q[ADDR_BITS-1:BBL], {BBL{1'b0}}};     // used only if nothing is wrong
  assign words_o    = words_q;
  assign base_a_o   = {a_q[ADDR_BITS-1:BBL], {BBL{1'b0}}};
  assign base_b_o   = {b_q[ADDR_BITS-1:BBL], {BBL{1'b0}}};
  assign base_c_o   = {c_q[ADDR_BITS-1:BBL], {BBL{1'b0}}};
  assign stride_a_o = ROW_BYTES;
  assign stride_b_o = ROW_BYTES;
  assign stride_c_o = wide_o ? WIDE_BYTES : ROW_BYTES;
  assign wide_o     = form_q == KT_FORM_INT32;
  assign shifted_o  = form_q == KT_FORM_INT8_SHIFT;
  assign shift_o    = shift_q;
  assign continue_o = continue_q;
  assign fence_o    = fence_q;
  assign bad_o      = bad_q;
  assign code_o     = !found_q ? KT_FAULT_CONTINUE : is_words ? KT_FAULT_N_INSTR :
                      align_q ? KT_FAULT_ALIGNMENT : KT_FAULT_DESCRIPTOR;
  assign sub_o      = {4'd0, (found_q && !is_words) ? word_q : 4'd0};
  assign arg_o      = {31'd0, found_q};
  wire   unused     = &{1'b0, prog_q[BBL-1:0], a_q[BBL-1:0], b_q[BBL-1:0], c_q[BBL-1:0]};
endmodule
`default_nettype wire
