// SPDX-License-Identifier: Apache-2.0
// FP22 to binary16, rounded to nearest, ties to even, subnormals produced; past 65504 the largest
// number (clamped_o), NaN is 0x7E00; flushed_o: a nonzero value became zero (it keeps its sign).
// Latency 2 cycles, one a cycle.
`default_nettype none
module ktpu_fp22_half #(
  parameter integer MW = 14
) (
  input  wire          clk_i,
  input  wire [MW+7:0] x_i,
  output wire [15:0]   half_o,
  output wire          clamped_o,
  output wire          flushed_o
);
  // Biases 63 and 15: FP22's exponent 49 is binary16's 1. Below that the significand moves right.
  wire [6:0]    e      = x_i[MW+6:MW];
  wire          there  = e != 7'd0;
  wire          tiny   = e < 7'd49;
  wire [6:0]    gap    = tiny ? 7'd49 - e : 7'd0;
  wire [3:0]    move   = gap > 7'd12 ? 4'd12 : gap[3:0]; // 12 places leave only a sticky bit
  wire [MW+1:0] sig    = {there, x_i[MW-1:0] & {MW{there}}, 1'b0};
  wire [MW+1:0] moved  = sig >> move;
  wire [MW+1:0] back   = moved << move;

  reg          negative_q, nan_q, there_q, huge_q;
  reg [4:0]    base_q;
  reg [MW+1:0] sig_q;
  reg          sticky_q;
  always @(posedge clk_i) begin
    negative_q <= x_i[MW+7];
    nan_q      <= e == 7'd127;
    there_q    <= there;
    huge_q     <= e > 7'd78;
    base_q     <= tiny ? 5'd0 : e[4:0] - 5'd17; // e - 49, modulo 32
    sig_q      <= moved;
    sticky_q   <= back != sig;
  end

  // The leading one adds one to the exponent; so does the rounding's carry.
  wire          half  = sig_q[MW-10];
  wire [MW+1:0] below = sig_q << 12;   // what lies below the half: MW - 10 bits
  wire          up    = half && (below != {(MW+2){1'b0}} || sticky_q || sig_q[MW-9]);
  wire [15:0]   code  = {1'b0, base_q, 10'd0} + {5'd0, sig_q[MW+1 -: 11]} + {15'd0, up};
  wire          past  = huge_q || code > 16'h7BFF;

  reg [15:0] half_q;
  reg        clamped_q, flushed_q;
  always @(posedge clk_i) begin
    clamped_q <= !nan_q && past;
    flushed_q <= !nan_q && there_q && !past && code == 16'd0;
    if (nan_q)         half_q <= 16'h7E00;
    else if (!there_q) half_q <= 16'h0000;
    else               half_q <= {negative_q, past ? 15'h7BFF : code[14:0]};
  end
  assign half_o    = half_q;
  assign clamped_o = clamped_q;
  assign flushed_o = flushed_q;
endmodule
`default_nettype wire
