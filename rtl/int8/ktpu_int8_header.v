// Sums what a program's instructions make each unit do, as they are dispatched, and compares the
// sums with the header's promises afterwards, a header word a cycle. Sums stop at 65535.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_header #(
  parameter integer T = 4
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
  output reg         lo_bad_o,       // the word's first count differs, its second, its rest is not 0
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
  localparam [7:0] WEIGHT_STEPS = WEIGHT_STEPS_I[7:0];     // one word down wcol more than weight rows
  wire [7:0] nr   = {1'b0, nr_i};
  wire [7:0] twice = {nr_i, 1'b0};

  // what this instruction adds to each count
  wire [7:0] add_ld   = is_ld ? nr : 8'd0;
  wire [7:0] add_spm  = ((is_ld && !to_vr) || is_vld) ? nr : is_mm ? WEIGHT_STEPS : 8'd0;
  wire [7:0] add_vru  = ((is_ld && to_vr) || is_vld || is_mm) ? nr : 8'd0;
  wire [7:0] add_mms  = {7'd0, is_mm};
  wire [7:0] add_rows = is_mm ? nr : 8'd0;
  wire [7:0] add_accu = (is_mm || is_vrelu || is_mvout) ? nr : (is_ld || is_vld) ? 8'd0 : twice;
  wire [7:0] add_st   = is_mvout ? nr : 8'd0;
  wire [15:0] span    = {5'd0, row0_i} + {9'd0, nr_i};

  function [15:0] sum16(input [15:0] have, input [7:0] more);
    reg [16:0] s;
    begin
      s     = {1'b0, have} + {9'd0, more};
      sum16 = s[16] ? 16'hFFFF : s[15:0];
    end
  endfunction

  reg [15:0] ld_q, spm_q, vru_q, mms_q, rows_q, accu_q, st_q, a_q, b_q;
  always @(posedge clk_i)
    if (clear_i) begin
      ld_q   <= 16'd0;
      spm_q  <= 16'd0;
      vru_q  <= 16'd0;
      mms_q  <= 16'd0;
      rows_q <= 16'd0;
      accu_q <= 16'd0;
      st_q   <= 16'd0;
      a_q    <= 16'd0;
      b_q    <= 16'd0;
    end else if (add_i) begin
      ld_q   <= sum16(ld_q, add_ld);
      spm_q  <= sum16(spm_q, add_spm);
      vru_q  <= sum16(vru_q, add_vru);
      mms_q  <= sum16(mms_q, add_mms);
      rows_q <= sum16(rows_q, add_rows);
      accu_q <= sum16(accu_q, add_accu);
      st_q   <= sum16(st_q, add_st);
      if (is_ld && !from_b && span > a_q) a_q <= span;
      if (is_ld && from_b && span > b_q)  b_q <= span;
    end

  // a comparison: the word's first count, its second where it has one, and the rest
  reg        has_hi;
  always @* begin
    lo_found_o = 16'd0;
    lo_slot_o  = KT_HDR_N_INSTR;
    hi_found_o = 16'd0;
    lo_bad_o   = 1'b0;
    hi_bad_o   = 1'b0;
    rest_bad_o = 1'b0;
    has_hi     = word_i == 3'd4 || word_i == 3'd7;
    if (cmp_i) begin
      case (word_i)
        3'd0: begin lo_found_o = n_instr_i; lo_slot_o = KT_HDR_N_INSTR; end
        3'd1: begin lo_found_o = ld_q;      lo_slot_o = KT_HDR_DMA_LD_ROWS; end
        3'd2: begin lo_found_o = spm_q;     lo_slot_o = KT_HDR_SPM_ROWS; end
        3'd3: begin lo_found_o = vru_q;     lo_slot_o = KT_HDR_VRU_WORDS; end
        3'd4: begin lo_found_o = mms_q;     lo_slot_o = KT_HDR_MM_COUNT; end
        3'd5: begin lo_found_o = accu_q;    lo_slot_o = KT_HDR_ACCU_ITERATIONS; end
        3'd6: begin lo_found_o = st_q;      lo_slot_o = KT_HDR_DMA_ST_ROWS; end
        default: begin lo_found_o = a_q;    lo_slot_o = KT_HDR_A_SPAN; end
      endcase
      hi_found_o = (word_i == 3'd4) ? rows_q : b_q;
      lo_bad_o   = promised_i[15:0] != lo_found_o;
      hi_bad_o   = has_hi && promised_i[31:16] != hi_found_o;
      rest_bad_o = promised_i[63:32] != 32'd0 || (!has_hi && promised_i[31:16] != 16'd0);
    end
  end
  assign hi_slot_o = (word_i == 3'd4) ? KT_HDR_MM_ROWS : KT_HDR_B_SPAN;
endmodule
`default_nettype wire
