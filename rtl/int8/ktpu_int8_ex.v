// SPDX-License-Identifier: Apache-2.0
// The in-order issue point of mm, vld, vadd, vrelu and vaddrelu, and of mvout's rows beside them.
// Every cycle it fills one slot of the accumulator's fixed-delay follower: what is read from ar,
// what is written to ar. Everything behind the issue point has a fixed delay, so the order of
// slots is the order of every access to ar and hazards are settled here.
// An mm takes max(nr, T) slots: activation row i may wait for its load, the T weight rows must be
// there at the start and are then read one a cycle whatever the activations do.
// WAYS as in ktpu_int8_hazard: 3 says that rows are compared before it is known which comes next.
`default_nettype none
module ktpu_int8_ex #(
  parameter integer T  = 4,
  parameter integer RW = 7,       // bits of an on-chip row number
  parameter integer QD = 4,
  parameter integer AR_BANKS = 2, // of ar, by row parity: mvout may read the other bank
  parameter integer WAYS = 1
) (
  input  wire             clk_i,
  input  wire             rst_i,       // reset or flush

  // dispatch: already checked, rows inside their memories
  input  wire             d_valid_i,
  output wire             d_ready_o,
  input  wire             d_mm_i,      // kind, one hot: mm, vld, vrelu; else vadd or vaddrelu
  input  wire             d_vld_i,
  input  wire             d_vrelu_i,
  input  wire             d_acc_i,     // mm: accumulate
  input  wire             d_relu_i,    // vrelu, vaddrelu: clamp at zero on the way to ar
  input  wire [RW-1:0]    d_v_i,       // mm: vr_a; vld: vr0; vector: first source
  input  wire [RW-1:0]    d_s_i,       // mm: spad_w; vld: spad0; vadd: second source
  input  wire [RW-1:0]    d_w_i,       // destination in ar
  input  wire [6:0]       d_nr_i,

  // hazards of the head instruction's next step, computed in the cycle before
  input  wire             blk_v_i,
  input  wire             blk_s_i,
  input  wire             blk_w_i,
  input  wire             blk_known_i,

  // mvout's candidate row
  input  wire             st_valid_i,
  input  wire [RW-1:0]    st_row_i,
  input  wire             st_pop_i,    // the row after this cycle, as for ktpu_int8_hazard
  input  wire [WAYS*RW-1:0] st_nxt_row_i,
  output wire             st_issue_o,

  // operand reads
  output wire             vr_re_o,
  output wire [RW-1:0]    vr_raddr_o,
  output wire             spad_re_o,
  output wire [RW-1:0]    spad_raddr_o,
  output wire [T-1:0]     wload_o,     // the weight row read now belongs to PE row i
  output wire             vld_o,       // the spad row read now goes to vr row vld_row_o
  output wire [RW-1:0]    vld_row_o,

  // the slot
  output wire             slot_rd_o,     // the head reads; st_issue_o: mvout reads st_row_i
  output wire [RW-1:0]    slot_rd_row_o,
  output wire             slot_wr_o,
  output wire [RW-1:0]    slot_wr_row_o,
  output wire             slot_psum_o,   // the array's sum joins
  output wire             slot_ar_o,     // the row read joins
  output wire             slot_hold_o,   // keep the row read for the next slot of this vadd
  output wire             slot_held_o,   // the kept row joins
  output wire             slot_relu_o,

  // for the hazard unit
  output wire [QD-1:0]       ent_valid_o,
  output wire [QD-1:0]       ent_vs_o,     // uses vr and spad rows
  output wire [QD-1:0]       ent_wr_o,     // writes ar
  output wire [QD*RW-1:0]    ent_v_o,
  output wire [QD*(RW+1)-1:0] ent_vend_o,
  output wire [QD*RW-1:0]    ent_s_o,
  output wire [QD*(RW+1)-1:0] ent_send_o,
  output wire [QD*RW-1:0]    ent_w_o,
  output wire [QD*(RW+1)-1:0] ent_wend_o,
  output wire                ent_vlow_o,   // the head is a vld: its rows count from 0
  output wire                pop_o,
  output wire                v_step_o,
  output wire                w_step_o,
  output wire                nxt_valid_o,  // the head after this cycle, and its next rows
  output wire [WAYS*RW-1:0]  nxt_v_o,
  output wire [WAYS*RW-1:0]  nxt_s_o,
  output wire [WAYS*(RW+1)-1:0] nxt_send_o,
  output wire [WAYS*RW-1:0]  nxt_w_o,
  output wire [WAYS-1:0]     nxt_vs_o,
  output wire [WAYS-1:0]     nxt_wr_o,

  output wire             issue_o,       // something of the head instruction was issued
  output wire             wait_port_o,   // mvout waits for ar's read port
  output wire             recent_o       // the head waits for a row just written
);
  localparam integer EW  = RW + 1;
  localparam [RW-1:0] ONE = {{(RW-1){1'b0}}, 1'b1};
  localparam [T-1:0] FIRST_WEIGHT = {{(T-1){1'b0}}, 1'b1};

  // The queue, oldest first: entry e of a field lies at e * width, entry 0 is the head and counts
  // its rows in place.
  localparam integer QW = 6 + 3*RW + 3*EW + 7;
  wire [QD-1:0]    valid_q, mm_q, vld_q, vrelu_q, vadd_q, relu_q;
  wire [QD-1:0]    reads_q;            // rows of ar: an accumulating mm, vector operations
  wire [QD*RW-1:0] v_q, s_q, w_q;
  wire [QD*EW-1:0] vend_q, send_q, wend_q;
  wire [QD*7-1:0]  nr_q;
  wire [QD*QW-1:0] queue;
  genvar q;
  generate
    for (q = 0; q < QD; q = q + 1) begin : g_entry
      assign {mm_q[q], vld_q[q], vrelu_q[q], vadd_q[q], relu_q[q], reads_q[q],
              v_q[q*RW +: RW], s_q[q*RW +: RW], w_q[q*RW +: RW], vend_q[q*EW +: EW],
              send_q[q*EW +: EW], wend_q[q*EW +: EW], nr_q[q*7 +: 7]} = queue[q*QW +: QW];
    end
  endgenerate
  wire [RW-1:0] v  = v_q[RW-1:0];
  wire [RW-1:0] s  = s_q[RW-1:0];
  wire [RW-1:0] w  = w_q[RW-1:0];
  wire [6:0]    nr = nr_q[6:0];

  // progress of the head instruction
  reg          started_q;     // weights under way (mm), source rows known to be there (vld)
  reg [T-1:0]  wload_q;       // one hot: the weight row to read now; zero when none is
  reg          phase_q;       // vadd: the first source has been read
  reg [1:0]    tail_q;        // vld: cycles until its last row is in vr

  // rows of ar written by the last three slots: not readable yet
  (* keep *) reg [2:0] recent_valid_q;   // not one with the accumulator's, far away
  reg [RW-1:0] recent0_q, recent1_q, recent2_q;

  wire is_mm    = mm_q[0];
  wire is_vld   = vld_q[0];
  wire is_vrelu = vrelu_q[0];
  wire is_vadd  = vadd_q[0];
  wire two_src  = is_vadd && phase_q;

  wire          rows_left, last_row;
  wire          known     = valid_q[0] && blk_known_i;
  wire          live      = known && rows_left;
  wire          head_rd   = reads_q[0];
  wire [RW-1:0] head_rd_row = is_mm ? w : two_src ? s : v;
  wire          head_recent, st_recent;

  wire vs_ok    = !blk_v_i && (started_q || !blk_s_i);
  wire rd_ok    = !(head_rd && head_recent);
  wire go_mm    = live && is_mm && vs_ok && !blk_w_i && rd_ok;
  wire go_vld   = live && is_vld && vs_ok;
  wire go_first = live && is_vadd && !phase_q && rd_ok;
  wire go_last  = live && (two_src || is_vrelu) && !blk_w_i && rd_ok;
  wire go_row   = go_mm || go_vld || go_last;      // a row of the instruction is complete

  wire weights_start = go_mm && !started_q;
  wire [T-1:0] wload = weights_start ? FIRST_WEIGHT : wload_q;
  wire weights_read  = |wload;
  // all of its weights are read (T > 1: not in the cycle in which they start), its tail is over
  wire weights_done  = wload_q[T-1] || (started_q && wload_q == {T{1'b0}});
  wire can_end       = known && (is_mm ? weights_done : !is_vld);
  assign pop_o = (known && is_vld && !rows_left && tail_q == 2'd1) ||
                 (can_end && !rows_left) || (can_end && last_row && (go_mm || go_last));

  // ---- operand reads
  assign vr_re_o      = go_mm;
  assign vr_raddr_o   = v;
  assign spad_re_o    = weights_read || go_vld;
  assign spad_raddr_o = s;
  assign wload_o      = wload;
  assign vld_o        = go_vld;
  assign vld_row_o    = v;

  // ---- the slot: mvout takes a read port of ar that the head leaves free
  wire ex_rd   = (go_mm && head_rd) || go_first || go_last;
  wire st_port = !ex_rd || (AR_BANKS == 2 && st_row_i[0] != head_rd_row[0]);
  assign st_issue_o    = st_valid_i && !st_recent && st_port;
  assign slot_rd_o     = ex_rd;
  assign slot_rd_row_o = head_rd_row;
  assign slot_wr_o     = go_mm || go_last;
  assign slot_wr_row_o = w;
  assign slot_psum_o   = go_mm;
  assign slot_ar_o     = ex_rd && !go_first;
  assign slot_hold_o   = go_first;
  assign slot_held_o   = go_last && two_src;
  assign slot_relu_o   = relu_q[0];

  assign issue_o     = go_row || go_first || weights_read;
  assign wait_port_o = st_valid_i && !st_recent && !st_port;
  assign recent_o    = live && head_rd && head_recent;

  always @(posedge clk_i) begin
    recent_valid_q <= {recent_valid_q[1:0], slot_wr_o};
    recent0_q      <= slot_wr_row_o;
    recent1_q      <= recent0_q;
    recent2_q      <= recent1_q;
    if (pop_o) begin
      started_q <= 1'b0;
      wload_q   <= {T{1'b0}};
      phase_q   <= 1'b0;
      tail_q    <= 2'd0;
    end else begin
      if (go_mm || go_vld) started_q <= 1'b1;
      wload_q <= wload << 1;
      if (go_first) phase_q <= 1'b1;
      if (go_last)  phase_q <= 1'b0;
      if (go_vld && last_row)  tail_q <= 2'd3;
      else if (tail_q != 2'd0) tail_q <= tail_q - 2'd1;
    end
    if (rst_i) begin
      recent_valid_q <= 3'd0;
      started_q      <= 1'b0;
      wload_q        <= {T{1'b0}};
      phase_q        <= 1'b0;
      tail_q         <= 2'd0;
    end
  end

  // ---- the queue
  wire push = d_valid_i && d_ready_o;
  assign d_ready_o = !valid_q[QD-1];

  wire [RW-1:0] v_inc, w_inc;
  wire [RW-1:0] s_inc = s + ONE;
  wire v_adv = (go_row && !two_src) || go_first;     // vadd steps with its first source
  wire s_adv = spad_re_o || (go_last && two_src);
  wire w_adv = go_mm || go_last;

  wire [EW-1:0] d_nr   = {{(EW-7){1'b0}}, d_nr_i};
  wire [EW-1:0] d_tall = T[EW-1:0];

  wire unused_fields = &{1'b0, vrelu_q, vadd_q, relu_q, reads_q, nr_q};   // of younger entries
  wire [EW-1:0] d_vend = {1'b0, d_v_i} + d_nr;
  wire [EW-1:0] d_send = {1'b0, d_s_i} + (d_mm_i ? d_tall : d_nr);
  wire [EW-1:0] d_wend = {1'b0, d_w_i} + d_nr;
  wire          d_vadd = !d_mm_i && !d_vld_i && !d_vrelu_i;
  ktpu_queue #(.WIDTH(QW), .DEPTH(QD)) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push),
    .data_i({d_mm_i, d_vld_i, d_vrelu_i, d_vadd, d_relu_i, d_mm_i ? d_acc_i : !d_vld_i,
             d_v_i, d_s_i, d_w_i, d_vend, d_send, d_wend, d_nr_i}),
    .pop_i(pop_o),
    .head_i({mm_q[0], vld_q[0], vrelu_q[0], vadd_q[0], relu_q[0], reads_q[0],
             v_adv ? v_inc : v, s_adv ? s_inc : s, w_adv ? w_inc : w,
             vend_q[EW-1:0], send_q[EW-1:0], wend_q[EW-1:0], go_row ? nr - 7'd1 : nr}),
    .valid_o(valid_q), .data_o(queue)
  );

  assign ent_valid_o = valid_q;
  assign ent_vs_o    = mm_q | vld_q;
  assign ent_wr_o    = ~vld_q;
  assign ent_v_o     = v_q;
  assign ent_s_o     = s_q;
  assign ent_w_o     = w_q;
  assign ent_vend_o  = vend_q;
  assign ent_send_o  = send_q;
  assign ent_wend_o  = wend_q;
  assign ent_vlow_o  = is_vld;

  assign v_step_o    = v_adv;
  assign w_step_o    = w_adv;
  assign nxt_valid_o = pop_o ? valid_q[1] : valid_q[0];
  generate
    if (WAYS == 1) begin : g_one_way
      assign v_inc      = v + ONE;
      assign w_inc      = w + ONE;
      assign rows_left  = nr != 7'd0;
      assign last_row   = nr == 7'd1;
      assign nxt_v_o    = pop_o ? v_q[RW +: RW] : v_adv ? v_inc : v;
      assign nxt_s_o    = pop_o ? s_q[RW +: RW] : s;      // looked at before the first step only
      assign nxt_send_o = pop_o ? send_q[EW +: EW] : send_q[EW-1:0];
      assign nxt_w_o    = pop_o ? w_q[RW +: RW] : w_adv ? w_inc : w;
      assign nxt_vs_o   = pop_o ? (mm_q[1] || vld_q[1]) : (is_mm || is_vld);
      assign nxt_wr_o   = pop_o ? !vld_q[1] : !is_vld;

      wire unused_st = &{1'b0, st_pop_i, st_nxt_row_i};
      assign head_recent = (recent_valid_q[0] && recent0_q == head_rd_row) ||
                           (recent_valid_q[1] && recent1_q == head_rd_row) ||
                           (recent_valid_q[2] && recent2_q == head_rd_row);
      assign st_recent   = (recent_valid_q[0] && recent0_q == st_row_i) ||
                           (recent_valid_q[1] && recent1_q == st_row_i) ||
                           (recent_valid_q[2] && recent2_q == st_row_i);
    end else begin : g_ways
      assign nxt_v_o    = {v_q[RW +: RW], v_inc, v};
      assign nxt_s_o    = {s_q[RW +: RW], s, s};
      assign nxt_send_o = {send_q[EW +: EW], {2{send_q[EW-1:0]}}};
      assign nxt_w_o    = {w_q[RW +: RW], w_inc, w};
      assign nxt_vs_o   = {mm_q[1] || vld_q[1], {2{is_mm || is_vld}}};
      assign nxt_wr_o   = {!vld_q[1], {2{!is_vld}}};

      // the rows that the head and mvout may read after this cycle, against what the slots before
      // that cycle write: the row of this cycle's slot, if it writes, and two older ones
      wire [RW-1:0]   rd_step = is_mm ? w_inc : !is_vadd ? v_inc : phase_q ? v : s;
      wire [RW-1:0]   rd_behind = mm_q[1] ? w_q[RW +: RW] : v_q[RW +: RW];
      wire [6*RW-1:0] rows = {st_nxt_row_i, rd_behind, rd_step, head_rd_row};
      integer n;
      reg [5:0] now_q, before_q;
      localparam [RW-1:0] TWO = ONE << 1;
      reg [RW-1:0] v_inc_q, w_inc_q;  // right once the head's hazards are known
      assign v_inc = v_inc_q;
      assign w_inc = w_inc_q;
      always @(posedge clk_i) begin
        v_inc_q <= pop_o ? v_q[RW +: RW] + ONE : v_adv ? v + TWO : v + ONE;
        w_inc_q <= pop_o ? w_q[RW +: RW] + ONE : w_adv ? w + TWO : w + ONE;
      end
      reg [2:0] last_q;               // how many rows the head may have left
      reg [1:0] left_q;
      reg       row_q;
      assign last_row  = pop_q ? last_q[2] : row_q ? last_q[1] : last_q[0];
      assign rows_left = pop_q || (row_q ? left_q[1] : left_q[0]);
      reg       pop_q, rd_step_q, st_pop_q, st_step_q;
      always @(posedge clk_i) begin
        for (n = 0; n < 6; n = n + 1) begin
          now_q[n]    <= rows[n*RW +: RW] == w;
          before_q[n] <= (recent_valid_q[0] && recent0_q == rows[n*RW +: RW]) ||
                         (recent_valid_q[1] && recent1_q == rows[n*RW +: RW]);
        end
        last_q    <= {nr_q[13:7] == 7'd1, nr == 7'd2, nr == 7'd1};
        left_q    <= {nr != 7'd1, nr != 7'd0};
        row_q     <= go_row;
        pop_q     <= pop_o;
        rd_step_q <= go_mm || go_first || go_last;
        st_pop_q  <= st_pop_i;
        st_step_q <= st_issue_o;
      end
      wire [5:0] recent = before_q | (now_q & {6{recent_valid_q[0]}});
      assign head_recent = pop_q ? recent[2] : rd_step_q ? recent[1] : recent[0];
      assign st_recent   = st_pop_q ? recent[5] : st_step_q ? recent[4] : recent[3];
      wire unused_recent = &{1'b0, recent_valid_q[2], recent2_q, st_row_i};
    end
  endgenerate
endmodule
`default_nettype wire
