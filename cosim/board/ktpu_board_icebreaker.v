// SPDX-License-Identifier: Apache-2.0
// The iCEBreaker's top for the virtual board: its UART's pins, and whether the board rests: out of
// reset, no request, no reply and no run of the core under way.
`default_nettype none
`include "ks_board_parameters.vh"
module ktpu_board_icebreaker (
  input  wire clk_i,
  input  wire rx_i,
  output wire tx_o,
  output wire idle_o
);
  wire led_green_n, led_red_n;

  assign idle_o = led_green_n && led_red_n && tx_o && u_board.u_system.u_link.u_exec.quiet_o
                  && u_board.u_system.u_link.tx_tail == u_board.u_system.u_link.tx_head;

  ktpu_icebreaker #(`KS_BOARD_PARAMETERS) u_board (
    .clk_12mhz_i(clk_i), .uart_rx_i(rx_i), .uart_tx_o(tx_o), .led_green_n_o(led_green_n),
    .led_red_n_o(led_red_n));
endmodule
`default_nettype wire
