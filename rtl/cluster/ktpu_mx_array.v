// SPDX-License-Identifier: Apache-2.0
// The 4 x 4 products of an entry of A and one of B, each scaled and rounded to FP22: output (r, c)
// of lane r of A and lane c of B at (4r + c) * (ACC_MW + 8). The entries stand for 32 / KSLICE
// cycles; slice_i says which of their elements are multiplied now. The result is there five cycles
// after the cycle of the last slice.
`default_nettype none
module ktpu_mx_array #(
  parameter integer KSLICE = 32,
  parameter integer PACKED = 0,
  parameter integer ACC_MW = 14
) (
  input  wire                         clk_i,

  input  wire                         en_i,
  input  wire [2:0]                   slice_i,   // the first one is 0
  input  wire [927:0]                 a_i,       // lane l at 232 * l: elements, code above
  input  wire [927:0]                 b_i,
  output wire [16*(ACC_MW+8)-1:0]     v_o
);
  localparam integer SW = 7 * KSLICE;

  wire first = slice_i == 3'd0;

  // ---- The slices of the eight lanes, the codes when the sums stand ---------------------------

  wire [4*SW-1:0] a_slice, b_slice;
  reg  [31:0]     a_code_q, b_code_q, a_code_q2, b_code_q2;
  always @(posedge clk_i) begin
    a_code_q2 <= a_code_q;
    b_code_q2 <= b_code_q;
    if (en_i) begin
      a_code_q <= {a_i[927:920], a_i[695:688], a_i[463:456], a_i[231:224]};
      b_code_q <= {b_i[927:920], b_i[695:688], b_i[463:456], b_i[231:224]};
    end
  end

  genvar l;
  generate
    for (l = 0; l < 4; l = l + 1) begin : g_lane
      if (KSLICE == 32) begin : g_whole
        assign a_slice[SW*l +: SW] = a_i[232*l +: 224];
        assign b_slice[SW*l +: SW] = b_i[232*l +: 224];
      end else begin : g_part
        wire [223:0] a_lane = a_i[232*l +: 224];
        wire [223:0] b_lane = b_i[232*l +: 224];
        assign a_slice[SW*l +: SW] = a_lane[SW * slice_i +: SW];
        assign b_slice[SW*l +: SW] = b_lane[SW * slice_i +: SW];
      end
    end
  endgenerate

  // ---- Rows 2i and 2i + 1 of a column share the B operand -------------------------------------

  genvar i, c;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_rows
      for (c = 0; c < 4; c = c + 1) begin : g_column
        wire signed [18:0] sum0, sum1;
        ktpu_mx_dot #(.SLICE (KSLICE), .PACKED (PACKED)) u_dot (
          .clk_i   (clk_i),
          .en_i    (en_i),
          .first_i (first),
          .a0_i    (a_slice[SW * (2*i) +: SW]),
          .a1_i    (a_slice[SW * (2*i + 1) +: SW]),
          .b_i     (b_slice[SW * c +: SW]),
          .sum0_o  (sum0),
          .sum1_o  (sum1)
        );
        ktpu_fp22_scale #(.MW (ACC_MW)) u_scale0 (
          .clk_i    (clk_i),
          .sum_i    (sum0),
          .code_a_i (a_code_q2[8 * (2*i) +: 8]),
          .code_b_i (b_code_q2[8 * c +: 8]),
          .v_o      (v_o[(ACC_MW + 8) * (8*i + c) +: ACC_MW + 8])
        );
        ktpu_fp22_scale #(.MW (ACC_MW)) u_scale1 (
          .clk_i    (clk_i),
          .sum_i    (sum1),
          .code_a_i (a_code_q2[8 * (2*i + 1) +: 8]),
          .code_b_i (b_code_q2[8 * c +: 8]),
          .v_o      (v_o[(ACC_MW + 8) * (8*i + 4 + c) +: ACC_MW + 8])
        );
      end
    end
  endgenerate
endmodule
`default_nettype wire
