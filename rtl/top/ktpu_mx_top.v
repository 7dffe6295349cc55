// SPDX-License-Identifier: Apache-2.0
// The MXFP7 machine with one cluster: host registers, command engine, dispatch, a node (an endpoint
// around a matmul cluster), one memory agent, and beside them a way for the host to reach the same
// memory, as in ktpu_top: s_axil_* are the registers, s_axi_* the host's path to memory (it waits
// while the machine is busy), m_axi_* the memory. Bursts are INCR, full width, 32 bytes a beat.
`default_nettype none
module ktpu_mx_top #(
  parameter integer KSLICE      = 32,
  parameter integer PACKED      = 0,
  parameter integer ACC_MW      = 14,
  parameter integer L1_ENTRIES  = 512,
  parameter integer TILES       = 512,
  parameter integer IFIFO       = 32,
  parameter integer STAGING     = 2048,
  parameter integer COMMANDS    = 1024,
  parameter integer OUTSTANDING = 64,
  parameter integer ADDR_BITS   = 32,
  parameter [31:0]  CONFIG_HASH = 32'd0
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

  input  wire [ADDR_BITS-1:0]  s_axi_awaddr,
  input  wire [7:0]            s_axi_awlen,
  input  wire                  s_axi_awvalid,
  output wire                  s_axi_awready,
  input  wire [255:0]          s_axi_wdata,
  input  wire [31:0]           s_axi_wstrb,
  input  wire                  s_axi_wlast,
  input  wire                  s_axi_wvalid,
  output wire                  s_axi_wready,
  output wire [1:0]            s_axi_bresp,
  output wire                  s_axi_bvalid,
  input  wire                  s_axi_bready,
  input  wire [ADDR_BITS-1:0]  s_axi_araddr,
  input  wire [7:0]            s_axi_arlen,
  input  wire                  s_axi_arvalid,
  output wire                  s_axi_arready,
  output wire [255:0]          s_axi_rdata,
  output wire [1:0]            s_axi_rresp,
  output wire                  s_axi_rlast,
  output wire                  s_axi_rvalid,
  input  wire                  s_axi_rready,

  output wire [ADDR_BITS-1:0]  m_axi_awaddr,
  output wire [7:0]            m_axi_awlen,
  output wire                  m_axi_awvalid,
  input  wire                  m_axi_awready,
  output wire [255:0]          m_axi_wdata,
  output wire [31:0]           m_axi_wstrb,
  output wire                  m_axi_wlast,
  output wire                  m_axi_wvalid,
  input  wire                  m_axi_wready,
  input  wire [1:0]            m_axi_bresp,
  input  wire                  m_axi_bvalid,
  output wire                  m_axi_bready,
  output wire [ADDR_BITS-1:0]  m_axi_araddr,
  output wire [7:0]            m_axi_arlen,
  output wire                  m_axi_arvalid,
  input  wire                  m_axi_arready,
  input  wire [255:0]          m_axi_rdata,
  input  wire [1:0]            m_axi_rresp,
  input  wire                  m_axi_rlast,
  input  wire                  m_axi_rvalid,
  output wire                  m_axi_rready,
  output wire [2:0]            m_axi_awsize,
  output wire [1:0]            m_axi_awburst,
  output wire [2:0]            m_axi_arsize,
  output wire [1:0]            m_axi_arburst,

  output wire                  busy_o,
  output wire                  done_o
);
  `include "ktpu_mx.vh"

  localparam integer PB = $clog2(COMMANDS) + 1;
  localparam integer LB = $clog2(IFIFO + 1);

  wire [ADDR_BITS-1:0]  c_axi_awaddr;
  wire [7:0]            c_axi_awlen;
  wire                  c_axi_awvalid;
  wire                  c_axi_awready;
  wire [255:0]          c_axi_wdata;
  wire [31:0]           c_axi_wstrb;
  wire                  c_axi_wlast;
  wire                  c_axi_wvalid;
  wire                  c_axi_wready;
  wire [1:0]            c_axi_bresp;
  wire                  c_axi_bvalid;
  wire                  c_axi_bready;
  wire [ADDR_BITS-1:0]  c_axi_araddr;
  wire [7:0]            c_axi_arlen;
  wire                  c_axi_arvalid;
  wire                  c_axi_arready;
  wire [255:0]          c_axi_rdata;
  wire [1:0]            c_axi_rresp;
  wire                  c_axi_rlast;
  wire                  c_axi_rvalid;
  wire                  c_axi_rready;

  // ---- Between the parts ----------------------------------------------------------------------

  wire         start, soft_reset, busy, stop, halt_engine, abort, done, faulted, resetting, stuck;
  wire [31:0]  watchdog, status, fault, fault_arg, done_code, base, length, word;
  wire [32:0]  memory_end;
  wire [15:0]  fault_instr;
  wire [PB-1:0] fault_command, command;
  wire         stage_we, command_we, base_we, length_we;
  wire [$clog2(STAGING)+2:0]  stage_index;
  wire [$clog2(COMMANDS)+1:0] command_index;
  wire [9:0]   count_addr;
  wire [31:0]  count_data;

  wire         kick, kick_busy, kick_waits, credit_we, sent;
  wire [LB-1:0] credit, credit_value;
  wire         ended, engine_waits, engine_step, engine_fault;
  wire [7:0]   engine_code;
  wire [31:0]  engine_arg;

  wire         flit_valid, flit_ready, flit_last;
  wire [255:0] flit;
  wire         insn_valid, insn_ready, insn_last, accept_done, drain_done, drain_done_last;
  wire [255:0] insn;
  wire [1:0]   credits;
  wire [31:0]  completed;
  wire         waits_empty;

  wire         node_fault, agent_fault;
  wire [7:0]   node_code, node_field, agent_code, agent_field;
  wire [31:0]  node_arg, agent_arg;
  wire [15:0]  node_instr, agent_instr;

  wire         fill_valid, fill_ready, l1_valid, l1_side;
  wire [255:0] fill_insn;
  wire [15:0]  fill_instr;
  wire         quantised;
  wire [8:0]   l1_entry;
  wire [1:0]   l1_lane;
  wire [223:0] l1_q;
  wire [7:0]   l1_code;
  wire         aw_valid, aw_ready, w_valid, w_ready, w_strobe, b_valid;
  wire [32:0]  aw_addr;
  wire [3:0]   aw_beats;
  wire [15:0]  aw_instr;
  wire [255:0] w_data;

  wire         cluster_idle, cluster_progress, step;
  wire [19:0]  undrained;
  wire [2:0]   cluster_waits, sweep_state;
  wire [4:0]   overflow, clamped, flushed, nan;
  wire         agent_idle, agent_progress, read_waits, write_waits, read_beat, write_beat;
  wire [2:0]   poisoned;

  assign busy_o        = busy;
  assign done_o        = done;
  assign m_axi_awsize  = 3'd5;
  assign m_axi_arsize  = 3'd5;
  assign m_axi_awburst = 2'b01;
  assign m_axi_arburst = 2'b01;

  // Nothing under way; and the same but for armed DRAINs that nothing feeds.
  wire settled    = !kick_busy && waits_empty && agent_idle;
  wire quiet      = settled && cluster_idle;
  wire armed_only = settled && !cluster_idle && undrained != 20'd0 &&
                    sweep_state == KT_MX_SWEEP_IDLE;

  // ---- Control --------------------------------------------------------------------------------

  ktpu_mx_ctrl #(
    .KSLICE      (KSLICE),
    .PACKED      (PACKED),
    .ACC_MW      (ACC_MW),
    .L1_ENTRIES  (L1_ENTRIES),
    .TILES       (TILES),
    .IFIFO       (IFIFO),
    .STAGING     (STAGING),
    .COMMANDS    (COMMANDS),
    .OUTSTANDING (OUTSTANDING),
    .ADDR_BITS   (ADDR_BITS),
    .CONFIG_HASH (CONFIG_HASH)
  ) u_ctrl (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .s_axil_awaddr   (s_axil_awaddr),
    .s_axil_awvalid  (s_axil_awvalid),
    .s_axil_awready  (s_axil_awready),
    .s_axil_wdata    (s_axil_wdata),
    .s_axil_wstrb    (s_axil_wstrb),
    .s_axil_wvalid   (s_axil_wvalid),
    .s_axil_wready   (s_axil_wready),
    .s_axil_bresp    (s_axil_bresp),
    .s_axil_bvalid   (s_axil_bvalid),
    .s_axil_bready   (s_axil_bready),
    .s_axil_araddr   (s_axil_araddr),
    .s_axil_arvalid  (s_axil_arvalid),
    .s_axil_arready  (s_axil_arready),
    .s_axil_rdata    (s_axil_rdata),
    .s_axil_rresp    (s_axil_rresp),
    .s_axil_rvalid   (s_axil_rvalid),
    .s_axil_rready   (s_axil_rready),
    .start_o         (start),
    .soft_reset_o    (soft_reset),
    .watchdog_o      (watchdog),
    .memory_end_o    (memory_end),
    .status_o        (status),
    .stage_we_o      (stage_we),
    .stage_index_o   (stage_index),
    .command_we_o    (command_we),
    .command_index_o (command_index),
    .base_we_o       (base_we),
    .length_we_o     (length_we),
    .word_o          (word),
    .busy_i          (busy),
    .done_i          (done),
    .faulted_i       (faulted),
    .resetting_i     (resetting),
    .stuck_i         (stuck),
    .fault_i         (fault),
    .fault_arg_i     (fault_arg),
    .fault_instr_i   (fault_instr),
    .fault_command_i (fault_command),
    .done_code_i     (done_code),
    .completed_i     (completed),
    .base_i          (base),
    .length_i        (length),
    .credit_i        (credit),
    .kick_busy_i     (kick_busy),
    .count_addr_o    (count_addr),
    .count_data_i    (count_data)
  );

  ktpu_mx_run #(.COMMAND_BITS (PB)) u_run (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .start_i         (start),
    .soft_reset_i    (soft_reset),
    .watchdog_i      (watchdog),
    .progress_i      (cluster_progress || agent_progress || sent || engine_step),
    .waiting_i       ({write_waits, read_waits, cluster_waits, kick_waits, engine_waits}),
    .end_i           (ended),
    .quiet_i         (quiet),
    .armed_only_i    (armed_only),
    .undrained_i     (undrained),
    .node_fault_i    (node_fault),
    .node_code_i     (node_code),
    .node_field_i    (node_field),
    .node_arg_i      (node_arg),
    .node_instr_i    (node_instr),
    .agent_fault_i   (agent_fault),
    .agent_code_i    (agent_code),
    .agent_field_i   (agent_field),
    .agent_arg_i     (agent_arg),
    .agent_instr_i   (agent_instr),
    .engine_fault_i  (engine_fault),
    .engine_code_i   (engine_code),
    .engine_arg_i    (engine_arg),
    .command_i       (command),
    .busy_o          (busy),
    .stop_o          (stop),
    .halt_engine_o   (halt_engine),
    .abort_o         (abort),
    .done_q          (done),
    .resetting_o     (resetting),
    .stuck_o         (stuck),
    .faulted_o       (faulted),
    .fault_o         (fault),
    .fault_arg_o     (fault_arg),
    .fault_instr_o   (fault_instr),
    .fault_command_o (fault_command)
  );

  ktpu_mx_counters u_counters (
    .clk_i        (clk_i),
    .clear_i      (start || rst_i),
    .run_i        (busy),
    .sweep_i      (sweep_state),
    .step_i       (step),
    .overflow_i   (overflow),
    .clamped_i    (clamped),
    .flushed_i    (flushed),
    .nan_i        (nan),
    .poisoned_i   (poisoned),
    .read_beat_i  (read_beat),
    .write_beat_i (write_beat),
    .sent_i       (sent),
    .addr_i       (count_addr),
    .data_o       (count_data)
  );

  ktpu_mx_command #(
    .COMMANDS (COMMANDS),
    .STAGING  (STAGING),
    .IFIFO    (IFIFO)
  ) u_command (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .start_i      (start),
    .stop_i       (halt_engine),
    .word_we_i    (command_we),
    .word_index_i (command_index),
    .word_i       (word),
    .base_we_i    (base_we),
    .length_we_i  (length_we),
    .status_i     (status),
    .completed_i  (completed),
    .base_o       (base),
    .length_o     (length),
    .kick_o       (kick),
    .kick_busy_i  (kick_busy),
    .credit_we_o  (credit_we),
    .credit_o     (credit_value),
    .end_o        (ended),
    .done_code_o  (done_code),
    .waiting_o    (engine_waits),
    .step_o       (engine_step),
    .command_o    (command),
    .fault_o      (engine_fault),
    .fault_code_o (engine_code),
    .fault_arg_o  (engine_arg)
  );

  ktpu_mx_dispatch #(
    .STAGING (STAGING),
    .IFIFO   (IFIFO)
  ) u_dispatch (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .clear_i      (start),
    .word_we_i    (stage_we),
    .word_index_i (stage_index),
    .word_i       (word),
    .kick_i       (kick),
    .base_i       (base[$clog2(STAGING)-1:0]),
    .length_i     (length[$clog2(STAGING):0]),
    .credit_we_i  (credit_we),
    .credit_i     (credit_value),
    .credit_o     (credit),
    .stop_i       (stop),
    .abort_i      (abort),
    .idle_i       (waits_empty && cluster_idle),
    .out_valid_o  (flit_valid),
    .out_ready_i  (flit_ready),
    .out_insn_o   (flit),
    .out_last_o   (flit_last),
    .credits_i    (credits),
    .busy_o       (kick_busy),
    .waiting_o    (kick_waits),
    .sent_o       (sent)
  );

  // ---- The node -------------------------------------------------------------------------------

  ktpu_endpoint #(
    .IFIFO (IFIFO)
  ) u_endpoint (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .clear_i       (start),
    .in_valid_i    (flit_valid),
    .in_ready_o    (flit_ready),
    .in_insn_i     (flit),
    .in_last_i     (flit_last),
    .insn_valid_o  (insn_valid),
    .insn_ready_i  (insn_ready),
    .insn_o        (insn),
    .insn_last_o   (insn_last),
    .accept_done_i (accept_done),
    .done_i        (drain_done),
    .done_last_i   (drain_done_last),
    .credits_o     (credits),
    .completed_o   (completed),
    .empty_o       (waits_empty)
  );

  ktpu_cluster #(
    .KSLICE     (KSLICE),
    .PACKED     (PACKED),
    .ACC_MW     (ACC_MW),
    .L1_ENTRIES (L1_ENTRIES),
    .TILES      (TILES)
  ) u_cluster (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .clear_i           (start),
    .stop_i            (stop),
    .insn_valid_i      (insn_valid),
    .insn_ready_o      (insn_ready),
    .insn_i            (insn),
    .insn_last_i       (insn_last),
    .accept_done_o     (accept_done),
    .done_drain_o      (drain_done),
    .done_drain_last_o (drain_done_last),
    .fault_valid_o     (node_fault),
    .fault_code_o      (node_code),
    .fault_field_o     (node_field),
    .fault_arg_o       (node_arg),
    .fault_instr_o     (node_instr),
    .fill_valid_o      (fill_valid),
    .fill_ready_i      (fill_ready),
    .fill_insn_o       (fill_insn),
    .fill_instr_o      (fill_instr),
    .quantised_i       (quantised),
    .l1_valid_i        (l1_valid),
    .l1_side_i         (l1_side),
    .l1_entry_i        (l1_entry),
    .l1_lane_i         (l1_lane),
    .l1_q_i            (l1_q),
    .l1_code_i         (l1_code),
    .aw_valid_o        (aw_valid),
    .aw_ready_i        (aw_ready),
    .aw_addr_o         (aw_addr),
    .aw_beats_o        (aw_beats),
    .aw_instr_o        (aw_instr),
    .w_valid_o         (w_valid),
    .w_ready_i         (w_ready),
    .w_data_o          (w_data),
    .w_strobe_o        (w_strobe),
    .b_valid_i         (b_valid),
    .idle_o            (cluster_idle),
    .undrained_o       (undrained),
    .waiting_o         (cluster_waits),
    .progress_o        (cluster_progress),
    .sweep_state_o     (sweep_state),
    .step_o            (step),
    .ev_overflow_o     (overflow),
    .ev_clamped_o      (clamped),
    .ev_flushed_o      (flushed),
    .ev_nan_o          (nan)
  );

  // ---- Memory ---------------------------------------------------------------------------------

  ktpu_mem_agent #(
    .ADDR_BITS   (ADDR_BITS),
    .OUTSTANDING (OUTSTANDING)
  ) u_agent (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .clear_i         (start),
    .stop_i          (stop),
    .memory_end_i    (memory_end),
    .fill_valid_i    (fill_valid),
    .fill_ready_o    (fill_ready),
    .fill_insn_i     (fill_insn),
    .fill_instr_i    (fill_instr),
    .quantised_o     (quantised),
    .l1_valid_o      (l1_valid),
    .l1_side_o       (l1_side),
    .l1_entry_o      (l1_entry),
    .l1_lane_o       (l1_lane),
    .l1_q_o          (l1_q),
    .l1_code_o       (l1_code),
    .aw_valid_i      (aw_valid),
    .aw_ready_o      (aw_ready),
    .aw_addr_i       (aw_addr),
    .aw_beats_i      (aw_beats),
    .aw_instr_i      (aw_instr),
    .w_valid_i       (w_valid),
    .w_ready_o       (w_ready),
    .w_data_i        (w_data),
    .w_strobe_i      (w_strobe),
    .b_valid_o       (b_valid),
    .fault_valid_o   (agent_fault),
    .fault_code_o    (agent_code),
    .fault_field_o   (agent_field),
    .fault_arg_o     (agent_arg),
    .fault_instr_o   (agent_instr),
    .idle_o          (agent_idle),
    .progress_o      (agent_progress),
    .waiting_read_o  (read_waits),
    .waiting_write_o (write_waits),
    .ev_poisoned_o   (poisoned),
    .read_beat_o     (read_beat),
    .write_beat_o    (write_beat),
    .m_axi_awaddr    (c_axi_awaddr),
    .m_axi_awlen     (c_axi_awlen),
    .m_axi_awvalid   (c_axi_awvalid),
    .m_axi_awready   (c_axi_awready),
    .m_axi_wdata     (c_axi_wdata),
    .m_axi_wstrb     (c_axi_wstrb),
    .m_axi_wlast     (c_axi_wlast),
    .m_axi_wvalid    (c_axi_wvalid),
    .m_axi_wready    (c_axi_wready),
    .m_axi_bresp     (c_axi_bresp),
    .m_axi_bvalid    (c_axi_bvalid),
    .m_axi_bready    (c_axi_bready),
    .m_axi_araddr    (c_axi_araddr),
    .m_axi_arlen     (c_axi_arlen),
    .m_axi_arvalid   (c_axi_arvalid),
    .m_axi_arready   (c_axi_arready),
    .m_axi_rdata     (c_axi_rdata),
    .m_axi_rresp     (c_axi_rresp),
    .m_axi_rlast     (c_axi_rlast),
    .m_axi_rvalid    (c_axi_rvalid),
    .m_axi_rready    (c_axi_rready)
  );

  ktpu_axi_arb #(
    .ADDR_BITS    (ADDR_BITS),
    .BUS_BITS     (256)
  ) u_arb (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .core_busy_i     (busy_o),
    .c_axi_awaddr    (c_axi_awaddr),
    .c_axi_awlen     (c_axi_awlen),
    .c_axi_awvalid   (c_axi_awvalid),
    .c_axi_awready   (c_axi_awready),
    .c_axi_wdata     (c_axi_wdata),
    .c_axi_wstrb     (c_axi_wstrb),
    .c_axi_wlast     (c_axi_wlast),
    .c_axi_wvalid    (c_axi_wvalid),
    .c_axi_wready    (c_axi_wready),
    .c_axi_bresp     (c_axi_bresp),
    .c_axi_bvalid    (c_axi_bvalid),
    .c_axi_bready    (c_axi_bready),
    .c_axi_araddr    (c_axi_araddr),
    .c_axi_arlen     (c_axi_arlen),
    .c_axi_arvalid   (c_axi_arvalid),
    .c_axi_arready   (c_axi_arready),
    .c_axi_rdata     (c_axi_rdata),
    .c_axi_rresp     (c_axi_rresp),
    .c_axi_rlast     (c_axi_rlast),
    .c_axi_rvalid    (c_axi_rvalid),
    .c_axi_rready    (c_axi_rready),
    .s_axi_awaddr    (s_axi_awaddr),
    .s_axi_awlen     (s_axi_awlen),
    .s_axi_awvalid   (s_axi_awvalid),
    .s_axi_awready   (s_axi_awready),
    .s_axi_wdata     (s_axi_wdata),
    .s_axi_wstrb     (s_axi_wstrb),
    .s_axi_wlast     (s_axi_wlast),
    .s_axi_wvalid    (s_axi_wvalid),
    .s_axi_wready    (s_axi_wready),
    .s_axi_bresp     (s_axi_bresp),
    .s_axi_bvalid    (s_axi_bvalid),
    .s_axi_bready    (s_axi_bready),
    .s_axi_araddr    (s_axi_araddr),
    .s_axi_arlen     (s_axi_arlen),
    .s_axi_arvalid   (s_axi_arvalid),
    .s_axi_arready   (s_axi_arready),
    .s_axi_rdata     (s_axi_rdata),
    .s_axi_rresp     (s_axi_rresp),
    .s_axi_rlast     (s_axi_rlast),
    .s_axi_rvalid    (s_axi_rvalid),
    .s_axi_rready    (s_axi_rready),
    .m_axi_awaddr    (m_axi_awaddr),
    .m_axi_awlen     (m_axi_awlen),
    .m_axi_awvalid   (m_axi_awvalid),
    .m_axi_awready   (m_axi_awready),
    .m_axi_wdata     (m_axi_wdata),
    .m_axi_wstrb     (m_axi_wstrb),
    .m_axi_wlast     (m_axi_wlast),
    .m_axi_wvalid    (m_axi_wvalid),
    .m_axi_wready    (m_axi_wready),
    .m_axi_bresp     (m_axi_bresp),
    .m_axi_bvalid    (m_axi_bvalid),
    .m_axi_bready    (m_axi_bready),
    .m_axi_araddr    (m_axi_araddr),
    .m_axi_arlen     (m_axi_arlen),
    .m_axi_arvalid   (m_axi_arvalid),
    .m_axi_arready   (m_axi_arready),
    .m_axi_rdata     (m_axi_rdata),
    .m_axi_rresp     (m_axi_rresp),
    .m_axi_rlast     (m_axi_rlast),
    .m_axi_rvalid    (m_axi_rvalid),
    .m_axi_rready    (m_axi_rready)
  );
endmodule
`default_nettype wire
