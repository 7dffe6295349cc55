// SPDX-License-Identifier: Apache-2.0
// iCE40 cells that yosys has no behaviour for, as far as the boards use them.
`default_nettype none

// The PLL: the pin carries the board's clock; locked after 128 cycles.
module SB_PLL40_PAD (
  input  wire       PACKAGEPIN,
  output wire       PLLOUTCORE,
  output wire       PLLOUTGLOBAL,
  input  wire       EXTFEEDBACK,
  input  wire [7:0] DYNAMICDELAY,
  output wire       LOCK,
  input  wire       BYPASS,
  input  wire       RESETB,
  input  wire       LATCHINPUTVALUE,
  output wire       SDO,
  input  wire       SDI,
  input  wire       SCLK
);
  parameter FEEDBACK_PATH = "SIMPLE";
  parameter DIVR = 4'd0;
  parameter DIVF = 7'd0;
  parameter DIVQ = 3'd0;
  parameter FILTER_RANGE = 3'd0;

  reg [7:0] cycles_q;
  initial cycles_q = 8'd0;
  always @(posedge PACKAGEPIN) if (!LOCK) cycles_q <= cycles_q + 8'd1;

  assign PLLOUTCORE   = PACKAGEPIN;
  assign PLLOUTGLOBAL = PACKAGEPIN;
  assign LOCK         = cycles_q[7];
  assign SDO          = 1'b0;
endmodule
`default_nettype wire
