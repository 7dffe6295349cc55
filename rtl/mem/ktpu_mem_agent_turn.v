// SPDX-License-Identifier: Apache-2.0
// Turns an entry of sub-tiles into rows: eight beats of 4 lanes x 4 elements along K come in, beat
// j with K 4j..4j+3, lane l at 64 * l; eight beats of 16 elements of one lane go out, lane 0 first,
// the lower half of K first, the first of them two cycles after the entry's last beat came. Two
// entries fit: one leaves, a beat a cycle, while the next comes, which takes it at least as long,
// so that there is always room.
`default_nettype none
module ktpu_mem_agent_turn (
  input  wire         clk_i,
  input  wire         rst_i,

  input  wire         in_valid_i,
  input  wire [255:0] in_data_i,

  output wire         out_valid_o,
  output wire [255:0] out_data_o,
  output wire         empty_o        // no whole entry is here
);
  // Word j % 4 of half h lies in memory j % 4 at {buffer, h}.
  reg [255:0] word0_q [0:3];
  reg [255:0] word1_q [0:3];
  reg [255:0] word2_q [0:3];
  reg [255:0] word3_q [0:3];

  reg [3:0] in_q;                    // buffer and beat that come next
  reg [3:0] out_q;                   // buffer, lane and half that leave next
  reg [1:0] full_q;
  wire      leaves  = full_q[out_q[3]];
  wire [1:0] at     = {out_q[3], out_q[0]};
  wire [1:0] lane   = out_q[2:1];
  wire [255:0] row0 = word0_q[at];
  wire [255:0] row1 = word1_q[at];
  wire [255:0] row2 = word2_q[at];
  wire [255:0] row3 = word3_q[at];

  assign empty_o = full_q == 2'd0;

  always @(posedge clk_i) begin
    if (in_valid_i) in_q <= in_q + 4'd1;
    if (leaves) out_q <= out_q + 4'd1;
    if (leaves && (&out_q[2:0])) full_q[out_q[3]] <= 1'b0;
    if (in_valid_i && (&in_q[2:0])) full_q[in_q[3]] <= 1'b1;
    if (rst_i) begin
      in_q    <= 4'd0;
      out_q   <= 4'd0;
      full_q  <= 2'd0;
    end
  end

  always @(posedge clk_i)
    if (in_valid_i)
      case (in_q[1:0])
        2'd0:    word0_q[in_q[3:2]] <= in_data_i;
        2'd1:    word1_q[in_q[3:2]] <= in_data_i;
        2'd2:    word2_q[in_q[3:2]] <= in_data_i;
        default: word3_q[in_q[3:2]] <= in_data_i;
      endcase

  reg         valid_q;
  reg [255:0] data_q;
  always @(posedge clk_i) valid_q <= leaves && !rst_i;
  always @(posedge clk_i)
    if (leaves)
      data_q <= {row3[{lane, 6'd0} +: 64], row2[{lane, 6'd0} +: 64], row1[{lane, 6'd0} +: 64],
                 row0[{lane, 6'd0} +: 64]};
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;
`ifdef FORMAL
  `include "ktpu_mem_agent_turn_fv.vh"
`endif
endmodule
`default_nettype wire
