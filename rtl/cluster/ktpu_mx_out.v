// SPDX-License-Identifier: Apache-2.0
// From sub-tiles to beats: sixteen FP22 numbers in, one beat of binary16 or two of binary32 out
// (wide), through a queue of DEPTH sub-tiles. It cannot be stopped at its input: who sends has
// counted the room, and gets a place back with every pop_o. A beat leaves once the address of its
// burst has: owe_i adds the beats of a burst. Latency three cycles.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_mx_out #(
  parameter integer ACC_MW = 14,
  parameter integer DEPTH  = 32
) (
  input  wire                     clk_i,
  input  wire                     rst_i,

  input  wire                     in_valid_i,
  input  wire                     in_wide_i,
  input  wire [16*(ACC_MW+8)-1:0] in_data_i,    // element (r, c) at 4r + c

  input  wire                     owe_i,
  input  wire [3:0]               owe_beats_i,
  output wire                     pop_o,        // a sub-tile has left the queue

  output wire                     w_valid_o,
  input  wire                     w_ready_i,
  output wire [255:0]             w_data_o,

  output wire                     busy_o,       // beats are owed, or a sub-tile comes in
  output wire [4:0]               clamped_o,
  output wire [4:0]               flushed_o,
  output wire [4:0]               nan_o
);
  localparam integer W = ACC_MW + 8;

  // ---- To binary16, and the same two cycles for what stays FP22 -------------------------------

  reg  [1:0]      valid_q, wide_q;
  reg  [16*W-1:0] data_q, data_q2;
  always @(posedge clk_i) begin
    valid_q <= {valid_q[0], in_valid_i};
    if (rst_i) valid_q <= 2'b00;
  end
  always @(posedge clk_i) begin
    wide_q <= {wide_q[0], in_wide_i};
    if (in_valid_i) data_q <= in_data_i;
    if (valid_q[0]) data_q2 <= data_q;
  end

  wire [255:0] half;
  wire [15:0]  clamped, flushed, nan;
  wire [511:0] wide;
  genvar e;
  generate
    for (e = 0; e < 16; e = e + 1) begin : g_element
      ktpu_fp22_half #(.MW (ACC_MW)) u_half (
        .clk_i     (clk_i),
        .x_i       (in_data_i[W*e +: W]),
        .half_o    (half[16*e +: 16]),
        .clamped_o (clamped[e]),
        .flushed_o (flushed[e])
      );
      assign nan[e] = &data_q2[W*e + ACC_MW +: 7];
    end
  endgenerate

  function [4:0] ones(input [15:0] bits);
    integer n;
    begin
      ones = 5'd0;
      for (n = 0; n < 16; n = n + 1) ones = ones + {4'd0, bits[n]};
    end
  endfunction
  reg [4:0] clamped_q, flushed_q, nan_q;
  always @(posedge clk_i) begin
    clamped_q <= valid_q[1] && !wide_q[1] && clamped != 16'd0 ? ones(clamped) : 5'd0;
    flushed_q <= valid_q[1] && !wide_q[1] && flushed != 16'd0 ? ones(flushed) : 5'd0;
    nan_q     <= valid_q[1] && nan != 16'd0 ? ones(nan) : 5'd0;
  end
  assign clamped_o = clamped_q;
  assign flushed_o = flushed_q;
  assign nan_o     = nan_q;

  // ---- Queue -----------------------------------------------------------------------------------

  wire            head_valid, head_wide;
  wire [16*W-1:0] head;
  wire [16*W-1:0] tail = wide_q[1] ? data_q2 : {{(16*W-256){1'b0}}, half};
  wire            room;
  wire [$clog2(DEPTH+1)-1:0] unused_level;
  ktpu_fifo #(.WIDTH (16 * W + 1), .DEPTH (DEPTH)) u_queue (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (valid_q[1]),
    .in_ready_o  (room),
    .in_data_i   ({wide_q[1], tail}),
    .out_valid_o (head_valid),
    .out_ready_i (pop_o),
    .out_data_o  ({head_wide, head}),
    .level_o     (unused_level)
  );

  // ---- Beats: one a sub-tile, or rows 0 and 1, then rows 2 and 3 ------------------------------

  // FP22 is binary32 with fewer bits: bias 63 becomes 127; NaN is 0x7FC00000.
  generate
    for (e = 0; e < 16; e = e + 1) begin : g_wide
      wire [W-1:0] x = head[W*e +: W];
      wire [6:0]   exponent = x[ACC_MW +: 7];
      assign wide[32*e +: 32] = exponent == 7'd0 ? 32'd0
        : exponent == 7'd127 ? 32'h7FC00000
        : {x[W-1], {1'b0, exponent} + 8'd64, x[ACC_MW-1:0], {(23-ACC_MW){1'b0}}};
    end
  endgenerate

  reg       second_q;
  reg [7:0] owed_q;                        // at most two beats for each place of the queue
  wire      beat = w_valid_o && w_ready_i;
  assign w_valid_o = head_valid && owed_q != 8'd0;
  assign w_data_o  = !head_wide ? head[255:0] : second_q ? wide[511:256] : wide[255:0];
  assign pop_o     = beat && (!head_wide || second_q);
  assign busy_o    = owed_q != 8'd0 || valid_q != 2'b00;

  always @(posedge clk_i) begin
    if (beat) second_q <= head_wide && !second_q;
    owed_q <= owed_q + (owe_i ? {4'd0, owe_beats_i} : 8'd0) - {7'd0, beat};
    if (rst_i) begin
      second_q <= 1'b0;
      owed_q   <= 8'd0;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(!valid_q[1] || room, "a sub-tile came without room for it")
      `KTPU_CHECK(owed_q <= 8'd72, "more beats are owed than can be under way")
    end
`endif
`ifdef FORMAL
  `include "ktpu_mx_out_fv.vh"
`endif
endmodule
`default_nettype wire
