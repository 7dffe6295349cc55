// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_armed, included at its end under FORMAL: the places of the output queue
// that are free and the sub-tiles that are promised and have not left it are all places, always; no
// sub-tile is promised without a place or a DRAIN; a DRAIN gets exactly the sub-tiles it was armed
// for.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  reg [5:0] fv_away;                      // promised, not popped
  always @(posedge clk_i) begin
    fv_away <= fv_away + {5'd0, promise_o} - {5'd0, pop_i};
    if (rst_i) fv_away <= 6'd0;
  end

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!arm_i || (arm_ready_o && !stop_i && arm_count_i != 19'd0));
    assume (!emit_i || (emit_ok_o && !stop_i));
    assume (!pop_i || fv_away != 6'd0);
  end

  // the DRAIN that one chooses to follow: its place, and what it has yet to get
  (* anyseq *) wire fv_choose;
  reg        fv_follow, fv_second;
  reg [18:0] fv_left;
  always @(posedge clk_i) begin
    if (fv_follow && !fv_second && take) fv_left <= fv_left - 19'd1;
    if (fv_follow && leave) begin
      fv_second <= 1'b0;
      fv_follow <= fv_second;
    end
    if (arm_i && fv_choose && !fv_follow) begin
      fv_follow <= 1'b1;
      fv_second <= at;
      fv_left   <= arm_count_i;
    end
    if (rst_i || stop_i) fv_follow <= 1'b0;
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (room_q <= ALL_PLACES);
      assert (room_q + fv_away == ALL_PLACES);
      assert (valid_q != 2'b10);
      assert (!valid_q[0] || left_q[0] != 19'd0);
      assert (!valid_q[1] || left_q[1] != 19'd0);
      assert (!promise_o || (valid_q[0] && room));
      assert (!(emit_i && read));
      assert (!fv_follow || (valid_q[fv_second] && left_q[fv_second] == fv_left));
      assert (!(fv_follow && !fv_second && leave) || fv_left == 19'd1);
    end

  // reachable: no place left with two armed; the followed one moves up and gets its last
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (room_q == 6'd0 && valid_q == 2'b11 && fv_second) fv_seen[0] <= fv_follow;
      if (fv_seen[0] && fv_follow && !fv_second && leave) fv_seen[1] <= 1'b1;
    end
