// SPDX-License-Identifier: Apache-2.0
// The DRAINs that still wait for sub-tiles, two at most, served in order. To the sweep it says
// whether the sub-tile of an emitting step has a DRAIN and room; a plain DRAIN reads the tile
// itself, once every earlier GEMM has finished with it and no emitted word is under way, in cycles
// in which no step needs the port. Every sub-tile takes a place of the output queue when it is
// promised (promise_o), long before it arrives there; pop_i gives one back.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_mx_armed #(
  parameter integer TILES  = 512,
  parameter integer PLACES = 32,
  parameter integer SETTLE = 9    // cycles from a step to its sum in the tile, all slices
) (
  input  wire                     clk_i,
  input  wire                     rst_i,
  input  wire                     stop_i,

  input  wire                     arm_i,          // with arm_ready_o
  output wire                     arm_ready_o,
  input  wire                     arm_fused_i,
  input  wire                     arm_wide_i,
  input  wire [18:0]              arm_count_i,    // sub-tiles, 1 or more
  input  wire [$clog2(TILES)-1:0] arm_word_i,
  input  wire [15:0]              arm_instr_i,

  // sweep
  input  wire                     sweeping_i,     // a GEMM has steps left after this cycle
  input  wire                     emit_i,         // with emit_ok_o
  output wire                     emit_ok_o,
  output wire                     emit_wide_o,
  output wire [19:0]              wanted_o,       // sub-tiles that fused DRAINs wait for

  // a GEMM that would write words from_i .. to_i
  input  wire [$clog2(TILES)-1:0] from_i,
  input  wire [$clog2(TILES)-1:0] to_i,
  output wire                     overlap_o,      // a plain DRAIN has some of them to read

  // tile
  input  wire                     emits_i,        // emitted words are under way
  output wire                     read_o,
  input  wire                     read_ready_i,
  output wire [$clog2(TILES)-1:0] read_word_o,
  input  wire                     read_written_i, // a GEMM has written that word
  output wire                     fault_o,        // it has not; for one cycle or more
  output wire [15:0]              fault_instr_o,

  output wire                     promise_o,
  input  wire                     pop_i,
  output wire                     waiting_o
);
  localparam integer AW = $clog2(TILES);
  localparam [5:0]   ALL_PLACES = PLACES[5:0];
  localparam [4:0]   SETTLED    = SETTLE[4:0];
  localparam [AW-1:0] A_ONE = {{(AW-1){1'b0}}, 1'b1};

  // Place 0 is the older.
  reg [1:0]      valid_q, fused_q, wide_q, behind_q;
  reg [18:0]     left_q   [0:1];
  reg [AW-1:0]   word_q   [0:1];
  reg [AW-1:0]   last_q   [0:1];
  reg [4:0]      settle_q [0:1];
  reg [15:0]     instr_q  [0:1];
  reg [5:0]      room_q;

  wire room  = room_q != 6'd0;
  wire plain = valid_q[0] && !fused_q[0] && !behind_q[0] && settle_q[0] == 5'd0 && !emits_i
            && room && !stop_i;
  wire read  = read_o && read_ready_i;
  wire take  = emit_i || read;
  wire leave = take && left_q[0] == 19'd1;

  assign arm_ready_o   = !valid_q[1];
  assign emit_ok_o     = valid_q[0] && fused_q[0] && room;
  assign emit_wide_o   = wide_q[0];
  assign read_o        = plain && read_written_i;
  assign read_word_o   = word_q[0];
  assign fault_o       = plain && !read_written_i;
  assign fault_instr_o = instr_q[0];
  assign promise_o     = take;
  assign waiting_o     = valid_q[0];
  assign wanted_o      = (valid_q[0] && fused_q[0] ? {1'b0, left_q[0]} : 20'd0)
                       + (valid_q[1] && fused_q[1] ? {1'b0, left_q[1]} : 20'd0);

  function overlap(input there, input [AW-1:0] word, input [AW-1:0] last,
                   input [AW-1:0] from, input [AW-1:0] to);
    overlap = there && word <= to && from <= last;
  endfunction
  assign overlap_o = overlap(valid_q[0] && !fused_q[0], word_q[0], last_q[0], from_i, to_i)
                  || overlap(valid_q[1] && !fused_q[1], word_q[1], last_q[1], from_i, to_i);

  // A new one goes to the place that is the first free one after this cycle.
  wire at = valid_q[0] && !leave;
  wire [AW-1:0] arm_last = arm_word_i + arm_count_i[AW-1:0] - A_ONE;
  integer p;
  always @(posedge clk_i) begin
    for (p = 0; p < 2; p = p + 1) begin
      if (behind_q[p]) behind_q[p] <= sweeping_i;
      else if (settle_q[p] != 5'd0) settle_q[p] <= settle_q[p] - 5'd1;
    end
    if (take) begin
      left_q[0] <= left_q[0] - 19'd1;
      word_q[0] <= word_q[0] + A_ONE;
    end
    if (leave) begin
      valid_q     <= {1'b0, valid_q[1]};
      fused_q[0]  <= fused_q[1];
      wide_q[0]   <= wide_q[1];
      left_q[0]   <= left_q[1];
      word_q[0]   <= word_q[1];
      last_q[0]   <= last_q[1];
      instr_q[0]  <= instr_q[1];
      settle_q[0] <= settle_q[1];
      behind_q[0] <= behind_q[1];
      if (behind_q[1]) behind_q[0] <= sweeping_i;
      else if (settle_q[1] != 5'd0) settle_q[0] <= settle_q[1] - 5'd1;
    end
    if (arm_i) begin
      valid_q[at]  <= 1'b1;
      fused_q[at]  <= arm_fused_i;
      wide_q[at]   <= arm_wide_i;
      left_q[at]   <= arm_count_i;
      word_q[at]   <= arm_word_i;
      last_q[at]   <= arm_last;
      instr_q[at]  <= arm_instr_i;
      settle_q[at] <= SETTLED;
      behind_q[at] <= sweeping_i;
    end
    if (rst_i || stop_i) valid_q <= 2'b00;
  end

  always @(posedge clk_i) begin
    if (take && !pop_i) room_q <= room_q - 6'd1;
    if (pop_i && !take) room_q <= room_q + 6'd1;
    if (rst_i) room_q <= ALL_PLACES;
  end

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(!arm_i || arm_ready_o, "a third DRAIN is armed")
      `KTPU_CHECK(!emit_i || emit_ok_o, "an emitted word without a DRAIN or without room")
      `KTPU_CHECK(room_q <= ALL_PLACES, "more places than the output queue has")
    end
`endif
`ifdef FORMAL
  `include "ktpu_mx_armed_fv.vh"
`endif
endmodule
`default_nettype wire
