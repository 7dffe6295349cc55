// SPDX-License-Identifier: Apache-2.0
// Judges the instruction that stands at insn_i, in the order of docs/mx-machine.md, and works out
// what its execution needs: the last entries, the number of sub-tiles. ready_o comes two cycles
// after the instruction; everything stands until taken_i.
`default_nettype none
module ktpu_mx_decode #(
  parameter integer L1_ENTRIES = 512,
  parameter integer TILES      = 512
) (
  input  wire         clk_i,
  input  wire         rst_i,

  input  wire         insn_valid_i,
  input  wire [255:0] insn_i,
  input  wire         taken_i,

  output wire         ready_o,
  output wire         bad_o,       // a check failed: code, field, argument say which
  output wire [7:0]   code_o,
  output wire [7:0]   field_o,
  output wire [31:0]  arg_o,
  output wire [$clog2(L1_ENTRIES)-2:0] a_last_o,    // last entry in its bank of a FILL, of A
  output wire [$clog2(L1_ENTRIES)-2:0] b_last_o,
  output wire [18:0]  count_o,     // sub-tiles of a GEMM's tile or of a DRAIN
  output wire [$clog2(TILES)-1:0] t_last_o     // last word of the tile
);
  `include "ktpu_mx.vh"
  `include "ktpu_mx_checks.vh"

  localparam integer L1_HALF = L1_ENTRIES / 2;
  localparam [16:0] L1_BANK    = L1_HALF[16:0];
  localparam [18:0] TILE_WORDS = TILES[18:0];

  wire [7:0] op      = insn_i[7:0];
  wire       is_fill = op == KT_MX_OP_FILL;
  wire       is_gemm = op == KT_MX_OP_GEMM;
  wire       is_drain = op == KT_MX_OP_DRAIN;

  // ---- The instruction's bits alone -----------------------------------------------------------

  // {found, code, field, argument} of the first check that failed
  function [48:0] first(input [48:0] found, input wrong, input [7:0] code, input [7:0] field,
                        input [31:0] arg);
    first = found[48] ? found : {wrong, code, field, arg};
  endfunction

  function [48:0] judge(input [255:0] f);
    reg [40:0] range;
    reg [3:0]  reserved;
    begin
      range    = kt_mx_field_wrong(f);
      reserved = kt_mx_reserved_wrong(f);
      judge = first(49'd0, f[7:0] != KT_MX_OP_FILL && f[7:0] != KT_MX_OP_GEMM
                           && f[7:0] != KT_MX_OP_DRAIN && f[7:0] != KT_MX_OP_QUANTISE,
                    KT_MX_FAULT_OPCODE, 8'd0,
                    {24'd0, f[7:0]});
      judge = first(judge, range[40], KT_MX_FAULT_FIELD, range[39:32], range[31:0]);
      judge = first(judge, reserved[3], KT_MX_FAULT_RESERVED, 8'd0, {29'd0, reserved[2:0]});
      if (f[7:0] == KT_MX_OP_FILL)
        judge = first(judge, f[KT_MX_FILL_BLOCKS_AT +: 16] > 16'd1
                             && f[KT_MX_FILL_PITCH_AT +: 16] < f[KT_MX_FILL_GROUPS_AT +: 16],
                      KT_MX_FAULT_PITCH, KT_MX_FIELD_FILL_PITCH,
                      {16'd0, f[KT_MX_FILL_PITCH_AT +: 16]});
      if (f[7:0] == KT_MX_OP_QUANTISE)
        judge = first(judge, f[KT_MX_QUANTISE_GROUPS_AT +: 16] > 16'd1
                             && f[KT_MX_QUANTISE_PITCH_AT +: 16]
                                < f[KT_MX_QUANTISE_BLOCKS_AT +: 16],
                      KT_MX_FAULT_PITCH, KT_MX_FIELD_QUANTISE_PITCH,
                      {16'd0, f[KT_MX_QUANTISE_PITCH_AT +: 16]});
      if (f[7:0] == KT_MX_OP_GEMM) begin
        judge = first(judge, f[KT_MX_GEMM_NK_AT +: 16] > 16'd1
                             && f[KT_MX_GEMM_A_PITCH_AT +: 16] < f[KT_MX_GEMM_GM_AT +: 16],
                      KT_MX_FAULT_PITCH, KT_MX_FIELD_GEMM_A_PITCH,
                      {16'd0, f[KT_MX_GEMM_A_PITCH_AT +: 16]});
        judge = first(judge, f[KT_MX_GEMM_NK_AT +: 16] > 16'd1
                             && f[KT_MX_GEMM_B_PITCH_AT +: 16] < f[KT_MX_GEMM_GN_AT +: 16],
                      KT_MX_FAULT_PITCH, KT_MX_FIELD_GEMM_B_PITCH,
                      {16'd0, f[KT_MX_GEMM_B_PITCH_AT +: 16]});
      end
    end
  endfunction

  // ---- Two steps -------------------------------------------------------------------------------

  // The fields are at most 256 or 512 where the instruction passes, so that their low bits are all.
  wire [7:0]  a_more  = (is_fill ? insn_i[KT_MX_FILL_BLOCKS_AT +: 8]
                                 : insn_i[KT_MX_GEMM_NK_AT +: 8]) - 8'd1;
  wire [7:0]  b_more  = insn_i[KT_MX_GEMM_NK_AT +: 8] - 8'd1;
  wire [8:0]  a_pitch = is_fill ? insn_i[KT_MX_FILL_PITCH_AT +: 9]
                                : insn_i[KT_MX_GEMM_A_PITCH_AT +: 9];
  wire [8:0]  b_pitch = insn_i[KT_MX_GEMM_B_PITCH_AT +: 9];
  wire [8:0]  a_wide  = is_fill ? insn_i[KT_MX_FILL_GROUPS_AT +: 9]
                                : insn_i[KT_MX_GEMM_GM_AT +: 9];
  wire [8:0]  b_wide  = insn_i[KT_MX_GEMM_GN_AT +: 9];
  wire [9:0]  rows    = is_gemm ? {1'b0, a_wide} : insn_i[KT_MX_DRAIN_ROWS_AT +: 10];
  wire [9:0]  columns = is_gemm ? {1'b0, b_wide} : insn_i[KT_MX_DRAIN_COLUMNS_AT +: 10];
  wire [7:0]  a_from  = is_fill ? insn_i[KT_MX_FILL_OFFSET_AT +: 8]
                                : insn_i[KT_MX_GEMM_A_OFFSET_AT +: 8];
  wire [7:0]  b_from  = insn_i[KT_MX_GEMM_B_OFFSET_AT +: 8];
  wire [15:0] t_from  = is_gemm ? insn_i[KT_MX_GEMM_TILE_AT +: 16]
                                : insn_i[KT_MX_DRAIN_TILE_AT +: 16];

  reg [1:0]  age_q;                  // 0: a new one, 2: judged
  reg [48:0] judged_q;
  reg [16:0] a_walk_q, b_walk_q;     // at most 255 * 256
  reg [18:0] count_q;                // at most 512 * 512
  reg [16:0] a_last_q, b_last_q;     // at most 255 + 255 * 256 + 255
  reg [18:0] t_last_q;               // at most 511 + 512 * 512 - 1
  always @(posedge clk_i) begin
    if (rst_i || taken_i)                     age_q <= 2'd0;
    else if (insn_valid_i && age_q != 2'd2)   age_q <= age_q + 2'd1;
  end
  always @(posedge clk_i) begin
    if (insn_valid_i && age_q == 2'd0) begin
      judged_q <= judge(insn_i);
      a_walk_q <= {9'd0, a_more} * {8'd0, a_pitch};
      b_walk_q <= {9'd0, b_more} * {8'd0, b_pitch};
      count_q  <= {9'd0, rows} * {9'd0, columns};
    end
    if (age_q == 2'd1) begin
      a_last_q <= {9'd0, a_from} + a_walk_q + {8'd0, a_wide} - 17'd1;
      b_last_q <= {9'd0, b_from} + b_walk_q + {8'd0, b_wide} - 17'd1;
      t_last_q <= {3'd0, t_from} + count_q - 19'd1;
    end
  end

  // ---- Spans -----------------------------------------------------------------------------------

  wire [7:0]  a_field  = is_fill ? KT_MX_FIELD_FILL_OFFSET : KT_MX_FIELD_GEMM_A_OFFSET;
  wire [7:0]  t_field  = is_gemm ? KT_MX_FIELD_GEMM_TILE : KT_MX_FIELD_DRAIN_TILE;
  wire        tiled    = is_gemm || is_drain && !insn_i[KT_MX_DRAIN_FUSED_AT];
  wire [48:0] with_a   = first(judged_q, (is_fill || is_gemm) && a_last_q >= L1_BANK,
                               KT_MX_FAULT_L1_SPAN, a_field, {15'd0, a_last_q});
  wire [48:0] with_b   = first(with_a, is_gemm && b_last_q >= L1_BANK, KT_MX_FAULT_L1_SPAN,
                               KT_MX_FIELD_GEMM_B_OFFSET, {15'd0, b_last_q});
  wire [48:0] with_t   = first(with_b, tiled && t_last_q >= TILE_WORDS, KT_MX_FAULT_TILE_SPAN,
                               t_field, {13'd0, t_last_q});

  assign ready_o  = age_q == 2'd2;
  assign {bad_o, code_o, field_o, arg_o} = with_t;
  assign a_last_o = a_last_q[$clog2(L1_ENTRIES)-2:0];
  assign b_last_o = b_last_q[$clog2(L1_ENTRIES)-2:0];
  assign count_o  = count_q;
  assign t_last_o = t_last_q[$clog2(TILES)-1:0];
endmodule
`default_nettype wire
