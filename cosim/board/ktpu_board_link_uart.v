// SPDX-License-Identifier: Apache-2.0
// The link alone behind a UART, as small as on the iCE40: for campaigns of wire faults.
`default_nettype none
`include "ks_board_parameters.vh"
module ktpu_board_link_uart (
  input  wire clk_i,
  input  wire rx_i,
  output wire tx_o,
  output wire idle_o
);
  wire       rst, rx_valid, rx_error, rx_break, tx_valid, tx_ready, idle;
  wire [7:0] rx_data, tx_data;

  assign idle_o = idle && tx_o;

  ktpu_reset #(.CLOCK_HZ(24000000)) u_reset (.clk_i(clk_i), .locked_i(1'b1), .rst_o(rst));

  ktpu_uart u_uart (
    .clk_i(clk_i), .rst_i(rst), .rx_i(rx_i), .tx_o(tx_o), .rx_valid_o(rx_valid),
    .rx_data_o(rx_data), .rx_error_o(rx_error), .rx_break_o(rx_break), .tx_valid_i(tx_valid),
    .tx_ready_o(tx_ready), .tx_data_i(tx_data));

  ktpu_board_link_core #(
    .WINDOW(2), .PAYLOAD(256), .SMALL(1), .PART(5), .CLOCK_HZ(24000000), .PHY(1),
    `KS_BOARD_PARAMETERS
  ) u_core (
    .clk_i(clk_i), .rst_i(rst), .rx_valid_i(rx_valid), .rx_ready_o(), .rx_data_i(rx_data),
    .rx_error_i(rx_error), .rx_break_i(rx_break), .tx_valid_o(tx_valid), .tx_ready_i(tx_ready),
    .tx_data_o(tx_data), .tx_last_o(), .idle_o(idle));
endmodule
`default_nettype wire
