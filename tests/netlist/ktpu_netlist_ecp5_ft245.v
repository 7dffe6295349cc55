// SPDX-License-Identifier: Apache-2.0
// The netlist of the ECP5 board with a 245 FIFO module for the virtual board, with the pins of
// ktpu_board_ecp5_ft245. Names of a netlist are flat, and its nets single bits. The board rests: no
// run, no request, no reply.
`default_nettype none
module ktpu_netlist_ecp5_ft245 (
  input  wire       clk_i,
  input  wire       clkout_i,
  input  wire       rxf_n_i,
  input  wire       txe_n_i,
  input  wire [7:0] chip_data_i,
  input  wire       chip_drives_i,
  output wire       rd_n_o,
  output wire       wr_n_o,
  output wire       oe_n_o,
  output wire       siwu_n_o,
  output wire [7:0] board_data_o,
  output wire       board_drives_o,
  output wire       idle_o
);
  wire       led_busy_n, led_reset_n;
  wire [7:0] bus, floats;

  assign bus = chip_drives_i ? chip_data_i : 8'bz;
  assign board_data_o = {
    u_board.\u_bus.g_pin[7].u_cell .I, u_board.\u_bus.g_pin[6].u_cell .I,
    u_board.\u_bus.g_pin[5].u_cell .I, u_board.\u_bus.g_pin[4].u_cell .I,
    u_board.\u_bus.g_pin[3].u_cell .I, u_board.\u_bus.g_pin[2].u_cell .I,
    u_board.\u_bus.g_pin[1].u_cell .I, u_board.\u_bus.g_pin[0].u_cell .I};
  assign floats = {
    u_board.\u_bus.g_pin[7].u_cell .T, u_board.\u_bus.g_pin[6].u_cell .T,
    u_board.\u_bus.g_pin[5].u_cell .T, u_board.\u_bus.g_pin[4].u_cell .T,
    u_board.\u_bus.g_pin[3].u_cell .T, u_board.\u_bus.g_pin[2].u_cell .T,
    u_board.\u_bus.g_pin[1].u_cell .T, u_board.\u_bus.g_pin[0].u_cell .T};
  assign board_drives_o = floats != 8'hff;
  assign idle_o = led_busy_n && led_reset_n
    && u_board.\u_system.u_link.rx_tail[0] == u_board.\u_system.u_link.rx_head[0]
    && u_board.\u_system.u_link.rx_tail[1] == u_board.\u_system.u_link.rx_head[1]
    && u_board.\u_system.u_link.rx_tail[2] == u_board.\u_system.u_link.rx_head[2]
    && u_board.\u_system.u_link.rx_tail[3] == u_board.\u_system.u_link.rx_head[3]
    && u_board.\u_system.u_link.tx_tail[0] == u_board.\u_system.u_link.tx_head[0]
    && u_board.\u_system.u_link.tx_tail[1] == u_board.\u_system.u_link.tx_head[1]
    && u_board.\u_system.u_link.tx_tail[2] == u_board.\u_system.u_link.tx_head[2]
    && u_board.\u_system.u_link.tx_tail[3] == u_board.\u_system.u_link.tx_head[3] ;

  ktpu_ecp5_ft245 u_board (
    .clk_12mhz_i(clk_i), .ft_clkout_i(clkout_i), .ft_rxf_n_i(rxf_n_i), .ft_txe_n_i(txe_n_i),
    .ft_rd_n_o(rd_n_o), .ft_wr_n_o(wr_n_o), .ft_oe_n_o(oe_n_o), .ft_siwu_n_o(siwu_n_o),
    .ft_data_io(bus), .led_busy_n_o(led_busy_n), .led_reset_n_o(led_reset_n));
endmodule
`default_nettype wire
