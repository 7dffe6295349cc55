// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_async_fifo, included at its end under FORMAL. The step of the proof is no
// clock: in each step either side's clock has an edge or not, so clocks of any ratio that stop and
// start at any edge are covered. Whichever word one chooses to follow comes out unchanged, after
// exactly the words in front of it, unless both sides are reset; no side ever sees more than there
// is.
  localparam [LOG:0] FULL = {1'b1, {LOG{1'b0}}};

  reg fv_started = 1'b0;
  reg fv_w_rst, fv_r_rst;
  always @(posedge w_clk_i) begin
    fv_started <= 1'b1;
    fv_w_rst   <= w_rst_i;
    fv_r_rst   <= r_rst_i;
  end
  always @* begin
    assume (w_clk_i == r_clk_i);
    if (!fv_started) assume (w_rst_i && r_rst_i);
    // a flush begins with both resets high
    if (fv_started) assume (!(w_rst_i && !fv_w_rst) || r_rst_i);
    if (fv_started) assume (!(r_rst_i && !fv_r_rst) || w_rst_i);
    // a writer with a margin keeps to it
    assume (MARGIN == 0 || !w_valid_i || level < FULL);
  end

  wire fv_push = push && w_tick && !w_rst_i;
  wire fv_pop  = pop && r_tick && !r_rst_i;

  wire [LOG:0] fv_stored = w_q - r_q;
  wire [LOG:0] fv_w1 = binary(w_seen1_q) - r_q;          // words that the reader knows of
  wire [LOG:0] fv_w2 = binary(w_seen2_q) - r_q;
  wire [LOG:0] fv_r1 = w_q - binary(r_seen1_q);          // places that the writer takes for used
  wire [LOG:0] fv_r2 = w_q - binary(r_seen2_q);

  (* anyseq *) wire fv_choose;            // free: follow the word that is written now
  reg             fv_follow;
  reg [WIDTH-1:0] fv_word;
  reg [LOG:0]     fv_place;
  wire [LOG:0]    fv_ahead = fv_place - r_q;             // words that leave before it

  always @(posedge w_clk_i) begin
    if (fv_pop && fv_follow && fv_ahead == {(LOG+1){1'b0}}) fv_follow <= 1'b0;
    if (fv_push && fv_choose && !fv_follow) begin
      fv_follow <= 1'b1;
      fv_word   <= w_data_i;
      fv_place  <= w_q;
    end
    if (w_rst_i && r_rst_i) fv_follow <= 1'b0;
  end

  always @(posedge w_clk_i)
    if (fv_started && !(w_rst_i && r_rst_i)) begin
      assert (w_gray_q == (w_q ^ (w_q >> 1)));
      assert (r_gray_q == (r_q ^ (r_q >> 1)));
      assert (fv_stored <= FULL);
      assert (fv_w2 <= fv_w1 && fv_w1 <= fv_stored);
      assert (fv_stored <= fv_r1 && fv_r1 <= fv_r2 && fv_r2 <= FULL);
      assert (!fv_follow || fv_ahead < fv_stored);
      assert (!fv_follow || mem_q[fv_place[LOG-1:0]] == fv_word);
      assert (!(fv_follow && r_valid_o && fv_ahead == {(LOG+1){1'b0}}) || r_data_o == fv_word);
      assert (!r_valid_o || fv_stored != {(LOG+1){1'b0}});
      assert (!fv_push || fv_stored != FULL);
    end

  // reachable, all in one run: a full queue with the followed word in it, its leaving, and a writer
  // that runs while the reader is still in reset
  reg [2:0] fv_seen = 3'b000;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge w_clk_i)
    if (fv_started) begin
      if (fv_stored == FULL && fv_follow) fv_seen[0] <= 1'b1;
      if (fv_follow && fv_ahead == {(LOG+1){1'b0}} && fv_pop) fv_seen[1] <= 1'b1;
      if (fv_push && r_rst_i) fv_seen[2] <= 1'b1;
    end
