// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_burst, included at its end under FORMAL: an address holds until it is
// taken; a burst has one to eight beats, both of a wide sub-tile; it goes out only when all its
// sub-tiles have been promised, each promised one is in one burst, and the bursts of a DRAIN have
// as many sub-tiles as it names, none past its row's end. Assumed: DRAINs of up to 3 rows of up to
// 20 columns (fv_ktpu_fifo.v), no more than 32 promised sub-tiles ahead (ktpu_mx_armed), no answer
// without its burst.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  reg         fv_waits;
  reg  [52:0] fv_aw;
  reg  [7:0]  fv_left;                    // of the DRAIN's sub-tiles, in no burst yet
  reg  [7:0]  fv_promised;                // and not in a burst
  wire [7:0]  fv_size = {4'd0, size};
  function [7:0] fv_times(input [1:0] n, input [7:0] by);
    fv_times = (n[0] ? by : 8'd0) + (n[1] ? {by[6:0], 1'b0} : 8'd0);
  endfunction
  always @(posedge clk_i) begin
    fv_waits <= aw_valid_o && !aw_ready_i && !rst_i;
    fv_aw    <= {aw_addr_o, aw_beats_o, aw_instr_o};
    if (load) fv_left <= fv_times(next_rows[1:0], next_columns[7:0]);
    else if (fire) fv_left <= fv_left - fv_size;
    fv_promised <= fv_promised + {7'd0, promise_i} - (fire ? fv_size : 8'd0);
    if (rst_i) fv_promised <= 8'd0;
  end

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!next_valid || (next_rows != 10'd0 && next_rows <= 10'd3));
    assume (!next_valid || (next_columns != 10'd0 && next_columns <= 10'd20));
    assume (!promise_i || fv_promised < 8'd32);
    assume (!b_valid_i || answer_valid);
  end

  wire [9:0] fv_rows_more = rows_q - 10'd1;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!fv_waits || (aw_valid_o && fv_aw == {aw_addr_o, aw_beats_o, aw_instr_o}));
      assert (!aw_valid_o || (aw_beats_o != 4'd0 && aw_beats_o <= 4'd8));
      assert (!fire || (fv_promised >= fv_size && fv_size != 8'd0 && answer_room && !stop_i));
      assert ({2'd0, ahead_q} == fv_promised && fv_promised <= 8'd32);
      assert (!load || !active_q || fv_left == fv_size);
      if (active_q) begin
        assert (over == (fv_left == fv_size));
        assert (left_q != 10'd0 && left_q <= columns_q && columns_q <= 10'd20);
        assert (rows_q != 10'd0 && rows_q <= 10'd3);
        assert (fv_size <= {left_q[7:0]} && fv_size <= (wide_q ? 8'd4 : 8'd8));
        assert (fv_left == fv_times(fv_rows_more[1:0], columns_q[7:0]) + left_q[7:0]);
      end
    end

  // reachable, all in one run: a burst cut at a row's end, one of eight, a wide one
  reg [2:0] fv_seen = 3'd0;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (fire && row_done && !over && size < most) fv_seen[0] <= 1'b1;
      if (aw_valid_o && aw_beats_o == 4'd8) fv_seen[1] <= 1'b1;
      if (fire && wide_q && over) fv_seen[2] <= 1'b1;
    end
