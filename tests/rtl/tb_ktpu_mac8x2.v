// SPDX-License-Identifier: Apache-2.0
// ktpu_mac8x2 as every build but the iCE40's has it.
`default_nettype none
`define BENCH "tb_ktpu_mac8x2"
module tb_ktpu_mac8x2;
`include "mac8x2_bench.vh"
endmodule
`default_nettype wire
