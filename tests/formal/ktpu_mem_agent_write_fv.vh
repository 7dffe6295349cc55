// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mem_agent_write, included at its end under FORMAL. Assumed: bursts of 1 to 8
// beats whose address and data hold until taken, the end of memory stands still, and memory
// answers only what it has address and data of. Proved up to the proof's depth: the channels keep
// to AXI4 (valid holds with its payload, aligned, no burst across 4 KiB, wlast on the last beat of
// the burst whose data comes), nothing at or past the end of memory is written, every beat of a
// burst that lies inside goes out once, and each burst is answered once, not before its data.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* if (!fv_started) assume (rst_i);

  // ---- what holds
  reg         fv_aw_w, fv_w_w, fv_maw_w, fv_mw_w;
  reg [36:0]  fv_aw_d;
  reg [256:0] fv_w_d;
  reg [ADDR_BITS+7:0] fv_maw_d;
  reg         fv_mw_last;
  reg [32:0]  fv_end;
  always @(posedge clk_i) begin
    fv_aw_w  <= aw_valid_i && !aw_ready_o && !rst_i;
    fv_w_w   <= w_valid_i && !w_ready_o && !rst_i;
    fv_maw_w <= m_aw_valid_o && !m_aw_ready_i && !rst_i;
    fv_mw_w  <= m_w_valid_o && !m_w_ready_i && !rst_i;
    fv_aw_d  <= {aw_addr_i, aw_beats_i};
    fv_w_d   <= {w_data_i, w_strobe_i};
    fv_maw_d <= {m_aw_addr_o, m_aw_len_o};
    fv_mw_last <= m_w_last_o;
    fv_end   <= memory_end_i;
  end

  // ---- counts since reset, and the lengths of what went out
  localparam integer FV_N = 16;
  reg [3:0] fv_taken, fv_answered;            // bursts
  reg [3:0] fv_aw_n, fv_w_n, fv_b_n;          // parts: addresses, last beats, answers
  reg [3:0] fv_len [0:FV_N-1];                // of each part, from its address
  reg [2:0] fv_beat;
  reg [6:0] fv_owed;                          // beats taken as bursts and not yet as data
  reg [6:0] fv_inside;                        // of bursts inside memory: taken, not yet out
  wire fv_maw = m_aw_valid_o && m_aw_ready_i;
  wire fv_mw  = m_w_valid_o && m_w_ready_i;
  wire fv_mb  = m_b_valid_i && m_b_ready_o;
  wire fv_w   = w_valid_i && w_ready_o;
  wire [33:0] fv_last_at = {1'b0, aw_addr_i} + {26'd0, aw_beats_i, 5'd0} - 34'd32;
  wire        fv_past = fv_last_at >= {1'b0, memory_end_i};
  always @(posedge clk_i) begin
    fv_taken    <= fv_taken + {3'd0, take};
    fv_answered <= fv_answered + {3'd0, b_valid_o};
    fv_aw_n     <= fv_aw_n + {3'd0, fv_maw};
    fv_w_n      <= fv_w_n + {3'd0, fv_mw && m_w_last_o};
    fv_b_n      <= fv_b_n + {3'd0, fv_mb};
    if (fv_maw) fv_len[fv_aw_n] <= m_aw_len_o[3:0];
    if (fv_mw) fv_beat <= m_w_last_o ? 3'd0 : fv_beat + 3'd1;
    fv_owed     <= fv_owed + (take ? {3'd0, aw_beats_i} : 7'd0) - {6'd0, fv_w};
    fv_inside   <= fv_inside + (take && !fv_past ? {3'd0, aw_beats_i} : 7'd0)
                   - (fv_maw ? {3'd0, m_aw_len_o[3:0]} + 7'd1 : 7'd0);
    if (rst_i) begin
      fv_taken    <= 4'd0;
      fv_answered <= 4'd0;
      fv_aw_n     <= 4'd0;
      fv_w_n      <= 4'd0;
      fv_b_n      <= 4'd0;
      fv_beat     <= 3'd0;
      fv_owed     <= 7'd0;
      fv_inside   <= 7'd0;
    end
  end

  always @* begin
    assume (aw_beats_i != 4'd0 && aw_beats_i <= 4'd8 && aw_addr_i[4:0] == 5'd0);
    assume (memory_end_i <= (33'd1 << ADDR_BITS));
    assume (!fv_started || memory_end_i == fv_end);
    assume (!fv_aw_w || (aw_valid_i && fv_aw_d == {aw_addr_i, aw_beats_i}));
    assume (!fv_w_w || (w_valid_i && fv_w_d == {w_data_i, w_strobe_i}));
    assume (!m_b_valid_i || (fv_b_n != fv_aw_n && fv_b_n != fv_w_n));
    assume (fv_taken != 4'd12);
  end

  wire [12:0] fv_last = {1'b0, m_aw_addr_o[11:0]} + {m_aw_len_o, 5'd0};
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!fv_maw_w || (m_aw_valid_o && fv_maw_d == {m_aw_addr_o, m_aw_len_o}));
      assert (!fv_mw_w || (m_w_valid_o && fv_mw_last == m_w_last_o));
      assert (!m_aw_valid_o || (m_aw_addr_o[4:0] == 5'd0 && !fv_last[12] && m_aw_len_o < 8'd8));
      assert (!m_aw_valid_o || {{(33-ADDR_BITS){1'b0}}, m_aw_addr_o} + {20'd0, m_aw_len_o, 5'd0}
                               < memory_end_i);
      assert (!m_w_valid_o || fv_w_n == fv_aw_n ||
              m_w_last_o == ({1'b0, fv_beat} == fv_len[fv_w_n]));
      assert (!m_w_valid_o || fv_w_n != fv_aw_n || !m_aw_valid_o ||
              m_w_last_o == ({5'd0, fv_beat} == m_aw_len_o));
      assert (m_w_data_o == w_data_i && m_w_strb_o == {32{w_strobe_i}});
      assert (past_o == (take && fv_past));
      assert (!fv_w || fv_owed != 7'd0);              // no data without its burst
      assert (fv_answered <= fv_taken);
      assert (!b_valid_o || fv_answered != fv_taken);
      assert (idle_o == (fv_answered == fv_taken));
      assert (!idle_o || (fv_inside == 7'd0 && fv_owed == 7'd0 && !m_aw_valid_o));
    end

  // reachable, all in one run: a burst in two parts answered, then one past the end answered
  reg [2:0] fv_seen = 3'd0;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (take && cut && !past) fv_seen[0] <= 1'b1;
      if (fv_seen[0] && b_valid_o && fv_b_n == 4'd1) fv_seen[1] <= 1'b1;
      if (fv_seen[1] && b_made && dropped_q != {LB{1'b0}}) fv_seen[2] <= 1'b1;
    end
