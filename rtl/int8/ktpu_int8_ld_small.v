// SPDX-License-Identifier: Apache-2.0
// dma_ld of small builds, whose rows lie at {row, column block}: what ktpu_int8_ld does with two
// loads at a time and rows counted down instead of compared with an end.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_int8_ld_small #(
  parameter integer T         = 4,
  parameter integer VW        = 6,    // bits of a row number of spad or vr
  parameter integer ROW_BITS  = 4,    // bits of a DRAM row number
  parameter integer CB_BITS   = 2,    // bits of a column block
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 17
) (
  input  wire                    clk_i,
  input  wire                    rst_i,       // reset or flush

  input  wire                    d_valid_i,
  output wire                    d_ready_o,
  input  wire                    d_vr_i,      // destination: 0 spad, 1 vr
  input  wire                    d_b_i,       // source: 0 A, 1 B
  input  wire [ROW_BITS-1:0]     d_row0_i,
  input  wire [CB_BITS-1:0]      d_cb_i,
  input  wire [VW-1:0]           d_dst_i,
  input  wire [ROW_BITS-1:0]     d_nr_i,      // rows modulo MAXDIM
  input  wire                    d_ctx_i,

  output wire                    ctx_sel_o,   // context and matrix of the request
  output wire                    ctx_b_o,
  input  wire [ADDR_BITS-1:0]    ctx_base_i,

  output wire                    ar_valid_o,
  input  wire                    ar_ready_i,
  output wire [ADDR_BITS-1:0]    ar_addr_o,

  input  wire                    r_valid_i,
  output wire                    r_ready_o,   // high in reset: what comes then is dropped
  input  wire [BUS_BITS-1:0]     r_data_i,

  input  wire                    blocked_i,   // the next word's row is not free
  input  wire                    vr_taken_i,  // vr's write port is used by a vld
  output wire                    spad_we_o,
  output wire                    vr_we_o,
  output wire [VW-1:0]           wrow_o,
  output wire [T*8-1:0]          wdata_o,

  output wire [1:0]              pending_o,   // loads with words to come: one or more, two
  output wire [1:0]              ctx_busy_o,  // by context
  output wire                    vr_o,        // destination of the words that arrive
  output wire                    new_o,       // after this cycle they are another load's
  output wire                    pop_o
);
  localparam integer BB    = BUS_BITS / 8;
  localparam integer TB    = $clog2(T);
  localparam integer LANES = BB / T;
  localparam integer LB    = (LANES > 1) ? $clog2(LANES) : 1;
  localparam integer EW    = 3 + LB + VW + ROW_BITS;         // of a destination
  localparam [ROW_BITS-1:0] R_ONE = {{(ROW_BITS-1){1'b0}}, 1'b1};
  localparam [ROW_BITS-1:0] R_TWO = {{(ROW_BITS-2){1'b0}}, 2'd2};
  localparam [VW-1:0]       V_ONE = {{(VW-1){1'b0}}, 1'b1};

  reg          next_valid_q, next_asks_q;     // the load that follows, and its requests too
  reg [EW-1:0] next_q;
  reg          next_b_q;
  reg [ROW_BITS-1:0] next_row0_q;
  reg [CB_BITS-1:0]  next_cb_q;

  // ---- requests. left counts rows: MAXDIM of them are 0 here
  reg                asks_q, ctx_q, b_q;
  reg [ROW_BITS-1:0] row_q, left_q;
  reg [CB_BITS-1:0]  cb_q;
  wire push = d_valid_i && d_ready_o;
  wire last = left_q == R_ONE;
  wire free = !asks_q || (ar_ready_i && last);
  wire take = next_asks_q && free;
  assign ar_valid_o = asks_q;
  assign ar_addr_o  =
    ctx_base_i + {{(ADDR_BITS-ROW_BITS-CB_BITS-TB){1'b0}}, row_q, cb_q, {TB{1'b0}}};
  assign ctx_sel_o  = ctx_q;
  assign ctx_b_o    = b_q;
  always @(posedge clk_i) begin
    asks_q      <= take || !free;
    next_asks_q <= push || (next_asks_q && !free);
    if (rst_i) begin
      asks_q      <= 1'b0;
      next_asks_q <= 1'b0;
    end
  end
  always @(posedge clk_i)
    if (take) begin
      ctx_q  <= next_q[EW-3];
      b_q    <= next_b_q;
      row_q  <= next_row0_q;
      cb_q   <= next_cb_q;
      left_q <= next_q[ROW_BITS-1:0];
    end else if (ar_ready_i) begin
      row_q  <= row_q + R_ONE;
      left_q <= left_q - R_ONE;
    end

  // ---- destinations: of the words that arrive, and of those that follow
  reg                valid_q;
  reg                e_last_q;        // one word is left
  reg                e_vr_q, e_ctx_q;
  reg [LB-1:0]       e_lane_q;
  reg [VW-1:0]       e_row_q;
  reg [ROW_BITS-1:0] e_left_q;
  wire accept = r_valid_i && r_ready_o;
  wire [LB-1:0] d_lane;
  assign r_ready_o   = !blocked_i && !(e_vr_q && vr_taken_i);
  assign pop_o       = accept && e_last_q;
  assign d_ready_o   = !next_valid_q;
  assign spad_we_o   = accept && !e_vr_q;
  assign vr_we_o     = accept && e_vr_q;
  assign wrow_o      = e_row_q;
  assign vr_o        = e_vr_q;
  assign pending_o   = {next_valid_q && valid_q, next_valid_q || valid_q};
  assign ctx_busy_o[0] = (valid_q && !e_ctx_q) || (next_valid_q && !next_q[EW-3]);
  assign ctx_busy_o[1] = (valid_q && e_ctx_q) || (next_valid_q && next_q[EW-3]);
  generate
    if (LANES > 1) begin : g_lane
      assign d_lane  = d_cb_i[LB-1:0];
      assign wdata_o = r_data_i[e_lane_q * (T*8) +: T*8];
    end else begin : g_whole
      assign d_lane  = 1'b0;
      assign wdata_o = r_data_i;
      wire unused_lane = &{1'b0, e_lane_q};
    end
  endgenerate

  // a load passes through the second place; no word of it can come sooner
  wire move = next_valid_q && (!valid_q || pop_o);
  assign new_o = move;
  always @(posedge clk_i) begin
    valid_q      <= move || (valid_q && !pop_o);
    next_valid_q <= push || (next_valid_q && !move);
    if (rst_i) begin
      valid_q      <= 1'b0;
      next_valid_q <= 1'b0;
    end
  end
  always @(posedge clk_i) begin
    if (push) begin
      next_q      <= {d_nr_i == R_ONE, d_vr_i, d_ctx_i, d_lane, d_dst_i, d_nr_i};
      next_b_q    <= d_b_i;
      next_row0_q <= d_row0_i;
      next_cb_q   <= d_cb_i;
    end
    if (accept || !valid_q) begin
      if (!valid_q || e_last_q)         // if there is a next one
        {e_last_q, e_vr_q, e_ctx_q, e_lane_q, e_row_q, e_left_q} <= next_q;
      else begin
        e_row_q  <= e_row_q + V_ONE;
        e_left_q <= e_left_q - R_ONE;
        e_last_q <= e_left_q == R_TWO;
      end
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i) `KTPU_CHECK(!r_valid_i || valid_q, "a word comes for no load")
`endif
endmodule
`default_nettype wire
