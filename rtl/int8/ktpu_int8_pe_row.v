// One row of the array: T products of one activation with T stationary weights, each added to the
// partial sum from above. Operand, product and sum are registered.
// A product is at most 2^14 in size, T of them at most 2^(14 + log2 T): PW = 16 + log2 T bits hold
// every partial sum.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_pe_row #(
  parameter integer T  = 4,
  parameter integer PW = 18
) (
  input  wire            clk_i,
  input  wire [7:0]      act_i,
  input  wire [T*8-1:0]  weight_i,
  input  wire            wload_i,
  input  wire [T*PW-1:0] psum_i,
  output wire [T*PW-1:0] psum_o
);
  // Columns in pairs: one multiplier block of some FPGAs holds two 8 x 8 products.
  genvar j;
  generate
    for (j = 0; j < T; j = j + 2) begin : g_pair
      wire [31:0] products;
      ktpu_mul8x2 u_mul (
        .clk_i(clk_i), .b_we_i(wload_i), .a_i(act_i), .b_i(weight_i[j*8 +: 16]),
        .product_o(products)
      );
      reg [PW-1:0] psum0_q, psum1_q;
      always @(posedge clk_i) begin
        psum0_q <= psum_i[j*PW +: PW]      + {{(PW-16){products[15]}}, products[15:0]};
        psum1_q <= psum_i[j*PW + PW +: PW] + {{(PW-16){products[31]}}, products[31:16]};
      end
      assign psum_o[j*PW +: 2*PW] = {psum1_q, psum0_q};
    end
  endgenerate
endmodule
`default_nettype wire
