// SPDX-License-Identifier: Apache-2.0
// Stands in for ktpu_mx_quant in proofs that are not about its words: they come whenever they like.
`default_nettype none
module ktpu_mx_quant (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         in_valid_i,
  input  wire [255:0] in_data_i,
  output wire         out_valid_o,
  output wire         out_second_o,
  output wire [111:0] out_q_o,
  output wire [7:0]   out_code_o
);
  (* anyseq *) wire         any_valid, any_second;
  (* anyseq *) wire [111:0] any_q;
  (* anyseq *) wire [7:0]   any_code;
  assign out_valid_o  = any_valid;
  assign out_second_o = any_second;
  assign out_q_o      = any_q;
  assign out_code_o   = any_code;
  wire unused = &{1'b0, clk_i, rst_i, in_valid_i, in_data_i};
endmodule
`default_nettype wire
