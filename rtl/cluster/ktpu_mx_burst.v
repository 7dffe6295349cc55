// SPDX-License-Identifier: Apache-2.0
// Addresses of the DRAINs, in order: bursts of up to eight beats within a row of sub-tiles. The
// address of a burst goes out when all its sub-tiles have been promised, so that its data are under
// way and no burst is left short, whatever stops. An address that has passed 2^32 stays past it
// (bit 32). done_o: the last answer of a DRAIN has come. stop_i: no new burst; once what has been
// issued is answered, the DRAINs that are left are done.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_mx_burst (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         stop_i,

  input  wire         in_valid_i,
  output wire         in_ready_o,
  input  wire         in_wide_i,      // two beats a sub-tile
  input  wire         in_last_i,      // goes along to done_last_o
  input  wire [31:0]  in_addr_i,
  input  wire [9:0]   in_rows_i,
  input  wire [9:0]   in_columns_i,
  input  wire [31:0]  in_stride_i,
  input  wire [15:0]  in_instr_i,

  input  wire         promise_i,      // another sub-tile is under way

  output wire         aw_valid_o,
  input  wire         aw_ready_i,
  output wire [32:0]  aw_addr_o,
  output wire [3:0]   aw_beats_o,
  output wire [15:0]  aw_instr_o,
  input  wire         b_valid_i,      // the answer to a burst, in order

  output wire         done_o,
  output wire         done_last_o,
  output wire         busy_o
);
  // ---- The DRAIN whose bursts are formed, and two behind it -----------------------------------

  wire        next_valid, next_wide, next_last;
  wire [31:0] next_addr, next_stride;
  wire [9:0]  next_rows, next_columns;
  wire [15:0] next_instr;
  wire        load, kill, drop;
  wire [1:0]  unused_level;
  ktpu_fifo #(.WIDTH (102), .DEPTH (2)) u_next (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready_o),
    .in_data_i   ({in_wide_i, in_last_i, in_addr_i, in_rows_i, in_columns_i, in_stride_i,
                   in_instr_i}),
    .out_valid_o (next_valid),
    .out_ready_i (load || drop),
    .out_data_o  ({next_wide, next_last, next_addr, next_rows, next_columns, next_stride,
                   next_instr}),
    .level_o     (unused_level)
  );

  reg        active_q, wide_q, last_q;
  reg [32:0] addr_q, row_q;               // of the next burst, of its row
  reg [31:0] stride_q;
  reg [9:0]  columns_q, left_q, rows_q;   // a row's, left of this row, rows left with this one
  reg [15:0] instr_q;
  reg [5:0]  ahead_q;                     // promised sub-tiles that no burst has taken

  reg        aw_valid_q;
  reg [32:0] aw_addr_q;
  reg [3:0]  aw_beats_q;
  reg [15:0] aw_instr_q;

  wire       answer_room;
  wire [3:0] most  = wide_q ? 4'd4 : 4'd8;
  wire [3:0] size  = left_q < {6'd0, most} ? left_q[3:0] : most;
  wire       fire  = active_q && !stop_i && ahead_q >= {2'd0, size} && answer_room
                  && (!aw_valid_q || aw_ready_i);
  wire       row_done = left_q == {6'd0, size};
  wire       over     = row_done && rows_q == 10'd1;

  function [32:0] onward(input [32:0] from, input [31:0] by);
    onward = {from[32], 32'd0} | {1'b0, from[31:0]} + {1'b0, by};
  endfunction
  wire [32:0] next_row = onward(row_q, stride_q);

  assign load = next_valid && !stop_i && (!active_q || fire && over);

  always @(posedge clk_i) begin
    if (load)                       active_q <= 1'b1;
    else if (fire && over || kill)  active_q <= 1'b0;
    if (aw_ready_i || fire) aw_valid_q <= fire;
    ahead_q <= ahead_q + {5'd0, promise_i} - (fire ? {2'd0, size} : 6'd0);
    if (rst_i) begin
      active_q   <= 1'b0;
      aw_valid_q <= 1'b0;
      ahead_q    <= 6'd0;
    end
  end

  always @(posedge clk_i) begin
    if (fire) begin
      aw_addr_q  <= addr_q;
      aw_beats_q <= wide_q ? {size[2:0], 1'b0} : size;
      aw_instr_q <= instr_q;
      addr_q     <= row_done ? next_row
                 : onward(addr_q, wide_q ? 32'd256 : {23'd0, size, 5'd0});
      left_q     <= row_done ? columns_q : left_q - {6'd0, size};
      if (row_done) begin
        row_q  <= next_row;
        rows_q <= rows_q - 10'd1;
      end
    end
    if (load) begin
      wide_q    <= next_wide;
      last_q    <= next_last;
      addr_q    <= {1'b0, next_addr};
      row_q     <= {1'b0, next_addr};
      stride_q  <= next_stride;
      columns_q <= next_columns;
      left_q    <= next_columns;
      rows_q    <= next_rows;
      instr_q   <= next_instr;
    end
  end

  assign aw_valid_o = aw_valid_q;
  assign aw_addr_o  = aw_addr_q;
  assign aw_beats_o = aw_beats_q;
  assign aw_instr_o = aw_instr_q;

  // ---- Answers: what each of the bursts under way was for a DRAIN -----------------------------

  wire answer_valid, answer_over, answer_last;
  wire [6:0] unused_answers;
  ktpu_fifo #(.WIDTH (2), .DEPTH (64)) u_answers (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (fire),
    .in_ready_o  (answer_room),
    .in_data_i   ({over, last_q}),
    .out_valid_o (answer_valid),
    .out_ready_i (b_valid_i),
    .out_data_o  ({answer_over, answer_last}),
    .level_o     (unused_answers)
  );

  // After a stop, and with nothing under way, one DRAIN a cycle ends without its bursts.
  assign kill        = stop_i && active_q && !answer_valid;
  assign drop        = stop_i && next_valid && !active_q && !answer_valid;
  wire   answered    = answer_valid && b_valid_i && answer_over;
  assign done_o      = answered || kill || drop;
  assign done_last_o = answered ? answer_last : kill ? last_q : next_last;
  assign busy_o      = active_q || next_valid || answer_valid;
`ifdef FORMAL
  `include "ktpu_mx_burst_fv.vh"
`endif
endmodule
`default_nettype wire
