// SPDX-License-Identifier: Apache-2.0
// The command engine: runs the command RAM from 0, one command a cycle from the cycle after start_i
// on, until DONE, a fault or stop_i. WRITE sets the node's registers; KICK waits while a kick is
// under way; POLL waits until it is satisfied; DONE raises end_o and waits for whoever ends the run
// (stop_i). A fault stands in fault_o until stop_i. BASE and LENGTH are the host's to write as well
// while nothing runs, and keep their values.
`default_nettype none
module ktpu_mx_command #(
  parameter integer COMMANDS = 1024,
  parameter integer STAGING  = 2048,
  parameter integer IFIFO    = 32
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         start_i,
  input  wire         stop_i,           // the run is over or being ended

  input  wire         word_we_i,
  input  wire [$clog2(COMMANDS)+1:0] word_index_i,  // command * 4 + word
  input  wire [31:0]  word_i,
  input  wire         base_we_i,        // the host writes BASE or LENGTH: word_i
  input  wire         length_we_i,

  input  wire [31:0]  status_i,
  input  wire [31:0]  completed_i,      // of the one node: COMPLETED and NODE_COMPLETED

  output wire [31:0]  base_o,
  output wire [31:0]  length_o,
  output wire         kick_o,           // base_o, length_o lie within the staging RAM
  input  wire         kick_busy_i,
  output wire         credit_we_o,
  output wire [$clog2(IFIFO+1)-1:0] credit_o,

  output wire         end_o,
  output wire [31:0]  done_code_o,
  output wire         waiting_o,        // polls, or waits for a kick or for the end
  output wire         step_o,           // a command is done
  output wire [$clog2(COMMANDS):0] command_o,

  output wire         fault_o,
  output reg  [7:0]   fault_code_o,
  output reg  [31:0]  fault_arg_o
);
  `include "ktpu_mx.vh"

  localparam integer AB = $clog2(COMMANDS);
  localparam integer CB = $clog2(IFIFO + 1);
  localparam [AB:0]  PC_ONE = {{AB{1'b0}}, 1'b1};
  localparam [31:0]  STAGING_END = STAGING;
  localparam [31:0]  REG_BASE   = {20'd0, KT_MX_REG_NODE};
  localparam [31:0]  REG_LENGTH = REG_BASE + 32'd4;
  localparam [31:0]  REG_CREDIT = REG_BASE + 32'd8;
  localparam [31:0]  REG_KICK   = REG_BASE + 32'd12;
  localparam [31:0]  OP_WRITE   = {24'd0, KT_MX_CMD_WRITE};
  localparam [31:0]  OP_POLL    = {24'd0, KT_MX_CMD_POLL};
  localparam [31:0]  OP_DONE    = {24'd0, KT_MX_CMD_DONE};

  // ---- Command RAM: four words side by side; its output is the command at pc_q ----------------

  reg          running_q;
  reg  [AB:0]  pc_q;
  wire [127:0] word;
  wire [AB:0]  next = pc_q + PC_ONE;
  genvar w;
  generate
    for (w = 0; w < 4; w = w + 1) begin : g_word
      ktpu_ram_sdp #(.WIDTH(32), .DEPTH(COMMANDS)) u_ram (
        .clk_i(clk_i), .we_i(word_we_i && word_index_i[1:0] == w), .waddr_i(word_index_i[AB+1:2]),
        .wdata_i(word_i), .re_i(step_o || !running_q),
        .raddr_i(running_q ? next[AB-1:0] : {AB{1'b0}}), .rdata_o(word[32*w +: 32])
      );
    end
  endgenerate
  wire [31:0] op    = word[31:0];
  wire [31:0] where = word[63:32];
  wire [31:0] value = word[95:64];
  wire [31:0] want  = word[127:96];

  // ---- What the command does ------------------------------------------------------------------

  reg  [31:0] base_q, length_q;
  wire [32:0] end_at   = {1'b0, base_q} + {1'b0, length_q};
  wire        staged   = length_q == 32'd0 || end_at > {1'b0, STAGING_END};
  wire        runs     = running_q && !stop_i;
  wire        past     = pc_q[AB];
  wire        is_write = runs && !past && op == OP_WRITE;
  wire        is_poll  = runs && !past && op == OP_POLL;
  wire        is_done  = runs && !past && op == OP_DONE;
  wire        to_kick  = is_write && where == REG_KICK;
  wire        to_credit = is_write && where == REG_CREDIT;
  wire        to_base  = is_write && where == REG_BASE;
  wire        to_length = is_write && where == REG_LENGTH;
  wire        counts   = where == {20'd0, KT_MX_REG_COMPLETED} ||
                         where == {20'd0, KT_MX_REG_NODE_COMPLETED};
  wire        pollable = counts || where == {20'd0, KT_MX_REG_STATUS};
  wire        met      = ((counts ? completed_i : status_i) & value) == want;
  wire        too_much = value > IFIFO;

  assign kick_o      = to_kick && !kick_busy_i && !staged;
  assign credit_we_o = to_credit && !too_much;
  assign credit_o    = value[CB-1:0];
  assign step_o      = kick_o || credit_we_o || to_base || to_length ||
                       (is_poll && pollable && met);
  assign end_o       = is_done;
  assign waiting_o   = (to_kick && kick_busy_i) || (is_poll && pollable && !met) || is_done;
  assign command_o   = pc_q;
  assign base_o      = base_q;
  assign length_o    = length_q;

  assign fault_o = runs && !step_o && !waiting_o;
  always @* begin
    fault_code_o = KT_MX_FAULT_COMMAND;
    fault_arg_o  = past ? 32'd0 : op;
    if (to_kick) begin
      fault_code_o = KT_MX_FAULT_STAGED;
      fault_arg_o  = end_at[31:0];
    end else if (to_credit) begin
      fault_code_o = KT_MX_FAULT_CREDIT;
      fault_arg_o  = value;
    end else if (is_write || is_poll) begin
      fault_code_o = KT_MX_FAULT_REGISTER;
      fault_arg_o  = where;
    end
  end

  always @(posedge clk_i) begin
    if (start_i) running_q <= 1'b1;
    else if (stop_i) running_q <= 1'b0;
    if (!running_q) pc_q <= {(AB+1){1'b0}};
    else if (step_o) pc_q <= next;
    if (rst_i) running_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (to_base) base_q <= value;
    else if (base_we_i) base_q <= word_i;
    if (to_length) length_q <= value;
    else if (length_we_i) length_q <= word_i;
    if (rst_i) begin
      base_q   <= 32'd0;
      length_q <= 32'd0;
    end
  end

  reg [31:0] done_code_q;
  always @(posedge clk_i)
    if (rst_i || start_i) done_code_q <= 32'd0;
    else if (is_done) done_code_q <= where;
  assign done_code_o = done_code_q;
endmodule
`default_nettype wire
