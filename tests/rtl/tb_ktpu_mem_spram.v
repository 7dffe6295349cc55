// SPDX-License-Identifier: Apache-2.0
// ktpu_mem_spram over the behaviour of its RAMs: see mem_bench.vh.
`default_nettype none
`define BENCH "tb_ktpu_mem_spram"
`define MODULE ktpu_mem_spram
module tb_ktpu_mem_spram;
  localparam integer WORDS = 16384, AB = 17, MAX_R = 1, MAX_W = 2, UNDER_WAY = 64, LATENCY = 1;
`include "mem_bench.vh"
endmodule
`default_nettype wire
