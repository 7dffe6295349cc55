// SPDX-License-Identifier: Apache-2.0
// The matmul cluster: FILL, GEMM and DRAIN from the endpoint, in order (docs/mx-machine.md). An
// instruction is judged where it stands, taken when it has started: a FILL when the agent has it, a
// GEMM when its sweep starts, a DRAIN when it is armed, a QUANTISE, which the agent executes while
// nothing else runs, when it is over. From stop_i or a fault of its own on,
// nothing new begins: the sweep ends where it is, instructions are taken without effect, what has
// been issued is finished. clear_i (with all quiet) forgets everything.
`default_nettype none
module ktpu_cluster #(
  parameter integer KSLICE     = 32,
  parameter integer PACKED     = 0,
  parameter integer ACC_MW     = 14,
  parameter integer L1_ENTRIES = 512,
  parameter integer TILES      = 512
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         clear_i,
  input  wire         stop_i,

  // Endpoint
  input  wire         insn_valid_i,
  output wire         insn_ready_o,
  input  wire [255:0] insn_i,
  input  wire         insn_last_i,
  output wire         accept_done_o,      // with the acceptance: it completes the instruction
  output wire         done_drain_o,       // a DRAIN has completed
  output wire         done_drain_last_o,

  output wire         fault_valid_o,
  output wire [7:0]   fault_code_o,
  output wire [7:0]   fault_field_o,
  output wire [31:0]  fault_arg_o,
  output wire [15:0]  fault_instr_o,

  // Agent: FILLs, words of L1
  output wire         fill_valid_o,
  input  wire         fill_ready_i,
  output wire [255:0] fill_insn_o,
  output wire [15:0]  fill_instr_o,
  input  wire         quantised_i,        // the QUANTISE that was handed over as a FILL is over
  input  wire         l1_valid_i,
  input  wire         l1_side_i,          // 0: A
  input  wire [8:0]   l1_entry_i,         // {bank, entry}
  input  wire [1:0]   l1_lane_i,          // 3 comes last
  input  wire [223:0] l1_q_i,
  input  wire [7:0]   l1_code_i,

  // Agent: results
  output wire         aw_valid_o,
  input  wire         aw_ready_i,
  output wire [32:0]  aw_addr_o,          // bit 32: past 4 GiB
  output wire [3:0]   aw_beats_o,
  output wire [15:0]  aw_instr_o,
  output wire         w_valid_o,
  input  wire         w_ready_i,
  output wire [255:0] w_data_o,
  output wire         w_strobe_o,         // always: a burst is asked for when its data are sure
  input  wire         b_valid_i,

  output wire         idle_o,
  output wire [19:0]  undrained_o,
  output wire [2:0]   waiting_o,          // bits KT_MX_WAIT_FILL, _GEMM, _DRAIN
  output wire         progress_o,
  output wire [2:0]   sweep_state_o,
  output wire         step_o,
  output wire [4:0]   ev_overflow_o,
  output wire [4:0]   ev_clamped_o,
  output wire [4:0]   ev_flushed_o,
  output wire [4:0]   ev_nan_o
);
  `include "ktpu_mx.vh"

  localparam integer AW = $clog2(L1_ENTRIES);
  localparam integer TW = $clog2(TILES);
  localparam integer W  = ACC_MW + 8;
  localparam integer SETTLE = 8 + 32 / KSLICE;        // from a step to its sum in the tile

  reg         faulted_q;
  reg  [15:0] instr_q;
  wire        stop = stop_i || faulted_q;
  wire        drop = rst_i || clear_i;

  // ---- The instruction at the head ------------------------------------------------------------

  wire [7:0]  op       = insn_i[7:0];
  wire        is_fill  = op == KT_MX_OP_FILL;
  wire        is_gemm  = op == KT_MX_OP_GEMM;
  wire        is_drain = op == KT_MX_OP_DRAIN;
  wire        is_quantise = op == KT_MX_OP_QUANTISE;
  wire        judged, bad, taken;
  wire [7:0]  bad_code, bad_field;
  wire [AW-2:0] a_last, b_last;
  wire [31:0] bad_arg;
  wire [18:0] count;
  wire [TW-1:0] t_last;
  ktpu_mx_decode #(.L1_ENTRIES (L1_ENTRIES), .TILES (TILES)) u_decode (
    .clk_i        (clk_i),
    .rst_i        (drop),
    .insn_valid_i (insn_valid_i),
    .insn_i       (insn_i),
    .taken_i      (taken),
    .ready_o      (judged),
    .bad_o        (bad),
    .code_o       (bad_code),
    .field_o      (bad_field),
    .arg_o        (bad_arg),
    .a_last_o     (a_last),
    .b_last_o     (b_last),
    .count_o      (count),
    .t_last_o     (t_last)
  );

  wire flags_ready;
  wire act       = judged && insn_valid_i && flags_ready && !stop;
  wire fill_here = act && !bad && is_fill;
  wire gemm_here = act && !bad && is_gemm;
  wire drain_here = act && !bad && is_drain;
  wire quantise_here = act && !bad && is_quantise;

  wire fill_done, over, overlap, arm_ready, step_emit;
  wire [19:0] wanted;
  wire emits   = insn_i[KT_MX_GEMM_EMIT_AT];
  wire enough  = step_emit ? {1'b0, count} < wanted : {1'b0, count} <= wanted;
  wire turn    = gemm_here && over && !overlap;       // the GEMM starts, or has no DRAIN
  wire unarmed = turn && emits && !enough;
  wire start   = turn && !unarmed;
  wire arm     = drain_here && arm_ready;

  wire undrained, quantised;
  assign insn_ready_o  = stop || act && bad || fill_done || turn || arm || undrained || quantised;
  assign taken         = insn_valid_i && insn_ready_o;
  assign accept_done_o = taken && !arm;

  always @(posedge clk_i) begin
    if (taken) instr_q <= instr_q + 16'd1;
    if (drop)  instr_q <= 16'd0;
  end

  // ---- Operands --------------------------------------------------------------------------------

  wire             step, mark, mark_busy, none_outstanding, operands_ready;
  wire             fill_side = insn_i[KT_MX_FILL_SIDE_AT];
  wire [AW-1:0]    fill_entry;
  wire [2*AW-1:0]  look_entry;                        // A, B above
  wire [1:0]       named, valid;
  wire [2*928-1:0] operand;
  ktpu_mx_operands #(.ENTRIES (L1_ENTRIES)) u_operands (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .clear_i      (clear_i),
    .ready_o      (operands_ready),
    .l1_valid_i   (l1_valid_i),
    .l1_side_i    (l1_side_i),
    .l1_entry_i   (l1_entry_i),
    .l1_lane_i    (l1_lane_i),
    .l1_data_i    ({l1_code_i, l1_q_i}),
    .mark_i       (mark),
    .mark_side_i  (fill_side),
    .mark_entry_i (fill_entry),
    .mark_busy_o  (mark_busy),
    .none_o       (none_outstanding),
    .look_i       (look_entry),
    .named_o      (named),
    .valid_o      (valid),
    .read_i       (step),
    .operand_o    (operand)
  );

  // ---- FILL ------------------------------------------------------------------------------------

  wire sweeping, needed, fill_waiting, fill_valid, tile_busy, drain_busy, dot_en;
  ktpu_mx_fill #(.L1_ENTRIES (L1_ENTRIES)) u_fill (
    .clk_i        (clk_i),
    .rst_i        (drop),
    .stop_i       (stop),
    .begin_i      (fill_here),
    .order_i      (insn_i[KT_MX_FILL_ORDER_AT]),
    .entry_i      ({insn_i[KT_MX_FILL_BANK_AT], insn_i[KT_MX_FILL_OFFSET_AT +: AW-1]}),
    .groups_i     (insn_i[KT_MX_FILL_GROUPS_AT +: 8]),
    .blocks_i     (insn_i[KT_MX_FILL_BLOCKS_AT +: 8]),
    .pitch_i      (insn_i[KT_MX_FILL_PITCH_AT +: AW]),
    .quiet_i      (none_outstanding && !sweeping),
    .done_o       (fill_done),
    .entry_o      (fill_entry),
    .blocked_i    (mark_busy || needed),
    .mark_o       (mark),
    .fill_valid_o (fill_valid),
    .fill_ready_i (fill_ready_i),
    .waiting_o    (fill_waiting)
  );

  // ---- QUANTISE: alone --------------------------------------------------------------------------

  wire quiet = !sweeping && !dot_en && !tile_busy;   // no more sub-tiles come
  reg  handed_q;                                     // the agent has it
  wire hand  = quantise_here && quiet && !drain_busy && none_outstanding && !handed_q;
  assign undrained = quantise_here && quiet && wanted != 20'd0;
  assign quantised = quantise_here && handed_q && quantised_i;
  always @(posedge clk_i) begin
    if (hand && fill_ready_i) handed_q <= 1'b1;
    if (taken || drop)        handed_q <= 1'b0;
  end
  assign fill_valid_o = fill_valid || hand;
  assign fill_insn_o  = insn_i;
  assign fill_instr_o = instr_q;

  // ---- GEMM ------------------------------------------------------------------------------------

  wire          emit_ok, emit_wide, written_ready, sweep_fault;
  wire [1:0]    written;                              // of the sweep's word, of the DRAIN's
  wire [TW-1:0] word;
  wire          dot_last, dot_load, dot_emit, dot_wide;
  wire [2:0]    dot_slice;
  wire [TW-1:0] dot_word;
  wire [7:0]    sweep_code, sweep_field;
  wire [15:0]   sweep_arg, sweep_instr;
  ktpu_mx_sweep #(.KSLICE (KSLICE), .L1_ENTRIES (L1_ENTRIES), .TILES (TILES)) u_sweep (
    .clk_i         (clk_i),
    .rst_i         (drop),
    .stop_i        (stop),
    .start_i       (start),
    .acc_i         (insn_i[KT_MX_GEMM_ACC_AT]),
    .emit_i        (emits),
    .a_first_i     ({insn_i[KT_MX_GEMM_A_BANK_AT], insn_i[KT_MX_GEMM_A_OFFSET_AT +: AW-1]}),
    .a_last_i      ({insn_i[KT_MX_GEMM_A_BANK_AT], a_last}),
    .a_pitch_i     (insn_i[KT_MX_GEMM_A_PITCH_AT +: AW]),
    .b_first_i     ({insn_i[KT_MX_GEMM_B_BANK_AT], insn_i[KT_MX_GEMM_B_OFFSET_AT +: AW-1]}),
    .b_last_i      ({insn_i[KT_MX_GEMM_B_BANK_AT], b_last}),
    .b_pitch_i     (insn_i[KT_MX_GEMM_B_PITCH_AT +: AW]),
    .gm_i          (insn_i[KT_MX_GEMM_GM_AT +: 8]),
    .gn_i          (insn_i[KT_MX_GEMM_GN_AT +: 8]),
    .nk_i          (insn_i[KT_MX_GEMM_NK_AT +: 8]),
    .tile_i        (insn_i[KT_MX_GEMM_TILE_AT +: TW]),
    .instr_i       (instr_q),
    .waits_i       (gemm_here && !turn),
    .over_o        (over),
    .busy_o        (sweeping),
    .a_entry_o     (look_entry[0 +: AW]),
    .a_named_i     (named[0]),
    .a_valid_i     (valid[0]),
    .b_entry_o     (look_entry[AW +: AW]),
    .b_named_i     (named[1]),
    .b_valid_i     (valid[1]),
    .word_o        (word),
    .written_i     (written[0]),
    .emit_ok_i     (emit_ok),
    .emit_wide_i   (emit_wide),
    .step_o        (step),
    .step_emit_o   (step_emit),
    .dot_en_o      (dot_en),
    .dot_slice_o   (dot_slice),
    .dot_last_o    (dot_last),
    .dot_word_o    (dot_word),
    .dot_load_o    (dot_load),
    .dot_emit_o    (dot_emit),
    .dot_wide_o    (dot_wide),
    .fill_side_i   (fill_side),
    .fill_entry_i  (fill_entry),
    .needed_o      (needed),
    .fault_o       (sweep_fault),
    .fault_code_o  (sweep_code),
    .fault_field_o (sweep_field),
    .fault_arg_o   (sweep_arg),
    .fault_instr_o (sweep_instr),
    .state_o       (sweep_state_o)
  );
  assign step_o = step;

  wire [TW-1:0] read_word;
  wire          unused_written;
  ktpu_mx_flags #(.WIDTH (1), .DEPTH (TILES), .READS (2)) u_written (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .clear_i (clear_i),
    .ready_o (written_ready),
    .we_i    (step),
    .waddr_i (word),
    .wdata_i (1'b1),
    .here_o  (unused_written),
    .raddr_i ({read_word, word}),
    .rdata_o (written)
  );
  assign flags_ready = operands_ready && written_ready;

  wire [16*W-1:0] products;
  ktpu_mx_array #(.KSLICE (KSLICE), .PACKED (PACKED), .ACC_MW (ACC_MW)) u_array (
    .clk_i   (clk_i),
    .en_i    (dot_en),
    .slice_i (dot_slice),
    .a_i     (operand[0 +: 928]),
    .b_i     (operand[928 +: 928]),
    .v_o     (products)
  );

  wire            read, read_ready, emits_soon, leaves, leaves_wide;
  wire [16*W-1:0] leaving;
  ktpu_mx_tile #(.ACC_MW (ACC_MW), .TILES (TILES)) u_tile (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .step_i       (dot_last),
    .step_word_i  (dot_word),
    .step_load_i  (dot_load),
    .step_emit_i  (dot_emit),
    .step_wide_i  (dot_wide),
    .v_i          (products),
    .read_i       (read),
    .read_ready_o (read_ready),
    .read_word_i  (read_word),
    .read_wide_i  (emit_wide),
    .out_valid_o  (leaves),
    .out_wide_o   (leaves_wide),
    .out_data_o   (leaving),
    .busy_o       (tile_busy),
    .emits_o      (emits_soon),
    .overflow_o   (ev_overflow_o)
  );

  // ---- DRAIN -----------------------------------------------------------------------------------

  wire        drain_waiting, drain_fault;
  wire [15:0] drain_instr;
  ktpu_mx_drain #(.ACC_MW (ACC_MW), .TILES (TILES), .SETTLE (SETTLE)) u_drain (
    .clk_i          (clk_i),
    .rst_i          (drop),
    .stop_i         (stop),
    .insn_i         (insn_i),
    .insn_last_i    (insn_last_i),
    .instr_i        (instr_q),
    .count_i        (count),
    .arm_i          (arm),
    .arm_ready_o    (arm_ready),
    .sweeping_i     (!over),
    .emit_i         (step_emit),
    .emit_ok_o      (emit_ok),
    .emit_wide_o    (emit_wide),
    .wanted_o       (wanted),
    .from_i         (insn_i[KT_MX_GEMM_TILE_AT +: TW]),
    .to_i           (t_last),
    .overlap_o      (overlap),
    .emits_i        (emits_soon || dot_en && dot_emit),
    .read_o         (read),
    .read_ready_i   (read_ready),
    .read_word_o    (read_word),
    .read_written_i (written[1]),
    .in_valid_i     (leaves),
    .in_wide_i      (leaves_wide),
    .in_data_i      (leaving),
    .aw_valid_o     (aw_valid_o),
    .aw_ready_i     (aw_ready_i),
    .aw_addr_o      (aw_addr_o),
    .aw_beats_o     (aw_beats_o),
    .aw_instr_o     (aw_instr_o),
    .w_valid_o      (w_valid_o),
    .w_ready_i      (w_ready_i),
    .w_data_o       (w_data_o),
    .b_valid_i      (b_valid_i),
    .fault_o        (drain_fault),
    .fault_instr_o  (drain_instr),
    .done_o         (done_drain_o),
    .done_last_o    (done_drain_last_o),
    .waiting_o      (drain_waiting),
    .busy_o         (drain_busy),
    .clamped_o      (ev_clamped_o),
    .flushed_o      (ev_flushed_o),
    .nan_o          (ev_nan_o)
  );
  assign undrained_o = wanted;
  assign w_strobe_o  = 1'b1;

  // ---- Faults: the sweep's instruction is older than the DRAIN's or the head --------------------

  wire found = !stop && (sweep_fault || drain_fault || act && bad || unarmed || undrained);
  reg        fault_q;
  reg [7:0]  code_q, field_q;
  reg [31:0] arg_q;
  reg [15:0] fault_instr_q;
  always @(posedge clk_i) begin
    fault_q <= found;
    if (found) faulted_q <= 1'b1;
    if (drop) begin
      fault_q   <= 1'b0;
      faulted_q <= 1'b0;
    end
  end
  always @(posedge clk_i)
    if (found) begin
      code_q        <= sweep_fault ? sweep_code : drain_fault ? KT_MX_FAULT_TILE_EMPTY
                     : bad ? bad_code : undrained ? KT_MX_FAULT_UNDRAINED : KT_MX_FAULT_NOT_ARMED;
      field_q       <= sweep_fault ? sweep_field : drain_fault ? KT_MX_FIELD_DRAIN_TILE
                     : bad ? bad_field : 8'd0;
      arg_q         <= sweep_fault ? {16'd0, sweep_arg}
                     : drain_fault ? {{(32-TW){1'b0}}, read_word} : bad ? bad_arg
                     : undrained ? {12'd0, wanted} : 32'd0;
      fault_instr_q <= sweep_fault ? sweep_instr : drain_fault ? drain_instr : instr_q;
    end
  assign fault_valid_o = fault_q;
  assign fault_code_o  = code_q;
  assign fault_field_o = field_q;
  assign fault_arg_o   = arg_q;
  assign fault_instr_o = fault_instr_q;

  // ---- Who waits, what moves ------------------------------------------------------------------

  assign waiting_o = {drain_waiting, sweeping || gemm_here, fill_waiting || quantise_here};
  assign idle_o    = !sweeping && !dot_en && !tile_busy && !drain_busy && !fault_q;
  reg progress_q;
  always @(posedge clk_i)
    progress_q <= step || mark || taken || l1_valid_i || read || aw_valid_o && aw_ready_i
               || w_valid_o && w_ready_i || b_valid_i;
  assign progress_o = progress_q;
endmodule
`default_nettype wire
