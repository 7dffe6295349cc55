// Checks one descriptor by the rules of docs/int8-interface.md, in their order. Combinational.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_desc #(
  parameter integer T         = 4,
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer STRIDES   = 1,
  parameter integer ADDR_BITS = 32
) (
  input  wire [287:0] word_i,       // words 0..8
  input  wire         rest_i,       // some bit of words 9..15 is set
  input  wire [3:0]   rest_word_i,  // the first such word, and its value
  input  wire [31:0]  rest_value_i,
  input  wire         first_i,      // nothing to continue
  output reg          bad_o,
  output reg  [7:0]   code_o,
  output reg  [7:0]   sub_o,
  output reg  [31:0]  arg_o
);
  `include "ktpu_tinytpu.vh"

  localparam integer BBL = $clog2(BUS_BITS / 8);
  localparam [31:0]  BUS_MASK  = (1 << BBL) - 1;
  localparam [31:0]  ROW_MASK  = T - 1;
  localparam [31:0]  WIDE_MASK = 4*T - 1;
  localparam [31:0]  WORDS_MAX = IMEM_SIZE;
  localparam [31:0]  WORDS_MIN = KT_NHDR + KT_IWORDS;
  localparam [31:0]  ADDR_MASK = (ADDR_BITS >= 32) ? 32'hFFFFFFFF : (1 << ADDR_BITS) - 1;

  wire [31:0] words = word_i[32*KT_DESC_PROG_WORDS +: 32];
  wire [31:0] flags = word_i[32*KT_DESC_FLAGS +: 32];
  wire [1:0]  form  = flags[KT_FLAG_FORM_LSB +: KT_FLAG_FORM_BITS];
  wire [4:0]  shift = flags[KT_FLAG_SHIFT_LSB +: KT_FLAG_SHIFT_BITS];
  wire flags_bad = form == 2'd3 || (form != KT_FORM_INT8_SHIFT && shift != 5'd0) ||
                   flags[7:2] != 6'd0 || flags[15:13] != 3'd0 || flags[31:18] != 14'd0;

  function [31:0] stride_mask(input integer w, input [1:0] f);
    stride_mask = (w == 7 && f == KT_FORM_INT32) ? WIDE_MASK : ROW_MASK;
  endfunction

  integer w;
  reg [31:0] v;
  always @* begin
    bad_o  = 1'b0;
    code_o = 8'd0;
    sub_o  = 8'd0;
    arg_o  = 32'd0;
    // the last rule first: an earlier rule overwrites a later one's finding
    if (flags[KT_FLAG_CONTINUE_LSB] && first_i) begin
      bad_o = 1'b1; code_o = KT_FAULT_CONTINUE; sub_o = 8'd0; arg_o = 32'd0;
    end
    if (rest_i) begin
      bad_o = 1'b1; code_o = KT_FAULT_DESCRIPTOR; sub_o = {4'd0, rest_word_i}; arg_o = rest_value_i;
    end
    if (flags_bad) begin
      bad_o = 1'b1; code_o = KT_FAULT_DESCRIPTOR; sub_o = {4'd0, KT_DESC_FLAGS}; arg_o = flags;
    end
    for (w = 7; w >= 5; w = w - 1) begin
      v = word_i[32*w +: 32];
      if ((v & stride_mask(w, form)) != 32'd0) begin
        bad_o = 1'b1; code_o = KT_FAULT_ALIGNMENT; sub_o = w[7:0]; arg_o = v;
      end
      if (v > KT_STRIDE_MAX || (STRIDES == 0 && v != 32'd0)) begin
        bad_o = 1'b1; code_o = KT_FAULT_DESCRIPTOR; sub_o = w[7:0]; arg_o = v;
      end
    end
    for (w = 4; w >= 0; w = w - 1)
      if (w != 1) begin
        v = word_i[32*w +: 32];
        if ((v & ~ADDR_MASK) != 32'd0) begin
          bad_o = 1'b1; code_o = KT_FAULT_DESCRIPTOR; sub_o = w[7:0]; arg_o = v;
        end
        if ((v & BUS_MASK) != 32'd0) begin
          bad_o = 1'b1; code_o = KT_FAULT_ALIGNMENT; sub_o = w[7:0]; arg_o = v;
        end
      end
    if (words < WORDS_MIN || words > WORDS_MAX || words[0]) begin
      bad_o = 1'b1; code_o = KT_FAULT_N_INSTR; sub_o = 8'd0; arg_o = words;
    end
  end
endmodule
`default_nettype wire
