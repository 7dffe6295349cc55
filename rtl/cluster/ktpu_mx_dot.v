// SPDX-License-Identifier: Apache-2.0
// The exact sum of a block's 32 products of signed 7-bit integers, SLICE of them a cycle: 32 /
// SLICE cycles a block, first_i marks the first one. The sum stands at sum_o in the second cycle
// after that of the last slice and fits 19 bits signed: 32 * 64 * 64 = 2^17. Two blocks that share
// the B operand are summed side by side (A of rows 0 and 1), so that a build may pack both products
// into one multiplier. PACKED = 1: one multiplication of (a1 * 2^19 + a0) by b a pair: both sums
// grow in one word, and the upper one is short by the lower one's borrow, which its sign bit gives
// back. Every variant gives the same bits. Products are summed by fours, then the fours: a register
// lies between.
`default_nettype none
module ktpu_mx_dot #(
  parameter integer SLICE  = 32,
  parameter integer PACKED = 0
) (
  input  wire                 clk_i,
  input  wire                 en_i,
  input  wire                 first_i,
  input  wire [7*SLICE-1:0]   a0_i,
  input  wire [7*SLICE-1:0]   a1_i,
  input  wire [7*SLICE-1:0]   b_i,
  output wire signed [18:0]   sum0_o,
  output wire signed [18:0]   sum1_o
);
  localparam integer FOURS = SLICE / 4;

  reg en_q, first_q;                     // of the fours
  always @(posedge clk_i) begin
    en_q    <= en_i;
    first_q <= first_i;
  end

  genvar f;
  generate
    if (SLICE != 4 && SLICE != 8 && SLICE != 16 && SLICE != 32) begin : g_bad_slice
      ktpu_param_error_slice_must_be_4_8_16_or_32 u_stop ();
    end

    if (PACKED != 0) begin : g_packed
      // 19 bits each; the word is their sum as one signed number.
      function signed [37:0] both(input [27:0] a0, input [27:0] a1, input [27:0] b);
        integer i;
        reg signed [6:0]  x0, x1, y;
        reg signed [26:0] wide;
        reg signed [37:0] sum;
        begin
          sum = 38'sd0;
          for (i = 0; i < 4; i = i + 1) begin
            x0   = a0[7*i +: 7];
            x1   = a1[7*i +: 7];
            y    = b[7*i +: 7];
            wide = {x1[6], x1, 19'd0} + {{20{x0[6]}}, x0};
            sum  = sum + wide * y;
          end
          both = sum;
        end
      endfunction

      function signed [37:0] total(input [38*FOURS-1:0] four);
        integer i;
        reg signed [37:0] sum;
        begin
          sum = 38'sd0;
          for (i = 0; i < FOURS; i = i + 1) sum = sum + four[38*i +: 38];
          total = sum;
        end
      endfunction

      reg [38*FOURS-1:0] four_q;
      for (f = 0; f < FOURS; f = f + 1) begin : g_four
        always @(posedge clk_i)
          if (en_i) four_q[38*f +: 38] <= both(a0_i[28*f +: 28], a1_i[28*f +: 28], b_i[28*f +: 28]);
      end

      reg signed [37:0] sum_q;
      wire signed [37:0] old = first_q ? 38'sd0 : sum_q;
      always @(posedge clk_i) if (en_q) sum_q <= old + total(four_q);
      assign sum0_o = sum_q[18:0];
      assign sum1_o = sum_q[37:19] + {18'd0, sum_q[18]};
    end else begin : g_plain
      function signed [18:0] one(input [27:0] a, input [27:0] b);
        integer i;
        reg signed [6:0]  x, y;
        reg signed [18:0] sum;
        begin
          sum = 19'sd0;
          for (i = 0; i < 4; i = i + 1) begin
            x   = a[7*i +: 7];
            y   = b[7*i +: 7];
            sum = sum + x * y;
          end
          one = sum;
        end
      endfunction

      function signed [18:0] total(input [19*FOURS-1:0] four);
        integer i;
        reg signed [18:0] sum;
        begin
          sum = 19'sd0;
          for (i = 0; i < FOURS; i = i + 1) sum = sum + four[19*i +: 19];
          total = sum;
        end
      endfunction

      reg [19*FOURS-1:0] four0_q, four1_q;
      for (f = 0; f < FOURS; f = f + 1) begin : g_four
        always @(posedge clk_i)
          if (en_i) begin
            four0_q[19*f +: 19] <= one(a0_i[28*f +: 28], b_i[28*f +: 28]);
            four1_q[19*f +: 19] <= one(a1_i[28*f +: 28], b_i[28*f +: 28]);
          end
      end

      reg signed [18:0] sum0_q, sum1_q;
      wire signed [18:0] old0 = first_q ? 19'sd0 : sum0_q;
      wire signed [18:0] old1 = first_q ? 19'sd0 : sum1_q;
      always @(posedge clk_i)
        if (en_q) begin
          sum0_q <= old0 + total(four0_q);
          sum1_q <= old1 + total(four1_q);
        end
      assign sum0_o = sum0_q;
      assign sum1_o = sum1_q;
    end
  endgenerate
endmodule
`default_nettype wire
