// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mem_agent_take, included at its end under FORMAL: a beat is taken from memory
// exactly where one is used, or dropped under halt_i; nothing is begun without a place for it
// (words that need no quantiser, tags); rows and turned sub-tiles never meet at the quantiser; a
// FILL takes the beats of all its entries, and no more. FILLs are any of up to three groups and
// three blocks (fv_ktpu_fifo.v), the quantiser answers whenever it likes (fv_ktpu_mx_quant.v).
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  function [7:0] fv_times(input [1:0] n, input [7:0] by);
    fv_times = (n[0] ? by : 8'd0) + (n[1] ? {by[6:0], 1'b0} : 8'd0);
  endfunction
  wire       fv_r  = r_valid_i && r_ready_o;
  reg  [7:0] fv_left;                     // steps of this FILL
  wire [3:0] fv_n_beats = n_preq ? 4'd4 : 4'd8;
  wire [3:0] fv_beats   = preq_q ? 4'd4 : 4'd8;
  wire [7:0] fv_inner   = {4'd0, inner_q[3:0]};
  always @(posedge clk_i) begin
    if (load) fv_left <= fv_times(n_groups[1:0], fv_times(n_blocks[1:0], {4'd0, fv_n_beats}));
    else if (step) fv_left <= fv_left - 8'd1;
  end

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!n_valid || (n_groups != 9'd0 && n_groups <= 9'd3));
    assume (!n_valid || (n_blocks != 9'd0 && n_blocks <= 9'd3));
  end

  wire [7:0] fv_outer_more = outer_left_q[7:0] - 8'd1;
  wire [7:0] fv_inner_more = inner_left_q[7:0] - 8'd1;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (fv_r == (halt_i ? r_valid_i : step && real_beat));
      assert (!step || !preq_q || direct_ready);
      assert (!step || preq_q || tag_ready);
      assert (!(row_valid_q && turned_valid));
      assert (!(row_valid_q && tile_valid_q));
      assert (!row_valid_q || turn_empty);            // what came before has left
      if (active_q) begin
        assert (fill_done == (step && fv_left == 8'd1));
        assert (inner_q != 9'd0 && inner_q <= 9'd3);
        assert (inner_left_q != 9'd0 && inner_left_q <= inner_q);
        assert (outer_left_q != 9'd0 && outer_left_q <= 9'd3);
        assert (!preq_q || (beat_q <= 3'd3 && !tiles_q));
        assert (fv_left
                == fv_times(fv_outer_more[1:0], fv_times(fv_inner[1:0], {4'd0, fv_beats}))
                + fv_times(fv_inner_more[1:0], {4'd0, fv_beats}) + {4'd0, fv_beats}
                - {5'd0, beat_q});
      end
    end

  // reachable, all in one run: rows after sub-tiles, sub-tiles that leave
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (turned_valid) fv_seen[0] <= 1'b1;
      if (fv_seen[0] && row_valid_q && l1_valid_o) fv_seen[1] <= 1'b1;
    end
