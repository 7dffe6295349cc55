// SPDX-License-Identifier: Apache-2.0
// Checks one instruction as far as no resolved field is needed: opcode, row or trip count, address
// terms, room on the loop stack. Names the first rule broken, in the order of
// docs/int8-interface.md. Combinational.
`default_nettype none
module ktpu_int8_early (
  input  wire        en_i,        // the result is looked at
  input  wire [5:0]  op_i,
  input  wire [7:0]  nr_i,
  input  wire [56:0] terms_i,
  input  wire [2:0]  depth_i,     // loops open
  output reg         bad_o,
  output reg  [7:0]  code_o,
  output reg  [7:0]  sub_o,
  output reg  [31:0] arg_o
);
  `include "ktpu_tinytpu.vh"

  localparam [2:0] DEPTH_MAX = KT_LOOP_DEPTH[2:0];
  wire is_loop    = op_i == KT_OP_LOOP;
  wire is_endloop = op_i == KT_OP_ENDLOOP;
  wire is_nop     = op_i == KT_OP_NOP;
  wire is_control = is_loop || is_endloop || is_nop;
  wire rows_bad   = nr_i == 8'd0 || nr_i > KT_NR_MAX;

  integer t;
  reg [18:0] term;
  always @* begin
    bad_o  = 1'b0;
    code_o = 8'd0;
    sub_o  = 8'd0;
    arg_o  = 32'd0;
    term   = 19'd0;
    // the last rule first: an earlier rule overwrites a later one's finding
    if (en_i) begin
      if (is_endloop && depth_i == 3'd0) begin
        bad_o  = 1'b1;
        code_o = KT_FAULT_LOOP_UNDERFLOW;
        sub_o  = 8'd0;
        arg_o  = 32'd0;
      end
      if (is_loop && depth_i == DEPTH_MAX) begin
        bad_o  = 1'b1;
        code_o = KT_FAULT_LOOP_OVERFLOW;
        sub_o  = 8'd0;
        arg_o  = KT_LOOP_DEPTH;
      end
      for (t = KT_AGU_TERMS - 1; t >= 0; t = t - 1) begin
        term = terms_i[t*19 +: 19];
        if (term[3:0] != 4'd0) begin
          if (is_control) begin
            bad_o  = 1'b1;
            code_o = KT_FAULT_TERM_FORBIDDEN;
            sub_o  = t[7:0];
            arg_o  = {13'd0, term};
          end else if (term[3:0] > KT_TARGET_MAX) begin
            bad_o  = 1'b1;
            code_o = KT_FAULT_TERM_TARGET;
            sub_o  = t[7:0];
            arg_o  = {28'd0, term[3:0]};
          end else if (term[6:4] >= depth_i) begin
            bad_o  = 1'b1;
            code_o = KT_FAULT_TERM_LEVEL;
            sub_o  = t[7:0];
            arg_o  = {29'd0, term[6:4]};
          end
        end
      end
      if (rows_bad && !is_nop && !is_endloop) begin
        bad_o  = 1'b1;
        code_o = (is_loop && nr_i == 8'd0) ? KT_FAULT_TRIP : KT_FAULT_NR;
        sub_o  = 8'd0;
        arg_o  = {24'd0, nr_i};
      end
      if (!KT_OPS_LEGAL[op_i]) begin
        bad_o  = 1'b1;
        code_o = KT_FAULT_OPCODE;
        sub_o  = 8'd0;
        arg_o  = {26'd0, op_i};
      end
    end
  end
endmodule
`default_nettype wire
