// SPDX-License-Identifier: Apache-2.0
// Two signed 8 x 8 products with a common factor: product k = a * b[8k +: 8], registered operands
// (b only where b_we_i) and registered products: two cycles from a_i to product_o.
// With KTPU_ICE40 defined both products share one SB_MAC16, instanced by hand: yosys' -dsp would
// spend a whole block on each, and rewrites a hand-made dual instance (docs/decisions/dsp.md).
// With KTPU_ECP5 each product has a MULT18X18D, likewise with the block's own registers, which
// yosys does not use: one wire between two registers instead of a wire, the block and a wire. The
// operands lie in the upper bits of 18, so that no sign bit goes to eleven pins. Every enable and
// reset is wired: nextpnr leaves those open that are not named, and an open pin is a 1. The shift
// chain's pins have no way from the fabric.
`default_nettype none
module ktpu_mul8x2 (
  input  wire        clk_i,
  input  wire        b_we_i,
  input  wire [7:0]  a_i,
  input  wire [15:0] b_i,
  output wire [31:0] product_o
);
`ifdef KTPU_ICE40
  wire [31:0] mac_out;
  SB_MAC16 #(
    .NEG_TRIGGER(1'b0),
    .C_REG(1'b0), .A_REG(1'b1), .B_REG(1'b1), .D_REG(1'b0),
    .TOP_8x8_MULT_REG(1'b1), .BOT_8x8_MULT_REG(1'b1),
    .PIPELINE_16x16_MULT_REG1(1'b1), .PIPELINE_16x16_MULT_REG2(1'b0),
    .TOPOUTPUT_SELECT(2'b10), .BOTOUTPUT_SELECT(2'b10),
    .TOPADDSUB_LOWERINPUT(2'b00), .TOPADDSUB_UPPERINPUT(1'b0), .TOPADDSUB_CARRYSELECT(2'b00),
    .BOTADDSUB_LOWERINPUT(2'b00), .BOTADDSUB_UPPERINPUT(1'b0), .BOTADDSUB_CARRYSELECT(2'b00),
    .MODE_8x8(1'b1), .A_SIGNED(1'b1), .B_SIGNED(1'b1)
  ) u_mac (
    .CLK(clk_i), .CE(1'b1),
    .A(b_i), .B({a_i, a_i}), .C(16'd0), .D(16'd0),
    .AHOLD(!b_we_i), .BHOLD(1'b0), .CHOLD(1'b0), .DHOLD(1'b0),
    .IRSTTOP(1'b0), .IRSTBOT(1'b0), .ORSTTOP(1'b0), .ORSTBOT(1'b0),
    .OLOADTOP(1'b0), .OLOADBOT(1'b0), .ADDSUBTOP(1'b0), .ADDSUBBOT(1'b0),
    .OHOLDTOP(1'b0), .OHOLDBOT(1'b0), .CI(1'b0), .ACCUMCI(1'b0), .SIGNEXTIN(1'b0),
    .O(mac_out), .CO(), .ACCUMCO(), .SIGNEXTOUT()
  );
  assign product_o = mac_out;
`elsif KTPU_ECP5
  genvar k;
  generate
    for (k = 0; k < 2; k = k + 1) begin : g_product
      wire [7:0]  b = b_i[8*k +: 8];
      wire [15:0] p;
      MULT18X18D #(
        .REG_INPUTA_CLK("CLK0"), .REG_INPUTA_CE("CE0"), .REG_INPUTA_RST("RST0"),
        .REG_INPUTB_CLK("CLK0"), .REG_INPUTB_CE("CE1"), .REG_INPUTB_RST("RST0"),
        .REG_PIPELINE_CLK("NONE"), .REG_OUTPUT_CLK("CLK0"), .RESETMODE("SYNC"), .GSR("DISABLED")
      ) u_mult (
        .CLK0(clk_i), .CE0(1'b1), .CE1(b_we_i), .CE2(1'b1), .CE3(1'b1),
        .RST0(1'b0), .RST1(1'b0), .RST2(1'b0), .RST3(1'b0),
        .SIGNEDA(1'b1), .SIGNEDB(1'b1), .SOURCEA(1'b0), .SOURCEB(1'b0),
        .A17(a_i[7]), .A16(a_i[6]), .A15(a_i[5]), .A14(a_i[4]),
        .A13(a_i[3]), .A12(a_i[2]), .A11(a_i[1]), .A10(a_i[0]),
        .A9(1'b0), .A8(1'b0), .A7(1'b0), .A6(1'b0), .A5(1'b0),
        .A4(1'b0), .A3(1'b0), .A2(1'b0), .A1(1'b0), .A0(1'b0),
        .B17(b[7]), .B16(b[6]), .B15(b[5]), .B14(b[4]),
        .B13(b[3]), .B12(b[2]), .B11(b[1]), .B10(b[0]),
        .B9(1'b0), .B8(1'b0), .B7(1'b0), .B6(1'b0), .B5(1'b0),
        .B4(1'b0), .B3(1'b0), .B2(1'b0), .B1(1'b0), .B0(1'b0),
        .P35(p[15]), .P34(p[14]), .P33(p[13]), .P32(p[12]),
        .P31(p[11]), .P30(p[10]), .P29(p[9]), .P28(p[8]),
        .P27(p[7]), .P26(p[6]), .P25(p[5]), .P24(p[4]),
        .P23(p[3]), .P22(p[2]), .P21(p[1]), .P20(p[0])
      );
      assign product_o[16*k +: 16] = p;
    end
  endgenerate
`else
  reg signed [7:0]  a_q, b0_q, b1_q;
  reg signed [15:0] product0_q, product1_q;
  always @(posedge clk_i) begin
    a_q <= a_i;
    if (b_we_i) begin
      b0_q <= b_i[7:0];
      b1_q <= b_i[15:8];
    end
    product0_q <= a_q * b0_q;
    product1_q <= a_q * b1_q;
  end
  assign product_o = {product1_q, product0_q};
`endif
endmodule
`default_nettype wire
