// SPDX-License-Identifier: Apache-2.0
// Writes the words of a QUANTISE back to memory: four words make an entry, an entry is one burst,
// asked for when all of it is here. Entries come blocks innermost and go to TO + (group * PITCH +
// block) * 128. done_o comes with the answer of the last burst. halt_i: nothing more is asked for,
// what has been is finished, then it is over without done_o. room_o: the words that may already be
// on their way through the quantiser fit behind those that wait.
`default_nettype none
module ktpu_mem_agent_store (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         halt_i,

  input  wire         begin_i,       // a QUANTISE is taken: insn_i holds it
  input  wire [255:0] insn_i,
  input  wire [15:0]  instr_i,
  output wire         busy_o,
  output wire         done_o,
  output wire [15:0]  instr_o,

  input  wire         word_valid_i,
  input  wire [231:0] word_i,        // scale code above 32 elements
  output wire         room_o,

  output wire         aw_valid_o,
  input  wire         aw_ready_i,
  output wire [32:0]  aw_addr_o,
  output wire         w_valid_o,
  input  wire         w_ready_i,
  output wire [255:0] w_data_o,
  input  wire         b_valid_i
);
  `include "ktpu_mx.vh"

  // Up to 14 words are on their way: 2 entries turned, 1 in the quantiser, 2 beats before it.
  localparam integer DEPTH = 32;
  localparam [5:0] ROOM = 6'd16;

  function [32:0] plus(input [32:0] a, input [31:0] b);
    reg [32:0] sum;
    begin
      sum  = {1'b0, a[31:0]} + {1'b0, b};
      plus = {sum[32] | a[32], sum[31:0]};
    end
  endfunction

  // ---- Words that wait --------------------------------------------------------------------------

  reg          busy_q;
  wire         fresh = begin_i && !busy_q;
  wire         word_valid, word_ready, word_room;
  wire [231:0] word;
  wire [5:0]   level;
  ktpu_fifo #(.WIDTH (232), .DEPTH (DEPTH)) u_words (
    .clk_i       (clk_i),
    .rst_i       (rst_i || !busy_q),
    .in_valid_i  (word_valid_i && busy_q),
    .in_ready_o  (word_room),
    .in_data_i   (word_i),
    .out_valid_o (word_valid),
    .out_ready_i (word_ready),
    .out_data_o  (word),
    .level_o     (level)
  );
  assign room_o = level < ROOM;

  // ---- Bursts: one is asked for, then its four words leave --------------------------------------

  reg         asked_q;               // a burst whose words have not all left
  reg  [1:0]  beat_q;
  reg  [8:0]  blocks_q, block_left_q, group_left_q;
  reg  [31:0] step_q;                // from a group to the next
  reg  [32:0] group_q, entry_q;
  reg  [16:0] pending_q;             // bursts without an answer: at most 256 * 256
  reg         all_q;                 // every burst has been asked for
  reg  [15:0] instr_q;

  wire ask      = busy_q && !asked_q && !all_q && !halt_i && level >= 6'd4;
  wire asked    = ask && aw_ready_i;
  wire leaves   = w_valid_o && w_ready_i;
  wire row_end  = block_left_q == 9'd1;
  wire over     = busy_q && (all_q || halt_i) && !asked_q && pending_q == 17'd0;
  wire [32:0] next_group = plus(group_q, step_q);

  assign aw_valid_o = ask;
  assign aw_addr_o  = entry_q;
  assign w_valid_o  = asked_q && word_valid;
  assign w_data_o   = {24'd0, word};
  assign word_ready = asked_q && w_ready_i;
  assign busy_o     = busy_q;
  assign done_o     = over && all_q && !halt_i;
  assign instr_o    = instr_q;

  always @(posedge clk_i) begin
    if (fresh) busy_q <= 1'b1;
    else if (over) busy_q <= 1'b0;
    if (asked) asked_q <= 1'b1;
    else if (leaves && beat_q == 2'd3) asked_q <= 1'b0;
    if (asked && row_end && group_left_q == 9'd1) all_q <= 1'b1;
    else if (fresh) all_q <= 1'b0;
    pending_q <= pending_q + {16'd0, asked} - {16'd0, b_valid_i && busy_q};
    if (leaves) beat_q <= beat_q + 2'd1;
    if (rst_i) begin
      busy_q    <= 1'b0;
      asked_q   <= 1'b0;
      all_q     <= 1'b0;
      pending_q <= 17'd0;
      beat_q    <= 2'd0;
    end
  end

  always @(posedge clk_i)
    if (fresh) begin
      blocks_q     <= insn_i[KT_MX_QUANTISE_BLOCKS_AT +: 9];
      block_left_q <= insn_i[KT_MX_QUANTISE_BLOCKS_AT +: 9];
      group_left_q <= insn_i[KT_MX_QUANTISE_GROUPS_AT +: 9];
      step_q       <= {9'd0, insn_i[KT_MX_QUANTISE_PITCH_AT +: 16], 7'd0};
      group_q      <= {1'b0, insn_i[KT_MX_QUANTISE_TO_AT +: 32]};
      entry_q      <= {1'b0, insn_i[KT_MX_QUANTISE_TO_AT +: 32]};
      instr_q      <= instr_i;
    end else if (asked) begin
      entry_q      <= row_end ? next_group : plus(entry_q, 32'd128);
      block_left_q <= row_end ? blocks_q : block_left_q - 9'd1;
      if (row_end) begin
        group_q      <= next_group;
        group_left_q <= group_left_q - 9'd1;
      end
    end

  wire unused_ok = &{1'b0, word_room, insn_i};
endmodule
`default_nettype wire
