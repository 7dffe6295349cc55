// SPDX-License-Identifier: Apache-2.0
// The small build's output stage: one row register, and for shifted rows one lane at a time and
// one bit a cycle beside it. Plain rows take a cycle, one after the other; a shifted row
// takes T * max(shift, 1) + 2 cycles and is alone.
`default_nettype none
module ktpu_int8_shift_serial #(
  parameter integer T = 4
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire            shifted_i,
  input  wire            wide_i,
  input  wire [4:0]      shift_i,
  input  wire            in_valid_i,
  input  wire [T*32-1:0] in_row_i,
  input  wire [T*8-1:0]  plain_i,        // the row saturated
  input  wire [T-1:0]    plain_sat_i,
  output wire            out_valid_o,
  output wire [T*32-1:0] out_row_o,      // int8 forms: the T bytes four times over
  output wire [T-1:0]    saturated_o
);
  localparam integer LB = $clog2(T);
  localparam [LB-1:0] ONE = {{(LB-1){1'b0}}, 1'b1};

  reg [T*32-1:0] row_q;
  reg [T*8-1:0]  bytes_q;     // results so far, for rows too wide to take them (T > 8)
  reg [T-1:0]    sat_q;
  reg            valid_q, start_q, busy_q;
  reg [LB-1:0]   lane_q;      // next lane to take up; 0 again with the last one at work
  reg [4:0]      left_q;
  reg [31:0]     work_q;      // the lane at work, one bit further right: half_q is bit -1
  reg            half_q, sticky_q;

  wire done = busy_q && left_q[4:1] == 4'd0;       // the lane
  wire last = done && lane_q == {LB{1'b0}};        // and the row
  wire load = start_q || done;

  // The rounded value in 10 bits, and whether the floor fits in 9: the rest follows from the sign.
  wire       none  = shift_i == 5'd0;
  wire       round = !none && half_q && (sticky_q || work_q[0]);
  wire [8:0] floor = none ? {work_q[7:0], half_q} : work_q[8:0];
  wire [9:0] sum   = {floor[8], floor} + {9'd0, round};
  wire       sign  = work_q[31];
  wire       far   = work_q[31:8] != {24{sign}} || floor[8] != sign;
  wire       clip  = far || sum[9:8] != {2{sum[7]}};
  wire [7:0] value = clip ? {sign, {7{!sign}}} : sum[7:0];

  // Results move into the row's low end, whose lanes have been taken up by then.
  wire [T*8-1:0] next   = {value, (T > 8) ? bytes_q[T*8-1:8] : row_q[T*8-1:8]};
  wire [T*8-1:0] bytes  = busy_q ? next : plain_i;
  wire [T*32-1:0] row   = (!busy_q && (wide_i || shifted_i)) ? in_row_i : {4{bytes}};

  assign out_valid_o = valid_q;
  assign out_row_o   = row_q;
  assign saturated_o = sat_q;

  wire unused = &{1'b0, bytes_q[7:0]};

  always @(posedge clk_i) begin
    start_q <= in_valid_i && shifted_i;
    busy_q  <= start_q || (busy_q && !last);
    valid_q <= (in_valid_i && !shifted_i) || last;
    lane_q  <= load ? lane_q + ONE : lane_q;
    if (rst_i) begin
      start_q <= 1'b0;
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end
    if (rst_i || in_valid_i) lane_q <= {LB{1'b0}};
  end

  wire [31:0] taken = row_q[lane_q*32 +: 32];
  always @(posedge clk_i) begin
    if (in_valid_i || last) row_q <= row;
    else if (done && T <= 8) row_q[T*8-1:0] <= row[T*8-1:0];
    if (done) bytes_q <= next;
    if (done) sat_q <= {clip, sat_q[T-1:1]};
    else if (in_valid_i) sat_q <= wide_i ? {T{1'b0}} : plain_sat_i;
    if (load) begin
      work_q   <= {taken[31], taken[31:1]};
      half_q   <= taken[0];
      sticky_q <= 1'b0;
      left_q   <= shift_i;
    end else begin
      work_q   <= {sign, work_q[31:1]};
      half_q   <= work_q[0];
      sticky_q <= sticky_q || half_q;
      left_q   <= left_q - 5'd1;
    end
  end
endmodule
`default_nettype wire
