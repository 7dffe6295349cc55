// SPDX-License-Identifier: Apache-2.0
// Takes the beats of the FILLs in the order in which ktpu_mem_agent_ask asked for them and makes L1
// words of them. MXFP7 beats are words as they come. binary16 beats go through the quantiser, rows
// at once, sub-tiles after they have been turned; what is not real is +0, and a beat without
// anything real was not read: zeros take its place. One beat a cycle, of either kind; the words
// cannot be stopped. Words that leave the quantiser come first at the output, MXFP7 words wait.
//
// The words of one FILL leave in the order of its entries, the lanes of an entry from 0 to 3; of
// two FILLs in their order, except that MXFP7 words may pass those of an earlier binary16 FILL.
// halt_i: beats are taken and dropped, no word leaves, until clear_i.
`default_nettype none
module ktpu_mem_agent_take (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         clear_i,
  input  wire         halt_i,
  input  wire         room_i,          // what binary16 beats become has room where it goes

  input  wire         note_valid_i,
  output wire         note_ready_o,
  input  wire [255:0] note_insn_i,
  input  wire [15:0]  note_instr_i,

  input  wire         r_valid_i,
  output wire         r_ready_o,
  input  wire [255:0] r_data_i,
  output wire [15:0]  r_instr_o,       // the FILL that the beat belongs to

  output wire         l1_valid_o,
  output wire         l1_side_o,
  output wire [8:0]   l1_entry_o,      // bank, entry
  output wire [1:0]   l1_lane_o,
  output wire [223:0] l1_q_o,
  output wire [7:0]   l1_code_o,

  output wire         step_o,          // a beat is taken or made up
  output wire         idle_o
);
  `include "ktpu_mx.vh"

  // ---- FILLs that have been asked for ---------------------------------------------------------

  localparam integer NOTES  = 8;
  localparam integer NOTE_W = 80;
  wire        n_valid, n_side, n_bank, n_preq, n_tiles, n_order;
  wire [7:0]  n_offset;
  wire [8:0]  n_groups, n_blocks;
  wire [10:0] n_lanes;
  wire [13:0] n_depth;
  wire [7:0]  n_pitch;        // a pitch of 256 belongs to one block: it is never added
  wire [15:0] n_instr;
  wire [3:0]  n_level;
  wire        load;
  ktpu_fifo #(.WIDTH(NOTE_W), .DEPTH(NOTES)) u_notes (
    .clk_i(clk_i), .rst_i(rst_i || clear_i),
    .in_valid_i(note_valid_i), .in_ready_o(note_ready_o),
    .in_data_i({note_insn_i[KT_MX_FILL_SIDE_AT], note_insn_i[KT_MX_FILL_BANK_AT],
                note_insn_i[KT_MX_FILL_PREQ_AT], note_insn_i[KT_MX_FILL_LAYOUT_AT],
                note_insn_i[KT_MX_FILL_ORDER_AT], note_insn_i[KT_MX_FILL_OFFSET_AT +: 8],
                note_insn_i[KT_MX_FILL_GROUPS_AT +: 9], note_insn_i[KT_MX_FILL_BLOCKS_AT +: 9],
                note_insn_i[KT_MX_FILL_REAL_LANES_AT +: 11],
                note_insn_i[KT_MX_FILL_REAL_DEPTH_AT +: 14],
                note_insn_i[KT_MX_FILL_PITCH_AT +: 8], note_instr_i}),
    .out_valid_o(n_valid), .out_ready_i(load),
    .out_data_o({n_side, n_bank, n_preq, n_tiles, n_order, n_offset, n_groups, n_blocks, n_lanes,
                 n_depth, n_pitch, n_instr}),
    .level_o(n_level)
  );
  wire unused_note = &{1'b0, note_insn_i, n_level};

  // ---- The FILL whose beats come now ----------------------------------------------------------

  reg         active_q;
  reg         side_q, bank_q, preq_q, tiles_q, order_q;
  reg  [8:0]  inner_q, inner_left_q, outer_left_q;
  reg  [7:0]  istep_q, ostep_q, outer_q, entry_q;
  reg  [10:0] real_lanes_q, lanes_q;
  reg  [13:0] real_depth_q, depth_q;
  reg  [2:0]  beat_q;
  reg  [15:0] instr_q;

  wire        step;
  wire        entry_done = beat_q == (preq_q ? 3'd3 : 3'd7);
  wire        inner_done = inner_left_q == 9'd1;
  wire        fill_done  = step && entry_done && inner_done && outer_left_q == 9'd1;
  wire [7:0]  next_outer = outer_q + ostep_q;
  wire [10:0] lanes_less = lanes_q < 11'd4 ? 11'd0 : lanes_q - 11'd4;
  wire [13:0] depth_less = depth_q < 14'd32 ? 14'd0 : depth_q - 14'd32;
  assign load = n_valid && (!active_q || fill_done);

  always @(posedge clk_i) begin
    if (load) active_q <= 1'b1;
    else if (fill_done) active_q <= 1'b0;
    if (rst_i || clear_i) active_q <= 1'b0;
  end

  always @(posedge clk_i)
    if (load) begin
      side_q       <= n_side;
      bank_q       <= n_bank;
      preq_q       <= n_preq;
      tiles_q      <= n_tiles && !n_preq;
      order_q      <= n_order;
      inner_q      <= n_order ? n_blocks : n_groups;
      inner_left_q <= n_order ? n_blocks : n_groups;
      outer_left_q <= n_order ? n_groups : n_blocks;
      istep_q      <= n_order ? n_pitch : 8'd1;
      ostep_q      <= n_order ? 8'd1 : n_pitch;
      outer_q      <= n_offset;
      entry_q      <= n_offset;
      real_lanes_q <= n_lanes;
      lanes_q      <= n_lanes;
      real_depth_q <= n_depth;
      depth_q      <= n_depth;
      beat_q       <= 3'd0;
      instr_q      <= n_instr;
    end else if (step) begin
      beat_q <= entry_done ? 3'd0 : beat_q + 3'd1;
      if (entry_done) begin
        entry_q      <= inner_done ? next_outer : entry_q + istep_q;
        inner_left_q <= inner_done ? inner_q : inner_left_q - 9'd1;
        if (inner_done) begin
          outer_q      <= next_outer;
          outer_left_q <= outer_left_q - 9'd1;
        end
        if (order_q == inner_done) lanes_q <= lanes_less;
        else if (inner_done) lanes_q <= real_lanes_q;
        if (order_q != inner_done) depth_q <= depth_less;
        else if (inner_done) depth_q <= real_depth_q;
      end
    end

  // ---- What of a beat is real -----------------------------------------------------------------

  wire [2:0]  lanes_now = lanes_q > 11'd4 ? 3'd4 : lanes_q[2:0];
  wire [5:0]  depth_now = depth_q > 14'd32 ? 6'd32 : depth_q[5:0];
  wire [5:0]  first     = tiles_q ? {1'b0, beat_q, 2'd0} : {1'b0, beat_q[0], 4'd0};
  wire [5:0]  along     = depth_now > first ? depth_now - first : 6'd0;  // real ones from first on
  wire        lane_real = lanes_now > {1'b0, beat_q[2:1]};
  wire        real_beat = preq_q ||
                          (along != 6'd0 && (tiles_q ? lanes_now != 3'd0 : lane_real));

  // Element i: of a row, K first + i; of a sub-tile, lane i / 4, K first + i % 4.
  reg [255:0] masked;
  integer i;
  always @* begin
    masked = r_data_i;
    for (i = 0; i < 16; i = i + 1)
      if (tiles_q ? along <= {4'd0, i[1:0]} || lanes_now <= {1'b0, i[3:2]}
                  : along <= {2'd0, i[3:0]})
        masked[16*i +: 16] = 16'd0;
    if (!real_beat) masked = 256'd0;
  end

  // ---- Where it goes --------------------------------------------------------------------------

  reg         row_valid_q, tile_valid_q;
  wire        turn_empty;
  wire        direct_ready;
  wire        tag_ready;
  wire        room = preq_q ? direct_ready
                            : room_i && tag_ready &&
                              (tiles_q || (turn_empty && !tile_valid_q));

  assign step      = active_q && room && !halt_i && (!real_beat || r_valid_i);
  assign r_ready_o = halt_i || (active_q && room && real_beat);
  assign r_instr_o = instr_q;
  assign step_o    = step;

  reg [255:0] half_q;
  always @(posedge clk_i) begin
    row_valid_q  <= step && !preq_q && !tiles_q && !rst_i && !clear_i;
    tile_valid_q <= step && tiles_q && !rst_i && !clear_i;
  end
  always @(posedge clk_i)
    if (step && !preq_q) half_q <= masked;

  wire         turned_valid;
  wire [255:0] turned;
  ktpu_mem_agent_turn u_turn (
    .clk_i(clk_i), .rst_i(rst_i || clear_i),
    .in_valid_i(tile_valid_q), .in_data_i(half_q),
    .out_valid_o(turned_valid), .out_data_o(turned), .empty_o(turn_empty)
  );

  wire         q_valid, q_second;
  wire [111:0] q_half;
  wire [7:0]   q_code;
  ktpu_mx_quant u_quant (
    .clk_i(clk_i), .rst_i(rst_i || clear_i),
    .in_valid_i(row_valid_q || turned_valid), .in_data_i(turned_valid ? turned : half_q),
    .out_valid_o(q_valid), .out_second_o(q_second), .out_q_o(q_half), .out_code_o(q_code)
  );

  // Whose the quantiser's words are: one tag an entry, noted with its first beat. Of rows no more
  // than three entries are under way, of sub-tiles four.
  reg  [111:0] first_q;
  reg  [1:0]   lane_q;
  wire         word_valid = q_valid && q_second;
  wire         tag_valid;
  wire [9:0]   tag;
  wire [3:0]   tag_level;
  ktpu_fifo #(.WIDTH(10), .DEPTH(8)) u_tags (
    .clk_i(clk_i), .rst_i(rst_i || clear_i),
    .in_valid_i(step && !preq_q && beat_q == 3'd0), .in_ready_o(tag_ready),
    .in_data_i({side_q, bank_q, entry_q}),
    .out_valid_o(tag_valid), .out_ready_i(word_valid && (&lane_q)), .out_data_o(tag),
    .level_o(tag_level)
  );
  always @(posedge clk_i) begin
    if (word_valid) lane_q <= lane_q + 2'd1;
    if (rst_i || clear_i) lane_q <= 2'd0;
  end
  always @(posedge clk_i)
    if (q_valid && !q_second) first_q <= q_half;

  // MXFP7 words: five words of the quantiser come in between, and one is on its way.
  wire         direct_valid;
  wire [243:0] direct;
  wire [2:0]   direct_level;
  ktpu_fifo #(.WIDTH(244), .DEPTH(6)) u_direct (
    .clk_i(clk_i), .rst_i(rst_i || clear_i),
    .in_valid_i(step && preq_q), .in_ready_o(direct_ready),
    .in_data_i({side_q, bank_q, entry_q, beat_q[1:0], r_data_i[231:0]}),
    .out_valid_o(direct_valid), .out_ready_i(!word_valid), .out_data_o(direct),
    .level_o(direct_level)
  );

  assign l1_valid_o = (word_valid || direct_valid) && !halt_i;
  assign {l1_side_o, l1_entry_o, l1_lane_o, l1_code_o, l1_q_o} =
    word_valid ? {tag, lane_q, q_code, q_half, first_q} : direct;

  assign idle_o = halt_i || !(active_q || n_valid || tag_valid || direct_valid);
  wire unused_ok = &{1'b0, r_data_i[255:232], tag_level, direct_level};
`ifdef FORMAL
  `include "ktpu_mem_agent_take_fv.vh"
`endif
endmodule
`default_nettype wire
