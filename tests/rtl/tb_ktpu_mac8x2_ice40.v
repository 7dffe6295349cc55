// SPDX-License-Identifier: Apache-2.0
// ktpu_mac8x2 round the iCE40's SB_MAC16, simulated with the maker's model of the cell (Yosys').
`define NO_ICE40_DEFAULT_ASSIGNMENTS
`include "ice40/cells_sim.v"
`define KTPU_ICE40
`default_nettype none
`define BENCH "tb_ktpu_mac8x2_ice40"
module tb_ktpu_mac8x2_ice40;
`include "mac8x2_bench.vh"
endmodule
`default_nettype wire
