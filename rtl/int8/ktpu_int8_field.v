// SPDX-License-Identifier: Apache-2.0
// Checks resolved operand fields for builds that take the fields of an instruction one by one: the
// rules and their order are those of ktpu_int8_fields. A field is added to in one cycle, as rows_o
// says, and checked in the next; the sum is then the last row touched, or the field itself, and the
// argument of the fault. Combinational.
`default_nettype none
module ktpu_int8_field #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer SPAD_ROWS = 1024,
  parameter integer NVR       = 1024,
  parameter integer NAR       = 136,
  parameter integer FW        = 14
) (
  input  wire [3:0]    op_i,          // a data opcode
  input  wire [1:0]    sel_i,         // field that is added to; the one before it is checked
  output wire          rows_o,        // add the number of rows less one
  output wire          tall_o,        // ... which is T - 1 whatever nr says

  input  wire          to_vr_i,       // dma_ld: bit of its mode
  input  wire          range_i,       // the field under check is past 2047
  input  wire [FW-1:0] sum_i,
  output wire          bad_o,
  output wire [4:0]    code_o
);
  `include "ktpu_tinytpu.vh"

  localparam [FW-1:0] D_SPAD = SPAD_ROWS[FW-1:0];
  localparam [FW-1:0] D_VR   = NVR[FW-1:0];
  localparam [FW-1:0] D_AR   = NAR[FW-1:0];
  localparam [FW-1:0] D_DRAM = MAXDIM[FW-1:0];
  localparam integer WPR_I   = MAXDIM / T;
  localparam [FW-1:0] WPR    = WPR_I[FW-1:0];

  wire is_ld    = op_i == KT_OP_DMA_LD[3:0];
  wire is_vld   = op_i == KT_OP_VLD[3:0];
  wire is_mm    = op_i == KT_OP_MM[3:0];
  wire is_vrelu = op_i == KT_OP_VRELU[3:0];
  wire is_mvout = op_i == KT_OP_MVOUT[3:0];
  wire is_add   = op_i == KT_OP_VADD[3:0] || op_i == KT_OP_VADDRELU[3:0];

  reg rows;
  always @*
    case (sel_i)
      2'd0:    rows = !is_ld;
      2'd1:    rows = 1'b1;
      2'd2:    rows = is_add;
      default: rows = is_ld || is_mm;
    endcase
  assign rows_o = rows;
  assign tall_o = sel_i == 2'd3 && is_mm;

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

  reg       past;
  reg [4:0] code;
  always @* begin
    code = KT_FAULT_FIELD_MEMORY[4:0];
    case (sel_i - 2'd1)
      2'd0: begin
        past = is_ld ? past_mode : (is_vld || is_mm) ? past_vr : past_ar;
        if (is_ld) code = KT_FAULT_MODE[4:0];
      end
      2'd1: past = (is_ld || is_mvout) ? past_dram : is_vld ? past_spad : past_ar;
      2'd2: begin
        past = is_add ? past_ar : is_mm ? past_acc : !is_vld && !is_vrelu && past_cb;
        if (!is_add) code = is_mm ? KT_FAULT_ACC[4:0] : KT_FAULT_COL_BLOCK[4:0];
      end
      default: past = is_ld ? (to_vr_i ? past_vr : past_spad) : is_mm && past_spad;
    endcase
    if (range_i) code = KT_FAULT_FIELD_RANGE[4:0];
  end
  assign bad_o  = range_i || past;
  assign code_o = code;
endmodule
`default_nettype wire
