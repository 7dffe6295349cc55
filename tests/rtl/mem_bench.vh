// SPDX-License-Identifier: Apache-2.0
// A memory behind AXI4 against an array: bursts with random strobes and gaps, reads that may be in
// flight together with writes to other words, a master that takes no beat for a long time or until
// a number of writes is through (a memory that let a waiting beat hold up writes would hang), and
// the rate of one beat a cycle each way. 128 words at the two ends of the memory are used.
// The including bench defines BENCH, MODULE (the instance's module and parameters), WORDS, AB,
// MAX_R and MAX_W (beats of a burst), UNDER_WAY (read beats under way) and LATENCY (its limit).
  localparam integer USED = 128;

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  reg  [AB-1:0] awaddr, araddr;
  reg  [7:0]    awlen, arlen, wstrb;
  reg  [63:0]   wdata;
  reg           awvalid, wvalid, wlast, arvalid, bready, rready;
  wire          awready, wready, bvalid, arready, rlast, rvalid, idle;
  wire [1:0]    bresp, rresp;
  wire [63:0]   rdata;

  `MODULE u_dut (
    .clk_i(clk), .rst_i(rst), .s_axi_awaddr(awaddr), .s_axi_awlen(awlen),
    .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
    .s_axi_wlast(wlast), .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_bresp(bresp),
    .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_araddr(araddr), .s_axi_arlen(arlen),
    .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
    .s_axi_rlast(rlast), .s_axi_rvalid(rvalid), .s_axi_rready(rready));

  ktpu_axi_chk #(.ADDR_BITS(AB), .BUS_BITS(64)) u_chk (
    .clk_i(clk), .rst_i(rst), .awaddr_i(awaddr), .awlen_i(awlen), .awvalid_i(awvalid),
    .awready_i(awready), .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast), .wvalid_i(wvalid),
    .wready_i(wready), .bresp_i(bresp), .bvalid_i(bvalid), .bready_i(bready), .araddr_i(araddr),
    .arlen_i(arlen), .arvalid_i(arvalid), .arready_i(arready), .rdata_i(rdata), .rresp_i(rresp),
    .rlast_i(rlast), .rvalid_i(rvalid), .rready_i(rready), .idle_o(idle));

  integer seed, rng, failures, ok, i, n, cycle, phase;
  integer compared, writes, quiet, held_until, from, count;
  reg [63:0] model [0:USED-1];
  integer    r_busy [0:USED-1];           // read beats under way to the word
  reg        w_busy [0:USED-1];           // a write to the word is under way
  integer    r_queue [0:1023];            // words whose beats come next
  integer    r_in, r_out;
  integer    w_word, w_beats, w_beat, w_first; // the write burst under way, w_beats 0: none
  reg        aw_done;
  integer    gap_a, gap_w, gap_r, gap_b;  // per cent of cycles without a new offer, or not ready
  reg        no_writes, no_reads;

  function [AB-1:0] address(input integer word);
    address = (word < USED / 2 ? word : WORDS - USED + word) * 8;
  endfunction

  function integer chance(input integer per_cent);
    chance = $unsigned($random(rng)) % 100 < per_cent;
  endfunction

  task fail(input [8*32-1:0] what, input [63:0] value, input [63:0] want);
    begin
      failures = failures + 1;
      if (failures < 10) $display("FAIL phase %0d %0s: %h, want %h", phase, what, value, want);
    end
  endtask

  task take_read;
    begin
      if (r_out == r_in) fail("a beat that nobody asked for", rdata, 0);
      else begin
        i = r_queue[r_out % 1024];
        if (rdata !== model[i]) fail("word read", rdata, model[i]);
        r_busy[i] = r_busy[i] - 1;
        r_out = r_out + 1;
        compared = compared + 1;
      end
    end
  endtask

  task offer_read;
    begin
      from = $unsigned($random(rng)) % USED;
      count = 1 + $unsigned($random(rng)) % MAX_R;
      if (from % (USED / 2) + count > USED / 2) count = 1;
      ok = r_in - r_out + count <= UNDER_WAY;
      for (n = from; n < from + count; n = n + 1) if (w_busy[n]) ok = 0;
      arvalid <= ok != 0;
      araddr <= address(from);
      arlen <= count - 1;
      if (ok != 0)
        for (n = from; n < from + count; n = n + 1) begin
          r_busy[n] = r_busy[n] + 1;
          r_queue[r_in % 1024] = n;
          r_in = r_in + 1;
        end
    end
  endtask

  task begin_write;
    begin
      from = $unsigned($random(rng)) % USED;
      count = 1 + $unsigned($random(rng)) % MAX_W;
      if (from % (USED / 2) + count > USED / 2) count = 1;
      ok = 1;
      for (n = from; n < from + count; n = n + 1) if (r_busy[n] != 0) ok = 0;
      if (ok != 0) begin
        w_first = from;
        w_beats = count;
        w_beat = 0;
        aw_done = 1'b0;
        for (n = from; n < from + count; n = n + 1) w_busy[n] = 1'b1;
      end
    end
  endtask

  task offer_beat;
    begin
      wvalid <= 1'b1;
      wdata <= {$random(rng), $random(rng)};
      wstrb <= chance(30) ? 8'hff : $random(rng);
      wlast <= w_beat + 1 == w_beats;
    end
  endtask

  // a write beat is in the model from its handshake on: nobody reads the word until its response
  task take_beat;
    begin
      for (n = 0; n < 8; n = n + 1)
        if (wstrb[n]) model[w_first + w_beat][8*n +: 8] = wdata[8*n +: 8];
      w_beat = w_beat + 1;
    end
  endtask

  always @(posedge clk) if (!rst) begin
    cycle = cycle + 1;
    if (rvalid && rready) take_read;
    if (rvalid && rresp != 2'b00) fail("rresp", rresp, 0);
    if (bvalid && bready) begin
      if (bresp != 2'b00) fail("bresp", bresp, 0);
      for (n = w_first; n < w_first + w_beats; n = n + 1) w_busy[n] = 1'b0;
      if (w_beats == 0 || w_beat != w_beats || !aw_done) fail("a response too early", w_beat, 0);
      w_beats = 0;
      writes = writes + 1;
    end
    if (awvalid && awready) begin awvalid <= 1'b0; aw_done = 1'b1; end
    if (wvalid && wready) begin wvalid <= 1'b0; take_beat; end
    if (arvalid && arready) arvalid <= 1'b0;

    if ((!arvalid || arready) && !no_reads && !chance(gap_a)) offer_read;
    if (w_beats == 0 && !no_writes && !chance(gap_w)) begin_write;
    if (w_beats != 0) begin
      if (!aw_done && !awvalid && !chance(gap_w)) begin
        awvalid <= 1'b1;
        awaddr <= address(w_first);
        awlen <= w_beats - 1;
      end
      if ((!wvalid || wready) && w_beat < w_beats && !chance(gap_w)) offer_beat;
    end
    rready <= writes >= held_until && !chance(gap_r);
    bready <= !chance(gap_b);
    // now and then no beat is taken until five more writes are through
    if (held_until == writes) held_until = 0;
    if (phase == 2 && !no_writes && held_until <= writes && chance(2)) held_until = writes + 5;
  end

  task settle;
    begin
      no_writes = 1'b1;
      no_reads = 1'b1;
      held_until = 0;
      gap_r = 0;
      gap_b = 0;
      quiet = 0;
      while ((w_beats != 0 || r_in != r_out || !idle) && quiet < 2000) begin
        @(posedge clk);
        quiet = quiet + 1;
      end
      if (w_beats != 0 || r_in != r_out || !idle) fail("it never ends", r_in - r_out, 0);
    end
  endtask

  task run(input integer cycles, input integer a, input integer w, input integer r,
           input integer b);
    begin
      gap_a = a; gap_w = w; gap_r = r; gap_b = b;
      no_writes = w > 100;
      no_reads = a > 100;
      repeat (cycles) @(posedge clk);
      settle;
    end
  endtask

  // every word has a value before it is read
  task fill;
    for (i = 0; i < USED; i = i + 1) begin
      @(posedge clk);
      awvalid <= 1'b1; wvalid <= 1'b1; awaddr <= address(i); awlen <= 8'd0; wlast <= 1'b1;
      wstrb <= 8'hff; bready <= 1'b1;
      wdata <= {$random(rng), $random(rng)};
      w_first = i; w_beats = 1; w_beat = 0; aw_done = 1'b0; w_busy[i] = 1'b1;
      @(posedge clk);
      while (w_beats != 0) @(posedge clk);
    end
  endtask

  initial begin
    seed = 1;
    ok = $value$plusargs("seed=%d", seed);
    rng = seed;
    failures = 0; compared = 0; writes = 0; cycle = 0; phase = 0; held_until = 0;
    r_in = 0; r_out = 0; w_beats = 0; w_beat = 0; w_first = 0; aw_done = 1'b0;
    gap_a = 100; gap_w = 100; gap_r = 0; gap_b = 0; no_writes = 1'b1; no_reads = 1'b1;
    awvalid = 1'b0; wvalid = 1'b0; arvalid = 1'b0; rready = 1'b0; bready = 1'b0;
    awaddr = 0; araddr = 0; awlen = 0; arlen = 0; wdata = 0; wstrb = 0; wlast = 0;
    for (i = 0; i < USED; i = i + 1) begin r_busy[i] = 0; w_busy[i] = 1'b0; model[i] = 64'd0; end
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    fill;
    phase = 1; run(3000, 20, 40, 30, 30);
    phase = 2; run(6000, 10, 10, 20, 20);
    phase = 3; run(2000, 0, 0, 70, 70);
    phase = 4; run(1500, 60, 10, 5, 0);
    phase = 5;                            // one beat a cycle
    n = compared; count = compared;
    run(500, 0, 101, 0, 0);
    i = compared;
    if (i - count < 500 - LATENCY - 8) fail("beats read in 500 cycles", i - count, 500);
    if (compared < 3000 || writes < 1000) fail("too little compared", compared, writes);
    if (failures == 0) $display({"PASS ", `BENCH, " seed=%0d"}, seed);
    else $display({"FAIL ", `BENCH, " seed=%0d: %0d"}, seed, failures);
    $finish;
  end
