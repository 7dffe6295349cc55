// SPDX-License-Identifier: Apache-2.0
// Sums what a program's instructions make each unit do, as they are dispatched, and compares the
// sums with the header's promises afterwards, a header word a cycle. Sums past 65535 agree with no
// promise and are shown as 65535.
`default_nettype none
module ktpu_int8_header #(
  parameter integer T    = 4,
  parameter integer SPAN = 8          // bits of a row count of A or B: up to MAXDIM
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
  output reg         lo_bad_o,       // first count differs, second, rest is not 0
  output reg         hi_bad_o,
  output reg         rest_bad_o,
  output reg  [3:0]  lo_slot_o,
  output wire [3:0]  hi_slot_o,
  output reg  [15:0] lo_found_o,
  output reg  [15:0] hi_found_o
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

  // a comparison: the word's first count, its second where it has one, and the rest
  reg        has_hi;
  reg [16:0] lo, hi;
  wire unused_row0 = &{1'b0, row0_i};
  always @* begin
    lo         = 17'd0;
    hi         = 17'd0;
    lo_found_o = 16'd0;
    lo_slot_o  = KT_HDR_N_INSTR;
    hi_found_o = 16'd0;
    lo_bad_o   = 1'b0;
    hi_bad_o   = 1'b0;
    rest_bad_o = 1'b0;
    has_hi     = word_i == 3'd4 || word_i == 3'd7;
    if (cmp_i) begin
      case (word_i)
        3'd0: begin lo = {1'b0, n_instr_i}; lo_slot_o = KT_HDR_N_INSTR; end
        3'd1: begin lo = ld_q;      lo_slot_o = KT_HDR_DMA_LD_ROWS; end
        3'd2: begin lo = spm_q;     lo_slot_o = KT_HDR_SPM_ROWS; end
        3'd3: begin lo = vru_q;     lo_slot_o = KT_HDR_VRU_WORDS; end
        3'd4: begin lo = mms_q;     lo_slot_o = KT_HDR_MM_COUNT; end
        3'd5: begin lo = accu_q;    lo_slot_o = KT_HDR_ACCU_ITERATIONS; end
        3'd6: begin lo = st_q;      lo_slot_o = KT_HDR_DMA_ST_ROWS; end
        default: begin lo = a_span; lo_slot_o = KT_HDR_A_SPAN; end
      endcase
      hi         = (word_i == 3'd4) ? rows_q : b_span;
      lo_bad_o   = {1'b0, promised_i[15:0]} != lo;
      hi_bad_o   = has_hi && {1'b0, promised_i[31:16]} != hi;
      lo_found_o = lo[15:0] | {16{lo[16]}};
      hi_found_o = hi[15:0] | {16{hi[16]}};
      rest_bad_o = promised_i[63:32] != 32'd0 || (!has_hi && promised_i[31:16] != 16'd0);
    end
  end
  assign hi_slot_o = (word_i == 3'd4) ? KT_HDR_MM_ROWS : KT_HDR_B_SPAN;
endmodule
`default_nettype wire
