// SPDX-License-Identifier: Apache-2.0
// ktpu_mem_bram, with two banks, with read and write bursts: see mem_bench.vh.
`default_nettype none
`define BENCH "tb_ktpu_mem_bram"
`define MODULE ktpu_mem_bram #(.BYTES(262144), .ADDR_BITS(18))
module tb_ktpu_mem_bram;
  localparam integer WORDS = 32768, AB = 18, MAX_R = 9, MAX_W = 7, UNDER_WAY = 60, LATENCY = 4;
`include "mem_bench.vh"
endmodule
`default_nettype wire
