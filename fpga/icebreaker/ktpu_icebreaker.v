// SPDX-License-Identifier: Apache-2.0
// The iCEBreaker (iCE40UP5K-SG48): UART on channel B of its FT2232H, SPRAM as memory. Built,
// simulated, not yet run on hardware. In simulation clk_12mhz_i carries CLOCK_HZ.
// Green LED: the core is busy. Red LED: in reset.
`default_nettype none
module ktpu_icebreaker #(
  parameter integer T            = 4,
  parameter integer MAXDIM       = 16,
  parameter integer SPAD_ROWS    = 64,
  parameter integer NVR          = 64,
  parameter integer NAR          = 128,
  parameter integer IMEM_SIZE    = 104,
  parameter integer QD           = 2,
  parameter integer BUS_BITS     = 64,
  parameter integer OUTSTANDING  = 8,
  parameter integer CONTRACTS    = 0,
  parameter integer STRIDES      = 0,
  parameter integer COUNTERS     = 0,
  parameter integer SERIAL_SHIFT = 1,
  parameter integer ADDR_BITS    = 17,
  parameter [31:0]  CONFIG_HASH  = 32'd0,
  parameter [31:0]  BUILD_ID     = 32'd0,
  parameter integer PART         = 1,
  parameter integer CLOCK_HZ     = 24000000,
  parameter integer BAUD         = 3000000,
  parameter integer MEMORY_BYTES = 131072,
  parameter integer WINDOW       = 2,
  parameter integer PAYLOAD      = 256
) (
  input  wire clk_12mhz_i,
  input  wire uart_rx_i,
  output wire uart_tx_o,
  output wire led_green_n_o,
  output wire led_red_n_o
);
  `include "ktpu_link.vh"

  wire       clk, locked, rst, busy;
  wire       rx_valid, rx_error, rx_break, tx_valid, tx_ready;
  wire [7:0] rx_data, tx_data;
  wire       unused_rx_ready, unused_tx_last;     // a UART has no flow control

  assign led_green_n_o = !busy;
  assign led_red_n_o   = !rst;

  ktpu_pll_icebreaker #(.CLOCK_HZ(CLOCK_HZ)) u_pll (
    .clk_i(clk_12mhz_i), .clk_o(clk), .locked_o(locked));

  ktpu_reset #(.CLOCK_HZ(CLOCK_HZ)) u_reset (.clk_i(clk), .locked_i(locked), .rst_o(rst));

  ktpu_uart #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_uart (
    .clk_i(clk), .rst_i(rst), .rx_i(uart_rx_i), .tx_o(uart_tx_o),
    .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_error_o(rx_error), .rx_break_o(rx_break),
    .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_data_i(tx_data));

  ktpu_system #(
    .SPRAM(1), .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR),
    .IMEM_SIZE(IMEM_SIZE), .QD(QD), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING),
    .CONTRACTS(CONTRACTS), .STRIDES(STRIDES), .COUNTERS(COUNTERS), .SERIAL_SHIFT(SERIAL_SHIFT),
    .ADDR_BITS(ADDR_BITS), .CONFIG_HASH(CONFIG_HASH), .BUILD_ID(BUILD_ID), .PART(PART),
    .CLOCK_HZ(CLOCK_HZ), .MEMORY_BYTES(MEMORY_BYTES), .WINDOW(WINDOW), .PAYLOAD(PAYLOAD),
    .SMALL(1), .PHY(KT_LINK_PHY_UART)
  ) u_system (
    .clk_i(clk), .rst_i(rst),
    .rx_valid_i(rx_valid), .rx_ready_o(unused_rx_ready), .rx_data_i(rx_data),
    .rx_error_i(rx_error), .rx_break_i(rx_break), .tx_valid_o(tx_valid), .tx_ready_i(tx_ready),
    .tx_data_o(tx_data), .tx_last_o(unused_tx_last), .busy_o(busy));
endmodule
`default_nettype wire
