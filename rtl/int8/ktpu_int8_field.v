// Checks one resolved operand field, for builds that take the fields of an instruction one by one:
// the rules and their order are those of ktpu_int8_fields. The caller adds what rows_o says to the
// field; the sum is then the last row touched, or the field itself, and the argument of the fault.
// Combinational.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_field #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer SPAD_ROWS = 1024,
  parameter integer NVR       = 1024,
  parameter integer NAR       = 136,
  parameter integer FW        = 14
) (
  input  wire [5:0]    op_i,          // a data opcode
  input  wire [1:0]    sel_i,         // field
  input  wire          to_vr_i,       // dma_ld: bit of its mode
  input  wire          range_i,       // the field is past 2047
  output wire          rows_o,        // add the number of rows less one
  output wire          tall_o,        // ... which is T - 1 whatever nr says
  input  wire [FW-1:0] sum_i,
  output wire          bad_o,
  output wire [7:0]    code_o
);
  `include "ktpu_tinytpu.vh"

  localparam [FW-1:0] D_SPAD = SPAD_ROWS[FW-1:0];
  localparam [FW-1:0] D_VR   = NVR[FW-1:0];
  localparam [FW-1:0] D_AR   = NAR[FW-1:0];
  localparam [FW-1:0] D_DRAM = MAXDIM[FW-1:0];
  localparam integer WPR_I   = MAXDIM / T;
  localparam [FW-1:0] WPR    = WPR_I[FW-1:0];

  wire is_ld    = op_i == KT_OP_DMA_LD;
  wire is_vld   = op_i == KT_OP_VLD;
  wire is_mm    = op_i == KT_OP_MM;
  wire is_vrelu = op_i == KT_OP_VRELU;
  wire is_mvout = op_i == KT_OP_MVOUT;
  wire is_add   = op_i == KT_OP_VADD || op_i == KT_OP_VADDRELU;

  // Comparators only where a limit is no power of two.
  function past_limit(input [FW-1:0] last, input [FW-1:0] limit);
    past_limit = ((limit & (limit - 14'd1)) == 14'd0) ? (last & ~(limit - 14'd1)) != 14'd0
                                                      : last >= limit;
  endfunction
  wire past_spad = past_limit(sum_i, D_SPAD);
  wire past_vr   = past_limit(sum_i, D_VR);
  wire past_ar   = past_limit(sum_i, D_AR);
  wire past_dram = past_limit(sum_i, D_DRAM);
  wire past_cb   = past_limit(sum_i, WPR);
  wire past_mode = past_limit(sum_i, 14'd4);
  wire past_acc  = past_limit(sum_i, 14'd2);

  reg rows, past;
  always @* begin
    case (sel_i)
      2'd0: begin
        rows = !is_ld;
        past = is_ld ? past_mode : (is_vld || is_mm) ? past_vr : past_ar;
      end
      2'd1: begin
        rows = 1'b1;
        past = (is_ld || is_mvout) ? past_dram : is_vld ? past_spad : past_ar;
      end
      2'd2: begin
        rows = is_add;
        past = is_add ? past_ar : is_mm ? past_acc : !is_vld && !is_vrelu && past_cb;
      end
      default: begin
        rows = is_ld || is_mm;
        past = is_ld ? (to_vr_i ? past_vr : past_spad) : is_mm && past_spad;
      end
    endcase
  end

  assign rows_o = rows && !range_i;
  assign tall_o = sel_i == 2'd3 && is_mm;
  assign bad_o  = range_i || past;
  assign code_o = range_i ? KT_FAULT_FIELD_RANGE : rows ? KT_FAULT_FIELD_MEMORY :
                  (sel_i == 2'd0) ? KT_FAULT_MODE : is_mm ? KT_FAULT_ACC : KT_FAULT_COL_BLOCK;
endmodule
`default_nettype wire
