// SPDX-License-Identifier: Apache-2.0
// The output stage of small builds: one row register whose lanes shift right side by side, one bit
// a cycle, then rounding and saturation; words of T bytes leave. A row of int8 is one word two
// cycles after it came, a shifted one shift_i cycles later; a row of int32 is four words, lowest
// lanes first. The caller sends the next row when the last word of this one is past the row
// register.
`default_nettype none
module ktpu_int8_out_small #(
  parameter integer T = 4
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire            wide_i,        // int32; stable while rows are under way, as is shift_i
  input  wire [4:0]      shift_i,       // 0 where nothing is to be shifted

  input  wire            in_valid_i,
  input  wire [T*32-1:0] in_row_i,

  output reg             word_valid_q,
  output wire [T*8-1:0]  word_o,
  output wire [T-1:0]    saturated_o    // lanes that saturation changed
);
  reg [T*32-1:0] row_q;
  reg [T-1:0]    half_q, sticky_q;      // of what was shifted out
  reg            full_q;
  reg [4:0]      left_q;                // bits still to shift
  reg [1:0]      part_q;                // int32: the next word

  wire ready    = left_q == 5'd0;
  wire shifting = full_q && !ready;
  wire done     = full_q && ready;

  reg [T-1:0]   clip_q;
  reg [T*8-1:0] words_q;
  assign saturated_o = clip_q;
  genvar l;
  generate
    for (l = 0; l < T; l = l + 1) begin : g_lane
      wire [31:0] value = row_q[l*32 +: 32];
      wire        sign  = value[31];
      wire        up    = half_q[l] && (sticky_q[l] || value[0]);
      wire [7:0]  sum   = value[7:0] + {7'd0, up};
      // nine bits hold a value that may be rounded into range; then bit 7 of one of them tells
      wire        far   = value[30:8] != {23{sign}};
      wire        clip  = !wide_i && (far || sign != (value[7] || sum[7]));
      // one LUT a bit is left for the next cycle: low_q is the bit that clipping leaves, or whether
      // to take the sum
      reg         low_q;
      reg  [7:0]  sum_q;
      assign word_o[l*8 +: 8] = clip_q[l] ? {!low_q, {7{low_q}}} :
                                low_q ? sum_q : words_q[l*8 +: 8];
      always @(posedge clk_i) begin
        if (in_valid_i)    row_q[l*32 +: 32] <= in_row_i[l*32 +: 32];
        else if (shifting) row_q[l*32 +: 32] <= {sign, value[31:1]};
        if (in_valid_i) begin
          half_q[l]   <= 1'b0;
          sticky_q[l] <= 1'b0;
        end else if (shifting) begin
          half_q[l]   <= value[0];
          sticky_q[l] <= sticky_q[l] || half_q[l];
        end
        clip_q[l] <= clip;
        low_q     <= clip ? !sign : !wide_i;
        sum_q     <= sum;
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    full_q       <= in_valid_i || (full_q && !(ready && (!wide_i || part_q == 2'd3)));
    word_valid_q <= done;
    if (rst_i) begin
      full_q       <= 1'b0;
      word_valid_q <= 1'b0;
    end
  end
  always @(posedge clk_i) begin
    words_q <= row_q[part_q * (T*8) +: T*8];
    if (in_valid_i)    left_q <= shift_i;
    else if (shifting) left_q <= left_q - 5'd1;
    if (in_valid_i) part_q <= 2'd0;
    else if (done)  part_q <= part_q + 2'd1;
  end
endmodule
`default_nettype wire
