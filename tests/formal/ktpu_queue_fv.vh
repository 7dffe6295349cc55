// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_queue, included at its end under FORMAL: an entry that is followed from its
// push moves down by one with each pop, keeps its word until it is the head, and is the head when
// all before it have left.
  localparam integer FV_B = $clog2(DEPTH + 1);
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!push_i || !valid_q[DEPTH-1]);
    assume (!pop_i || valid_q[0]);
  end

  (* anyseq *) wire fv_choose;            // free: follow the word that is pushed now
  reg             fv_follow;
  reg [WIDTH-1:0] fv_word;
  reg [FV_B-1:0]  fv_at, fv_level;
  always @(posedge clk_i) begin
    fv_level <= fv_level + {{(FV_B-1){1'b0}}, push_i} - {{(FV_B-1){1'b0}}, pop_i};
    if (fv_follow && pop_i) begin
      fv_at <= fv_at - {{(FV_B-1){1'b0}}, 1'b1};
      if (fv_at == {FV_B{1'b0}}) fv_follow <= 1'b0;
    end else if (fv_follow && fv_at == {FV_B{1'b0}}) begin
      fv_word <= head_i;
    end
    if (push_i && fv_choose && !fv_follow) begin
      fv_follow <= 1'b1;
      fv_word   <= data_i;
      fv_at     <= fv_level - {{(FV_B-1){1'b0}}, pop_i};
    end
    if (rst_i) begin
      fv_follow <= 1'b0;
      fv_level  <= {FV_B{1'b0}};
    end
  end

  integer fv_e;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (fv_level <= DEPTH);
      for (fv_e = 0; fv_e < DEPTH; fv_e = fv_e + 1)
        assert (valid_q[fv_e] == (fv_e < fv_level));
      assert (!fv_follow || fv_at < fv_level);
      assert (!fv_follow || data_q[fv_at*WIDTH +: WIDTH] == fv_word);
    end

  // reachable, all in one run: full, and a push beside a pop
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (fv_level == DEPTH && fv_follow) fv_seen[0] <= 1'b1;
      if (push_i && pop_i) fv_seen[1] <= 1'b1;
    end
