// SPDX-License-Identifier: Apache-2.0
// Runs ktpu_int8 alone, against the memory model, with no C code in the loop.
//
//   iverilog -g2005 -Irtl/generated -Irtl/common -Itests/rtl -s tb_ktpu_int8 -o tb.vvp \
//     tests/rtl/tb_ktpu_int8.v tests/rtl/axi_mem_model.v $(RTL_INT8)
//     (and -Ptb_ktpu_int8.T=8 and so on for other builds)
//   vvp -n tb.vvp +seed=1                       random GEMMs with and without stalls, self-checking
//   vvp -n tb.vvp +m=16 +k=16 +n=16 [+form=0|1|2] [+shift=s] [+latency=L] [+stall=percent]
//                                               one GEMM (k, n multiples of T): prints its cycles
//   vvp -n tb.vvp +image=mem.hex +words=28 +prog=0 +a=4000 +b=8000 +c=c000 [+sa= +sb= +sc=]
//       [+flags=] [+list=1000 +count=3] [+fault=code] [+expect=mem.hex] [+dump=out.hex]
//                                               any image (one byte a line, address 0 first)
// Addresses, strides and flags are hexadecimal, counts decimal. +fault is the code to expect (0);
// bytes written xx in the +expect file may hold anything. Also +maxcycles=N (200000), +vcd=file,
// +runs=N.
//
// A generated GEMM is checked byte for byte over the whole memory (nothing outside C may change),
// with EVENT_SAT and EVENT_WRAP; CYCLES against busy_o, the unit counters against CYCLES, the
// protocol of the port, and that nothing is left under way, in every mode.
`default_nettype none
module tb_ktpu_int8;
  parameter integer T            = 4;
  parameter integer MAXDIM       = 64;
  parameter integer SPAD_ROWS    = MAXDIM / T * MAXDIM < 64 ? 64 : MAXDIM / T * MAXDIM;
  parameter integer NVR          = SPAD_ROWS;
  parameter integer NAR          = 2 * MAXDIM + 8 < 128 ? 128 : 2 * MAXDIM + 8;
  parameter integer IMEM_SIZE    = 104;
  parameter integer QD           = 8;
  parameter integer BUS_BITS     = 64;
  parameter integer OUTSTANDING  = 64;
  parameter integer CONTRACTS    = 1;
  parameter integer STRIDES      = 1;
  parameter integer COUNTERS     = 1;
  parameter integer SERIAL_SHIFT = 0;
  parameter integer ADDR_BITS    = 32;

  `include "ktpu_tinytpu.vh"

  localparam integer BYTES  = 131072;
  localparam integer AT_PROG = 0;
  localparam integer AT_A   = 'h4000;
  localparam integer AT_B   = 'h8000;
  localparam integer AT_C   = 'hc000;

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  // ---- device, memory, checker ------------------------------------------------------------------
  reg  [11:0] awaddr, araddr;
  reg         awvalid, wvalid, bready, arvalid, rready;
  reg  [31:0] wdata;
  wire        awready, wready, bvalid, arready, rvalid;
  wire [1:0]  bresp, rresp;
  wire [31:0] rdata;

  wire [ADDR_BITS-1:0]  m_awaddr, m_araddr;
  wire [7:0]            m_awlen, m_arlen;
  wire [2:0]            m_awsize, m_arsize;
  wire [1:0]            m_awburst, m_arburst, m_bresp, m_rresp;
  wire                  m_awvalid, m_awready, m_wlast, m_wvalid, m_wready, m_bvalid, m_bready;
  wire                  m_arvalid, m_arready, m_rlast, m_rvalid, m_rready;
  wire [BUS_BITS-1:0]   m_wdata, m_rdata;
  wire [BUS_BITS/8-1:0] m_wstrb;
  wire                  busy, done, bus_idle;

  ktpu_int8 #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .IMEM_SIZE(IMEM_SIZE),
    .QD(QD), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING), .CONTRACTS(CONTRACTS),
    .STRIDES(STRIDES), .COUNTERS(COUNTERS), .SERIAL_SHIFT(SERIAL_SHIFT), .ADDR_BITS(ADDR_BITS),
    .CONFIG_HASH(32'h600dcafe)
  ) u_dut (
    .clk_i(clk), .rst_i(rst),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(4'hf), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .m_axi_awaddr(m_awaddr), .m_axi_awlen(m_awlen), .m_axi_awsize(m_awsize),
    .m_axi_awburst(m_awburst), .m_axi_awvalid(m_awvalid), .m_axi_awready(m_awready),
    .m_axi_wdata(m_wdata), .m_axi_wstrb(m_wstrb), .m_axi_wlast(m_wlast),
    .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready), .m_axi_bresp(m_bresp),
    .m_axi_bvalid(m_bvalid), .m_axi_bready(m_bready),
    .m_axi_araddr(m_araddr), .m_axi_arlen(m_arlen), .m_axi_arsize(m_arsize),
    .m_axi_arburst(m_arburst), .m_axi_arvalid(m_arvalid), .m_axi_arready(m_arready),
    .m_axi_rdata(m_rdata), .m_axi_rresp(m_rresp), .m_axi_rlast(m_rlast),
    .m_axi_rvalid(m_rvalid), .m_axi_rready(m_rready),
    .busy_o(busy), .done_o(done));

  axi_mem_model #(.ADDR_BITS(ADDR_BITS), .BUS_BITS(BUS_BITS), .BYTES(BYTES)) u_mem (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_o(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_o(m_wready), .bresp_o(m_bresp), .bvalid_o(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_o(m_arready),
    .rdata_o(m_rdata), .rresp_o(m_rresp), .rlast_o(m_rlast), .rvalid_o(m_rvalid),
    .rready_i(m_rready));

  ktpu_axi_chk #(.ADDR_BITS(ADDR_BITS), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING)) u_chk (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(m_awaddr), .awlen_i(m_awlen), .awvalid_i(m_awvalid), .awready_i(m_awready),
    .wdata_i(m_wdata), .wstrb_i(m_wstrb), .wlast_i(m_wlast), .wvalid_i(m_wvalid),
    .wready_i(m_wready), .bresp_i(m_bresp), .bvalid_i(m_bvalid), .bready_i(m_bready),
    .araddr_i(m_araddr), .arlen_i(m_arlen), .arvalid_i(m_arvalid), .arready_i(m_arready),
    .rdata_i(m_rdata), .rresp_i(m_rresp), .rlast_i(m_rlast), .rvalid_i(m_rvalid),
    .rready_i(m_rready), .idle_o(bus_idle));

  // ---- common state -----------------------------------------------------------------------------
  integer seed, rng, errors, compared, runs, maxcycles;
  integer busy_cycles, since_start, last_b, i, j, r;
  reg [31:0] got, cycles, fault, fault_arg, fault_instr, fault_desc, status;
  reg [7:0]  gold [0:BYTES-1];

  function integer random_below(input integer n);
    random_below = $unsigned($random(rng)) % n;
  endfunction

  task fail(input [8*60-1:0] what, input [31:0] a, input [31:0] b);
    begin
      errors = errors + 1;
      if (errors < 20) $display("FAIL %0s: got %0d (%h), want %0d (%h)", what, a, a, b, b);
    end
  endtask

  always @(posedge clk)
    if (!rst) begin
      since_start = since_start + 1;
      if (busy) busy_cycles = busy_cycles + 1;
      if (m_bvalid && m_bready) last_b = since_start;
      if (m_arvalid && (m_arsize != $clog2(BUS_BITS / 8) || m_arburst != 2'b01))
        fail("arsize or arburst", {m_arsize, m_arburst}, 0);
      if (m_awvalid && (m_awsize != $clog2(BUS_BITS / 8) || m_awburst != 2'b01))
        fail("awsize or awburst", {m_awsize, m_awburst}, 0);
    end

  // ---- registers --------------------------------------------------------------------------------
  task reg_write(input [11:0] a, input [31:0] d);
    begin
      awaddr <= a; wdata <= d; awvalid <= 1'b1; wvalid <= 1'b1;
      @(posedge clk);
      while (!(awvalid && awready && wvalid && wready)) @(posedge clk);
      awvalid <= 1'b0; wvalid <= 1'b0; bready <= 1'b1;
      if (a == KT_REG_CONTROL) begin
        busy_cycles = 0; since_start = 0; last_b = 0;
      end
      @(posedge clk);
      while (!bvalid) @(posedge clk);
      bready <= 1'b0;
      if (bresp != 2'b00) fail("bresp", bresp, 0);
    end
  endtask

  task reg_read(input [11:0] a);
    begin
      araddr <= a; arvalid <= 1'b1;
      @(posedge clk);
      while (!(arvalid && arready)) @(posedge clk);
      arvalid <= 1'b0; rready <= 1'b1;
      @(posedge clk);
      while (!rvalid) @(posedge clk);
      got = rdata;
      rready <= 1'b0;
      if (rresp != 2'b00) fail("rresp", rresp, 0);
    end
  endtask

  // ---- a run: descriptor or list, start, wait, registers ----------------------------------------
  reg [31:0] d_prog, d_words, d_a, d_b, d_c, d_sa, d_sb, d_sc, d_flags, l_addr, l_count;

  task run_core;
    reg [31:0] sum;
    begin
      reg_write(KT_REG_DESC, d_prog);
      reg_write(KT_REG_DESC + 12'd4, d_words);
      reg_write(KT_REG_DESC + 12'd8, d_a);
      reg_write(KT_REG_DESC + 12'd12, d_b);
      reg_write(KT_REG_DESC + 12'd16, d_c);
      reg_write(KT_REG_DESC + 12'd20, d_sa);
      reg_write(KT_REG_DESC + 12'd24, d_sb);
      reg_write(KT_REG_DESC + 12'd28, d_sc);
      reg_write(KT_REG_DESC + 12'd32, d_flags);
      for (i = 9; i < 16; i = i + 1) reg_write(KT_REG_DESC + 4 * i, 32'd0);
      reg_write(KT_REG_LIST_ADDR, l_addr);
      reg_write(KT_REG_LIST_COUNT, l_count);
      reg_write(KT_REG_CONTROL, 32'd1);
      while (!done && since_start < maxcycles) @(posedge clk);
      if (!done) begin
        $display("FAIL no done within %0d cycles", maxcycles);
        $finish(1);
        $stop;
      end
      @(posedge clk);
      #0 if (busy) fail("busy after done", busy, 0);
      if (!bus_idle) fail("something is under way on the bus after done", 0, 1);
      i = busy_cycles;
      reg_read(KT_REG_STATUS);      status = got;
      reg_read(KT_REG_CYCLES_LO);   cycles = got;
      reg_read(KT_REG_FAULT);       fault = got;
      reg_read(KT_REG_FAULT_ARG);   fault_arg = got;
      reg_read(KT_REG_FAULT_INSTR); fault_instr = got;
      reg_read(KT_REG_FAULT_DESC);  fault_desc = got;
      if (cycles != i) fail("CYCLES against busy_o", cycles, i);
      if (status[5:0] != {3'b000, fault[7:0] != 8'd0, 2'b10}) fail("STATUS", status, 2);
      if (COUNTERS != 0)
        for (i = 0; i < 7; i = i + 1) begin
          sum = 0;
          for (j = 0; j < 8; j = j + 1) begin
            reg_read(KT_REG_COUNT + 32 * i + 4 * j);
            sum = sum + got;
          end
          if (sum != cycles) fail("a unit's counters against CYCLES", sum, cycles);
        end
      if (u_mem.bad != 0) fail("accesses outside memory", u_mem.bad, 0);
    end
  endtask

  task report;
    $display({"cycles=%0d last_b=%0d reads=%0d/%0d writes=%0d/%0d fault=%0d sub=%0d arg=%h ",
              "instr=%0d desc=%0d"}, cycles, last_b, u_mem.reads, u_mem.beats_r,
             u_mem.writes, u_mem.beats_w, fault[7:0], fault[15:8], fault_arg, fault_instr,
             fault_desc);
  endtask

  // ---- GEMM program: one column block of C at a time --------------------------------------------
  integer m_size, k_size, n_size, form, shift;
  integer n_instr, c_ld, c_spm, c_vru, c_mm, c_mmrows, c_accu, c_st;

  task put_word(input integer at, input [63:0] w);
    for (r = 0; r < 8; r = r + 1) u_mem.mem[at + r] = w[8*r +: 8];
  endtask

  task emit(input integer op, input integer nr, input integer f0, input integer f1,
            input integer f2, input integer f3);
    begin
      put_word(AT_PROG + 64 + 16 * n_instr,
               {2'b00, nr[7:0], f3[11:0], f2[11:0], f1[11:0], f0[11:0], op[5:0]});
      put_word(AT_PROG + 72 + 16 * n_instr, 64'd0);
      n_instr = n_instr + 1;
    end
  endtask

  task load(input integer b, input integer row, input integer col, input integer dst,
            input integer nr);
    begin
      emit(KT_OP_DMA_LD, nr, b ? 1 : 2, row, col, dst);
      c_ld = c_ld + nr;
      if (b) c_spm = c_spm + nr; else c_vru = c_vru + nr;
    end
  endtask

  task build_gemm;
    integer nb, kb, kt;
    begin
      n_instr = 0; c_ld = 0; c_spm = 0; c_vru = 0; c_mm = 0; c_mmrows = 0; c_accu = 0; c_st = 0;
      kt = k_size / T;
      for (nb = 0; nb < n_size / T; nb = nb + 1) begin
        if (nb > 0) load(1, 0, nb, nb * k_size, k_size);
        for (kb = 0; kb < kt; kb = kb + 1) begin
          if (nb == 0) load(0, 0, kb, kb * m_size, m_size);
          if (nb == 0) load(1, kb * T, 0, kb * T, T);
          emit(KT_OP_MM, m_size, kb * m_size, (nb % 2) * m_size, kb != 0, nb * k_size + kb * T);
          c_mm = c_mm + 1;
          c_spm = c_spm + T + 1;
        end
        c_vru = c_vru + kt * m_size;
        c_mmrows = c_mmrows + kt * m_size;
        emit(KT_OP_MVOUT, m_size, (nb % 2) * m_size, 0, nb, 0);
        c_accu = c_accu + (kt + 1) * m_size;
        c_st = c_st + m_size;
      end
      put_word(AT_PROG, n_instr);
      put_word(AT_PROG + 8, c_ld);
      put_word(AT_PROG + 16, c_spm);
      put_word(AT_PROG + 24, c_vru);
      put_word(AT_PROG + 32, {c_mmrows[15:0], c_mm[15:0]});
      put_word(AT_PROG + 40, c_accu);
      put_word(AT_PROG + 48, c_st);
      put_word(AT_PROG + 56, {k_size[15:0], m_size[15:0]});
      d_prog = AT_PROG; d_words = 8 + 2 * n_instr;
    end
  endtask

  // ---- what C must hold, worked out here from A and B in memory ---------------------------------
  integer saturated;

  function signed [63:0] rounded(input signed [63:0] x, input integer s);
    reg signed [63:0] floor, rest, half;
    begin
      floor = x >>> s;
      rest  = x - (floor <<< s);
      half  = s == 0 ? 64'sd1 : 64'sd1 <<< (s - 1);
      rounded = rest > half || (rest == half && s != 0 && floor[0]) ? floor + 64'sd1 : floor;
    end
  endfunction

  task expect_gemm(input integer la, input integer lb, input integer lc);
    integer row, col, k;
    reg signed [31:0] acc;
    reg signed [7:0]  x, y;
    reg signed [63:0] q;
    begin
      saturated = 0;
      for (i = 0; i < BYTES; i = i + 1) gold[i] = u_mem.mem[i];
      for (row = 0; row < m_size; row = row + 1)
        for (col = 0; col < n_size; col = col + 1) begin
          acc = 0;
          for (k = 0; k < k_size; k = k + 1) begin
            x = u_mem.mem[d_a + row * la + k];
            y = u_mem.mem[d_b + k * lb + col];
            acc = acc + x * y;
          end
          if (form == 2) begin
            for (i = 0; i < 4; i = i + 1) gold[d_c + row * lc + 4 * col + i] = acc[8*i +: 8];
          end else begin
            q = rounded(acc, form == 1 ? shift : 0);
            if (q > 127 || q < -128) saturated = saturated + 1;
            gold[d_c + row * lc + col] = q > 127 ? 8'd127 : q < -128 ? 8'd128 : q[7:0];
          end
        end
    end
  endtask

  task compare_memory;
    for (i = 0; i < BYTES; i = i + 1)
      if ((^gold[i]) !== 1'bx) begin
        compared = compared + 1;
        if (u_mem.mem[i] !== gold[i]) fail("memory byte", u_mem.mem[i], {i[23:0], gold[i]});
      end
  endtask

  task one_gemm;
    integer la, lb, lc;
    begin
      for (i = 0; i < BYTES; i = i + 1) u_mem.mem[i] = $random(rng);
      if (random_below(2))               // small operands: results that do not all saturate
        for (i = AT_A; i < AT_C; i = i + 1) u_mem.mem[i] = random_below(16) - 8;
      d_sa = 0; d_sb = 0; d_sc = 0;
      if (STRIDES != 0 && random_below(2)) begin
        d_sa = MAXDIM + T * random_below(8);
        d_sb = MAXDIM + T * random_below(8);
        d_sc = form == 2 ? 4 * MAXDIM + 4 * T * random_below(8) : MAXDIM + T * random_below(8);
      end
      la = d_sa == 0 ? MAXDIM : d_sa;
      lb = d_sb == 0 ? MAXDIM : d_sb;
      lc = d_sc != 0 ? d_sc : form == 2 ? 4 * MAXDIM : MAXDIM;
      // bases are any multiple of the bus; a row of C may begin in the last beat before 4 KiB
      d_a = AT_A + BUS_BITS / 8 * random_below(64);
      d_b = AT_B + BUS_BITS / 8 * random_below(64);
      d_c = AT_C + 4096 - BUS_BITS / 8 * random_below(random_below(2) ? 64 : 4);
      l_addr = 0; l_count = 0;
      d_flags = form | (form == 1 ? shift << 8 : 0);
      build_gemm;
      expect_gemm(la, lb, lc);
      run_core;
      if (fault[7:0] != 8'd0) fail("FAULT", fault, 0);
      compare_memory;
      reg_read(KT_REG_EVENT_SAT);
      if (got != saturated) fail("EVENT_SAT", got, saturated);
      reg_read(KT_REG_EVENT_WRAP);
      if (got != 0) fail("EVENT_WRAP", got, 0);
      reg_read(KT_REG_DESC_DONE);
      if (got != 1) fail("DESC_DONE", got, 1);
      if (u_mem.stall_ar == 0 || errors != 0)
        $display({"gemm %0dx%0dx%0d form=%0d shift=%0d latency=%0d stalls=%0d ",
                  "strides=%0d,%0d,%0d: %0d cycles"}, m_size, k_size, n_size, form, shift,
                 u_mem.latency, u_mem.stall_ar, d_sa, d_sb, d_sc, cycles);
    end
  endtask

  task set_stalls(input integer p);
    begin
      u_mem.stall_ar = p; u_mem.stall_aw = p; u_mem.stall_w = p; u_mem.stall_r = p;
      u_mem.stall_b = p;
    end
  endtask

  task random_gemm;
    begin
      // the longest program has n/T * (k/T + 1) + (2 k/T + n/T - 1) instructions
      k_size = T * (1 + random_below(4));
      n_size = T * (1 + random_below(3));
      if (k_size > MAXDIM) k_size = MAXDIM;
      if (n_size > MAXDIM) n_size = MAXDIM;
      m_size = 4 + random_below(MAXDIM > 24 ? 21 : MAXDIM - 3);
      form  = random_below(3);
      shift = form == 1 ? random_below(12) : 0;
      u_mem.latency = random_below(3) == 0 ? random_below(200) : random_below(8);
      set_stalls(random_below(2) ? 10 + random_below(70) : 0);
      one_gemm;
    end
  endtask

  // ---- image mode -------------------------------------------------------------------------------
  reg [8*256-1:0] image, dump, want, vcd;
  integer want_fault;

  task one_image;
    begin
      d_prog = 0; d_words = 10; d_a = 0; d_b = 0; d_c = 0; d_sa = 0; d_sb = 0; d_sc = 0;
      d_flags = 0; l_addr = 0; l_count = 0; want_fault = 0;
      i = $value$plusargs("prog=%h", d_prog);
      i = $value$plusargs("words=%d", d_words);
      i = $value$plusargs("a=%h", d_a);
      i = $value$plusargs("b=%h", d_b);
      i = $value$plusargs("c=%h", d_c);
      i = $value$plusargs("sa=%h", d_sa);
      i = $value$plusargs("sb=%h", d_sb);
      i = $value$plusargs("sc=%h", d_sc);
      i = $value$plusargs("flags=%h", d_flags);
      i = $value$plusargs("list=%h", l_addr);
      i = $value$plusargs("count=%d", l_count);
      i = $value$plusargs("fault=%d", want_fault);
      $readmemh(image, u_mem.mem);
      run_core;
      report;
      compared = compared + 1;
      if (fault[7:0] != want_fault) fail("FAULT", fault[7:0], want_fault);
      if ($value$plusargs("expect=%s", want)) begin
        for (i = 0; i < BYTES; i = i + 1) gold[i] = 8'hxx;
        $readmemh(want, gold);
        compare_memory;
      end
      if ($value$plusargs("dump=%s", dump)) $writememh(dump, u_mem.mem);
    end
  endtask

  initial begin
    seed = 1; errors = 0; compared = 0; maxcycles = 200000; runs = 8;
    since_start = 0; busy_cycles = 0; last_b = 0;
    i = $value$plusargs("seed=%d", seed);
    i = $value$plusargs("maxcycles=%d", maxcycles);
    i = $value$plusargs("runs=%d", runs);
    if ($value$plusargs("vcd=%s", vcd)) begin
      $dumpfile(vcd);
      $dumpvars(0, tb_ktpu_int8);
    end
    rng = seed;
    awvalid = 0; wvalid = 0; bready = 0; arvalid = 0; rready = 0; awaddr = 0; araddr = 0; wdata = 0;
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    u_mem.rng = seed + 1;
    form = 0; shift = 0; j = 0;
    i = $value$plusargs("latency=%d", u_mem.latency);
    i = $value$plusargs("form=%d", form);
    i = $value$plusargs("shift=%d", shift);
    if ($value$plusargs("stall=%d", j)) set_stalls(j);
    if ($value$plusargs("image=%s", image)) begin
      one_image;
    end else if ($value$plusargs("m=%d", m_size)) begin
      k_size = T; n_size = T;
      i = $value$plusargs("k=%d", k_size);
      i = $value$plusargs("n=%d", n_size);
      one_gemm;
      report;
    end else begin
      m_size = T; k_size = T; n_size = T;
      one_gemm;
      m_size = 8; k_size = 2 * T; n_size = 2 * T;
      one_gemm;
      repeat (runs) random_gemm;
    end
    if (errors == 0 && compared > 0) $display("PASS tb_ktpu_int8 seed=%0d", seed);
    else $display("FAIL tb_ktpu_int8 seed=%0d: %0d errors, %0d compared", seed, errors, compared);
    $finish;
  end
endmodule
`default_nettype wire
