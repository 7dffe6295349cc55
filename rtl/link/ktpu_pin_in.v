// SPDX-License-Identifier: Apache-2.0
// A register in an input pin's cell: on the ECP5 (KTPU_ECP5) the I/O cell's own flip-flop, else its
// behaviour. High at reset, which is asynchronous and the same for all registers of a pin.
`default_nettype none
module ktpu_pin_in (
  input  wire clk_i,
  input  wire rst_i,
  input  wire pin_i,
  output wire data_o
);
`ifdef KTPU_ECP5
  IFS1P3BX u_cell (.SCLK(clk_i), .SP(1'b1), .PD(rst_i), .D(pin_i), .Q(data_o));
`else
  reg data_q;
  assign data_o = data_q;
  always @(posedge clk_i or posedge rst_i)
    if (rst_i) data_q <= 1'b1;
    else data_q <= pin_i;
`endif
endmodule
`default_nettype wire
