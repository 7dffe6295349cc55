// Gives a retired accumulator row its output form: int8 saturated, int8 after a rounding right
// shift, or int32 as it stands. Plain int8 and int32 take one cycle, the shift takes three; the
// caller never mixes forms in flight. With SERIAL = 1 one lane a cycle goes through one shifter:
// a row then takes T + 2 cycles and the caller sends the next only when this one has left.
// Rows leave in order; the caller has reserved room for them.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_out #(
  parameter integer T      = 4,
  parameter integer SERIAL = 0
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire            shifted_i,     // form, stable while rows are under way
  input  wire            wide_i,
  input  wire [4:0]      shift_i,

  input  wire            in_valid_i,
  input  wire [T*32-1:0] in_row_i,

  output wire            out_valid_o,
  output wire [T*32-1:0] out_row_o,     // int8 forms: the low T bytes
  output wire            saturated_valid_o,
  output wire [T-1:0]    saturated_o    // lanes that saturation changed
);
  // Rounding to nearest, ties to even, of v / 2^s: floor plus one where the rest is above half,
  // or is half and the floor is odd. {floor, round bit, sticky} come from the shift.
  reg             direct_valid_q;
  reg  [T*32-1:0] direct_q;
  reg  [T-1:0]    direct_sat_q;
  wire [T*8-1:0]  direct_i8;
  wire [T-1:0]    direct_sat;

  genvar l;
  generate
    for (l = 0; l < T; l = l + 1) begin : g_direct
      ktpu_sat8 #(.WIDTH(32)) u_sat (
        .value_i(in_row_i[l*32 +: 32]), .value_o(direct_i8[l*8 +: 8]), .changed_o(direct_sat[l])
      );
    end
  endgenerate

  always @(posedge clk_i) begin
    direct_valid_q <= in_valid_i && !shifted_i;
    if (rst_i) direct_valid_q <= 1'b0;
  end
  always @(posedge clk_i) begin
    direct_q     <= wide_i ? in_row_i : {{(T*24){1'b0}}, direct_i8};
    direct_sat_q <= wide_i ? {T{1'b0}} : direct_sat;
  end

  wire           shift_valid;
  wire [T*8-1:0] shift_i8;
  wire [T-1:0]   shift_sat;
  generate
    if (SERIAL != 0) begin : g_serial
      ktpu_int8_shift_serial #(.T(T)) u_shift (
        .clk_i(clk_i), .rst_i(rst_i), .shift_i(shift_i),
        .in_valid_i(in_valid_i && shifted_i), .in_row_i(in_row_i),
        .out_valid_o(shift_valid), .out_row_o(shift_i8), .saturated_o(shift_sat)
      );
    end else begin : g_parallel
      reg [1:0] valid_q;
      always @(posedge clk_i) begin
        valid_q <= {valid_q[0], in_valid_i && shifted_i};
        if (rst_i) valid_q <= 2'b00;
      end
      reg out_valid_q;
      always @(posedge clk_i) begin
        out_valid_q <= valid_q[1];
        if (rst_i) out_valid_q <= 1'b0;
      end
      assign shift_valid = out_valid_q;
      for (l = 0; l < T; l = l + 1) begin : g_lane
        ktpu_int8_shift u_shift (
          .clk_i(clk_i), .shift_i(shift_i), .value_i(in_row_i[l*32 +: 32]),
          .value_o(shift_i8[l*8 +: 8]), .saturated_o(shift_sat[l])
        );
      end
    end
  endgenerate

  assign out_valid_o       = direct_valid_q || shift_valid;
  assign out_row_o         = shift_valid ? {{(T*24){1'b0}}, shift_i8} : direct_q;
  assign saturated_valid_o = out_valid_o;
  assign saturated_o       = shift_valid ? shift_sat : direct_sat_q;
endmodule
`default_nettype wire
