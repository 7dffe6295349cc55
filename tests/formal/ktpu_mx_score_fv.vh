// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_score, included at its end under FORMAL: whichever entry one chooses to
// follow is outstanding from its mark to its last word and not valid meanwhile, valid from then on
// until the next mark, and neither named nor valid after clear_i until it is marked again. Assumed:
// a mark comes only where mark_busy_o is low, words only for what is outstanding. All while ready_o
// is high: what the flags say otherwise is nothing (fv_ktpu_mx_flags.v). The look port changes
// nothing, so it may as well look at the followed entry all the time.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  (* anyconst *) wire [$clog2(ENTRIES)-1:0] fv_at;
  reg fv_live, fv_named, fv_out;
  wire fv_mark = mark_i && mark_entry_i == fv_at;
  wire fv_come = come_i && come_entry_i == fv_at;
  always @(posedge clk_i) begin
    if (fv_mark) begin
      fv_named <= 1'b1;
      fv_out   <= 1'b1;
    end
    if (fv_come) fv_out <= 1'b0;
    if (clear_i) begin
      fv_live  <= 1'b1;
      fv_named <= 1'b0;
      fv_out   <= 1'b0;
    end
    if (rst_i) fv_live <= 1'b0;
  end

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (look_entry_i == fv_at);
    assume (!mark_i || (fv_live && ready_o && !mark_busy_o));
    assume (!come_i || (fv_live && ready_o));
    assume (!fv_come || fv_out);
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i && fv_live) begin
      assert (mark_entry_i != fv_at || mark_busy_o == fv_out);
      assert (!fv_mark || !fv_out);
      assert (look_named_o == fv_named);
      assert (look_valid_o == (fv_named && !fv_out));
      assert ((look_sent[0] != look_came) == fv_out);
      assert (!fv_out || fv_named);
    end

  // reachable, all in one run: filled, cleared, filled again, the second time with words
  reg [2:0] fv_seen = 3'd0;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (fv_come) fv_seen[0] <= 1'b1;
      if (fv_seen[0] && clear_i) fv_seen[1] <= 1'b1;
      if (fv_seen[1] && look_valid_o) fv_seen[2] <= 1'b1;
    end
