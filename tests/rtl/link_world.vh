// SPDX-License-Identifier: Apache-2.0
// Round ktpu_link in a bench, included in a module that defines SMALL, WINDOW, PAYLOAD and PHY: a
// wire with random gaps, a memory with random stalls, a register slave, and replies decoded by a
// COBS of the bench's own. link_bench.vh and link_fuzz.vh say what is sent and what must come.
  localparam integer AB    = 16;
  localparam integer BB    = 64;
  localparam integer BYTES = 65536;
  localparam integer PATIENCE = 200000;   // cycles that a reply may take

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  reg         rx_valid, rx_error, rx_break, tx_ready, busy;
  reg  [7:0]  rx_data;
  wire        rx_ready, tx_valid, tx_last;
  wire [7:0]  tx_data;

  wire [11:0] l_awaddr, l_araddr;
  wire [31:0] l_wdata;
  wire [3:0]  l_wstrb;
  wire        l_awvalid, l_wvalid, l_bready, l_arvalid, l_rready;
  reg         l_awready, l_wready, l_bvalid, l_arready, l_rvalid;
  reg  [31:0] l_rdata;
  reg  [1:0]  l_resp;

  wire [AB-1:0]   m_awaddr, m_araddr;
  wire [7:0]      m_awlen, m_arlen;
  wire [BB-1:0]   m_wdata, m_rdata;
  wire [BB/8-1:0] m_wstrb;
  wire [1:0]      m_bresp, m_rresp;
  wire            m_awvalid, m_awready, m_wlast, m_wvalid, m_wready, m_bvalid, m_bready;
  wire            m_arvalid, m_arready, m_rlast, m_rvalid, m_rready, m_idle;

  ktpu_link #(
    .WINDOW(WINDOW), .PAYLOAD(PAYLOAD), .SMALL(SMALL), .BUS_BITS(BB), .ADDR_BITS(AB),
    .MEMORY_BYTES(BYTES), .CONFIG_HASH(32'h12345678), .BUILD_ID(32'h9ABCDEF0), .PART(32'd77),
    .CLOCK_HZ(32'd24000000), .PHY(PHY), .BUS_TIMEOUT(16384)
  ) u_dut (
    .clk_i(clk), .rst_i(rst), .rx_valid(rx_valid), .rx_ready(rx_ready), .rx_data(rx_data),
    .rx_error(rx_error), .rx_break(rx_break), .tx_valid(tx_valid), .tx_ready(tx_ready),
    .tx_data(tx_data), .tx_last(tx_last), .busy_i(busy), .done_i(1'b0),
    .m_axil_awaddr(l_awaddr), .m_axil_awvalid(l_awvalid), .m_axil_awready(l_awready),
    .m_axil_wdata(l_wdata), .m_axil_wstrb(l_wstrb), .m_axil_wvalid(l_wvalid),
    .m_axil_wready(l_wready), .m_axil_bresp(l_resp), .m_axil_bvalid(l_bvalid),
    .m_axil_bready(l_bready), .m_axil_araddr(l_araddr), .m_axil_arvalid(l_arvalid),
    .m_axil_arready(l_arready), .m_axil_rdata(l_rdata), .m_axil_rresp(l_resp),
    .m_axil_rvalid(l_rvalid), .m_axil_rready(l_rready),
    .m_axi_awaddr(m_awaddr), .m_axi_awlen(m_awlen), .m_axi_awvalid(m_awvalid),
    .m_axi_awready(m_awready), .m_axi_wdata(m_wdata), .m_axi_wstrb(m_wstrb),
    .m_axi_wlast(m_wlast), .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready),
    .m_axi_bresp(m_bresp), .m_axi_bvalid(m_bvalid), .m_axi_bready(m_bready),
    .m_axi_araddr(m_araddr), .m_axi_arlen(m_arlen), .m_axi_arvalid(m_arvalid),
    .m_axi_arready(m_arready), .m_axi_rdata(m_rdata), .m_axi_rresp(m_rresp),
    .m_axi_rlast(m_rlast), .m_axi_rvalid(m_rvalid), .m_axi_rready(m_rready));

  axi_mem_model #(.ADDR_BITS(AB), .BUS_BITS(BB), .BYTES(BYTES)) u_mem (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_o(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_o(m_wready), .bresp_o(m_bresp), .bvalid_o(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_o(m_arready),
    .rdata_o(m_rdata), .rresp_o(m_rresp), .rlast_o(m_rlast), .rvalid_o(m_rvalid),
    .rready_i(m_rready));

  ktpu_axi_chk #(.ADDR_BITS(AB), .BUS_BITS(BB), .OUTSTANDING(1)) u_chk (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_i(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_i(m_wready), .bresp_i(m_bresp), .bvalid_i(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_i(m_arready),
    .rdata_i(m_rdata), .rresp_i(m_rresp), .rlast_i(m_rlast), .rvalid_i(m_rvalid),
    .rready_i(m_rready), .idle_o(m_idle));

  ktpu_stream_chk #(.WIDTH(12)) u_l_aw (.clk_i(clk), .rst_i(rst), .valid_i(l_awvalid),
                                        .ready_i(l_awready), .data_i(l_awaddr));
  ktpu_stream_chk #(.WIDTH(36)) u_l_w (.clk_i(clk), .rst_i(rst), .valid_i(l_wvalid),
                                       .ready_i(l_wready), .data_i({l_wstrb, l_wdata}));
  ktpu_stream_chk #(.WIDTH(12)) u_l_ar (.clk_i(clk), .rst_i(rst), .valid_i(l_arvalid),
                                        .ready_i(l_arready), .data_i(l_araddr));
  ktpu_stream_chk #(.WIDTH(8)) u_tx (.clk_i(clk), .rst_i(rst), .valid_i(tx_valid),
                                     .ready_i(tx_ready), .data_i(tx_data));

  integer seed, rng, errors, replies, bytes, steps, now;
  integer n, i, start, ok;
  integer stall_tx, stall_memory;
  reg     mute_lite, error_lite;
  reg [7:0] value [0:65535];

  task fail(input [8*40-1:0] what);
    begin
      errors = errors + 1;
      if (errors < 20) $display("FAIL at step %0d, %0t: %0s", steps, $time, what);
    end
  endtask

  function chance(input integer per_cent);
    chance = $unsigned($random(rng)) % 100 < per_cent;
  endfunction

  // ---- the register slave: words at their addresses, random delays -----------------------------
  reg [31:0] word [0:1023];
  reg        have_aw, have_w, have_ar;
  reg [11:0] aw, ar;
  reg [31:0] wd;

  always @(posedge clk)
    if (rst) begin
      {l_awready, l_wready, l_arready, l_bvalid, l_rvalid} <= 5'd0;
      have_aw = 1'b0; have_w = 1'b0; have_ar = 1'b0;
    end else begin
      if (l_awvalid && l_awready) begin have_aw = 1'b1; aw = l_awaddr; end
      if (l_wvalid && l_wready) begin have_w = 1'b1; wd = l_wdata; end
      if (l_arvalid && l_arready) begin have_ar = 1'b1; ar = l_araddr; end
      if (l_bvalid && l_bready) l_bvalid <= 1'b0;
      if (l_rvalid && l_rready) l_rvalid <= 1'b0;
      if (have_aw && have_w && !l_bvalid && !mute_lite && chance(50)) begin
        word[aw[11:2]] = wd;
        l_resp   <= {error_lite, 1'b0};
        l_bvalid <= 1'b1;
        have_aw = 1'b0; have_w = 1'b0;
      end
      if (have_ar && !l_rvalid && !mute_lite && chance(50)) begin
        l_rdata  <= word[ar[11:2]];
        l_resp   <= {error_lite, 1'b0};
        l_rvalid <= 1'b1;
        have_ar = 1'b0;
      end
      // a slave that is mute does not even take the address now and then
      l_awready <= !have_aw && !mute_lite && chance(70);
      l_wready  <= !have_w && !mute_lite && chance(70);
      l_arready <= !have_ar && !mute_lite && chance(70);
    end

  // ---- replies: decoded into a ring of bytes, a count for each frame ---------------------------
  localparam integer RING = 65536;
  reg [7:0]  ring [0:RING-1];
  integer    frame_size [0:1023];
  integer    ring_in, ring_out, frames_in, frames_out, left, size, last_code;

  always @(posedge clk)
    if (rst) begin
      ring_in = 0; frames_in = 0; left = 0; size = -1; last_code = 255;
      tx_ready <= 1'b0;
    end else begin
      if (tx_valid && tx_ready) begin
        bytes = bytes + 1;
        if (tx_last && tx_data != 8'd0) fail("tx_last on a byte of the frame");
        if (tx_data == 8'd0) begin
          if (left != 0) fail("a reply is cut inside a block");
          if (size >= 0) begin
            frame_size[frames_in % 1024] = size;
            frames_in = frames_in + 1;
          end
          left = 0; size = -1; last_code = 255;
        end else if (left == 0) begin
          if (size < 0) size = 0;
          else if (last_code != 255) begin
            ring[ring_in % RING] = 8'd0; ring_in = ring_in + 1; size = size + 1;
          end
          left = tx_data - 1;
          last_code = tx_data;
        end else begin
          ring[ring_in % RING] = tx_data; ring_in = ring_in + 1; size = size + 1;
          left = left - 1;
        end
      end
      tx_ready <= !chance(stall_tx);
    end

  // ---- sending and expecting -------------------------------------------------------------------
  task send;
    for (i = 0; i < n; i = i + 1) begin
      rx_data  <= value[i];
      rx_valid <= 1'b1;
      @(posedge clk);
      while (!rx_ready) @(posedge clk);
      rx_valid <= 1'b0;
      rx_data  <= $random(rng);
      if (SMALL != 0) repeat (11 + $unsigned($random(rng)) % 8) @(posedge clk);
      else if (chance(20)) repeat ($unsigned($random(rng)) % 4) @(posedge clk);
    end
  endtask

  task pulse_error;
    begin
      rx_error <= 1'b1;
      @(posedge clk);
      rx_error <= 1'b0;
    end
  endtask

  task pulse_break;
    begin
      rx_break <= 1'b1;
      @(posedge clk);
      rx_break <= 1'b0;
    end
  endtask

  task reply;
    begin
      start = now;
      while (frames_out == frames_in && now - start < PATIENCE) @(posedge clk);
      if (frames_out == frames_in) begin
        fail("no reply");
        errors = errors + 1000;
      end else begin
        if (frame_size[frames_out % 1024] != n) begin
          fail("a reply of another size");
          $display("  %0d bytes, expected %0d", frame_size[frames_out % 1024], n);
        end
        for (i = 0; i < n && i < frame_size[frames_out % 1024]; i = i + 1)
          if (ring[(ring_out + i) % RING] !== value[i]) begin
            fail("reply");
            if (errors < 20) $display("  byte %0d of %0d: %h, expected %h", i, n,
                                      ring[(ring_out + i) % RING], value[i]);
          end
        ring_out = ring_out + frame_size[frames_out % 1024];
        frames_out = frames_out + 1;
        replies = replies + 1;
      end
    end
  endtask

  task quiet;
    begin
      start = now;
      repeat (SMALL != 0 ? 600 : 300) @(posedge clk);
      if (frames_out != frames_in) begin
        fail("a reply that nothing asked for");
        ring_out = ring_in; frames_out = frames_in;
      end
    end
  endtask

  // ---- beginning -------------------------------------------------------------------------------
  always @(posedge clk) now = now + 1;

  task begin_world;
    begin
      seed = 1; errors = 0; replies = 0; bytes = 0; steps = 0; now = 0;
      ok = $value$plusargs("seed=%d", seed);
      rng = seed;
      {rx_valid, rx_error, rx_break, busy, mute_lite, error_lite} = 6'd0;
      rx_data = 8'd0; stall_tx = 0; stall_memory = 0;
      for (i = 0; i < BYTES; i = i + 1) u_mem.mem[i] = 8'd0;
      for (i = 0; i < 1024; i = i + 1) word[i] = 32'd0;
      u_mem.rng = seed + 9;
    end
  endtask

  // power-up, also in the middle of a run
  task leave_reset;
    begin
      rst <= 1'b1;
      ring_out = 0; frames_out = 0;
      repeat (4) @(posedge clk);
      rst <= 1'b0;
      repeat (140) @(posedge clk);          // the counters are being cleared
    end
  endtask
