// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_skid, included at its end under FORMAL: against a model of two places, what
// goes in comes out, once, in order, whatever both sides do; what is shown holds until taken.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* if (!fv_started) assume (rst_i);

  wire            fv_push = in_valid_i && in_ready_o;
  wire            fv_pop  = out_valid_o && out_ready_i;
  reg [1:0]       fv_level;
  reg [WIDTH-1:0] fv_first, fv_second;
  always @(posedge clk_i) begin
    fv_level <= fv_level + {1'b0, fv_push} - {1'b0, fv_pop};
    if (fv_pop) fv_first <= fv_second;
    if (fv_push && fv_level == {1'b0, fv_pop}) fv_first <= in_data_i;
    if (fv_push) fv_second <= in_data_i;
    if (rst_i) fv_level <= 2'd0;
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (fv_level <= 2'd2);
      assert (out_valid_o == (fv_level != 2'd0));
      assert (in_ready_o == (fv_level != 2'd2));
      assert (!out_valid_o || out_data_o == fv_first);
      assert (in_ready_o || spare_data_q == fv_second);
    end

  // reachable, all in one run: full, and a word taken while another comes
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (fv_level == 2'd2) fv_seen[0] <= 1'b1;
      if (fv_push && fv_pop) fv_seen[1] <= 1'b1;
    end
