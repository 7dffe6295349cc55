// SPDX-License-Identifier: Apache-2.0
// Receives 8N1 bytes from an asynchronous serial line, one pulse of valid_o a byte; data_o holds
// for at least half a bit after it. There is no back-pressure: whoever listens takes every byte.
// The line is synchronised and filtered (a level counts once it is seen two times in three clocks,
// so a glitch of one clock is invisible), each start edge sets the timing anew, and a start bit
// that has gone again by its middle is ignored. With CLOCKS clocks a bit, 8 or more, the sender's
// clock may differ by 2 %, and the stop bit need only reach its middle. error_o is a pulse where
// the stop bit is low; after it the line must have been high before the next byte begins. break_o
// is a pulse when the line has been low for 9 * 2**BREAK_LOG + 0.5 bits; with BREAK_LOG 6 at 3
// Mbaud that is 192 us.
`default_nettype none
module ktpu_uart_rx #(
  parameter integer CLOCKS    = 8,
  parameter integer BREAK_LOG = 6
) (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire       rx_i,                 // the pin, idle high

  output wire       valid_o,
  output wire [7:0] data_o,
  output wire       error_o,
  output wire       break_o
);
  generate
    if (CLOCKS < 8) begin : g_bad_clocks
      ktpu_param_error_uart_needs_eight_clocks_a_bit u_stop ();
    end
    if (BREAK_LOG < 1) begin : g_bad_break
      ktpu_param_error_uart_break_log_must_be_positive u_stop ();
    end
  endgenerate

  localparam integer TW = $clog2(CLOCKS);
  localparam integer WHOLE_I = CLOCKS - 1;
  localparam integer HALF_I  = CLOCKS / 2 - 1;
  localparam [TW-1:0] WHOLE = WHOLE_I[TW-1:0];
  localparam [TW-1:0] HALF  = HALF_I[TW-1:0];
  localparam [TW-1:0] T_ONE = {{(TW-1){1'b0}}, 1'b1};
  localparam [BREAK_LOG:0] B_ONE = {{BREAK_LOG{1'b0}}, 1'b1};

  // ---- the line: two registers against metastability, then the majority of three samples
  reg [3:0] sample_q;
  reg       line_q;
  wire majority = (sample_q[1] && sample_q[2]) || (sample_q[1] && sample_q[3]) ||
                  (sample_q[2] && sample_q[3]);
  always @(posedge clk_i) begin
    sample_q <= {sample_q[2:0], rx_i};
    line_q   <= majority;
    if (rst_i) begin
      sample_q <= 4'hf;
      line_q   <= 1'b1;
    end
  end

  // ---- bits: shift_q begins as all ones and its bit 0 is the start bit once nine bits are in
  reg              busy_q;
  reg [TW-1:0]     timer_q;               // clocks to the middle of the bit
  reg [8:0]        shift_q;
  reg [BREAK_LOG:0] low_q;                // runs of nine low bits, 0: not in a break
  reg              valid_q, error_q, break_q;

  wire middle  = busy_q && timer_q == {TW{1'b0}};
  wire at_stop = middle && !shift_q[0];
  wire begins  = line_q && !majority && !busy_q;
  wire in_low  = low_q != {(BREAK_LOG+1){1'b0}};
  wire broken  = low_q[BREAK_LOG];
  wire give_up = line_q && (in_low || (middle && shift_q == 9'h1ff)); // no start bit, break's end
  wire still_low = at_stop && !line_q;    // the stop bit is low: it may be the start of a break

  always @(posedge clk_i) begin
    if (begins || still_low) shift_q <= 9'h1ff;
    else if (middle) shift_q <= {line_q, shift_q[8:1]};
    // in a run of low bits the stop bit counts as the next start bit
    if (still_low) shift_q[8] <= 1'b0;
    timer_q <= begins ? HALF : middle ? WHOLE : timer_q - T_ONE;
  end

  always @(posedge clk_i) begin
    if (give_up || (at_stop && line_q)) busy_q <= 1'b0;
    if (begins) busy_q <= 1'b1;
    if (still_low && !broken) low_q <= low_q + B_ONE;
    if (give_up) low_q <= {(BREAK_LOG+1){1'b0}};
    valid_q <= at_stop && line_q && !in_low;
    error_q <= still_low && !in_low;
    break_q <= still_low && low_q == {1'b0, {BREAK_LOG{1'b1}}};
    if (rst_i) begin
      busy_q  <= 1'b0;
      low_q   <= {(BREAK_LOG+1){1'b0}};
      valid_q <= 1'b0;
      error_q <= 1'b0;
      break_q <= 1'b0;
    end
  end

  assign valid_o = valid_q;
  assign data_o  = shift_q[7:0];
  assign error_o = error_q;
  assign break_o = break_q;
endmodule
`default_nettype wire
