// SPDX-License-Identifier: Apache-2.0
// ECP5 cells that yosys has no behaviour for, as far as the boards use them: written from the sense
// that yosys' mapping gives them, so what a part makes of its parameters is not covered. A use that
// is not modelled names a module that does not exist.
`default_nettype none

// Block RAM, both ports equally wide. Contents at start are random. What a port reads where the
// other one writes at the same edge is rubbish.
module DP16KD #(
  parameter DATA_WIDTH_A = 18, parameter DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG", parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC", parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000", parameter CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL", parameter WRITEMODE_B = "NORMAL",
  parameter CLKAMUX = "CLKA", parameter CLKBMUX = "CLKB", parameter GSR = "ENABLED",
  parameter INITVAL_00 = 320'd0, parameter INITVAL_01 = 320'd0, parameter INITVAL_02 = 320'd0,
  parameter INITVAL_03 = 320'd0, parameter INITVAL_04 = 320'd0, parameter INITVAL_05 = 320'd0,
  parameter INITVAL_06 = 320'd0, parameter INITVAL_07 = 320'd0, parameter INITVAL_08 = 320'd0,
  parameter INITVAL_09 = 320'd0, parameter INITVAL_0A = 320'd0, parameter INITVAL_0B = 320'd0,
  parameter INITVAL_0C = 320'd0, parameter INITVAL_0D = 320'd0, parameter INITVAL_0E = 320'd0,
  parameter INITVAL_0F = 320'd0, parameter INITVAL_10 = 320'd0, parameter INITVAL_11 = 320'd0,
  parameter INITVAL_12 = 320'd0, parameter INITVAL_13 = 320'd0, parameter INITVAL_14 = 320'd0,
  parameter INITVAL_15 = 320'd0, parameter INITVAL_16 = 320'd0, parameter INITVAL_17 = 320'd0,
  parameter INITVAL_18 = 320'd0, parameter INITVAL_19 = 320'd0, parameter INITVAL_1A = 320'd0,
  parameter INITVAL_1B = 320'd0, parameter INITVAL_1C = 320'd0, parameter INITVAL_1D = 320'd0,
  parameter INITVAL_1E = 320'd0, parameter INITVAL_1F = 320'd0, parameter INITVAL_20 = 320'd0,
  parameter INITVAL_21 = 320'd0, parameter INITVAL_22 = 320'd0, parameter INITVAL_23 = 320'd0,
  parameter INITVAL_24 = 320'd0, parameter INITVAL_25 = 320'd0, parameter INITVAL_26 = 320'd0,
  parameter INITVAL_27 = 320'd0, parameter INITVAL_28 = 320'd0, parameter INITVAL_29 = 320'd0,
  parameter INITVAL_2A = 320'd0, parameter INITVAL_2B = 320'd0, parameter INITVAL_2C = 320'd0,
  parameter INITVAL_2D = 320'd0, parameter INITVAL_2E = 320'd0, parameter INITVAL_2F = 320'd0,
  parameter INITVAL_30 = 320'd0, parameter INITVAL_31 = 320'd0, parameter INITVAL_32 = 320'd0,
  parameter INITVAL_33 = 320'd0, parameter INITVAL_34 = 320'd0, parameter INITVAL_35 = 320'd0,
  parameter INITVAL_36 = 320'd0, parameter INITVAL_37 = 320'd0, parameter INITVAL_38 = 320'd0,
  parameter INITVAL_39 = 320'd0, parameter INITVAL_3A = 320'd0, parameter INITVAL_3B = 320'd0,
  parameter INITVAL_3C = 320'd0, parameter INITVAL_3D = 320'd0, parameter INITVAL_3E = 320'd0,
  parameter INITVAL_3F = 320'd0
) (
  input  wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6,
    DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
  input  wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1,
    ADA0,
  input  wire CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6,
    DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
  input  wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6,
    DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
  input  wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1,
    ADB0,
  input  wire CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6,
    DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
  localparam integer W   = DATA_WIDTH_A;
  localparam integer LOW = W == 36 ? 5 : W == 18 ? 4 : W == 9 ? 3 : W == 4 ? 2 : W == 2 ? 1 : 0;
  localparam integer LANES = W == 36 ? 4 : W == 18 ? 2 : 1;
  localparam integer LW    = W / LANES;
  generate
    if (DATA_WIDTH_A != DATA_WIDTH_B || REGMODE_A != "NOREG" || REGMODE_B != "NOREG"
  || CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000")
    begin : g_bad
      ktpu_netlist_this_use_of_dp16kd_has_no_model u_stop ();
    end
  endgenerate

  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7,
    DIA6, DIA5,
                DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7,
    DIB6, DIB5,
                DIB4, DIB3, DIB2, DIB1, DIB0};
  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2,
    ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2,
    ADB1, ADB0};
  wire [35:0] wa = {W == 36 ? dib : 18'd0, dia};
  wire        cea = CEA && {CSA2, CSA1, CSA0} == 3'd0;
  wire        ceb = CEB && {CSB2, CSB1, CSB0} == 3'd0;

  reg  [W-1:0]  mem_q [0:(16384 >> LOW) - 1];
  reg  [W-1:0]  qa_q, qb_q;
  wire [13-LOW:0] rowa = ada[13:LOW];
  wire [13-LOW:0] rowb = adb[13:LOW];
  wire [3:0]    lanes_a = LANES == 1 ? 4'd1 : LANES == 2 ? {2'd0, ada[1:0]} : ada[3:0];
  wire [3:0]    lanes_b = LANES == 1 ? 4'd1 : LANES == 2 ? {2'd0, adb[1:0]} : adb[3:0];
  wire          wea = cea && WEA && lanes_a != 4'd0;
  wire          web = ceb && WEB && W != 36 && lanes_b != 4'd0;
  wire [W-1:0]  mask_a, mask_b;
  genvar k;
  generate
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
      assign mask_a[k*LW +: LW] = {LW{lanes_a[k]}};
      assign mask_b[k*LW +: LW] = {LW{lanes_b[k]}};
    end
  endgenerate
  wire [W-1:0]  newa = (wa[W-1:0] & mask_a) | (mem_q[rowa] & ~mask_a);
  wire [W-1:0]  newb = (dib[(W == 36 ? 18 : W)-1:0] & mask_b) | (mem_q[rowb] & ~mask_b);
  wire          meet = rowa == rowb;

  always @(posedge CLKA) begin
    if (wea) mem_q[rowa] <= newa;
    if (cea && W != 36) begin
      if (!wea) qa_q <= meet && web ? ~mem_q[rowa] : mem_q[rowa];
      else if (WRITEMODE_A == "WRITETHROUGH") qa_q <= newa;
      else if (WRITEMODE_A == "READBEFOREWRITE") qa_q <= mem_q[rowa];
    end
  end
  always @(posedge CLKB) begin
    if (web) mem_q[rowb] <= newb;
    if (ceb) begin
      if (!web) qb_q <= meet && wea ? ~mem_q[rowb] : mem_q[rowb];
      else if (WRITEMODE_B == "WRITETHROUGH") qb_q <= newb;
      else if (WRITEMODE_B == "READBEFOREWRITE") qb_q <= mem_q[rowb];
    end
  end

  wire [35:0] oa = {{(36-W){1'b0}}, W == 36 ? qb_q : qa_q};
  wire [35:0] ob = {{(36-W){1'b0}}, qb_q};
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
                DOA4, DOA3, DOA2, DOA1, DOA0} = oa[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
                DOB4, DOB3, DOB2, DOB1, DOB0} = W == 36 ? ob[35:18] : ob[17:0];
endmodule

// Multiplier; input, pipeline and output registers where they are on.
module MULT18X18D #(
  parameter REG_INPUTA_CLK = "NONE", parameter REG_INPUTA_CE = "CE0",
  parameter REG_INPUTA_RST = "RST0", parameter REG_INPUTB_CLK = "NONE",
  parameter REG_INPUTB_CE = "CE0", parameter REG_INPUTB_RST = "RST0",
  parameter REG_INPUTC_CLK = "NONE", parameter REG_INPUTC_CE = "CE0",
  parameter REG_INPUTC_RST = "RST0", parameter REG_PIPELINE_CLK = "NONE",
  parameter REG_PIPELINE_CE = "CE0", parameter REG_PIPELINE_RST = "RST0",
  parameter REG_OUTPUT_CLK = "NONE", parameter REG_OUTPUT_CE = "CE0",
  parameter REG_OUTPUT_RST = "RST0", parameter CLK0_DIV = "ENABLED", parameter CLK1_DIV =
    "ENABLED",
  parameter CLK2_DIV = "ENABLED", parameter CLK3_DIV = "ENABLED", parameter HIGHSPEED_CLK =
    "NONE",
  parameter GSR = "ENABLED", parameter CAS_MATCH_REG = "FALSE", parameter SOURCEB_MODE =
    "B_SHIFT",
  parameter MULT_BYPASS = "DISABLED", parameter RESETMODE = "SYNC"
) (
  input  wire A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input  wire B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  input  wire C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  input  wire SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK3, CLK2, CLK1, CLK0, CE3, CE2, CE1, CE0,
    RST3, RST2, RST1, RST0,
  input  wire SRIA17, SRIA16, SRIA15, SRIA14, SRIA13, SRIA12, SRIA11, SRIA10, SRIA9, SRIA8, SRIA7,
    SRIA6, SRIA5, SRIA4, SRIA3, SRIA2, SRIA1, SRIA0, SRIB17, SRIB16, SRIB15, SRIB14, SRIB13,
    SRIB12, SRIB11, SRIB10, SRIB9, SRIB8, SRIB7, SRIB6, SRIB5, SRIB4, SRIB3, SRIB2, SRIB1, SRIB0,
  output wire SROA17, SROA16, SROA15, SROA14, SROA13, SROA12, SROA11, SROA10, SROA9, SROA8, SROA7,
    SROA6, SROA5, SROA4, SROA3, SROA2, SROA1, SROA0, SROB17, SROB16, SROB15, SROB14, SROB13,
    SROB12, SROB11, SROB10, SROB9, SROB8, SROB7, SROB6, SROB5, SROB4, SROB3, SROB2, SROB1, SROB0,
  output wire ROA17, ROA16, ROA15, ROA14, ROA13, ROA12, ROA11, ROA10, ROA9, ROA8, ROA7, ROA6,
    ROA5, ROA4, ROA3, ROA2, ROA1, ROA0, ROB17, ROB16, ROB15, ROB14, ROB13, ROB12, ROB11, ROB10,
    ROB9, ROB8, ROB7, ROB6, ROB5, ROB4, ROB3, ROB2, ROB1, ROB0, ROC17, ROC16, ROC15, ROC14, ROC13,
    ROC12, ROC11, ROC10, ROC9, ROC8, ROC7, ROC6, ROC5, ROC4, ROC3, ROC2, ROC1, ROC0,
  output wire P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19,
    P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0,
  output wire SIGNEDP
);
  generate
    if ((REG_INPUTA_CLK != "NONE" && REG_INPUTA_CLK != "CLK0")
        || (REG_INPUTB_CLK != "NONE" && REG_INPUTB_CLK != "CLK0")
        || (REG_PIPELINE_CLK != "NONE" && REG_PIPELINE_CLK != "CLK0")
        || (REG_OUTPUT_CLK != "NONE" && REG_OUTPUT_CLK != "CLK0")
        || MULT_BYPASS != "DISABLED" || RESETMODE != "SYNC") begin : g_bad
      ktpu_netlist_this_use_of_mult18x18d_has_no_model u_stop ();
    end
  endgenerate

  // A register's clock enable is CE0 to CE3, or always; its reset likewise.
  function enabled;
    input [31:0] name;
    input [3:0]  pins;
    enabled = name == "CE0" ? pins[0] : name == "CE1" ? pins[1] : name == "CE2" ? pins[2]
            : name == "CE3" ? pins[3] : 1'b1;
  endfunction
  function cleared;
    input [31:0] name;
    input [3:0]  pins;
    cleared = name == "RST0" ? pins[0] : name == "RST1" ? pins[1] : name == "RST2" ? pins[2]
            : name == "RST3" ? pins[3] : 1'b0;
  endfunction
  wire [3:0] ce  = {CE3, CE2, CE1, CE0};
  wire [3:0] rst = {RST3, RST2, RST1, RST0};

  wire signed [18:0] a_in = {SIGNEDA && A17, {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8,
    A7, A6, A5, A4, A3, A2, A1, A0}};
  wire signed [18:0] b_in = {SIGNEDB && B17, {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8,
    B7, B6, B5, B4, B3, B2, B1, B0}};
  reg  signed [18:0] a_q, b_q;
  reg         [35:0] pipe_q, out_q;
  wire signed [18:0] a = REG_INPUTA_CLK == "NONE" ? a_in : a_q;
  wire signed [18:0] b = REG_INPUTB_CLK == "NONE" ? b_in : b_q;
  wire signed [37:0] product = a * b;
  wire [35:0]        pipe = REG_PIPELINE_CLK == "NONE" ? product[35:0] : pipe_q;

  always @(posedge CLK0) begin
    if (cleared(REG_INPUTA_RST, rst)) a_q <= 19'd0;
    else if (enabled(REG_INPUTA_CE, ce)) a_q <= a_in;
    if (cleared(REG_INPUTB_RST, rst)) b_q <= 19'd0;
    else if (enabled(REG_INPUTB_CE, ce)) b_q <= b_in;
    if (cleared(REG_PIPELINE_RST, rst)) pipe_q <= 36'd0;
    else if (enabled(REG_PIPELINE_CE, ce)) pipe_q <= product[35:0];
    if (cleared(REG_OUTPUT_RST, rst)) out_q <= 36'd0;
    else if (enabled(REG_OUTPUT_CE, ce)) out_q <= pipe;
  end

  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19,
    P18,
                P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2,
                P1, P0} = REG_OUTPUT_CLK == "NONE" ? pipe : out_q;
  assign SIGNEDP = SIGNEDA || SIGNEDB;
  assign {ROA17, ROA16, ROA15, ROA14, ROA13, ROA12, ROA11, ROA10, ROA9, ROA8, ROA7, ROA6, ROA5,
                ROA4, ROA3, ROA2, ROA1, ROA0} = a[17:0];
  assign {ROB17, ROB16, ROB15, ROB14, ROB13, ROB12, ROB11, ROB10, ROB9, ROB8, ROB7, ROB6, ROB5,
                ROB4, ROB3, ROB2, ROB1, ROB0} = b[17:0];
  assign {ROC17, ROC16, ROC15, ROC14, ROC13, ROC12, ROC11, ROC10, ROC9, ROC8, ROC7, ROC6, ROC5,
                ROC4, ROC3, ROC2, ROC1, ROC0} = 18'd0;
  assign {SROA17, SROA16, SROA15, SROA14, SROA13, SROA12, SROA11, SROA10, SROA9, SROA8, SROA7,
                SROA6, SROA5, SROA4, SROA3, SROA2, SROA1, SROA0} = a[17:0];
  assign {SROB17, SROB16, SROB15, SROB14, SROB13, SROB12, SROB11, SROB10, SROB9, SROB8, SROB7,
                SROB6, SROB5, SROB4, SROB3, SROB2, SROB1, SROB0} = b[17:0];
endmodule

// PLL: the pin carries the board's clock; locked after 128 cycles.
module EHXPLLL #(
  parameter CLKI_DIV = 1, parameter CLKFB_DIV = 1, parameter CLKOP_DIV = 8, parameter CLKOS_DIV
    = 8,
  parameter CLKOS2_DIV = 8, parameter CLKOS3_DIV = 8, parameter CLKOP_ENABLE = "ENABLED",
  parameter CLKOS_ENABLE = "DISABLED", parameter CLKOS2_ENABLE = "DISABLED",
  parameter CLKOS3_ENABLE = "DISABLED", parameter CLKOP_CPHASE = 0, parameter CLKOS_CPHASE = 0,
  parameter CLKOS2_CPHASE = 0, parameter CLKOS3_CPHASE = 0, parameter CLKOP_FPHASE = 0,
  parameter CLKOS_FPHASE = 0, parameter CLKOS2_FPHASE = 0, parameter CLKOS3_FPHASE = 0,
  parameter FEEDBK_PATH = "CLKOP", parameter OUTDIVIDER_MUXA = "DIVA",
  parameter OUTDIVIDER_MUXB = "DIVB", parameter OUTDIVIDER_MUXC = "DIVC",
  parameter OUTDIVIDER_MUXD = "DIVD", parameter STDBY_ENABLE = "DISABLED",
  parameter DPHASE_SOURCE = "DISABLED", parameter PLLRST_ENA = "DISABLED",
  parameter INTFB_WAKE = "DISABLED"
) (
  input  wire CLKI, CLKFB, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, STDBY,
    PLLWAKESYNC, RST, ENCLKOP, ENCLKOS, ENCLKOS2, ENCLKOS3,
  output wire CLKOP, CLKOS, CLKOS2, CLKOS3, LOCK, INTLOCK, REFCLK, CLKINTFB
);
  reg [7:0] cycles_q;
  initial cycles_q = 8'd0;
  always @(posedge CLKI) if (!LOCK) cycles_q <= cycles_q + 8'd1;

  assign CLKOP    = CLKI;
  assign LOCK     = cycles_q[7];
  assign INTLOCK  = cycles_q[7];
  assign REFCLK   = CLKI;
  assign CLKINTFB = 1'b0;
  assign {CLKOS, CLKOS2, CLKOS3} = 3'd0;
endmodule

// A pin's buffer.
module TRELLIS_IO #(
  parameter DIR = "INPUT"
) (
  inout  wire B,
  input  wire I,
  input  wire T,
  output wire O
);
  assign B = T ? 1'bz : I;
  assign O = B;
endmodule
`default_nettype wire
