// SPDX-License-Identifier: Apache-2.0
// One element of an MXFP7 block: q = RNE(x / scale), the exact quotient rounded once, with x's
// sign. Latency 3 cycles, one element a cycle. The scale must cover x (|q| <= 63); under the code
// 0xFF (poison) q is 0.
//
// x = sig * 2^(e - 25) and scale = d * 2^(E - 23), d = 8..15, so q = sig / (d * 2^sh) with
// sh = E + 2 - e >= 1. The first cycle drops all but one of the sh bits; the second divides the at
// most 11 bits t that are left by d, as (t * m) >> 15 with m = ceil(2^15 / d): exact, because
// m * d - 2^15 < d <= 15 and 15 * 2047 < 2^15; the third rounds by the last bit, by what was
// dropped and by the remainder.
`default_nettype none
module ktpu_mx_quotient (
  input  wire        clk_i,
  input  wire [15:0] x_i,
  input  wire [7:0]  code_i,
  output wire [6:0]  q_o
);
  wire        normal = x_i[14:10] != 5'd0;
  wire [10:0] sig    = {normal, x_i[9:0]};
  wire [4:0]  e      = normal ? x_i[14:10] : 5'd1;

  // One less than sh; 0 .. 30 where the scale covers x, anything under poison.
  wire [4:0]  drop   = code_i[7:3] + 5'd1 - e;
  wire [10:0] kept   = sig >> drop;
  wire [10:0] back   = kept << drop;

  reg         negative_q;
  reg         lost_q;
  reg  [10:0] t_q;
  reg  [2:0]  m_q;
  always @(posedge clk_i) begin
    negative_q <= x_i[15];
    lost_q     <= back != sig;
    t_q        <= code_i == 8'hFF ? 11'd0 : kept;
    m_q        <= code_i[2:0];
  end

  function [12:0] reciprocal(input [2:0] m);
    case (m)
      3'd0:    reciprocal = 13'd4096;
      3'd1:    reciprocal = 13'd3641;
      3'd2:    reciprocal = 13'd3277;
      3'd3:    reciprocal = 13'd2979;
      3'd4:    reciprocal = 13'd2731;
      3'd5:    reciprocal = 13'd2521;
      3'd6:    reciprocal = 13'd2341;
      default: reciprocal = 13'd2185;
    endcase
  endfunction

  wire [23:0] product = {13'd0, t_q} * {11'd0, reciprocal(m_q)};
  wire [7:0]  h       = product[22:15]; // t / d, at most 127 where the scale covers x
  wire        unused  = &{1'b0, product[23], product[14:0]};

  reg         negative_q2;
  reg         lost_q2;
  reg  [7:0]  h_q2;
  reg  [3:0]  t_q2;
  reg  [2:0]  m_q2;
  always @(posedge clk_i) begin
    negative_q2 <= negative_q;
    lost_q2     <= lost_q;
    h_q2        <= h;
    t_q2        <= t_q[3:0];
    m_q2        <= m_q;
  end

  // The remainder is below 16: four bits of it are all of it.
  wire [3:0] whole  = h_q2[3:0] * {1'b1, m_q2};
  wire       sticky = lost_q2 || t_q2 != whole;
  wire       up     = h_q2[0] && (sticky || h_q2[1]);
  wire [6:0] q      = h_q2[7:1] + {6'd0, up};

  reg [6:0] q_q;
  always @(posedge clk_i) q_q <= negative_q2 ? -q : q;
  assign q_o = q_q;
endmodule
`default_nettype wire
