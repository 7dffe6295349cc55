// SPDX-License-Identifier: Apache-2.0
// The ECP5 board's top with a 245 FIFO module for the virtual board: the module's pins with the
// data bus taken apart, and whether the board behind them rests.
`default_nettype none
`include "ks_board_parameters.vh"
module ktpu_board_ecp5_ft245 (
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
  wire [7:0] bus;

  assign bus = chip_drives_i ? chip_data_i : 8'bz;
  assign board_data_o   = u_board.ft_out;
  assign board_drives_o = u_board.ft_float != 8'hff;
  assign idle_o = led_busy_n && led_reset_n && !u_board.rx_valid && !u_board.tx_valid
                  && u_board.u_system.u_link.u_exec.quiet_o
                  && u_board.u_system.u_link.tx_tail == u_board.u_system.u_link.tx_head;

  ktpu_ecp5_ft245 #(`KS_BOARD_PARAMETERS) u_board (
    .clk_12mhz_i(clk_i), .ft_clkout_i(clkout_i), .ft_rxf_n_i(rxf_n_i), .ft_txe_n_i(txe_n_i),
    .ft_rd_n_o(rd_n_o), .ft_wr_n_o(wr_n_o), .ft_oe_n_o(oe_n_o), .ft_siwu_n_o(siwu_n_o),
    .ft_data_io(bus), .led_busy_n_o(led_busy_n), .led_reset_n_o(led_reset_n));
endmodule
`default_nettype wire
