// SPDX-License-Identifier: Apache-2.0
// ktpu_mul8x2 round the ECP5's MULT18X18D, simulated with the netlists' model of the cell (the
// maker's is not free): what the part makes of its parameters is not shown.
`include "../netlist/ecp5_cells.v"
`define KTPU_ECP5
`default_nettype none
`define BENCH "tb_ktpu_mul8x2_ecp5"
module tb_ktpu_mul8x2_ecp5;
`include "mul8x2_bench.vh"
endmodule
`default_nettype wire
