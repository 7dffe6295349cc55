// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mem_agent_turn, included at its end under FORMAL, for beats that come in any
// cycles: there is always room (no beat is written over one that has yet to leave), an entry leaves
// in the eight cycles after its last beat, and as many beats leave as have come. That each part
// leaves at its place is left to the agent's bench.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* if (!fv_started) assume (rst_i);

  reg [4:0] fv_here;                      // beats that have come and not left
  always @(posedge clk_i) begin
    fv_here <= fv_here + {4'd0, in_valid_i} - {4'd0, leaves};
    if (rst_i) fv_here <= 5'd0;
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (full_q != 2'b11);
      assert (!in_valid_i || !full_q[in_q[3]]);
      assert (!full_q[0] || !out_q[3]);
      assert (!full_q[1] || out_q[3]);
      assert (full_q == 2'b00 || (in_q[3] != out_q[3] && in_q[2:0] <= out_q[2:0]));
      assert (full_q != 2'b00 || (out_q[2:0] == 3'd0 && in_q[3] == out_q[3]));
      assert (leaves == !empty_o);
      assert (fv_here == {2'd0, in_q[2:0]} + (leaves ? 5'd8 - {2'd0, out_q[2:0]} : 5'd0));
    end
