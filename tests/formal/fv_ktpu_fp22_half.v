// SPDX-License-Identifier: Apache-2.0
// Stands in for ktpu_fp22_half in proofs that are not about numbers: any output.
`default_nettype none
module ktpu_fp22_half #(
  parameter integer MW = 14
) (
  input  wire          clk_i,
  input  wire [MW+7:0] x_i,
  output wire [15:0]   half_o,
  output wire          clamped_o,
  output wire          flushed_o
);
  (* anyseq *) wire [17:0] any;
  assign {half_o, clamped_o, flushed_o} = any;
  wire unused = &{1'b0, clk_i, x_i};
endmodule
`default_nettype wire
