// SPDX-License-Identifier: Apache-2.0
// Single aligned beats, so no burst crosses 4 KiB; one access at a time, one byte each, and the
// byte is the one that was given; what is offered stays until it is taken; no response of an access
// that was given up is shown. The user holds addr_i as the module's header asks; the slave answers
// what was asked, in any time and in any order of address and data.
  reg                  fv_started_q = 1'b0;
  reg                  fv_hold_q;         // an access was under way in the last cycle
  reg                  fv_aw_q, fv_w_q, fv_ar_q; // offered in the last cycle and not taken
  reg                  fv_sent_q;         // addresses taken and not answered: at most one
  reg                  fv_data_q;         // the same of data
  reg [ADDR_BITS-1:0]  fv_addr_q;
  reg [BUS_BITS-1:0]   fv_wdata_q;
  reg [BUS_BITS/8-1:0] fv_wstrb_q;
  reg [7:0]            fv_byte_q;         // the byte that was given
  reg [3:0]            fv_seen_q;
  wire fv_address = (m_axi_awvalid && m_axi_awready) || (m_axi_arvalid && m_axi_arready);
  wire fv_data    = m_axi_wvalid && m_axi_wready;

  always @(posedge clk_i) begin
    fv_started_q <= 1'b1;
    fv_hold_q    <= owed_q && !b_take && !r_take;
    fv_addr_q    <= addr_i;
    fv_wdata_q   <= m_axi_wdata;
    fv_wstrb_q   <= m_axi_wstrb;
    fv_aw_q      <= m_axi_awvalid && !m_axi_awready;
    fv_w_q       <= m_axi_wvalid && !m_axi_wready;
    fv_ar_q      <= m_axi_arvalid && !m_axi_arready;
    if (b_take || r_take) begin
      fv_sent_q <= 1'b0;
      fv_data_q <= 1'b0;
    end
    if (fv_address) fv_sent_q <= 1'b1;
    if (fv_data) fv_data_q <= 1'b1;
    if (w_ready_o && w_valid_i) fv_byte_q <= w_data_i;
    fv_seen_q <= fv_seen_q | {r_take && dead_q, b_take && dead_q, r_take && !dead_q,
                              b_take && !dead_q};
    if (rst_i) begin
      fv_hold_q <= 1'b0;
      fv_aw_q   <= 1'b0;
      fv_w_q    <= 1'b0;
      fv_ar_q   <= 1'b0;
      fv_sent_q <= 1'b0;
      fv_data_q <= 1'b0;
      fv_seen_q <= 4'd0;
    end
  end

  always @* begin
    assume (rst_i == !fv_started_q);
    assume (!start_i || !active_q);
    assume (!start_i || !abandon_i);
    assume (!fv_hold_q || addr_i == fv_addr_q);
    assume (!m_axi_bvalid || (fv_sent_q && fv_data_q && write_q));
    assume (!m_axi_rvalid || (fv_sent_q && !write_q));
    if (fv_started_q) begin
      assert (m_axi_awaddr[LANE_BITS-1:0] == {LANE_BITS{1'b0}} && m_axi_awlen == 8'd0);
      assert (m_axi_araddr[LANE_BITS-1:0] == {LANE_BITS{1'b0}} && m_axi_arlen == 8'd0);
      assert (m_axi_wlast && m_axi_wstrb == {{(LANES-1){1'b0}}, 1'b1} << lane);
      assert (!fv_aw_q || (m_axi_awvalid && addr_i == fv_addr_q));
      assert (!fv_ar_q || (m_axi_arvalid && addr_i == fv_addr_q));
      assert (!fv_w_q || (m_axi_wvalid && m_axi_wdata == fv_wdata_q && m_axi_wstrb == fv_wstrb_q));
      assert (!m_axi_wvalid || m_axi_wdata[8 * lane +: 8] == fv_byte_q);
      // one access at a time, each address and each beat once
      assert (!fv_sent_q || (owed_q && !m_axi_awvalid && !m_axi_arvalid));
      assert (!fv_data_q || (owed_q && write_q && !m_axi_wvalid));
      assert (!m_axi_awvalid || (owed_q && write_q));
      assert (!m_axi_wvalid || (owed_q && write_q));
      assert (!m_axi_arvalid || (owed_q && !write_q));
      assert (!(m_axi_awvalid && m_axi_arvalid));
      // what is owed was or is being asked for
      assert (!owed_q || m_axi_awvalid || m_axi_arvalid || fv_sent_q);
      assert (!owed_q || !write_q || m_axi_wvalid || fv_data_q);
      assert (!owed_q || active_q);
      assert (!dead_q || owed_q);
      assert (!m_axi_bready || !m_axi_rready);
      // an access that was given up shows nothing
      assert (!dead_q || (!step_o && !r_valid_o));
      assert (step_o == ((b_take || r_take) && !dead_q));
    end
  end
  (* keep *) wire fv_all = fv_started_q && &fv_seen_q;
