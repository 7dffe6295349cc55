// SPDX-License-Identifier: Apache-2.0
// The link alone behind a 245 FIFO chip, as large as on the ECP5: for campaigns of wire faults.
`default_nettype none
`include "ks_board_parameters.vh"
module ktpu_board_link_ft245 (
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
  wire       rst, rx_valid, rx_ready, rx_break, tx_valid, tx_ready, tx_last, idle;
  wire [7:0] rx_data, tx_data, off;

  assign board_drives_o = off != 8'hff;
  assign idle_o = idle && !rx_valid;

  ktpu_reset #(.CLOCK_HZ(90000000)) u_reset (.clk_i(clk_i), .locked_i(1'b1), .rst_o(rst));

  ktpu_ft245 u_ft245 (
    .clk_i(clk_i), .rst_i(rst), .clkout_i(clkout_i), .rxf_n_i(rxf_n_i), .txe_n_i(txe_n_i),
    .data_i(chip_data_i), .rd_n_o(rd_n_o), .wr_n_o(wr_n_o), .oe_n_o(oe_n_o), .siwu_n_o(siwu_n_o),
    .data_o(board_data_o), .float_o(off), .rx_valid_o(rx_valid), .rx_ready_i(rx_ready),
    .rx_data_o(rx_data), .rx_break_o(rx_break), .tx_valid_i(tx_valid), .tx_ready_o(tx_ready),
    .tx_data_i(tx_data), .tx_last_i(tx_last));

  ktpu_board_link_core #(
    .WINDOW(8), .PAYLOAD(512), .SMALL(0), .PART(6), .CLOCK_HZ(90000000), .PHY(2),
    `KS_BOARD_PARAMETERS
  ) u_core (
    .clk_i(clk_i), .rst_i(rst), .rx_valid_i(rx_valid), .rx_ready_o(rx_ready), .rx_data_i(rx_data),
    .rx_error_i(1'b0), .rx_break_i(rx_break), .tx_valid_o(tx_valid), .tx_ready_i(tx_ready),
    .tx_data_o(tx_data), .tx_last_o(tx_last), .idle_o(idle));
endmodule
`default_nettype wire
