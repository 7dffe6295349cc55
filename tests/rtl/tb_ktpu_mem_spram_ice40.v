// SPDX-License-Identifier: Apache-2.0
// ktpu_mem_spram over the iCE40's own cells (SPRAM, carry, LUT), simulated with Yosys' models.
`define NO_ICE40_DEFAULT_ASSIGNMENTS
`include "ice40/cells_sim.v"
`define KTPU_ICE40
`default_nettype none
`define BENCH "tb_ktpu_mem_spram_ice40"
`define MODULE ktpu_mem_spram
module tb_ktpu_mem_spram_ice40;
  localparam integer WORDS = 16384, AB = 17, MAX_R = 1, MAX_W = 2, UNDER_WAY = 64, LATENCY = 1;
`include "mem_bench.vh"
endmodule
`default_nettype wire
