// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_fifo, included at its end under FORMAL: whichever word one chooses to follow
// comes out unchanged, after exactly the words that were in front of it. Together with the checks
// in the module (level and pointers agree) this is order and integrity for every sequence of
// inputs.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* if (!fv_started) assume (rst_i);

  (* anyseq *) wire fv_choose;            // free: follow the word that is pushed now
  reg             fv_follow;
  reg [WIDTH-1:0] fv_word;
  reg [LW-1:0]    fv_ahead;               // words that leave before it
  wire [LW:0]     fv_sum   = {1'b0, head_ext} + {1'b0, fv_ahead};
  wire [LW:0]     fv_place = fv_sum >= {1'b0, FULL} ? fv_sum - {1'b0, FULL} : fv_sum;

  always @(posedge clk_i) begin
    if (fv_follow && pop) begin
      fv_ahead <= fv_ahead - L_ONE;
      if (fv_ahead == {LW{1'b0}}) fv_follow <= 1'b0;
    end
    if (push && fv_choose && !fv_follow) begin
      fv_follow <= 1'b1;
      fv_word   <= in_data_i;
      fv_ahead  <= pop ? level_q - L_ONE : level_q;
    end
    if (rst_i) fv_follow <= 1'b0;
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (head_q <= LAST && tail_q <= LAST && level_q <= FULL);
      assert (span == stored || (span == {LW{1'b0}} && stored == FULL));
      assert (!fv_follow || fv_ahead < level_q);
      assert (!fv_follow || mem_q[fv_place[AW-1:0]] == fv_word);
      assert (!fv_follow || fv_ahead != {LW{1'b0}} || (out_valid_o && out_data_o == fv_word));
      assert (in_ready_o || out_valid_o);                 // never neither full nor usable
    end

  // reachable, all in one run: the followed word in a full queue, and its leaving from the last
  // place
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (level_q == FULL && fv_follow) fv_seen[0] <= 1'b1;
      if (fv_follow && fv_ahead == {LW{1'b0}} && pop && head_q == LAST) fv_seen[1] <= 1'b1;
    end
