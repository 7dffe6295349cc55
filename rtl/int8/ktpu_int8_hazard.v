// SPDX-License-Identifier: Apache-2.0
// Decides, a cycle ahead, whether the next row of each queue may be touched.
// Two matrices hold which load, and which mvout, is older than which queued instruction; rows
// are compared with what older entries of the other queue still have to write or read. The flags
// are registered: what they miss by being a cycle old can only have been resolved since.
// A queue's head may stay where it is, step to its next row, or give way to the entry behind it.
// With WAYS = 1 the caller offers the row that comes about; with WAYS = 3 all three (way 0 stays,
// 1 steps, 2 is the entry behind), their flags are registered side by side, and what happened
// chooses among them a cycle later: the comparison does not wait for the decision.
`default_nettype none
module ktpu_int8_hazard #(
  parameter integer RW = 7,
  parameter integer LQ = 4,       // depths of the three queues
  parameter integer XQ = 4,
  parameter integer SQ = 4,
  parameter integer WAYS = 1
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  input  wire                 x_push_i,
  input  wire                 x_pop_i,
  input  wire [XQ-1:0]        x_valid_i,
  input  wire [XQ-1:0]        x_vs_i,
  input  wire [XQ-1:0]        x_wr_i,
  input  wire [XQ*RW-1:0]     x_v_i,
  input  wire [XQ*(RW+1)-1:0] x_vend_i,
  input  wire [XQ*RW-1:0]     x_s_i,
  input  wire [XQ*(RW+1)-1:0] x_send_i,
  input  wire [XQ*RW-1:0]     x_w_i,
  input  wire [XQ*(RW+1)-1:0] x_wend_i,
  input  wire                 x_vlow_i,     // the head's vr rows count from row 0
  input  wire                 x_v_step_i,   // WAYS = 3: the head's rows that step in this cycle
  input  wire                 x_w_step_i,
  input  wire                 x_nxt_valid_i,
  input  wire [WAYS-1:0]      x_nxt_vs_i,
  input  wire [WAYS-1:0]      x_nxt_wr_i,
  input  wire [WAYS*RW-1:0]   x_nxt_v_i,
  input  wire [WAYS*RW-1:0]   x_nxt_s_i,
  input  wire [WAYS*(RW+1)-1:0] x_nxt_send_i,
  input  wire [WAYS*RW-1:0]   x_nxt_w_i,

  input  wire                 l_pop_i,
  input  wire                 l_step_i,
  input  wire [LQ-1:0]        l_valid_i,
  input  wire [LQ-1:0]        l_vr_i,
  input  wire [LQ*RW-1:0]     l_cur_i,
  input  wire [LQ*(RW+1)-1:0] l_end_i,
  input  wire [WAYS-1:0]      l_nxt_vr_i,
  input  wire [WAYS*RW-1:0]   l_nxt_row_i,

  input  wire                 s_pop_i,
  input  wire                 s_step_i,
  input  wire [SQ-1:0]        s_valid_i,
  input  wire [SQ*RW-1:0]     s_cur_i,
  input  wire [SQ*(RW+1)-1:0] s_end_i,
  input  wire [WAYS-1:0]      s_nxt_valid_i,
  input  wire [WAYS*RW-1:0]   s_nxt_row_i,

  output reg                  x_known_q,    // the three flags below belong to the head
  output wire                 x_blk_v_o,
  output wire                 x_blk_s_o,
  output wire                 x_blk_w_o,
  output wire                 l_blk_o,
  output wire                 s_blk_o
);
  localparam integer EW = RW + 1;
  localparam integer S_NEXT = (SQ > 1) ? 1 : 0;     // with one place nothing follows its mvout

  // row e, column l: load l is older than instruction e; likewise for mvouts
  reg [XQ*LQ-1:0] l_older_q;
  reg [XQ*SQ-1:0] s_older_q;

  wire [LQ-1:0] l_left = l_pop_i ? l_valid_i >> 1 : l_valid_i;
  wire [SQ-1:0] s_left = s_pop_i ? s_valid_i >> 1 : s_valid_i;
  // one hot: the entry pushed now, one place further down when the head leaves
  wire [XQ:0]   x_place = ({1'b0, x_valid_i} + {{XQ{1'b0}}, 1'b1}) & {(XQ+1){x_push_i}};

  integer e;
  reg [(XQ+1)*LQ-1:0] l_older_d;        // as if the head stayed; one row more than there are
  reg [(XQ+1)*SQ-1:0] s_older_d;
  // one way: without a change the matrices stay; three: the change comes too late to ask for it
  wire change = (WAYS != 1) || x_push_i || x_pop_i || l_pop_i || s_pop_i;
  always @* begin
    l_older_d = {{LQ{1'b0}}, l_older_q};
    s_older_d = {{SQ{1'b0}}, s_older_q};
    if (change)
      for (e = 0; e <= XQ; e = e + 1) begin
        l_older_d[e*LQ +: LQ] = x_place[e] ? l_left : l_pop_i ? l_older_d[e*LQ +: LQ] >> 1
                                                              : l_older_d[e*LQ +: LQ];
        s_older_d[e*SQ +: SQ] = x_place[e] ? s_left : s_pop_i ? s_older_d[e*SQ +: SQ] >> 1
                                                              : s_older_d[e*SQ +: SQ];
      end
  end

  // ---- the head's next step against older loads and mvouts
  integer c, i;
  reg [WAYS-1:0] blk_v, blk_s, blk_w;
  reg [LQ-1:0]   head_l;
  reg [SQ-1:0]   head_s;
  reg [RW-1:0]   x_v, x_s, x_w;
  reg [EW-1:0]   x_send;
  reg            behind;                // the way is the entry behind the head
  always @* begin
    blk_v  = {WAYS{1'b0}};
    blk_s  = {WAYS{1'b0}};
    blk_w  = {WAYS{1'b0}};
    for (c = 0; c < WAYS; c = c + 1) begin
      behind = (WAYS == 1) ? x_pop_i : c == 2;
      head_l = l_valid_i & (behind ? l_older_q[LQ +: LQ] : l_older_q[0 +: LQ]);
      head_s = s_valid_i & (behind ? s_older_q[SQ +: SQ] : s_older_q[0 +: SQ]);
      x_v    = x_nxt_v_i[c*RW +: RW];
      x_s    = x_nxt_s_i[c*RW +: RW];
      x_w    = x_nxt_w_i[c*RW +: RW];
      x_send = x_nxt_send_i[c*EW +: EW];
      if (head_l != {LQ{1'b0}})
        for (i = 0; i < LQ; i = i + 1)
          if (head_l[i]) begin
            if (l_vr_i[i]) begin
              if (x_v >= l_cur_i[i*RW +: RW] && {1'b0, x_v} < l_end_i[i*EW +: EW])
                blk_v[c] = x_nxt_vs_i[c];
            end else begin
              if ({1'b0, l_cur_i[i*RW +: RW]} < x_send && {1'b0, x_s} < l_end_i[i*EW +: EW])
                blk_s[c] = x_nxt_vs_i[c];
            end
          end
      if (head_s != {SQ{1'b0}})
        for (i = 0; i < SQ; i = i + 1)
          if (head_s[i] && x_w >= s_cur_i[i*RW +: RW] && {1'b0, x_w} < s_end_i[i*EW +: EW])
            blk_w[c] = x_nxt_wr_i[c];
    end
  end

  // ---- the next arriving word, and the next mvout row, against older instructions
  integer d, k;
  reg [WAYS-1:0] blk_l, blk_st;
  reg            l_old, s_old, l_behind, s_behind;
  reg [RW-1:0]   l_row_c, s_row_c;
  always @* begin
    blk_l    = {WAYS{1'b0}};
    blk_st   = {WAYS{1'b0}};
    l_old    = 1'b0;
    s_old    = 1'b0;
    for (d = 0; d < WAYS; d = d + 1) begin
      l_behind = (WAYS == 1) ? l_pop_i : d == 2;
      s_behind = (WAYS == 1) ? s_pop_i : d == 2;
      l_row_c  = l_nxt_row_i[d*RW +: RW];
      s_row_c  = s_nxt_row_i[d*RW +: RW];
      if (l_valid_i[0])
        for (k = 0; k < XQ; k = k + 1)
          if (x_valid_i[k] && x_vs_i[k]) begin
            l_old = l_behind ? l_older_q[k*LQ + 1] : l_older_q[k*LQ];
            if (!l_old) begin
              if (l_nxt_vr_i[d] && (l_row_c >= x_v_i[k*RW +: RW] || (k == 0 && x_vlow_i)) &&
                  {1'b0, l_row_c} < x_vend_i[k*EW +: EW])
                blk_l[d] = 1'b1;
              if (!l_nxt_vr_i[d] && l_row_c >= x_s_i[k*RW +: RW] &&
                  {1'b0, l_row_c} < x_send_i[k*EW +: EW])
                blk_l[d] = 1'b1;
            end
          end
      if (s_nxt_valid_i[d]) begin
        for (k = 0; k < XQ; k = k + 1)
          if (x_valid_i[k] && x_wr_i[k]) begin
            s_old = s_behind ? s_older_q[k*SQ + S_NEXT] : s_older_q[k*SQ];
            if (!s_old && s_row_c >= x_w_i[k*RW +: RW] &&
                {1'b0, s_row_c} < x_wend_i[k*EW +: EW])
              blk_st[d] = 1'b1;
          end
      end else begin
        blk_st[d] = 1'b1;
      end
    end
  end

  reg [WAYS-1:0] x_blk_v_q, x_blk_s_q, x_blk_w_q, l_blk_q, s_blk_q;
  // kept: the matrices change with a pop that comes late, which must not become an enable
  (* keep *) always @(posedge clk_i) begin
    if (WAYS != 1 || change) begin
      l_older_q <= x_pop_i ? l_older_d[(XQ+1)*LQ-1:LQ] : l_older_d[XQ*LQ-1:0];
      s_older_q <= x_pop_i ? s_older_d[(XQ+1)*SQ-1:SQ] : s_older_d[XQ*SQ-1:0];
    end
    x_known_q <= x_nxt_valid_i;
    x_blk_v_q <= blk_v;
    x_blk_s_q <= blk_s;
    x_blk_w_q <= blk_w;
    l_blk_q   <= blk_l;
    s_blk_q   <= blk_st;
    if (rst_i) begin
      l_older_q <= {(XQ*LQ){1'b0}};
      s_older_q <= {(XQ*SQ){1'b0}};
      x_known_q <= 1'b0;
      s_blk_q   <= {WAYS{1'b1}};
    end
  end

  // ---- what happened chooses
  generate
    if (WAYS == 1) begin : g_one_way
      wire unused_steps = &{1'b0, x_v_step_i, x_w_step_i, l_step_i, s_step_i};
      assign x_blk_v_o = x_blk_v_q;
      assign x_blk_s_o = x_blk_s_q;
      assign x_blk_w_o = x_blk_w_q;
      assign l_blk_o   = l_blk_q;
      assign s_blk_o   = s_blk_q;
    end else begin : g_ways
      reg x_pop_q, x_v_step_q, x_w_step_q, l_pop_q, l_step_q, s_pop_q, s_step_q;
      // registers of its own, beside the flags: yosys merges equal ones that are not kept
      (* keep *) always @(posedge clk_i) begin
        x_pop_q    <= x_pop_i;
        x_v_step_q <= x_v_step_i;
        x_w_step_q <= x_w_step_i;
        l_pop_q    <= l_pop_i;
        l_step_q   <= l_step_i;
        s_pop_q    <= s_pop_i;
        s_step_q   <= s_step_i;
      end
      wire unused_s = x_blk_s_q[1];     // weight rows are looked at before the first step only
      assign x_blk_v_o = x_pop_q ? x_blk_v_q[2] : x_v_step_q ? x_blk_v_q[1] : x_blk_v_q[0];
      assign x_blk_s_o = x_pop_q ? x_blk_s_q[2] : x_blk_s_q[0];
      assign x_blk_w_o = x_pop_q ? x_blk_w_q[2] : x_w_step_q ? x_blk_w_q[1] : x_blk_w_q[0];
      assign l_blk_o   = l_pop_q ? l_blk_q[2] : l_step_q ? l_blk_q[1] : l_blk_q[0];
      assign s_blk_o   = s_pop_q ? s_blk_q[2] : s_step_q ? s_blk_q[1] : s_blk_q[0];
    end
  endgenerate
endmodule
`default_nettype wire
