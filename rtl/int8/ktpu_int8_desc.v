// SPDX-License-Identifier: Apache-2.0
// One slot of the descriptor list: takes a descriptor beat by beat from the bus, or follows the
// register descriptor, holds it, and checks it by the rules of docs/int8-interface.md in their
// order. Its findings and strides stand a cycle after check_i; with PIPELINE = 1 the findings one
// later, because the rules and the choice of the first one broken take a cycle each.
`default_nettype none
module ktpu_int8_desc #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 32,
  parameter integer AW        = 7,
  parameter integer BEAT_BITS = 4,
  parameter integer PIPELINE  = 0
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
  localparam [31:0]  BUS_MASK  = (1 << BBL) - 1;
  localparam [31:0]  ROW_MASK  = T - 1;
  localparam [31:0]  WIDE_MASK = 4*T - 1;
  localparam [31:0]  WORDS_MAX = IMEM_SIZE;
  localparam [31:0]  WORDS_MIN = KT_NHDR + KT_IWORDS;
  localparam [31:0]  ADDR_MASK = (ADDR_BITS >= 32) ? 32'hFFFFFFFF : (1 << ADDR_BITS) - 1;
  localparam [15:0]  ROW_BYTES  = MAXDIM[15:0];
  localparam [15:0]  WIDE_BYTES = {MAXDIM[13:0], 2'b00};
  localparam integer KEEP = 9;                         // words with a meaning

  // ---- words: each in a register of its own
  reg [31:0] prog_q, words_q, a_q, b_q, c_q, step_a_q, step_b_q, step_c_q, flags_q;

  function here(input [BEAT_BITS-1:0] beat, input integer word);
    here = {{(32-BEAT_BITS){1'b0}}, beat} == word / WPB;
  endfunction
  always @(posedge clk_i) begin
    if (rst_i) begin
      {flags_q, step_c_q, step_b_q, step_a_q, c_q, b_q, a_q, words_q, prog_q} <= desc_i[287:0];
    end else if (fill_i) begin
      if (here(beat_i, 0)) prog_q   <= data_i[0 +: 32];
      if (here(beat_i, 1)) words_q  <= data_i[(1 % WPB)*32 +: 32];
      if (here(beat_i, 2)) a_q      <= data_i[(2 % WPB)*32 +: 32];
      if (here(beat_i, 3)) b_q      <= data_i[(3 % WPB)*32 +: 32];
      if (here(beat_i, 4)) c_q      <= data_i[(4 % WPB)*32 +: 32];
      if (here(beat_i, 5)) step_a_q <= data_i[(5 % WPB)*32 +: 32];
      if (here(beat_i, 6)) step_b_q <= data_i[(6 % WPB)*32 +: 32];
      if (here(beat_i, 7)) step_c_q <= data_i[(7 % WPB)*32 +: 32];
      if (here(beat_i, 8)) flags_q  <= data_i[(8 % WPB)*32 +: 32];
    end
  end

  // ---- the first word past them that is not 0
  integer n;
  reg        rest_q;
  reg [3:0]  rest_word_q;
  reg [31:0] rest_value_q;
  // with PIPELINE = 1 it is known a cycle late which words are 0
  wire                 late_fill;
  wire [BEAT_BITS-1:0] late_beat;
  wire [BUS_BITS-1:0]  late_data;
  wire [WPB-1:0]       word_set;           // of the beat
  wire [15:KEEP]       desc_set;           // of the register descriptor
  wire [WPB-1:0]       set_now;
  wire [15:KEEP]       desc_set_now;
  genvar g;
  generate
    for (g = 0; g < WPB; g = g + 1) begin : g_word_set
      assign set_now[g] = data_i[g*32 +: 32] != 32'd0;
    end
    for (g = KEEP; g < 16; g = g + 1) begin : g_desc_set
      assign desc_set_now[g] = desc_i[g*32 +: 32] != 32'd0;
    end
    if (PIPELINE != 0) begin : g_set_late
      reg                 fill_q;
      reg [BEAT_BITS-1:0] beat_q;
      reg [BUS_BITS-1:0]  data_q;
      reg [WPB-1:0]       set_q;
      reg [15:KEEP]       desc_set_q;
      always @(posedge clk_i) begin
        fill_q     <= fill_i;
        beat_q     <= beat_i;
        data_q     <= data_i;
        set_q      <= set_now;
        desc_set_q <= desc_set_now;
      end
      assign {late_fill, late_beat, late_data, word_set, desc_set} =
             {fill_q, beat_q, data_q, set_q, desc_set_q};
    end else begin : g_set
      assign {late_fill, late_beat, late_data, word_set, desc_set} =
             {fill_i, beat_i, data_i, set_now, desc_set_now};
    end
  endgenerate
  always @(posedge clk_i) begin
    if (rst_i) begin
      rest_q <= 1'b0;
      for (n = 15; n >= KEEP; n = n - 1)
        if (desc_set[n]) begin
          rest_q       <= 1'b1;
          rest_word_q  <= n[3:0];
          rest_value_q <= desc_i[n*32 +: 32];
        end
    end else if (late_fill) begin
      if (late_beat == {BEAT_BITS{1'b0}}) rest_q <= 1'b0;
      for (n = 15; n >= KEEP; n = n - 1)
        if (here(late_beat, n) && !(rest_q && n / WPB != KEEP / WPB) && word_set[n % WPB]) begin
          rest_q       <= 1'b1;
          rest_word_q  <= n[3:0];
          rest_value_q <= late_data[(n % WPB)*32 +: 32];
        end
    end
  end

  // ---- check
  wire [1:0]  form  = flags_q[KT_FLAG_FORM_LSB +: KT_FLAG_FORM_BITS];
  wire [4:0]  shift = flags_q[KT_FLAG_SHIFT_LSB +: KT_FLAG_SHIFT_BITS];
  // the rules, first one first: n_instr; of words 0, 2, 3, 4: alignment, then address range;
  // of words 5, 6, 7: range, then alignment; flags; words past the last; continue
  localparam integer RULES = 1 + 4*2 + 3*2 + 3;
  integer w;
  reg [RULES-1:0] broken;
  reg [31:0] v, mask;
  always @* begin
    broken = {RULES{1'b0}};
    v      = words_q;
    mask   = 32'd0;
    if (check_i) begin
      broken[0] = v < WORDS_MIN || v > WORDS_MAX || v[0];
      for (w = 0; w < 4; w = w + 1) begin
        v = (w == 0) ? prog_q : (w == 1) ? a_q : (w == 2) ? b_q : c_q;
        broken[1 + 2*w] = (v & BUS_MASK) != 32'd0;
        broken[2 + 2*w] = (v & ~ADDR_MASK) != 32'd0;
      end
      for (w = 0; w < 3; w = w + 1) begin
        v    = (w == 0) ? step_a_q : (w == 1) ? step_b_q : step_c_q;
        mask = (w == 2 && form == KT_FORM_INT32) ? WIDE_MASK : ROW_MASK;
        broken[9 + 2*w]  = v > KT_STRIDE_MAX;
        broken[10 + 2*w] = (v & mask) != 32'd0;
      end
      broken[15] = form == 2'd3 || (form != KT_FORM_INT8_SHIFT && shift != 5'd0) ||
                   flags_q[7:2] != 6'd0 || flags_q[15:13] != 3'd0 || flags_q[31:18] != 14'd0;
      broken[16] = rest_q;
      broken[17] = flags_q[KT_FLAG_CONTINUE_LSB] && first_i;
    end
  end

  wire [RULES-1:0] broken_of;
  wire             judge;
  generate
    if (PIPELINE != 0) begin : g_register
      reg [RULES-1:0] broken_q;
      reg             judge_q;
      always @(posedge clk_i) begin
        broken_q <= broken;
        judge_q  <= check_i;
      end
      assign broken_of = broken_q;
      assign judge     = judge_q;
    end else begin : g_at_once
      assign broken_of = broken;
      assign judge     = check_i;
    end
  endgenerate

  integer r;
  reg [7:0]  code, sub;
  reg [31:0] arg;
  always @* begin
    code = 8'd0;
    sub  = 8'd0;
    arg  = 32'd0;
    for (r = RULES - 1; r >= 0; r = r - 1)      // an earlier rule overwrites a later one's finding
      if (broken_of[r])
        case (r)
          0: begin code = KT_FAULT_N_INSTR; sub = 8'd0; arg = words_q; end
          1: begin code = KT_FAULT_ALIGNMENT; sub = 8'd0; arg = prog_q; end
          2: begin code = KT_FAULT_DESCRIPTOR; sub = 8'd0; arg = prog_q; end
          3: begin code = KT_FAULT_ALIGNMENT; sub = 8'd2; arg = a_q; end
          4: begin code = KT_FAULT_DESCRIPTOR; sub = 8'd2; arg = a_q; end
          5: begin code = KT_FAULT_ALIGNMENT; sub = 8'd3; arg = b_q; end
          6: begin code = KT_FAULT_DESCRIPTOR; sub = 8'd3; arg = b_q; end
          7: begin code = KT_FAULT_ALIGNMENT; sub = 8'd4; arg = c_q; end
          8: begin code = KT_FAULT_DESCRIPTOR; sub = 8'd4; arg = c_q; end
          9: begin code = KT_FAULT_DESCRIPTOR; sub = 8'd5; arg = step_a_q; end
          10: begin code = KT_FAULT_ALIGNMENT; sub = 8'd5; arg = step_a_q; end
          11: begin code = KT_FAULT_DESCRIPTOR; sub = 8'd6; arg = step_b_q; end
          12: begin code = KT_FAULT_ALIGNMENT; sub = 8'd6; arg = step_b_q; end
          13: begin code = KT_FAULT_DESCRIPTOR; sub = 8'd7; arg = step_c_q; end
          14: begin code = KT_FAULT_ALIGNMENT; sub = 8'd7; arg = step_c_q; end
          15: begin code = KT_FAULT_DESCRIPTOR; sub = {4'd0, KT_DESC_FLAGS}; arg = flags_q; end
          16: begin
            code = KT_FAULT_DESCRIPTOR;
            sub  = {4'd0, rest_word_q};
            arg  = rest_value_q;
          end
          default: begin code = KT_FAULT_CONTINUE; sub = 8'd0; arg = 32'd0; end
        endcase
  end

  reg        bad_q, wide_q, shifted_q;
  reg [7:0]  code_q, sub_q;
  reg [31:0] arg_q;
  reg [15:0] stride_a_q, stride_b_q, stride_c_q;
  always @(posedge clk_i) begin
    if (check_i) begin
      wide_q     <= form == KT_FORM_INT32;
      shifted_q  <= form == KT_FORM_INT8_SHIFT;
      stride_a_q <= (step_a_q[15:0] == 16'd0) ? ROW_BYTES : step_a_q[15:0];
      stride_b_q <= (step_b_q[15:0] == 16'd0) ? ROW_BYTES : step_b_q[15:0];
      stride_c_q <= (step_c_q[15:0] != 16'd0) ? step_c_q[15:0] :
                    (form == KT_FORM_INT32) ? WIDE_BYTES : ROW_BYTES;
    end
    if (judge) begin
      bad_q  <= broken_of != {RULES{1'b0}};
      code_q <= code;
      sub_q  <= sub;
      arg_q  <= arg;
    end
    if (rst_i && !copy_i) bad_q <= 1'b0;
  end

  assign prog_o     = prog_q[ADDR_BITS-1:0];
  assign words_o    = words_q[AW:0];
  assign base_a_o   = a_q[ADDR_BITS-1:0];
  assign base_b_o   = b_q[ADDR_BITS-1:0];
  assign base_c_o   = c_q[ADDR_BITS-1:0];
  assign stride_a_o = stride_a_q;
  assign stride_b_o = stride_b_q;
  assign stride_c_o = stride_c_q;
  assign wide_o     = wide_q;
  assign shifted_o  = shifted_q;
  assign shift_o    = flags_q[KT_FLAG_SHIFT_LSB +: KT_FLAG_SHIFT_BITS];
  assign continue_o = flags_q[KT_FLAG_CONTINUE_LSB];
  assign fence_o    = flags_q[KT_FLAG_FENCE_LSB];
  assign bad_o      = bad_q;
  assign code_o     = code_q;
  assign sub_o      = sub_q;
  assign arg_o      = arg_q;
endmodule
`default_nettype wire
