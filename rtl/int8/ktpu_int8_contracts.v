// SPDX-License-Identifier: Apache-2.0
// The two program contracts, checked as instructions are dispatched: no row is read that the chain
// has not written, and no ar row is read fewer than four accumulator steps after its write.
// The result of check_i stands in the next cycle; where a row must be named, a scan finds it first.
// Present in builds with CONTRACTS = 1: simulation.
`default_nettype none
module ktpu_int8_contracts #(
  parameter integer T         = 4,
  parameter integer SPAD_ROWS = 1024,
  parameter integer NVR       = 1024,
  parameter integer NAR       = 136
) (
  input  wire        clk_i,
  input  wire        clear_i,       // a chain begins: every row is unwritten

  input  wire        check_i,
  input  wire        commit_i,      // the checked instruction is dispatched
  input  wire [5:0]  op_i,
  input  wire [43:0] field_i,       // four fields of 11 bits
  input  wire [6:0]  nr_i,

  output wire        bad_o,         // after check_i; commit_i must not follow
  output wire        ready_o,       // the argument is known
  output wire [7:0]  code_o,
  output wire [7:0]  sub_o,
  output wire [10:0] arg_o
);
  `include "ktpu_tinytpu.vh"

  localparam integer ROWS = 127;    // most rows of an instruction
  localparam [ROWS-1:0] ALL = {ROWS{1'b1}};

  // bits of a row number within each memory's bit map
  localparam integer SB = $clog2(SPAD_ROWS + ROWS);
  localparam integer VB = $clog2(NVR + ROWS);
  localparam integer AB = $clog2(NAR + ROWS);

  wire [10:0] f0 = field_i[10:0];
  wire [10:0] f1 = field_i[21:11];
  wire [10:0] f2 = field_i[32:22];
  wire [10:0] f3 = field_i[43:33];
  wire [11:0] r0 = {1'b0, f0};
  wire [11:0] r1 = {1'b0, f1};
  wire [11:0] r2 = {1'b0, f2};
  wire [11:0] r3 = {1'b0, f3};
  wire unused_rows = &{1'b0, r0, r1, r2, r3};
  wire is_ld    = op_i == KT_OP_DMA_LD;
  wire is_vld   = op_i == KT_OP_VLD;
  wire is_mm    = op_i == KT_OP_MM;
  wire is_mvout = op_i == KT_OP_MVOUT;
  wire is_vrelu = op_i == KT_OP_VRELU;
  wire is_add   = op_i == KT_OP_VADD || op_i == KT_OP_VADDRELU;
  wire to_vr    = f0[KT_MODE_VR_BIT];
  localparam [6:0] TALL = T[6:0];

  // a set bit: the row is written. One instruction's worth of rows past the end, never looked at.
  reg [SPAD_ROWS+ROWS-1:0] spad_q;
  reg [NVR+ROWS-1:0]       vr_q;
  reg [NAR+ROWS-1:0]       ar_q;

  // ---- ar rows of the last three accumulator steps, newest first
  reg [2:0]  recent_valid_q;
  reg [10:0] recent0_q, recent1_q, recent2_q;

  // the reads of ar: s, its step for row k is per*k + off; d: first row the instruction writes
  // distance to the j-th last step is j + step + 1 (j from 0)
  function [11:0] near(input [10:0] s, input per2, input off1);   // {hit, first row too near}
    reg [2:0] hit;                    // row number 0, 1, 2
    integer k, step;
    begin
      hit = 3'b000;
      for (k = 0; k < 3; k = k + 1) begin
        step = (per2 ? 2*k : k) + (off1 ? 1 : 0);
        if (nr_i > k[6:0]) begin
          if (step < 3 && recent_valid_q[0] && recent0_q == s + k[10:0]) hit[k] = 1'b1;
          if (step < 2 && recent_valid_q[1] && recent1_q == s + k[10:0]) hit[k] = 1'b1;
          if (step < 1 && recent_valid_q[2] && recent2_q == s + k[10:0]) hit[k] = 1'b1;
        end
      end
      near = {|hit, hit[0] ? s : hit[1] ? s + 11'd1 : s + 11'd2};
    end
  endfunction

  // a row that an earlier row of the same instruction wrote too few steps ago: ahead = d - s rows
  function own_near(input [10:0] s, input [10:0] d, input [1:0] reach);
    reg [10:0] ahead;
    begin
      ahead  = d - s;
      own_near = d > s && ahead <= {9'd0, reach} && ahead < {4'd0, nr_i};
    end
  endfunction

  // rows before the first that the instruction itself has written by then
  function [6:0] own(input [10:0] s, input [10:0] d);
    reg [10:0] ahead;
    begin
      ahead = d - s;
      own   = (d > s && ahead < {4'd0, nr_i}) ? ahead[6:0] : nr_i;
    end
  endfunction

  function missing(input [ROWS-1:0] written, input [6:0] n);
    missing = ((ALL >> (7'd127 - n)) & ~written) != {ROWS{1'b0}};
  endfunction

  // ---- the check, three reads at most, in order
  localparam [1:0] FOUND_NONE = 2'd0;
  localparam [1:0] FOUND_UNWRITTEN = 2'd1;
  localparam [1:0] FOUND_NEAR = 2'd2;
  reg [1:0]  found_q;
  reg [1:0]  mem_q;
  reg [1:0]  sub_q;
  reg [10:0] row_q;
  reg [11:0] mm_near, mvout_near, s1_near, s2_near;      // {hit, row}
  reg        s1_own, s2_own;
  always @* begin
    mm_near    = 12'd0;
    mvout_near = 12'd0;
    s1_near    = 12'd0;
    s2_near    = 12'd0;
    s1_own     = 1'b0;
    s2_own     = 1'b0;
    if (check_i) begin
      if (is_mm)    mm_near    = near(f1, 1'b0, 1'b0);
      if (is_mvout) mvout_near = near(f0, 1'b0, 1'b0);
      if (is_add || is_vrelu) begin
        s1_near = near(f1, is_add, 1'b0);
        s2_near = near(f2, 1'b1, 1'b1);
        s1_own  = own_near(f1, f0, is_add ? 2'd2 : 2'd3);
        s2_own  = own_near(f2, f0, 2'd1);
      end
    end
  end
  always @(posedge clk_i) begin
    if (check_i) begin
      found_q <= FOUND_NONE;
      if (is_mm) begin
        row_q <= f0;
        mem_q <= KT_MEM_VR;
        sub_q <= 2'd0;
        if (missing(vr_q[r0[VB-1:0] +: ROWS], nr_i)) found_q <= FOUND_UNWRITTEN;
        else if (f2[0] && missing(ar_q[r1[AB-1:0] +: ROWS], nr_i)) begin
          found_q <= FOUND_UNWRITTEN;
          mem_q   <= KT_MEM_AR;
          row_q   <= f1;
        end else if (f2[0] && mm_near[11]) begin
          found_q <= FOUND_NEAR;
          row_q   <= mm_near[10:0];
        end else if (missing(spad_q[r3[SB-1:0] +: ROWS], TALL)) begin
          found_q <= FOUND_UNWRITTEN;
          mem_q   <= KT_MEM_SPAD;
          row_q   <= f3;
        end
      end else if (is_mvout) begin
        mem_q <= KT_MEM_AR;
        sub_q <= 2'd0;
        row_q <= f0;
        if (missing(ar_q[r0[AB-1:0] +: ROWS], nr_i)) found_q <= FOUND_UNWRITTEN;
        else if (mvout_near[11]) begin
          found_q <= FOUND_NEAR;
          row_q   <= mvout_near[10:0];
        end
      end else if (is_vrelu || is_add) begin
        mem_q <= KT_MEM_AR;
        sub_q <= 2'd1;
        row_q <= f1;
        if (missing(ar_q[r1[AB-1:0] +: ROWS], own(f1, f0))) found_q <= FOUND_UNWRITTEN;
        else if (s1_near[11] || s1_own) begin
          found_q <= FOUND_NEAR;
          row_q   <= (s1_near[11] && (!s1_own || s1_near[10:0] < f0)) ? s1_near[10:0] : f0;
        end else if (is_add) begin
          sub_q <= 2'd2;
          row_q <= f2;
          if (missing(ar_q[r2[AB-1:0] +: ROWS], own(f2, f0))) found_q <= FOUND_UNWRITTEN;
          else if (s2_near[11] || s2_own) begin
            found_q <= FOUND_NEAR;
            row_q   <= (s2_near[11] && (!s2_own || s2_near[10:0] < f0)) ? s2_near[10:0] : f0;
          end
        end
      end
    end else if (found_q == FOUND_UNWRITTEN && !ready_o) begin
      row_q <= row_q + 11'd1;
    end
    if (clear_i) found_q <= FOUND_NONE;
  end

  wire [11:0] row = {1'b0, row_q};
  wire unused_row = &{1'b0, row};
  reg  written;
  always @* begin
    written = 1'b0;
    if (bad_o)
      written = (mem_q == KT_MEM_SPAD) ? spad_q[row[SB-1:0]] :
                (mem_q == KT_MEM_VR) ? vr_q[row[VB-1:0]] : ar_q[row[AB-1:0]];
  end
  assign bad_o   = found_q != FOUND_NONE;
  assign ready_o = found_q == FOUND_NEAR || !written;
  assign code_o  = (found_q == FOUND_NEAR) ? KT_FAULT_AR_DISTANCE : KT_FAULT_UNWRITTEN;
  assign sub_o   = (found_q == FOUND_NEAR) ? {6'd0, sub_q} : {6'd0, mem_q};
  assign arg_o   = row_q;

  // ---- what the instruction writes
  reg [ROWS-1:0] mask;
  wire [10:0]    d    = is_mm ? f1 : f0;       // in ar
  wire [10:0]    last = d + {4'd0, nr_i} - 11'd1;
  always @* begin
    mask = {ROWS{1'b0}};
    if (commit_i) mask = ALL >> (7'd127 - nr_i);
  end
  always @(posedge clk_i) begin
    if (commit_i) begin
      if (is_ld && !to_vr) spad_q <= spad_q | ({{SPAD_ROWS{1'b0}}, mask} << f3);
      if (is_ld && to_vr)  vr_q   <= vr_q | ({{NVR{1'b0}}, mask} << f3);
      if (is_vld)
        vr_q <= (vr_q & ~({{NVR{1'b0}}, mask} << f0)) |
                ({{NVR{1'b0}}, mask & spad_q[r1[SB-1:0] +: ROWS]} << f0);
      if (is_mm || is_vrelu || is_add) ar_q <= ar_q | ({{NAR{1'b0}}, mask} << d);
    end
    if (clear_i) begin
      spad_q <= {(SPAD_ROWS+ROWS){1'b0}};
      vr_q   <= {(NVR+ROWS){1'b0}};
      ar_q   <= {(NAR+ROWS){1'b0}};
    end
  end

  always @(posedge clk_i) begin
    if (commit_i) begin
      if (is_add) begin                           // two steps a row, the second writes
        recent0_q <= last;
        recent2_q <= (nr_i > 7'd1) ? last - 11'd1 : recent0_q;
        recent_valid_q <= {nr_i > 7'd1 || recent_valid_q[0], 2'b01};
      end else if (is_mm || is_vrelu) begin
        recent0_q <= last;
        recent1_q <= (nr_i > 7'd1) ? last - 11'd1 : recent0_q;
        recent2_q <= (nr_i > 7'd2) ? last - 11'd2 : (nr_i > 7'd1) ? recent0_q : recent1_q;
        recent_valid_q <= {nr_i > 7'd2 || recent_valid_q[(nr_i > 7'd1) ? 0 : 1],
                           nr_i > 7'd1 || recent_valid_q[0], 1'b1};
      end else if (is_mvout) begin                // steps that write nothing
        recent1_q <= recent0_q;
        recent2_q <= (nr_i > 7'd1) ? recent0_q : recent1_q;
        recent_valid_q <= (nr_i > 7'd2) ? 3'b000 :
                          (nr_i > 7'd1) ? {recent_valid_q[0], 2'b00}
                                        : {recent_valid_q[1:0], 1'b0};
      end
    end
    if (clear_i) recent_valid_q <= 3'b000;
  end
endmodule
`default_nettype wire
