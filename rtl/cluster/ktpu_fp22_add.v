// SPDX-License-Identifier: Apache-2.0
// x + y in FP22, rounded once to nearest, ties to even; past the largest number that number, and
// overflow_o. NaN is absorbing; words with E = 0 or E = 127 count as +0 or NaN whatever else they
// hold. Latency 3 cycles, one a cycle: order and align; add; normalise and round.
//
// Alignment keeps guard, round and sticky below the last place. The sticky bit takes part in the
// subtraction as the last bit of the smaller operand, so that its borrow is not lost.
`default_nettype none
module ktpu_fp22_add #(
  parameter integer MW = 14
) (
  input  wire          clk_i,
  input  wire [MW+7:0] x_i,
  input  wire [MW+7:0] y_i,
  output wire [MW+7:0] sum_o,
  output wire          overflow_o
);
  localparam integer W = MW + 5; // carry, leading one, MW, guard, round, sticky: MW + 5 bits

  // ---- Order, align ----------------------------------------------------------------------------

  wire          swap  = y_i[MW+6:0] > x_i[MW+6:0];
  wire [MW+7:0] big   = swap ? y_i : x_i;
  wire [MW+7:0] little = swap ? x_i : y_i;
  wire [6:0]    e_big = big[MW+6:MW];
  wire [6:0]    e_small = little[MW+6:MW];
  wire [6:0]    apart = e_big - e_small;
  wire [MW+3:0] sig   = {e_small != 7'd0, little[MW-1:0] & {MW{e_small != 7'd0}}, 3'd0};
  wire [MW+3:0] moved = sig >> apart;
  wire [MW+3:0] back  = moved << apart;

  reg          negative_q, minus_q, nan_q;
  reg [6:0]    e_q;
  reg [MW+3:0] big_q, small_q;
  always @(posedge clk_i) begin
    negative_q <= big[MW+7];
    minus_q    <= big[MW+7] != little[MW+7];
    nan_q      <= e_big == 7'd127;
    e_q        <= e_big;
    big_q      <= {e_big != 7'd0, big[MW-1:0] & {MW{e_big != 7'd0}}, 3'd0};
    small_q    <= {moved[MW+3:1], moved[0] || back != sig};
  end

  // ---- Add -------------------------------------------------------------------------------------

  reg          negative_q2, nan_q2;
  reg [6:0]    e_q2;
  reg [W-1:0]  sum_q2;
  always @(posedge clk_i) begin
    negative_q2 <= negative_q;
    nan_q2      <= nan_q;
    e_q2        <= e_q;
    sum_q2      <= minus_q ? {1'b0, big_q} - {1'b0, small_q} : {1'b0, big_q} + {1'b0, small_q};
  end

  // ---- Normalise, round ------------------------------------------------------------------------

  // Leading one to the top bit, W - 1; W is at most 23.
  wire [22:0]   n0  = {sum_q2, {(23-W){1'b0}}};
  wire          z16 = n0[22:7] == 16'd0;
  wire [22:0]   n16 = z16 ? {n0[6:0], 16'd0} : n0;
  wire          z8  = n16[22:15] == 8'd0;
  wire [22:0]   n8  = z8 ? {n16[14:0], 8'd0} : n16;
  wire          z4  = n8[22:19] == 4'd0;
  wire [22:0]   n4  = z4 ? {n8[18:0], 4'd0} : n8;
  wire          z2  = n4[22:21] == 2'd0;
  wire [22:0]   n2  = z2 ? {n4[20:0], 2'd0} : n4;
  wire          z1  = !n2[22];
  wire [22:0]   n1  = z1 ? {n2[21:0], 1'b0} : n2;
  wire          zero = !n1[22];

  wire          half = n1[21-MW];
  wire [21:0]   rest = n1[21:0] << (MW + 1);
  wire          up   = half && (rest != 22'd0 || n1[22-MW]);
  // Bit 22 stands one place above the larger operand's leading one. No sum can fall below E = 1.
  wire [7:0]    e    = {1'b0, e_q2} + 8'd1 - {3'd0, z16, z8, z4, z2, z1};
  wire [MW+7:0] word = {e, n1[21 -: MW]} + {{(MW+7){1'b0}}, up};
  wire          past = word[MW+7:MW] > 8'd126;

  reg [MW+7:0] sum_q;
  reg          overflow_q;
  always @(posedge clk_i) begin
    overflow_q <= !nan_q2 && !zero && past;
    if (nan_q2)    sum_q <= {1'b0, 7'd127, 1'b1, {(MW-1){1'b0}}};
    else if (zero) sum_q <= {(MW+8){1'b0}};
    else if (past) sum_q <= {negative_q2, 7'd126, {MW{1'b1}}};
    else           sum_q <= {negative_q2, word[MW+6:0]};
  end
  assign sum_o      = sum_q;
  assign overflow_o = overflow_q;
endmodule
`default_nettype wire
