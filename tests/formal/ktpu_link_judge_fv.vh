// SPDX-License-Identifier: Apache-2.0
// At most once: a write is run only as the expected request of an open session, and the expected
// number is then the one after; a duplicate write never runs. The header's bytes are free; the
// executor judges a header once, after it has come in.
  reg       fv_started_q = 1'b0;
  reg       fv_fresh_q;                   // a number has come in since the last judgement
  reg [7:0] fv_number_q;                  // that number
  reg       fv_ran_q;                     // the cycle before, a write was run
  reg [7:0] fv_ran_number_q;
  reg       fv_judged_q, fv_reset_q;
  reg [7:0] fv_expected_q;

  wire fv_write = is_write || is_bwrite;
  wire fv_ran   = judge_i && accept_o && run_o && fv_write;

  always @(posedge clk_i) begin
    fv_started_q <= 1'b1;
    if (judge_i) fv_fresh_q <= 1'b0;
    if (byte_valid_i && place_i == AT_SEQUENCE) begin
      fv_fresh_q  <= 1'b1;
      fv_number_q <= byte_i;
    end
    fv_ran_q        <= fv_ran;
    fv_ran_number_q <= fv_number_q;
    fv_judged_q     <= judge_i;
    fv_reset_q      <= judge_i && is_reset;
    fv_expected_q   <= expected_q;
    if (rst_i) begin
      fv_fresh_q <= 1'b0;
      fv_ran_q   <= 1'b0;
    end
  end

  always @* begin
    assume (rst_i == !fv_started_q);
    assume (!judge_i || fv_fresh_q);
    assume (!judge_i || !byte_valid_i);
    if (fv_started_q) begin
      if (fv_fresh_q) begin
        assert (next_q == (fv_number_q == expected_q));
        assert (!(next_q && again_q));
      end
      if (fv_ran) begin
        assert (open_q);
        assert (same_q);
        assert (!odd_q);
        assert (fv_number_q == expected_q);
      end
      if (fv_ran_q) assert (expected_q == fv_ran_number_q + 8'd1);
    end
  end
  (* keep *) wire fv_all = fv_started_q && fv_ran_q && expected_q == 8'd2;
