// SPDX-License-Identifier: Apache-2.0
// Control port of the int8 core: the AXI4-Lite registers of docs/int8-interface.md, start and soft
// reset, the status bits, the held fault and the cycle counter.
//
// AXI4-Lite: a write is taken when address and data are both there and no response is pending (so
// awready and wready depend on the valids; small and wide builds take it a cycle later), a read
// when none is outstanding; data follows two cycles later. With PIPELINE = 1 five cycles later, for
// a counter's value is long on its way, and the fault, CYCLES and the like are cleared in the cycle
// after the start. Every response is OKAY.
// A write acts on whole words: with a wstrb other than 1111 it is answered and ignored.
//
// start_o and soft_reset_o are strobes in the very cycle in which the CONTROL write is taken. A
// start while busy, resetting or stuck, or together with a soft reset, is refused (STATUS bit 3).
// The core raises busy_i after start_o and pulses done_i when a run is over; CYCLES counts the
// cycles with busy_i high since the accepted start (a 32-bit counter where ADDR_BITS <= 20, else
// 64).
//
// Small builds (STRIDES = 0) keep less. The register descriptor lies in block RAM, is not cleared
// by a reset, and is played to the list word by word after a start that runs it; a read of a word
// that is written in the same cycle may give either value. LIST_ADDR: the ADDR_BITS low bits.
// LIST_COUNT: values past what memory can hold keep their low bits under a leading 1. WATCHDOG: at
// most 2^20 - 1. FAULT_DESC is DESC_DONE while there is a fault: a run does not get past the
// descriptor that faults.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_int8_ctrl #(
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
  parameter integer PIPELINE     = 0,
  parameter [31:0]  CONFIG_HASH  = 32'd0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  input  wire [11:0]          s_axil_awaddr,
  input  wire                 s_axil_awvalid,
  output wire                 s_axil_awready,
  input  wire [31:0]          s_axil_wdata,
  input  wire [3:0]           s_axil_wstrb,
  input  wire                 s_axil_wvalid,
  output wire                 s_axil_wready,
  output wire [1:0]           s_axil_bresp,
  output wire                 s_axil_bvalid,
  input  wire                 s_axil_bready,
  input  wire [11:0]          s_axil_araddr,
  input  wire                 s_axil_arvalid,
  output wire                 s_axil_arready,
  output wire [31:0]          s_axil_rdata,
  output wire [1:0]           s_axil_rresp,
  output wire                 s_axil_rvalid,
  input  wire                 s_axil_rready,

  output wire                 start_o,
  output wire                 soft_reset_o,
  output wire                 clear_o,      // what was counted in the run before goes
  output wire [ADDR_BITS-1:0] list_addr_o,
  output wire [31:0]          list_count_o,
  output wire [31:0]          watchdog_o,
  output wire [511:0]         desc_o,       // register descriptor, word i at 32*i +: 32; small
                                            // builds: {valid, word number, word}, the rest 0

  input  wire                 busy_i,
  input  wire                 resetting_i,
  input  wire                 stuck_i,
  input  wire                 done_i,
  input  wire                 fault_valid_i,
  input  wire [7:0]           fault_code_i,
  input  wire [7:0]           fault_sub_i,
  input  wire [31:0]          fault_arg_i,
  input  wire [15:0]          fault_instr_i,
  input  wire [31:0]          fault_desc_i,
  input  wire [31:0]          desc_done_i,
  input  wire [31:0]          event_sat_i,
  input  wire [31:0]          event_wrap_i,

  output wire [5:0]           cnt_addr_o,   // {unit, state}, held while the read is answered
  input  wire [31:0]          cnt_data_i
);
  `include "ktpu_tinytpu.vh"

  localparam integer BUS_BYTES = BUS_BITS / 8;
  localparam integer CYC_BITS  = ADDR_BITS > 20 ? 64 : 32;
  localparam integer COUNT_BITS = STRIDES != 0 ? 32 : ADDR_BITS - 4;  // memory: 2^(ADDR_BITS-6)
  localparam integer DOG_BITS  = STRIDES != 0 ? 32 : 20;
  localparam integer CODE_BITS = STRIDES != 0 ? 8 : 5;
  localparam integer SUB_BITS  = STRIDES != 0 ? 8 : 7;
  localparam [31:0] DOG_RESET  = KT_REG_WATCHDOG_RESET;
  localparam [31:0] FEATURES = {28'd0, SERIAL_SHIFT != 0, COUNTERS != 0, CONTRACTS != 0,
                                STRIDES != 0};
  localparam [31:0] PARAM0 = {BUS_BYTES[11:0], MAXDIM[11:0], T[7:0]};
  localparam [31:0] PARAM1 = {NVR[15:0], SPAD_ROWS[15:0]};
  localparam [31:0] PARAM2 = {IMEM_SIZE[15:0], NAR[15:0]};
  localparam [31:0] PARAM3 = {8'd0, ADDR_BITS[7:0], OUTSTANDING[7:0], QD[7:0]};

  generate
    if (ADDR_BITS < 12 || ADDR_BITS > 32) begin : g_bad_addr_bits
      ktpu_param_error_ctrl_addr_bits_must_be_12_to_32 u_stop ();
    end
  endgenerate

  // ---- write side -----------------------------------------------------------------------------
  wire        write;                       // a write is taken, of a whole word for
  wire        at_control, at_list_addr, at_list_count, at_watchdog, at_desc;
  wire [31:0] wdata      = s_axil_wdata;
  wire        wdata_any  = |wdata;
  wire        idle       = !busy_i && !resetting_i && !stuck_i;
  ktpu_int8_axil_write #(.LATE((STRIDES == 0 || PIPELINE != 0) ? 1 : 0)) u_write (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .write_o(write),
    .at_o({at_control, at_list_addr, at_list_count, at_watchdog, at_desc})
  );

  wire write_control = write && at_control;
  wire write_config  = write && idle;
  wire start_wanted  = write_control && wdata[0];
  assign soft_reset_o = write_control && wdata[1];
  assign start_o      = start_wanted && idle && !soft_reset_o;

  // ---- configuration --------------------------------------------------------------------------
  reg [ADDR_BITS-1:0]  list_addr_q;
  reg [COUNT_BITS-1:0] list_count_q;
  reg [DOG_BITS-1:0]   watchdog_q;
  wire [COUNT_BITS-1:0] list_count_d;
  wire [DOG_BITS-1:0]   watchdog_d;

  always @(posedge clk_i) begin
    if (write_config && at_list_addr)  list_addr_q  <= wdata[ADDR_BITS-1:0];
    if (write_config && at_list_count) list_count_q <= list_count_d;
    if (write_config && at_watchdog)   watchdog_q   <= watchdog_d;
    if (rst_i) begin
      list_addr_q  <= {ADDR_BITS{1'b0}};
      list_count_q <= {COUNT_BITS{1'b0}};
      watchdog_q   <= DOG_RESET[DOG_BITS-1:0];
    end
  end

  wire [31:0] dog_write = {wdata[31:1], wdata[0] || !wdata_any};     // 0 is taken as 1
  generate
    if (STRIDES != 0) begin : g_wide
      assign list_count_d = wdata;
      assign watchdog_d   = dog_write;
      assign list_count_o = list_count_q;
      assign watchdog_o   = watchdog_q;
    end else begin : g_narrow
      assign list_count_d = {|wdata[31:COUNT_BITS-1], wdata[COUNT_BITS-2:0]};
      assign watchdog_d   = (|dog_write[31:DOG_BITS]) ? {DOG_BITS{1'b1}} : dog_write[DOG_BITS-1:0];
      assign list_count_o = {{(32-COUNT_BITS){1'b0}}, list_count_q};
      assign watchdog_o   = {{(32-DOG_BITS){1'b0}}, watchdog_q};
    end
  endgenerate
  assign list_addr_o = list_addr_q;

  wire        write_desc = write_config && at_desc;
  wire        ar_hs      = s_axil_arvalid && s_axil_arready;
  reg  [9:0]  raddr_q;
  wire        waiting;                     // PIPELINE: its word is not looked at yet
  reg         address_q;                   // an address has come
  wire [31:0] desc_read;                   // the word of raddr_q, from the cycle after it came
  genvar w;
  generate
    if (STRIDES != 0) begin : g_desc_words
      wire [36:0] now = {write_desc, s_axil_awaddr[5:2], wdata};
      reg  [36:0] late_q;                // PIPELINE: a word is written a cycle later
      always @(posedge clk_i) late_q <= now;
      wire [36:0] put = (PIPELINE != 0) ? late_q : now;
      for (w = 0; w < 16; w = w + 1) begin : g_desc
        reg [31:0] word_q;
        always @(posedge clk_i)
          if (rst_i || (put[36] && put[35:32] == w)) word_q <= rst_i ? 32'd0 : put[31:0];
        assign desc_o[32*w +: 32] = word_q;
      end
      assign desc_read = desc_o[{raddr_q[3:0], 5'd0} +: 32];
      wire unused_ar = &{1'b0, ar_hs};
    end else begin : g_desc_ram
      reg       play_q;                    // words are still to be played
      reg       valid_q;                   // one has been read for the list
      reg [3:0] next_q, word_q;
      wire      reading_it = ar_hs || (PIPELINE != 0 && (address_q || waiting));
      wire      step = play_q && !reading_it;   // reads of the port go first
      reg [1:0] started_q;
      wire      begin_play = (PIPELINE != 0) ? started_q[1] : start_o;   // out of the list's reset
      always @(posedge clk_i) started_q <= rst_i ? 2'b00 : {started_q[0], start_o};
      always @(posedge clk_i) begin
        valid_q <= step && !begin_play;
        if (step && (&next_q)) play_q <= 1'b0;
        if (begin_play) play_q <= list_count_q == {COUNT_BITS{1'b0}};
        if (rst_i) begin
          play_q  <= 1'b0;
          valid_q <= 1'b0;
        end
      end
      always @(posedge clk_i) begin
        if (begin_play) next_q <= 4'd0;
        else if (step) next_q <= next_q + 4'd1;
        word_q <= next_q;
      end
      ktpu_ram_sdp #(.WIDTH(32), .DEPTH(16)) u_desc (
        .clk_i(clk_i), .we_i(write_desc), .waddr_i(s_axil_awaddr[5:2]), .wdata_i(wdata),
        .re_i(1'b1), .raddr_i(ar_hs ? s_axil_araddr[5:2] : reading_it ? raddr_q[3:0] : next_q),
        .rdata_o(desc_read)
      );
      assign desc_o = {475'd0, valid_q, word_q, desc_read};
    end
  endgenerate

  // ---- status, held fault, cycles ---------------------------------------------------------------
  reg                done_q;
  reg                fault_q;
  reg                refused_q;
  reg [CODE_BITS-1:0] fault_code_q;
  reg [SUB_BITS-1:0] fault_sub_q;
  reg [31:0]         fault_arg_q;
  reg [15:0]         fault_instr_q;
  wire [31:0]        fault_desc;
  reg [CYC_BITS-1:0] cycles_q;
  wire [63:0]        cycles;

  wire         clear, counts;              // CYCLES counts
  wire         fault_now;
  wire [95:0]  finding;                    // descriptor, instruction, argument, part, code
  wire [95:0]  finding_i = {fault_desc_i, fault_instr_i, fault_arg_i, fault_sub_i, fault_code_i};
  generate
    if (PIPELINE != 0) begin : g_record_late
      reg        start_q, busy_q, fault_valid_q;
      reg [95:0] finding_q;
      always @(posedge clk_i) begin
        start_q       <= start_o;
        busy_q        <= busy_i;
        fault_valid_q <= fault_valid_i && !rst_i;
        finding_q     <= finding_i;
      end
      assign clear     = start_q;
      assign counts    = busy_q;
      assign fault_now = fault_valid_q;
      assign finding   = finding_q;
    end else begin : g_record
      assign clear     = start_o;
      assign counts    = busy_i;
      assign fault_now = fault_valid_i;
      assign finding   = finding_i;
    end
  endgenerate
  assign clear_o = clear;
  always @(posedge clk_i) begin
    if (done_i) done_q <= 1'b1;
    if (start_wanted && !start_o) refused_q <= 1'b1;
    if (fault_now && !fault_q) begin
      fault_q       <= 1'b1;
      fault_code_q  <= finding[CODE_BITS-1:0];
      fault_sub_q   <= finding[8 +: SUB_BITS];
      fault_arg_q   <= finding[47:16];
      fault_instr_q <= finding[63:48];
    end
    if (counts) cycles_q <= cycles_q + {{(CYC_BITS-1){1'b0}}, 1'b1};
    if (clear || rst_i) begin
      done_q        <= 1'b0;
      fault_q       <= 1'b0;
      refused_q     <= 1'b0;
      fault_code_q  <= {CODE_BITS{1'b0}};
      fault_sub_q   <= {SUB_BITS{1'b0}};
      fault_arg_q   <= 32'd0;
      fault_instr_q <= 16'd0;
      cycles_q      <= {CYC_BITS{1'b0}};
    end
  end

  generate
    if (STRIDES != 0) begin : g_fault_desc
      reg [31:0] fault_desc_q;
      always @(posedge clk_i)
        if (clear || rst_i) fault_desc_q <= 32'd0;
        else if (fault_now && !fault_q) fault_desc_q <= finding[95:64];
      assign fault_desc = fault_desc_q;
    end else begin : g_fault_desc_done
      wire unused_fault = &{1'b0, finding};
      assign fault_desc = desc_done_i & {32{fault_q}};
    end
    if (CYC_BITS == 64) begin : g_cycles_64
      assign cycles = cycles_q;
    end else begin : g_cycles_32
      assign cycles = {32'd0, cycles_q};
    end
  endgenerate

  // ---- read side: address, then data, each a register -------------------------------------------
  wire        reading;                   // its data comes next
  reg         rvalid_q;
  reg [31:0]  rdata_q;
  wire [31:0] list_addr_ext;
  assign s_axil_arready = !address_q && !waiting && !rvalid_q;
  generate
    if (PIPELINE != 0) begin : g_later
      reg [2:0] later_q;
      always @(posedge clk_i) later_q <= rst_i ? 3'd0 : {later_q[1:0], address_q};
      assign waiting = later_q != 3'd0;
      assign reading = later_q[2];
      (* keep *) reg [5:0] cnt_addr_q;   // not one with raddr_q: the counters are far from it
      always @(posedge clk_i) if (s_axil_arready) cnt_addr_q <= s_axil_araddr[7:2];
      assign cnt_addr_o = cnt_addr_q;
    end else begin : g_next
      assign waiting = 1'b0;
      assign reading = address_q;
      assign cnt_addr_o = raddr_q[5:0];
    end
  endgenerate
  assign s_axil_rvalid  = rvalid_q;
  assign s_axil_rdata   = rdata_q;
  assign s_axil_rresp   = 2'b00;

  generate
    if (ADDR_BITS == 32) begin : g_list_32
      assign list_addr_ext = list_addr_q;
    end else begin : g_list_short
      assign list_addr_ext = {{(32-ADDR_BITS){1'b0}}, list_addr_q};
    end
  endgenerate
  reg  [31:0] word;
  wire [31:0] word_read;                   // PIPELINE: a cycle before it is wanted
  always @*
    case (raddr_q)
      KT_REG_MAGIC[11:2]:        word = KT_MAGIC;
      KT_REG_SPEC_VERSION[11:2]: word = KT_SPEC_VERSION;
      KT_REG_CONFIG_HASH[11:2]:  word = CONFIG_HASH;
      KT_REG_FEATURES[11:2]:     word = FEATURES;
      KT_REG_PARAM0[11:2]:       word = PARAM0;
      KT_REG_PARAM1[11:2]:       word = PARAM1;
      KT_REG_PARAM2[11:2]:       word = PARAM2;
      KT_REG_PARAM3[11:2]:       word = PARAM3;
      KT_REG_STATUS[11:2]:       word = {26'd0, stuck_i, resetting_i, refused_q, fault_q,
                                         done_q, busy_i};
      KT_REG_LIST_ADDR[11:2]:    word = list_addr_ext;
      KT_REG_LIST_COUNT[11:2]:   word = list_count_o;
      KT_REG_WATCHDOG[11:2]:     word = watchdog_o;
      KT_REG_FAULT[11:2]:        word = {{(24-SUB_BITS){1'b0}}, fault_sub_q,
                                         {(8-CODE_BITS){1'b0}}, fault_code_q};
      KT_REG_FAULT_ARG[11:2]:    word = fault_arg_q;
      KT_REG_FAULT_INSTR[11:2]:  word = {16'd0, fault_instr_q};
      KT_REG_FAULT_DESC[11:2]:   word = fault_desc;
      KT_REG_CYCLES_LO[11:2]:    word = cycles[31:0];
      KT_REG_CYCLES_HI[11:2]:    word = cycles[63:32];
      KT_REG_DESC_DONE[11:2]:    word = desc_done_i;
      KT_REG_EVENT_SAT[11:2]:    word = event_sat_i;
      KT_REG_EVENT_WRAP[11:2]:   word = event_wrap_i;
      default:                   word = 32'd0;
    endcase
  generate
    if (PIPELINE != 0) begin : g_word_late
      reg [31:0] word_q;
      always @(posedge clk_i) word_q <= word;
      assign word_read = word_q;
    end else begin : g_word
      assign word_read = word;
    end
  endgenerate
  always @(posedge clk_i)
    if (reading) begin
      if (raddr_q[9:6] == KT_REG_COUNT[11:8])     rdata_q <= cnt_data_i;
      else if (raddr_q[9:4] == KT_REG_DESC[11:6]) rdata_q <= desc_read;
      else                                        rdata_q <= word_read;
    end

  always @(posedge clk_i) begin
    address_q <= s_axil_arvalid && s_axil_arready;
    if (reading) rvalid_q <= 1'b1;
    else if (s_axil_rready) rvalid_q <= 1'b0;
    if (rst_i) begin
      address_q <= 1'b0;
      rvalid_q  <= 1'b0;
    end
  end

  always @(posedge clk_i)
    if (s_axil_arready) raddr_q <= s_axil_araddr[11:2];

  wire unused_ok = &{1'b0, s_axil_araddr[1:0]};

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(!(start_o && busy_i), "a start was accepted while busy")
      `KTPU_CHECK(!fault_valid_i || fault_code_i != 8'd0, "a fault without a code")
    end
`endif
endmodule
`default_nettype wire
