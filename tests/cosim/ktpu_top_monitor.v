// SPDX-License-Identifier: Apache-2.0
// ktpu_top with counters of the hazards that programs really meet, for tests/cosim/test_hazards.c:
// the same ports, and registers from 0x800 on that read what was counted since rst_i. Nothing is
// changed inside: it looks at the core's wires by their names.
//
// Around the common core. Pairs (one a younger instruction and an older instruction that was still
// pending when the younger one was queued, and touches a row that the older one still has to touch;
// all but the last are of two queues):
//   0x800 spad read after write    0x804 spad write after read
//   0x808 vr read after write      0x80C vr write after read       0x810 vr write after write
//   0x814 ar read after write      0x818 ar write after read
//   0x81C vr read by an mm after a vld's write
// Rows held (one each time that the next row of a queue was ready in every other respect and the
// check alone kept it back):
//   0x820 vr, read or written by the head     0x824 spad, read by the head
//   0x828 ar, written by the head             0x82C spad, a word that arrived
//   0x830 vr, a word that arrived             0x834 ar, read by an mvout
//   0x838 ar, read by the head: just written  0x83C ar, read by an mvout: just written
//   0x840 what follows a vld: its last row    0x844 vr, a word that arrived, by a vld
//   0x848 spad, a word that arrived, by a vld
//
// Around the smallest core. Rows that two do meet in one cycle:
//   0x800 vr, read by an mm while a vld writes it
//   0x804 vr, a word for a row that a vld before it has to write
//   0x808 spad, a word for a row that a vld before it has to read
// Held, as above:
//   0x820 an mm by a load                     0x824 an mm by a vld's last row
//   0x828 a vld by a load                     0x82C a word for vr, by a vld
//   0x830 a word for spad, by a vld           0x834 a word for vr, by an mm
//   0x838 a word for spad, by an mm           0x83C the head, by rows of an mvout
//   0x840 the head: rows just written         0x844 an mvout: a row of the head
//   0x848 an mvout: a row just written        0x84C an mvout: what waits behind the head
`default_nettype none
module ktpu_top_monitor #(
  parameter integer T            = 4,
  parameter integer MAXDIM       = 64,
  parameter integer SPAD_ROWS    = 1024,
  parameter integer NVR          = 1024,
  parameter integer NAR          = 136,
  parameter integer IMEM_SIZE    = 104,
  parameter integer QD           = 8,
  parameter integer BUS_BITS     = 64,
  parameter integer OUTSTANDING  = 64,
  parameter integer CONTRACTS    = 1,
  parameter integer STRIDES      = 1,
  parameter integer COUNTERS     = 1,
  parameter integer SERIAL_SHIFT = 0,
  parameter integer ADDR_BITS    = 32,
  parameter [31:0]  CONFIG_HASH  = 32'd0
) (
  input  wire                      clk_i,
  input  wire                      rst_i,

  input  wire [11:0]               s_axil_awaddr,
  input  wire                      s_axil_awvalid,
  output wire                      s_axil_awready,
  input  wire [31:0]               s_axil_wdata,
  input  wire [3:0]                s_axil_wstrb,
  input  wire                      s_axil_wvalid,
  output wire                      s_axil_wready,
  output wire [1:0]                s_axil_bresp,
  output wire                      s_axil_bvalid,
  input  wire                      s_axil_bready,
  input  wire [11:0]               s_axil_araddr,
  input  wire                      s_axil_arvalid,
  output wire                      s_axil_arready,
  output wire [31:0]               s_axil_rdata,
  output wire [1:0]                s_axil_rresp,
  output wire                      s_axil_rvalid,
  input  wire                      s_axil_rready,

  input  wire [ADDR_BITS-1:0]      s_axi_awaddr,
  input  wire [7:0]                s_axi_awlen,
  input  wire                      s_axi_awvalid,
  output wire                      s_axi_awready,
  input  wire [BUS_BITS-1:0]       s_axi_wdata,
  input  wire [BUS_BITS/8-1:0]     s_axi_wstrb,
  input  wire                      s_axi_wlast,
  input  wire                      s_axi_wvalid,
  output wire                      s_axi_wready,
  output wire [1:0]                s_axi_bresp,
  output wire                      s_axi_bvalid,
  input  wire                      s_axi_bready,
  input  wire [ADDR_BITS-1:0]      s_axi_araddr,
  input  wire [7:0]                s_axi_arlen,
  input  wire                      s_axi_arvalid,
  output wire                      s_axi_arready,
  output wire [BUS_BITS-1:0]       s_axi_rdata,
  output wire [1:0]                s_axi_rresp,
  output wire                      s_axi_rlast,
  output wire                      s_axi_rvalid,
  input  wire                      s_axi_rready,

  output wire [ADDR_BITS-1:0]      m_axi_awaddr,
  output wire [7:0]                m_axi_awlen,
  output wire                      m_axi_awvalid,
  input  wire                      m_axi_awready,
  output wire [BUS_BITS-1:0]       m_axi_wdata,
  output wire [BUS_BITS/8-1:0]     m_axi_wstrb,
  output wire                      m_axi_wlast,
  output wire                      m_axi_wvalid,
  input  wire                      m_axi_wready,
  input  wire [1:0]                m_axi_bresp,
  input  wire                      m_axi_bvalid,
  output wire                      m_axi_bready,
  output wire [ADDR_BITS-1:0]      m_axi_araddr,
  output wire [7:0]                m_axi_arlen,
  output wire                      m_axi_arvalid,
  input  wire                      m_axi_arready,
  input  wire [BUS_BITS-1:0]       m_axi_rdata,
  input  wire [1:0]                m_axi_rresp,
  input  wire                      m_axi_rlast,
  input  wire                      m_axi_rvalid,
  output wire                      m_axi_rready,
  output wire [2:0]                m_axi_awsize,
  output wire [1:0]                m_axi_awburst,
  output wire [2:0]                m_axi_arsize,
  output wire [1:0]                m_axi_arburst,

  output wire                      busy_o,
  output wire                      done_o
);
  wire [31:0] core_rdata;
  ktpu_top #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .IMEM_SIZE(IMEM_SIZE),
    .QD(QD), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING), .CONTRACTS(CONTRACTS),
    .STRIDES(STRIDES), .COUNTERS(COUNTERS), .SERIAL_SHIFT(SERIAL_SHIFT), .ADDR_BITS(ADDR_BITS),
    .CONFIG_HASH(CONFIG_HASH)
  ) u_top (
    .clk_i(clk_i), .rst_i(rst_i), .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
    .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
    .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_rdata(core_rdata),
    .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .s_axi_awaddr(s_axi_awaddr), .s_axi_awlen(s_axi_awlen), .s_axi_awvalid(s_axi_awvalid),
    .s_axi_awready(s_axi_awready), .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb),
    .s_axi_wlast(s_axi_wlast), .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready),
    .s_axi_bresp(s_axi_bresp), .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready),
    .s_axi_araddr(s_axi_araddr), .s_axi_arlen(s_axi_arlen), .s_axi_arvalid(s_axi_arvalid),
    .s_axi_arready(s_axi_arready), .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp),
    .s_axi_rlast(s_axi_rlast), .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready),
    .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awvalid(m_axi_awvalid),
    .m_axi_awready(m_axi_awready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
    .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
    .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
    .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arvalid(m_axi_arvalid),
    .m_axi_arready(m_axi_arready), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp),
    .m_axi_rlast(m_axi_rlast), .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready),
    .m_axi_awsize(m_axi_awsize), .m_axi_awburst(m_axi_awburst), .m_axi_arsize(m_axi_arsize),
    .m_axi_arburst(m_axi_arburst), .busy_o(busy_o), .done_o(done_o)
  );

  localparam integer PAIRS    = 8;
  localparam integer CHECKS   = 12;
  localparam integer NB       = 8;      // bits of what a cycle adds
  localparam integer SMALL    = (SERIAL_SHIFT != 0 && STRIDES == 0 && CONTRACTS == 0 &&
                                 QD == 2) ? 1 : 0;
  wire [PAIRS*NB-1:0] pairs;
  wire [CHECKS-1:0]   held;

  generate if (SMALL != 0) begin : g_small
    wire vr_word   = u_top.u_core.g_back_small.u_back.ld_vr;
    wire word      = u_top.u_core.ld_rvalid && u_top.u_core.g_back_small.u_back.u_ld.valid_q &&
                     !(vr_word && u_top.u_core.g_back_small.u_back.vld_q);
    wire head      = u_top.u_core.g_back_small.u_back.u_ex.valid_q;
    wire live      = u_top.u_core.g_back_small.u_back.u_ex.live;
    wire mm        = u_top.u_core.g_back_small.u_back.u_ex.mm_q;
    wire vld       = u_top.u_core.g_back_small.u_back.u_ex.vld_q;
    wire acc       = u_top.u_core.g_back_small.u_back.u_ex.acc_q;
    wire loaded    = u_top.u_core.g_back_small.u_back.u_ex.loaded;
    wire flight    = u_top.u_core.g_back_small.u_back.vld_q;
    wire w_wanted  = u_top.u_core.g_back_small.u_back.u_ex.w_wanted_q;
    wire too_early = u_top.u_core.g_back_small.u_back.u_ex.too_early && (!mm || acc);
    wire last      = u_top.u_core.g_back_small.u_back.u_ex.two_src ||
                     u_top.u_core.g_back_small.u_back.u_ex.vrelu_q;
    wire ready     = mm ? loaded && !flight : !vld && last;
    wire younger   = head && !u_top.u_core.g_back_small.u_back.u_ex.l_older_q[0];
    wire offer     = u_top.u_core.g_back_small.u_back.u_ex.s_offer_i;
    wire recent    = u_top.u_core.g_back_small.u_back.u_ex.s_recent;
    wire [1:0] after = u_top.u_core.g_back_small.u_back.u_ex.st_after_q;
    wire wants     = u_top.u_core.g_back_small.u_back.u_ex.s_wants_q;

    // rows, counted on from the vld's next one
    localparam integer VW = $clog2((SPAD_ROWS > NVR) ? SPAD_ROWS : NVR);
    wire [VW-1:0] row  = u_top.u_core.g_back_small.u_back.ld_row;
    wire [VW-1:0] to_v = row - u_top.u_core.g_back_small.u_back.u_ex.v_q[VW-1:0];
    wire [VW-1:0] to_s = row - u_top.u_core.g_back_small.u_back.u_ex.s_q[VW-1:0];
    wire [31:0]   left = {25'd0, u_top.u_core.g_back_small.u_back.u_ex.left_q};
    wire met_v = word && vr_word && younger && vld && {{(32-VW){1'b0}}, to_v} < left;
    wire met_s = word && !vr_word && younger && vld && {{(32-VW){1'b0}}, to_s} < left;
    wire [VW-1:0] reads  = u_top.u_core.g_back_small.u_back.v_row[VW-1:0];
    wire [VW-1:0] writes = u_top.u_core.g_back_small.u_back.vld_row_q;
    wire met_m = live && mm && flight && reads == writes;
    assign pairs = {{((PAIRS-2)*NB-1){1'b0}}, met_s, {(NB-1){1'b0}}, met_v,
                    {(NB-1){1'b0}}, met_m};
    assign held = {
      offer && !recent && after[1],
      offer && recent && !after[1] && !(after[0] && !vld && wants),
      offer && !recent && !after[1] && after[0] && !vld && wants,
      live && ready && too_early && !w_wanted,
      live && ready && !too_early && w_wanted,
      word && younger && mm && !vr_word && u_top.u_core.g_back_small.u_back.u_ex.wanted_q,
      word && younger && mm && vr_word && u_top.u_core.g_back_small.u_back.u_ex.wanted_q,
      word && younger && vld && !vr_word,
      word && younger && vld && vr_word,
      live && vld && !loaded,
      live && mm && loaded && flight && !w_wanted && !too_early,
      live && mm && !loaded && !flight && !w_wanted && !too_early};
  end else begin : g_common
    // the core's own widths
    localparam integer MAX_VS   = (SPAD_ROWS > NVR) ? SPAD_ROWS : NVR;
    localparam integer MAX_ROWS = (MAX_VS > NAR) ? MAX_VS : NAR;
    localparam integer RW       = (MAX_ROWS > 128) ? $clog2(MAX_ROWS) : 7;
    localparam integer EW       = RW + 1;

    // ---- the queues: loads, instructions, mvouts; rows first .. end - 1 each
    wire [QD-1:0]    l_valid = u_top.u_core.l_valid, l_vr = u_top.u_core.g_back.l_vr;
    wire [QD*RW-1:0] l_row   = u_top.u_core.g_back.l_cur;
    wire [QD*EW-1:0] l_end   = u_top.u_core.g_back.l_end;
    wire [QD-1:0]    x_valid = u_top.u_core.x_valid, x_vs = u_top.u_core.x_vs;
    wire [QD-1:0]    x_wr    = u_top.u_core.x_wr;
    wire [QD*RW-1:0] x_v     = u_top.u_core.g_back.x_v;
    wire [QD*RW-1:0] x_s     = u_top.u_core.g_back.x_s;
    wire [QD*RW-1:0] x_w     = u_top.u_core.g_back.x_w;
    wire [QD*EW-1:0] x_vend  = u_top.u_core.g_back.x_vend, x_send = u_top.u_core.g_back.x_send;
    wire [QD*EW-1:0] x_wend  = u_top.u_core.g_back.x_wend;
    wire [QD-1:0]    m_valid = u_top.u_core.s_valid;
    wire [QD*RW-1:0] m_row   = u_top.u_core.g_back.s_cur;
    wire [QD*EW-1:0] m_end   = u_top.u_core.g_back.s_end;
    wire             l_pop   = u_top.u_core.g_back.l_pop, x_pop = u_top.u_core.g_back.x_pop;
    wire             m_pop   = u_top.u_core.g_back.s_pop;

    // ---- the instruction that is queued in this cycle
    wire l_push = u_top.u_core.ld_valid && u_top.u_core.ld_ready;
    wire x_push = u_top.u_core.ex_valid && u_top.u_core.ex_ready;
    wire m_push = u_top.u_core.st_valid && u_top.u_core.st_ready;
    wire mm     = u_top.u_core.g_back.is_mm;
    wire vld    = u_top.u_core.g_back.is_vld;
    wire to_vr  = u_top.u_core.g_back.f0[1];
    wire [EW-1:0] nr    = {{(EW-7){1'b0}}, u_top.u_core.nr};
    wire [EW-1:0] f0    = {1'b0, u_top.u_core.g_back.f0[RW-1:0]};
    wire [EW-1:0] f1    = {1'b0, u_top.u_core.g_back.f1[RW-1:0]};
    wire [EW-1:0] f3    = {1'b0, u_top.u_core.g_back.f3[RW-1:0]};
    wire [EW-1:0] s_row = mm ? f3 : f1;
    wire [EW-1:0] w_row = mm ? f1 : f0;
    wire [EW-1:0] s_nr  = mm ? T[EW-1:0] : nr;

    function meets(input [EW-1:0] first, input [EW-1:0] rows, input [RW-1:0] old,
                   input [EW-1:0] past);
      meets = first < past && {1'b0, old} < first + rows;
    endfunction

    reg [PAIRS*NB-1:0] found;
    reg                hit_v, hit_s, hit_w;
    assign pairs = found;
    integer            i;
    always @* begin
      found = {(PAIRS*NB){1'b0}};
      hit_v = 1'b0;
      hit_s = 1'b0;
      hit_w = 1'b0;
      for (i = 0; i < QD; i = i + 1) begin
        if (x_push && (mm || vld) && l_valid[i] && !(i == 0 && l_pop)) begin
          hit_v = l_vr[i] && meets(f0, nr, l_row[i*RW +: RW], l_end[i*EW +: EW]);
          hit_s = !l_vr[i] && meets(s_row, s_nr, l_row[i*RW +: RW], l_end[i*EW +: EW]);
          found[0*NB +: NB] = found[0*NB +: NB] + {7'd0, hit_s};
          found[2*NB +: NB] = found[2*NB +: NB] + {7'd0, hit_v && mm};
          found[4*NB +: NB] = found[4*NB +: NB] + {7'd0, hit_v && vld};
        end
        if (x_push && !vld && m_valid[i] && !(i == 0 && m_pop)) begin
          hit_w = meets(w_row, nr, m_row[i*RW +: RW], m_end[i*EW +: EW]);
          found[6*NB +: NB] = found[6*NB +: NB] + {7'd0, hit_w};
        end
        if (x_push && mm && x_valid[i] && !x_wr[i] && !(i == 0 && x_pop)) begin
          hit_v = meets(f0, nr, x_v[i*RW +: RW], x_vend[i*EW +: EW]);
          found[7*NB +: NB] = found[7*NB +: NB] + {7'd0, hit_v};
        end
        if (l_push && x_valid[i] && x_vs[i] && !(i == 0 && x_pop)) begin
          hit_s = !to_vr && meets(f3, nr, x_s[i*RW +: RW], x_send[i*EW +: EW]);
          hit_v = to_vr && meets(f3, nr, x_v[i*RW +: RW], x_vend[i*EW +: EW]);
          found[1*NB +: NB] = found[1*NB +: NB] + {7'd0, hit_s};
          found[3*NB +: NB] = found[3*NB +: NB] + {7'd0, hit_v && x_wr[i]};
          found[4*NB +: NB] = found[4*NB +: NB] + {7'd0, hit_v && !x_wr[i]};
        end
        if (m_push && x_valid[i] && x_wr[i] && !(i == 0 && x_pop)) begin
          hit_w = meets(f0, nr, x_w[i*RW +: RW], x_wend[i*EW +: EW]);
          found[5*NB +: NB] = found[5*NB +: NB] + {7'd0, hit_w};
        end
      end
    end

    // ---- rows that nothing but a check keeps back
    wire live    = u_top.u_core.g_back.u_ex.live;
    wire blk_v   = u_top.u_core.g_back.blk_v;
    wire blk_w   = u_top.u_core.blk_w && x_wr[0];
    wire blk_s   = u_top.u_core.g_back.blk_s && !u_top.u_core.g_back.u_ex.started_q;
    wire rd_ok   = u_top.u_core.g_back.u_ex.rd_ok;
    wire turn    = x_vs[0] || u_top.u_core.g_back.u_ex.two_src || u_top.u_core.g_back.u_ex.is_vrelu;
    wire word    = u_top.u_core.ld_rvalid && l_valid[0] && u_top.u_core.g_back.ld_blocked;
    wire offered = m_valid[0] &&
                   u_top.u_core.g_back.u_st.form_ctx_q == u_top.u_core.g_back.u_st.ctx_q[0];
    wire by_vld  = x_valid[0] && x_vs[0] && !x_wr[0];
    wire word_vr = word && l_vr[0] && !u_top.u_core.g_back.vld_q2;
    assign held = {
      1'b0,
      word && !l_vr[0] && by_vld,
      word_vr && by_vld,
      by_vld && x_valid[1] && !u_top.u_core.g_back.u_ex.rows_left,
      u_top.u_core.g_back.st_row_valid && u_top.u_core.g_back.u_ex.st_recent,
      u_top.u_core.ex_recent,
      offered && u_top.u_core.g_back.st_blocked,
      word_vr,
      word && !l_vr[0],
      live && rd_ok && turn && !(x_vs[0] && (blk_v || blk_s)) && blk_w,
      live && rd_ok && x_vs[0] && !blk_v && !blk_w && blk_s,
      live && rd_ok && x_vs[0] && blk_v && !blk_w && !blk_s};
  end endgenerate

  // ---- counts, and the register reads that show them
  reg [CHECKS-1:0]             held_q;
  reg [(PAIRS+CHECKS)*32-1:0]  count_q;
  reg [11:0]                   raddr_q;
  integer k;
  always @(posedge clk_i) begin
    held_q <= held;
    for (k = 0; k < PAIRS; k = k + 1)
      count_q[k*32 +: 32] <= count_q[k*32 +: 32] + {{(32-NB){1'b0}}, pairs[k*NB +: NB]};
    for (k = 0; k < CHECKS; k = k + 1)
      count_q[(PAIRS+k)*32 +: 32] <= count_q[(PAIRS+k)*32 +: 32] + {31'd0, held[k] && !held_q[k]};
    if (s_axil_arvalid && s_axil_arready) raddr_q <= s_axil_araddr;
    if (rst_i) begin
      held_q  <= {CHECKS{1'b0}};
      count_q <= {((PAIRS+CHECKS)*32){1'b0}};
      raddr_q <= 12'd0;
    end
  end
  assign s_axil_rdata = raddr_q[11] ? count_q[raddr_q[6:2]*32 +: 32] : core_rdata;
endmodule
`default_nettype wire
