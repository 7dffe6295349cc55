// SPDX-License-Identifier: Apache-2.0
// A block's integer sum to FP22: RNE(sum * (8 + Ma) * (8 + Mb) * 2^(Ea + Eb - 46)); NaN where
// either scale code is 0xFF. Latency 3 cycles, one a cycle: magnitude and product of the scales;
// their product; normalised and rounded. It can neither overflow (below 2^41) nor underflow (a
// multiple of 2^-46).
`default_nettype none
module ktpu_fp22_scale #(
  parameter integer MW = 14
) (
  input  wire               clk_i,
  input  wire signed [18:0] sum_i,
  input  wire [7:0]         code_a_i,
  input  wire [7:0]         code_b_i,
  output wire [MW+7:0]      v_o
);
  generate
    if (MW < 10 || MW > 18) begin : g_bad_width
      ktpu_param_error_mw_must_be_10_to_18 u_stop ();
    end
  endgenerate

  // ---- Magnitude, scale ------------------------------------------------------------------------

  wire [7:0]  scales = {4'd0, 1'b1, code_a_i[2:0]} * {4'd0, 1'b1, code_b_i[2:0]}; // 64 .. 225

  reg         negative_q, nan_q;
  reg  [17:0] size_q;   // at most 2^17
  reg  [7:0]  scales_q;
  reg  [5:0]  exp_q;    // Ea + Eb, at most 62
  always @(posedge clk_i) begin
    negative_q <= sum_i[18];
    nan_q      <= code_a_i == 8'hFF || code_b_i == 8'hFF;
    size_q     <= sum_i[18] ? -sum_i[17:0] : sum_i[17:0];
    scales_q   <= scales;
    exp_q      <= {1'b0, code_a_i[7:3]} + {1'b0, code_b_i[7:3]};
  end

  reg         negative_q2, nan_q2;
  reg  [25:0] product_q2;
  reg  [5:0]  exp_q2;
  always @(posedge clk_i) begin
    negative_q2 <= negative_q;
    nan_q2      <= nan_q;
    product_q2  <= {8'd0, size_q} * {18'd0, scales_q};
    exp_q2      <= exp_q;
  end

  // ---- Normalise, round ------------------------------------------------------------------------

  // Leading one to bit 25; the shift by binary steps.
  wire        z16 = product_q2[25:10] == 16'd0;
  wire [25:0] n16 = z16 ? {product_q2[9:0], 16'd0} : product_q2;
  wire        z8  = n16[25:18] == 8'd0;
  wire [25:0] n8  = z8 ? {n16[17:0], 8'd0} : n16;
  wire        z4  = n8[25:22] == 4'd0;
  wire [25:0] n4  = z4 ? {n8[21:0], 4'd0} : n8;
  wire        z2  = n4[25:24] == 2'd0;
  wire [25:0] n2  = z2 ? {n4[23:0], 2'd0} : n4;
  wire        z1  = !n2[25];
  wire [25:0] n1  = z1 ? {n2[24:0], 1'b0} : n2;
  wire        zero = !n1[25];

  wire        half   = n1[24-MW];
  wire [23:0] rest   = n1[23:0] << MW; // what lies below the half, the top MW bits gone
  wire        up     = half && (rest != 24'd0 || n1[25-MW]);
  // The exponent of bit 25 is exp - 46 + 25; the rounded significand's carry is the next exponent.
  wire [6:0]  e      = {1'b0, exp_q2} + 7'd42 - {2'd0, z16, z8, z4, z2, z1};
  wire [MW+6:0] word = {e, n1[24 -: MW]} + {{(MW+6){1'b0}}, up};

  reg [MW+7:0] v_q;
  always @(posedge clk_i) begin
    if (nan_q2)    v_q <= {1'b0, 7'd127, 1'b1, {(MW-1){1'b0}}};
    else if (zero) v_q <= {(MW+8){1'b0}};
    else           v_q <= {negative_q2, word};
  end
  assign v_o = v_q;
endmodule
`default_nettype wire
