// SPDX-License-Identifier: Apache-2.0
// One access at a time; what is offered stays until it is taken; a response is taken once, by its
// user or, where the access was given up, by nobody. The user starts and pushes only between
// accesses, and holds addr_i in a small build; the slave answers what was asked, in any time.
  reg        fv_started_q = 1'b0;
  reg        fv_hold_q;                   // an access was under way in the last cycle
  reg        fv_aw_q, fv_w_q, fv_ar_q;    // offered in the last cycle and not taken
  reg        fv_sent_q, fv_data_q;        // address and data taken, not answered
  reg [11:0] fv_in_q, fv_addr_q;          // addr_i, and the address that was started with
  reg [31:0] fv_wdata_q;
  reg [3:0]  fv_seen_q;
  wire fv_address = (m_axil_awvalid && m_axil_awready) || (m_axil_arvalid && m_axil_arready);
  wire fv_data    = m_axil_wvalid && m_axil_wready;
  wire fv_b_take  = m_axil_bvalid && m_axil_bready;
  wire fv_r_take  = m_axil_rvalid && m_axil_rready;

  always @(posedge clk_i) begin
    fv_started_q <= 1'b1;
    fv_in_q      <= addr_i;
    fv_hold_q    <= start_i || (owed_q && !over);
    fv_aw_q      <= m_axil_awvalid && !m_axil_awready;
    fv_w_q       <= m_axil_wvalid && !m_axil_wready;
    fv_ar_q      <= m_axil_arvalid && !m_axil_arready;
    fv_wdata_q   <= m_axil_wdata;
    if (start_i) fv_addr_q <= addr_i;
    if (fv_b_take || fv_r_take) begin
      fv_sent_q <= 1'b0;
      fv_data_q <= 1'b0;
    end
    if (fv_address) fv_sent_q <= 1'b1;
    if (fv_data) fv_data_q <= 1'b1;
    fv_seen_q <= fv_seen_q | {fv_r_take && dead_q, fv_b_take && dead_q,
                              fv_r_take && take_i && !dead_q, fv_b_take && take_i && !dead_q};
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
    assume (!start_i || !owed_q);
    assume (!push_i || (!owed_q && !start_i));
    assume (SMALL == 0 || !fv_hold_q || addr_i == fv_in_q);
    assume (!m_axil_bvalid || (fv_sent_q && fv_data_q && write_q));
    assume (!m_axil_rvalid || (fv_sent_q && !write_q));
    if (fv_started_q) begin
      assert (!fv_aw_q || m_axil_awvalid);
      assert (!fv_ar_q || m_axil_arvalid);
      assert (!fv_w_q || (m_axil_wvalid && m_axil_wdata == fv_wdata_q));
      assert (!owed_q || (m_axil_awaddr == fv_addr_q && m_axil_araddr == fv_addr_q));
      assert (SMALL == 0 || !owed_q || fv_hold_q);
      assert (SMALL == 0 || !fv_hold_q || fv_in_q == fv_addr_q);
      assert (m_axil_wstrb == 4'b1111);
      // one access at a time, each address and each word once
      assert (!fv_sent_q || (owed_q && !m_axil_awvalid && !m_axil_arvalid));
      assert (!fv_data_q || (owed_q && write_q && !m_axil_wvalid));
      assert (!m_axil_awvalid || (owed_q && write_q));
      assert (!m_axil_wvalid || (owed_q && write_q));
      assert (!m_axil_arvalid || (owed_q && !write_q));
      assert (!owed_q || m_axil_awvalid || m_axil_arvalid || fv_sent_q);
      assert (!owed_q || !write_q || m_axil_wvalid || fv_data_q);
      // the response: to its user, or swallowed
      assert (!dead_q || owed_q);
      assert (done_o == ((m_axil_bvalid || m_axil_rvalid) && !dead_q));
      assert (!(fv_b_take || fv_r_take) || take_i || dead_q);
      assert (!m_axil_bready || !m_axil_rready);
    end
  end
  (* keep *) wire fv_all = fv_started_q && &fv_seen_q;
