// SPDX-License-Identifier: Apache-2.0
// Sends bytes as 8N1 on an asynchronous serial line, CLOCKS clocks a bit, one stop bit. A byte that
// is offered by the end of the stop bit follows without a gap. ready_o depends on state only.
`default_nettype none
module ktpu_uart_tx #(
  parameter integer CLOCKS = 8
) (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire       valid_i,
  output wire       ready_o,
  input  wire [7:0] data_i,

  output wire       tx_o                  // the pin, idle high
);
  generate
    if (CLOCKS < 2) begin : g_bad_clocks
      ktpu_param_error_uart_needs_two_clocks_a_bit u_stop ();
    end
  endgenerate

  localparam integer TW = $clog2(CLOCKS);
  localparam integer WHOLE_I = CLOCKS - 1;
  localparam [TW-1:0] WHOLE = WHOLE_I[TW-1:0];
  localparam [TW-1:0] T_ONE = {{(TW-1){1'b0}}, 1'b1};

  // start bit, data, stop bit: zeros follow, so only the stop bit is left when the rest is zero
  reg [9:0]    shift_q;
  reg [TW-1:0] timer_q;
  wire over = timer_q == {TW{1'b0}};
  wire last = shift_q[9:1] == 9'd0;

  assign ready_o = over && last;
  assign tx_o    = shift_q[0];

  always @(posedge clk_i) begin
    if (over && !last) shift_q <= {1'b0, shift_q[9:1]};
    if (ready_o && valid_i) shift_q <= {1'b1, data_i, 1'b0};
    if (!over) timer_q <= timer_q - T_ONE;
    else if (!last || valid_i) timer_q <= WHOLE;
    if (rst_i) begin
      shift_q <= 10'd1;
      timer_q <= {TW{1'b0}};
    end
  end
endmodule
`default_nettype wire
