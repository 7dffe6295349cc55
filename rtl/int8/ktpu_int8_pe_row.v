// SPDX-License-Identifier: Apache-2.0
// One row of the array: T products of one activation with T stationary weights, each added to the
// partial sum from above. Operand, product and sum are registered.
// A product is at most 2^14 in size, T of them at most 2^(14 + log2 T): PW = 16 + log2 T bits hold
// every partial sum.
// With SMALL = 1 the multiplier block also adds, modulo 2^16. The bits above follow from the sums'
// quarter of the 2^16 circle, as no product is larger than a quarter: a step from the last quarter
// to the first went up past 2^16, one from the first to the last went down.
`default_nettype none
module ktpu_int8_pe_row #(
  parameter integer T     = 4,
  parameter integer PW    = 18,
  parameter integer SMALL = 0
) (
  input  wire            clk_i,
  input  wire [7:0]      act_i,
  input  wire [T*8-1:0]  weight_i,
  input  wire            wload_i,
  input  wire [T*PW-1:0] psum_i,
  output wire [T*PW-1:0] psum_o
);
  localparam integer HW = PW - 16;
  localparam [HW-2:0] H_ONE  = 1;
  localparam [HW-2:0] H_NONE = 0;

  // An addend's high bits, and all that can be known of the sum's before its quarter is: {high
  // bits, those of the changed ones but the lowest, may go up, may go down}
  localparam integer QW = 2*HW + 1;
  function [QW-1:0] prepare(input [HW+1:0] top);
    reg [HW-2:0] changed;
    begin
      changed = (top[1:0] == 2'd3) ? top[HW+1:3] + (top[2] ? H_ONE : H_NONE)
                                   : top[HW+1:3] - (top[2] ? H_NONE : H_ONE);
      prepare = {top[HW+1:2], changed, top[1:0] == 2'd3, top[1:0] == 2'd0};
    end
  endfunction
  function [HW-1:0] high(input [QW-1:0] ready, input [1:0] sum);
    high = ((ready[1] && sum == 2'd0) || (ready[0] && sum == 2'd3))
           ? {ready[HW:2], !ready[HW+1]} : ready[QW-1:HW+1];
  endfunction

  // Columns in pairs: one multiplier block of some FPGAs holds two 8 x 8 products.
  genvar j;
  generate
    for (j = 0; j < T; j = j + 2) begin : g_pair
      wire [PW-1:0] above0 = psum_i[j*PW +: PW];
      wire [PW-1:0] above1 = psum_i[j*PW + PW +: PW];
      if (SMALL != 0) begin : g_mac
        wire [31:0] sums;
        ktpu_mac8x2 u_mac (
          .clk_i(clk_i), .b_we_i(wload_i), .a_i(act_i), .b_i(weight_i[j*8 +: 16]),
          .addend_i({above1[15:0], above0[15:0]}), .sum_o(sums)
        );
        reg [QW-1:0] top0_q, top1_q;
        always @(posedge clk_i) begin
          top0_q <= prepare(above0[PW-1:14]);
          top1_q <= prepare(above1[PW-1:14]);
        end
        assign psum_o[j*PW +: 2*PW] = {high(top1_q, sums[31:30]), sums[31:16],
                                       high(top0_q, sums[15:14]), sums[15:0]};
      end else begin : g_mul
        wire [31:0] products;
        ktpu_mul8x2 u_mul (
          .clk_i(clk_i), .b_we_i(wload_i), .a_i(act_i), .b_i(weight_i[j*8 +: 16]),
          .product_o(products)
        );
        reg [PW-1:0] psum0_q, psum1_q;
        always @(posedge clk_i) begin
          psum0_q <= above0 + {{(PW-16){products[15]}}, products[15:0]};
          psum1_q <= above1 + {{(PW-16){products[31]}}, products[31:16]};
        end
        assign psum_o[j*PW +: 2*PW] = {psum1_q, psum0_q};
      end
    end
  endgenerate
endmodule
`default_nettype wire
