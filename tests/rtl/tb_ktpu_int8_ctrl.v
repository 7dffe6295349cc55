// SPDX-License-Identifier: Apache-2.0
// ktpu_int8_ctrl, a full and a small build side by side on the same pins, against a register model
// evaluated every cycle: identity, read-back, what is ignored while busy, resetting or stuck, start
// and soft reset strobes in their very cycle, refused starts, the first fault of a run, CYCLES,
// partial strobes, absent offsets, and AXI-Lite with both sides late.
`default_nettype none
module tb_ktpu_int8_ctrl;
  `include "ktpu_tinytpu.vh"

  localparam integer WRITES = 4000;
  localparam [31:0]  HASH   = 32'h13579bdf;

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  reg  [11:0] awaddr, araddr;
  reg         awvalid, wvalid, bready, arvalid, rready;
  reg  [31:0] wdata;
  reg  [3:0]  wstrb;
  wire [1:0]  awready, wready, bvalid, arready, rvalid, start, soft;   // bit 0 full, bit 1 small
  wire [1:0]  bresp [0:1], rresp [0:1];
  wire [31:0] rdata [0:1];
  wire [31:0] list_addr [0:1], list_count [0:1], watchdog [0:1];
  wire [511:0] desc [0:1];
  wire [5:0]  cnt_addr [0:1];

  reg         busy, resetting, stuck, done, fault_valid;
  reg  [7:0]  fault_code, fault_sub;
  reg  [31:0] fault_arg, fault_desc, desc_done, event_sat, event_wrap;
  reg  [15:0] fault_instr;

  // The small build takes a write the cycle after it could; the full one is shown it only then.
  wire both = awvalid && wvalid;
  reg  go_q;
  always @(posedge clk) go_q <= both && !bvalid[1] && !go_q && !rst;

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : g_dut
      localparam integer AB = g ? 17 : 32;
      wire [AB-1:0] la;
      assign list_addr[g] = la;
      ktpu_int8_ctrl #(
        .T(g ? 4 : 8), .MAXDIM(g ? 16 : 64), .SPAD_ROWS(g ? 64 : 512), .NVR(g ? 65 : 513),
        .NAR(136), .IMEM_SIZE(104), .QD(g ? 2 : 8), .BUS_BITS(g ? 64 : 256),
        .OUTSTANDING(g ? 8 : 64), .CONTRACTS(g ? 0 : 1), .STRIDES(g ? 0 : 1),
        .COUNTERS(g ? 0 : 1), .SERIAL_SHIFT(g), .ADDR_BITS(AB), .CONFIG_HASH(HASH)
      ) u_dut (
        .clk_i(clk), .rst_i(rst),
        .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid && (g || !both || go_q || bvalid[0])),
        .s_axil_awready(awready[g]),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
        .s_axil_wvalid(wvalid && (g || !both || go_q || bvalid[0])),
        .s_axil_wready(wready[g]), .s_axil_bresp(bresp[g]), .s_axil_bvalid(bvalid[g]),
        .s_axil_bready(bready), .s_axil_araddr(araddr), .s_axil_arvalid(arvalid),
        .s_axil_arready(arready[g]), .s_axil_rdata(rdata[g]), .s_axil_rresp(rresp[g]),
        .s_axil_rvalid(rvalid[g]), .s_axil_rready(rready),
        .start_o(start[g]), .soft_reset_o(soft[g]), .clear_o(), .list_addr_o(la),
        .list_count_o(list_count[g]), .watchdog_o(watchdog[g]), .desc_o(desc[g]),
        .busy_i(busy), .resetting_i(resetting), .stuck_i(stuck), .done_i(done),
        .fault_valid_i(fault_valid), .fault_code_i(fault_code), .fault_sub_i(fault_sub),
        .fault_arg_i(fault_arg), .fault_instr_i(fault_instr), .fault_desc_i(fault_desc),
        .desc_done_i(desc_done), .event_sat_i(event_sat), .event_wrap_i(event_wrap),
        .cnt_addr_o(cnt_addr[g]), .cnt_data_i({26'h2abcdef, cnt_addr[g]}));
      ktpu_stream_chk #(.WIDTH(2)) u_chk_b (
        .clk_i(clk), .rst_i(rst), .valid_i(bvalid[g]), .ready_i(bready), .data_i(bresp[g]));
      ktpu_stream_chk #(.WIDTH(34)) u_chk_r (
        .clk_i(clk), .rst_i(rst), .valid_i(rvalid[g]), .ready_i(rready),
        .data_i({rdata[g], rresp[g]}));
    end
  endgenerate

  // ---- the model --------------------------------------------------------------------------------
  reg [31:0] m_desc [0:31];               // full build at 0, small build at 16
  reg [31:0] m_old [0:15];                // the small build's, a cycle ago: what its RAM read
  integer    m_play, played;              // next word it plays; words played so far
  reg [31:0] m_addr [0:1], m_count [0:1], m_dog [0:1];
  reg        m_done, m_fault, m_refused;
  reg [7:0]  m_code, m_sub;
  reg [31:0] m_arg, m_fdesc;
  reg [15:0] m_instr;
  reg [63:0] m_cycles;
  reg        b_pending, r_pending, r_holding;
  reg [9:0]  r_word;
  reg [31:0] want [0:1];
  integer    seed, errors, reads, starts, refusals, faults, b, k, wrng, rrng, crng, ok, n, total;
  reg        writing, allowed, exp_start, exp_soft;

  task fail(input [8*40-1:0] what, input [63:0] got, input [63:0] expected);
    begin
      errors = errors + 1;
      if (errors < 12) $display("FAIL at %0t %0s: %h, want %h", $time, what, got, expected);
    end
  endtask

  function [31:0] value(input integer lite, input [9:0] w);
    begin
      value = 32'd0;
      if (w >= 10'h040 && w < 10'h080) value = {26'h2abcdef, w[5:0]};
      else if (w >= 10'h010 && w < 10'h020) value = lite ? m_old[w[3:0]] : m_desc[w[3:0]];
      else case (w)
        10'h000: value = 32'h5550544b;
        10'h001: value = KT_SPEC_VERSION;
        10'h002: value = HASH;
        10'h003: value = lite ? 32'h8 : 32'h7;
        10'h004: value = lite ? {12'd8, 12'd16, 8'd4} : {12'd32, 12'd64, 8'd8};
        10'h005: value = lite ? {16'd65, 16'd64} : {16'd513, 16'd512};
        10'h006: value = {16'd104, 16'd136};
        10'h007: value = lite ? {8'd0, 8'd17, 8'd8, 8'd2} : {8'd0, 8'd32, 8'd64, 8'd8};
        10'h009: value = {26'd0, stuck, resetting, m_refused, m_fault, m_done, busy};
        10'h00a: value = m_addr[lite];
        10'h00b: value = m_count[lite];
        10'h00c: value = m_dog[lite];
        10'h020: value = lite ? {17'd0, m_sub[6:0], m_code} : {16'd0, m_sub, m_code};
        10'h021: value = m_arg;
        10'h022: value = {16'd0, m_instr};
        10'h023: value = !lite ? m_fdesc : m_fault ? desc_done : 32'd0;
        10'h024: value = m_cycles[31:0];
        10'h025: value = lite ? 32'd0 : m_cycles[63:32];
        10'h026: value = desc_done;
        10'h027: value = event_sat;
        10'h028: value = event_wrap;
        default: value = 32'd0;
      endcase
    end
  endfunction

  task model_reset;
    begin
      for (k = 0; k < 16; k = k + 1) m_desc[k] = 0;
      m_play = 16;
      for (k = 0; k < 2; k = k + 1) begin
        m_addr[k] = 0; m_count[k] = 0; m_dog[k] = 65536;
      end
      m_done = 0; m_fault = 0; m_refused = 0; m_code = 0; m_sub = 0; m_arg = 0; m_fdesc = 0;
      m_instr = 0; m_cycles = 0; b_pending = 0; r_pending = 0; r_holding = 0;
    end
  endtask

  task model_write;
    for (b = 0; b < 2; b = b + 1) begin
      if (awaddr[11:6] == 6'h01) m_desc[16*b + awaddr[5:2]] = wdata;
      if (awaddr[11:2] == 10'h00a) m_addr[b] = b ? wdata & 32'h1ffff : wdata;
      if (awaddr[11:2] == 10'h00b)
        m_count[b] = b && wdata > 32'd4095 ? 32'd4096 | (wdata & 32'd4095) : wdata;
      if (awaddr[11:2] == 10'h00c)
        m_dog[b] = wdata == 0 ? 32'd1 : b && wdata > 32'hfffff ? 32'hfffff : wdata;
    end
  endtask

  task check_outputs;
    for (b = 0; b < 2; b = b + 1) begin
      if (awready[b] !== writing || wready[b] !== writing)
        fail("awready, wready", awready[b], writing);
      if (bvalid[b] !== b_pending) fail("bvalid", bvalid[b], b_pending);
      if (start[b] !== exp_start) fail("start_o", start[b], exp_start);
      if (soft[b] !== exp_soft) fail("soft_reset_o", soft[b], exp_soft);
      if (list_addr[b] !== m_addr[b]) fail("list_addr_o", list_addr[b], m_addr[b]);
      if (list_count[b] !== m_count[b]) fail("list_count_o", list_count[b], m_count[b]);
      if (watchdog[b] !== m_dog[b]) fail("watchdog_o", watchdog[b], m_dog[b]);
      for (k = 0; k < 16; k = k + 1)
        if (b == 0 && desc[b][32*k +: 32] !== m_desc[k])
          fail("desc_o", desc[b][32*k +: 32], m_desc[k]);
      if (arready[b] !== !(r_pending || r_holding)) fail("arready", arready[b], !arready[b]);
      if (rvalid[b] !== r_holding) fail("rvalid", rvalid[b], r_holding);
      if (r_holding && rdata[b] !== want[b]) begin
        $display("  register %h", {r_word, 2'b00});
        fail("rdata", rdata[b], want[b]);
      end
      if (r_holding && rresp[b] !== 2'b00) fail("rresp", rresp[b], 0);
    end
  endtask

  // the small build plays its register descriptor in order after each start that runs it
  task check_played;
    if (desc[1][36] !== 1'b0) begin
      if (desc[1] !== {475'd0, 1'b1, m_play[3:0], m_old[m_play[3:0]]} || m_play > 15)
        fail("word played", desc[1][36:0], m_old[m_play[3:0]]);
      m_play = m_play + 1;
      played = played + 1;
    end
  endtask

  always @(posedge clk)
    if (rst) model_reset;
    else begin
      writing   = both && go_q;
      allowed   = !busy && !resetting && !stuck;
      exp_soft  = writing && wstrb == 4'hf && awaddr[11:2] == 10'h008 && wdata[1];
      exp_start = writing && wstrb == 4'hf && awaddr[11:2] == 10'h008 && wdata[0] && allowed
                  && !exp_soft;
      check_outputs;
      check_played;
      if (r_pending) begin
        want[0] = value(0, r_word);
        want[1] = value(1, r_word);
        reads = reads + 1;
      end
      if (r_holding && rready) r_holding = 0;
      if (r_pending) begin
        r_pending = 0;
        r_holding = 1;
      end else if (arvalid && arready[0]) begin
        r_pending = 1;
        r_word = araddr[11:2];
      end
      if (b_pending && bready) b_pending = 0;
      if (writing) b_pending = 1;
      if (writing && wstrb == 4'hf && awaddr[11:2] == 10'h008 && wdata[0] && !exp_start) begin
        m_refused = 1;
        refusals = refusals + 1;
      end
      if (done) m_done = 1;
      if (fault_valid && !m_fault) begin
        m_fault = 1; m_code = fault_code; m_sub = fault_sub; m_arg = fault_arg;
        m_instr = fault_instr; m_fdesc = fault_desc;
        faults = faults + 1;
      end
      if (busy) m_cycles = m_cycles + 1;
      for (k = 0; k < 16; k = k + 1) m_old[k] = m_desc[16 + k];
      if (writing && wstrb == 4'hf && allowed) model_write;
      if (exp_start) begin
        m_play = m_count[1] == 0 ? 0 : 16;
        m_done = 0; m_fault = 0; m_refused = 0; m_code = 0; m_sub = 0; m_arg = 0; m_fdesc = 0;
        m_instr = 0; m_cycles = 0;
        starts = starts + 1;
      end
    end

  // ---- a core that runs for a while after each start, faults now and then, resets, gets stuck ---
  integer left;
  always @(posedge clk) begin
    done <= 1'b0;
    fault_valid <= busy && $unsigned($random(crng)) % 16 == 0;
    fault_code  <= 1 + $unsigned($random(crng)) % 24;
    fault_sub   <= $random(crng);
    fault_arg   <= $random(crng);
    fault_instr <= $random(crng);
    fault_desc  <= $random(crng);
    desc_done   <= $random(crng);
    event_sat   <= $random(crng);
    event_wrap  <= $random(crng);
    if (start[0]) begin
      busy <= 1'b1;
      left <= 5 + $unsigned($random(crng)) % 60;
    end else if (busy) begin
      left <= left - 1;
      if (left == 0) begin
        busy <= 1'b0;
        done <= 1'b1;
      end
    end
    resetting <= $unsigned($random(crng)) % 16 == 0;
    stuck     <= $unsigned($random(crng)) % 64 == 0;
    if (rst) begin
      busy <= 1'b0; done <= 1'b0; fault_valid <= 1'b0; resetting <= 1'b0; stuck <= 1'b0;
    end
  end

  // ---- masters: one writes, one reads, each as late as it likes ---------------------------------
  task write_once;
    begin
      case ($unsigned($random(wrng)) % 8)
        0, 1: awaddr <= 12'h020;
        2, 3: awaddr <= 12'h040 + 4 * ($unsigned($random(wrng)) % 16);
        4, 5: awaddr <= 12'h028 + 4 * ($unsigned($random(wrng)) % 3);
        6:    awaddr <= 4 * ($unsigned($random(wrng)) % 48);
        default: awaddr <= $random(wrng);
      endcase
      case ($unsigned($random(wrng)) % 4)
        0: wdata <= $unsigned($random(wrng)) % 4;
        1: wdata <= $unsigned($random(wrng)) % 3 == 0 ? 32'd0
                    : 32'd1 << ($unsigned($random(wrng)) % 32);
        default: wdata <= $random(wrng);
      endcase
      wstrb <= $unsigned($random(wrng)) % 8 == 0 ? $random(wrng) : 4'hf;
      case ($unsigned($random(wrng)) % 3)
        0: awvalid <= 1'b1;
        1: wvalid  <= 1'b1;
        default: ;
      endcase
      repeat ($unsigned($random(wrng)) % 3) @(posedge clk);
      awvalid <= 1'b1; wvalid <= 1'b1;
      @(posedge clk);
      while (awvalid && !awready[0]) @(posedge clk);
      awvalid <= 1'b0; wvalid <= 1'b0;
      repeat ($unsigned($random(wrng)) % 8) @(posedge clk);
    end
  endtask

  always @(posedge clk)
    if (rst) begin
      arvalid <= 1'b0; rready <= 1'b0; bready <= 1'b0;
    end else begin
      bready <= $unsigned($random(rrng)) % 3 == 0;
      if (!arvalid || arready[0]) begin
        arvalid <= $random(rrng);
        case ($unsigned($random(rrng)) % 8)
          0: araddr <= 12'h024;
          1: araddr <= $random(rrng);
          2: araddr <= 12'h080 + 4 * ($unsigned($random(rrng)) % 10);
          default: araddr <= 4 * ($unsigned($random(rrng)) % 128);
        endcase
      end
      rready <= $random(rrng);
    end

  initial begin
    played = 0;
    seed = 1; errors = 0; reads = 0; starts = 0; refusals = 0; faults = 0;
    ok = $value$plusargs("seed=%d", seed);
    wrng = seed; rrng = seed + 1000; crng = seed + 2000;
    for (n = 0; n < 16; n = n + 1) begin
      g_dut[1].u_dut.g_desc_ram.u_desc.mem_q[n] = n;
      m_desc[16 + n] = n;
    end
    awvalid = 0; wvalid = 0; awaddr = 0; wdata = 0; wstrb = 4'hf;
    repeat (3) @(posedge clk);
    rst <= 1'b0;
    for (n = 0; n < WRITES; n = n + 1) begin
      if (n == WRITES / 2) begin
        rst <= 1'b1;
        @(posedge clk);
        rst <= 1'b0;
      end
      write_once;
    end
    if (reads < 5000 || starts < 40 || refusals < 60 || faults < 20 || played < 40) begin
      errors = errors + 1;
      $display("FAIL too little: %0d reads, %0d starts, %0d refused, %0d faults, %0d played", reads,
               starts, refusals, faults, played);
    end
    if (errors == 0) $display("PASS tb_ktpu_int8_ctrl seed=%0d", seed);
    else $display("FAIL tb_ktpu_int8_ctrl seed=%0d: %0d errors", seed, errors);
    $finish;
  end
endmodule
`default_nettype wire
