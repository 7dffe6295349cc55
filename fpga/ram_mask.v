// SPDX-License-Identifier: Apache-2.0
// Applied after yosys has chosen block RAMs and before it maps them to SB_RAM40_4K: a write enable
// that all bits share goes to the RAM's clock enable, and yosys 0.23 takes it, inverted, to the
// sixteen mask pins of each RAM as well. Those pins take wires that others need: bits that are
// enabled with the RAM need no mask.
`default_nettype none
(* techmap_celltype = "$__ICE40_RAM4K_" *)
module ktpu_ram_mask #(
  parameter INIT                = 0,
  parameter OPTION_HAS_BE       = 1,
  parameter PORT_R_WIDTH        = 16,
  parameter PORT_W_WIDTH        = 16,
  parameter PORT_W_WR_BE_WIDTH  = 16,
  parameter PORT_R_CLK_POL      = 1,
  parameter PORT_W_CLK_POL      = 1,
  // from techmap: how many bits name a signal, the names, and which bits are constant
  parameter integer _TECHMAP_BITS_CONNMAP_ = 0,
  parameter [_TECHMAP_BITS_CONNMAP_-1:0]    _TECHMAP_CONNMAP_PORT_W_WR_EN_ = 0,
  parameter [16*_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_PORT_W_WR_BE_ = 0,
  parameter [0:0]                           _TECHMAP_CONSTMSK_PORT_W_WR_EN_ = 0
) (
  input  wire                    PORT_R_CLK,
  input  wire                    PORT_R_RD_EN,
  input  wire [10:0]             PORT_R_ADDR,
  output wire [PORT_R_WIDTH-1:0] PORT_R_RD_DATA,
  input  wire                    PORT_W_CLK,
  input  wire                    PORT_W_WR_EN,
  input  wire [15:0]             PORT_W_WR_BE,
  input  wire [10:0]             PORT_W_ADDR,
  input  wire [PORT_W_WIDTH-1:0] PORT_W_WR_DATA
);
  localparam integer NAME = _TECHMAP_BITS_CONNMAP_;
  function [15:0] shared(input integer unused);
    integer i;
    for (i = 0; i < 16; i = i + 1)
      shared[i] = _TECHMAP_CONNMAP_PORT_W_WR_BE_[i*NAME +: NAME] == _TECHMAP_CONNMAP_PORT_W_WR_EN_;
  endfunction
  localparam [15:0] ENABLED = shared(0);          // bits that are enabled with the RAM
  wire _TECHMAP_FAIL_ = _TECHMAP_CONSTMSK_PORT_W_WR_EN_ != 1'b0 || ENABLED == 16'd0;

  \$__ICE40_RAM4K_ #(
    .INIT(INIT), .OPTION_HAS_BE(OPTION_HAS_BE), .PORT_R_WIDTH(PORT_R_WIDTH),
    .PORT_W_WIDTH(PORT_W_WIDTH), .PORT_W_WR_BE_WIDTH(PORT_W_WR_BE_WIDTH),
    .PORT_R_CLK_POL(PORT_R_CLK_POL), .PORT_W_CLK_POL(PORT_W_CLK_POL)
  ) _TECHMAP_REPLACE_ (
    .PORT_R_CLK(PORT_R_CLK), .PORT_R_RD_EN(PORT_R_RD_EN), .PORT_R_ADDR(PORT_R_ADDR),
    .PORT_R_RD_DATA(PORT_R_RD_DATA), .PORT_W_CLK(PORT_W_CLK), .PORT_W_WR_EN(PORT_W_WR_EN),
    .PORT_W_WR_BE(PORT_W_WR_BE | ENABLED), .PORT_W_ADDR(PORT_W_ADDR),
    .PORT_W_WR_DATA(PORT_W_WR_DATA)
  );
endmodule
`default_nettype wire
