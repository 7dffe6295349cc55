// SPDX-License-Identifier: Apache-2.0
// A board that sends back what it receives: the UART alone, for tests of it behind the virtual
// chip. 4,096 bytes are stored; a byte with a framing error is not.
`default_nettype none
module ktpu_board_echo (
  input  wire clk_i,
  input  wire rx_i,
  output wire tx_o,
  output wire idle_o
);
  reg [7:0]  store [0:4095];
  reg [11:0] head_q = 12'd0, tail_q = 12'd0;
  reg [3:0]  reset_q = 4'd15;

  wire       rst = reset_q != 4'd0;
  wire       rx_valid, rx_error, rx_break, tx_ready;
  wire [7:0] rx_data;
  wire       tx_valid = head_q != tail_q;

  assign idle_o = !rst && !tx_valid && tx_ready && tx_o;

  ktpu_uart u_uart (
    .clk_i(clk_i), .rst_i(rst), .rx_i(rx_i), .tx_o(tx_o), .rx_valid_o(rx_valid),
    .rx_data_o(rx_data), .rx_error_o(rx_error), .rx_break_o(rx_break), .tx_valid_i(tx_valid),
    .tx_ready_o(tx_ready), .tx_data_i(store[head_q]));

  always @(posedge clk_i) begin
    if (rst) reset_q <= reset_q - 4'd1;
    if (rx_valid && !rx_error) begin
      store[tail_q] <= rx_data;
      tail_q <= tail_q + 12'd1;
    end
    if (tx_valid && tx_ready) head_q <= head_q + 12'd1;
    if (rst || rx_break) begin
      head_q <= 12'd0;
      tail_q <= 12'd0;
    end
  end
endmodule
`default_nettype wire
