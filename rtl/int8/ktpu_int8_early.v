// SPDX-License-Identifier: Apache-2.0
// Checks one instruction as far as no resolved field is needed: opcode, row or trip count, address
// terms, room on the loop stack. Names the first rule broken, in the order of
// docs/int8-interface.md. Combinational; with PIPELINE = 1 everything it says is a register.
`default_nettype none
module ktpu_int8_early #(
  parameter integer PIPELINE = 0
) (
  input  wire        clk_i,
  input  wire        en_i,        // the result is looked at
  input  wire [5:0]  op_i,
  input  wire [7:0]  nr_i,
  input  wire [56:0] terms_i,
  input  wire [2:0]  depth_i,     // loops open
  input  wire        again_i,     // the loop that an endloop closes has another trip
  output wire        again_o,     // the same, as old as the rest
  output wire        control_o,   // loop, endloop, nop
  output wire        no_terms_o,
  output wire        bad_o,
  output wire [7:0]  code_o,
  output wire [7:0]  sub_o,
  output wire [31:0] arg_o
);
  `include "ktpu_tinytpu.vh"

  localparam [2:0] DEPTH_MAX = KT_LOOP_DEPTH[2:0];
  wire is_loop    = op_i == KT_OP_LOOP;
  wire is_endloop = op_i == KT_OP_ENDLOOP;
  wire is_nop     = op_i == KT_OP_NOP;
  wire is_control = is_loop || is_endloop || is_nop;
  wire rows_bad   = nr_i == 8'd0 || nr_i > KT_NR_MAX;

  integer t;
  reg        bad;
  reg [7:0]  code, sub;
  reg [31:0] arg;
  reg [18:0] term;
  always @* begin
    bad  = 1'b0;
    code = 8'd0;
    sub  = 8'd0;
    arg  = 32'd0;
    term   = 19'd0;
    // the last rule first: an earlier rule overwrites a later one's finding
    if (en_i) begin
      if (is_endloop && depth_i == 3'd0) begin
        bad  = 1'b1;
        code = KT_FAULT_LOOP_UNDERFLOW;
        sub  = 8'd0;
        arg  = 32'd0;
      end
      if (is_loop && depth_i == DEPTH_MAX) begin
        bad  = 1'b1;
        code = KT_FAULT_LOOP_OVERFLOW;
        sub  = 8'd0;
        arg  = KT_LOOP_DEPTH;
      end
      for (t = KT_AGU_TERMS - 1; t >= 0; t = t - 1) begin
        term = terms_i[t*19 +: 19];
        if (term[3:0] != 4'd0) begin
          if (is_control) begin
            bad  = 1'b1;
            code = KT_FAULT_TERM_FORBIDDEN;
            sub  = t[7:0];
            arg  = {13'd0, term};
          end else if (term[3:0] > KT_TARGET_MAX) begin
            bad  = 1'b1;
            code = KT_FAULT_TERM_TARGET;
            sub  = t[7:0];
            arg  = {28'd0, term[3:0]};
          end else if (term[6:4] >= depth_i) begin
            bad  = 1'b1;
            code = KT_FAULT_TERM_LEVEL;
            sub  = t[7:0];
            arg  = {29'd0, term[6:4]};
          end
        end
      end
      if (rows_bad && !is_nop && !is_endloop) begin
        bad  = 1'b1;
        code = (is_loop && nr_i == 8'd0) ? KT_FAULT_TRIP : KT_FAULT_NR;
        sub  = 8'd0;
        arg  = {24'd0, nr_i};
      end
      if (!KT_OPS_LEGAL[op_i]) begin
        bad  = 1'b1;
        code = KT_FAULT_OPCODE;
        sub  = 8'd0;
        arg  = {26'd0, op_i};
      end
    end
  end

  wire no_terms = terms_i[41:38] == 4'd0 && terms_i[22:19] == 4'd0 && terms_i[3:0] == 4'd0;
  wire [51:0] said = {again_i, is_control, no_terms, bad, code, sub, arg};
  wire [51:0] told;
  assign {again_o, control_o, no_terms_o, bad_o, code_o, sub_o, arg_o} = told;
  generate
    if (PIPELINE != 0) begin : g_register
      reg [51:0] said_q;
      always @(posedge clk_i) said_q <= said;
      assign told = said_q;
    end else begin : g_at_once
      wire unused_clk = clk_i;
      assign told = said;
    end
  endgenerate
endmodule
`default_nettype wire
