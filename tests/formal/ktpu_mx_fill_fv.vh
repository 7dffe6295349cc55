// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_fill, included at its end under FORMAL. One entry is followed. Proved: no
// entry is marked while blocked_i; a FILL that is done has marked each entry that it names once,
// has gone to the agent once and, unless all was quiet when it began, after the walk; after stop_i
// nothing is marked or handed over. Assumed: the FILL at the head stands until it is done (or
// stop_i drops it) and names at most three groups and three blocks within its side.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  (* anyconst *) wire [AW-1:0] fv_entry;
  reg         fv_under;                   // it stood in the last cycle and was not done
  reg [2*AW+16:0] fv_held;
  reg [7:0]   fv_marks;                   // of all entries; of the followed one
  reg [1:0]   fv_mine;
  reg         fv_sent;
  wire [2*AW+16:0] fv_now = {order_i, entry_i, groups_i, blocks_i, pitch_i};
  always @(posedge clk_i) begin
    fv_under <= begin_i && !done_o && !stop_i && !rst_i;
    fv_held  <= fv_now;
    if (!begin_i || done_o || stop_i || rst_i) begin
      fv_marks <= 8'd0;
      fv_mine  <= 2'd0;
      fv_sent  <= 1'b0;
    end else begin
      fv_marks <= fv_marks + {7'd0, mark_o};
      fv_mine  <= fv_mine + {1'b0, mark_o && entry_o == fv_entry};
      fv_sent  <= fv_sent || fire;
    end
  end

  // Turn i of the inner loop in turn o of the outer one: the entry, and its place in the order.
  wire [7:0]    fv_in    = order_i ? blocks_i : groups_i;
  wire [7:0]    fv_out   = order_i ? groups_i : blocks_i;
  wire [AW-1:0] fv_istep = order_i ? pitch_i : A_ONE;
  wire [AW-1:0] fv_ostep = order_i ? A_ONE : pitch_i;
  function [AW-1:0] fv_times(input [AW-1:0] step, input [1:0] n);
    fv_times = (n[0] ? step : {AW{1'b0}}) + (n[1] ? {step[AW-2:0], 1'b0} : {AW{1'b0}});
  endfunction
  function [7:0] fv_nth(input [1:0] o, input [7:0] in);
    fv_nth = (o[0] ? in : 8'd0) + (o[1] ? {in[6:0], 1'b0} : 8'd0);
  endfunction
  reg [1:0] fv_named, fv_gone;            // how often the followed entry is named; has been so far
  integer fv_o, fv_i;
  always @* begin
    fv_named = 2'd0;
    fv_gone  = 2'd0;
    for (fv_o = 0; fv_o < 3; fv_o = fv_o + 1)
      for (fv_i = 0; fv_i < 3; fv_i = fv_i + 1)
        if (fv_o < fv_out && fv_i < fv_in
            && fv_entry == entry_i + fv_times(fv_ostep, fv_o[1:0])
                                   + fv_times(fv_istep, fv_i[1:0])) begin
          fv_named = fv_named + 2'd1;
          if (fv_nth(fv_o[1:0], fv_in) + fv_i[1:0] < fv_marks) fv_gone = fv_gone + 2'd1;
        end
  end
  wire [AW+2:0] fv_end = {3'd0, entry_i} + {8'd0, groups_i[2:0]}
                       + (blocks_i > 8'd1 ? {3'd0, pitch_i} : {(AW+3){1'b0}})
                       + (blocks_i > 8'd2 ? {3'd0, pitch_i} : {(AW+3){1'b0}})
                       + (blocks_i > 8'd3 ? {3'd0, pitch_i} : {(AW+3){1'b0}});

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!fv_under || stop_i || (begin_i && fv_now == fv_held));
    assume (!begin_i || (groups_i != 8'd0 && groups_i <= 8'd3));
    assume (!begin_i || (blocks_i != 8'd0 && blocks_i <= 8'd3));
    assume (!begin_i || blocks_i == 8'd1 || {{(8-AW){1'b0}}, pitch_i} >= groups_i);
    assume (!begin_i || fv_end <= L1_ENTRIES);
  end

  wire [7:0] fv_all_marks = fv_nth(groups_i[1:0], blocks_i);
  wire [7:0] fv_od = fv_out - 8'd1 - outer_q;
  wire [7:0] fv_id = fv_in - 8'd1 - inner_q;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!mark_o || (!blocked_i && !stop_i && begin_i));
      assert (!fill_valid_o || (!stop_i && begin_i));
      assert (!fire || !fv_sent);
      assert (!done_o || stop_i || (fv_marks == fv_all_marks && (fv_sent || fire)));
      assert (!done_o || stop_i || (fv_mine == fv_named && fv_named <= 2'd1));
      assert (!fire || fv_marks == fv_all_marks || early_q);
      // what the above stands on
      assert (!(walking_q && walked_q) && (!walking_q && !walked_q || fv_under));
      if ((walking_q || walked_q) && !stop_i) begin
        assert (fv_sent == sent_q);
        assert (fv_mine == fv_gone);
      end
      if (walked_q && !stop_i) assert (fv_marks == fv_all_marks);
      if (!walking_q && !walked_q) assert (fv_marks == 8'd0 && fv_mine == 2'd0 && !fv_sent);
      if (walking_q && !stop_i) begin
        assert (outer_q < fv_out && inner_q < fv_in);
        assert (fv_marks == fv_nth(fv_od[1:0], fv_in) + fv_id);
        assert (line_q == entry_i + fv_times(fv_ostep, fv_od[1:0]));
        assert (entry_q == line_q + fv_times(fv_istep, fv_id[1:0]));
      end
    end

  // reachable, all in one run: an early one, a late one that waited, both of several blocks
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (done_o && early_q && fv_mine != 2'd0 && blocks_i > 8'd1 && !stop_i) fv_seen[0] <= 1'b1;
      if (done_o && !early_q && groups_i > 8'd1 && !stop_i) fv_seen[1] <= 1'b1;
    end
