// SPDX-License-Identifier: Apache-2.0
// Checks the resolved operand fields of one instruction and names the first that is wrong:
// beyond 2047, not a legal mode, accumulate flag or column block, or past the end of its memory.
// Fields in the order f0..f3, all rules of one field before the next field's. Combinational, or,
// with PIPELINE = 1, with a register between the fields' checks and the choice among them; opcode
// and number of rows then come before the fields, with take_i.
`default_nettype none
module ktpu_int8_fields #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer SPAD_ROWS = 1024,
  parameter integer NVR       = 1024,
  parameter integer NAR       = 136,
  parameter integer FW        = 14,     // bits of a resolved field before it is checked
  parameter integer PIPELINE  = 0
) (
  input  wire            clk_i,
  input  wire            take_i,        // PIPELINE: these two are the next instruction's
  input  wire [5:0]      op_i,          // a data opcode
  input  wire [6:0]      nr_i,
  input  wire            en_i,          // the result is looked at
  input  wire [4*FW-1:0] field_i,
  output reg             bad_o,
  output reg  [7:0]      code_o,
  output reg  [1:0]      sub_o,         // field
  output reg  [FW-1:0]   arg_o
);
  `include "ktpu_tinytpu.vh"

  localparam [1:0] RULE_NONE = 2'd0;    // the opcode does not use the field
  localparam [1:0] RULE_ROWS = 2'd1;    // first of some rows of a memory
  localparam [1:0] RULE_MAX  = 2'd2;    // at most a value

  localparam [11:0] D_SPAD = SPAD_ROWS[11:0];
  localparam [11:0] D_VR   = NVR[11:0];
  localparam [11:0] D_AR   = NAR[11:0];
  localparam [11:0] D_DRAM = MAXDIM[11:0];
  localparam integer WPR   = MAXDIM / T;
  localparam [11:0] CB_MAX = WPR[11:0] - 12'd1;
  localparam [11:0] TALL   = T[11:0];

  // which opcode, and by how many rows the last one lies past the first: of f0..f2, of f3
  localparam integer KW = 6 + 13 + 13;
  wire [12:0]   rows_of   = {6'd0, nr_i} - 13'd1;
  wire [KW-1:0] kind_of = {op_i == KT_OP_DMA_LD, op_i == KT_OP_VLD, op_i == KT_OP_MM,
                           op_i == KT_OP_VRELU, op_i == KT_OP_MVOUT,
                           op_i == KT_OP_VADD || op_i == KT_OP_VADDRELU, rows_of,
                           (op_i == KT_OP_MM) ? {1'b0, TALL} - 13'd1 : rows_of};
  wire [KW-1:0] kind;
  wire is_ld, is_vld, is_mm, is_vrelu, is_mvout, is_add;
  wire [12:0] rows, rows3;
  assign {is_ld, is_vld, is_mm, is_vrelu, is_mvout, is_add, rows, rows3} = kind;
  wire to_vr = field_i[KT_MODE_VR_BIT];

  // packed by field: the rule, and the rows of the memory or the largest value
  wire [7:0] rule = {
    (is_ld || is_mm) ? RULE_ROWS : RULE_NONE,
    is_add ? RULE_ROWS : (is_vld || is_vrelu) ? RULE_NONE : RULE_MAX,
    RULE_ROWS,
    is_ld ? RULE_MAX : RULE_ROWS
  };
  wire [47:0] limit = {
    (is_ld && to_vr) ? D_VR : D_SPAD,
    is_add ? D_AR : is_mm ? 12'd1 : CB_MAX,
    (is_ld || is_mvout) ? D_DRAM : is_vld ? D_SPAD : D_AR,
    is_ld ? 12'd3 : (is_vld || is_mm) ? D_VR : D_AR
  };

  // what each field breaks
  localparam [1:0] OK     = 2'd0;
  localparam [1:0] RANGE  = 2'd1;
  localparam [1:0] VALUE  = 2'd2;       // the code depends on field and opcode
  localparam [1:0] MEMORY = 2'd3;
  integer f;
  reg [7:0]      found;
  reg [4*FW-1:0] args;
  reg [51:0]     lasts;
  reg [FW-1:0]   value;
  reg [12:0]     last;                  // last row touched
  reg [1:0]      rule_f;
  reg [11:0]     limit_f;
  always @* begin
    found   = {4{OK}};
    args    = {(4*FW){1'b0}};
    lasts   = 52'd0;
    value   = {FW{1'b0}};
    last    = 13'd0;
    rule_f  = RULE_NONE;
    limit_f = 12'd0;
    if (en_i) for (f = 3; f >= 0; f = f - 1) begin
      value   = field_i[f*FW +: FW];
      rule_f  = rule[2*f +: 2];
      limit_f = limit[12*f +: 12];
      last  = {2'b00, value[10:0]} + ((f == 3) ? rows3 : rows);
      args[f*FW +: FW]  = value;
      lasts[f*13 +: 13] = last;
      if (value[FW-1:11] != {(FW-11){1'b0}}) begin
        found[2*f +: 2] = RANGE;
      end else if (rule_f == RULE_MAX && value[11:0] > limit_f) begin
        found[2*f +: 2] = VALUE;
      end else if (rule_f == RULE_ROWS && last >= {1'b0, limit_f}) begin
        found[2*f +: 2] = MEMORY;
      end
    end
  end

  wire [7:0]      found_of;
  wire [4*FW-1:0] args_of;
  wire [51:0]     lasts_of;
  generate
    if (PIPELINE != 0) begin : g_register
      reg [KW-1:0]   kind_q;
      reg [7:0]      found_q;
      reg [4*FW-1:0] args_q;
      reg [51:0]     lasts_q;
      always @(posedge clk_i) begin
        if (take_i) kind_q <= kind_of;
        found_q <= found;
        args_q  <= args;
        lasts_q <= lasts;
      end
      assign kind     = kind_q;
      assign found_of = found_q;
      assign args_of  = args_q;
      assign lasts_of = lasts_q;
    end else begin : g_none
      wire unused_late = &{1'b0, clk_i, take_i};
      assign kind     = kind_of;
      assign found_of = found;
      assign args_of  = args;
      assign lasts_of = lasts;
    end
  endgenerate

  integer g;
  always @* begin
    bad_o  = found_of != {4{OK}};
    code_o = 8'd0;
    sub_o  = 2'd0;
    arg_o  = {FW{1'b0}};
    for (g = 3; g >= 0; g = g - 1)
      if (found_of[2*g +: 2] != OK) begin
        code_o = (found_of[2*g +: 2] == RANGE) ? KT_FAULT_FIELD_RANGE :
                 (found_of[2*g +: 2] == MEMORY) ? KT_FAULT_FIELD_MEMORY :
                 (g == 0) ? KT_FAULT_MODE : is_mm ? KT_FAULT_ACC : KT_FAULT_COL_BLOCK;
        sub_o  = g[1:0];
        arg_o  = (found_of[2*g +: 2] == MEMORY) ? {{(FW-13){1'b0}}, lasts_of[13*g +: 13]}
                                                : args_of[g*FW +: FW];
      end
  end
endmodule
`default_nettype wire
