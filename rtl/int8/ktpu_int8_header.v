// SPDX-License-Identifier: Apache-2.0
// Sums what a program's instructions make each unit do, as they are dispatched, and compares the
// sums with the header's promises afterwards, a header word a cycle. Sums past 65535 agree with no
// promise and are shown as 65535. With PIPELINE = 1 the count is chosen and compared in a cycle
// each: the findings, and the word they are about, stand two cycles after cmp_i.
`default_nettype none
module ktpu_int8_header #(
  parameter integer T    = 4,
  parameter integer SPAN = 8,         // bits of a row count of A or B: up to MAXDIM
  parameter integer PIPELINE = 0
) (
  input  wire        clk_i,
  input  wire        clear_i,        // a program begins

  input  wire        add_i,          // an instruction is dispatched
  input  wire [5:0]  op_i,
  input  wire [1:0]  mode_i,         // dma_ld
  input  wire [10:0] row0_i,         // dma_ld: first DRAM row
  input  wire [6:0]  nr_i,

  input  wire        cmp_i,
  input  wire [2:0]  word_i,         // header word under comparison
  input  wire [63:0] promised_i,
  input  wire [15:0] n_instr_i,      // instructions that the program has
  output wire        cmp_o,          // the findings below are about word_o, as promised
  output wire [2:0]  word_o,
  output wire [31:0] promised_o,
  output wire        lo_bad_o,       // first count differs, second, rest is not 0
  output wire        hi_bad_o,
  output wire        rest_bad_o,
  output wire [3:0]  lo_slot_o,
  output wire [3:0]  hi_slot_o,
  output wire [15:0] lo_found_o,
  output wire [15:0] hi_found_o
);
  `include "ktpu_tinytpu.vh"

  wire is_ld    = op_i == KT_OP_DMA_LD;
  wire is_vld   = op_i == KT_OP_VLD;
  wire is_mm    = op_i == KT_OP_MM;
  wire is_mvout = op_i == KT_OP_MVOUT;
  wire is_vrelu = op_i == KT_OP_VRELU;
  wire to_vr    = mode_i[KT_MODE_VR_BIT];
  wire from_b   = mode_i[KT_MODE_B_BIT];

  localparam integer WEIGHT_STEPS_I = T + 1;
  localparam [7:0] WEIGHT_STEPS = WEIGHT_STEPS_I[7:0];  // one word down wcol more than weight rows

  // what an instruction adds, and where
  wire [7:0] nr        = {1'b0, nr_i};
  wire [7:0] spm_steps = is_mm ? WEIGHT_STEPS : nr;
  wire [7:0] accu_steps = (is_mm || is_vrelu || is_mvout) ? nr : {nr_i, 1'b0};
  wire to_spm  = (is_ld && !to_vr) || is_vld || is_mm;
  wire to_vru  = (is_ld && to_vr) || is_vld || is_mm;
  wire to_accu = !is_ld && !is_vld;
  wire [11:0] nr_w = {5'd0, nr_i};
  wire unused_nr = &{1'b0, nr_w};
  wire [SPAN-1:0] span = row0_i[SPAN-1:0] + nr_w[SPAN-1:0];

  // 17 bits: the top one sticks, so that a count past 65535 never equals a promise
  function [16:0] plus(input [16:0] have, input [7:0] more);
    reg [16:0] sum;
    begin
      sum  = {1'b0, have[15:0]} + {9'd0, more};
      plus = {have[16] | sum[16], sum[15:0]};
    end
  endfunction

  reg [16:0] ld_q, spm_q, vru_q, mms_q, rows_q, accu_q, st_q;
  reg [SPAN-1:0] a_q, b_q;
  always @(posedge clk_i)
    if (clear_i) begin
      ld_q   <= 17'd0;
      spm_q  <= 17'd0;
      vru_q  <= 17'd0;
      mms_q  <= 17'd0;
      rows_q <= 17'd0;
      accu_q <= 17'd0;
      st_q   <= 17'd0;
      a_q    <= {SPAN{1'b0}};
      b_q    <= {SPAN{1'b0}};
    end else if (add_i) begin
      if (is_ld)    ld_q   <= plus(ld_q, nr);
      if (to_spm)   spm_q  <= plus(spm_q, spm_steps);
      if (to_vru)   vru_q  <= plus(vru_q, nr);
      if (is_mm)    mms_q  <= plus(mms_q, 8'd1);
      if (is_mm)    rows_q <= plus(rows_q, nr);
      if (to_accu)  accu_q <= plus(accu_q, accu_steps);
      if (is_mvout) st_q   <= plus(st_q, nr);
      if (is_ld && !from_b && span > a_q) a_q <= span;
      if (is_ld && from_b && span > b_q)  b_q <= span;
    end
  wire [16:0] a_span = {{(17-SPAN){1'b0}}, a_q};
  wire [16:0] b_span = {{(17-SPAN){1'b0}}, b_q};

  // ---- choice: the word's first count, its second where it has one
  wire       has_hi = word_i == 3'd4 || word_i == 3'd7;
  wire       unused_row0 = &{1'b0, row0_i};
  reg [16:0] lo, hi;
  reg [3:0]  lo_slot;
  always @* begin
    lo      = 17'd0;
    hi      = 17'd0;
    lo_slot = KT_HDR_N_INSTR;
    if (cmp_i) begin
      case (word_i)
        3'd0: begin lo = {1'b0, n_instr_i}; lo_slot = KT_HDR_N_INSTR; end
        3'd1: begin lo = ld_q;      lo_slot = KT_HDR_DMA_LD_ROWS; end
        3'd2: begin lo = spm_q;     lo_slot = KT_HDR_SPM_ROWS; end
        3'd3: begin lo = vru_q;     lo_slot = KT_HDR_VRU_WORDS; end
        3'd4: begin lo = mms_q;     lo_slot = KT_HDR_MM_COUNT; end
        3'd5: begin lo = accu_q;    lo_slot = KT_HDR_ACCU_ITERATIONS; end
        3'd6: begin lo = st_q;      lo_slot = KT_HDR_DMA_ST_ROWS; end
        default: begin lo = a_span; lo_slot = KT_HDR_A_SPAN; end
      endcase
      hi = (word_i == 3'd4) ? rows_q : b_span;
    end
  end
  localparam integer CW = 1 + 3 + 64 + 17 + 17 + 4 + 1;
  wire [CW-1:0] chosen = {cmp_i, word_i, promised_i, lo, hi, lo_slot, has_hi};

  // ---- comparison
  wire [CW-1:0] c;
  wire          c_cmp, c_has_hi;
  wire [2:0]    c_word;
  wire [63:0]   c_promised;
  wire [16:0]   c_lo, c_hi;
  wire [3:0]    c_slot;
  assign {c_cmp, c_word, c_promised, c_lo, c_hi, c_slot, c_has_hi} = c;
  wire lo_bad   = c_cmp && {1'b0, c_promised[15:0]} != c_lo;
  wire hi_bad   = c_cmp && c_has_hi && {1'b0, c_promised[31:16]} != c_hi;
  wire rest_bad = c_cmp && (c_promised[63:32] != 32'd0 ||
                            (!c_has_hi && c_promised[31:16] != 16'd0));
  localparam integer FW = 1 + 3 + 32 + 3 + 4 + 4 + 16 + 16;
  wire [FW-1:0] finding = {
    c_cmp, c_word, c_promised[31:0], lo_bad, hi_bad, rest_bad, c_slot,
    (c_word == 3'd4) ? KT_HDR_MM_ROWS : KT_HDR_B_SPAN,
    c_lo[15:0] | {16{c_lo[16]}}, c_hi[15:0] | {16{c_hi[16]}}};
  wire [FW-1:0] found;
  assign {cmp_o, word_o, promised_o, lo_bad_o, hi_bad_o, rest_bad_o, lo_slot_o, hi_slot_o,
          lo_found_o, hi_found_o} = found;
  generate
    if (PIPELINE != 0) begin : g_registers
      reg [CW-1:0] chosen_q;
      reg [FW-1:0] finding_q;
      always @(posedge clk_i) begin
        chosen_q  <= chosen;
        finding_q <= finding;
      end
      assign c     = chosen_q;
      assign found = finding_q;
    end else begin : g_at_once
      assign c     = chosen;
      assign found = finding;
    end
  endgenerate
endmodule
`default_nettype wire
