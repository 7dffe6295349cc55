// SPDX-License-Identifier: Apache-2.0
// The int8 GEMM core: executes TinyTPU-isa programs named by descriptors. One AXI4-Lite port to
// control it, one AXI4 master to memory. docs/int8-interface.md is the contract, docs/int8-core.md
// tells how the parts below work together.
`default_nettype none
module ktpu_int8 #(
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
  input  wire                  clk_i,
  input  wire                  rst_i,

  input  wire [11:0]           s_axil_awaddr,
  input  wire                  s_axil_awvalid,
  output wire                  s_axil_awready,
  input  wire [31:0]           s_axil_wdata,
  input  wire [3:0]            s_axil_wstrb,
  input  wire                  s_axil_wvalid,
  output wire                  s_axil_wready,
  output wire [1:0]            s_axil_bresp,
  output wire                  s_axil_bvalid,
  input  wire                  s_axil_bready,
  input  wire [11:0]           s_axil_araddr,
  input  wire                  s_axil_arvalid,
  output wire                  s_axil_arready,
  output wire [31:0]           s_axil_rdata,
  output wire [1:0]            s_axil_rresp,
  output wire                  s_axil_rvalid,
  input  wire                  s_axil_rready,

  output wire [ADDR_BITS-1:0]  m_axi_araddr,
  output wire [7:0]            m_axi_arlen,
  output wire [2:0]            m_axi_arsize,
  output wire [1:0]            m_axi_arburst,
  output wire                  m_axi_arvalid,
  input  wire                  m_axi_arready,
  input  wire [BUS_BITS-1:0]   m_axi_rdata,
  input  wire [1:0]            m_axi_rresp,
  input  wire                  m_axi_rlast,
  input  wire                  m_axi_rvalid,
  output wire                  m_axi_rready,
  output wire [ADDR_BITS-1:0]  m_axi_awaddr,
  output wire [7:0]            m_axi_awlen,
  output wire [2:0]            m_axi_awsize,
  output wire [1:0]            m_axi_awburst,
  output wire                  m_axi_awvalid,
  input  wire                  m_axi_awready,
  output wire [BUS_BITS-1:0]   m_axi_wdata,
  output wire [BUS_BITS/8-1:0] m_axi_wstrb,
  output wire                  m_axi_wlast,
  output wire                  m_axi_wvalid,
  input  wire                  m_axi_wready,
  input  wire [1:0]            m_axi_bresp,
  input  wire                  m_axi_bvalid,
  output wire                  m_axi_bready,

  output wire                  busy_o,
  output wire                  done_o
);
  `include "ktpu_tinytpu.vh"

  localparam integer BB       = BUS_BITS / 8;
  localparam integer TB       = $clog2(T);
  localparam integer MAX_VS   = (SPAD_ROWS > NVR) ? SPAD_ROWS : NVR;
  localparam integer MAX_ROWS = (MAX_VS > NAR) ? MAX_VS : NAR;
  localparam integer RW       = (MAX_ROWS > 128) ? $clog2(MAX_ROWS) : 7;
  localparam integer EW       = RW + 1;
  // small builds keep ar in one memory: two would take twice the block RAMs of an iCE40
  localparam integer AR_BANKS = (SERIAL_SHIFT != 0) ? 1 : 2;
  localparam integer ROW_BITS = (MAXDIM > 2) ? $clog2(MAXDIM) : 2;
  localparam integer CB_BITS  = (MAXDIM > 2*T) ? $clog2(MAXDIM / T) : 1;
  localparam integer AW       = $clog2(IMEM_SIZE);
  // The smallest builds: rows lie at {row, column block}, counters take the place of address
  // arithmetic, and everything behind the sequencer is the small form of it.
  localparam integer SMALL    = (SERIAL_SHIFT != 0 && STRIDES == 0 && CONTRACTS == 0 && QD == 2 &&
                                 CB_BITS + TB == ROW_BITS && (1 << ROW_BITS) == MAXDIM &&
                                 BB >= T) ? 1 : 0;
  // Wide arrays need more logic a step and take more cycles a row block: there registers cut every
  // long path, for some twenty cycles a program (docs/decisions/ecp5-clock.md).
  localparam integer PIPELINE = (T > 4 && SERIAL_SHIFT == 0) ? 1 : 0;
  localparam integer WAYS     = (PIPELINE != 0) ? 3 : 1;       // as in ktpu_int8_hazard
  localparam integer LANE_BITS = (BB > T) ? $clog2(BB / T) : 1;
  localparam integer SAW      = (SPAD_ROWS <= 1) ? 1 : $clog2(SPAD_ROWS);
  localparam integer VAW      = (NVR <= 1) ? 1 : $clog2(NVR);

  generate
    if (T != 4 && T != 8 && T != 16) begin : g_bad_t
      ktpu_param_error_t_must_be_4_8_or_16 u_stop ();
    end
    if (MAXDIM % T != 0 || MAXDIM < T) begin : g_bad_maxdim
      ktpu_param_error_maxdim_must_be_a_multiple_of_t u_stop ();
    end
    if ((MAXDIM / T) * MAXDIM > 2048) begin : g_bad_operand_rows
      ktpu_param_error_operand_rows_beyond_2048 u_stop ();
    end
    if (SPAD_ROWS > 2048 || NVR > 2048 || NAR > 2048) begin : g_bad_depth
      ktpu_param_error_memory_depth_beyond_2048 u_stop ();
    end
    if (SPAD_ROWS < (MAXDIM / T) * MAXDIM || NVR < (MAXDIM / T) * MAXDIM) begin : g_bad_operand
      ktpu_param_error_operand_memory_smaller_than_the_layout u_stop ();
    end
    if (NAR < 2*MAXDIM + 2) begin : g_bad_nar
      ktpu_param_error_nar_below_2_maxdim_plus_2 u_stop ();
    end
    if (IMEM_SIZE % 8 != 0 || IMEM_SIZE < 16 || IMEM_SIZE > 1024) begin : g_bad_imem
      ktpu_param_error_imem_size_must_be_a_multiple_of_8_in_16_to_1024 u_stop ();
    end
    if (QD < 2 || QD > 64) begin : g_bad_qd
      ktpu_param_error_qd_must_be_2_to_64 u_stop ();
    end
    if (BUS_BITS != 64 && BUS_BITS != 128 && BUS_BITS != 256) begin : g_bad_bus
      ktpu_param_error_bus_bits_must_be_64_128_or_256 u_stop ();
    end
    if (OUTSTANDING < 2 || OUTSTANDING > 255) begin : g_bad_outstanding
      ktpu_param_error_outstanding_must_be_2_to_255 u_stop ();
    end
    if (ADDR_BITS < 16 || ADDR_BITS > 32) begin : g_bad_addr
      ktpu_param_error_addr_bits_must_be_16_to_32 u_stop ();
    end
  endgenerate

  // ---- the bus behind its port
  wire [ADDR_BITS-1:0]  bus_araddr, bus_awaddr;
  wire                  bus_arvalid, bus_arready, bus_rvalid, bus_rready, bus_awvalid, bus_awready;
  wire                  bus_wvalid, bus_wready, bus_wlast, bus_bvalid;
  wire [BUS_BITS-1:0]   bus_rdata, bus_wdata;
  wire [1:0]            bus_rresp, bus_bresp;
  wire [7:0]            bus_awlen;
  wire [BUS_BITS/8-1:0] bus_wstrb;
  ktpu_int8_port #(.BUS_BITS(BUS_BITS), .ADDR_BITS(ADDR_BITS), .PIPELINE(PIPELINE)) u_port (
    .clk_i(clk_i), .rst_i(rst_i),
    .bus_araddr(bus_araddr), .bus_arvalid(bus_arvalid), .bus_arready(bus_arready),
    .bus_rdata(bus_rdata), .bus_rresp(bus_rresp), .bus_rvalid(bus_rvalid),
    .bus_rready(bus_rready), .bus_awaddr(bus_awaddr), .bus_awlen(bus_awlen),
    .bus_awvalid(bus_awvalid), .bus_awready(bus_awready), .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb), .bus_wlast(bus_wlast), .bus_wvalid(bus_wvalid),
    .bus_wready(bus_wready), .bus_bresp(bus_bresp), .bus_bvalid(bus_bvalid),
    .m_axi_araddr(m_axi_araddr), .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
    .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rvalid(m_axi_rvalid),
    .m_axi_rready(m_axi_rready), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen),
    .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_wdata(m_axi_wdata),
    .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid),
    .m_axi_wready(m_axi_wready), .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid)
  );

  // ---- control
  wire                 start, clear, soft_reset, busy, idle, halt, abort, done, resetting, stuck;
  wire [ADDR_BITS-1:0] list_addr;
  wire [31:0]          list_count, watchdog, list_index, count_data;
  wire [511:0]         reg_desc;
  wire [5:0]           count_addr;
  wire                 fault_valid;
  wire [7:0]           fault_code, fault_sub;
  wire [31:0]          fault_arg;
  wire [15:0]          fault_instr;
  localparam integer EVENT_BITS = (COUNTERS != 0) ? 32 : 16;     // small builds count to 65535
  wire [31:0]          event_sat, event_wrap;
  ktpu_int8_ctrl #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .IMEM_SIZE(IMEM_SIZE),
    .QD(QD), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING), .CONTRACTS(CONTRACTS),
    .STRIDES(STRIDES), .COUNTERS(COUNTERS), .SERIAL_SHIFT(SERIAL_SHIFT), .ADDR_BITS(ADDR_BITS),
    .PIPELINE(PIPELINE), .CONFIG_HASH(CONFIG_HASH)
  ) u_ctrl (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
    .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
    .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
    .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
    .s_axil_rready(s_axil_rready),
    .start_o(start), .soft_reset_o(soft_reset), .clear_o(clear), .list_addr_o(list_addr),
    .list_count_o(list_count), .watchdog_o(watchdog), .desc_o(reg_desc),
    .busy_i(busy), .resetting_i(resetting), .stuck_i(stuck), .done_i(done),
    .fault_valid_i(fault_valid), .fault_code_i(fault_code), .fault_sub_i(fault_sub),
    .fault_arg_i(fault_arg), .fault_instr_i(fault_instr), .fault_desc_i(list_index),
    .desc_done_i(list_done_q), .event_sat_i(event_sat), .event_wrap_i(event_wrap),
    .cnt_addr_o(count_addr), .cnt_data_i(count_data)
  );
  assign busy_o = busy;
  assign done_o = done;

  wire unit_rst, stop;

  // ---- run
  wire        seq_fault, list_fault, read_error;
  wire [7:0]  seq_code, seq_sub, list_code, list_sub;
  wire [31:0] seq_arg, list_arg;
  wire [15:0] seq_instr;
  wire [1:0]  read_error_who, read_resp;
  wire        complete, all_quiet, bus_quiet, progress;
  wire [6:0]  waiting;
  wire        b_error = bus_bvalid && bus_bresp != 2'b00 && !abort;
  ktpu_int8_run #(.PIPELINE(PIPELINE)) u_run (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(start), .soft_reset_i(soft_reset),
    .watchdog_i(watchdog), .progress_i(progress), .waiting_i(waiting),
    .complete_i(complete), .quiet_i(all_quiet), .bus_quiet_i(bus_quiet),
    .seq_fault_i(seq_fault), .seq_code_i(seq_code), .seq_sub_i(seq_sub), .seq_arg_i(seq_arg),
    .seq_instr_i(seq_instr),
    .desc_fault_i(list_fault), .desc_code_i(list_code), .desc_sub_i(list_sub),
    .desc_arg_i(list_arg),
    .read_error_i(read_error), .read_resp_i(read_resp), .read_who_i(read_error_who),
    .write_error_i(b_error), .write_resp_i(bus_bresp),
    .busy_o(busy), .idle_o(idle), .halt_o(halt), .abort_o(abort), .done_q(done),
    .resetting_o(resetting), .stuck_o(stuck),
    .fault_valid_o(fault_valid), .fault_code_o(fault_code), .fault_sub_o(fault_sub),
    .fault_arg_o(fault_arg), .fault_instr_o(fault_instr)
  );

  generate
    if (PIPELINE != 0) begin : g_late_reset
      reg unit_rst_q = 1'b1;             // also before the first clock
      reg held_q;                          // two cycles after the run has begun
      always @(posedge clk_i) held_q <= idle;
      always @(posedge clk_i) unit_rst_q <= rst_i || idle || abort || held_q;
      assign unit_rst = unit_rst_q;
      assign stop     = halt || idle;
    end else begin : g_reset
      assign unit_rst = rst_i || idle || abort;
      assign stop     = halt;
    end
  endgenerate

  // ---- descriptors
  wire                   desc_ar_valid, desc_ar_ready, desc_rvalid, prog_rvalid;
  wire [BUS_BITS-1:0]    fetched;
  wire [ADDR_BITS-1:0]   desc_ar_addr;
  wire                   load_valid, load_ready, load_slot;
  wire [ADDR_BITS-1:0]   load_addr;
  wire [AW:0]            load_words;
  wire                   run, run_slot, run_fresh, run_done, all_run, list_waiting;
  wire [2*ADDR_BITS-1:0] base_a, base_b, base_c;
  wire [31:0]            stride_a, stride_b, stride_c;
  wire [1:0]             ctx_wide, ctx_shifted, ctx_busy;
  wire [9:0]             ctx_shift;
  wire                   fence_quiet;
  ktpu_int8_list #(
    .T(T), .MAXDIM(MAXDIM), .IMEM_SIZE(IMEM_SIZE), .BUS_BITS(BUS_BITS), .STRIDES(STRIDES),
    .ADDR_BITS(ADDR_BITS), .AW(AW), .PIPELINE(PIPELINE)
  ) u_list (
    .clk_i(clk_i), .rst_i(unit_rst), .stop_i(stop),
    .list_addr_i(list_addr), .list_count_i(list_count), .desc_i(reg_desc),
    .ar_valid_o(desc_ar_valid), .ar_ready_i(desc_ar_ready), .ar_addr_o(desc_ar_addr),
    .r_valid_i(desc_rvalid), .r_data_i(fetched),
    .load_valid_o(load_valid), .load_ready_i(load_ready), .load_addr_o(load_addr),
    .load_words_o(load_words), .load_slot_o(load_slot),
    .run_o(run), .run_slot_o(run_slot), .run_fresh_o(run_fresh),
    .run_done_i(run_done), .quiet_i(fence_quiet),
    .base_a_o(base_a), .base_b_o(base_b), .base_c_o(base_c),
    .stride_a_o(stride_a), .stride_b_o(stride_b), .stride_c_o(stride_c),
    .wide_o(ctx_wide), .shifted_o(ctx_shifted), .shift_o(ctx_shift), .ctx_busy_i(ctx_busy),
    .fault_valid_o(list_fault), .fault_code_o(list_code), .fault_sub_o(list_sub),
    .fault_arg_o(list_arg), .index_o(list_index), .all_run_o(all_run), .waiting_o(list_waiting)
  );
  reg [31:0] list_done_q;                 // index_o kept after the units are reset
  always @(posedge clk_i)
    if (clear) list_done_q <= 32'd0;
    else if (!idle && !abort) list_done_q <= run_done ? list_index + 32'd1 : list_index;

  // ---- programs and the sequencer
  wire                 prog_ar_valid, prog_ar_ready, prog_urgent;
  wire [ADDR_BITS-1:0] prog_ar_addr;
  wire        ld_valid, ld_ready, ex_valid, ex_ready, st_valid, st_ready, seq_step;
  wire [5:0]  op;
  wire [43:0] field;
  wire [6:0]  nr;
  wire [2:0]  seq_state;
  localparam integer SMALL_SEQ = (SERIAL_SHIFT != 0 && CONTRACTS == 0 && BUS_BITS == 64) ? 1 : 0;
  generate
    if (SMALL_SEQ != 0) begin : g_small_seq
      localparam integer WB = $clog2(IMEM_SIZE + 1);
      wire [WB-2:0] run_pairs;
      wire [WB-1:0] want, im_addr;
      wire          here, hdr_avail, im_re;
      wire [63:0]   im_data;
      ktpu_int8_prog_small #(
        .ADDR_BITS(ADDR_BITS), .AW(AW), .WB(WB)
      ) u_prog (
        .clk_i(clk_i), .rst_i(unit_rst),
        .load_valid_i(load_valid), .load_ready_o(load_ready), .load_addr_i(load_addr),
        .load_words_i(load_words), .load_slot_i(load_slot),
        .run_slot_i(run_slot), .seq_busy_i(run), .run_pairs_o(run_pairs), .want_i(want),
        .here_o(here), .hdr_avail_o(hdr_avail),
        .ar_valid_o(prog_ar_valid), .ar_ready_i(prog_ar_ready), .ar_addr_o(prog_ar_addr),
        .ar_urgent_o(prog_urgent), .r_valid_i(prog_rvalid), .r_data_i(fetched),
        .im_re_i(im_re), .im_addr_i(im_addr), .im_data_o(im_data)
      );
      ktpu_int8_seq_small #(
        .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .WB(WB)
      ) u_seq (
        .clk_i(clk_i), .rst_core_i(rst_i), .rst_i(unit_rst), .run_i(run), .end_i(run_pairs),
        .here_i(here), .hdr_avail_i(hdr_avail), .done_o(run_done), .want_o(want),
        .im_re_o(im_re), .im_addr_o(im_addr), .im_data_i(im_data),
        .ld_valid_o(ld_valid), .ld_ready_i(ld_ready), .ex_valid_o(ex_valid), .ex_ready_i(ex_ready),
        .st_valid_o(st_valid), .st_ready_i(st_ready), .op_o(op), .field_o(field), .nr_o(nr),
        .fault_valid_o(seq_fault), .fault_code_o(seq_code), .fault_sub_o(seq_sub),
        .fault_arg_o(seq_arg), .fault_instr_o(seq_instr), .state_o(seq_state), .step_o(seq_step)
      );
      wire unused_fresh = &{1'b0, run_fresh};
    end else begin : g_seq
      ktpu_int8_front #(
        .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .IMEM_SIZE(IMEM_SIZE),
        .BUS_BITS(BUS_BITS), .CONTRACTS(CONTRACTS), .SERIAL_AGU(SERIAL_SHIFT),
        .ADDR_BITS(ADDR_BITS), .AW(AW), .PIPELINE(PIPELINE)
      ) u_front (
        .clk_i(clk_i), .rst_i(unit_rst),
        .load_valid_i(load_valid), .load_ready_o(load_ready), .load_addr_i(load_addr),
        .load_words_i(load_words), .load_slot_i(load_slot),
        .run_i(run), .run_slot_i(run_slot), .run_fresh_i(run_fresh), .done_o(run_done),
        .ar_valid_o(prog_ar_valid), .ar_ready_i(prog_ar_ready), .ar_addr_o(prog_ar_addr),
        .ar_urgent_o(prog_urgent), .r_valid_i(prog_rvalid), .r_data_i(fetched),
        .ld_valid_o(ld_valid), .ld_ready_i(ld_ready), .ex_valid_o(ex_valid), .ex_ready_i(ex_ready),
        .st_valid_o(st_valid), .st_ready_i(st_ready), .op_o(op), .field_o(field), .nr_o(nr),
        .fault_valid_o(seq_fault), .fault_code_o(seq_code), .fault_sub_o(seq_sub),
        .fault_arg_o(seq_arg), .fault_instr_o(seq_instr), .state_o(seq_state), .step_o(seq_step)
      );
    end
  endgenerate
  // ---- everything behind the sequencer; the signals that the rest of the core looks at
  wire                 ld_ar_valid, ld_ar_ready, ld_rvalid, ld_rready, ld_issuing;
  wire [ADDR_BITS-1:0] ld_ar_addr;
  wire [LANE_BITS-1:0] ld_lane;
  wire [QD-1:0]        l_valid, x_valid, x_vs, x_wr;
  wire [QD-1:0]        s_valid;
  wire                 spad_re, spad_we, vr_re, vr_we, slot_rd, slot_wr, blk_w;
  wire                 ex_issue, ex_recent, st_issue, st_wait_port, st_quiet, st_bus_quiet;
  wire                 sat_valid, accu_writing;
  wire [T-1:0]         saturated, wrapped;
  generate
    if (SMALL != 0) begin : g_back_small
      ktpu_int8_back_small #(
        .T(T), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .RW(RW), .ROW_BITS(ROW_BITS),
        .CB_BITS(CB_BITS), .BUS_BITS(BUS_BITS), .ADDR_BITS(ADDR_BITS), .OUTSTANDING(OUTSTANDING)
      ) u_back (
        .clk_i(clk_i), .rst_i(unit_rst), .rst_bus_i(rst_i),
        .ld_valid_i(ld_valid), .ld_ready_o(ld_ready), .ex_valid_i(ex_valid), .ex_ready_o(ex_ready),
        .st_valid_i(st_valid), .st_ready_o(st_ready), .op_i(op), .field_i(field), .nr_i(nr),
        .slot_i(run_slot), .base_a_i(base_a), .base_b_i(base_b), .base_c_i(base_c),
        .wide_i(ctx_wide), .shift_i(ctx_shift), .ctx_busy_o(ctx_busy),
        .ar_valid_o(ld_ar_valid), .ar_ready_i(ld_ar_ready), .ar_addr_o(ld_ar_addr),
        .r_valid_i(ld_rvalid), .r_ready_o(ld_rready), .r_data_i(bus_rdata),
        .aw_valid_o(bus_awvalid), .aw_ready_i(bus_awready), .aw_addr_o(bus_awaddr),
        .w_valid_o(bus_wvalid), .w_ready_i(bus_wready), .w_data_o(bus_wdata),
        .w_strb_o(bus_wstrb), .b_valid_i(bus_bvalid),
        .loading_o(l_valid[0]), .x_valid_o(x_valid), .x_vs_o(x_vs[0]), .x_wr_o(x_wr[0]),
        .x_waits_o(blk_w), .issue_o(ex_issue), .slot_rd_o(slot_rd), .slot_wr_o(slot_wr),
        .s_rows_o(s_valid[0]), .s_issue_o(st_issue), .s_port_o(st_wait_port),
        .spad_busy_o(spad_re), .vr_re_o(vr_re), .vr_busy_o(vr_we),
        .st_quiet_o(st_quiet), .bus_quiet_o(st_bus_quiet),
        .saturated_valid_o(sat_valid), .saturated_o(saturated),
        .wrapped_valid_o(accu_writing), .wrapped_o(wrapped)
      );
      assign bus_awlen = 8'd0;
      assign bus_wlast = 1'b1;
      assign l_valid[QD-1:1] = {(QD-1){1'b0}};
      assign {x_vs[QD-1:1], x_wr[QD-1:1], s_valid[QD-1:1]} = {(3*QD-3){1'b0}};
      assign {spad_we, ld_issuing, ex_recent} = 3'b000;
      wire unused_back = &{1'b0, ld_lane, stride_a, stride_b, stride_c, ctx_shifted, x_vs, x_wr};
    end else begin : g_back
      wire [10:0] f0 = field[10:0];
      wire [10:0] f1 = field[21:11];
      wire [10:0] f2 = field[32:22];
      wire [10:0] f3 = field[43:33];
      wire is_mm    = op == KT_OP_MM;
      wire is_vld   = op == KT_OP_VLD;
      wire is_vrelu = op == KT_OP_VRELU;
      wire is_relu  = is_vrelu || op == KT_OP_VADDRELU;
      wire [RW-1:0] x_d_v = (is_mm || is_vld) ? f0[RW-1:0] : f1[RW-1:0];
      wire [RW-1:0] x_d_s = is_mm ? f3[RW-1:0] : is_vld ? f1[RW-1:0] : f2[RW-1:0];
      wire [RW-1:0] x_d_w = is_mm ? f1[RW-1:0] : f0[RW-1:0];
      localparam integer DW = 5 + 3*RW;
      wire [DW-1:0] x_d = {is_mm, is_vld, is_vrelu, f2[0], is_relu, x_d_v, x_d_s, x_d_w};
      wire [DW-1:0] x_dispatch;
      if (PIPELINE != 0) begin : g_dispatch_late       // operands stand long enough
        reg [DW-1:0] x_d_q;
        always @(posedge clk_i) x_d_q <= x_d;
        assign x_dispatch = x_d_q;
      end else begin : g_dispatch
        assign x_dispatch = x_d;
      end
      wire          d_mm, d_vld, d_vrelu, d_acc, d_relu;
      wire [RW-1:0] d_v, d_s, d_w;
      assign {d_mm, d_vld, d_vrelu, d_acc, d_relu, d_v, d_s, d_w} = x_dispatch;

      // ---- loads
      wire                 ld_ctx, ld_ctx_b;
      wire [ADDR_BITS-1:0] ld_base = ld_ctx_b ? base_b[ld_ctx * ADDR_BITS +: ADDR_BITS]
                                              : base_a[ld_ctx * ADDR_BITS +: ADDR_BITS];
      wire [15:0]          ld_stride = ld_ctx_b ? stride_b[ld_ctx * 16 +: 16]
                                                : stride_a[ld_ctx * 16 +: 16];
      wire                 ld_blocked, ld_vr_we, l_pop, l_step;
      wire [WAYS-1:0]      l_nxt_vr;
      wire [RW-1:0]        ld_row;
      wire [WAYS*RW-1:0]   l_nxt_row;
      wire [T*8-1:0]       ld_data;
      wire [QD-1:0]        l_vr, l_ctx;
      wire [QD*RW-1:0]     l_cur;
      wire [QD*EW-1:0]     l_end;
      reg                  vld_q, vld_q2;
      reg  [VAW-1:0]       vld_row_q, vld_row_q2;
      reg  [T*8-1:0]       vld_data_q2;
      ktpu_int8_ld #(
        .T(T), .RW(RW), .ROW_BITS(ROW_BITS), .CB_BITS(CB_BITS), .QD(QD), .BUS_BITS(BUS_BITS),
        .LANE_BITS(LANE_BITS), .ADDR_BITS(ADDR_BITS), .WAYS(WAYS), .PIPELINE(PIPELINE)
      ) u_ld (
        .clk_i(clk_i), .rst_i(unit_rst),
        .d_valid_i(ld_valid), .d_ready_o(ld_ready), .d_vr_i(f0[KT_MODE_VR_BIT]),
        .d_b_i(f0[KT_MODE_B_BIT]), .d_row0_i(f1[ROW_BITS-1:0]), .d_cb_i(f2[CB_BITS-1:0]),
        .d_dst_i(f3[RW-1:0]), .d_nr_i(nr), .d_ctx_i(run_slot),
        .ctx_sel_o(ld_ctx), .ctx_b_o(ld_ctx_b), .ctx_base_i(ld_base), .ctx_stride_i(ld_stride),
        .ar_valid_o(ld_ar_valid), .ar_ready_i(ld_ar_ready), .ar_addr_o(ld_ar_addr),
        .r_valid_i(ld_rvalid), .r_ready_o(ld_rready), .r_data_i(bus_rdata), .r_lane_i(ld_lane),
        .blocked_i(ld_blocked), .vr_taken_i(vld_q2),
        .spad_we_o(spad_we), .vr_we_o(ld_vr_we), .wrow_o(ld_row), .wdata_o(ld_data),
        .ent_valid_o(l_valid), .ent_vr_o(l_vr), .ent_ctx_o(l_ctx), .ent_cur_o(l_cur),
        .ent_end_o(l_end), .pop_o(l_pop), .step_o(l_step), .nxt_vr_o(l_nxt_vr),
        .nxt_row_o(l_nxt_row), .issuing_o(ld_issuing)
      );

      // ---- issue
      wire             vld, x_known, blk_v, blk_s;
      wire [RW-1:0]    vr_raddr, spad_raddr, vld_row;
      wire [T-1:0]     wload;
      wire             slot_psum, slot_ar, slot_hold, slot_held, slot_relu;
      wire [RW-1:0]    slot_rd_row, slot_wr_row;
      wire             st_row_valid;
      wire [RW-1:0]    st_row;
      wire [QD*RW-1:0] x_v, x_s, x_w;
      wire [QD*EW-1:0] x_vend, x_send, x_wend;
      wire             x_vlow, x_pop, x_v_step, x_w_step, x_nxt_valid;
      wire [WAYS-1:0]  x_nxt_vs, x_nxt_wr;
      wire [WAYS*RW-1:0] x_nxt_v, x_nxt_s, x_nxt_w, s_nxt_row;
      wire [WAYS*EW-1:0] x_nxt_send;
      wire             s_pop;
      ktpu_int8_ex #(.T(T), .RW(RW), .QD(QD), .AR_BANKS(AR_BANKS), .WAYS(WAYS)) u_ex (
        .clk_i(clk_i), .rst_i(unit_rst),
        .d_valid_i(ex_valid), .d_ready_o(ex_ready), .d_mm_i(d_mm), .d_vld_i(d_vld),
        .d_vrelu_i(d_vrelu), .d_acc_i(d_acc), .d_relu_i(d_relu),
        .d_v_i(d_v), .d_s_i(d_s), .d_w_i(d_w), .d_nr_i(nr),
        .blk_v_i(blk_v), .blk_s_i(blk_s), .blk_w_i(blk_w), .blk_known_i(x_known),
        .st_valid_i(st_row_valid), .st_row_i(st_row), .st_pop_i(s_pop), .st_nxt_row_i(s_nxt_row),
        .st_issue_o(st_issue),
        .vr_re_o(vr_re), .vr_raddr_o(vr_raddr), .spad_re_o(spad_re), .spad_raddr_o(spad_raddr),
        .wload_o(wload), .vld_o(vld), .vld_row_o(vld_row),
        .slot_rd_o(slot_rd), .slot_rd_row_o(slot_rd_row), .slot_wr_o(slot_wr),
        .slot_wr_row_o(slot_wr_row), .slot_psum_o(slot_psum), .slot_ar_o(slot_ar),
        .slot_hold_o(slot_hold), .slot_held_o(slot_held), .slot_relu_o(slot_relu),
        .ent_valid_o(x_valid), .ent_vs_o(x_vs), .ent_wr_o(x_wr), .ent_v_o(x_v), .ent_vend_o(x_vend),
        .ent_s_o(x_s), .ent_send_o(x_send), .ent_w_o(x_w), .ent_wend_o(x_wend),
        .ent_vlow_o(x_vlow),
        .pop_o(x_pop), .v_step_o(x_v_step), .w_step_o(x_w_step),
        .nxt_valid_o(x_nxt_valid), .nxt_v_o(x_nxt_v), .nxt_s_o(x_nxt_s),
        .nxt_send_o(x_nxt_send), .nxt_w_o(x_nxt_w), .nxt_vs_o(x_nxt_vs), .nxt_wr_o(x_nxt_wr),
        .issue_o(ex_issue), .wait_port_o(st_wait_port), .recent_o(ex_recent)
      );

      // ---- hazards
      wire             st_blocked;
      wire [WAYS-1:0]  s_nxt_valid;
      wire [QD*RW-1:0] s_cur;
      wire [QD*EW-1:0] s_end;
      ktpu_int8_hazard #(.RW(RW), .LQ(QD), .XQ(QD), .SQ(QD), .WAYS(WAYS)) u_hazard (
        .clk_i(clk_i), .rst_i(unit_rst),
        .x_push_i(ex_valid && ex_ready), .x_pop_i(x_pop), .x_valid_i(x_valid), .x_vs_i(x_vs),
        .x_wr_i(x_wr), .x_v_i(x_v), .x_vend_i(x_vend), .x_s_i(x_s), .x_send_i(x_send), .x_w_i(x_w),
        .x_wend_i(x_wend), .x_vlow_i(x_vlow), .x_v_step_i(x_v_step), .x_w_step_i(x_w_step),
        .x_nxt_valid_i(x_nxt_valid), .x_nxt_vs_i(x_nxt_vs),
        .x_nxt_wr_i(x_nxt_wr), .x_nxt_v_i(x_nxt_v), .x_nxt_s_i(x_nxt_s),
        .x_nxt_send_i(x_nxt_send), .x_nxt_w_i(x_nxt_w),
        .l_pop_i(l_pop), .l_step_i(l_step), .l_valid_i(l_valid), .l_vr_i(l_vr),
        .l_cur_i(l_cur), .l_end_i(l_end),
        .l_nxt_vr_i(l_nxt_vr), .l_nxt_row_i(l_nxt_row),
        .s_pop_i(s_pop), .s_step_i(st_issue), .s_valid_i(s_valid), .s_cur_i(s_cur), .s_end_i(s_end),
        .s_nxt_valid_i(s_nxt_valid), .s_nxt_row_i(s_nxt_row),
        .x_known_q(x_known), .x_blk_v_o(blk_v), .x_blk_s_o(blk_s), .x_blk_w_o(blk_w),
        .l_blk_o(ld_blocked), .s_blk_o(st_blocked)
      );

      // ---- operand memories
      wire [T*8-1:0] spad_rdata, vr_rdata;
      assign         vr_we    = vld_q2 || ld_vr_we;
      wire [VAW-1:0] vr_waddr = vld_q2 ? vld_row_q2 : ld_row[VAW-1:0];
      ktpu_ram_sdp #(.WIDTH(T*8), .DEPTH(SPAD_ROWS)) u_spad (
        .clk_i(clk_i), .we_i(spad_we), .waddr_i(ld_row[SAW-1:0]), .wdata_i(ld_data),
        .re_i(spad_re), .raddr_i(spad_raddr[SAW-1:0]), .rdata_o(spad_rdata)
      );
      ktpu_ram_sdp #(.WIDTH(T*8), .DEPTH(NVR)) u_vr (
        .clk_i(clk_i), .we_i(vr_we), .waddr_i(vr_waddr), .wdata_i(vld_q2 ? vld_data_q2 : ld_data),
        .re_i(vr_re), .raddr_i(vr_raddr[VAW-1:0]), .rdata_o(vr_rdata)
      );

      reg [T-1:0] wload_q;
      always @(posedge clk_i) begin
        wload_q <= wload;
        vld_q   <= vld;
        vld_q2  <= vld_q;
        if (unit_rst) begin
          vld_q   <= 1'b0;
          vld_q2  <= 1'b0;
        end
      end
      always @(posedge clk_i) begin
        vld_row_q   <= vld_row[VAW-1:0];
        vld_row_q2  <= vld_row_q;
        vld_data_q2 <= spad_rdata;
      end

      // ---- array and accumulator
      localparam integer PW = 16 + TB;
      wire [T*PW-1:0] psum;
      wire [T*32-1:0] out_row;
      wire            out_valid, accu_reading;
      ktpu_int8_array #(.T(T), .PW(PW), .SMALL(SERIAL_SHIFT), .LATE(PIPELINE)) u_array (
        .clk_i(clk_i), .act_i(vr_rdata), .weight_i(spad_rdata), .wload_i(wload_q), .psum_o(psum)
      );
      ktpu_int8_accu #(.T(T), .NAR(NAR), .RW(RW), .PW(PW), .AR_BANKS(AR_BANKS), .LATE(PIPELINE))
      u_accu (
        .clk_i(clk_i), .rst_i(unit_rst),
        .slot_rd_i(slot_rd), .slot_rd_row_i(slot_rd_row), .slot_wr_i(slot_wr),
        .slot_wr_row_i(slot_wr_row), .slot_psum_i(slot_psum), .slot_ar_i(slot_ar),
        .slot_hold_i(slot_hold), .slot_held_i(slot_held), .slot_relu_i(slot_relu),
        .slot_out_i(st_issue), .slot_out_row_i(st_row), .psum_i(psum),
        .out_valid_o(out_valid), .out_row_o(out_row),
        .reading_o(accu_reading), .writing_o(accu_writing), .wrapped_o(wrapped)
      );

      // ---- output
      wire           form_ctx, form_wide, form_shifted, row_valid;
      wire [4:0]     form_shift;
      wire [6:0] form = {ctx_wide[form_ctx], ctx_shifted[form_ctx], ctx_shift[form_ctx * 5 +: 5]};
      reg  [6:0] form_q;                               // rows come cycles after their form
      always @(posedge clk_i) form_q <= form;
      assign {form_wide, form_shifted, form_shift} = (PIPELINE != 0) ? form_q : form;
      wire [T*32-1:0] row;
      ktpu_int8_out #(.T(T), .SERIAL(SERIAL_SHIFT), .PIPELINE(PIPELINE)) u_out (
        .clk_i(clk_i), .rst_i(unit_rst), .shifted_i(form_shifted),
        .wide_i(form_wide), .shift_i(form_shift),
        .in_valid_i(out_valid), .in_row_i(out_row),
        .out_valid_o(row_valid), .out_row_o(row), .saturated_valid_o(sat_valid),
        .saturated_o(saturated)
      );

      wire       st_ctx;
      wire [1:0] st_ctx_busy;
      ktpu_int8_st #(
        .T(T), .RW(RW), .ROW_BITS(ROW_BITS), .CB_BITS(CB_BITS), .QD(QD), .BUS_BITS(BUS_BITS),
        .ADDR_BITS(ADDR_BITS), .OUTSTANDING(OUTSTANDING), .SERIAL(SERIAL_SHIFT),
        .WAYS(WAYS), .PIPELINE(PIPELINE)
      ) u_st (
        .clk_i(clk_i), .rst_i(unit_rst), .rst_bus_i(rst_i),
        .d_valid_i(st_valid), .d_ready_o(st_ready), .d_ar_i(f0[RW-1:0]),
        .d_row0_i(f1[ROW_BITS-1:0]), .d_cb_i(f2[CB_BITS-1:0]), .d_nr_i(nr), .d_ctx_i(run_slot),
        .ctx_sel_o(st_ctx), .ctx_base_i(base_c[st_ctx * ADDR_BITS +: ADDR_BITS]),
        .ctx_stride_i(stride_c[st_ctx * 16 +: 16]), .ctx_wide_i(ctx_wide[st_ctx]),
        .form_ctx_o(form_ctx), .form_wide_i(form_wide), .form_shifted_i(form_shifted),
        .blocked_i(st_blocked), .st_valid_o(st_row_valid), .st_row_o(st_row), .st_issue_i(st_issue),
        .ent_valid_o(s_valid), .ent_cur_o(s_cur), .ent_end_o(s_end), .pop_o(s_pop),
        .nxt_valid_o(s_nxt_valid), .nxt_row_o(s_nxt_row),
        .row_valid_i(row_valid), .row_i(row),
        .aw_valid_o(bus_awvalid), .aw_ready_i(bus_awready), .aw_addr_o(bus_awaddr),
        .aw_len_o(bus_awlen), .w_valid_o(bus_wvalid), .w_ready_i(bus_wready),
        .w_data_o(bus_wdata), .w_strb_o(bus_wstrb), .w_last_o(bus_wlast),
        .b_valid_i(bus_bvalid),
        .ctx_busy_o(st_ctx_busy), .quiet_o(st_quiet), .bus_quiet_o(st_bus_quiet)
      );
      assign ctx_busy[0] = |(l_valid & ~l_ctx) || st_ctx_busy[0];
      assign ctx_busy[1] = |(l_valid & l_ctx) || st_ctx_busy[1];

      wire unused_back = &{1'b0, accu_reading, vld_row, spad_raddr, vr_raddr, ld_row, f0, f1, f2,
                           f3};
    end
  endgenerate

  // ---- read port
  wire read_quiet;
  ktpu_int8_read #(
    .BUS_BITS(BUS_BITS), .ADDR_BITS(ADDR_BITS), .LANE_BITS(LANE_BITS), .LANE_LSB(TB),
    .OUTSTANDING(OUTSTANDING), .PIPELINE(PIPELINE), .EARLY(SMALL)
  ) u_read (
    .clk_i(clk_i), .rst_i(rst_i), .drain_i((PIPELINE != 0) ? unit_rst : abort || idle),
    .prog_valid_i(prog_ar_valid && !stop), .prog_urgent_i(prog_urgent),
    .prog_ready_o(prog_ar_ready), .prog_addr_i(prog_ar_addr), .prog_rvalid_o(prog_rvalid),
    .desc_valid_i(desc_ar_valid), .desc_ready_o(desc_ar_ready), .desc_addr_i(desc_ar_addr),
    .desc_rvalid_o(desc_rvalid), .fetched_o(fetched),
    .ld_valid_i(ld_ar_valid), .ld_ready_o(ld_ar_ready), .ld_addr_i(ld_ar_addr),
    .ld_rvalid_o(ld_rvalid), .ld_rready_i(ld_rready), .ld_lane_o(ld_lane),
    .ar_valid_o(bus_arvalid), .ar_ready_i(bus_arready), .ar_addr_o(bus_araddr),
    .r_valid_i(bus_rvalid), .r_ready_o(bus_rready), .r_resp_i(bus_rresp),
    .r_data_i(bus_rdata), .quiet_o(read_quiet),
    .error_o(read_error), .error_who_o(read_error_who), .error_resp_o(read_resp)
  );

  localparam integer SIZE_I = $clog2(BB);
  localparam [2:0] SIZE = SIZE_I[2:0];
  assign m_axi_arlen   = 8'd0;
  assign m_axi_arsize  = SIZE;
  assign m_axi_arburst = 2'b01;
  assign m_axi_awsize  = SIZE;
  assign m_axi_awburst = 2'b01;
  assign m_axi_bready  = 1'b1;

  // ---- quiet: nothing dispatched is under way any more
  localparam integer FOLLOW_I = T + 5 + PIPELINE;  // cycles from a slot to its write, and one
  localparam integer FB = $clog2(FOLLOW_I + 1);
  localparam [FB-1:0] FOLLOW = FOLLOW_I[FB-1:0];
  localparam [FB-1:0] F_ONE  = {{(FB-1){1'b0}}, 1'b1};
  reg  [FB-1:0] follow_q;
  always @(posedge clk_i) begin
    if (slot_wr) follow_q <= FOLLOW;
    else if (follow_q != {FB{1'b0}}) follow_q <= follow_q - F_ONE;
    if (unit_rst) follow_q <= {FB{1'b0}};
  end
  wire ops_quiet = !(|l_valid) && !ld_issuing && !(|x_valid) && follow_q == {FB{1'b0}} &&
                   !ld_valid && !ex_valid;
  // a fence waits for loads too: C may lie where an earlier descriptor read A or B
  assign fence_quiet  = st_quiet && !(|x_valid) && !(|l_valid);
  assign all_quiet    = ops_quiet && st_quiet && read_quiet;
  assign complete     = all_run && all_quiet;
  assign bus_quiet    = read_quiet && st_bus_quiet;

  // ---- events
  ktpu_int8_events #(.T(T), .BITS(EVENT_BITS), .PIPELINE(PIPELINE)) u_events (
    .clk_i(clk_i), .clear_i(clear || rst_i),
    .saturated_valid_i(sat_valid), .saturated_i(saturated),
    .wrapped_valid_i(accu_writing), .wrapped_i(wrapped),
    .saturated_o(event_sat), .wrapped_o(event_wrap)
  );

  // ---- states and progress
  wire w_any = (bus_awvalid && bus_awready) || (bus_wvalid && bus_wready);
  ktpu_int8_states #(.COUNTERS(COUNTERS), .SMALL(SMALL), .PIPELINE(PIPELINE)) u_states (
    .clk_i(clk_i), .clear_i(clear), .run_i(busy),
    .seq_state_i(seq_state), .seq_step_i(seq_step),
    .ar_hs_i(bus_arvalid && bus_arready), .r_hs_i(bus_rvalid && bus_rready), .w_hs_i(w_any),
    .b_hs_i(bus_bvalid),
    .ld_work_i((|l_valid) || ld_issuing), .ld_moves_i(ld_ar_ready || (ld_rvalid && ld_rready)),
    .ld_word_i(ld_rvalid), .x_head_i(x_valid[0]), .x_vs_i(x_vs[0]), .x_wr_i(x_wr[0]),
    .x_port_i(blk_w || ex_recent), .x_issue_i(ex_issue), .spad_busy_i(spad_re || spad_we),
    .vr_re_i(vr_re), .vr_we_i(vr_we), .slot_i(slot_rd || slot_wr), .st_issue_i(st_issue),
    .st_offers_i(bus_awvalid || bus_wvalid), .st_port_i(st_wait_port), .st_rows_i(|s_valid),
    .st_work_i((|s_valid) || !st_quiet),
    .progress_o(progress), .waiting_o(waiting), .addr_i(count_addr), .data_o(count_data)
  );

  wire unused = &{1'b0, m_axi_rlast, list_waiting};
endmodule
`default_nettype wire
