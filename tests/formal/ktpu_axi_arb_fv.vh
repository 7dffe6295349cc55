// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_axi_arb, included at its end under FORMAL. Assumed: core, host and memory keep
// to AXI4 (valid holds, no response without its request, a write's B after its address and last
// beat), and the core is silent unless busy and busy while anything is owed to it. Proved: the
// memory port keeps to AXI4, each request and each beat goes through exactly once and each response
// to the side it is owed to, at most one host burst is under way, one is let in only while the core
// is not busy, and a core that owns the port is wired through.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* if (!fv_started) assume (rst_i);

  localparam integer FV_N = 4;            // bits of the counts of what is owed

  reg [FV_N-1:0] fv_c_reads;              // core: read bursts without their last beat
  reg [FV_N-1:0] fv_c_addrs;              // core: write addresses without B
  reg [FV_N-1:0] fv_c_data;               // core: last beats without B
  reg            fv_c_mid;                // core: inside a burst of write data
  reg            fv_s_read, fv_s_addr, fv_s_data, fv_s_mid;

  wire fv_c_ar = c_axi_arvalid && c_axi_arready;
  wire fv_c_aw = c_axi_awvalid && c_axi_awready;
  wire fv_c_w  = c_axi_wvalid && c_axi_wready;
  wire fv_c_r  = c_axi_rvalid && c_axi_rready && c_axi_rlast;
  wire fv_c_b  = c_axi_bvalid && c_axi_bready;
  wire fv_s_ar = s_axi_arvalid && s_axi_arready;
  wire fv_s_aw = s_axi_awvalid && s_axi_awready;
  wire fv_s_w  = s_axi_wvalid && s_axi_wready;
  wire fv_s_r  = s_axi_rvalid && s_axi_rready && s_axi_rlast;
  wire fv_s_b  = s_axi_bvalid && s_axi_bready;

  always @(posedge clk_i) begin
    fv_c_reads <= fv_c_reads + {{(FV_N-1){1'b0}}, fv_c_ar} - {{(FV_N-1){1'b0}}, fv_c_r};
    fv_c_addrs <= fv_c_addrs + {{(FV_N-1){1'b0}}, fv_c_aw} - {{(FV_N-1){1'b0}}, fv_c_b};
    fv_c_data  <= fv_c_data + {{(FV_N-1){1'b0}}, fv_c_w && c_axi_wlast}
                  - {{(FV_N-1){1'b0}}, fv_c_b};
    if (fv_c_w) fv_c_mid <= !c_axi_wlast;
    if (fv_s_ar) fv_s_read <= 1'b1;
    if (fv_s_r)  fv_s_read <= 1'b0;
    if (fv_s_aw) fv_s_addr <= 1'b1;
    if (fv_s_w)  fv_s_mid <= !s_axi_wlast;
    if (fv_s_w && s_axi_wlast) fv_s_data <= 1'b1;
    if (fv_s_b) begin
      fv_s_addr <= 1'b0;
      fv_s_data <= 1'b0;
    end
    if (rst_i) begin
      fv_c_reads <= {FV_N{1'b0}};
      fv_c_addrs <= {FV_N{1'b0}};
      fv_c_data  <= {FV_N{1'b0}};
      {fv_c_mid, fv_s_read, fv_s_addr, fv_s_data, fv_s_mid} <= 5'd0;
    end
  end

  wire fv_c_owed = fv_c_reads != {FV_N{1'b0}} || fv_c_addrs != {FV_N{1'b0}}
                   || fv_c_data != {FV_N{1'b0}} || fv_c_mid;
  wire fv_m_read_owed  = fv_c_reads != {FV_N{1'b0}} || fv_s_read;
  wire fv_m_write_owed = (fv_c_addrs != {FV_N{1'b0}} && fv_c_data != {FV_N{1'b0}})
                         || (fv_s_addr && fv_s_data);

  // what the last cycle offered and the other side did not take
  reg fv_c_ar_w, fv_c_aw_w, fv_c_w_w, fv_s_ar_w, fv_s_aw_w, fv_s_w_w;
  reg fv_m_ar_w, fv_m_aw_w, fv_m_w_w;
  reg [ADDR_BITS+7:0]         fv_c_ar_d, fv_c_aw_d, fv_s_ar_d, fv_s_aw_d, fv_m_ar_d, fv_m_aw_d;
  reg [BUS_BITS+BUS_BITS/8:0] fv_c_w_d, fv_s_w_d, fv_m_w_d;
  always @(posedge clk_i) begin
    fv_c_ar_w <= !rst_i && c_axi_arvalid && !c_axi_arready;
    fv_c_aw_w <= !rst_i && c_axi_awvalid && !c_axi_awready;
    fv_c_w_w  <= !rst_i && c_axi_wvalid && !c_axi_wready;
    fv_s_ar_w <= !rst_i && s_axi_arvalid && !s_axi_arready;
    fv_s_aw_w <= !rst_i && s_axi_awvalid && !s_axi_awready;
    fv_s_w_w  <= !rst_i && s_axi_wvalid && !s_axi_wready;
    fv_m_ar_w <= !rst_i && m_axi_arvalid && !m_axi_arready;
    fv_m_aw_w <= !rst_i && m_axi_awvalid && !m_axi_awready;
    fv_m_w_w  <= !rst_i && m_axi_wvalid && !m_axi_wready;
    fv_c_ar_d <= {c_axi_araddr, c_axi_arlen};
    fv_c_aw_d <= {c_axi_awaddr, c_axi_awlen};
    fv_s_ar_d <= {s_axi_araddr, s_axi_arlen};
    fv_s_aw_d <= {s_axi_awaddr, s_axi_awlen};
    fv_m_ar_d <= {m_axi_araddr, m_axi_arlen};
    fv_m_aw_d <= {m_axi_awaddr, m_axi_awlen};
    fv_c_w_d  <= {c_axi_wdata, c_axi_wstrb, c_axi_wlast};
    fv_s_w_d  <= {s_axi_wdata, s_axi_wstrb, s_axi_wlast};
    fv_m_w_d  <= {m_axi_wdata, m_axi_wstrb, m_axi_wlast};
  end

  always @* begin
    assume (!fv_c_ar_w || (c_axi_arvalid && fv_c_ar_d == {c_axi_araddr, c_axi_arlen}));
    assume (!fv_c_aw_w || (c_axi_awvalid && fv_c_aw_d == {c_axi_awaddr, c_axi_awlen}));
    assume (!fv_c_w_w || (c_axi_wvalid && fv_c_w_d == {c_axi_wdata, c_axi_wstrb, c_axi_wlast}));
    assume (!fv_s_ar_w || (s_axi_arvalid && fv_s_ar_d == {s_axi_araddr, s_axi_arlen}));
    assume (!fv_s_aw_w || (s_axi_awvalid && fv_s_aw_d == {s_axi_awaddr, s_axi_awlen}));
    assume (!fv_s_w_w || (s_axi_wvalid && fv_s_w_d == {s_axi_wdata, s_axi_wstrb, s_axi_wlast}));
    assume (core_busy_i || !(c_axi_arvalid || c_axi_awvalid || c_axi_wvalid || fv_c_owed));
    assume (fv_m_read_owed || !m_axi_rvalid);
    assume (fv_m_write_owed || !m_axi_bvalid);
    // the counts stay away from their ends, and a core ends only the bursts it has begun
    assume (fv_c_reads < 4'd12 && fv_c_addrs < 4'd12 && fv_c_data < 4'd12);
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (state_q != 2'd3);
      // the port's own rules
      assert (!fv_m_ar_w || (m_axi_arvalid && fv_m_ar_d == {m_axi_araddr, m_axi_arlen}));
      assert (!fv_m_aw_w || (m_axi_awvalid && fv_m_aw_d == {m_axi_awaddr, m_axi_awlen}));
      assert (!fv_m_w_w || (m_axi_wvalid && fv_m_w_d == {m_axi_wdata, m_axi_wstrb, m_axi_wlast}));
      // every handshake of the port is a handshake of exactly one side, with that side's payload
      assert ((m_axi_arvalid && m_axi_arready) == (fv_c_ar ^ fv_s_ar) && !(fv_c_ar && fv_s_ar));
      assert ((m_axi_awvalid && m_axi_awready) == (fv_c_aw ^ fv_s_aw) && !(fv_c_aw && fv_s_aw));
      assert ((m_axi_wvalid && m_axi_wready) == (fv_c_w ^ fv_s_w) && !(fv_c_w && fv_s_w));
      assert (!fv_c_ar || {m_axi_araddr, m_axi_arlen} == {c_axi_araddr, c_axi_arlen});
      assert (!fv_s_ar || {m_axi_araddr, m_axi_arlen} == {s_axi_araddr, s_axi_arlen});
      assert (!fv_c_aw || {m_axi_awaddr, m_axi_awlen} == {c_axi_awaddr, c_axi_awlen});
      assert (!fv_s_aw || {m_axi_awaddr, m_axi_awlen} == {s_axi_awaddr, s_axi_awlen});
      assert (!fv_c_w || {m_axi_wdata, m_axi_wstrb, m_axi_wlast}
                         == {c_axi_wdata, c_axi_wstrb, c_axi_wlast});
      assert (!fv_s_w || {m_axi_wdata, m_axi_wstrb, m_axi_wlast}
                         == {s_axi_wdata, s_axi_wstrb, s_axi_wlast});
      // a response is seen by one side, the one it is owed to, and by nobody else
      assert (m_axi_rvalid == (c_axi_rvalid ^ s_axi_rvalid) && !(c_axi_rvalid && s_axi_rvalid));
      assert (m_axi_bvalid == (c_axi_bvalid ^ s_axi_bvalid) && !(c_axi_bvalid && s_axi_bvalid));
      assert (!c_axi_rvalid || fv_c_reads != {FV_N{1'b0}});
      assert (!c_axi_bvalid || (fv_c_addrs != {FV_N{1'b0}} && fv_c_data != {FV_N{1'b0}}));
      assert (!s_axi_rvalid || fv_s_read);
      assert (!s_axi_bvalid || (fv_s_addr && fv_s_data));
      // the host: one burst, and none while the core is owed something
      assert (!(fv_s_read && (fv_s_addr || fv_s_data || fv_s_mid)));
      assert (!(fv_c_owed && (fv_s_read || fv_s_addr || fv_s_data || fv_s_mid)));
      assert (host_read || !fv_s_read);
      assert (host_write || !(fv_s_addr || fv_s_data || fv_s_mid));
      assert (core_owns || !fv_c_owed);
      // a core that owns the port is wired through
      assert (!core_owns || {m_axi_arvalid, m_axi_awvalid, m_axi_wvalid, m_axi_rready, m_axi_bready}
              == {c_axi_arvalid, c_axi_awvalid, c_axi_wvalid, c_axi_rready, c_axi_bready});
      // the state says what the host is owed
      assert (!host_read || fv_s_read == addr_done_q);
      assert (!host_write || (fv_s_addr == addr_done_q && fv_s_data == data_done_q));
      assert (!host_write || !data_done_q || !fv_s_mid);
      assert (!core_owns || (!fv_m_ar_w && !fv_m_aw_w && !fv_m_w_w) || core_busy_i);
      assert (!host_read || addr_done_q || s_axi_arvalid);
      assert (!host_write || addr_done_q || s_axi_awvalid);
      // what waits at the port is what its owner offers
      assert (!core_owns || !fv_m_ar_w || fv_c_ar_w && fv_c_ar_d == fv_m_ar_d);
      assert (!core_owns || !fv_m_aw_w || fv_c_aw_w && fv_c_aw_d == fv_m_aw_d);
      assert (!core_owns || !fv_m_w_w || fv_c_w_w && fv_c_w_d == fv_m_w_d);
      assert (core_owns || !fv_m_ar_w || host_ar && fv_s_ar_w && fv_s_ar_d == fv_m_ar_d);
      assert (core_owns || !fv_m_aw_w || host_aw && fv_s_aw_w && fv_s_aw_d == fv_m_aw_d);
      assert (core_owns || !fv_m_w_w || host_w && fv_s_w_w && fv_s_w_d == fv_m_w_d);
    end

  // a burst is let in only in a cycle in which the core is not busy
  reg fv_owned, fv_busy;
  always @(posedge clk_i) begin
    fv_owned <= core_owns;
    fv_busy  <= core_busy_i;
  end
  always @(posedge clk_i)
    if (fv_started && !rst_i) assert (!fv_owned || core_owns || !fv_busy);

  // reachable, all in one run: a host write and a host read that a core waits for, both core
  // responses
  reg [2:0] fv_seen = 3'b000;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (fv_s_b && fv_c_ar_w) fv_seen[0] <= 1'b1;
      if (fv_s_r && fv_c_aw_w) fv_seen[1] <= 1'b1;
      if (fv_c_r && fv_c_b)    fv_seen[2] <= 1'b1;
    end
