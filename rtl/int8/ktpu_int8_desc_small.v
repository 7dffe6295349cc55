// SPDX-License-Identifier: Apache-2.0
// Both slots of the descriptor list in builds without STRIDES: keeps only what a run needs, and
// what one descriptor at a time needs only once. Words come from the bus a beat at a time or from
// the control port one by one and are checked as they come; of what is wrong only the rule and the
// word are kept: the argument of a fault is 1 (0 for CONTINUE). The caller begins no descriptor
// before the program of the one before it is taken, and none after one that is bad.
`default_nettype none
module ktpu_int8_desc_small #(
  parameter integer MAXDIM    = 16,
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 17,
  parameter integer AW        = 7,
  parameter integer BEAT_BITS = 4
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  input  wire                   begin_i,      // a new descriptor comes next
  input  wire                   slot_i,       // for this slot
  input  wire                   open_i,       // a fetched one is awaited, of it this beat next:
  input  wire [BEAT_BITS-1:0]   beat_i,       // what it is for follows the bus until it has come
  input  wire                   fill_i,       // it comes now
  input  wire [BUS_BITS-1:0]    data_i,
  input  wire                   reg_valid_i,  // or a word of the register descriptor, for slot 0
  input  wire [3:0]             reg_word_i,
  input  wire [31:0]            reg_data_i,
  input  wire [1:0]             check_i,      // all of it is here
  input  wire                   first_i,      // nothing to continue

  output wire [ADDR_BITS-1:0]   prog_o,       // of the newest descriptor
  output wire [AW:0]            words_o,
  output wire [2*ADDR_BITS-1:0] base_a_o,     // of both slots, slot 0 lowest
  output wire [2*ADDR_BITS-1:0] base_b_o,
  output wire [2*ADDR_BITS-1:0] base_c_o,
  output wire [31:0]            stride_a_o,
  output wire [31:0]            stride_b_o,
  output wire [31:0]            stride_c_o,
  output wire [1:0]             wide_o,
  output wire [1:0]             shifted_o,
  output wire [9:0]             shift_o,
  output wire [1:0]             continue_o,
  output wire [1:0]             fence_o,

  output reg  [1:0]             bad_q,
  output wire [7:0]             code_o,       // of the bad one
  output wire [7:0]             sub_o,
  output wire [31:0]            arg_o
);
  `include "ktpu_tinytpu.vh"

  localparam integer WPB = BUS_BITS / 32;              // descriptor words a beat
  localparam integer BBL = $clog2(BUS_BITS / 8);
  localparam integer KEEP = ADDR_BITS - BBL;           // bits kept of an address
  localparam [31:0]  WORDS_MAX = IMEM_SIZE;
  localparam [31:0]  WORDS_MIN = KT_NHDR + KT_IWORDS;
  localparam [15:0]  ROW_BYTES  = MAXDIM[15:0];
  localparam [15:0]  WIDE_BYTES = {MAXDIM[13:0], 2'b00};

  // ---- what is wrong with word n: bit 0 something, bit 1 its alignment
  function [1:0] judge(input [3:0] n, input [31:0] v);
    reg far, off, length, flags;
    begin
      far    = (v >> ADDR_BITS) != 32'd0;
      off    = v[BBL-1:0] != {BBL{1'b0}};
      length = v[31:AW+1] != {(31-AW){1'b0}} || v[AW:0] < WORDS_MIN[AW:0] ||
               v[AW:0] > WORDS_MAX[AW:0] || v[0];
      flags  = v[1:0] == 2'd3 || (v[1:0] != KT_FORM_INT8_SHIFT && v[12:8] != 5'd0) ||
               v[7:2] != 6'd0 || v[15:13] != 3'd0 || v[31:18] != 14'd0;
      case (n)
        4'd0, 4'd2, 4'd3, 4'd4: judge = {off, far || off};
        4'd1:    judge = {1'b0, length};
        4'd8:    judge = {1'b0, flags};
        default: judge = {1'b0, far || off || v[ADDR_BITS-1:BBL] != {KEEP{1'b0}}};
      endcase
    end
  endfunction
  localparam integer LB = $clog2(WPB);
  function here(input [BEAT_BITS-1:0] beat, input integer word);
    here = {{(32-BEAT_BITS){1'b0}}, beat} == word / WPB;
  endfunction

  // {alignment, something, word}: the first word at fault but that word 1 goes before word 0. A
  // word of the register descriptor takes the place of the beat's first.
  wire [31:0] low = reg_valid_i ? reg_data_i : data_i[31:0];
  integer k;
  reg [3:0] number;
  reg [1:0] judged;
  reg [5:0] finds;
  always @* begin
    finds  = 6'd0;
    number = 4'd0;
    judged = 2'b00;
    for (k = WPB; k > 0; k = k - 1) begin
      number = {beat_i[3-LB:0], {LB{1'b0}}} + k[3:0] - 4'd1;
      if (k == 1 && reg_valid_i) number = reg_word_i;
      judged = judge(number, k == 1 ? low : data_i[(k-1)*32 +: 32]);
      if (judged[0] && (k == 1 || !reg_valid_i) && !(k == 1 && finds[4] && finds[3:0] == 4'd1))
        finds = {judged, number};
    end
  end

  reg       found_q, align_q;
  reg [5:0] finds_q;                   // of the beat or word before
  reg [3:0] word_q;
  always @(posedge clk_i) begin
    finds_q <= finds;
    if (rst_i || !(fill_i || reg_valid_i)) finds_q[4] <= 1'b0;
    if (finds_q[4] && (!found_q || finds_q[3:0] == 4'd1)) {align_q, found_q, word_q} <= finds_q;
    if (rst_i || begin_i) found_q <= 1'b0;
    if (check_i[0]) bad_q[0] <= found_q || finds_q[4] || (continue_o[0] && first_i);
    if (check_i[1]) bad_q[1] <= found_q || finds_q[4] || (continue_o[1] && first_i);
    if (rst_i) bad_q <= 2'b00;
  end

  // ---- what a load of the program needs
  wire [31:0]   in_words = reg_valid_i ? reg_data_i : data_i[(1 % WPB)*32 +: 32];
  reg [KEEP-1:0] prog_q;
  reg [AW:1]     words_q;
  always @(posedge clk_i) begin
    if (reg_valid_i ? reg_word_i == 4'd0 : open_i && here(beat_i, 0))
      prog_q <= low[BBL +: KEEP];
    if (reg_valid_i ? reg_word_i == 4'd1 : open_i && here(beat_i, 1))
      words_q <= in_words[AW:1];
  end
  assign prog_o  = {prog_q, {BBL{1'b0}}};              // used only if nothing is wrong
  assign words_o = {words_q, 1'b0};

  // ---- what a run needs
  wire [31:0] in_a = (2 % WPB == 0 || reg_valid_i) ? low : data_i[(2 % WPB)*32 +: 32];
  wire [31:0] in_b = reg_valid_i ? reg_data_i : data_i[(3 % WPB)*32 +: 32];
  wire [31:0] in_c = (4 % WPB == 0 || reg_valid_i) ? low : data_i[(4 % WPB)*32 +: 32];
  genvar s;
  generate
    for (s = 0; s < 2; s = s + 1) begin : g_slot
      reg [KEEP-1:0] a_q, b_q, c_q;
      reg [1:0]      form_q;
      reg [4:0]      shift_q;
      reg            continue_q, fence_q;
      wire           fill = open_i && slot_i == (s != 0);
      wire           play = s == 0 && reg_valid_i;
      always @(posedge clk_i) begin
        if (play ? reg_word_i == 4'd2 : fill && here(beat_i, 2)) a_q <= in_a[BBL +: KEEP];
        if (play ? reg_word_i == 4'd3 : fill && here(beat_i, 3)) b_q <= in_b[BBL +: KEEP];
        if (play ? reg_word_i == 4'd4 : fill && here(beat_i, 4)) c_q <= in_c[BBL +: KEEP];
        if (play ? reg_word_i == 4'd8 : fill && here(beat_i, 8))
          {fence_q, continue_q, shift_q, form_q} <= {low[17:16], low[12:8], low[1:0]};
      end
      assign base_a_o[s*ADDR_BITS +: ADDR_BITS] = {a_q, {BBL{1'b0}}};
      assign base_b_o[s*ADDR_BITS +: ADDR_BITS] = {b_q, {BBL{1'b0}}};
      assign base_c_o[s*ADDR_BITS +: ADDR_BITS] = {c_q, {BBL{1'b0}}};
      assign stride_a_o[s*16 +: 16] = ROW_BYTES;
      assign stride_b_o[s*16 +: 16] = ROW_BYTES;
      assign stride_c_o[s*16 +: 16] = wide_o[s] ? WIDE_BYTES : ROW_BYTES;
      assign wide_o[s]        = form_q == KT_FORM_INT32;
      assign shifted_o[s]     = form_q == KT_FORM_INT8_SHIFT;
      assign shift_o[s*5 +: 5] = shift_q;
      assign continue_o[s]    = continue_q;
      assign fence_o[s]       = fence_q;
    end
  endgenerate

  wire is_words = word_q == 4'd1;
  assign code_o = !found_q ? KT_FAULT_CONTINUE : is_words ? KT_FAULT_N_INSTR :
                  align_q ? KT_FAULT_ALIGNMENT : KT_FAULT_DESCRIPTOR;
  assign sub_o  = {4'd0, (found_q && !is_words) ? word_q : 4'd0};
  assign arg_o  = {31'd0, found_q};
  wire unused   = &{1'b0, in_words, in_a, in_b, in_c};
endmodule
`default_nettype wire
