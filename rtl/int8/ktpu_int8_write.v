// SPDX-License-Identifier: Apache-2.0
// Writes one row of C as one burst: address and data are offered together and a burst that has
// begun always finishes, whatever stop_i says. Narrow rows use byte strobes within one beat. A row
// of several beats that crosses 4 KiB (C need only be aligned to the bus) goes beat by beat.
`default_nettype none
module ktpu_int8_write #(
  parameter integer T         = 4,
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 32,
  parameter integer PIPELINE  = 0       // the caller knows which rows cross 4 KiB
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  stop_i,      // begin nothing new

  input  wire                  row_valid_i,
  output wire                  row_ready_o, // the row's last beat and its address are taken
  input  wire [ADDR_BITS-1:0]  row_addr_i,
  input  wire                  row_wide_i,  // int32: 4 * T bytes; else T bytes
  input  wire                  row_crosses_i, // PIPELINE: the row crosses 4 KiB
  input  wire [T*32-1:0]       row_i,       // narrow: its T bytes four times over

  output wire                  aw_valid_o,
  input  wire                  aw_ready_i,
  output wire [ADDR_BITS-1:0]  aw_addr_o,
  output wire [7:0]            aw_len_o,
  output wire                  w_valid_o,
  input  wire                  w_ready_i,
  output wire [BUS_BITS-1:0]   w_data_o,
  output wire [BUS_BITS/8-1:0] w_strb_o,
  output wire                  w_last_o,
  output wire                  beat_done_o, // a beat but the row's last is taken
  output wire                  begun_o,     // the row was offered before and has not been taken
  output wire                  idle_o       // no burst has begun
);
  localparam integer BB     = BUS_BITS / 8;
  localparam integer BBL    = $clog2(BB);
  localparam integer NARROW = (T > BB) ? T / BB : 1;           // beats of a row
  localparam integer WIDE   = (4*T > BB) ? 4*T / BB : 1;
  localparam integer BQ     = $clog2(WIDE + 1);                // bits of a beat number, or WIDE
  localparam [BQ-1:0] B_ONE = {{(BQ-1){1'b0}}, 1'b1};
  localparam [7:0]   NLAST  = NARROW[7:0] - 8'd1;
  localparam [7:0]   WLAST  = WIDE[7:0] - 8'd1;

  reg       begun_q;      // the burst has been offered and must finish
  reg       aw_done_q;
  reg       w_done_q;
  reg [BQ-1:0] beat_q;

  wire       offer   = row_valid_i && (begun_q || !stop_i);
  wire       aw_hs   = aw_valid_o && aw_ready_i;
  wire       w_hs    = w_valid_o && w_ready_i;
  wire       w_end   = w_hs && w_last_o;
  wire [7:0] last    = row_wide_i ? WLAST : NLAST;
  wire       at_last = beat_q == last[BQ-1:0];
  wire       crosses;                      // one burst a beat, each with its own address
  wire       burst_done = offer && (aw_done_q || aw_hs) && (w_done_q || w_end);

  assign aw_valid_o  = offer && !aw_done_q;
  assign w_valid_o   = offer && !w_done_q;
  assign aw_len_o    = crosses ? 8'd0 : last;
  assign w_last_o    = crosses || at_last;
  assign row_ready_o = burst_done && (!crosses || at_last);
  assign beat_done_o = !at_last && (crosses ? burst_done : w_hs);
  assign begun_o     = begun_q;
  assign idle_o      = !offer;

  always @(posedge clk_i) begin
    begun_q   <= offer && !row_ready_o;
    aw_done_q <= (aw_done_q || aw_hs) && !burst_done;
    w_done_q  <= (w_done_q || w_end) && !burst_done;
    if (row_ready_o) beat_q <= {BQ{1'b0}};
    else if (crosses ? burst_done : w_hs) beat_q <= beat_q + B_ONE;
    if (rst_i) begin
      begun_q   <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      beat_q    <= {BQ{1'b0}};
    end
  end

  // ---- place the row in its beats
  wire [BBL-1:0] offset = row_addr_i[BBL-1:0];
  generate
    if (WIDE == 1) begin : g_never_crosses
      wire unused_crosses = row_crosses_i;
      assign crosses   = 1'b0;
      assign aw_addr_o = {row_addr_i[ADDR_BITS-1:BBL], {BBL{1'b0}}};
    end else begin : g_may_cross
      localparam integer PB = 12 - BBL;    // log2 of the beats in 4 KiB
      localparam integer AB = ADDR_BITS - BBL;
      wire [PB:0]   end_beat = {1'b0, row_addr_i[11:BBL]} + {{(PB-7){1'b0}}, last};
      wire [AB-1:0] skip     = {{(AB-BQ){1'b0}}, crosses ? beat_q : {BQ{1'b0}}};
      wire [AB-1:0] address  = row_addr_i[ADDR_BITS-1:BBL] + skip;
      wire          unused_end = &{1'b0, end_beat, row_crosses_i};
      assign crosses   = (PIPELINE != 0) ? row_crosses_i : end_beat[PB];
      assign aw_addr_o = {address, {BBL{1'b0}}};
    end
  endgenerate

  // The row's bytes repeat, so that every beat holds them wherever the strobes select: a narrow row
  // comes four times over, and a row shorter than a beat is repeated here.
  localparam integer COPIES = (BB > 4*T) ? BB / (4*T) : 1;
  wire [COPIES*T*32-1:0] copies = {COPIES{row_i}};
  integer k;
  reg [BUS_BITS-1:0] beat;
  always @* begin
    beat = copies[BUS_BITS-1:0];
    for (k = 1; k < WIDE; k = k + 1)
      if (beat_q == k[BQ-1:0]) beat = copies[k*BUS_BITS +: BUS_BITS];
  end
  assign w_data_o = beat;

  localparam integer NBYTES = (T < BB) ? T : BB;                // bytes of a beat that count
  localparam integer WBYTES = (4*T < BB) ? 4*T : BB;
  localparam [BB-1:0] NSTRB = {BB{1'b1}} >> (BB - NBYTES);
  localparam [BB-1:0] WSTRB = {BB{1'b1}} >> (BB - WBYTES);
  // rows begin at multiples of these, whatever the low bits say
  localparam integer NMASK_I = BB - NBYTES;
  localparam integer WMASK_I = BB - WBYTES;
  assign w_strb_o = row_wide_i ? WSTRB << (offset & WMASK_I[BBL-1:0])
                               : NSTRB << (offset & NMASK_I[BBL-1:0]);
`ifdef FORMAL
  `include "ktpu_int8_write_fv.vh"
`endif
endmodule
`default_nettype wire
