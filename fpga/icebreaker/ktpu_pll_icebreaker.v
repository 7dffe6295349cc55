// SPDX-License-Identifier: Apache-2.0
// Clock of the iCEBreaker: CLOCK_HZ (24, 27 or 30 MHz) from the 12 MHz at pin 35. With KTPU_ICE40
// defined it is the PLL whose input is that pin itself: SB_PLL40_CORE cannot be placed there. In
// simulation the pin carries CLOCK_HZ and goes straight through. f = 12 MHz * (DIVF + 1) /
// 2**DIVQ, VCO 768 to 960 MHz of 533 to 1066 (Lattice FPGA-TN-02052, sysCLOCK PLL Design and User
// Guide).
`default_nettype none
module ktpu_pll_icebreaker #(
  parameter integer CLOCK_HZ = 24000000
) (
  input  wire clk_i,                      // the pin
  output wire clk_o,
  output wire locked_o
);
  generate
    if (CLOCK_HZ != 24000000 && CLOCK_HZ != 27000000 && CLOCK_HZ != 30000000) begin : g_bad_clock
      ktpu_param_error_icebreaker_clock_is_24_27_or_30_mhz u_stop ();
    end
  endgenerate
`ifdef KTPU_ICE40
  localparam [6:0] DIVF = CLOCK_HZ == 30000000 ? 7'd79 : CLOCK_HZ == 27000000 ? 7'd71 : 7'd63;
  SB_PLL40_PAD #(
    .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(DIVF), .DIVQ(3'd5), .FILTER_RANGE(3'd1)
  ) u_cell (
    .PACKAGEPIN(clk_i), .PLLOUTGLOBAL(clk_o), .PLLOUTCORE(), .LOCK(locked_o),
    .RESETB(1'b1), .BYPASS(1'b0), .EXTFEEDBACK(1'b0), .DYNAMICDELAY(8'd0), .LATCHINPUTVALUE(1'b0),
    .SDI(1'b0), .SDO(), .SCLK(1'b0)
  );
`else
  assign clk_o    = clk_i;
  assign locked_o = 1'b1;
`endif
endmodule
`default_nettype wire
