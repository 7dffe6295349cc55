// SPDX-License-Identifier: Apache-2.0
// No burst crosses 4 KiB, one burst at a time, and as many write beats as its length says. The
// slave answers what was asked, in any time: no data before the address, rlast on the last beat.
  reg       fv_started_q = 1'b0;
  reg       fv_open_q;                    // a burst's address has been taken and it is not over
  reg [7:0] fv_beats_q;                   // beats that are still owed after the next one
  reg       fv_two_q;                     // a second burst of one request has been seen
  wire [16:0] fv_end = {{(17-PAGE_BITS){1'b0}}, beat_q[PAGE_BITS-1:0]} + {9'd0, len_q};
  wire [16:0] fv_bytes = {{(17-LEN_BITS){1'b0}}, left_q} + {{(17-LANE_BITS){1'b0}}, lane_q}
                       + {{(17-LANE_BITS){1'b0}}, skip_q} + 17'd7;
  wire fv_r_last = r_take && m_axi_rlast;

  always @(posedge clk_i) begin
    fv_started_q <= 1'b1;
    if (fv_r_last || b_take) fv_open_q <= 1'b0;
    if (ar_take || aw_take) fv_open_q <= 1'b1;
    if (r_take) fv_beats_q <= fv_beats_q - 8'd1;
    if (ar_take) fv_beats_q <= len_q;
    fv_two_q <= !idle && (fv_two_q || (state_q == ST_RESP && b_take) || (fv_r_last && quit));
    if (rst_i) begin
      fv_open_q <= 1'b0;
      fv_two_q  <= 1'b0;
    end
  end

  always @* begin
    assume (rst_i == !fv_started_q);
    assume (!start_i || len_i != {LEN_BITS{1'b0}});
    assume (!start_i || len_i <= 10'd512);
    assume (!w_valid_i || left_q != {LEN_BITS{1'b0}});
    assume (!m_axi_rvalid || (fv_open_q && !write_q && !addr_q));
    assume (m_axi_rlast == (fv_beats_q == 8'd0));
    assume (!m_axi_bvalid || (fv_open_q && state_q == ST_RESP));
    if (fv_started_q) begin
      if (addr_q) begin
        assert (fv_end <= (17'd1 << PAGE_BITS) - 17'd1);
        assert (!fv_open_q);
        assert (writing || reading || state_q == ST_RESP);
        assert (write_q == !reading);
      end
      if (fv_open_q) assert (writing || reading || state_q == ST_RESP);
      if (writing || state_q == ST_RESP) begin
        assert (write_q);
        assert (addr_q || fv_open_q);
      end
      if (reading) begin
        assert (!write_q);
        if (addr_q) assert (!have_q);
        if (addr_q) assert (!got_last_q);
        assert (addr_q || fv_open_q || got_last_q);
        assert (!(fv_open_q && got_last_q));
        if (addr_q) assert (count_q == len_q);
        if (!dead_q) begin
          if (fv_open_q) assert ({1'b0, count_q} == {1'b0, fv_beats_q} + {8'd0, have_q});
          if (got_last_q) assert (have_q && count_q == 8'd0);
          assert (fv_bytes >> 3 >= {9'd0, count_q} + 17'd1);
          assert (left_q != {LEN_BITS{1'b0}});
        end
      end
      if (state_q == ST_COUNT || state_q == ST_PLAN) begin
        assert (left_q != {LEN_BITS{1'b0}});
        assert (!have_q && !dead_q);
      end
      if (state_q == ST_PLAN) begin
        assert (todo_q == todo);
        assert (room_q == room);
        assert (lane_q == {LANE_BITS{1'b0}} || skip_q == {LANE_BITS{1'b0}});
      end
      if (state_q == ST_COUNT) assert (lane_q == {LANE_BITS{1'b0}} || skip_q == {LANE_BITS{1'b0}});
      if (m_axi_wvalid && m_axi_wlast) assert (count_q == 8'd0);
      if (m_axi_awvalid) assert (!m_axi_arvalid);
    end
  end
  (* keep *) wire fv_all = fv_started_q && fv_two_q && state_q == ST_RESP && addr_q == 1'b0;
