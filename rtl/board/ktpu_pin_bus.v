// SPDX-License-Identifier: Apache-2.0
// Eight pins that go both ways, each with its own register for direction (ktpu_pin_out.v): with
// KTPU_ECP5 defined the ECP5's cells, whose tristate input the register must reach without logic.
`default_nettype none
module ktpu_pin_bus (
  input  wire [7:0] data_i,
  input  wire [7:0] float_i,              // high: not driven
  output wire [7:0] data_o,
  inout  wire [7:0] pins_io
);
  genvar k;
  generate
    for (k = 0; k < 8; k = k + 1) begin : g_pin
`ifdef KTPU_ECP5
      BB u_cell (.I(data_i[k]), .T(float_i[k]), .O(data_o[k]), .B(pins_io[k]));
`else
      assign pins_io[k] = float_i[k] ? 1'bz : data_i[k];
      assign data_o[k]  = pins_io[k];
`endif
    end
  endgenerate
endmodule
`default_nettype wire
