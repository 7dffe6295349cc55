// SPDX-License-Identifier: Apache-2.0
// ktpu_axi_arb between a core, a host and one memory, all with random stalls: each side reads back
// what it wrote (its own half of memory, patterns that name the side), host bursts are never
// accepted while the core is busy, at most one is under way, the core waits for the one it meets,
// and a core that owns the port sees the memory in the same cycle. Protocol checkers stand on all
// three ports.
`default_nettype none
module tb_ktpu_axi_arb;
  localparam integer AB    = 16;
  localparam integer BB    = 64;
  localparam integer ROUNDS = 60;        // spells of a busy core

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  // index 0: core, 1: host; both are driven by the same master text below
  reg  [AB-1:0]   awaddr [0:1];
  reg  [7:0]      awlen [0:1];
  reg  [BB-1:0]   wdata [0:1];
  reg  [BB/8-1:0] wstrb [0:1];
  reg  [AB-1:0]   araddr [0:1];
  reg  [7:0]      arlen [0:1];
  reg  [1:0]      awvalid, wlast, wvalid, bready, arvalid, rready;
  wire [1:0]      awready, wready, bvalid, arready, rlast, rvalid, side_idle;
  wire [1:0]      bresp [0:1], rresp [0:1];
  wire [BB-1:0]   rdata [0:1];
  reg             busy;

  wire [AB-1:0]   m_awaddr, m_araddr;
  wire [7:0]      m_awlen, m_arlen;
  wire [BB-1:0]   m_wdata, m_rdata;
  wire [BB/8-1:0] m_wstrb;
  wire [1:0]      m_bresp, m_rresp;
  wire            m_awvalid, m_awready, m_wlast, m_wvalid, m_wready, m_bvalid, m_bready;
  wire            m_arvalid, m_arready, m_rlast, m_rvalid, m_rready, m_idle;

  ktpu_axi_arb #(.ADDR_BITS(AB), .BUS_BITS(BB)) u_dut (
    .clk_i(clk), .rst_i(rst), .core_busy_i(busy),
    .c_axi_awaddr(awaddr[0]), .c_axi_awlen(awlen[0]), .c_axi_awvalid(awvalid[0]),
    .c_axi_awready(awready[0]), .c_axi_wdata(wdata[0]), .c_axi_wstrb(wstrb[0]),
    .c_axi_wlast(wlast[0]), .c_axi_wvalid(wvalid[0]), .c_axi_wready(wready[0]),
    .c_axi_bresp(bresp[0]), .c_axi_bvalid(bvalid[0]), .c_axi_bready(bready[0]),
    .c_axi_araddr(araddr[0]), .c_axi_arlen(arlen[0]), .c_axi_arvalid(arvalid[0]),
    .c_axi_arready(arready[0]), .c_axi_rdata(rdata[0]), .c_axi_rresp(rresp[0]),
    .c_axi_rlast(rlast[0]), .c_axi_rvalid(rvalid[0]), .c_axi_rready(rready[0]),
    .s_axi_awaddr(awaddr[1]), .s_axi_awlen(awlen[1]), .s_axi_awvalid(awvalid[1]),
    .s_axi_awready(awready[1]), .s_axi_wdata(wdata[1]), .s_axi_wstrb(wstrb[1]),
    .s_axi_wlast(wlast[1]), .s_axi_wvalid(wvalid[1]), .s_axi_wready(wready[1]),
    .s_axi_bresp(bresp[1]), .s_axi_bvalid(bvalid[1]), .s_axi_bready(bready[1]),
    .s_axi_araddr(araddr[1]), .s_axi_arlen(arlen[1]), .s_axi_arvalid(arvalid[1]),
    .s_axi_arready(arready[1]), .s_axi_rdata(rdata[1]), .s_axi_rresp(rresp[1]),
    .s_axi_rlast(rlast[1]), .s_axi_rvalid(rvalid[1]), .s_axi_rready(rready[1]),
    .m_axi_awaddr(m_awaddr), .m_axi_awlen(m_awlen), .m_axi_awvalid(m_awvalid),
    .m_axi_awready(m_awready), .m_axi_wdata(m_wdata), .m_axi_wstrb(m_wstrb),
    .m_axi_wlast(m_wlast), .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready),
    .m_axi_bresp(m_bresp), .m_axi_bvalid(m_bvalid), .m_axi_bready(m_bready),
    .m_axi_araddr(m_araddr), .m_axi_arlen(m_arlen), .m_axi_arvalid(m_arvalid),
    .m_axi_arready(m_arready), .m_axi_rdata(m_rdata), .m_axi_rresp(m_rresp),
    .m_axi_rlast(m_rlast), .m_axi_rvalid(m_rvalid), .m_axi_rready(m_rready));

  axi_mem_model #(.ADDR_BITS(AB), .BUS_BITS(BB), .BYTES(65536)) u_mem (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_o(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_o(m_wready), .bresp_o(m_bresp), .bvalid_o(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_o(m_arready),
    .rdata_o(m_rdata), .rresp_o(m_rresp), .rlast_o(m_rlast), .rvalid_o(m_rvalid),
    .rready_i(m_rready));

  ktpu_axi_chk #(.ADDR_BITS(AB), .BUS_BITS(BB)) u_chk_m (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_i(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_i(m_wready), .bresp_i(m_bresp), .bvalid_i(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_i(m_arready),
    .rdata_i(m_rdata), .rresp_i(m_rresp), .rlast_i(m_rlast), .rvalid_i(m_rvalid),
    .rready_i(m_rready), .idle_o(m_idle));

  integer seed, errors, busy_rng, spells, i, ok, met, base, n;
  integer words [0:1];                    // read back and compared
  integer bursts [0:1];
  reg     running;

  task fail(input [8*40-1:0] what);
    begin
      errors = errors + 1;
      if (errors < 10) $display("FAIL at %0t: %0s", $time, what);
    end
  endtask

  // ---- two masters: write a burst, read it back; several bursts may be under way for the core ---
  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : g_side
      integer rng, aw_left, w_left, b_left, ar_left, r_left, beat, rbeat, k;
      reg [31:0] tag;
      reg [63:0] expect_q [0:4095];
      integer    put, got, aw_k, w_k, ar_k;
      reg [AB-1:0] b_addr [0:7];
      reg [7:0]    b_len [0:7];
      integer    n_bursts;

      ktpu_axi_chk #(.ADDR_BITS(AB), .BUS_BITS(BB)) u_chk (
        .clk_i(clk), .rst_i(rst),
        .awaddr_i(awaddr[g]), .awlen_i(awlen[g]), .awvalid_i(awvalid[g]), .awready_i(awready[g]),
        .wdata_i(wdata[g]), .wstrb_i(wstrb[g]), .wlast_i(wlast[g]), .wvalid_i(wvalid[g]),
        .wready_i(wready[g]), .bresp_i(bresp[g]), .bvalid_i(bvalid[g]), .bready_i(bready[g]),
        .araddr_i(araddr[g]), .arlen_i(arlen[g]), .arvalid_i(arvalid[g]), .arready_i(arready[g]),
        .rdata_i(rdata[g]), .rresp_i(rresp[g]), .rlast_i(rlast[g]), .rvalid_i(rvalid[g]),
        .rready_i(rready[g]), .idle_o(side_idle[g]));

      // word at address a written in this pass: names the side, the pass and the address
      function [63:0] pattern(input [AB-1:0] a);
        pattern = {g ? 8'hb5 : 8'hc0, tag[23:0], tag[15:0] ^ a, a};
      endfunction

      task pick_bursts;                    // 1..6 bursts in this side's half, each in its own 4 KiB
        begin
          n_bursts = 1 + $unsigned($random(rng)) % 6;
          for (k = 0; k < n_bursts; k = k + 1) begin
            b_len[k]  = $unsigned($random(rng)) % 5 == 0 ? 255 : $unsigned($random(rng)) % 9;
            b_addr[k] = g * 32768 + k * 4096 + 8 * ($unsigned($random(rng)) % (512 - b_len[k]));
          end
          tag = tag + 1;
        end
      endtask

      task write_bursts;
        begin
          aw_left = n_bursts; w_left = n_bursts; b_left = n_bursts; beat = 0; aw_k = 0; w_k = 0;
          while (b_left > 0) begin
            if (!awvalid[g] && aw_left > 0 && $random(rng)) begin
              awaddr[g] <= b_addr[aw_k]; awlen[g] <= b_len[aw_k]; awvalid[g] <= 1'b1;
              aw_k = aw_k + 1; aw_left = aw_left - 1;
            end
            if (!wvalid[g] && w_left > 0 && (g == 0 || $random(rng))) begin
              wdata[g]  <= pattern(b_addr[w_k] + 8 * beat);
              wstrb[g]  <= 8'hff;
              wlast[g]  <= beat == b_len[w_k];
              wvalid[g] <= 1'b1;
              beat = beat + 1;
              if (beat > b_len[w_k]) begin
                beat = 0; w_k = w_k + 1; w_left = w_left - 1;
              end
            end
            bready[g] <= $random(rng);
            @(posedge clk);
            if (awvalid[g] && awready[g]) awvalid[g] <= 1'b0;
            if (wvalid[g] && wready[g]) wvalid[g] <= 1'b0;
            if (bvalid[g] && bready[g]) b_left = b_left - 1;
            #0;
          end
          bready[g] <= 1'b0;
        end
      endtask

      task read_bursts;
        begin
          ar_left = n_bursts; r_left = n_bursts; ar_k = 0; rbeat = 0; k = 0;
          while (r_left > 0) begin
            if (!arvalid[g] && ar_left > 0 && $random(rng)) begin
              araddr[g] <= b_addr[ar_k]; arlen[g] <= b_len[ar_k]; arvalid[g] <= 1'b1;
              ar_k = ar_k + 1; ar_left = ar_left - 1;
            end
            rready[g] <= $random(rng);
            @(posedge clk);
            if (arvalid[g] && arready[g]) arvalid[g] <= 1'b0;
            if (rvalid[g] && rready[g]) begin
              words[g] = words[g] + 1;
              if (rdata[g] !== pattern(b_addr[k] + 8 * rbeat)) fail(g ? "host data" : "core data");
              rbeat = rbeat + 1;
              if (rlast[g]) begin
                rbeat = 0; k = k + 1; r_left = r_left - 1; bursts[g] = bursts[g] + 1;
              end
            end
            #0;
          end
          rready[g] <= 1'b0;
        end
      endtask

      initial begin
        awvalid[g] = 0; wvalid[g] = 0; bready[g] = 0; arvalid[g] = 0; rready[g] = 0; wlast[g] = 0;
        awaddr[g] = 0; araddr[g] = 0; awlen[g] = 0; arlen[g] = 0; wdata[g] = 0; wstrb[g] = 0;
        tag = 0; words[g] = 0; bursts[g] = 0;
        if (g == 0) busy = 0;
        @(negedge rst);
        rng = seed + 77 * g;
        while (running) begin
          if (g == 0) begin
            repeat ($unsigned($random(rng)) % 120) @(posedge clk);
            busy <= 1'b1;
            spells = spells + 1;
            @(posedge clk);
            #0;
          end
          pick_bursts;
          write_bursts;
          read_bursts;
          if (g == 0) begin
            busy <= 1'b0;
            if (spells == ROUNDS) running = 0;
            @(posedge clk);
          end
        end
      end
    end
  endgenerate

  // ---- rules of the arbiter ---------------------------------------------------------------------
  reg busy_before;
  integer host_open;
  always @(posedge clk)
    if (rst) begin
      host_open = 0; met = 0; busy_before <= 0;
    end else begin
      if (u_dut.core_owns) begin           // straight through in both directions
        if ({m_arvalid, m_awvalid, m_wvalid, m_rready, m_bready}
            !== {arvalid[0], awvalid[0], wvalid[0], rready[0], bready[0]}) fail("core to memory");
        if ({arready[0], awready[0], wready[0], rvalid[0], bvalid[0]}
            !== {m_arready, m_awready, m_wready, m_rvalid, m_bvalid}) fail("memory to core");
        if ({arready[1], awready[1], wready[1], rvalid[1], bvalid[1]} !== 5'd0) fail("host let in");
      end else if ({arready[0], awready[0], wready[0], rvalid[0], bvalid[0]} !== 5'd0)
        fail("core let in during a host burst");
      if (host_open > 0 && u_dut.core_owns) fail("the core owns the port during a host burst");
      if (busy && busy_before && host_open == 0 && !u_dut.core_owns && !arvalid[1] && !awvalid[1])
        fail("the host holds the port for nothing");
      if (!busy_before && busy && !u_dut.core_owns) met = met + 1;
      if (arvalid[1] && arready[1]) host_open = host_open + 1;
      if (awvalid[1] && awready[1]) host_open = host_open + 1;
      if (rvalid[1] && rready[1] && rlast[1]) host_open = host_open - 1;
      if (bvalid[1] && bready[1]) host_open = host_open - 1;
      if (host_open > 1) fail("two host bursts under way");
      busy_before <= busy;
    end

  // a burst may begin only in a spell that is not busy: at most one is met by each busy spell
  integer begun;
  always @(posedge clk)
    if (rst || !busy) begun = 0;
    else begin
      if ((arvalid[1] && arready[1]) || (awvalid[1] && awready[1])) begun = begun + 1;
      if (begun > 1) fail("a host burst begun while the core is busy");
    end

  initial begin
    seed = 1; errors = 0; spells = 0; running = 1;
    ok = $value$plusargs("seed=%d", seed);
    busy_rng = seed + 5;
    repeat (4) @(posedge clk);
    u_mem.rng = seed + 9;
    rst <= 1'b0;
    while (running) begin                  // stalls change with time, from none to many
      n = $unsigned($random(busy_rng)) % 4 * 25;
      u_mem.stall_ar = n; u_mem.stall_aw = n; u_mem.stall_w = n; u_mem.stall_r = n;
      u_mem.stall_b = n;
      u_mem.latency = $unsigned($random(busy_rng)) % 20;
      repeat (500) @(posedge clk);
    end
    repeat (10) @(posedge clk);
    if (u_mem.bad != 0) fail("access outside memory");
    if (words[0] < 4000 || words[1] < 1000 || met < 10) begin
      errors = errors + 1;
      $display("FAIL too little happened: %0d and %0d words, %0d host bursts met", words[0],
               words[1], met);
    end
    if (errors == 0) $display("PASS tb_ktpu_axi_arb seed=%0d", seed);
    else $display("FAIL tb_ktpu_axi_arb seed=%0d: %0d errors", seed, errors);
    $finish;
  end
endmodule
`default_nettype wire
