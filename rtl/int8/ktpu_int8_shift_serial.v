// The small build's rounding shift: one lane at a time, one bit a cycle, then round and saturate.
// A row takes T * (shift + 2) cycles; one row at a time.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_shift_serial #(
  parameter integer T = 4
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire [4:0]      shift_i,
  input  wire            in_valid_i,     // only while idle
  input  wire [T*32-1:0] in_row_i,
  output wire            out_valid_o,
  output wire [T*8-1:0]  out_row_o,
  output wire [T-1:0]    saturated_o
);
  reg [T*32-1:0] row_q;       // lane 0 is the one at work; lanes rotate down
  reg [T-1:0]    lane_q;      // one hot lane number, zero when idle
  reg [4:0]      left_q;      // bits still to shift
  reg            half_q, sticky_q, ready_q, done_q;
  reg [T*8-1:0]  out_q;
  reg [T-1:0]    sat_q;

  wire        busy  = |lane_q;
  wire        round = half_q && (sticky_q || row_q[0]);
  wire [32:0] sum   = {row_q[31], row_q[31:0]} + {32'd0, round};
  wire [7:0]  sat;
  wire        changed;
  ktpu_sat8 #(.WIDTH(33)) u_sat (.value_i(sum), .value_o(sat), .changed_o(changed));

  assign out_valid_o = done_q;
  assign out_row_o   = out_q;
  assign saturated_o = sat_q;

  always @(posedge clk_i) begin
    done_q  <= 1'b0;
    if (in_valid_i) begin
      lane_q  <= {{(T-1){1'b0}}, 1'b1};
      ready_q <= 1'b0;
    end else if (busy) begin
      if (!ready_q) ready_q <= left_q == 5'd0 || left_q == 5'd1;
      else begin
        ready_q <= 1'b0;
        lane_q  <= lane_q << 1;
        done_q  <= lane_q[T-1];
      end
    end
    if (rst_i) begin
      lane_q <= {T{1'b0}};
      done_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (in_valid_i) begin
      row_q  <= in_row_i;
      left_q <= shift_i;
      half_q <= 1'b0;
      sticky_q <= 1'b0;
    end else if (busy && !ready_q && left_q != 5'd0) begin
      row_q[31:0] <= {row_q[31], row_q[31:1]};
      half_q      <= row_q[0];
      sticky_q    <= sticky_q || half_q;
      left_q      <= left_q - 5'd1;
    end else if (busy && ready_q) begin
      row_q    <= {32'd0, row_q[T*32-1:32]};
      out_q    <= {sat, out_q[T*8-1:8]};
      sat_q    <= {changed, sat_q[T-1:1]};
      left_q   <= shift_i;
      half_q   <= 1'b0;
      sticky_q <= 1'b0;
    end
  end
endmodule
`default_nettype wire
