// SPDX-License-Identifier: Apache-2.0
// saturate(RNE(value / 2^shift)) of one lane: shift right with the bits shifted out kept as round
// and sticky, a register, round to nearest with ties to even, a register, saturate. PIPELINE = 1:
// a register more, after the shift by whole bytes.
`default_nettype none
module ktpu_int8_shift #(
  parameter integer PIPELINE = 0
) (
  input  wire        clk_i,
  input  wire        first_i,      // PIPELINE: a value is at the input
  input  wire [2:0]  stage_i,      // ... is at the (fine) shift, past it, past the rounding
  input  wire [4:0]  shift_i,      // register; what has no value is not worked out
  input  wire [31:0] value_i,
  output reg  [7:0]  value_o,      // with stage_i[2]
  output reg         saturated_o
);
  reg signed [63:0] shifted;       // 32 bits of fraction below the value: nothing is lost
  reg [31:0] floor_q;
  reg        half_q, sticky_q;
  reg [7:0]  rounded_q;
  reg        sign_q, past_q;       // of the value; its rounded one does not fit in 8 bits
  // what rounding does to the edges: 127 leaves the range, -129 comes into it
  wire       up      = half_q && (sticky_q || floor_q[0]);
  wire       outside = floor_q[31:7] != {25{floor_q[31]}};
  wire       at_top  = floor_q[7:0] == 8'h7f;
  wire       negative_edge = floor_q[31:8] == 24'hffffff;   // with at_top: -129

  generate
    if (PIPELINE != 0) begin : g_two_shifts
      // what whole bytes push below the last bit that the fine shift can still reach
      reg               below, below_q;
      reg signed [39:0] bytes_q, fine;     // 8 bits of fraction
      reg signed [63:0] bytes;
      always @* begin
        below = 1'b0;
        case (shift_i[4:3])
          2'd1:    below = 1'b0;
          2'd2:    below = |value_i[7:0];
          2'd3:    below = |value_i[15:0];
          default: below = 1'b0;
        endcase
        bytes = $signed({value_i, 32'd0}) >>> {shift_i[4:3], 3'd0};
      end
      always @(posedge clk_i)
        if (first_i) begin
          bytes_q <= bytes[63:24];
          below_q <= below;
        end
      reg [13:0] low;                      // bits that come to lie below the half
      always @* begin
        fine    = 40'd0;
        low     = 14'd0;
        shifted = 64'd0;
        if (stage_i[0]) begin
          fine    = bytes_q >>> shift_i[2:0];
          low     = bytes_q[13:0] & ~(14'h3f80 << shift_i[2:0]);
          shifted = {fine[39:7], 30'd0, below_q || low != 14'd0};
        end
      end
      wire unused_bytes = &{1'b0, bytes[23:0], fine[6:0]};
    end else begin : g_one_shift
      wire unused_first = first_i;
      always @* begin
        shifted = 64'd0;
        if (stage_i[0]) shifted = $signed({value_i, 32'd0}) >>> shift_i;
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (stage_i[0]) begin
      floor_q  <= shifted[63:32];
      half_q   <= shifted[31];
      sticky_q <= |shifted[30:0];
    end
    if (stage_i[1]) begin
      rounded_q <= floor_q[7:0] + {7'd0, up};
      sign_q    <= floor_q[31];
      past_q    <= outside ? !(up && at_top && negative_edge) : (up && at_top);
    end
  end

  always @* begin
    value_o     = 8'd0;
    saturated_o = 1'b0;
    if (stage_i[2]) begin
      saturated_o = past_q;
      value_o     = past_q ? {sign_q, {7{!sign_q}}} : rounded_q;
    end
  end
endmodule
`default_nettype wire
