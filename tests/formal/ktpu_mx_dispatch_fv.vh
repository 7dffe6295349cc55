// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_dispatch, included at its end under FORMAL. Assumed: a kick lies within the
// staging RAM, credit is written as at most IFIFO, and no more credits come back than instructions
// are at the node. Proved: credit never exceeds IFIFO and every instruction sent costs one that was
// there; the instructions of a kick are read and sent in order, each once; what is offered holds,
// unless credit is taken away or the kick ends; a kick that stop_i ends had no credit to come.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* if (!fv_started) assume (rst_i);

  localparam [AB:0] FV_ALL = STAGING[AB:0];

  reg  [AB:0]   fv_length;              // of the kick under way
  reg  [AB-1:0] fv_base;
  reg  [AB-1:0] fv_at;                  // address of what stands at the RAM's output
  reg  [7:0]    fv_there;               // instructions at the node
  reg           fv_waits, fv_dropped, fv_ended;
  reg  [CB-1:0] fv_credit;              // of the cycle before
  reg           fv_sent;
  always @(posedge clk_i) begin
    if (begin_kick) begin
      fv_length <= length_i;
      fv_base   <= base_i;
    end
    if (read) fv_at <= raddr;
    fv_there   <= fv_there + {7'd0, sent_o} - {6'd0, credits_i};
    fv_waits   <= out_valid_o && !out_ready_i && !rst_i;
    fv_dropped <= credit_we_i || clear_i || end_kick;
    fv_ended   <= busy_o && stop_i && !abort_i && !sent_o && !rst_i;
    fv_credit  <= credit_q;
    fv_sent    <= sent_o && !rst_i;
    if (rst_i || clear_i) fv_there <= 8'd0;
  end

  always @* begin
    assume (!kick_i || (length_i != {(AB+1){1'b0}} && length_i <= FV_ALL &&
                        {2'd0, base_i} + {1'b0, length_i} <= {1'b0, FV_ALL}));
    assume (credit_i <= IFIFO[CB-1:0]);
    assume (credits_i <= 2'd2 && {6'd0, credits_i} <= fv_there);
    assume (fv_there < 8'd100);
    assume (idle_i == (fv_there == 8'd0));
    assume (!(clear_i && busy_o));
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (credit_q <= IFIFO[CB-1:0]);
      assert (!sent_o || credit_q != {CB{1'b0}});
      assert (!fv_sent || fv_credit != {CB{1'b0}});
      assert (!busy_o || (left_q != {(AB+1){1'b0}} && left_q <= fv_length));
      assert (!busy_o || {2'd0, fv_base} + {1'b0, fv_length} <= {1'b0, FV_ALL});
      assert (!busy_o || {2'd0, fv_at} + {1'b0, left_q} == {2'd0, fv_base} + {1'b0, fv_length});
      assert (!busy_o || next_q == fv_at + A_ONE);
      assert (out_last_o == (left_q == L_ONE));
      assert (!fv_waits || fv_dropped || (out_valid_o && !read_q_moved));
      // what stop_i ends before its last instruction had no credit, and none to come
      assert (!fv_ended || busy_o || (fv_credit == {CB{1'b0}} && fv_none));
    end

  reg [AB-1:0] fv_at_before;
  reg          fv_none;
  always @(posedge clk_i) begin
    fv_at_before <= fv_at;
    fv_none      <= fv_there == 8'd0;
  end
  wire read_q_moved = fv_at != fv_at_before;

  // reachable, all in one run: a kick that waits for credit, gets it back and ends; credit at IFIFO
  // that a return does not raise
  reg [2:0] fv_seen = 3'd0;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (waiting_o && credits_i != 2'd0) fv_seen[0] <= 1'b1;
      if (fv_seen[0] && sent_o && last && fv_length > L_ONE) fv_seen[1] <= 1'b1;
      if (credit_q == IFIFO[CB-1:0] && credits_i == 2'd2 && !credit_we_i) fv_seen[2] <= 1'b1;
    end
