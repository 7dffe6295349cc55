// Saturates a signed number to -128..127 and says whether that changed it. Combinational.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_sat8 #(
  parameter integer WIDTH = 32
) (
  input  wire [WIDTH-1:0] value_i,
  output wire [7:0]       value_o,
  output wire             changed_o
);
  wire neg = value_i[WIDTH-1];
  assign changed_o = value_i[WIDTH-1:7] != {(WIDTH-7){neg}};
  assign value_o   = changed_o ? {neg, {7{!neg}}} : value_i[7:0];
endmodule
`default_nettype wire
