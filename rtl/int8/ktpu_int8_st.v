// SPDX-License-Identifier: Apache-2.0
// dma_st: offers the rows of queued mvouts to the issue point in order, and writes what comes back
// from the output stage to C, a row a burst. Rows wait in a FIFO; a row is offered only while the
// FIFO is sure to have room for it. Rows of two descriptors are never on their way together,
// because they may differ in form.
`default_nettype none
module ktpu_int8_st #(
  parameter integer T         = 4,
  parameter integer RW        = 7,
  parameter integer ROW_BITS  = 7,
  parameter integer CB_BITS   = 4,
  parameter integer QD        = 4,
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 32,
  parameter integer OUTSTANDING = 64,
  parameter integer SERIAL    = 0,    // one row at a time in the output stage when it shifts
  parameter integer WAYS      = 1,    // as in ktpu_int8_hazard
  parameter integer PIPELINE  = 0     // registers on the way from an mvout to its addresses
) (
  input  wire                   clk_i,
  input  wire                   rst_i,        // reset, flush: drops what has not come to the bus
  input  wire                   rst_bus_i,    // the bus side: never while a burst is under way

  input  wire                   d_valid_i,
  output wire                   d_ready_o,
  input  wire [RW-1:0]          d_ar_i,
  input  wire [ROW_BITS-1:0]    d_row0_i,
  input  wire [CB_BITS-1:0]     d_cb_i,
  input  wire [6:0]             d_nr_i,
  input  wire                   d_ctx_i,

  output wire                   ctx_sel_o,    // context of the request being prepared
  input  wire [ADDR_BITS-1:0]   ctx_base_i,
  input  wire [15:0]            ctx_stride_i,
  input  wire                   ctx_wide_i,
  output wire                   form_ctx_o,   // context of the rows on their way to the bus
  input  wire                   form_wide_i,
  input  wire                   form_shifted_i,

  input  wire                   blocked_i,
  output wire                   st_valid_o,   // a row for the issue point
  output wire [RW-1:0]          st_row_o,
  input  wire                   st_issue_i,

  output wire [QD-1:0]          ent_valid_o,
  output wire [QD*RW-1:0]       ent_cur_o,
  output wire [QD*(RW+1)-1:0]   ent_end_o,
  output wire                   pop_o,
  output wire [WAYS-1:0]        nxt_valid_o,
  output wire [WAYS*RW-1:0]     nxt_row_o,

  input  wire                   row_valid_i,  // from the output stage
  input  wire [T*32-1:0]        row_i,

  output wire                   aw_valid_o,
  input  wire                   aw_ready_i,
  output wire [ADDR_BITS-1:0]   aw_addr_o,
  output wire [7:0]             aw_len_o,
  output wire                   w_valid_o,
  input  wire                   w_ready_i,
  output wire [BUS_BITS-1:0]    w_data_o,
  output wire [BUS_BITS/8-1:0]  w_strb_o,
  output wire                   w_last_o,
  input  wire                   b_valid_i,

  output wire [1:0]             ctx_busy_o,   // the context is still needed here
  output wire                   quiet_o,      // after this cycle nothing is left
  output wire                   bus_quiet_o   // the same for bursts that have begun
);
  localparam integer EW    = RW + 1;
  localparam integer TB    = $clog2(T);
  localparam integer DEPTH = (T > 8) ? 32 : 16;     // rows between issue point and bus
  localparam integer LB    = $clog2(DEPTH + 1);
  // log2 of outstanding write bursts; a row that crosses 4 KiB goes past them beat by beat, which
  // the count's upper half has room for
  localparam integer WIDE  = (T*32 > BUS_BITS) ? T*32 / BUS_BITS : 1;
  localparam integer NB    = ((1 << $clog2(OUTSTANDING)) * 2 >= WIDE) ? $clog2(OUTSTANDING) + 1
                                                                     : $clog2(WIDE);
  localparam integer QW    = 1 + ROW_BITS + CB_BITS + 7;

  // ---- requests -> row addresses
  wire push = d_valid_i && d_ready_o;
  wire q_in_ready, q_valid;               // q_valid: the context is wanted for addresses to come
  wire addr_valid, addr_ready, addr_idle;
  wire [ADDR_BITS-1:0] addr;
  // a burst that has begun outlives a flush: until it is over its row, address and form stay
  wire write_begun, row_wide;
  // (with PIPELINE they lie in registers of their own)
  wire rst_row = rst_bus_i || (rst_i && (PIPELINE != 0 || !write_begun));
  wire q_ready, addr_last;
  wire [QW-1:0] q_data;
  wire q_ctx;
  wire [ROW_BITS-1:0] q_row0;
  wire [CB_BITS-1:0]  q_cb;
  wire [6:0] q_nr;
  assign {q_ctx, q_row0, q_cb, q_nr} = q_data;
  generate
    if (PIPELINE != 0) begin : g_requests
      wire [$clog2(QD+1)-1:0] level;
      ktpu_fifo #(.WIDTH(QW), .DEPTH(QD)) u_requests (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(push), .in_ready_o(q_in_ready),
        .in_data_i({d_ctx_i, d_row0_i, d_cb_i, d_nr_i}),
        .out_valid_o(q_valid), .out_ready_i(q_ready), .out_data_o(q_data), .level_o(level)
      );
      wire unused_requests = &{1'b0, level};
    end else begin : g_requests
      ktpu_fifo_bypass #(.WIDTH(QW), .DEPTH(QD)) u_requests (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(push), .in_ready_o(q_in_ready),
        .in_data_i({d_ctx_i, d_row0_i, d_cb_i, d_nr_i}),
        .out_valid_o(q_valid), .out_ready_i(q_ready), .out_data_o(q_data)
      );
    end
  endgenerate
  assign ctx_sel_o = q_ctx;
  wire [ADDR_BITS-1:0] narrow = {{(ADDR_BITS-CB_BITS-TB){1'b0}}, q_cb, {TB{1'b0}}};
  wire [ADDR_BITS-1:0] q_base = ctx_base_i + (ctx_wide_i ? narrow << 2 : narrow);
  ktpu_int8_rowaddr #(
    .ADDR_BITS(ADDR_BITS), .ROW_BITS(ROW_BITS), .PIPELINE(PIPELINE)
  ) u_rows (
    .clk_i(clk_i), .rst_i(rst_row),
    .in_valid_i(q_valid), .in_ready_o(q_ready),
    .in_base_i(q_base), .in_stride_i(ctx_stride_i), .in_row0_i(q_row0), .in_rows_i(q_nr),
    .out_valid_o(addr_valid), .out_ready_i(addr_ready), .out_addr_o(addr),
    .out_last_o(addr_last), .idle_o(addr_idle)
  );
  wire unused_last = &{1'b0, addr_last};

  // ---- pending sources, oldest first, as in ktpu_int8_ld
  localparam integer PW = 1 + RW + EW;
  wire [QD-1:0]    valid_q, ctx_q;
  wire [QD*RW-1:0] cur_q;
  wire [QD*EW-1:0] end_q;
  wire [QD*PW-1:0] queue;
  genvar q;
  generate
    for (q = 0; q < QD; q = q + 1) begin : g_entry
      assign {ctx_q[q], cur_q[q*RW +: RW], end_q[q*EW +: EW]} = queue[q*PW +: PW];
    end
  endgenerate
  localparam [EW-1:0] E_ONE = {{(EW-1){1'b0}}, 1'b1};
  wire [RW-1:0] cur     = cur_q[RW-1:0];
  localparam [RW-1:0] R_ONE = {{(RW-1){1'b0}}, 1'b1};
  wire [RW-1:0] cur_inc;
  wire          row_end;
  assign pop_o       = st_issue_i && row_end;
  assign d_ready_o   = q_in_ready && !valid_q[QD-1];
  assign st_row_o    = cur;
  generate
    if (WAYS == 1) begin : g_one_way
      assign cur_inc     = cur + R_ONE;
      assign row_end     = {1'b0, cur} + E_ONE == end_q[EW-1:0];
      assign nxt_valid_o = pop_o ? valid_q[1] : valid_q[0];
      assign nxt_row_o   = pop_o ? cur_q[RW +: RW] : st_issue_i ? cur_inc : cur;
    end else begin : g_ways
      // a queued row is not offered before its hazards are known, two cycles after it came
      wire [EW-1:0] two  = {{(EW-2){1'b0}}, 2'd2};
      reg  [2:0]    end_way_q;
      reg           pop_q, step_q;
      reg  [RW-1:0] inc_q;
      assign cur_inc = inc_q;
      always @(posedge clk_i) begin
        inc_q <= pop_o ? cur_q[RW +: RW] + R_ONE : st_issue_i ? cur + two[RW-1:0] : cur + R_ONE;
        end_way_q <= {{1'b0, cur_q[RW +: RW]} + E_ONE == end_q[EW +: EW],
                      {1'b0, cur} + two == end_q[EW-1:0], {1'b0, cur} + E_ONE == end_q[EW-1:0]};
        pop_q  <= pop_o;
        step_q <= st_issue_i;
      end
      assign row_end     = pop_q ? end_way_q[2] : step_q ? end_way_q[1] : end_way_q[0];
      assign nxt_valid_o = {valid_q[1], {2{valid_q[0]}}};
      assign nxt_row_o   = {cur_q[RW +: RW], cur_inc, cur};
    end
  endgenerate
  assign ent_valid_o = valid_q;
  assign ent_cur_o   = cur_q;
  assign ent_end_o   = end_q;

  ktpu_queue #(.WIDTH(PW), .DEPTH(QD)) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push),
    .data_i({d_ctx_i, d_ar_i, {1'b0, d_ar_i} + {{(EW-7){1'b0}}, d_nr_i}}),
    .pop_i(pop_o),
    .head_i({ctx_q[0], st_issue_i ? cur_inc : cur, end_q[EW-1:0]}),
    .valid_o(valid_q), .data_o(queue)
  );

  // ---- credits: rows issued and not yet taken by the bus
  reg [LB-1:0] rows_q;          // in the output stage or in the FIFO
  reg          form_ctx_q;
  wire row_taken;
  wire one_at_a_time = (SERIAL != 0) && form_shifted_i;
  wire rows_none     = rows_q == {LB{1'b0}};
  assign st_valid_o = valid_q[0] && !blocked_i && (rows_q != DEPTH[LB-1:0]) && !gap &&
                      (form_ctx_q == ctx_q[0]) && (rows_none || !one_at_a_time);
  assign form_ctx_o = form_ctx_q;

  always @(posedge clk_i) begin
    rows_q <= rows_q + {{(LB-1){1'b0}}, st_issue_i} - {{(LB-1){1'b0}}, row_taken};
    if (rows_none && !st_issue_i && valid_q[0]) form_ctx_q <= ctx_q[0];
    if (rst_i) begin
      rows_q     <= {LB{1'b0}};
      form_ctx_q <= 1'b0;
    end
  end

  // The FIFO holds rows, or, in small builds whose rows are two beats, beats: that takes half the
  // block RAMs. Two-beat rows then come at least two cycles apart, and their second half is stored
  // from the output stage's register a cycle after the first.
  localparam integer HALVES = (SERIAL != 0 && T*32 == 2*BUS_BITS) ? 1 : 0;
  wire fifo_ready, fifo_valid, beat_done, gap;
  wire [T*32-1:0] fifo_row;
  generate
    if (HALVES != 0) begin : g_beats
      localparam integer FB = $clog2(2*DEPTH + 1);
      reg           issued_q, second_q;
      wire [FB-1:0] fifo_level;
      assign gap = form_wide_i && issued_q;
      always @(posedge clk_i) begin
        issued_q <= st_issue_i;
        second_q <= row_valid_i && form_wide_i;
        if (rst_i) begin
          issued_q <= 1'b0;
          second_q <= 1'b0;
        end
      end
      wire [BUS_BITS-1:0] beat;
      ktpu_fifo #(.WIDTH(BUS_BITS), .DEPTH(2*DEPTH), .RAM(1)) u_beats_out (
        .clk_i(clk_i), .rst_i(rst_row),
        .in_valid_i(row_valid_i || second_q), .in_ready_o(fifo_ready),
        .in_data_i(second_q ? row_i[BUS_BITS +: BUS_BITS] : row_i[BUS_BITS-1:0]),
        .out_valid_o(fifo_valid), .out_ready_i(row_taken || beat_done), .out_data_o(beat),
        .level_o(fifo_level)
      );
      assign fifo_row = {2{beat}};
      wire unused_level = &{1'b0, fifo_level};
    end else begin : g_rows
      wire [LB-1:0] fifo_level;
      assign gap = 1'b0;
      ktpu_fifo #(.WIDTH(T*32), .DEPTH(DEPTH), .RAM(SERIAL)) u_rows_out (
        .clk_i(clk_i), .rst_i(rst_row),
        .in_valid_i(row_valid_i), .in_ready_o(fifo_ready), .in_data_i(row_i),
        .out_valid_o(fifo_valid), .out_ready_i(row_taken), .out_data_o(fifo_row),
        .level_o(fifo_level)
      );
      wire unused_level = &{1'b0, beat_done, fifo_level};
    end
  endgenerate
  wire unused = &{1'b0, fifo_ready};

  // ---- the bus: a row a burst
  wire       write_stop, write_idle, write_valid, write_ready, write_offers_none, row_crosses;
  wire [ADDR_BITS-1:0] write_addr;
  wire [T*32-1:0]      write_row;
  reg [NB:0] b_count_q;
  wire       b_full = b_count_q[NB];
  generate
    if (PIPELINE != 0) begin : g_row_stage
      // two places, as in ktpu_skid; a flush leaves the first one: its burst is taken to have begun
      localparam integer SW  = 2 + ADDR_BITS + T*32;
      localparam integer BBL = $clog2(BUS_BITS / 8);
      localparam integer WIDE_I   = WIDE - 1;                   // beats after a row's first
      localparam integer NARROW_I = (T*8 > BUS_BITS) ? T*8 / BUS_BITS - 1 : 0;
      wire [12-BBL:0] end_beat = {1'b0, addr[11:BBL]} +
                                 (form_wide_i ? WIDE_I[12-BBL:0] : NARROW_I[12-BBL:0]);
      wire            unused_end = &{1'b0, end_beat};
      wire [SW-1:0] row_in = {end_beat[12-BBL], form_wide_i, addr, fifo_row};
      // A place takes what there is as long as it is free, so that nothing late enables its 300
      // flip-flops; head_q names the one whose row is at the bus.
      reg [SW-1:0] place0_q, place1_q;
      reg          full_q, spare_q, head_q;
      wire         free0 = !full_q || (!spare_q && head_q);
      wire         free1 = !full_q || (!spare_q && !head_q);
      wire         move  = !full_q || write_ready;
      wire         fill  = (row_taken || spare_q) && !rst_i;
      assign row_taken   = fifo_valid && addr_valid && !spare_q;
      assign write_valid = full_q;
      assign {row_crosses, row_wide, write_addr, write_row} = head_q ? place1_q : place0_q;
      assign write_idle  = !full_q && !spare_q;
      always @(posedge clk_i) begin
        full_q  <= !move || fill;
        spare_q <= !move && !rst_i && (spare_q || row_taken);
        head_q  <= head_q ^ write_ready;
        if (rst_bus_i) begin
          full_q  <= 1'b0;
          spare_q <= 1'b0;
          head_q  <= 1'b0;
        end
      end
      always @(posedge clk_i) begin
        if (free0) place0_q <= row_in;
        if (free1) place1_q <= row_in;
      end
      assign write_stop  = b_full;
      wire unused_offers = &{1'b0, write_offers_none, write_begun};
    end else begin : g_row_stage
      reg wide_q;
      assign row_crosses = 1'b0;
      assign row_taken   = write_ready;
      assign write_valid = fifo_valid && addr_valid;
      assign write_addr  = addr;
      assign write_row   = fifo_row;
      assign write_idle  = write_offers_none;
      assign row_wide    = write_begun ? wide_q : form_wide_i;
      assign write_stop  = rst_i || b_full;
      always @(posedge clk_i) wide_q <= row_wide;
    end
  endgenerate
  ktpu_int8_write #(
    .T(T), .BUS_BITS(BUS_BITS), .ADDR_BITS(ADDR_BITS), .PIPELINE(PIPELINE)
  ) u_write (
    .clk_i(clk_i), .rst_i(rst_bus_i), .stop_i(write_stop),
    .row_valid_i(write_valid), .row_ready_o(write_ready),
    .row_addr_i(write_addr), .row_wide_i(row_wide), .row_crosses_i(row_crosses),
    .row_i(write_row),
    .aw_valid_o(aw_valid_o), .aw_ready_i(aw_ready_i), .aw_addr_o(aw_addr_o), .aw_len_o(aw_len_o),
    .w_valid_o(w_valid_o), .w_ready_i(w_ready_i), .w_data_o(w_data_o), .w_strb_o(w_strb_o),
    .w_last_o(w_last_o), .beat_done_o(beat_done), .begun_o(write_begun),
    .idle_o(write_offers_none)
  );
  assign addr_ready = row_taken;

  wire aw_hs = aw_valid_o && aw_ready_i;
  wire b_none = (b_count_q == {(NB+1){1'b0}}) ||
                (b_count_q == {{NB{1'b0}}, 1'b1} && b_valid_i && !aw_hs);
  always @(posedge clk_i) begin
    b_count_q <= b_count_q + {{NB{1'b0}}, aw_hs} - {{NB{1'b0}}, b_valid_i};
    if (rst_bus_i) b_count_q <= {(NB+1){1'b0}};
  end
  assign bus_quiet_o = write_idle && b_none && !aw_hs;
  assign quiet_o = bus_quiet_o && !(|valid_q) && rows_none && !d_valid_i && addr_idle && !q_valid;

  // ---- a context is needed by rows to come, rows in the output stage, requests not yet prepared
  wire ctx0_rows = |(valid_q & ~ctx_q);
  wire ctx1_rows = |(valid_q & ctx_q);
  assign ctx_busy_o[0] = ctx0_rows || q_valid || (!rows_none && !form_ctx_q);
  assign ctx_busy_o[1] = ctx1_rows || q_valid || (!rows_none && form_ctx_q);
endmodule
`default_nettype wire
