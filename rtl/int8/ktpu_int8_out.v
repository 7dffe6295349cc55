// SPDX-License-Identifier: Apache-2.0
// Gives a retired accumulator row its output form: int8 saturated, int8 after a rounding right
// shift, or int32 as it stands. Plain int8 and int32 take one cycle, the shift takes three, four
// with PIPELINE = 1; the caller never mixes forms in flight. With SERIAL = 1 a shifted row takes
// T * max(shift, 1) + 2 cycles and the caller sends the next only when this one has left.
// Rows leave in order; the caller has reserved room for them.
`default_nettype none
module ktpu_int8_out #(
  parameter integer T      = 4,
  parameter integer SERIAL = 0,
  parameter integer PIPELINE = 0
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire            shifted_i,     // form, stable while rows are under way
  input  wire            wide_i,
  input  wire [4:0]      shift_i,

  input  wire            in_valid_i,
  input  wire [T*32-1:0] in_row_i,

  output wire            out_valid_o,
  output wire [T*32-1:0] out_row_o,     // int8 forms: the T bytes four times over
  output wire            saturated_valid_o,
  output wire [T-1:0]    saturated_o    // lanes that saturation changed
);
  assign saturated_valid_o = out_valid_o;

  // Rows in plain form. The guard is for the simulator: nothing is worked out for no row.
  function [8:0] saturate(input [31:0] v);           // {changed, value}
    saturate = (v[31:7] != {25{v[31]}}) ? {1'b1, v[31], {7{!v[31]}}} : {1'b0, v[7:0]};
  endfunction
  integer l;
  reg [T*8-1:0] plain;
  reg [T-1:0]   plain_sat;
  always @* begin
    l         = 0;
    plain     = {T*8{1'b0}};
    plain_sat = {T{1'b0}};
    if (in_valid_i)
      for (l = 0; l < T; l = l + 1)
        {plain_sat[l], plain[l*8 +: 8]} = saturate(in_row_i[l*32 +: 32]);
  end

  generate
    if (SERIAL != 0) begin : g_serial
      ktpu_int8_shift_serial #(.T(T)) u_shift (
        .clk_i(clk_i), .rst_i(rst_i), .shifted_i(shifted_i), .wide_i(wide_i), .shift_i(shift_i),
        .in_valid_i(in_valid_i), .in_row_i(in_row_i), .plain_i(plain), .plain_sat_i(plain_sat),
        .out_valid_o(out_valid_o), .out_row_o(out_row_o), .saturated_o(saturated_o)
      );
    end else begin : g_parallel
      reg            valid_q;
      reg [1:0]      stage_q;           // a row is in that stage of the shift
      reg [T*32-1:0] row_q;
      reg [T-1:0]    sat_q;
      wire [T*8-1:0] shift_i8;
      wire [T-1:0]   shift_sat;
      wire           in_shift = in_valid_i && shifted_i;
      reg            in_shift_q;
      always @(posedge clk_i) in_shift_q <= in_shift && !rst_i;
      wire           fine = (PIPELINE != 0) ? in_shift_q : in_shift;

      genvar g;
      for (g = 0; g < T; g = g + 1) begin : g_lane
        ktpu_int8_shift #(.PIPELINE(PIPELINE)) u_shift (
          .clk_i(clk_i), .first_i(in_shift), .stage_i({stage_q, fine}), .shift_i(shift_i),
          .value_i(in_row_i[g*32 +: 32]), .value_o(shift_i8[g*8 +: 8]),
          .saturated_o(shift_sat[g])
        );
      end

      always @(posedge clk_i) begin
        stage_q <= {stage_q[0], fine};
        valid_q <= (in_valid_i && !shifted_i) || stage_q[1];
        if (rst_i) begin
          stage_q <= 2'b00;
          valid_q <= 1'b0;
        end
      end
      always @(posedge clk_i) begin
        if (stage_q[1]) begin
          row_q <= {4{shift_i8}};
          sat_q <= shift_sat;
        end else if (in_valid_i) begin
          row_q <= wide_i ? in_row_i : {4{plain}};
          sat_q <= wide_i ? {T{1'b0}} : plain_sat;
        end
      end

      assign out_valid_o = valid_q;
      assign out_row_o   = row_q;
      assign saturated_o = sat_q;
    end
  endgenerate
endmodule
`default_nettype wire
