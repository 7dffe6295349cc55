// SPDX-License-Identifier: Apache-2.0
// A register in an input pin's cell: on the ECP5 (KTPU_ECP5) the I/O cell's own flip-flop, else its
// behaviour. No reset: what it holds means something one clock after the clock has begun.
`default_nettype none
module ktpu_pin_in (
  input  wire clk_i,
  input  wire pin_i,
  output wire data_o
);
`ifdef KTPU_ECP5
  IFS1P3DX u_cell (.SCLK(clk_i), .SP(1'b1), .CD(1'b0), .D(pin_i), .Q(data_o));
`else
  reg data_q;
  assign data_o = data_q;
  always @(posedge clk_i) data_q <= pin_i;
`endif
endmodule
`default_nettype wire
