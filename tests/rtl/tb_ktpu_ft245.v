// SPDX-License-Identifier: Apache-2.0
// ktpu_ft245 against a chip that samples the pins before it changes its own: order and count of
// every byte in both directions while RXF# and TXE# rise at any edge, the link stalls, CLKOUT
// stops for a short time (nothing may be lost) or for a long one (what was in the FIFOs is lost,
// nothing else, and bytes for the chip are swallowed meanwhile), at a fast and at a slow clock of
// the link. Also: OE# before RD#, nobody drives against the chip, SIWU# after the last byte of a
// reply, the rate.
`default_nettype none
module tb_ktpu_ft245;
  localparam integer HALF_FT = 8;         // 60 MHz: half a period in time units

  reg        clk = 1'b0, clkout = 1'b0, rst = 1'b1;
  reg        rxf_n, txe_n, rx_ready, tx_valid, tx_last;
  reg  [7:0] chip_data, tx_data;
  wire       rd_n, wr_n, oe_n, siwu_n, rx_valid, rx_break, tx_ready;
  wire [7:0] board_data, floating, rx_data;

  integer half, stopped, seed, rng, failures, phase, ok, i, n;
  integer percent_rx, percent_tx, percent_ready, percent_valid, left;
  integer popped, rx_at, put, put_at, got, dropped, breaks, lasts, pulses, since, runs, flushes;
  integer limit_in, limit_out, k, t0, moved, edges;
  reg [7:0] to_board [0:65535];
  reg [8:0] to_chip [0:65535];            // with the mark of a reply's last byte
  reg       oe_was, siwu_was, siwu_due, running, stall_rx, stall_tx;

  ktpu_ft245 u_dut (
    .clk_i(clk), .rst_i(rst), .clkout_i(clkout), .rxf_n_i(rxf_n), .txe_n_i(txe_n),
    .data_i(oe_n ? board_data : chip_data), .rd_n_o(rd_n), .wr_n_o(wr_n), .oe_n_o(oe_n),
    .siwu_n_o(siwu_n), .data_o(board_data), .float_o(floating),
    .rx_valid_o(rx_valid), .rx_ready_i(rx_ready), .rx_data_o(rx_data), .rx_break_o(rx_break),
    .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_data_i(tx_data), .tx_last_i(tx_last));

  task fail(input [8*40-1:0] what, input integer value, input integer want);
    begin
      failures = failures + 1;
      if (failures < 10)
        $display("FAIL phase %0d at %0t %0s: %0d, want %0d", phase, $time, what, value, want);
    end
  endtask

  function chance(input integer per_cent);
    chance = $unsigned($random(rng)) % 100 < per_cent;
  endfunction

  // edges of clk at even times, of CLKOUT at odd ones
  always #(half) clk = !clk;
  initial begin
    running = 1'b0;
    stopped = 0;
    #3;
    forever begin
      #(HALF_FT);
      while (stopped > 0 || !running) begin
        #2;
        if (stopped > 0) stopped = stopped - 2;
      end
      clkout = !clkout;
    end
  end

  // ---- the chip
  always @(posedge clkout) begin
    edges = edges + 1;
    if (!rst) begin
      if (!rd_n && oe_was) fail("RD# without OE# a clock before", 0, 1);
      if (!(&floating) && (!oe_n || !oe_was)) fail("both drive the bus", 0, 1);
      if ((|floating) && !wr_n) fail("WR# without data", 0, 1);
      if (!rd_n && !oe_n && !rxf_n) begin
        popped = popped + 1;
        moved = moved + 1;
      end
      if (!wr_n && !txe_n) begin
        if (got == put) fail("a byte that nobody sent", board_data, 0);
        else if (board_data !== to_chip[got % 65536][7:0])
          fail("byte to the chip", board_data, to_chip[got % 65536][7:0]);
        siwu_due = to_chip[got % 65536][8];
        if (siwu_due) lasts = lasts + 1;
        got = got + 1;
        moved = moved + 1;
        since = 0;
      end else since = since + 1;
      if (!siwu_n && siwu_was) begin
        pulses = pulses + 1;
        if (!siwu_due) fail("SIWU# within a reply", 0, 1);
        siwu_due = 1'b0;
      end
      if (siwu_due && since > 60 && got == put) begin
        fail("no SIWU# after a reply", since, 60);
        siwu_due = 1'b0;
      end
      oe_was = oe_n;
      siwu_was = siwu_n;
    end
    #3;
    rxf_n <= popped >= limit_in || !chance(percent_rx);
    txe_n <= got >= limit_out || !chance(percent_tx);
    chip_data <= popped < limit_in ? to_board[popped % 65536] : $random(rng);
  end

  // ---- the link
  always @(posedge clk) if (!rst) begin
    if (rx_break) breaks = breaks + 1;
    if (rx_valid && rx_ready) begin
      if (rx_at == popped) fail("a byte that the chip did not send", rx_data, 0);
      else if (rx_data !== to_board[rx_at % 65536])
        fail("byte from the chip", rx_data, to_board[rx_at % 65536]);
      rx_at = rx_at + 1;
    end
    if (tx_valid && tx_ready) begin
      if (u_dut.flush_q) dropped = dropped + 1;
      else begin
        to_chip[put % 65536] = {tx_last, tx_data};
        put = put + 1;
      end
      put_at = put_at + 1;
    end
    rx_ready <= chance(percent_ready);
    if (!tx_valid || tx_ready) begin
      ok = chance(percent_valid) && left != 0;
      tx_valid <= ok != 0;
      tx_data <= $random(rng);
      tx_last <= left == 1 || $unsigned($random(rng)) % 40 == 0;
      if (ok != 0) left = left - 1;
    end
  end

  // what lies in the FIFOs when CLKOUT is given up is lost
  always @(posedge u_dut.flush_fifo_q) begin
    rx_at = popped;
    got = put;
    siwu_due = 1'b0;
    flushes = flushes + 1;
  end

  task settle;
    begin
      percent_valid = 0;
      percent_ready = 100;
      percent_tx = 100;
      percent_rx = 100;
      n = 0;
      while (n < 3000 && (rx_at != popped || got != put || popped < limit_in)) begin
        @(posedge clk);
        n = n + 1;
      end
      repeat (200) @(posedge clk);
      if (rx_at != popped || popped != limit_in) fail("bytes from the chip", rx_at, limit_in);
      if (got != put) fail("bytes to the chip", got, put);
      if (breaks != runs) fail("losses of CLKOUT", breaks, runs);
      if (flushes != runs) fail("flushes", flushes, runs);
    end
  endtask

  task traffic(input integer bytes, input integer rx, input integer tx, input integer rdy,
               input integer val);
    begin
      percent_rx = rx; percent_tx = tx; percent_ready = rdy; percent_valid = val;
      limit_in = popped + bytes;
      t0 = 0;
      while (popped < limit_in && t0 < 200000) begin
        @(posedge clk);
        t0 = t0 + 1;
        if (phase % 10 == 2 && t0 % 64 == 0) begin          // up to 30 clocks of the link
          stop(2 * (1 + $unsigned($random(rng)) % (half * 30)));
          while (stopped > 0) @(posedge clk);
          repeat (12) @(posedge clkout);
        end
        if (phase % 10 == 3 && t0 % 900 == 899) begin
          stop(half * 2 * 100 + $unsigned($random(rng)) % 64 * 2);
          runs = runs + 1;
          repeat (220) @(posedge clk);
        end
      end
      settle;
    end
  endtask

  task stop(input integer units);
    begin
      while (stopped > 0) @(posedge clk);
      stopped = units;
    end
  endtask

  task all_traffic(input integer at);
    begin
      phase = at + 1;
      traffic(1500, 50, 50, 50, 50);
      traffic(1500, 90, 90, 100, 90);
      traffic(800, 30, 80, 90, 100);
      traffic(800, 100, 30, 20, 100);
      phase = at + 2;
      traffic(1500, 70, 70, 80, 80);
      phase = at + 3;
      traffic(2500, 60, 80, 80, 70);
      traffic(2500, 70, 30, 30, 90);
      phase = at + 4;                     // replies one at a time: a pulse after each
      for (k = 0; k < 20; k = k + 1) begin
        pulses = 0;
        lasts = 0;
        left = 1 + 3 * k;
        percent_valid = 50 + 50 * (k % 2);
        percent_tx = 50 + 50 * (k % 2);
        while (left != 0 || tx_valid) @(posedge clk);
        repeat (200) @(posedge clkout);
        if (pulses > lasts || pulses == 0) fail("pulses of SIWU#", pulses, lasts);
        settle;
      end
      left = -1;
    end
  endtask

  // bytes in 1000 edges, one direction at a time
  task rates;
    begin
      phase = 9;
      percent_rx = 100; percent_tx = 100; percent_ready = 100; percent_valid = 0;
      limit_in = popped + 100000;
      repeat (50) @(posedge clkout);
      moved = 0;
      repeat (1000) @(posedge clkout);
      if (moved < 950) fail("bytes read in 1000 clocks", moved, 1000);
      limit_in = popped;
      repeat (50) @(posedge clkout);
      settle;
      percent_valid = 100;
      repeat (50) @(posedge clkout);
      moved = 0;
      repeat (1000) @(posedge clkout);
      if (moved < 950) fail("bytes written in 1000 clocks", moved, 1000);
      settle;
    end
  endtask

  initial begin
    seed = 1;
    ok = $value$plusargs("seed=%d", seed);
    rng = seed;
    for (i = 0; i < 65536; i = i + 1) to_board[i] = $random(rng);
    half = 6;
    failures = 0; phase = 0; percent_rx = 0; percent_tx = 0; percent_ready = 0; percent_valid = 0;
    left = -1; popped = 0; rx_at = 0; put = 0; put_at = 0; got = 0; dropped = 0; breaks = 0;
    lasts = 0; pulses = 0; since = 0; runs = 0; flushes = 0; limit_in = 0; limit_out = 1 << 30;
    moved = 0; edges = 0;
    rxf_n = 1'b1; txe_n = 1'b1; rx_ready = 1'b0; tx_valid = 1'b0; tx_last = 1'b0;
    oe_was = 1'b1; siwu_was = 1'b1; siwu_due = 1'b0; chip_data = 8'd0; tx_data = 8'd0;
    repeat (10) @(posedge clk);
    rst <= 1'b0;
    percent_valid = 50;                   // CLKOUT has not begun: the link is not held up
    repeat (400) @(posedge clk);
    if (dropped < 100) fail("bytes swallowed without CLKOUT", dropped, 100);
    percent_valid = 0;
    running = 1'b1;
    flushes = 0;
    repeat (200) @(posedge clk);
    all_traffic(0);
    rates;
    half = 20;
    repeat (20) @(posedge clk);
    all_traffic(20);
    if (rx_at < 15000 || got < 10000 || runs < 8 || dropped < 500)
      fail("too little was tried", runs, 8);
    if (failures == 0) $display("PASS tb_ktpu_ft245 seed=%0d", seed);
    else $display("FAIL tb_ktpu_ft245 seed=%0d: %0d", seed, failures);
    $finish;
  end
endmodule
`default_nettype wire
