// SPDX-License-Identifier: Apache-2.0
// The MXFP7 engine's arithmetic side by side, for tests/mx/test_mx_rtl.c. Not synthesised.
`default_nettype none
module ktpu_mx_bench (
  input  wire         clk_i,
  input  wire         rst_i,

  input  wire         beat_valid_i,
  input  wire [255:0] beat_i,
  output wire         q_valid_o,
  output wire         q_second_o,
  output wire [111:0] q_o,
  output wire [7:0]   code_o,

  input  wire         slice_en_i,
  input  wire [3:0]   slice_first_i,     // for slices of 32, 16, 8, 4
  input  wire [223:0] a0_i,
  input  wire [223:0] a1_i,
  input  wire [223:0] b_i,
  output wire [151:0] sum0_o,            // plain 32, 16, 8, 4, packed 32, 16, 8, 4
  output wire [151:0] sum1_o,

  input  wire [18:0]  part_i,
  input  wire [7:0]   code_a_i,
  input  wire [7:0]   code_b_i,
  output wire [17:0]  v10_o,
  output wire [21:0]  v14_o,
  output wire [25:0]  v18_o,

  input  wire [25:0]  x_i,
  input  wire [25:0]  y_i,
  output wire [10:0]  s3_o,
  output wire [11:0]  s4_o,
  output wire [17:0]  s10_o,
  output wire [21:0]  s14_o,
  output wire [25:0]  s18_o,
  output wire [4:0]   overflow_o,

  output wire [15:0]  h10_o,
  output wire [15:0]  h14_o,
  output wire [15:0]  h18_o,
  output wire [2:0]   clamped_o,
  output wire [2:0]   flushed_o
);
  ktpu_mx_quant u_quant (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .in_valid_i   (beat_valid_i),
    .in_data_i    (beat_i),
    .out_valid_o  (q_valid_o),
    .out_second_o (q_second_o),
    .out_q_o      (q_o),
    .out_code_o   (code_o)
  );

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_dot
      localparam integer SLICE = 32 >> (i % 4);
      ktpu_mx_dot #(.SLICE (SLICE), .PACKED (i / 4)) u_dot (
        .clk_i   (clk_i),
        .en_i    (slice_en_i),
        .first_i (slice_first_i[i % 4]),
        .a0_i    (a0_i[7*SLICE-1:0]),
        .a1_i    (a1_i[7*SLICE-1:0]),
        .b_i     (b_i[7*SLICE-1:0]),
        .sum0_o  (sum0_o[19*i +: 19]),
        .sum1_o  (sum1_o[19*i +: 19])
      );
    end
  endgenerate

  ktpu_fp22_scale #(.MW (10)) u_scale10 (.clk_i (clk_i), .sum_i (part_i),
    .code_a_i (code_a_i), .code_b_i (code_b_i), .v_o (v10_o));
  ktpu_fp22_scale #(.MW (14)) u_scale14 (.clk_i (clk_i), .sum_i (part_i),
    .code_a_i (code_a_i), .code_b_i (code_b_i), .v_o (v14_o));
  ktpu_fp22_scale #(.MW (18)) u_scale18 (.clk_i (clk_i), .sum_i (part_i),
    .code_a_i (code_a_i), .code_b_i (code_b_i), .v_o (v18_o));

  ktpu_fp22_add #(.MW (3)) u_add3 (.clk_i (clk_i), .x_i (x_i[10:0]), .y_i (y_i[10:0]),
    .sum_o (s3_o), .overflow_o (overflow_o[0]));
  ktpu_fp22_add #(.MW (4)) u_add4 (.clk_i (clk_i), .x_i (x_i[11:0]), .y_i (y_i[11:0]),
    .sum_o (s4_o), .overflow_o (overflow_o[1]));
  ktpu_fp22_add #(.MW (10)) u_add10 (.clk_i (clk_i), .x_i (x_i[17:0]), .y_i (y_i[17:0]),
    .sum_o (s10_o), .overflow_o (overflow_o[2]));
  ktpu_fp22_add #(.MW (14)) u_add14 (.clk_i (clk_i), .x_i (x_i[21:0]), .y_i (y_i[21:0]),
    .sum_o (s14_o), .overflow_o (overflow_o[3]));
  ktpu_fp22_add #(.MW (18)) u_add18 (.clk_i (clk_i), .x_i (x_i), .y_i (y_i),
    .sum_o (s18_o), .overflow_o (overflow_o[4]));

  ktpu_fp22_half #(.MW (10)) u_half10 (.clk_i (clk_i), .x_i (x_i[17:0]), .half_o (h10_o),
    .clamped_o (clamped_o[0]), .flushed_o (flushed_o[0]));
  ktpu_fp22_half #(.MW (14)) u_half14 (.clk_i (clk_i), .x_i (x_i[21:0]), .half_o (h14_o),
    .clamped_o (clamped_o[1]), .flushed_o (flushed_o[1]));
  ktpu_fp22_half #(.MW (18)) u_half18 (.clk_i (clk_i), .x_i (x_i), .half_o (h18_o),
    .clamped_o (clamped_o[2]), .flushed_o (flushed_o[2]));
endmodule
`default_nettype wire
