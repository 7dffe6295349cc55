// SPDX-License-Identifier: Apache-2.0
// dma_ld: turns queued loads into single-beat reads, and arriving words into spad or vr rows.
// Reads are issued as soon as the port takes them; a word waits on the R channel while an older
// instruction still has to read (or write) its destination row (blocked_i), so loads run ahead
// of the arithmetic by as much as the memory holds in flight. Rows arrive in program order.
`default_nettype none
module ktpu_int8_ld #(
  parameter integer T         = 4,
  parameter integer RW        = 7,    // bits of an on-chip row number
  parameter integer ROW_BITS  = 7,    // bits of a DRAM row number
  parameter integer CB_BITS   = 4,    // bits of a column block
  parameter integer QD        = 4,
  parameter integer BUS_BITS  = 64,
  parameter integer LANE_BITS = 1,    // bits of the word's place in a beat, at least 1
  parameter integer ADDR_BITS = 32,
  parameter integer WAYS      = 1,    // as in ktpu_int8_hazard
  parameter integer PIPELINE  = 0     // registers on the way from a queued load to its addresses
) (
  input  wire                    clk_i,
  input  wire                    rst_i,       // reset or flush

  input  wire                    d_valid_i,
  output wire                    d_ready_o,
  input  wire                    d_vr_i,      // destination: 0 spad, 1 vr
  input  wire                    d_b_i,       // source: 0 A, 1 B
  input  wire [ROW_BITS-1:0]     d_row0_i,
  input  wire [CB_BITS-1:0]      d_cb_i,
  input  wire [RW-1:0]           d_dst_i,
  input  wire [6:0]              d_nr_i,
  input  wire                    d_ctx_i,

  output wire                    ctx_sel_o,   // context and matrix of the request being prepared
  output wire                    ctx_b_o,
  input  wire [ADDR_BITS-1:0]    ctx_base_i,
  input  wire [15:0]             ctx_stride_i,

  output wire                    ar_valid_o,
  input  wire                    ar_ready_i,
  output wire [ADDR_BITS-1:0]    ar_addr_o,

  input  wire                    r_valid_i,
  output wire                    r_ready_o,
  input  wire [BUS_BITS-1:0]     r_data_i,
  input  wire [LANE_BITS-1:0]    r_lane_i,

  input  wire                    blocked_i,   // entry 0's next row is not free
  input  wire                    vr_taken_i,  // vr's write port is used by a vld
  output wire                    spad_we_o,
  output wire                    vr_we_o,
  output wire [RW-1:0]           wrow_o,
  output wire [T*8-1:0]          wdata_o,

  output wire [QD-1:0]           ent_valid_o,
  output wire [QD-1:0]           ent_vr_o,
  output wire [QD-1:0]           ent_ctx_o,
  output wire [QD*RW-1:0]        ent_cur_o,   // next row to arrive
  output wire [QD*(RW+1)-1:0]    ent_end_o,   // one past the last row
  output wire                    pop_o,
  output wire                    step_o,
  output wire [WAYS-1:0]         nxt_vr_o,    // destination and row of the next word to arrive,
  output wire [WAYS*RW-1:0]      nxt_row_o,   // seen after this cycle
  output wire                    issuing_o    // reads are still to be requested
);
  localparam integer EW = RW + 1;
  localparam integer BB = BUS_BITS / 8;
  localparam integer BEATS = (T > BB) ? T / BB : 1;
  localparam integer QW = 1 + ROW_BITS + CB_BITS + 7 + 1;
  localparam integer TB = $clog2(T);

  // ---- requests -> row addresses -> AR
  wire          q_in_ready;
  wire          row_valid, row_ready;
  wire [ADDR_BITS-1:0] row_addr;
  wire push = d_valid_i && d_ready_o;
  wire          q_valid, q_ready, row_last, row_idle;
  wire [QW-1:0] q_data;
  wire          q_ctx, q_b;
  wire [ROW_BITS-1:0] q_row0;
  wire [CB_BITS-1:0]  q_cb;
  wire [6:0]    q_nr;
  assign {q_ctx, q_b, q_row0, q_cb, q_nr} = q_data;
  generate
    if (PIPELINE != 0) begin : g_requests
      wire [$clog2(QD+1)-1:0] level;
      ktpu_fifo #(.WIDTH(QW), .DEPTH(QD)) u_requests (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(push), .in_ready_o(q_in_ready),
        .in_data_i({d_ctx_i, d_b_i, d_row0_i, d_cb_i, d_nr_i}),
        .out_valid_o(q_valid), .out_ready_i(q_ready), .out_data_o(q_data), .level_o(level)
      );
      wire unused_level = &{1'b0, level};
    end else begin : g_requests
      ktpu_fifo_bypass #(.WIDTH(QW), .DEPTH(QD)) u_requests (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(push), .in_ready_o(q_in_ready),
        .in_data_i({d_ctx_i, d_b_i, d_row0_i, d_cb_i, d_nr_i}),
        .out_valid_o(q_valid), .out_ready_i(q_ready), .out_data_o(q_data)
      );
    end
  endgenerate
  assign ctx_sel_o = q_ctx;
  assign ctx_b_o   = q_b;
  wire [ADDR_BITS-1:0] q_base =
    ctx_base_i + {{(ADDR_BITS-CB_BITS-TB){1'b0}}, q_cb, {TB{1'b0}}};
  wire                 run_valid, run_ready;
  wire [ADDR_BITS-1:0] run_addr;
  ktpu_int8_rowaddr #(
    .ADDR_BITS(ADDR_BITS), .ROW_BITS(ROW_BITS), .PIPELINE(PIPELINE)
  ) u_rows (
    .clk_i(clk_i), .rst_i(rst_i),
    .in_valid_i(q_valid), .in_ready_o(q_ready),
    .in_base_i(q_base), .in_stride_i(ctx_stride_i), .in_row0_i(q_row0), .in_rows_i(q_nr),
    .out_valid_o(run_valid), .out_ready_i(run_ready), .out_addr_o(run_addr),
    .out_last_o(row_last), .idle_o(row_idle)
  );
  generate
    if (PIPELINE != 0) begin : g_address
      ktpu_skid #(.WIDTH(ADDR_BITS)) u_address (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(run_valid), .in_ready_o(run_ready), .in_data_i(run_addr),
        .out_valid_o(row_valid), .out_ready_i(row_ready), .out_data_o(row_addr)
      );
    end else begin : g_address
      assign row_valid = run_valid;
      assign run_ready = row_ready;
      assign row_addr  = run_addr;
    end
  endgenerate
  assign issuing_o = q_valid || !row_idle || row_valid;
  wire unused_last = &{1'b0, row_last};
  assign ar_valid_o = row_valid;

  wire last_beat;   // of the arriving word
  generate
    if (BEATS == 1) begin : g_one_beat
      localparam integer LANES = BB / T;
      assign ar_addr_o = row_addr;
      assign row_ready = ar_ready_i;
      assign last_beat = 1'b1;
      if (LANES == 1) begin : g_whole
        wire unused_lane = &{1'b0, r_lane_i};
        assign wdata_o = r_data_i;
      end else begin : g_lane
        assign wdata_o = r_data_i[r_lane_i * (T*8) +: T*8];
      end
    end else begin : g_beats
      localparam integer BW = $clog2(BEATS);
      reg [BW-1:0] ar_beat_q, r_beat_q;
      reg [(BEATS-1)*BUS_BITS-1:0] hold_q;
      localparam integer BBL = $clog2(BB);
      wire unused_lane = &{1'b0, r_lane_i};
      assign ar_addr_o = row_addr + {{(ADDR_BITS-BW-BBL){1'b0}}, ar_beat_q, {BBL{1'b0}}};
      assign row_ready = ar_ready_i && (ar_beat_q == {BW{1'b1}});
      assign last_beat = r_beat_q == {BW{1'b1}};
      assign wdata_o   = {r_data_i, hold_q};
      always @(posedge clk_i) begin
        if (ar_valid_o && ar_ready_i) ar_beat_q <= ar_beat_q + {{(BW-1){1'b0}}, 1'b1};
        if (r_valid_i && r_ready_o)   r_beat_q  <= r_beat_q + {{(BW-1){1'b0}}, 1'b1};
        if (rst_i) begin
          ar_beat_q <= {BW{1'b0}};
          r_beat_q  <= {BW{1'b0}};
        end
      end
      always @(posedge clk_i)
        if (r_valid_i && r_ready_o && !last_beat)
          hold_q[r_beat_q * BUS_BITS +: BUS_BITS] <= r_data_i;
    end
  endgenerate
  // ---- pending destinations, oldest first: entry 0 is the one whose words arrive. Entry e of a
  // field lies at e * width.
  localparam integer PW = 2 + RW + EW;
  wire [QD-1:0]    valid_q, vr_q, ctx_q;
  wire [QD*RW-1:0] cur_q;
  wire [QD*EW-1:0] end_q;
  wire [QD*PW-1:0] queue;
  genvar q;
  generate
    for (q = 0; q < QD; q = q + 1) begin : g_entry
      assign {vr_q[q], ctx_q[q], cur_q[q*RW +: RW], end_q[q*EW +: EW]} = queue[q*PW +: PW];
    end
  endgenerate

  wire [RW-1:0] cur      = cur_q[RW-1:0];
  wire          accept   = r_valid_i && r_ready_o && last_beat;
  localparam [RW-1:0] R_ONE = {{(RW-1){1'b0}}, 1'b1};
  wire [RW-1:0] cur_inc;
  localparam [EW-1:0] E_ONE = {{(EW-1){1'b0}}, 1'b1};
  wire          row_end;

  assign r_ready_o = valid_q[0] && !blocked_i && !(vr_q[0] && vr_taken_i);
  assign spad_we_o = accept && !vr_q[0];
  assign vr_we_o   = accept && vr_q[0];
  assign wrow_o    = cur;
  assign pop_o     = accept && row_end;
  assign d_ready_o = q_in_ready && !valid_q[QD-1];

  assign step_o    = accept;
  generate
    if (WAYS == 1) begin : g_one_way
      assign cur_inc   = cur + R_ONE;
      assign row_end   = {1'b0, cur} + E_ONE == end_q[EW-1:0];
      assign nxt_vr_o  = pop_o ? vr_q[1] : vr_q[0];
      assign nxt_row_o = pop_o ? cur_q[RW +: RW] : accept ? cur_inc : cur;
    end else begin : g_ways
      // a word comes several cycles after its load was queued
      wire [EW-1:0] two = {{(EW-2){1'b0}}, 2'd2};
      reg  [2:0]    end_way_q;
      reg           pop_q, step_q;
      reg  [RW-1:0] inc_q;
      assign cur_inc = inc_q;
      always @(posedge clk_i) begin
        inc_q <= pop_o ? cur_q[RW +: RW] + R_ONE : accept ? cur + two[RW-1:0] : cur + R_ONE;
        end_way_q <= {{1'b0, cur_q[RW +: RW]} + E_ONE == end_q[EW +: EW],
                      {1'b0, cur} + two == end_q[EW-1:0], {1'b0, cur} + E_ONE == end_q[EW-1:0]};
        pop_q  <= pop_o;
        step_q <= accept;
      end
      assign row_end   = pop_q ? end_way_q[2] : step_q ? end_way_q[1] : end_way_q[0];
      assign nxt_vr_o  = {vr_q[1], {2{vr_q[0]}}};
      assign nxt_row_o = {cur_q[RW +: RW], cur_inc, cur};
    end
  endgenerate

  assign ent_valid_o = valid_q;
  assign ent_vr_o    = vr_q;
  assign ent_ctx_o   = ctx_q;
  assign ent_cur_o   = cur_q;
  assign ent_end_o   = end_q;

  ktpu_queue #(.WIDTH(PW), .DEPTH(QD)) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push),
    .data_i({d_vr_i, d_ctx_i, d_dst_i, {1'b0, d_dst_i} + {{(EW-7){1'b0}}, d_nr_i}}),
    .pop_i(pop_o),
    .head_i({vr_q[0], ctx_q[0], accept ? cur_inc : cur, end_q[EW-1:0]}),
    .valid_o(valid_q), .data_o(queue)
  );
endmodule
`default_nettype wire
