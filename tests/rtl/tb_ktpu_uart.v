// SPDX-License-Identifier: Apache-2.0
// ktpu_uart against a sender and a receiver of its own, timed in sixteenths of a clock: bytes back
// to back and with gaps at -2 %, 0 and +2 % of a bit's length, a stop bit cut to three quarters
// (seven eighths where the sender is fast), glitches of one clock in idle and in bits, false
// starts, low stop bits, breaks of 200 us and lows that are too short for one, a byte cut by a
// break, and the transmitter's own rate with and without gaps.
`default_nettype none
module tb_ktpu_uart;
  localparam integer STEPS  = 16;          // time units a clock
  localparam integer CLOCKS = 8;
  localparam integer BIT    = STEPS * CLOCKS;

  reg clk = 1'b0;
  always #(STEPS / 2) clk = !clk;

  reg        rst, rx, glitch, tx_valid;
  reg  [7:0] tx_data;
  wire       tx, valid, error, brk, tx_ready;
  wire [7:0] data;

  ktpu_uart #(.CLOCK_HZ(24000000), .BAUD(3000000)) u_dut (
    .clk_i(clk), .rst_i(rst), .rx_i(rx ^ glitch), .tx_o(tx),
    .rx_valid_o(valid), .rx_data_o(data), .rx_error_o(error), .rx_break_o(brk),
    .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_data_i(tx_data));

  integer seed, rng, failures, ok, i, k, round, per_mille, bit_time, gap;
  integer sent, got, errors, breaks, tx_sent, tx_got, spacing, last_start;
  reg [7:0] queue [0:4095];               // bytes that the receiver must give, in order
  reg [7:0] tx_queue [0:4095];
  reg [7:0] byte_now, tx_byte;

  task fail(input [8*48-1:0] what, input integer value, input integer want);
    begin
      failures = failures + 1;
      if (failures < 10) $display("FAIL %0s: %0d, want %0d", what, value, want);
    end
  endtask

  always @(posedge clk) if (!rst) begin
    if (valid) begin
      if (got == sent) fail("a byte that nobody sent", data, 0);
      else if (data !== queue[got % 4096]) fail("byte", data, queue[got % 4096]);
      got = got + 1;
    end
    if (error) errors = errors + 1;
    if (brk) breaks = breaks + 1;
  end

  // part: how much of the stop bit is sent, in sixteenths
  task send(input [7:0] value, input stop, input integer part);
    begin
      if (stop) begin
        queue[sent % 4096] = value;
        sent = sent + 1;
      end
      rx = 1'b0;
      #(bit_time);
      for (k = 0; k < 8; k = k + 1) begin
        rx = value[k];
        #(bit_time);
      end
      rx = stop;
      #(bit_time * part / 16);
    end
  endtask

  task idle(input integer bits);
    begin
      rx = 1'b1;
      #(BIT * bits);
    end
  endtask

  task expect_counts(input integer e, input integer b);
    begin
      if (got != sent) fail("bytes received", got, sent);
      if (errors != e) fail("framing errors", errors, e);
      if (breaks != b) fail("breaks", breaks, b);
      errors = 0;
      breaks = 0;
    end
  endtask

  function [7:0] any_byte(input integer n);
    case (n % 8)
      0: any_byte = 8'h00;
      1: any_byte = 8'hff;
      2: any_byte = 8'h55;
      default: any_byte = $random(rng);
    endcase
  endfunction

  task streams;
    for (round = 0; round < 9; round = round + 1) begin
      per_mille = (round % 3 - 1) * 20;   // -2 %, 0, +2 % of the bit's length
      bit_time = BIT + BIT * per_mille / 1000;
      if (per_mille < 0) bit_time = bit_time - 1;           // rounding never in our favour
      if (per_mille > 0) bit_time = bit_time + 1;
      for (i = 0; i < 160; i = i + 1) begin
        send(any_byte(i), 1'b1, round < 6 ? 16 : per_mille < 0 ? 14 : 12);
        gap = round < 3 ? 0 : $unsigned($random(rng)) % (2 * BIT);
        if (round >= 3 && round < 6) #(gap);
        if (round >= 6 && i % 16 == 15) idle(2);            // short stop bits add up
      end
      idle(4);
      expect_counts(0, 0);
    end
  endtask

  // glitches of less than a clock: at every phase in idle, and inside bits
  task glitches;
    begin
      bit_time = BIT;
      for (i = 0; i < 60; i = i + 1) begin
        #($unsigned($random(rng)) % BIT);
        glitch = 1'b1;
        #(STEPS - 1) glitch = 1'b0;
        idle(2);
      end
      expect_counts(0, 0);
      for (i = 0; i < 200; i = i + 1)
        fork
          send(any_byte(i), 1'b1, 16);
          begin                           // inside a data bit, away from its edges
            #(BIT * (1 + i % 8) + STEPS + $unsigned($random(rng)) % (5 * STEPS));
            glitch = 1'b1;
            #(STEPS - 1) glitch = 1'b0;
          end
        join
      idle(4);
      expect_counts(0, 0);
      for (i = 0; i < 40; i = i + 1) begin                  // false starts: lows of 2 clocks
        rx = 1'b0;
        #(2 * STEPS) idle(1);
        if (i % 4 == 0) send(any_byte(i), 1'b1, 16);
      end
      idle(4);
      expect_counts(0, 0);
    end
  endtask

  task bad_stops;
    for (i = 0; i < 30; i = i + 1) begin
      send(any_byte(3), 1'b0, 16);
      idle(1 + i % 3);
      send(any_byte(i), 1'b1, 16);
      idle(2);
      expect_counts(1, 0);
    end
  endtask

  task long_low(input integer microseconds);
    begin
      rx = 1'b0;
      #(microseconds * 24 * STEPS);
      idle(2);
    end
  endtask

  task break_tests;
    begin
      long_low(200);
      expect_counts(1, 1);
      send(8'ha5, 1'b1, 16);
      long_low(150);
      expect_counts(1, 0);
      long_low(2000);                     // one pulse however long
      expect_counts(1, 1);
      for (i = 0; i < 20; i = i + 1) begin
        send(any_byte(i), 1'b1, 16);
        rx = 1'b0;                        // a byte that begins and is cut off by the break
        #(BIT) rx = 1'b1;
        #(BIT * (1 + i % 7));
        long_low(200 + i);
        expect_counts(1, 1);
        send(8'h3c, 1'b1, 16);
      end
      idle(2);
      expect_counts(0, 0);
    end
  endtask

  // ---- the transmitter, read in the middle of each bit
  always begin
    @(negedge tx);
    #(0);
    if (tx_got > 0 && spacing > 0 && $time - last_start != spacing)
      fail("clocks between bytes", ($time - last_start) / STEPS, spacing / STEPS);
    last_start = $time;
    #(BIT / 2) if (tx !== 1'b0) fail("start bit", tx, 0);
    for (tx_sent = 0; tx_sent < 8; tx_sent = tx_sent + 1) begin
      #(BIT) tx_byte[tx_sent] = tx;
    end
    #(BIT) if (tx !== 1'b1) fail("stop bit", tx, 1);
    if (tx_byte !== tx_queue[tx_got % 4096]) fail("sent byte", tx_byte, tx_queue[tx_got % 4096]);
    tx_got = tx_got + 1;
  end

  task transmit(input integer count, input integer gaps);
    begin
      for (i = 0; i < count; i = i + 1) begin
        tx_queue[(tx_got + 4096 + i) % 4096] = 8'h00;
      end
      k = tx_got;
      for (i = 0; i < count; i = i + 1) begin
        tx_data <= any_byte(i);
        tx_valid <= 1'b1;
        #1 tx_queue[(k + i) % 4096] = tx_data;
        @(posedge clk);
        while (!tx_ready) @(posedge clk);
        if (gaps != 0) begin
          tx_valid <= 1'b0;
          repeat ($unsigned($random(rng)) % 200) @(posedge clk);
        end
      end
      tx_valid <= 1'b0;
      repeat (12 * CLOCKS) @(posedge clk);
      if (tx_got != k + count) fail("bytes sent", tx_got, k + count);
    end
  endtask

  initial begin
    seed = 1;
    ok = $value$plusargs("seed=%d", seed);
    rng = seed;
    failures = 0; sent = 0; got = 0; errors = 0; breaks = 0; tx_got = 0; spacing = 0;
    last_start = 0;
    rst = 1'b1; rx = 1'b1; glitch = 1'b0; tx_valid = 1'b0; tx_data = 8'd0;
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    #($unsigned($random(rng)) % BIT);
    streams;
    glitches;
    bad_stops;
    break_tests;
    @(posedge clk);
    transmit(100, 1);
    tx_got = 0;
    spacing = 10 * BIT;                   // back to back: ten bits a byte, not a clock more
    transmit(200, 0);
    if (got < 1700) fail("bytes compared", got, 1700);
    if (failures == 0) $display("PASS tb_ktpu_uart seed=%0d", seed);
    else $display("FAIL tb_ktpu_uart seed=%0d: %0d", seed, failures);
    $finish;
  end
endmodule
`default_nettype wire
