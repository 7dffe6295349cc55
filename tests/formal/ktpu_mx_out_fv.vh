// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_out, included at its end under FORMAL. Assumed is what ktpu_mx_armed and
// ktpu_mx_burst promise: a sub-tile comes only where it has a place, beats are owed only for
// sub-tiles that have come or are sure to. Then no sub-tile is lost, a beat is offered only after
// its address, and it holds until it is taken.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  wire [7:0] fv_places = {{(8-$clog2(DEPTH+1)){1'b0}}, unused_level}
                       + {7'd0, valid_q[0]} + {7'd0, valid_q[1]};
  reg         fv_waits;
  reg [255:0] fv_data;
  reg [7:0]   fv_owed;                    // beats owed less beats gone, counted outside
  always @(posedge clk_i) begin
    fv_waits <= w_valid_o && !w_ready_i && !rst_i;
    fv_data  <= w_data_o;
    fv_owed  <= fv_owed + (owe_i ? {4'd0, owe_beats_i} : 8'd0) - {7'd0, beat};
    if (rst_i) fv_owed <= 8'd0;
  end

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!in_valid_i || fv_places < DEPTH);
    assume (!owe_i || (owe_beats_i <= 4'd8 && fv_owed <= 8'd64));
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (fv_places <= DEPTH);
      assert (!valid_q[1] || room);
      assert (fv_owed == owed_q && owed_q <= 8'd72);
      assert (!second_q || (head_valid && head_wide));
      assert (!w_valid_o || fv_owed != 8'd0);
      assert (!fv_waits || (w_valid_o && w_data_o == fv_data));
      assert (!pop_o || head_valid);
    end

  // reachable: full, with one more on its way that gets its place in time; both beats of a wide one
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (fv_places == DEPTH && valid_q[1]) fv_seen[0] <= 1'b1;
      if (fv_seen[0] && pop_o && second_q) fv_seen[1] <= 1'b1;
    end
