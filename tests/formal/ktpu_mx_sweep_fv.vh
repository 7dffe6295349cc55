// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_sweep, included at its end under FORMAL. One entry of one side is followed:
// a FILL stands before it all the time. Proved: no step reads an entry that is not valid; once
// needed_o has let the FILL pass during a sweep, that sweep does not read the entry any more; a
// GEMM's sweep takes all its steps and no more; a word comes again five cycles later at the
// earliest. Assumed: GEMMs that pass the checks of their fields, of at most four turns each way,
// which start when over_o allows it.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  (* anyconst *) wire          fv_side;
  (* anyconst *) wire [AW-1:0] fv_entry;

  function [AW+1:0] fv_times(input [AW-1:0] pitch, input [7:0] n);
    fv_times = (n[0] ? {2'd0, pitch} : {(AW+2){1'b0}})
             + (n[1] ? {1'b0, pitch, 1'b0} : {(AW+2){1'b0}});
  endfunction
  // First entry of a block, turns and pitch: where the last block ends.
  function [AW+1:0] fv_end(input [AW-1:0] first, input [AW-1:0] pitch, input [7:0] blocks_more,
                           input [7:0] more);
    fv_end = {2'd0, first} + fv_times(pitch, blocks_more) + {{(AW-6){1'b0}}, more};
  endfunction
  wire [7:0] fv_nk = nk_i - 8'd1;
  wire [7:0] fv_gm = gm_i - 8'd1;
  wire [7:0] fv_gn = gn_i - 8'd1;

  reg         fv_passed;                  // needed_o has been low in this sweep
  reg  [7:0]  fv_steps;                   // left to take
  always @(posedge clk_i) begin
    if (start_i) fv_passed <= 1'b0;
    else if (busy_q && !needed_o) fv_passed <= 1'b1;
    if (start_i) fv_steps <= nk_i[2:0] * gm_i[2:0] * gn_i[2:0];
    else if (step) fv_steps <= fv_steps - 8'd1;
  end

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (fill_side_i == fv_side && fill_entry_i == fv_entry);
    assume (!start_i || (over_o && !stop_i));
    assume (!start_i || (nk_i != 8'd0 && nk_i <= 8'd4 && gm_i != 8'd0 && gm_i <= 8'd4));
    assume (!start_i || (gn_i != 8'd0 && gn_i <= 8'd4));
    assume (!start_i || nk_i == 8'd1 || ({{(8-AW){1'b0}}, a_pitch_i} >= gm_i &&
                                         {{(8-AW){1'b0}}, b_pitch_i} >= gn_i));
    assume (!start_i || fv_end(a_first_i, a_pitch_i, fv_nk, fv_gm) == {2'd0, a_last_i});
    assume (!start_i || fv_end(b_first_i, b_pitch_i, fv_nk, fv_gn) == {2'd0, b_last_i});
  end

  wire [15:0] fv_g = {8'd0, m_more_q - g_left_q};  // turns taken
  wire [15:0] fv_h = {8'd0, n_more_q - h_left_q};
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!step || (busy_q && a_valid_i && b_valid_i && !stop_i));
      assert (!step || !fv_passed || fv_side || a_entry_o != fv_entry);
      assert (!step || !fv_passed || !fv_side || b_entry_o != fv_entry);
      assert (!step || recent_q[0] == 1'b0 || recent_word_q[0 +: TW] != word_q);
      assert (!step_emit_o || (step && emit_q && last_k && emit_ok_i));
      if (busy_q) begin
        assert (fv_steps != 8'd0 && fv_steps <= 8'd64);
        assert (over_o == (step && fv_steps == 8'd1));
        assert (fv_steps == ({6'd0, k_left_q[1:0]} * (m_more_q[2:0] + 8'd1) + {6'd0, g_left_q[1:0]})
                            * (n_more_q[2:0] + 8'd1) + h_left_q + 8'd1);
        // what the above stands on
        assert (k_left_q <= 8'd3 && m_more_q <= 8'd3 && n_more_q <= 8'd3);
        assert (g_left_q <= m_more_q && h_left_q <= n_more_q);
        assert (k_left_q == 8'd0 || ({{(8-AW){1'b0}}, a_pitch_q} > m_more_q &&
                                     {{(8-AW){1'b0}}, b_pitch_q} > n_more_q));
        assert (fv_end(a_block_q, a_pitch_q, k_left_q, m_more_q) == {2'd0, a_last_q});
        assert (fv_end(b_block_q, b_pitch_q, k_left_q, n_more_q) == {2'd0, b_last_q});
        assert (a_q == a_block_q + fv_g[AW-1:0] && b_q == b_block_q + fv_h[AW-1:0]);
        assert (!fv_passed || fv_side || fv_entry < a_q || fv_entry > a_last_q);
        assert (!fv_passed || !fv_side || fv_entry < b_from || fv_entry > b_last_q);
      end
    end

  // reachable, all in one run: the FILL waits for the sweep's last block and passes within it
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (busy_q && needed_o && last_k && n_more_q != 8'd0 && m_more_q != 8'd0) fv_seen[0] <= 1'b1;
      if (fv_seen[0] && busy_q && fv_passed && step) fv_seen[1] <= 1'b1;
    end
