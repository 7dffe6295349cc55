// SPDX-License-Identifier: Apache-2.0
// The ECPIX-5 (LFE5UM5G-85F) with the UART of its FTDI chip; block RAM as memory. Built, simulated,
// not yet run on hardware. In simulation clk_100mhz_i carries CLOCK_HZ.
`default_nettype none
module ktpu_ecpix5 #(
  parameter integer T            = 8,
  parameter integer MAXDIM       = 64,
  parameter integer SPAD_ROWS    = 512,
  parameter integer NVR          = 512,
  parameter integer NAR          = 136,
  parameter integer IMEM_SIZE    = 104,
  parameter integer QD           = 4,
  parameter integer BUS_BITS     = 64,
  parameter integer OUTSTANDING  = 64,
  parameter integer CONTRACTS    = 0,
  parameter integer STRIDES      = 1,
  parameter integer COUNTERS     = 1,
  parameter integer SERIAL_SHIFT = 0,
  parameter integer ADDR_BITS    = 18,
  parameter [31:0]  CONFIG_HASH  = 32'd0,
  parameter [31:0]  BUILD_ID     = 32'd0,
  parameter integer PART         = 4,
  parameter integer CLOCK_HZ     = 90000000,
  parameter integer BAUD         = 3000000,
  parameter integer MEMORY_BYTES = 262144,
  parameter integer WINDOW       = 8,
  parameter integer PAYLOAD      = 512
) (
  input  wire clk_100mhz_i,
  input  wire uart_rx_i,
  output wire uart_tx_o,
  output wire led_busy_n_o,
  output wire led_reset_n_o
);
  `include "ktpu_link.vh"

  wire       clk, locked, rst, busy;
  wire       rx_valid, rx_error, rx_break, tx_valid, tx_ready;
  wire [7:0] rx_data, tx_data;
  wire       unused_rx_ready, unused_tx_last;     // a UART has no flow control

  assign led_busy_n_o  = !busy;
  assign led_reset_n_o = !rst;

  ktpu_pll_ecp5 #(.INPUT_HZ(100000000), .CLOCK_HZ(CLOCK_HZ)) u_pll (
    .clk_i(clk_100mhz_i), .clk_o(clk), .locked_o(locked));

  ktpu_reset #(.CLOCK_HZ(CLOCK_HZ)) u_reset (.clk_i(clk), .locked_i(locked), .rst_o(rst));

  ktpu_uart #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_uart (
    .clk_i(clk), .rst_i(rst), .rx_i(uart_rx_i), .tx_o(uart_tx_o),
    .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_error_o(rx_error), .rx_break_o(rx_break),
    .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_data_i(tx_data));

  ktpu_system #(
    .SPRAM(0), .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR),
    .IMEM_SIZE(IMEM_SIZE), .QD(QD), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING),
    .CONTRACTS(CONTRACTS), .STRIDES(STRIDES), .COUNTERS(COUNTERS), .SERIAL_SHIFT(SERIAL_SHIFT),
    .ADDR_BITS(ADDR_BITS), .CONFIG_HASH(CONFIG_HASH), .BUILD_ID(BUILD_ID), .PART(PART),
    .CLOCK_HZ(CLOCK_HZ), .MEMORY_BYTES(MEMORY_BYTES), .WINDOW(WINDOW), .PAYLOAD(PAYLOAD),
    .SMALL(0), .PHY(KT_LINK_PHY_UART)
  ) u_system (
    .clk_i(clk), .rst_i(rst),
    .rx_valid_i(rx_valid), .rx_ready_o(unused_rx_ready), .rx_data_i(rx_data),
    .rx_error_i(rx_error), .rx_break_i(rx_break), .tx_valid_o(tx_valid), .tx_ready_i(tx_ready),
    .tx_data_o(tx_data), .tx_last_o(unused_tx_last), .busy_o(busy));
endmodule
`default_nettype wire
