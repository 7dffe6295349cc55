// SPDX-License-Identifier: Apache-2.0
// The DRAINs of a cluster from the instruction to the last answer: who waits for sub-tiles
// (ktpu_mx_armed), addresses (ktpu_mx_burst), conversion and beats (ktpu_mx_out).
`default_nettype none
module ktpu_mx_drain #(
  parameter integer ACC_MW = 14,
  parameter integer TILES  = 512,
  parameter integer SETTLE = 9
) (
  input  wire                     clk_i,
  input  wire                     rst_i,
  input  wire                     stop_i,

  // A DRAIN that has passed its checks, of count_i sub-tiles; arm_i with arm_ready_o
  input  wire [255:0]             insn_i,
  input  wire                     insn_last_i,
  input  wire [15:0]              instr_i,
  input  wire [18:0]              count_i,
  input  wire                     arm_i,
  output wire                     arm_ready_o,

  // Sweep, and the GEMM that would write words from_i .. to_i
  input  wire                     sweeping_i,
  input  wire                     emit_i,
  output wire                     emit_ok_o,
  output wire                     emit_wide_o,
  output wire [19:0]              wanted_o,
  input  wire [$clog2(TILES)-1:0] from_i,
  input  wire [$clog2(TILES)-1:0] to_i,
  output wire                     overlap_o,

  // Tile
  input  wire                     emits_i,
  output wire                     read_o,
  input  wire                     read_ready_i,
  output wire [$clog2(TILES)-1:0] read_word_o,
  input  wire                     read_written_i,
  input  wire                     in_valid_i,
  input  wire                     in_wide_i,
  input  wire [16*(ACC_MW+8)-1:0] in_data_i,

  // Agent
  output wire                     aw_valid_o,
  input  wire                     aw_ready_i,
  output wire [32:0]              aw_addr_o,
  output wire [3:0]               aw_beats_o,
  output wire [15:0]              aw_instr_o,
  output wire                     w_valid_o,
  input  wire                     w_ready_i,
  output wire [255:0]             w_data_o,
  input  wire                     b_valid_i,

  output wire                     fault_o,       // a plain DRAIN meets a word that nobody wrote
  output wire [15:0]              fault_instr_o,
  output wire                     done_o,
  output wire                     done_last_o,
  output wire                     waiting_o,     // for sub-tiles or for memory
  output wire                     busy_o,        // that, or data are under way
  output wire [4:0]               clamped_o,
  output wire [4:0]               flushed_o,
  output wire [4:0]               nan_o
);
  `include "ktpu_mx.vh"

  localparam integer PLACES = 32;                // sub-tiles between tile and memory
  localparam integer TW     = $clog2(TILES);

  wire armed_ready, burst_ready, promise, pop, armed_waiting, burst_busy, out_busy;
  assign arm_ready_o = armed_ready && burst_ready;
  assign waiting_o   = armed_waiting || burst_busy;
  assign busy_o      = waiting_o || out_busy;

  ktpu_mx_armed #(.TILES (TILES), .PLACES (PLACES), .SETTLE (SETTLE)) u_armed (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .stop_i         (stop_i),
    .arm_i          (arm_i),
    .arm_ready_o    (armed_ready),
    .arm_fused_i    (insn_i[KT_MX_DRAIN_FUSED_AT]),
    .arm_wide_i     (insn_i[KT_MX_DRAIN_DTYPE_AT]),
    .arm_count_i    (count_i),
    .arm_word_i     (insn_i[KT_MX_DRAIN_TILE_AT +: TW]),
    .arm_instr_i    (instr_i),
    .sweeping_i     (sweeping_i),
    .emit_i         (emit_i),
    .emit_ok_o      (emit_ok_o),
    .emit_wide_o    (emit_wide_o),
    .wanted_o       (wanted_o),
    .from_i         (from_i),
    .to_i           (to_i),
    .overlap_o      (overlap_o),
    .emits_i        (emits_i),
    .read_o         (read_o),
    .read_ready_i   (read_ready_i),
    .read_word_o    (read_word_o),
    .read_written_i (read_written_i),
    .fault_o        (fault_o),
    .fault_instr_o  (fault_instr_o),
    .promise_o      (promise),
    .pop_i          (pop),
    .waiting_o      (armed_waiting)
  );

  ktpu_mx_burst u_burst (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .stop_i       (stop_i),
    .in_valid_i   (arm_i),
    .in_ready_o   (burst_ready),
    .in_wide_i    (insn_i[KT_MX_DRAIN_DTYPE_AT]),
    .in_last_i    (insn_last_i),
    .in_addr_i    (insn_i[KT_MX_DRAIN_ADDR_AT +: 32]),
    .in_rows_i    (insn_i[KT_MX_DRAIN_ROWS_AT +: 10]),
    .in_columns_i (insn_i[KT_MX_DRAIN_COLUMNS_AT +: 10]),
    .in_stride_i  (insn_i[KT_MX_DRAIN_STRIDE_AT +: 32]),
    .in_instr_i   (instr_i),
    .promise_i    (promise),
    .aw_valid_o   (aw_valid_o),
    .aw_ready_i   (aw_ready_i),
    .aw_addr_o    (aw_addr_o),
    .aw_beats_o   (aw_beats_o),
    .aw_instr_o   (aw_instr_o),
    .b_valid_i    (b_valid_i),
    .done_o       (done_o),
    .done_last_o  (done_last_o),
    .busy_o       (burst_busy)
  );

  ktpu_mx_out #(.ACC_MW (ACC_MW), .DEPTH (PLACES)) u_out (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (in_valid_i),
    .in_wide_i   (in_wide_i),
    .in_data_i   (in_data_i),
    .owe_i       (aw_valid_o && aw_ready_i),
    .owe_beats_i (aw_beats_o),
    .pop_o       (pop),
    .w_valid_o   (w_valid_o),
    .w_ready_i   (w_ready_i),
    .w_data_o    (w_data_o),
    .busy_o      (out_busy),
    .clamped_o   (clamped_o),
    .flushed_o   (flushed_o),
    .nan_o       (nan_o)
  );

  // The instruction's other bits are its checks' matter.
  wire unused = &{1'b0, insn_i};
endmodule
`default_nettype wire
