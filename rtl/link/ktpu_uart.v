// SPDX-License-Identifier: Apache-2.0
// The UART between a board's USB chip and the link: 8N1 at a rate fixed when it is built. CLOCK_HZ
// should be a multiple of BAUD, at least 8 times it: 24 MHz / 8 is 3 Mbaud. A low line of 200 us or
// more is a BREAK. Timing and tolerance: ktpu_uart_rx.v, ktpu_uart_tx.v.
`default_nettype none
module ktpu_uart #(
  parameter integer CLOCK_HZ = 24000000,
  parameter integer BAUD     = 3000000
) (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire       rx_i,                 // pins
  output wire       tx_o,

  output wire       rx_valid_o,
  output wire [7:0] rx_data_o,
  output wire       rx_error_o,           // a stop bit was low
  output wire       rx_break_o,

  input  wire       tx_valid_i,
  output wire       tx_ready_o,
  input  wire [7:0] tx_data_i
);
  localparam integer CLOCKS = (CLOCK_HZ + BAUD / 2) / BAUD;
  // runs of nine bits in 200 us; the receiver counts the power of two at or below that
  localparam integer RUNS      = (BAUD / 5000 - 1) / 9;
  localparam integer BREAK_LOG = RUNS < 4 ? 1 : $clog2(RUNS + 1) - 1;

  ktpu_uart_rx #(.CLOCKS(CLOCKS), .BREAK_LOG(BREAK_LOG)) u_rx (
    .clk_i(clk_i), .rst_i(rst_i), .rx_i(rx_i), .valid_o(rx_valid_o), .data_o(rx_data_o),
    .error_o(rx_error_o), .break_o(rx_break_o));

  ktpu_uart_tx #(.CLOCKS(CLOCKS)) u_tx (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(tx_valid_i), .ready_o(tx_ready_o),
    .data_i(tx_data_i), .tx_o(tx_o));
endmodule
`default_nettype wire
