// SPDX-License-Identifier: Apache-2.0
// ktpu_top as a board uses it: the host writes program and operands through s_axi, starts the core
// over s_axil, asks for memory while the core runs (it must wait until the core is done) and reads
// the result back through s_axi. Several 8 x 4 x 4 GEMMs with random operands, stalls and
// latencies; untouched memory round C is read back too.
`default_nettype none
module tb_ktpu_top;
  `include "ktpu_tinytpu.vh"

  localparam integer AB = 17;
  localparam integer BB = 64;
  localparam integer M  = 8;              // rows of A and C; K = N = T = 4
  localparam [15:0]  M16 = M;
  localparam integer ROUNDS = 12;
  localparam [AB-1:0] AT_PROG = 17'h00000;
  localparam [AB-1:0] AT_A    = 17'h01000;
  localparam [AB-1:0] AT_B    = 17'h01400;
  localparam [AB-1:0] AT_C    = 17'h01800;

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  reg  [11:0] l_awaddr, l_araddr;
  reg         l_awvalid, l_wvalid, l_bready, l_arvalid, l_rready;
  reg  [31:0] l_wdata;
  wire        l_awready, l_wready, l_bvalid, l_arready, l_rvalid;
  wire [1:0]  l_bresp, l_rresp;
  wire [31:0] l_rdata;

  reg  [AB-1:0]   s_awaddr, s_araddr;
  reg  [BB-1:0]   s_wdata;
  reg             s_awvalid, s_wvalid, s_bready, s_arvalid, s_rready;
  wire            s_awready, s_wready, s_bvalid, s_arready, s_rvalid, s_rlast;
  wire [1:0]      s_bresp, s_rresp;
  wire [BB-1:0]   s_rdata;

  wire [AB-1:0]   m_awaddr, m_araddr;
  wire [7:0]      m_awlen, m_arlen;
  wire [2:0]      m_awsize, m_arsize;
  wire [1:0]      m_awburst, m_arburst, m_bresp, m_rresp;
  wire [BB-1:0]   m_wdata, m_rdata;
  wire [BB/8-1:0] m_wstrb;
  wire            m_awvalid, m_awready, m_wlast, m_wvalid, m_wready, m_bvalid, m_bready;
  wire            m_arvalid, m_arready, m_rlast, m_rvalid, m_rready, m_idle, busy, done;

  ktpu_top #(
    .T(4), .MAXDIM(16), .SPAD_ROWS(64), .NVR(64), .NAR(128), .QD(2), .BUS_BITS(BB),
    .OUTSTANDING(8), .ADDR_BITS(AB), .CONFIG_HASH(32'h0badc0de)
  ) u_dut (
    .clk_i(clk), .rst_i(rst),
    .s_axil_awaddr(l_awaddr), .s_axil_awvalid(l_awvalid), .s_axil_awready(l_awready),
    .s_axil_wdata(l_wdata), .s_axil_wstrb(4'hf), .s_axil_wvalid(l_wvalid),
    .s_axil_wready(l_wready), .s_axil_bresp(l_bresp), .s_axil_bvalid(l_bvalid),
    .s_axil_bready(l_bready), .s_axil_araddr(l_araddr), .s_axil_arvalid(l_arvalid),
    .s_axil_arready(l_arready), .s_axil_rdata(l_rdata), .s_axil_rresp(l_rresp),
    .s_axil_rvalid(l_rvalid), .s_axil_rready(l_rready),
    .s_axi_awaddr(s_awaddr), .s_axi_awlen(8'd0), .s_axi_awvalid(s_awvalid),
    .s_axi_awready(s_awready), .s_axi_wdata(s_wdata), .s_axi_wstrb(8'hff), .s_axi_wlast(1'b1),
    .s_axi_wvalid(s_wvalid), .s_axi_wready(s_wready), .s_axi_bresp(s_bresp),
    .s_axi_bvalid(s_bvalid), .s_axi_bready(s_bready), .s_axi_araddr(s_araddr),
    .s_axi_arlen(8'd0), .s_axi_arvalid(s_arvalid), .s_axi_arready(s_arready),
    .s_axi_rdata(s_rdata), .s_axi_rresp(s_rresp), .s_axi_rlast(s_rlast),
    .s_axi_rvalid(s_rvalid), .s_axi_rready(s_rready),
    .m_axi_awaddr(m_awaddr), .m_axi_awlen(m_awlen), .m_axi_awvalid(m_awvalid),
    .m_axi_awready(m_awready), .m_axi_wdata(m_wdata), .m_axi_wstrb(m_wstrb),
    .m_axi_wlast(m_wlast), .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready),
    .m_axi_bresp(m_bresp), .m_axi_bvalid(m_bvalid), .m_axi_bready(m_bready),
    .m_axi_araddr(m_araddr), .m_axi_arlen(m_arlen), .m_axi_arvalid(m_arvalid),
    .m_axi_arready(m_arready), .m_axi_rdata(m_rdata), .m_axi_rresp(m_rresp),
    .m_axi_rlast(m_rlast), .m_axi_rvalid(m_rvalid), .m_axi_rready(m_rready),
    .m_axi_awsize(m_awsize), .m_axi_awburst(m_awburst), .m_axi_arsize(m_arsize),
    .m_axi_arburst(m_arburst), .busy_o(busy), .done_o(done));

  axi_mem_model #(.ADDR_BITS(AB), .BUS_BITS(BB), .BYTES(131072)) u_mem (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_o(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_o(m_wready), .bresp_o(m_bresp), .bvalid_o(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_o(m_arready),
    .rdata_o(m_rdata), .rresp_o(m_rresp), .rlast_o(m_rlast), .rvalid_o(m_rvalid),
    .rready_i(m_rready));

  ktpu_axi_chk #(.ADDR_BITS(AB), .BUS_BITS(BB)) u_chk (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_i(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_i(m_wready), .bresp_i(m_bresp), .bvalid_i(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_i(m_arready),
    .rdata_i(m_rdata), .rresp_i(m_rresp), .rlast_i(m_rlast), .rvalid_i(m_rvalid),
    .rready_i(m_rready), .idle_o(m_idle));

  integer seed, rng, errors, compared, waited, ok, i, j, k, round, n_instr, acc, limit;
  reg [63:0] got, canary;
  reg [31:0] got32;
  reg signed [7:0] a [0:M*4-1];
  reg signed [7:0] b [0:15];
  reg [31:0] want;

  task fail(input [8*40-1:0] what, input [63:0] value, input [63:0] expected);
    begin
      errors = errors + 1;
      if (errors < 10) $display("FAIL round %0d %0s: %h, want %h", round, what, value, expected);
    end
  endtask

  task reg_write(input [11:0] at, input [31:0] d);
    begin
      l_awaddr <= at; l_wdata <= d; l_awvalid <= 1'b1; l_wvalid <= 1'b1; l_bready <= 1'b1;
      @(posedge clk);
      while (!l_awready) @(posedge clk);
      l_awvalid <= 1'b0; l_wvalid <= 1'b0;
      @(posedge clk);
      while (!l_bvalid) @(posedge clk);
    end
  endtask

  task reg_read(input [11:0] at);
    begin
      l_araddr <= at; l_arvalid <= 1'b1; l_rready <= 1'b1;
      @(posedge clk);
      while (!l_arready) @(posedge clk);
      l_arvalid <= 1'b0;
      @(posedge clk);
      while (!l_rvalid) @(posedge clk);
      got32 = l_rdata;
    end
  endtask

  task host_write(input [AB-1:0] at, input [63:0] d);
    begin
      s_awaddr <= at; s_wdata <= d; s_awvalid <= 1'b1; s_wvalid <= 1'b1; s_bready <= 1'b1;
      @(posedge clk);
      while (s_awvalid || s_wvalid) begin
        if (s_awready) s_awvalid <= 1'b0;
        if (s_wready) s_wvalid <= 1'b0;
        #0 if (s_awvalid || s_wvalid) @(posedge clk);
      end
      while (!s_bvalid) @(posedge clk);
      if (s_bresp != 2'b00) fail("s_axi_bresp", s_bresp, 0);
      @(posedge clk);
      s_bready <= 1'b0;
    end
  endtask

  task host_read(input [AB-1:0] at);
    begin
      s_araddr <= at; s_arvalid <= 1'b1; s_rready <= 1'b1;
      @(posedge clk);
      while (!s_arready) begin
        if (busy) waited = waited + 1;
        @(posedge clk);
      end
      if (busy) fail("a host read was accepted while busy", 0, 0);
      s_arvalid <= 1'b0;
      @(posedge clk);
      while (!s_rvalid) @(posedge clk);
      got = s_rdata;
      s_rready <= 1'b0;
      if (s_rresp != 2'b00 || !s_rlast) fail("s_axi_rresp, rlast", {s_rresp, s_rlast}, 1);
    end
  endtask

  task emit(input [5:0] op, input [7:0] nr, input [11:0] f0, input [11:0] f2);
    begin
      host_write(AT_PROG + 64 + 16 * n_instr, {2'b00, nr, 12'd0, f2, 12'd0, f0, op});
      host_write(AT_PROG + 72 + 16 * n_instr, 64'd0);
      n_instr = n_instr + 1;
    end
  endtask

  task load_all;
    begin
      n_instr = 0;
      emit(KT_OP_DMA_LD, M, 2, 0);         // A to vr
      emit(KT_OP_DMA_LD, 4, 1, 0);         // B to spad
      emit(KT_OP_MM, M, 0, 0);
      emit(KT_OP_MVOUT, M, 0, 0);
      host_write(AT_PROG, n_instr);
      host_write(AT_PROG + 8, M + 4);
      host_write(AT_PROG + 16, 4 + 5);     // spm: rows of B, T + 1 for the mm
      host_write(AT_PROG + 24, M + M);
      host_write(AT_PROG + 32, {32'd0, M16, 16'd1});
      host_write(AT_PROG + 40, M + M);
      host_write(AT_PROG + 48, M);
      host_write(AT_PROG + 56, {32'd0, 16'd4, M16});
      canary = {$random(rng), $random(rng)};
      for (i = 0; i < M; i = i + 1) begin
        for (j = 0; j < 4; j = j + 1) a[4*i + j] = $random(rng);
        host_write(AT_A + 16 * i, {$random(rng), a[4*i+3], a[4*i+2], a[4*i+1], a[4*i]});
        host_write(AT_C + 16 * i, canary);
        host_write(AT_C + 16 * i + 8, canary);
      end
      for (i = 0; i < 4; i = i + 1) begin
        for (j = 0; j < 4; j = j + 1) b[4*i + j] = $random(rng);
        host_write(AT_B + 16 * i, {$random(rng), b[4*i+3], b[4*i+2], b[4*i+1], b[4*i]});
      end
    end
  endtask

  task start_and_wait;
    begin
      reg_write(KT_REG_DESC, AT_PROG);
      reg_write(KT_REG_DESC + 12'd4, 8 + 2 * n_instr);
      reg_write(KT_REG_DESC + 12'd8, AT_A);
      reg_write(KT_REG_DESC + 12'd12, AT_B);
      reg_write(KT_REG_DESC + 12'd16, AT_C);
      reg_write(KT_REG_LIST_COUNT, 0);
      reg_write(KT_REG_CONTROL, 1);
      host_read(AT_C);                     // waits for the core, then sees its result
      reg_read(KT_REG_STATUS);
      if (got32 != 32'd2) fail("STATUS", got32, 2);
      reg_read(KT_REG_FAULT);
      if (got32 != 32'd0) fail("FAULT", got32, 0);
    end
  endtask

  task check_result;
    for (i = 0; i < M; i = i + 1) begin
      for (j = 0; j < 4; j = j + 1) begin
        acc = 0;
        for (k = 0; k < 4; k = k + 1) acc = acc + a[4*i + k] * b[4*k + j];
        want[8*j +: 8] = acc > 127 ? 8'd127 : acc < -128 ? 8'd128 : acc[7:0];
      end
      if (i > 0) host_read(AT_C + 16 * i);
      compared = compared + 1;
      if (got !== {canary[63:32], want}) fail("row of C", got, {canary[63:32], want});
      host_read(AT_C + 16 * i + 8);
      if (got !== canary) fail("memory beside C", got, canary);
    end
  endtask

  initial begin
    seed = 1; errors = 0; compared = 0; waited = 0; round = 0;
    ok = $value$plusargs("seed=%d", seed);
    rng = seed;
    l_awvalid = 0; l_wvalid = 0; l_bready = 0; l_arvalid = 0; l_rready = 0;
    l_awaddr = 0; l_araddr = 0; l_wdata = 0;
    s_awvalid = 0; s_wvalid = 0; s_bready = 0; s_arvalid = 0; s_rready = 0;
    s_awaddr = 0; s_araddr = 0; s_wdata = 0;
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    u_mem.rng = seed + 3;
    for (round = 0; round < ROUNDS; round = round + 1) begin
      i = round < 2 ? 0 : $unsigned($random(rng)) % 60;
      u_mem.stall_ar = i; u_mem.stall_aw = i; u_mem.stall_w = i; u_mem.stall_r = i;
      u_mem.stall_b = i;
      u_mem.latency = round == 0 ? 0 : $unsigned($random(rng)) % 30;
      load_all;
      start_and_wait;
      check_result;
    end
    if (waited < 10 * ROUNDS) fail("the host hardly waited", waited, 10 * ROUNDS);
    if (compared != M * ROUNDS) fail("rows compared", compared, M * ROUNDS);
    if (errors == 0) $display("PASS tb_ktpu_top seed=%0d", seed);
    else $display("FAIL tb_ktpu_top seed=%0d: %0d errors", seed, errors);
    $finish;
  end

  initial begin                            // nothing here may wait for ever
    for (limit = 0; limit < 200000; limit = limit + 1) @(posedge clk);
    $display("FAIL tb_ktpu_top: no end after %0d cycles", limit);
    $finish;
  end
endmodule
`default_nettype wire
