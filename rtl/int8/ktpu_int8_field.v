// SPDX-License-Identifier: Apache-2.0
// Checks resolved operand fields for builds that take the fields of an instruction one by one: the
// rules and their order are those of ktpu_int8_fields. A field is added to in one cycle, as rows_o
// says, and checked in the next; the sum is then the last row touched, or the field itself, and the
// argument of the fault.
`default_nettype none
module ktpu_int8_field #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer SPAD_ROWS = 1024,
  parameter integer NVR       = 1024,
  parameter integer NAR       = 136,
  parameter integer FW        = 14
) (
  input  wire          clk_i,
  input  wire          turn_i,        // the sum is that of the field under check from now on
  input  wire          is_ld_i,       // a data opcode: which
  input  wire          is_vld_i,
  input  wire          is_mm_i,
  input  wire          is_st_i,
  input  wire          is_add_i,      // vadd or vaddrelu
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

  reg rows;
  always @*
    case (sel_i)
      2'd0:    rows = !is_ld_i;
      2'd1:    rows = 1'b1;
      2'd2:    rows = is_add_i;
      default: rows = is_ld_i || is_mm_i;
    endcase
  assign rows_o = rows;
  assign tall_o = sel_i == 2'd3 && is_mm_i;

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

  // Which limit holds for the field that is added to, and then for the one under check.
  localparam integer SPAD = 0, VR = 1, AR = 2, DRAM = 3, CB = 4, MODE = 5, ACC = 6;
  reg [6:0] limit_d, limit_q;
  always @* begin
    limit_d = 7'd0;
    case (sel_i)
      2'd0: begin
        limit_d[MODE] = is_ld_i;
        limit_d[VR]   = is_vld_i || is_mm_i;
        limit_d[AR]   = !is_ld_i && !is_vld_i && !is_mm_i;
      end
      2'd1: begin
        limit_d[DRAM] = is_ld_i || is_st_i;
        limit_d[SPAD] = is_vld_i;
        limit_d[AR]   = !is_ld_i && !is_st_i && !is_vld_i;
      end
      2'd2: begin
        limit_d[AR]  = is_add_i;
        limit_d[ACC] = is_mm_i;
        limit_d[CB]  = is_ld_i || is_st_i;
      end
      default: begin
        limit_d[VR]   = is_ld_i && to_vr_i;
        limit_d[SPAD] = (is_ld_i && !to_vr_i) || is_mm_i;
      end
    endcase
  end
  always @(posedge clk_i)
    if (turn_i) limit_q <= limit_d;

  wire past = |(limit_q & {past_acc, past_mode, past_cb, past_dram, past_ar, past_vr, past_spad});
  wire [4:0] code = range_i ? KT_FAULT_FIELD_RANGE[4:0] : limit_q[MODE] ? KT_FAULT_MODE[4:0] :
                    limit_q[ACC] ? KT_FAULT_ACC[4:0] : limit_q[CB] ? KT_FAULT_COL_BLOCK[4:0] :
                    KT_FAULT_FIELD_MEMORY[4:0];
  assign bad_o  = range_i || past;
  assign code_o = code;
endmodule
`default_nettype wire
