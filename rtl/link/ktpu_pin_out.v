// SPDX-License-Identifier: Apache-2.0
// A register in an output pin's cell, high at reset: on the ECP5 (KTPU_ECP5) the I/O cell's own
// flip-flop, else its behaviour. The reset is asynchronous. One register drives one pin, or one
// pin's tristate input. (Registers of one pin must share clock, reset and enable: no enable.)
`default_nettype none
module ktpu_pin_out (
  input  wire clk_i,
  input  wire rst_i,
  input  wire data_i,
  output wire pin_o
);
`ifdef KTPU_ECP5
  OFS1P3BX u_cell (.SCLK(clk_i), .SP(1'b1), .PD(rst_i), .D(data_i), .Q(pin_o));
`else
  reg data_q;
  assign pin_o = data_q;
  always @(posedge clk_i or posedge rst_i)
    if (rst_i) data_q <= 1'b1;
    else data_q <= data_i;
`endif
endmodule
`default_nettype wire
