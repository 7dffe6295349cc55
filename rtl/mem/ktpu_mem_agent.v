// SPDX-License-Identifier: Apache-2.0
// The memory agent: the only thing that turns a cluster's FILLs and write bursts into traffic on
// the AXI4 port (256 bits, no IDs, INCR, answers in order). Reads: ktpu_mem_agent_ask asks,
// ktpu_mem_agent_take makes L1 words of the beats, quantised where memory holds binary16. Writes:
// ktpu_mem_agent_write. A QUANTISE comes as a FILL, when no other instruction is under way: its
// words go to ktpu_mem_agent_store and from there back to memory, quantised_o says that it is over.
// A fault is told once, in its cycle; from then on, and while stop_i is high, nothing new is read,
// beats under way are dropped, and writes whose address was taken are finished as usual. clear_i,
// when everything is idle, begins anew.
`default_nettype none
module ktpu_mem_agent #(
  parameter integer ADDR_BITS   = 32,
  parameter integer OUTSTANDING = 64
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 clear_i,
  input  wire                 stop_i,
  input  wire [32:0]          memory_end_i,   // the first byte address that does not exist

  input  wire                 fill_valid_i,
  output wire                 fill_ready_o,
  input  wire [255:0]         fill_insn_i,
  input  wire [15:0]          fill_instr_i,
  output wire                 quantised_o,

  output wire                 l1_valid_o,
  output wire                 l1_side_o,
  output wire [8:0]           l1_entry_o,
  output wire [1:0]           l1_lane_o,
  output wire [223:0]         l1_q_o,
  output wire [7:0]           l1_code_o,

  input  wire                 aw_valid_i,
  output wire                 aw_ready_o,
  input  wire [32:0]          aw_addr_i,
  input  wire [3:0]           aw_beats_i,     // 1..8
  input  wire [15:0]          aw_instr_i,
  input  wire                 w_valid_i,
  output wire                 w_ready_o,
  input  wire [255:0]         w_data_i,
  input  wire                 w_strobe_i,
  output wire                 b_valid_o,

  output wire                 fault_valid_o,
  output reg  [7:0]           fault_code_o,
  output wire [7:0]           fault_field_o,
  output reg  [31:0]          fault_arg_o,
  output reg  [15:0]          fault_instr_o,

  output wire                 idle_o,
  output wire                 progress_o,
  output wire                 waiting_read_o,
  output wire                 waiting_write_o,
  output wire [2:0]           ev_poisoned_o,
  output wire                 read_beat_o,
  output wire                 write_beat_o,

  output wire [ADDR_BITS-1:0] m_axi_awaddr,
  output wire [7:0]           m_axi_awlen,
  output wire                 m_axi_awvalid,
  input  wire                 m_axi_awready,
  output wire [255:0]         m_axi_wdata,
  output wire [31:0]          m_axi_wstrb,
  output wire                 m_axi_wlast,
  output wire                 m_axi_wvalid,
  input  wire                 m_axi_wready,
  input  wire [1:0]           m_axi_bresp,
  input  wire                 m_axi_bvalid,
  output wire                 m_axi_bready,
  output wire [ADDR_BITS-1:0] m_axi_araddr,
  output wire [7:0]           m_axi_arlen,
  output wire                 m_axi_arvalid,
  input  wire                 m_axi_arready,
  input  wire [255:0]         m_axi_rdata,
  input  wire [1:0]           m_axi_rresp,
  input  wire                 m_axi_rlast,
  input  wire                 m_axi_rvalid,
  output wire                 m_axi_rready
);
  `include "ktpu_mx.vh"

  reg         faulted_q;
  wire        halt = stop_i || faulted_q;

  wire        note_valid, note_ready;
  wire        ask_past, reading, ask_idle, take_idle, take_step, write_idle;
  wire [31:0] ask_past_addr;
  wire [15:0] ask_past_instr, r_instr;
  wire        r_hs = m_axi_rvalid && m_axi_rready;
  wire        read_error = r_hs && m_axi_rresp != 2'b00;
  wire        write_past, write_error;
  wire [31:0] write_past_addr;
  wire [15:0] write_error_instr;

  wire         word_valid, aw_ready, w_ready, b_valid;
  wire         storing, store_room, store_aw_valid, store_w_valid;
  wire [32:0]  store_aw_addr;
  wire [255:0] store_w_data;
  wire [15:0]  store_instr;
  wire [15:0]  write_instr = storing ? store_instr : aw_instr_i;

  // What a QUANTISE shares with a FILL lies in the same places. It reads binary16, blocks inside.
  wire         is_quantise = fill_insn_i[7:0] == KT_MX_OP_QUANTISE;
  wire [255:0] as_fill = {fill_insn_i[255:KT_MX_FILL_ORDER_AT+1], 1'b1, 1'b0,
                          fill_insn_i[KT_MX_FILL_PREQ_AT-1:0]};
  wire [255:0] insn = is_quantise ? as_fill : fill_insn_i;

  ktpu_mem_agent_ask #(
    .ADDR_BITS   (ADDR_BITS),
    .OUTSTANDING (OUTSTANDING)
  ) u_ask (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .clear_i      (clear_i),
    .halt_i       (halt),
    .memory_end_i (memory_end_i),
    .fill_valid_i (fill_valid_i),
    .fill_ready_o (fill_ready_o),
    .fill_insn_i  (insn),
    .fill_instr_i (fill_instr_i),
    .note_valid_o (note_valid),
    .note_ready_i (note_ready),
    .ar_valid_o   (m_axi_arvalid),
    .ar_ready_i   (m_axi_arready),
    .ar_addr_o    (m_axi_araddr),
    .ar_len_o     (m_axi_arlen),
    .r_last_i     (r_hs && m_axi_rlast),
    .past_o       (ask_past),
    .past_addr_o  (ask_past_addr),
    .past_instr_o (ask_past_instr),
    .reading_o    (reading),
    .idle_o       (ask_idle)
  );

  ktpu_mem_agent_take u_take (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .clear_i      (clear_i),
    .halt_i       (halt),
    .room_i       (!storing || store_room),
    .note_valid_i (note_valid),
    .note_ready_o (note_ready),
    .note_insn_i  (insn),
    .note_instr_i (fill_instr_i),
    .r_valid_i    (m_axi_rvalid),
    .r_ready_o    (m_axi_rready),
    .r_data_i     (m_axi_rdata),
    .r_instr_o    (r_instr),
    .l1_valid_o   (word_valid),
    .l1_side_o    (l1_side_o),
    .l1_entry_o   (l1_entry_o),
    .l1_lane_o    (l1_lane_o),
    .l1_q_o       (l1_q_o),
    .l1_code_o    (l1_code_o),
    .step_o       (take_step),
    .idle_o       (take_idle)
  );
  assign l1_valid_o = word_valid && !storing;

  ktpu_mem_agent_store u_store (
    .clk_i        (clk_i),
    .rst_i        (rst_i || clear_i),
    .halt_i       (halt),
    .begin_i      (note_valid && is_quantise),
    .insn_i       (fill_insn_i),
    .instr_i      (fill_instr_i),
    .busy_o       (storing),
    .done_o       (quantised_o),
    .instr_o      (store_instr),
    .word_valid_i (word_valid),
    .word_i       ({l1_code_o, l1_q_o}),
    .room_o       (store_room),
    .aw_valid_o   (store_aw_valid),
    .aw_ready_i   (aw_ready),
    .aw_addr_o    (store_aw_addr),
    .w_valid_o    (store_w_valid),
    .w_ready_i    (w_ready),
    .w_data_o     (store_w_data),
    .b_valid_i    (b_valid)
  );
  assign aw_ready_o = aw_ready && !storing;
  assign w_ready_o  = w_ready && !storing;
  assign b_valid_o  = b_valid && !storing;

  ktpu_mem_agent_write #(
    .ADDR_BITS (ADDR_BITS)
  ) u_write (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .memory_end_i  (memory_end_i),
    .aw_valid_i    (storing ? store_aw_valid : aw_valid_i),
    .aw_ready_o    (aw_ready),
    .aw_addr_i     (storing ? store_aw_addr : aw_addr_i),
    .aw_beats_i    (storing ? 4'd4 : aw_beats_i),
    .aw_instr_i    (write_instr),
    .w_valid_i     (storing ? store_w_valid : w_valid_i),
    .w_ready_o     (w_ready),
    .w_data_i      (storing ? store_w_data : w_data_i),
    .w_strobe_i    (storing || w_strobe_i),
    .b_valid_o     (b_valid),
    .m_aw_valid_o  (m_axi_awvalid),
    .m_aw_ready_i  (m_axi_awready),
    .m_aw_addr_o   (m_axi_awaddr),
    .m_aw_len_o    (m_axi_awlen),
    .m_w_valid_o   (m_axi_wvalid),
    .m_w_ready_i   (m_axi_wready),
    .m_w_data_o    (m_axi_wdata),
    .m_w_strb_o    (m_axi_wstrb),
    .m_w_last_o    (m_axi_wlast),
    .m_b_valid_i   (m_axi_bvalid),
    .m_b_ready_o   (m_axi_bready),
    .m_b_resp_i    (m_axi_bresp),
    .past_o        (write_past),
    .past_addr_o   (write_past_addr),
    .error_o       (write_error),
    .error_instr_o (write_error_instr),
    .idle_o        (write_idle)
  );

  // ---- Faults: what was asked for first goes first --------------------------------------------

  assign fault_valid_o = (ask_past || write_past || (read_error && !halt) || write_error) &&
                         !faulted_q;
  assign fault_field_o = 8'd0;
  always @* begin
    fault_code_o  = KT_MX_FAULT_MEMORY;
    fault_arg_o   = ask_past_addr;
    fault_instr_o = ask_past_instr;
    if (write_error) begin
      fault_code_o  = KT_MX_FAULT_AXI_WRITE;
      fault_arg_o   = {30'd0, m_axi_bresp};
      fault_instr_o = write_error_instr;
    end else if (read_error && !halt) begin
      fault_code_o  = KT_MX_FAULT_AXI_READ;
      fault_arg_o   = {30'd0, m_axi_rresp};
      fault_instr_o = r_instr;
    end else if (write_past) begin
      fault_arg_o   = write_past_addr;
      fault_instr_o = write_instr;
    end
  end
  always @(posedge clk_i) begin
    if (fault_valid_o) faulted_q <= 1'b1;
    if (clear_i || rst_i) faulted_q <= 1'b0;
  end

  assign read_beat_o     = r_hs;
  assign write_beat_o    = m_axi_wvalid && m_axi_wready;
  assign ev_poisoned_o   = {2'b00, word_valid && (&l1_code_o)};
  assign waiting_read_o  = reading;
  assign waiting_write_o = !write_idle;
  assign idle_o          = ask_idle && take_idle && write_idle && !storing;
  assign progress_o      = r_hs || take_step || write_beat_o || b_valid || word_valid ||
                           (m_axi_arvalid && m_axi_arready) || (m_axi_awvalid && m_axi_awready) ||
                           (fill_valid_i && fill_ready_o) || (w_valid_i && w_ready);
endmodule
`default_nettype wire
