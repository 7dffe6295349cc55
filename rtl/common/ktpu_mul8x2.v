// SPDX-License-Identifier: Apache-2.0
// Two signed 8 x 8 products with a common factor: product k = a * b[8k +: 8], registered operands
// (b only where b_we_i) and registered products: two cycles from a_i to product_o.
// With KTPU_ICE40 defined both products share one SB_MAC16, instanced by hand: yosys' -dsp would
// spend a whole block on each, and rewrites a hand-made dual instance (docs/decisions/dsp.md).
// With KTPU_ECP5 the operands lie in the upper bits of 18, so that no sign bit goes to eleven pins
// of a multiplier, and each pair has an a of its own, which stays beside it: yosys merges equal
// registers that are not kept.
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
  reg [7:0]  a_q, b0_q, b1_q;
  reg [15:0] product0_q, product1_q;
  wire signed [17:0] a_wide  = {a_q, 10'd0};
  wire signed [17:0] b0_wide = {b0_q, 10'd0};
  wire signed [17:0] b1_wide = {b1_q, 10'd0};
  wire signed [35:0] product0 = a_wide * b0_wide;
  wire signed [35:0] product1 = a_wide * b1_wide;
  wire unused_low = &{1'b0, product0[19:0], product1[19:0]};
  (* keep *) always @(posedge clk_i) a_q <= a_i;
  always @(posedge clk_i) begin
    if (b_we_i) begin
      b0_q <= b_i[7:0];
      b1_q <= b_i[15:8];
    end
    product0_q <= product0[35:20];
    product1_q <= product1[35:20];
  end
  assign product_o = {product1_q, product0_q};
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
