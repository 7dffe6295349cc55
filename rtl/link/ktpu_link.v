// SPDX-License-Identifier: Apache-2.0
// The device's end of the link (docs/link.md): frames from the PHY in, replies to it out; the
// core's registers behind m_axil_*, memory behind m_axi_* (the host's port of ktpu_top.v). WINDOW
// buffers of frames each way, so that reception never waits; the byte streams take and give a byte
// a cycle. SMALL = 1: for a UART (ten cycles a byte at least) in a small FPGA: one beat of memory
// a byte and the check sums bit by bit. MEMORY_BYTES, WINDOW and BUS_TIMEOUT are powers of two.
`default_nettype none
module ktpu_link #(
  parameter integer WINDOW       = 8,
  parameter integer PAYLOAD      = 512,
  parameter integer SMALL        = 0,
  parameter integer BUS_BITS     = 64,
  parameter integer ADDR_BITS    = 18,
  parameter integer MEMORY_BYTES = 262144,
  parameter [31:0]  CONFIG_HASH  = 32'd0,
  parameter [31:0]  BUILD_ID     = 32'd0,
  parameter [31:0]  PART         = 32'd0,
  parameter [31:0]  CLOCK_HZ     = 32'd0,
  parameter [3:0]   PHY          = 4'd1,
  parameter integer BUS_TIMEOUT  = 32768
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  input  wire                  rx_valid,
  output wire                  rx_ready,
  input  wire [7:0]            rx_data,
  input  wire                  rx_error,
  input  wire                  rx_break,
  output wire                  tx_valid,
  input  wire                  tx_ready,
  output wire [7:0]            tx_data,
  output wire                  tx_last,

  input  wire                  busy_i,
  input  wire                  done_i,

  output wire [11:0]           m_axil_awaddr,
  output wire                  m_axil_awvalid,
  input  wire                  m_axil_awready,
  output wire [31:0]           m_axil_wdata,
  output wire [3:0]            m_axil_wstrb,
  output wire                  m_axil_wvalid,
  input  wire                  m_axil_wready,
  input  wire [1:0]            m_axil_bresp,
  input  wire                  m_axil_bvalid,
  output wire                  m_axil_bready,
  output wire [11:0]           m_axil_araddr,
  output wire                  m_axil_arvalid,
  input  wire                  m_axil_arready,
  input  wire [31:0]           m_axil_rdata,
  input  wire [1:0]            m_axil_rresp,
  input  wire                  m_axil_rvalid,
  output wire                  m_axil_rready,

  output wire [ADDR_BITS-1:0]  m_axi_awaddr,
  output wire [7:0]            m_axi_awlen,
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
  output wire [ADDR_BITS-1:0]  m_axi_araddr,
  output wire [7:0]            m_axi_arlen,
  output wire                  m_axi_arvalid,
  input  wire                  m_axi_arready,
  input  wire [BUS_BITS-1:0]   m_axi_rdata,
  input  wire [1:0]            m_axi_rresp,
  input  wire                  m_axi_rlast,
  input  wire                  m_axi_rvalid,
  output wire                  m_axi_rready
);
  localparam integer SLOT_BITS   = $clog2(WINDOW);
  localparam integer INDEX_BITS  = $clog2(PAYLOAD + PAYLOAD / 254 + 20);  // header, sum, COBS
  localparam integer LEN_BITS    = $clog2(PAYLOAD + 1);
  localparam integer MEMORY_BITS = $clog2(MEMORY_BYTES);
  localparam integer BUFFER_BITS = SLOT_BITS + INDEX_BITS;
  localparam integer OUT_REG     = SMALL == 0 ? 1 : 0;

  generate
    if (WINDOW < 2 || WINDOW > 8 || 1 << SLOT_BITS != WINDOW) begin : g_bad_window
      ktpu_param_error_link_window_must_be_2_4_or_8 u_stop ();
    end
    if (PAYLOAD < 256 || PAYLOAD > 512) begin : g_bad_payload
      ktpu_param_error_link_payload_must_be_256_to_512 u_stop ();
    end
    if (1 << MEMORY_BITS != MEMORY_BYTES || MEMORY_BITS > ADDR_BITS || MEMORY_BITS <= LEN_BITS
        || ADDR_BITS < 14 || ADDR_BITS > 32) begin : g_bad_memory
      ktpu_param_error_link_memory_must_be_a_power_of_two u_stop ();
    end
    if (1 << $clog2(BUS_TIMEOUT) != BUS_TIMEOUT || BUS_TIMEOUT < 32 * PAYLOAD) begin : g_bad_timeout
      ktpu_param_error_link_bus_timeout_must_be_a_power_of_two_of_32_payloads u_stop ();
    end
  endgenerate

  wire [SLOT_BITS:0]     rx_tail, rx_head, tx_tail, tx_head;
  wire                   rx_we, rx_re, tx_we, tx_re;
  wire [BUFFER_BITS-1:0] rx_waddr, rx_raddr, tx_raddr;
  wire [INDEX_BITS-1:0]  tx_waddr;
  wire [7:0]             rx_wdata, rx_rdata, tx_wdata, tx_rdata;
  wire                   rx_event, exec_event;
  wire [3:0]             rx_code, exec_code;
  wire                   fetch_start, fetch_valid, fetch_ready;
  wire [7:0]             fetch_data;
  wire                   build_start, build_valid, build_ready, build_sum, build_finish, build_done;
  wire [7:0]             build_data;
  wire                   tx_sending, quiet;
  wire                   regs_req, regs_take, regs_wr, regs_valid;
  wire [11:0]            regs_addr;
  wire [7:0]             regs_data;
  wire                   axil_push, axil_start, axil_write, axil_abandon, axil_take;
  wire                   axil_busy, axil_dead, axil_done, axil_error;
  wire [11:0]            axil_addr;
  wire [31:0]            axil_rdata;
  wire                   axi_start, axi_write, axi_more, axi_abandon;
  wire                   axi_busy, axi_dead, axi_error, axi_step;
  wire [ADDR_BITS-1:0]   addr;
  wire [LEN_BITS-1:0]    left;
  wire                   w_valid, w_ready, r_valid, r_ready;
  wire [7:0]             r_data;

  assign rx_ready = 1'b1;
  wire unused_pins = &{1'b0, done_i};

  ktpu_link_rx #(
    .SLOT_BITS(SLOT_BITS), .INDEX_BITS(INDEX_BITS), .PAYLOAD(PAYLOAD), .SERIAL(SMALL)
  ) u_rx (
    .clk_i(clk_i), .rst_i(rst_i), .rx_valid_i(rx_valid), .rx_data_i(rx_data),
    .rx_error_i(rx_error), .rx_break_i(rx_break), .head_i(rx_head), .tail_o(rx_tail),
    .we_o(rx_we), .waddr_o(rx_waddr), .wdata_o(rx_wdata), .event_o(rx_event),
    .event_code_o(rx_code)
  );

  ktpu_ram_sdp #(.WIDTH(8), .DEPTH(1 << BUFFER_BITS)) u_rx_ram (
    .clk_i(clk_i), .we_i(rx_we), .waddr_i(rx_waddr), .wdata_i(rx_wdata), .re_i(rx_re),
    .raddr_i(rx_raddr), .rdata_o(rx_rdata)
  );

  ktpu_link_fetch #(
    .SLOT_BITS(SLOT_BITS), .INDEX_BITS(INDEX_BITS), .OUT_REG(OUT_REG)
  ) u_fetch (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(fetch_start), .slot_i(rx_head[SLOT_BITS-1:0]),
    .re_o(rx_re), .raddr_o(rx_raddr), .rdata_i(rx_rdata), .out_valid_o(fetch_valid),
    .out_ready_i(fetch_ready), .out_data_o(fetch_data)
  );

  ktpu_link_exec #(
    .SLOT_BITS(SLOT_BITS), .LEN_BITS(LEN_BITS), .PAYLOAD(PAYLOAD), .SMALL(SMALL),
    .ADDR_BITS(ADDR_BITS), .MEMORY_BITS(MEMORY_BITS), .BUS_TIMEOUT(BUS_TIMEOUT)
  ) u_exec (
    .clk_i(clk_i), .rst_i(rst_i), .core_busy_i(busy_i),
    .rx_tail_i(rx_tail), .rx_head_o(rx_head), .fetch_start_o(fetch_start),
    .fetch_valid_i(fetch_valid), .fetch_ready_o(fetch_ready), .fetch_data_i(fetch_data),
    .tx_tail_o(tx_tail), .tx_head_i(tx_head), .tx_sending_i(tx_sending), .quiet_o(quiet),
    .build_start_o(build_start), .build_valid_o(build_valid), .build_ready_i(build_ready),
    .build_data_o(build_data), .build_sum_o(build_sum), .build_finish_o(build_finish),
    .build_done_i(build_done),
    .regs_req_o(regs_req), .regs_take_o(regs_take), .regs_wr_o(regs_wr), .regs_addr_o(regs_addr),
    .regs_valid_i(regs_valid), .regs_data_i(regs_data), .event_o(exec_event),
    .event_code_o(exec_code),
    .axil_push_o(axil_push), .axil_start_o(axil_start), .axil_write_o(axil_write),
    .axil_addr_o(axil_addr), .axil_abandon_o(axil_abandon), .axil_take_o(axil_take),
    .axil_busy_i(axil_busy), .axil_dead_i(axil_dead), .axil_done_i(axil_done),
    .axil_error_i(axil_error), .axil_rdata_i(axil_rdata),
    .axi_start_o(axi_start), .axi_write_o(axi_write), .addr_o(addr), .left_o(left),
    .axi_more_o(axi_more), .axi_abandon_o(axi_abandon), .axi_busy_i(axi_busy),
    .axi_dead_i(axi_dead), .axi_error_i(axi_error), .axi_step_i(axi_step),
    .axi_w_valid_o(w_valid), .axi_w_ready_i(w_ready), .axi_r_valid_i(r_valid),
    .axi_r_ready_o(r_ready), .axi_r_data_i(r_data)
  );

  ktpu_link_build #(.INDEX_BITS(INDEX_BITS), .SERIAL(SMALL)) u_build (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(build_start), .in_valid_i(build_valid),
    .in_ready_o(build_ready), .in_data_i(build_data), .in_sum_i(build_sum),
    .finish_i(build_finish), .done_o(build_done), .we_o(tx_we), .waddr_o(tx_waddr),
    .wdata_o(tx_wdata)
  );

  ktpu_ram_sdp #(.WIDTH(8), .DEPTH(1 << BUFFER_BITS)) u_tx_ram (
    .clk_i(clk_i), .we_i(tx_we), .waddr_i({tx_tail[SLOT_BITS-1:0], tx_waddr}),
    .wdata_i(tx_wdata), .re_i(tx_re), .raddr_i(tx_raddr), .rdata_o(tx_rdata)
  );

  ktpu_link_tx #(
    .SLOT_BITS(SLOT_BITS), .INDEX_BITS(INDEX_BITS), .OUT_REG(OUT_REG)
  ) u_tx (
    .clk_i(clk_i), .rst_i(rst_i), .tail_i(tx_tail), .head_o(tx_head), .sending_o(tx_sending),
    .quiet_i(quiet), .re_o(tx_re), .raddr_o(tx_raddr), .rdata_i(tx_rdata),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_data_o(tx_data), .tx_last_o(tx_last)
  );

  ktpu_link_regs #(
    .WINDOW(WINDOW), .PAYLOAD(PAYLOAD), .MEMORY_BYTES(MEMORY_BYTES), .CONFIG_HASH(CONFIG_HASH),
    .BUILD_ID(BUILD_ID), .PART(PART), .CLOCK_HZ(CLOCK_HZ), .PHY(PHY)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(regs_req), .take_i(regs_take), .wr_i(regs_wr),
    .addr_i(regs_addr), .wdata_i(fetch_data), .valid_o(regs_valid), .rdata_o(regs_data),
    .a_event_i(rx_event), .a_code_i(rx_code), .b_event_i(exec_event), .b_code_i(exec_code)
  );

  ktpu_link_axil #(.SMALL(SMALL)) u_axil (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(axil_push), .data_i(fetch_data), .start_i(axil_start),
    .write_i(axil_write), .addr_i(axil_addr), .abandon_i(axil_abandon), .take_i(axil_take),
    .busy_o(axil_busy), .dead_o(axil_dead), .done_o(axil_done), .error_o(axil_error),
    .rdata_o(axil_rdata),
    .m_axil_awaddr(m_axil_awaddr), .m_axil_awvalid(m_axil_awvalid),
    .m_axil_awready(m_axil_awready), .m_axil_wdata(m_axil_wdata), .m_axil_wstrb(m_axil_wstrb),
    .m_axil_wvalid(m_axil_wvalid), .m_axil_wready(m_axil_wready), .m_axil_bresp(m_axil_bresp),
    .m_axil_bvalid(m_axil_bvalid), .m_axil_bready(m_axil_bready), .m_axil_araddr(m_axil_araddr),
    .m_axil_arvalid(m_axil_arvalid), .m_axil_arready(m_axil_arready),
    .m_axil_rdata(m_axil_rdata), .m_axil_rresp(m_axil_rresp), .m_axil_rvalid(m_axil_rvalid),
    .m_axil_rready(m_axil_rready)
  );

  generate
    if (SMALL != 0) begin : g_small
      ktpu_link_axi_small #(.ADDR_BITS(ADDR_BITS), .BUS_BITS(BUS_BITS)) u_axi (
        .clk_i(clk_i), .rst_i(rst_i), .start_i(axi_start), .write_i(axi_write), .addr_i(addr),
        .more_i(axi_more), .abandon_i(axi_abandon), .busy_o(axi_busy), .dead_o(axi_dead),
        .error_o(axi_error), .step_o(axi_step), .w_valid_i(w_valid), .w_ready_o(w_ready),
        .w_data_i(fetch_data), .r_valid_o(r_valid), .r_ready_i(r_ready), .r_data_o(r_data),
        .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awvalid(m_axi_awvalid),
        .m_axi_awready(m_axi_awready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
        .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
        .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arvalid(m_axi_arvalid),
        .m_axi_arready(m_axi_arready), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp),
        .m_axi_rlast(m_axi_rlast), .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready)
      );
      wire unused_left = &{1'b0, left};
    end else begin : g_bursts
      assign axi_step = 1'b0;
      ktpu_link_axi #(
        .ADDR_BITS(ADDR_BITS), .BUS_BITS(BUS_BITS), .LEN_BITS(LEN_BITS)
      ) u_axi (
        .clk_i(clk_i), .rst_i(rst_i), .start_i(axi_start), .write_i(axi_write), .addr_i(addr),
        .len_i(left), .abandon_i(axi_abandon), .busy_o(axi_busy), .dead_o(axi_dead),
        .error_o(axi_error), .w_valid_i(w_valid), .w_ready_o(w_ready), .w_data_i(fetch_data),
        .r_valid_o(r_valid), .r_ready_i(r_ready), .r_data_o(r_data),
        .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awvalid(m_axi_awvalid),
        .m_axi_awready(m_axi_awready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
        .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
        .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arvalid(m_axi_arvalid),
        .m_axi_arready(m_axi_arready), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp),
        .m_axi_rlast(m_axi_rlast), .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready)
      );
      wire unused_more = &{1'b0, axi_more};
    end
  endgenerate
endmodule
`default_nettype wire
