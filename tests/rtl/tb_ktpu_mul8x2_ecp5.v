// SPDX-License-Identifier: Apache-2.0
// ktpu_mul8x2 as it is written for the ECP5: operands in the upper bits of 18.
`define KTPU_ECP5
`default_nettype none
`define BENCH "tb_ktpu_mul8x2_ecp5"
module tb_ktpu_mul8x2_ecp5;
`include "mul8x2_bench.vh"
endmodule
`default_nettype wire
