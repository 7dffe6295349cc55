// SPDX-License-Identifier: Apache-2.0
// dma_st of small builds, whose rows lie at {row, column block}: one mvout at a time from its first
// row to its last write. Rows come back from the output stage as words of T bytes, wait in a memory
// that holds all words of an mvout, and go out as one write each: T bytes of a beat.
`default_nettype none
module ktpu_int8_st_small #(
  parameter integer T           = 4,
  parameter integer RW          = 7,
  parameter integer ROW_BITS    = 4,
  parameter integer CB_BITS     = 2,
  parameter integer BUS_BITS    = 64,
  parameter integer ADDR_BITS   = 17,
  parameter integer OUTSTANDING = 8
) (
  input  wire                   clk_i,
  input  wire                   rst_i,        // reset, flush: drops what has not begun on the bus
  input  wire                   rst_bus_i,    // the bus side: never while a write is under way

  input  wire                   d_valid_i,
  output wire                   d_ready_o,
  input  wire [RW-1:0]          d_ar_i,
  input  wire [ROW_BITS-1:0]    d_row0_i,
  input  wire [CB_BITS-1:0]     d_cb_i,
  input  wire [ROW_BITS-1:0]    d_nr_i,       // rows modulo MAXDIM
  input  wire                   d_ctx_i,
  input  wire                   d_wide_i,     // form: int32
  input  wire [4:0]             d_shift_i,    // 0 where nothing is to be shifted

  output wire                   ctx_sel_o,
  input  wire [ADDR_BITS-1:0]   ctx_base_i,
  output wire                   wide_o,       // form of the rows under way
  output wire [4:0]             shift_o,

  output wire                   push_o,       // an mvout is dispatched
  output wire                   rows_o,       // it has rows to read
  output wire                   offer_o,      // ... and the next one may go
  output wire [RW-1:0]          row_o,
  output wire [ROW_BITS-1:0]    last_o,       // rows after that one
  input  wire                   issue_i,

  input  wire                   word_valid_i, // from the output stage
  input  wire [T*8-1:0]         word_i,

  output wire                   aw_valid_o,
  input  wire                   aw_ready_i,
  output wire [ADDR_BITS-1:0]   aw_addr_o,
  output wire                   w_valid_o,
  input  wire                   w_ready_i,
  output wire [BUS_BITS-1:0]    w_data_o,
  output wire [BUS_BITS/8-1:0]  w_strb_o,
  input  wire                   b_valid_i,

  output wire [1:0]             ctx_busy_o,   // the context is still needed here
  output wire                   quiet_o,      // after this cycle nothing is left
  output wire                   bus_quiet_o   // the same for writes that have begun
);
  localparam integer BB   = BUS_BITS / 8;
  localparam integer BBL  = $clog2(BB);
  localparam integer TB   = $clog2(T);
  localparam integer NB   = $clog2(OUTSTANDING) + 1;       // log2 of writes under way
  localparam integer PW   = ROW_BITS + 3;                  // a word's place: {row, part of a row}
  localparam integer OW   = ROW_BITS + CB_BITS + 2;        // its offset in C, in words
  localparam [ROW_BITS:0]   P_ONE = {{ROW_BITS{1'b0}}, 1'b1};
  localparam [ROW_BITS-1:0] R_ONE = P_ONE[ROW_BITS-1:0];
  localparam [RW-1:0]       A_ONE = {{(RW-1){1'b0}}, 1'b1};

  // ---- the mvout and the rows that it still has to read
  reg                busy_q, rows_q, ctx_q, wide_q;
  reg [4:0]          shift_q;
  reg [CB_BITS-1:0]  cb_q;
  reg [RW-1:0]       row_q;
  reg [ROW_BITS-1:0] last_q;
  reg [4:0]          gap_q;       // cycles until the output stage has room again
  reg [ROW_BITS:0]   end_q;       // the row of C after its last one
  wire               none_left;   // every row has been written
  assign d_ready_o = !busy_q;
  assign push_o    = d_valid_i && d_ready_o;
  assign rows_o    = rows_q;
  assign offer_o   = rows_q && gap_q == 5'd0;
  assign row_o     = row_q;
  assign last_o    = last_q;
  assign ctx_sel_o = ctx_q;
  assign wide_o    = wide_q;
  assign shift_o   = shift_q;
  always @(posedge clk_i) begin
    busy_q <= push_o || (busy_q && !none_left);
    rows_q <= push_o || (rows_q && !(issue_i && last_q == {ROW_BITS{1'b0}}));
    if (rst_i) begin
      busy_q <= 1'b0;
      rows_q <= 1'b0;
    end
  end
  always @(posedge clk_i) begin
    if (push_o) begin
      ctx_q   <= d_ctx_i;
      wide_q  <= d_wide_i;
      shift_q <= d_shift_i;
      cb_q    <= d_cb_i;
      end_q   <= {1'b0, d_row0_i} + {d_nr_i == {ROW_BITS{1'b0}}, d_nr_i};
    end
    if (push_o)       row_q <= d_ar_i;
    else if (issue_i) row_q <= row_q + A_ONE;
    if (push_o || issue_i) last_q <= (push_o ? d_nr_i : last_q) - R_ONE;
    if (push_o)                gap_q <= 5'd0;
    else if (issue_i)          gap_q <= wide_q ? 5'd3 : shift_q;
    else if (gap_q != 5'd0)    gap_q <= gap_q - 5'd1;
  end

  // ---- words: put_q is where the next one goes, get_q the one that is on offer
  function [PW-1:0] after(input [PW-1:0] place, input wide);
    after = {place[PW-1:2] + ((!wide || place[1:0] == 2'd3) ? P_ONE : {(ROW_BITS+1){1'b0}}),
             wide ? place[1:0] + 2'd1 : 2'd0};
  endfunction
  reg  [PW-1:0]  put_q, get_q;
  reg            begun_q, aw_done_q, w_done_q, there_q;
  reg  [NB:0]    b_count_q;
  wire           taken;
  wire [PW-1:0]  get = taken ? after(get_q, wide_q) : get_q;
  wire [T*8-1:0] word;
  ktpu_ram_sdp #(.WIDTH(T*8), .DEPTH(4 << ROW_BITS)) u_words (
    .clk_i(clk_i), .we_i(word_valid_i), .waddr_i(put_q[PW-2:0]), .wdata_i(word_i),
    .re_i(1'b1), .raddr_i(get[PW-2:0]), .rdata_o(word)
  );
  assign none_left = get_q[PW-1:2] == end_q;
  always @(posedge clk_i) begin
    if (push_o)            put_q <= {1'b0, d_row0_i, 2'd0};
    else if (word_valid_i) put_q <= after(put_q, wide_q);
    get_q <= push_o ? {1'b0, d_row0_i, 2'd0} : get;
  end

  // ---- the bus: address and data are offered together; what has begun outlives a flush
  wire offer = there_q && (begun_q || !b_count_q[NB]);
  wire aw_hs = aw_valid_o && aw_ready_i;
  wire w_hs  = w_valid_o && w_ready_i;
  assign taken      = offer && (aw_done_q || aw_hs) && (w_done_q || w_hs);
  assign aw_valid_o = offer && !aw_done_q;
  assign w_valid_o  = offer && !w_done_q;
  always @(posedge clk_i) begin
    there_q   <= rst_i ? offer && !taken : busy_q && get != put_q;
    begun_q   <= offer && !taken;
    aw_done_q <= (aw_done_q || aw_hs) && !taken;
    w_done_q  <= (w_done_q || w_hs) && !taken;
    b_count_q <= b_count_q + {{NB{1'b0}}, aw_hs} - {{NB{1'b0}}, b_valid_i};
    if (rst_bus_i) begin
      there_q   <= 1'b0;
      begun_q   <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      b_count_q <= {(NB+1){1'b0}};
    end
  end

  wire [OW-1:0] offset = wide_q ? {get_q[PW-2:2], cb_q, get_q[1:0]} : {2'd0, get_q[PW-2:2], cb_q};
  wire [ADDR_BITS-1:0] addr = ctx_base_i + {{(ADDR_BITS-OW-TB){1'b0}}, offset, {TB{1'b0}}};
  wire unused_addr = &{1'b0, addr[BBL-1:0]};
  assign aw_addr_o = {addr[ADDR_BITS-1:BBL], {BBL{1'b0}}};
  assign w_data_o  = {(BB/T){word}};
  generate
    if (T < BB) begin : g_lanes
      localparam [BB-1:0] STRB = {BB{1'b1}} >> (BB - T);
      assign w_strb_o = STRB << {offset[BBL-TB-1:0], {TB{1'b0}}};    // bases begin at a beat
    end else begin : g_whole
      assign w_strb_o = {BB{1'b1}};
    end
  endgenerate

  wire b_none = b_count_q == {(NB+1){1'b0}} ||
                (b_count_q == {{NB{1'b0}}, 1'b1} && b_valid_i && !aw_hs);
  assign bus_quiet_o   = !offer && b_none;
  assign quiet_o       = bus_quiet_o && !d_valid_i && (!busy_q || none_left);
  assign ctx_busy_o[0] = busy_q && !ctx_q;
  assign ctx_busy_o[1] = busy_q && ctx_q;
endmodule
`default_nettype wire
