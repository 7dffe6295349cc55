// SPDX-License-Identifier: Apache-2.0
// The link's byte streams over an FTDI chip in FT245 synchronous FIFO mode
// (docs/ft245-module.md). The pins belong to the chip's CLKOUT (ktpu_ft245_pins.v), the streams to
// clk_i, 24 MHz or more; two asynchronous FIFOs lie between. CLKOUT may begin late, stop and go on
// at any edge. While it stops for less than half of 2**LOST_LOG clocks of clk_i nothing is lost.
// When it has not been seen for 2**LOST_LOG clocks it counts as lost: both FIFOs are flushed from
// this side, rx_break_o is a pulse, bytes for the chip are swallowed, and all starts anew once
// CLKOUT is back. No register of the clk_i side waits for it.
`default_nettype none
module ktpu_ft245 #(
  parameter integer LOST_LOG = 6
) (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire       clkout_i,             // pins
  input  wire       rxf_n_i,
  input  wire       txe_n_i,
  input  wire [7:0] data_i,
  output wire       rd_n_o,
  output wire       wr_n_o,
  output wire       oe_n_o,
  output wire       siwu_n_o,
  output wire [7:0] data_o,
  output wire [7:0] float_o,              // a bit each, high: data_o's bit does not drive its pin

  output wire       rx_valid_o,
  input  wire       rx_ready_i,
  output wire [7:0] rx_data_o,
  output wire       rx_break_o,

  input  wire       tx_valid_i,
  output wire       tx_ready_o,
  input  wire [7:0] tx_data_i,
  input  wire       tx_last_i             // the last byte of a reply
);
  // ---- does CLKOUT run? A sixteenth of it, sampled here, must change now and then
  reg       power_q;                      // reset of the divider alone
  reg [3:0] divider_q;                    // CLKOUT's
  always @(posedge clk_i) power_q <= rst_i;
  always @(posedge clkout_i or posedge power_q)
    if (power_q) divider_q <= 4'd0;
    else divider_q <= divider_q + 4'd1;

  reg [2:0]          seen_q;
  reg [LOST_LOG:0]   still_q;             // clocks without a change, top bit: lost
  reg [1:0]          changes_q;           // that were seen since CLKOUT was lost
  reg                flush_q;
  reg                flush_fifo_q;        // the same for the asynchronous resets
  wire change = seen_q[2] != seen_q[1];
  wire lost   = still_q[LOST_LOG];
  wire back   = change && changes_q == 2'd3;
  wire flush  = rst_i || lost || (flush_q && !back);

  always @(posedge clk_i) begin
    seen_q <= {seen_q[1:0], divider_q[3]};
    if (change) still_q <= {(LOST_LOG+1){1'b0}};
    else if (!lost) still_q <= still_q + {{LOST_LOG{1'b0}}, 1'b1};
    if (lost) changes_q <= 2'd0;
    else if (change && flush_q) changes_q <= changes_q + 2'd1;
    flush_q      <= flush;
    flush_fifo_q <= flush;
    if (rst_i) begin
      seen_q    <= 3'b000;
      still_q   <= {(LOST_LOG+1){1'b0}};
      changes_q <= 2'd0;
    end
  end
  assign rx_break_o = lost && !flush_q;

  // ---- CLKOUT's own reset
  reg [1:0] reset_q;
  always @(posedge clkout_i or posedge flush_fifo_q)
    if (flush_fifo_q) reset_q <= 2'b11;
    else reset_q <= {reset_q[0], 1'b0};
  wire ft_rst = reset_q[1];

  // ---- to the link
  wire       in_valid, in_ready, out_valid, out_ready, out_last;
  wire [7:0] in_data, out_data;
  ktpu_async_fifo #(.WIDTH(8), .LOG(5), .MARGIN(4)) u_rx (
    .w_clk_i(clkout_i), .w_rst_i(ft_rst), .w_valid_i(in_valid), .w_ready_o(in_ready),
    .w_data_i(in_data),
    .r_clk_i(clk_i), .r_rst_i(flush_fifo_q), .r_valid_o(rx_valid_o), .r_ready_i(rx_ready_i),
    .r_data_o(rx_data_o));

  // ---- from the link: while it is flushed this FIFO is empty, so always ready
  ktpu_async_fifo #(.WIDTH(9), .LOG(5)) u_tx (
    .w_clk_i(clk_i), .w_rst_i(flush_fifo_q), .w_valid_i(tx_valid_i && !flush_q),
    .w_ready_o(tx_ready_o), .w_data_i({tx_last_i, tx_data_i}),
    .r_clk_i(clkout_i), .r_rst_i(ft_rst), .r_valid_o(out_valid), .r_ready_i(out_ready),
    .r_data_o({out_last, out_data}));

  ktpu_ft245_pins u_pins (
    .clk_i(clkout_i), .rst_i(ft_rst), .rxf_n_i(rxf_n_i), .txe_n_i(txe_n_i), .data_i(data_i),
    .rd_n_o(rd_n_o), .wr_n_o(wr_n_o), .oe_n_o(oe_n_o), .siwu_n_o(siwu_n_o), .data_o(data_o),
    .float_o(float_o), .in_valid_o(in_valid), .in_ready_i(in_ready), .in_data_o(in_data),
    .out_valid_i(out_valid), .out_ready_o(out_ready), .out_data_i(out_data),
    .out_last_i(out_last));
endmodule
`default_nettype wire
