// saturate(RNE(value / 2^shift)) of one lane in three register stages: shift right with the bits
// shifted out kept as round and sticky, round to nearest with ties to even, saturate.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_shift (
  input  wire        clk_i,
  input  wire [4:0]  shift_i,
  input  wire [31:0] value_i,
  output reg  [7:0]  value_o,
  output reg         saturated_o
);
  // 32 bits of fraction below the value: floor above, the exact rest below.
  wire signed [63:0] shifted = $signed({value_i, 32'd0}) >>> shift_i;

  reg [31:0] floor_q;
  reg        half_q, sticky_q;
  reg [32:0] rounded_q;
  wire [7:0] sat;
  wire       changed;

  ktpu_sat8 #(.WIDTH(33)) u_sat (.value_i(rounded_q), .value_o(sat), .changed_o(changed));

  always @(posedge clk_i) begin
    floor_q     <= shifted[63:32];
    half_q      <= shifted[31];
    sticky_q    <= |shifted[30:0];
    rounded_q   <= {floor_q[31], floor_q} + {32'd0, half_q && (sticky_q || floor_q[0])};
    value_o     <= sat;
    saturated_o <= changed;
  end
endmodule
`default_nettype wire
