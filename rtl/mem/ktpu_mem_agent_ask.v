// SPDX-License-Identifier: Apache-2.0
// Turns FILLs into read bursts: walks the entries of one FILL in its order, leaves out what is not
// real, cuts at 4 KiB and at BURST beats, checks every burst against the end of memory and offers
// at most one address a cycle, the first one two cycles after the FILL was taken. Runs of entries
// that follow each other in memory (MXFP7 entries 128 bytes apart along the inner index, sub-tiles
// of blocks 256 bytes apart) are one run of beats. Every FILL that is taken is handed on in the
// same cycle (note_*) to whoever takes the beats.
//
// A burst past the end of memory is not issued: past_o tells of it once, in the cycle in which it
// is found, and the walk stands until clear_i. halt_i: an address that is already offered stays
// until it is taken, nothing follows it, and FILLs are taken and dropped. Addresses have 33 bits:
// the top one stays set once a sum has passed 2^32.
`default_nettype none
module ktpu_mem_agent_ask #(
  parameter integer ADDR_BITS   = 32,
  parameter integer OUTSTANDING = 64,
  parameter integer BURST       = 16
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 clear_i,
  input  wire                 halt_i,
  input  wire [32:0]          memory_end_i,    // the first byte address that does not exist

  input  wire                 fill_valid_i,
  output wire                 fill_ready_o,
  input  wire [255:0]         fill_insn_i,
  input  wire [15:0]          fill_instr_i,

  output wire                 note_valid_o,    // the FILL is taken now: with fill_insn_i
  input  wire                 note_ready_i,

  output wire                 ar_valid_o,
  input  wire                 ar_ready_i,
  output wire [ADDR_BITS-1:0] ar_addr_o,
  output wire [7:0]           ar_len_o,
  input  wire                 r_last_i,        // the last beat of a burst is taken

  output wire                 past_o,
  output wire [31:0]          past_addr_o,     // of the first beat past the end
  output wire [15:0]          past_instr_o,
  output wire                 reading_o,       // a burst is offered or under way
  output wire                 idle_o           // and nothing is left to ask for
);
  `include "ktpu_mx.vh"

  localparam integer OB = $clog2(OUTSTANDING + 1);
  localparam [OB-1:0] O_ONE = {{(OB-1){1'b0}}, 1'b1};
  localparam [11:0] BURST_BEATS = BURST[11:0];

  generate
    if (BURST < 8 || BURST > 128) begin : g_bad_burst
      ktpu_param_error_agent_burst_must_be_8_to_128 u_stop ();
    end
  endgenerate

  function [32:0] plus(input [32:0] a, input [31:0] b);
    reg [32:0] sum;
    begin
      sum  = {1'b0, a[31:0]} + {1'b0, b};
      plus = {sum[32] | a[32], sum[31:0]};
    end
  endfunction

  // ---- The FILL under way ---------------------------------------------------------------------

  wire        f_preq   = fill_insn_i[KT_MX_FILL_PREQ_AT];
  wire        f_order  = fill_insn_i[KT_MX_FILL_ORDER_AT];
  wire [31:0] f_addr   = fill_insn_i[KT_MX_FILL_ADDR_AT +: 32];
  wire [8:0]  f_groups = fill_insn_i[KT_MX_FILL_GROUPS_AT +: 9];
  wire [8:0]  f_blocks = fill_insn_i[KT_MX_FILL_BLOCKS_AT +: 9];
  wire [31:0] f_gstep  = fill_insn_i[KT_MX_FILL_GROUP_STRIDE_AT +: 32];
  wire [31:0] f_bstep  = fill_insn_i[KT_MX_FILL_BLOCK_STRIDE_AT +: 32];
  wire [10:0] f_lanes  = fill_insn_i[KT_MX_FILL_REAL_LANES_AT +: 11];
  wire [13:0] f_depth  = fill_insn_i[KT_MX_FILL_REAL_DEPTH_AT +: 14];
  wire        f_tiles  = !f_preq && fill_insn_i[KT_MX_FILL_LAYOUT_AT];
  wire [31:0] f_istep  = f_order ? f_bstep : f_gstep;

  reg         active_q;
  reg         preq_q, tiles_q, order_q, run_q;   // run: the inner index is one run of beats
  reg  [31:0] istep_q, ostep_q, lstep_q;
  reg  [8:0]  inner_q, inner_left_q, outer_left_q;
  reg  [10:0] real_lanes_q, lanes_q;             // lanes_q: real ones from this group on
  reg  [13:0] real_depth_q, depth_q;             // depth_q: real elements from this block on
  reg  [32:0] outer_q, entry_q, lane_addr_q;
  reg  [1:0]  lane_q;
  reg  [15:0] instr_q;

  wire take = fill_valid_i && fill_ready_o && !halt_i;
  wire chunk_ready;                              // the burst stage takes a run of beats now
  wire step;                                     // this entry, lane or run has been dealt with
  wire entry_done;
  wire inner_done = run_q || inner_left_q == 9'd1;
  wire walk_done  = step && entry_done && inner_done && outer_left_q == 9'd1;

  assign fill_ready_o = halt_i || (note_ready_i && !active_q);
  assign note_valid_o = take;

  // What is real here, in beats. Rows: of a lane; sub-tiles: of an entry or a run; MXFP7: all.
  wire        any      = lanes_q != 11'd0 && depth_q != 14'd0;
  wire [1:0]  row      = depth_q > 14'd16 ? 2'd2 : 2'd1;
  wire [11:0] tiles    = depth_q[13:2] + {11'd0, depth_q[1:0] != 2'd0};
  wire [11:0] tiles_max = run_q ? {inner_q, 3'd0} : 12'd8;
  wire [11:0] beats    = preq_q ? (run_q ? {1'b0, inner_q, 2'd0} : 12'd4)
                       : tiles_q ? (tiles > tiles_max ? tiles_max : tiles) : {10'd0, row};
  wire        chunk    = preq_q || any;
  wire        last_lane = lane_q == 2'd3 || lanes_q <= {9'd0, lane_q} + 11'd1;
  wire [32:0] chunk_addr = lane_addr_q;

  assign step       = active_q && (chunk_ready || !chunk);
  assign entry_done = preq_q || tiles_q || !any || last_lane;

  wire [32:0] next_outer = plus(outer_q, ostep_q);
  wire [32:0] next_entry = inner_done ? next_outer : plus(entry_q, istep_q);
  wire [10:0] lanes_less = lanes_q < 11'd4 ? 11'd0 : lanes_q - 11'd4;
  wire [13:0] depth_less = depth_q < 14'd32 ? 14'd0 : depth_q - 14'd32;

  always @(posedge clk_i) begin
    if (take) active_q <= 1'b1;
    else if (walk_done || halt_i) active_q <= 1'b0;
    if (rst_i || clear_i) active_q <= 1'b0;
  end

  always @(posedge clk_i)
    if (take) begin
      preq_q       <= f_preq;
      tiles_q      <= f_tiles;
      order_q      <= f_order;
      run_q        <= f_preq ? f_istep == 32'd128 : f_tiles && f_order && f_istep == 32'd256;
      istep_q      <= f_istep;
      ostep_q      <= f_order ? f_gstep : f_bstep;
      lstep_q      <= fill_insn_i[KT_MX_FILL_LANE_STRIDE_AT +: 32];
      inner_q      <= f_order ? f_blocks : f_groups;
      inner_left_q <= f_order ? f_blocks : f_groups;
      outer_left_q <= f_order ? f_groups : f_blocks;
      real_lanes_q <= f_lanes;
      lanes_q      <= f_lanes;
      real_depth_q <= f_depth;
      depth_q      <= f_depth;
      outer_q      <= {1'b0, f_addr};
      entry_q      <= {1'b0, f_addr};
      lane_addr_q  <= {1'b0, f_addr};
      lane_q       <= 2'd0;
      instr_q      <= fill_instr_i;
    end else if (step) begin
      lane_q      <= entry_done ? 2'd0 : lane_q + 2'd1;
      lane_addr_q <= entry_done ? next_entry : plus(lane_addr_q, lstep_q);
      if (entry_done) begin
        entry_q      <= next_entry;
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

  // ---- Bursts ---------------------------------------------------------------------------------

  reg         run_valid_q;
  reg  [32:0] addr_q;
  reg  [11:0] left_q;
  reg  [15:0] run_instr_q;
  reg         found_q;                           // a burst past the end was found
  reg         held_q;                            // an address is offered and not yet taken
  reg  [OB-1:0] open_q;                          // bursts under way

  wire [11:0] page   = 12'd128 - {5'd0, addr_q[11:5]};
  wire [11:0] fit    = page < BURST_BEATS ? page : BURST_BEATS;
  wire [11:0] n      = left_q < fit ? left_q : fit;
  wire [6:0]  last   = addr_q[11:5] + n[6:0] - 7'd1;
  wire [32:0] last_beat = {addr_q[32:12], last, 5'd0};
  wire        past   = last_beat >= memory_end_i;
  wire        room   = open_q != OUTSTANDING[OB-1:0];
  wire        ar_hs  = ar_valid_o && ar_ready_i;
  wire        run_end = ar_hs && n == left_q;

  assign ar_valid_o = held_q || (run_valid_q && !past && room && !halt_i);
  assign ar_addr_o  = addr_q[ADDR_BITS-1:0];
  assign ar_len_o   = n[7:0] - 8'd1;
  assign chunk_ready = !run_valid_q || run_end;

  wire [32:0] end_up = memory_end_i + 33'd31;    // memory_end_i is at most 2^32
  assign past_o       = run_valid_q && past && !found_q && !halt_i;
  assign past_addr_o  = addr_q >= memory_end_i ? addr_q[31:0] : {end_up[31:5], 5'd0};
  assign past_instr_o = run_instr_q;
  assign reading_o    = held_q || open_q != {OB{1'b0}};
  assign idle_o       = !reading_o && !active_q && (!run_valid_q || halt_i);

  always @(posedge clk_i) begin
    held_q <= ar_valid_o && !ar_ready_i;
    if (active_q && chunk && chunk_ready) run_valid_q <= 1'b1;
    else if (run_end) run_valid_q <= 1'b0;
    if (halt_i && (!ar_valid_o || ar_ready_i)) run_valid_q <= 1'b0;
    if (past_o) found_q <= 1'b1;
    if (ar_hs && !r_last_i) open_q <= open_q + O_ONE;
    if (r_last_i && !ar_hs) open_q <= open_q - O_ONE;
    if (clear_i) found_q <= 1'b0;
    if (rst_i) begin
      held_q      <= 1'b0;
      run_valid_q <= 1'b0;
      found_q     <= 1'b0;
      open_q      <= {OB{1'b0}};
    end
  end

  always @(posedge clk_i)
    if (active_q && chunk && chunk_ready) begin
      addr_q      <= chunk_addr;
      left_q      <= beats;
      run_instr_q <= instr_q;
    end else if (ar_hs) begin
      addr_q <= plus(addr_q, {15'd0, n, 5'd0});
      left_q <= left_q - n;
    end

  wire unused_ok = &{1'b0, fill_insn_i, addr_q, n[11:8], end_up[32], end_up[4:0]};
`ifdef FORMAL
  `include "ktpu_mem_agent_ask_fv.vh"
`endif
endmodule
`default_nettype wire
