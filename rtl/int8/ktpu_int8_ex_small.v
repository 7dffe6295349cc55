// SPDX-License-Identifier: Apache-2.0
// The issue point of small builds, with its hazards: what ktpu_int8_ex and ktpu_int8_hazard do,
// for the head instruction alone. One more instruction waits behind the head; while it does, no
// load is dispatched, so every load is either older than the head or younger, and older than who
// waits. Rows are compared only where the schedules of docs/programs.md overlap (an mm with the
// load that it chases, loads and mvouts with the head's rows); everything else waits for the whole
// instruction. Each waits for older ones only, so nothing can wait in a circle.
`default_nettype none
module ktpu_int8_ex_small #(
  parameter integer T  = 4,
  parameter integer RW = 7,       // bits of a row number
  parameter integer VW = 6,       // bits of a row number of spad or vr
  parameter integer LW = 4        // bits of an mvout's rows, less one
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

  // loads: the one whose words arrive, and the one behind it
  input  wire [1:0]       l_valid_i,
  input  wire             l_pop_i,
  input  wire             l_new_i,     // after this cycle another load is the first
  input  wire             l_vr_i,      // the first one's destination: 0 spad, 1 vr
  input  wire [VW-1:0]    l_row_i,     // its next row to arrive
  output wire             l_blocked_o,
  input  wire             vld_busy_i,  // a row of a vld is not yet in vr

  // mvout: the rows that it still has to read
  input  wire             s_push_i,    // one is dispatched
  input  wire             s_valid_i,
  input  wire             s_offer_i,   // its next row may go but for what is decided here
  input  wire [RW-1:0]    s_row_i,
  input  wire [LW-1:0]    s_last_i,    // rows after that one
  output wire             s_issue_o,

  // operand reads
  output wire             vr_re_o,
  output wire [RW-1:0]    vr_raddr_o,
  output wire             spad_re_o,
  output wire [RW-1:0]    spad_raddr_o,
  output wire [T-1:0]     wload_o,     // the weight row read now belongs to PE row i
  output wire             vld_o,       // the spad row read now goes to vr row vr_raddr_o

  // the slot: see ktpu_int8_accu
  output wire             slot_rd_o,
  output wire [RW-1:0]    slot_rd_row_o,
  output wire             slot_wr_o,
  output wire [RW-1:0]    slot_wr_row_o,
  output wire             slot_psum_o,
  output wire             slot_ar_o,
  output wire             slot_hold_o,
  output wire             slot_held_o,
  output wire             slot_relu_o,

  output wire [1:0]       valid_o,     // the head, the one behind it
  output wire             head_vs_o,   // the head uses vr and spad
  output wire             head_wr_o,   // the head writes ar
  output wire             waits_o,     // it is kept back by what another one does with ar
  output wire             issue_o,     // something of it was issued
  output wire             wait_port_o  // mvout waits for ar's read port
);
  localparam integer TB  = $clog2(T);
  localparam integer FW  = 3*RW + 7 + 7;
  localparam integer CW  = (VW > 7) ? VW : 7;         // bits to compare a distance with left_q
  localparam [RW-1:0] ONE = {{(RW-1){1'b0}}, 1'b1};
  localparam [T-1:0] FIRST_WEIGHT = {{(T-1){1'b0}}, 1'b1};

  // ---- the head and the one behind it
  reg          valid_q, next_valid_q;
  reg [FW-1:0] next_q;
  reg          mm_q, vld_q, vrelu_q, acc_q, relu_q;
  reg          after_st_q;    // mvouts came between it and the instruction before
  reg [RW-1:0] v_q, s_q, w_q;
  reg [6:0]    left_q;        // rows
  reg          rows_left_q;   // not zero; no instruction, none
  reg          last_row_q;    // one

  // progress of the head
  reg          started_q;     // weights under way
  reg [T-1:0]  wload_q;       // one hot: the weight row to read now; zero when none is
  reg          phase_q;       // a vadd, and its first source has been read
  reg [1:0]    recent_q;      // slots until every row of the one before it can be read
  reg          early_q;       // not zero
  reg          st_seen_q;     // mvouts dispatched since the last instruction

  // rows of ar written by the last three slots: not readable yet
  reg [2:0]    written_q;
  reg [RW-1:0] written0_q, written1_q, written2_q;

  // who came first
  reg [1:0]    l_older_q;     // loads older than the head
  reg [1:0]    st_after_q;    // the mvout is younger than the head, than the one behind it

  wire vadd      = !mm_q && !vld_q && !vrelu_q;
  wire two_src   = phase_q;
  wire live      = rows_left_q;

  // ---- the head against an older load. Rows arrive in ascending order; a row of vr below the
  // next one to arrive is there, or is none of that load's. All T weight rows must be there.
  wire [VW:0]   ahead   = {1'b0, l_row_i} - {1'b0, v_q[VW-1:0]};
  wire          v_there = !ahead[VW] && ahead[VW-1:1] != {(VW-1){1'b0}};    // and the row after
  wire          s_there = s_q[TB-1:0] == {TB{1'b0}} && s_q[VW-1:TB] < l_row_i[VW-1:TB];
  reg           there_q;
  wire          loaded  = !l_older_q[0] || (mm_q && there_q);

  // ---- an arriving word against the older head: weights go in the first T slots, activation rows
  // one by one, a vld as a whole
  reg  bars_q;                                        // the head is older
  reg  wanted_q;                                      // if it is an mm, it may still want the row
  wire v_wants      = {{(CW-VW){1'b0}}, ahead[VW-1:0]} < {{(CW-7){1'b0}}, left_q} ||
                      ahead[VW-1:0] == {VW{1'b1}};
  assign l_blocked_o = bars_q && (vld_q || (mm_q && wanted_q));

  // ---- the head against mvout, in ar
  wire [RW-1:0] below    = s_row_i - w_q;             // mvout's row, counted from the head's
  wire [RW-1:0] above    = ~below;                    // less one: the head's, counted from mvout's
  wire          s_wants  = below < {{(RW-7){1'b0}}, left_q} || above == {RW{1'b0}};
  wire          w_wants  = below[RW-1:1] == {(RW-1){1'b0}} ||
                           above < {{(RW-LW){1'b0}}, s_last_i};
  reg           s_wants_q, w_wanted_q;
  wire          s_recent = (written_q[0] && written0_q == s_row_i) ||
                           (written_q[1] && written1_q == s_row_i) ||
                           (written_q[2] && written2_q == s_row_i);
  wire          s_blocked = s_recent || st_after_q[1] || (st_after_q[0] && !vld_q && s_wants_q);
  wire          too_early = after_st_q && early_q;

  wire go_mm    = live && mm_q && loaded && !vld_busy_i && !w_wanted_q && !(acc_q && too_early);
  wire go_vld   = live && vld_q && loaded;
  wire go_first = live && vadd && !phase_q && !too_early;
  wire go_last  = live && (two_src || vrelu_q) && !too_early && !w_wanted_q;
  wire go_row   = go_mm || go_vld || go_last;         // a row of the instruction is complete

  // T is more than 1: the cycle in which weights start is not the one of the last
  wire weights_start = go_mm && !started_q;
  wire [T-1:0] wload = weights_start ? FIRST_WEIGHT : wload_q;
  wire weights_read  = |wload;
  wire weights_left  = !(started_q || go_mm) || wload[T-2:0] != {(T-1){1'b0}};
  reg  weights_done_q;                                // the last is read now, or has been
  wire rows_done     = !rows_left_q || (go_row && last_row_q);
  wire pop           = valid_q && rows_done && (!mm_q || weights_done_q);
  wire move          = next_valid_q && (!valid_q || pop);

  // ---- operand reads
  assign vr_re_o      = go_mm;
  assign vr_raddr_o   = v_q;
  assign spad_re_o    = weights_read || go_vld;
  assign spad_raddr_o = s_q;
  assign wload_o      = wload;
  assign vld_o        = go_vld;

  // ---- the slot: mvout takes the read port of ar where the head leaves it free
  wire ex_rd = (go_mm && acc_q) || go_first || go_last;
  assign s_issue_o     = s_offer_i && !s_blocked && !ex_rd;
  assign slot_rd_o     = ex_rd;
  assign slot_rd_row_o = mm_q ? w_q : two_src ? s_q : v_q;
  assign slot_wr_o     = go_mm || go_last;
  assign slot_wr_row_o = w_q;
  assign slot_psum_o   = go_mm;
  assign slot_ar_o     = ex_rd && !go_first;
  assign slot_hold_o   = go_first;
  assign slot_held_o   = go_last && two_src;
  assign slot_relu_o   = relu_q;

  assign valid_o     = {next_valid_q, valid_q};
  assign head_vs_o   = mm_q || vld_q;
  assign head_wr_o   = !vld_q;
  assign waits_o     = live && (w_wanted_q || too_early);
  assign issue_o     = go_row || go_first || weights_read;
  assign wait_port_o = s_offer_i && !s_blocked && ex_rd;

  wire v_adv = (go_row && !two_src) || go_first;      // vadd steps with its first source
  wire s_adv = spad_re_o || (go_last && two_src);
  wire w_adv = go_mm || go_last;
  wire push  = d_valid_i && d_ready_o;
  wire next_valid = push || (next_valid_q && !move);
  wire head_valid = move || (valid_q && !pop);
  assign d_ready_o = !next_valid_q;
  wire [1:0] l_older_now = move ? l_valid_i : l_older_q;
  wire [1:0] l_older     = l_pop_i ? l_older_now >> 1 : l_older_now;

  // What was found out about rows is a cycle old when it is used. It holds for the row after, too,
  // and the other side can only have gone on; of a new head, load or mvout nothing is known.
  always @(posedge clk_i) begin
    there_q    <= !move && !l_older_q[1] && (l_vr_i ? v_there : started_q || s_there);
    w_wanted_q <= s_valid_i && (move ? !st_after_q[1] : !st_after_q[0] && w_wants);
    s_wants_q  <= move || s_push_i || s_wants;
    wanted_q   <= l_new_i || (l_vr_i ? v_wants : weights_left);
  end

  always @(posedge clk_i) begin
    valid_q      <= head_valid;
    next_valid_q <= next_valid;
    written_q    <= {written_q[1:0], slot_wr_o};
    bars_q         <= head_valid && !l_older[0];
    weights_done_q <= !pop && (wload[T-2] || weights_done_q);
    if (pop) begin
      started_q <= 1'b0;
      wload_q   <= {T{1'b0}};
      phase_q   <= 1'b0;
    end else begin
      if (go_mm)    started_q <= 1'b1;
      wload_q <= wload << 1;
      if (go_first) phase_q <= 1'b1;
      if (go_last)  phase_q <= 1'b0;
    end
    if (s_push_i)  st_seen_q <= 1'b1;
    else if (push) st_seen_q <= 1'b0;
    if (pop) recent_q <= 2'd3;
    else if (recent_q != 2'd0) recent_q <= recent_q - 2'd1;
    early_q <= pop || recent_q[1];
    l_older_q <= l_older;
    if (s_push_i) st_after_q <= {next_valid, head_valid};
    else if (pop || move) st_after_q <= st_after_q >> 1;
    if (rst_i) begin
      bars_q         <= 1'b0;
      weights_done_q <= 1'b0;
      valid_q      <= 1'b0;
      next_valid_q <= 1'b0;
      written_q    <= 3'd0;
      started_q    <= 1'b0;
      wload_q      <= {T{1'b0}};
      phase_q      <= 1'b0;
      recent_q     <= 2'd0;
      early_q      <= 1'b0;
      st_seen_q    <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    written0_q <= w_q;
    written1_q <= written0_q;
    written2_q <= written1_q;
    if (push)
      next_q <= {d_nr_i == 7'd1, d_mm_i, d_vld_i, d_vrelu_i, d_acc_i, d_relu_i, st_seen_q, d_v_i,
                 d_s_i, d_w_i, d_nr_i};
    if (move) begin
      rows_left_q <= 1'b1;
      {last_row_q, mm_q, vld_q, vrelu_q, acc_q, relu_q, after_st_q, v_q, s_q, w_q,
       left_q} <= next_q;
    end else begin
      if (v_adv)  v_q    <= v_q + ONE;
      if (s_adv)  s_q    <= s_q + ONE;
      if (w_adv)  w_q    <= w_q + ONE;
      if (go_row) begin
        left_q      <= left_q - 7'd1;
        rows_left_q <= !last_row_q;
        last_row_q  <= left_q == 7'd2;
      end
    end
    if (rst_i) rows_left_q <= 1'b0;
  end
endmodule
`default_nettype wire
