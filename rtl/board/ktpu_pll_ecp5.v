// SPDX-License-Identifier: Apache-2.0
// Clock of an ECP5 board: CLOCK_HZ (60, 90, 100 or 120 MHz) from a pin with INPUT_HZ (12 or 100
// MHz). With KTPU_ECP5 defined it is an EHXPLLL (Lattice FPGA-TN-02200, ECP5 and ECP5-5G sysCLOCK
// PLL/DLL Design and Usage Guide) with the dividers that ecppll gives: VCO 600 or 630 MHz of 400 to
// 800. In simulation the pin carries CLOCK_HZ and goes straight through.
`default_nettype none
module ktpu_pll_ecp5 #(
  parameter integer INPUT_HZ = 12000000,
  parameter integer CLOCK_HZ = 90000000
) (
  input  wire clk_i,                      // the pin
  output wire clk_o,
  output wire locked_o
);
  generate
    if (INPUT_HZ != 12000000 && INPUT_HZ != 100000000) begin : g_bad_input
      ktpu_param_error_pll_input_is_12_or_100_mhz u_stop ();
    end
    if (CLOCK_HZ != 60000000 && CLOCK_HZ != 90000000 && CLOCK_HZ != 100000000
        && CLOCK_HZ != 120000000) begin : g_bad_clock
      ktpu_param_error_ecp5_clock_is_60_90_100_or_120_mhz u_stop ();
    end
  endgenerate
`ifdef KTPU_ECP5
  localparam integer SLOW = INPUT_HZ == 12000000;
  localparam integer MHZ  = CLOCK_HZ / 1000000;
  // CLOCK_HZ = INPUT_HZ * FB / IN, VCO = CLOCK_HZ * OUT
  localparam integer IN  = SLOW ? (MHZ == 90 ? 2 : MHZ == 100 ? 3 : 1)
                                : (MHZ == 90 ? 10 : MHZ == 100 ? 1 : 5);
  localparam integer FB  = SLOW ? (MHZ == 60 ? 5 : MHZ == 90 ? 15 : MHZ == 100 ? 25 : 10)
                                : (MHZ == 60 ? 3 : MHZ == 90 ? 9 : MHZ == 100 ? 1 : 6);
  localparam integer OUT = MHZ == 60 ? 10 : MHZ == 90 ? 7 : MHZ == 100 ? 6 : 5;
  (* ICP_CURRENT="12" *) (* LPF_RESISTOR="8" *) (* MFG_ENABLE_FILTEROPAMP="1" *)
  (* MFG_GMCREF_SEL="2" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"),
    .DPHASE_SOURCE("DISABLED"), .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"),
    .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"), .CLKI_DIV(IN), .CLKOP_ENABLE("ENABLED"),
    .CLKOP_DIV(OUT), .CLKOP_CPHASE(OUT / 2), .CLKOP_FPHASE(0), .FEEDBK_PATH("CLKOP"),
    .CLKFB_DIV(FB)
  ) u_cell (
    .RST(1'b0), .STDBY(1'b0), .CLKI(clk_i), .CLKOP(clk_o), .CLKFB(clk_o), .CLKINTFB(),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
    .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .LOCK(locked_o)
  );
`else
  assign clk_o    = clk_i;
  assign locked_o = 1'b1;
`endif
endmodule
`default_nettype wire
