// SPDX-License-Identifier: Apache-2.0
// Steps through a GEMM's products of two entries: blocks of K outermost, then groups of A, then of
// B, a step every 32 / KSLICE cycles while both entries have arrived, the tile word is not one of
// the last four cycles' (the adders need five), and an emitted word has a DRAIN and room. What is
// behind never stops it once a step has begun. The next GEMM may start in the cycle of the last
// step (over_o): its first step follows at once. needed_o: the entry of a FILL lies in what is left
// to be read, taken as one range from the current entry (of B: block) to the last.
`default_nettype none
module ktpu_mx_sweep #(
  parameter integer KSLICE     = 32,
  parameter integer L1_ENTRIES = 512,
  parameter integer TILES      = 512
) (
  input  wire                          clk_i,
  input  wire                          rst_i,
  input  wire                          stop_i,

  // A GEMM, checked, with over_o
  input  wire                          start_i,
  input  wire                          acc_i,
  input  wire                          emit_i,
  input  wire [$clog2(L1_ENTRIES)-1:0] a_first_i,
  input  wire [$clog2(L1_ENTRIES)-1:0] a_last_i,
  input  wire [$clog2(L1_ENTRIES)-1:0] a_pitch_i,    // not added where there is one block
  input  wire [$clog2(L1_ENTRIES)-1:0] b_first_i,
  input  wire [$clog2(L1_ENTRIES)-1:0] b_last_i,
  input  wire [$clog2(L1_ENTRIES)-1:0] b_pitch_i,
  input  wire [7:0]                    gm_i,         // 256 is 0
  input  wire [7:0]                    gn_i,
  input  wire [7:0]                    nk_i,
  input  wire [$clog2(TILES)-1:0]      tile_i,
  input  wire [15:0]                   instr_i,
  input  wire                          waits_i,      // a GEMM stands and cannot start
  output wire                          over_o,       // idle, or this is the last step
  output wire                          busy_o,

  // Scoreboard and tile
  output wire [$clog2(L1_ENTRIES)-1:0] a_entry_o,
  input  wire                          a_named_i,
  input  wire                          a_valid_i,
  output wire [$clog2(L1_ENTRIES)-1:0] b_entry_o,
  input  wire                          b_named_i,
  input  wire                          b_valid_i,
  output wire [$clog2(TILES)-1:0]      word_o,
  input  wire                          written_i,    // the word has been written since go
  input  wire                          emit_ok_i,
  input  wire                          emit_wide_i,

  // A step begins: both entries are read; the word counts as written
  output wire                          step_o,
  output wire                          step_emit_o,

  // The products under way
  output wire                          dot_en_o,
  output wire [2:0]                    dot_slice_o,
  output wire                          dot_last_o,   // the word's last slice
  output wire [$clog2(TILES)-1:0]      dot_word_o,
  output wire                          dot_load_o,
  output wire                          dot_emit_o,
  output wire                          dot_wide_o,

  input  wire                          fill_side_i,  // 0: A
  input  wire [$clog2(L1_ENTRIES)-1:0] fill_entry_i,
  output wire                          needed_o,

  output wire                          fault_o,
  output wire [7:0]                    fault_code_o,
  output wire [7:0]                    fault_field_o,
  output wire [15:0]                   fault_arg_o,
  output wire [15:0]                   fault_instr_o,
  output wire [2:0]                    state_o
);
  `include "ktpu_mx.vh"

  localparam integer AW = $clog2(L1_ENTRIES);
  localparam integer TW = $clog2(TILES);
  localparam integer SLICES = 32 / KSLICE;
  localparam integer LAST_INDEX = SLICES - 1;
  localparam [2:0]    LAST_SLICE = LAST_INDEX[2:0];
  localparam [AW-1:0] A_ONE = {{(AW-1){1'b0}}, 1'b1};
  localparam [TW-1:0] T_ONE = {{(TW-1){1'b0}}, 1'b1};

  reg          busy_q, acc_q, emit_q, first_q;     // first: block 0
  reg [AW-1:0] a_q, a_block_q, a_last_q, a_pitch_q;
  reg [AW-1:0] b_q, b_block_q, b_last_q, b_pitch_q;
  reg [7:0]    m_more_q, n_more_q;                 // groups less one
  reg [7:0]    g_left_q, h_left_q, k_left_q;       // turns after this one
  reg [TW-1:0] word_q, tile_q;
  reg [15:0]   instr_q;

  // ---- May the step begin? --------------------------------------------------------------------

  reg            run_q;                            // a product is under way
  reg [2:0]      slice_q;
  reg [3:0]      recent_q;                         // steps of the last four cycles
  reg [4*TW-1:0] recent_word_q;

  wire last_h = h_left_q == 8'd0;
  wire last_g = g_left_q == 8'd0;
  wire last_k = k_left_q == 8'd0;
  wire free   = !run_q || slice_q == LAST_SLICE;
  wire reuse  = recent_q[0] && recent_word_q[0 +: TW] == word_q
             || recent_q[1] && recent_word_q[TW +: TW] == word_q
             || recent_q[2] && recent_word_q[2*TW +: TW] == word_q
             || recent_q[3] && recent_word_q[3*TW +: TW] == word_q;
  wire emits  = emit_q && last_k;
  wire hollow = acc_q && first_q && !written_i;    // continues a word that nobody began
  wire may    = busy_q && free && !stop_i;
  wire step   = may && a_valid_i && b_valid_i && !hollow && !reuse && (!emits || emit_ok_i);

  assign over_o        = !busy_q || step && last_h && last_g && last_k;
  assign busy_o        = busy_q;
  assign a_entry_o     = a_q;
  assign b_entry_o     = b_q;
  assign word_o        = word_q;
  assign step_o        = step;
  assign step_emit_o   = step && emits;
  assign fault_o       = may && (!a_named_i || !b_named_i || hollow);
  assign fault_code_o  = !a_named_i || !b_named_i ? KT_MX_FAULT_L1_EMPTY : KT_MX_FAULT_TILE_EMPTY;
  assign fault_field_o = !a_named_i ? KT_MX_FIELD_GEMM_A_OFFSET
                       : !b_named_i ? KT_MX_FIELD_GEMM_B_OFFSET : KT_MX_FIELD_GEMM_TILE;
  assign fault_instr_o = instr_q;

  // Bank times 256 and the entry, whatever a bank holds.
  function [15:0] place(input [AW-1:0] entry);
    place = {7'd0, entry[AW-1], 8'd0} | {{(17-AW){1'b0}}, entry[AW-2:0]};
  endfunction
  assign fault_arg_o = !a_named_i ? place(a_q) : !b_named_i ? place(b_q)
                     : {{(16-TW){1'b0}}, word_q};

  assign state_o = step ? KT_MX_SWEEP_STEP
    : !free      ? KT_MX_SWEEP_SLICE
    : !busy_q    ? (waits_i ? KT_MX_SWEEP_START : KT_MX_SWEEP_IDLE)
    : !a_valid_i ? KT_MX_SWEEP_OPERAND_A
    : !b_valid_i ? KT_MX_SWEEP_OPERAND_B
    : reuse      ? KT_MX_SWEEP_REUSE : KT_MX_SWEEP_OUTPUT;

  // What is left of A starts at its current entry, of B at its block until A's last group.
  wire [AW-1:0] b_from = last_g ? b_q : b_block_q;
  assign needed_o = busy_q && (fill_side_i ? fill_entry_i >= b_from && fill_entry_i <= b_last_q
                                           : fill_entry_i >= a_q && fill_entry_i <= a_last_q);

  // ---- Counters --------------------------------------------------------------------------------

  always @(posedge clk_i) begin
    if (start_i)                              busy_q <= 1'b1;
    else if (over_o || stop_i)                busy_q <= 1'b0;
    if (rst_i) busy_q <= 1'b0;
  end

  wire [AW-1:0] a_block = a_block_q + a_pitch_q;
  wire [AW-1:0] b_block = b_block_q + b_pitch_q;
  always @(posedge clk_i) begin
    if (step) begin
      word_q   <= word_q + T_ONE;
      h_left_q <= h_left_q - 8'd1;
      b_q      <= b_q + A_ONE;
      if (last_h) begin
        h_left_q <= n_more_q;
        b_q      <= b_block_q;
        g_left_q <= g_left_q - 8'd1;
        a_q      <= a_q + A_ONE;
        if (last_g) begin
          g_left_q  <= m_more_q;
          word_q    <= tile_q;
          a_q       <= a_block;
          a_block_q <= a_block;
          b_q       <= b_block;
          b_block_q <= b_block;
          k_left_q  <= k_left_q - 8'd1;
          first_q   <= 1'b0;
        end
      end
    end
    if (start_i) begin
      acc_q     <= acc_i;
      emit_q    <= emit_i;
      first_q   <= 1'b1;
      a_q       <= a_first_i;
      a_block_q <= a_first_i;
      a_last_q  <= a_last_i;
      a_pitch_q <= a_pitch_i;
      b_q       <= b_first_i;
      b_block_q <= b_first_i;
      b_last_q  <= b_last_i;
      b_pitch_q <= b_pitch_i;
      m_more_q  <= gm_i - 8'd1;
      n_more_q  <= gn_i - 8'd1;
      g_left_q  <= gm_i - 8'd1;
      h_left_q  <= gn_i - 8'd1;
      k_left_q  <= nk_i - 8'd1;
      word_q    <= tile_i;
      tile_q    <= tile_i;
      instr_q   <= instr_i;
    end
  end

  // ---- The product under way ------------------------------------------------------------------

  reg [TW-1:0] dot_word_q;
  reg          dot_load_q, dot_emit_q, dot_wide_q;
  always @(posedge clk_i) begin
    if (step) begin
      run_q   <= 1'b1;
      slice_q <= 3'd0;
    end else if (free) begin
      run_q   <= 1'b0;
    end else begin
      slice_q <= slice_q + 3'd1;
    end
    recent_q <= {recent_q[2:0], step};
    if (rst_i) begin
      run_q    <= 1'b0;
      recent_q <= 4'd0;
    end
  end
  always @(posedge clk_i) begin
    recent_word_q <= {recent_word_q[3*TW-1:0], word_q};
    if (step) begin
      dot_word_q <= word_q;
      dot_load_q <= first_q && !acc_q;
      dot_emit_q <= emits;
      dot_wide_q <= emit_wide_i;
    end
  end
  assign dot_en_o    = run_q;
  assign dot_slice_o = slice_q;
  assign dot_last_o  = run_q && slice_q == LAST_SLICE;
  assign dot_word_o  = dot_word_q;
  assign dot_load_o  = dot_load_q;
  assign dot_emit_o  = dot_emit_q;
  assign dot_wide_o  = dot_wide_q;
`ifdef FORMAL
  `include "ktpu_mx_sweep_fv.vh"
`endif
endmodule
`default_nettype wire
