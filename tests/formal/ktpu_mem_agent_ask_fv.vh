// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mem_agent_ask, included at its end under FORMAL, for every FILL that passes
// the checks of its fields. Assumed: a last beat only while a burst is under way, the end of memory
// stands still, clear_i only when idle. Proved: the read address channel keeps to AXI4 (valid holds
// with its payload, aligned, no burst across 4 KiB, at most BURST beats), no beat lies past the end
// of memory, at most OUTSTANDING bursts are under way and all of them are known, and a halt offers
// nothing new.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* if (!fv_started) assume (rst_i);

  reg          fv_waits, fv_halted;
  reg  [ADDR_BITS+7:0] fv_ar;
  reg  [OB:0]  fv_open;                 // counted from the handshakes alone
  reg  [32:0]  fv_end;
  always @(posedge clk_i) begin
    fv_waits  <= ar_valid_o && !ar_ready_i && !rst_i;
    fv_ar     <= {ar_addr_o, ar_len_o};
    fv_halted <= halt_i && !rst_i;
    fv_open   <= fv_open + {{OB{1'b0}}, ar_hs} - {{OB{1'b0}}, r_last_i};
    fv_end    <= memory_end_i;
    if (rst_i) fv_open <= {(OB+1){1'b0}};
  end

  wire [8:0] fv_count_g = f_groups;
  wire [8:0] fv_count_b = f_blocks;
  always @* begin
    assume (!r_last_i || fv_open != {(OB+1){1'b0}});
    assume (memory_end_i <= 33'h100000000);
    assume (!fv_started || memory_end_i == fv_end);
    assume (memory_end_i <= (33'd1 << ADDR_BITS));
    assume (!clear_i || idle_o);
    assume (!fill_valid_i || (f_addr[4:0] == 5'd0 && f_gstep[4:0] == 5'd0 && f_bstep[4:0] == 5'd0 &&
                              fill_insn_i[KT_MX_FILL_LANE_STRIDE_AT +: 5] == 5'd0));
    assume (!fill_valid_i || (fv_count_g != 9'd0 && fv_count_g <= 9'd256 && fv_count_b != 9'd0 &&
                              fv_count_b <= 9'd256 && f_depth <= 14'd8192));
  end

  wire [12:0] fv_last = {1'b0, ar_addr_o[11:0]} + {ar_len_o, 5'd0};   // the last beat's place
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!fv_waits || (ar_valid_o && fv_ar == {ar_addr_o, ar_len_o}));
      assert (!ar_valid_o || ar_addr_o[4:0] == 5'd0);
      assert (!ar_valid_o || !fv_last[12]);
      assert (!ar_valid_o || {4'd0, ar_len_o} < BURST_BEATS);
      assert (!ar_valid_o || {{(33-ADDR_BITS){1'b0}}, ar_addr_o} + {20'd0, ar_len_o, 5'd0}
                             < memory_end_i);
      assert (!ar_valid_o || addr_q == {{(33-ADDR_BITS){1'b0}}, ar_addr_o});
      assert (fv_open == {1'b0, open_q} && open_q <= OUTSTANDING[OB-1:0]);
      assert (!ar_hs || open_q < OUTSTANDING[OB-1:0]);
      assert (reading_o == (fv_open != {(OB+1){1'b0}} || held_q));
      assert (!halt_i || !ar_valid_o || fv_waits);
      // what the above stands on
      assert (held_q == fv_waits);
      assert (!held_q || (run_valid_q && !past && open_q < OUTSTANDING[OB-1:0]));
      assert (!run_valid_q || (left_q != 12'd0 && left_q <= 12'd2048));
      assert (!run_valid_q || addr_q[4:0] == 5'd0);
      assert (!active_q || (istep_q[4:0] == 5'd0 && ostep_q[4:0] == 5'd0 && lstep_q[4:0] == 5'd0));
      assert (!active_q || (outer_q[4:0] == 5'd0 && entry_q[4:0] == 5'd0 &&
                            lane_addr_q[4:0] == 5'd0));
      assert (!active_q || (inner_q != 9'd0 && inner_q <= 9'd256));
      assert (!active_q || (depth_q <= 14'd8192 && real_depth_q <= 14'd8192));
      assert (!past_o || !found_q);
    end

  // reachable, all in one run: a burst cut at 4 KiB, a full house, a halt with an address waiting
  reg [2:0] fv_seen = 3'd0;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (ar_hs && page < fit && n == page) fv_seen[0] <= 1'b1;
      if (ar_hs && n != left_q && n == page) fv_seen[0] <= 1'b1;
      if (!room) fv_seen[1] <= 1'b1;
      if (halt_i && fv_halted && ar_valid_o) fv_seen[2] <= 1'b1;
    end
