// SPDX-License-Identifier: Apache-2.0
// Passive AXI4 checker beside a memory port (one ID, in order, INCR, full-width beats). Checks:
// every channel holds while it waits; addresses are multiples of the beat; no burst crosses 4 KiB;
// wlast and rlast stand on the last beat and nowhere else; no read beat or response without the
// request for it; at most OUTSTANDING reads under way (0: not checked). Write data may come before
// its address. It sees at most 255 bursts of each kind under way, and no data. idle_o: nothing is
// under way, so a bench can check that a run leaves nothing behind.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_axi_chk #(
  parameter integer ADDR_BITS   = 32,
  parameter integer BUS_BITS    = 64,
  parameter integer OUTSTANDING = 0
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  input  wire [ADDR_BITS-1:0]  awaddr_i,
  input  wire [7:0]            awlen_i,
  input  wire                  awvalid_i,
  input  wire                  awready_i,
  input  wire [BUS_BITS-1:0]   wdata_i,
  input  wire [BUS_BITS/8-1:0] wstrb_i,
  input  wire                  wlast_i,
  input  wire                  wvalid_i,
  input  wire                  wready_i,
  input  wire [1:0]            bresp_i,
  input  wire                  bvalid_i,
  input  wire                  bready_i,
  input  wire [ADDR_BITS-1:0]  araddr_i,
  input  wire [7:0]            arlen_i,
  input  wire                  arvalid_i,
  input  wire                  arready_i,
  input  wire [BUS_BITS-1:0]   rdata_i,
  input  wire [1:0]            rresp_i,
  input  wire                  rlast_i,
  input  wire                  rvalid_i,
  input  wire                  rready_i,

  output wire                  idle_o
);
  ktpu_stream_chk #(.WIDTH(ADDR_BITS + 8)) u_aw (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(awvalid_i), .ready_i(awready_i),
    .data_i({awaddr_i, awlen_i}));
  ktpu_stream_chk #(.WIDTH(BUS_BITS + BUS_BITS / 8 + 1)) u_w (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(wvalid_i), .ready_i(wready_i),
    .data_i({wdata_i, wstrb_i, wlast_i}));
  ktpu_stream_chk #(.WIDTH(2)) u_b (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(bvalid_i), .ready_i(bready_i), .data_i(bresp_i));
  ktpu_stream_chk #(.WIDTH(ADDR_BITS + 8)) u_ar (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(arvalid_i), .ready_i(arready_i),
    .data_i({araddr_i, arlen_i}));
  ktpu_stream_chk #(.WIDTH(BUS_BITS + 3)) u_r (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(rvalid_i), .ready_i(rready_i),
    .data_i({rdata_i, rresp_i, rlast_i}));

`ifndef SYNTHESIS
  localparam integer SIZE = $clog2(BUS_BITS / 8);
  localparam [31:0]  LIMIT = OUTSTANDING == 0 ? 32'd255 : OUTSTANDING;

  reg [7:0] ar_len_q [0:255];
  reg [7:0] aw_len_q [0:255];
  reg [7:0] w_len_q  [0:255];             // length - 1 of each write burst whose data is complete
  reg [7:0] ar_n_q, r_n_q;                // bursts asked for and delivered, mod 256
  reg [7:0] aw_n_q, w_n_q, b_n_q;
  reg [7:0] r_beat_q, w_beat_q;           // beats of the running burst so far
  reg [7:0] cmp_n_q;                      // write bursts whose length has been compared

  wire [7:0] reads      = ar_n_q - r_n_q;
  wire [7:0] aw_open    = aw_n_q - b_n_q;
  wire [7:0] w_open     = w_n_q - b_n_q;
  wire [7:0] aw_ahead   = aw_n_q - w_n_q; // 1..127: the running data burst has its address
  wire       w_known    = aw_ahead != 8'd0 && !aw_ahead[7];
  wire       ar_take    = arvalid_i && arready_i;
  wire       aw_take    = awvalid_i && awready_i;
  wire       r_take     = rvalid_i && rready_i;
  wire       w_take     = wvalid_i && wready_i;
  wire       compare    = cmp_n_q != aw_n_q && cmp_n_q != w_n_q;

  assign idle_o = reads == 8'd0 && aw_open == 8'd0 && w_open == 8'd0 && w_beat_q == 8'd0;

  always @(posedge clk_i) begin
    if (ar_take) ar_n_q <= ar_n_q + 8'd1;
    if (aw_take) aw_n_q <= aw_n_q + 8'd1;
    if (r_take)  r_beat_q <= rlast_i ? 8'd0 : r_beat_q + 8'd1;
    if (r_take && rlast_i) r_n_q <= r_n_q + 8'd1;
    if (w_take)  w_beat_q <= wlast_i ? 8'd0 : w_beat_q + 8'd1;
    if (w_take && wlast_i) w_n_q <= w_n_q + 8'd1;
    if (bvalid_i && bready_i) b_n_q <= b_n_q + 8'd1;
    if (compare) cmp_n_q <= cmp_n_q + 8'd1;
    if (rst_i) begin
      ar_n_q   <= 8'd0;
      r_n_q    <= 8'd0;
      aw_n_q   <= 8'd0;
      w_n_q    <= 8'd0;
      b_n_q    <= 8'd0;
      cmp_n_q  <= 8'd0;
      r_beat_q <= 8'd0;
      w_beat_q <= 8'd0;
    end
  end

  always @(posedge clk_i) begin
    if (ar_take) ar_len_q[ar_n_q] <= arlen_i;
    if (aw_take) aw_len_q[aw_n_q] <= awlen_i;
    if (w_take && wlast_i) w_len_q[w_n_q] <= w_beat_q;
  end

  // offset in the page, in beats, of the beat after the last one
  wire [13:0] ar_end = {2'd0, araddr_i[11:0]} + ({5'd0, 1'b0, arlen_i} + 14'd1) * (14'd1 << SIZE);
  wire [13:0] aw_end = {2'd0, awaddr_i[11:0]} + ({5'd0, 1'b0, awlen_i} + 14'd1) * (14'd1 << SIZE);

  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(!arvalid_i || ar_end <= 14'd4096, "a read burst crosses 4 KiB")
      `KTPU_CHECK(!awvalid_i || aw_end <= 14'd4096, "a write burst crosses 4 KiB")
      `KTPU_CHECK(!arvalid_i || araddr_i[SIZE-1:0] == {SIZE{1'b0}}, "a read address is not aligned")
      `KTPU_CHECK(!awvalid_i || awaddr_i[SIZE-1:0] == {SIZE{1'b0}},
                  "a write address is not aligned")
      `KTPU_CHECK(!ar_take || {24'd0, reads} < LIMIT, "too many reads under way")
      `KTPU_CHECK(!aw_take || aw_open != 8'd255, "too many writes under way")
      `KTPU_CHECK(!rvalid_i || reads != 8'd0, "a read beat that nobody asked for")
      `KTPU_CHECK(!rvalid_i || reads == 8'd0 || rlast_i == (r_beat_q == ar_len_q[r_n_q]),
                  "rlast is not on the last beat")
      `KTPU_CHECK(!(wvalid_i && w_known) || wlast_i == (w_beat_q == aw_len_q[w_n_q]),
                  "wlast is not on the last beat")
      `KTPU_CHECK(!compare || aw_len_q[cmp_n_q] == w_len_q[cmp_n_q],
                  "a write burst has not the length of its address")
      `KTPU_CHECK(!bvalid_i || (aw_open != 8'd0 && w_open != 8'd0),
                  "a write response before address and data")
    end
`else
  assign idle_o = 1'b1;
`endif
endmodule
`default_nettype wire
