// SPDX-License-Identifier: Apache-2.0
// The iCEBreaker's netlist for the virtual board, with the pins of ktpu_board_icebreaker. Names of
// a netlist are flat, and its nets single bits. The board rests: no run, no request, no reply.
`default_nettype none
module ktpu_netlist_icebreaker (
  input  wire clk_i,
  input  wire rx_i,
  output wire tx_o,
  output wire idle_o
);
  wire led_green_n, led_red_n;

  assign idle_o = led_green_n && led_red_n && tx_o
    && u_board.\u_system.u_link.rx_tail[0] == u_board.\u_system.u_link.rx_head[0]
    && u_board.\u_system.u_link.rx_tail[1] == u_board.\u_system.u_link.rx_head[1]
    && u_board.\u_system.u_link.tx_tail[0] == u_board.\u_system.u_link.tx_head[0]
    && u_board.\u_system.u_link.tx_tail[1] == u_board.\u_system.u_link.tx_head[1] ;

  ktpu_icebreaker u_board (
    .clk_12mhz_i(clk_i), .uart_rx_i(rx_i), .uart_tx_o(tx_o), .led_green_n_o(led_green_n),
    .led_red_n_o(led_red_n));
endmodule
`default_nettype wire
