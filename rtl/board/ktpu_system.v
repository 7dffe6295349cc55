// SPDX-License-Identifier: Apache-2.0
// All of a board but its clock and its PHY: link, core with the arbiter of its memory port, memory.
// The byte streams are the PHY's. SPRAM = 1: the iCE40UP5K's four single-port RAMs are the memory
// (ADDR_BITS 17, BUS_BITS 64), else block RAM of MEMORY_BYTES.
`default_nettype none
module ktpu_system #(
  parameter integer SPRAM        = 0,
  parameter integer T            = 4,
  parameter integer MAXDIM       = 16,
  parameter integer SPAD_ROWS    = 64,
  parameter integer NVR          = 64,
  parameter integer NAR          = 128,
  parameter integer IMEM_SIZE    = 104,
  parameter integer QD           = 2,
  parameter integer BUS_BITS     = 64,
  parameter integer OUTSTANDING  = 8,
  parameter integer CONTRACTS    = 0,
  parameter integer STRIDES      = 0,
  parameter integer COUNTERS     = 0,
  parameter integer SERIAL_SHIFT = 1,
  parameter integer ADDR_BITS    = 17,
  parameter [31:0]  CONFIG_HASH  = 32'd0,
  parameter [31:0]  BUILD_ID     = 32'd0,
  parameter [31:0]  PART         = 32'd0,
  parameter [31:0]  CLOCK_HZ     = 32'd24000000,
  parameter integer MEMORY_BYTES = 131072,
  parameter integer WINDOW       = 2,
  parameter integer PAYLOAD      = 256,
  parameter integer SMALL        = 1,
  parameter [3:0]   PHY          = 4'd1,
  parameter integer BUS_TIMEOUT  = 32768
) (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire       rx_valid_i,
  output wire       rx_ready_o,
  input  wire [7:0] rx_data_i,
  input  wire       rx_error_i,
  input  wire       rx_break_i,
  output wire       tx_valid_o,
  input  wire       tx_ready_i,
  output wire [7:0] tx_data_o,
  output wire       tx_last_o,

  output wire       busy_o
);
  generate
    if (SPRAM != 0 && (ADDR_BITS != 17 || BUS_BITS != 64 || MEMORY_BYTES != 131072)) begin : g_bad
      ktpu_param_error_spram_is_128_kib_of_64_bit_words u_stop ();
    end
  endgenerate

  // the link's registers and path to memory, and the memory's port
  wire [11:0]              reg_awaddr, reg_araddr;
  wire                     reg_awvalid, reg_awready, reg_wvalid, reg_wready, reg_bvalid,
                           reg_bready, reg_arvalid, reg_arready, reg_rvalid, reg_rready;
  wire [31:0]              reg_wdata, reg_rdata;
  wire [3:0]               reg_wstrb;
  wire [1:0]               reg_bresp, reg_rresp;
  wire [ADDR_BITS-1:0]     host_awaddr, host_araddr;
  wire [7:0]               host_awlen, host_arlen;
  wire                     host_awvalid, host_awready, host_wlast, host_wvalid, host_wready,
                           host_bvalid, host_bready, host_arvalid, host_arready, host_rlast,
                           host_rvalid, host_rready;
  wire [BUS_BITS-1:0]      host_wdata, host_rdata;
  wire [BUS_BITS/8-1:0]    host_wstrb;
  wire [1:0]               host_bresp, host_rresp;
  wire [ADDR_BITS-1:0]     mem_awaddr, mem_araddr;
  wire [7:0]               mem_awlen, mem_arlen;
  wire                     mem_awvalid, mem_awready, mem_wlast, mem_wvalid, mem_wready,
                           mem_bvalid, mem_bready, mem_arvalid, mem_arready, mem_rlast,
                           mem_rvalid, mem_rready;
  wire [BUS_BITS-1:0]      mem_wdata, mem_rdata;
  wire [BUS_BITS/8-1:0]    mem_wstrb;
  wire [1:0]               mem_bresp, mem_rresp;
  wire [2:0]               unused_awsize, unused_arsize;
  wire [1:0]               unused_awburst, unused_arburst;
  wire                     done;

  ktpu_link #(
    .WINDOW(WINDOW), .PAYLOAD(PAYLOAD), .SMALL(SMALL), .BUS_BITS(BUS_BITS), .ADDR_BITS(ADDR_BITS),
    .MEMORY_BYTES(MEMORY_BYTES), .CONFIG_HASH(CONFIG_HASH), .BUILD_ID(BUILD_ID), .PART(PART),
    .CLOCK_HZ(CLOCK_HZ), .PHY(PHY), .BUS_TIMEOUT(BUS_TIMEOUT)
  ) u_link (
    .clk_i(clk_i), .rst_i(rst_i),
    .rx_valid(rx_valid_i), .rx_ready(rx_ready_o), .rx_data(rx_data_i), .rx_error(rx_error_i),
    .rx_break(rx_break_i), .tx_valid(tx_valid_o), .tx_ready(tx_ready_i), .tx_data(tx_data_o),
    .tx_last(tx_last_o),
    .m_axil_awaddr(reg_awaddr), .m_axil_awvalid(reg_awvalid), .m_axil_awready(reg_awready),
    .m_axil_wdata(reg_wdata), .m_axil_wstrb(reg_wstrb), .m_axil_wvalid(reg_wvalid),
    .m_axil_wready(reg_wready), .m_axil_bresp(reg_bresp), .m_axil_bvalid(reg_bvalid),
    .m_axil_bready(reg_bready), .m_axil_araddr(reg_araddr), .m_axil_arvalid(reg_arvalid),
    .m_axil_arready(reg_arready), .m_axil_rdata(reg_rdata), .m_axil_rresp(reg_rresp),
    .m_axil_rvalid(reg_rvalid), .m_axil_rready(reg_rready),
    .m_axi_awaddr(host_awaddr), .m_axi_awlen(host_awlen), .m_axi_awvalid(host_awvalid),
    .m_axi_awready(host_awready), .m_axi_wdata(host_wdata), .m_axi_wstrb(host_wstrb),
    .m_axi_wlast(host_wlast), .m_axi_wvalid(host_wvalid), .m_axi_wready(host_wready),
    .m_axi_bresp(host_bresp), .m_axi_bvalid(host_bvalid), .m_axi_bready(host_bready),
    .m_axi_araddr(host_araddr), .m_axi_arlen(host_arlen), .m_axi_arvalid(host_arvalid),
    .m_axi_arready(host_arready), .m_axi_rdata(host_rdata), .m_axi_rresp(host_rresp),
    .m_axi_rlast(host_rlast), .m_axi_rvalid(host_rvalid), .m_axi_rready(host_rready),
    .busy_i(busy_o), .done_i(done));

  ktpu_top #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .IMEM_SIZE(IMEM_SIZE),
    .QD(QD), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING), .CONTRACTS(CONTRACTS),
    .STRIDES(STRIDES), .COUNTERS(COUNTERS), .SERIAL_SHIFT(SERIAL_SHIFT), .ADDR_BITS(ADDR_BITS),
    .CONFIG_HASH(CONFIG_HASH)
  ) u_top (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axil_awaddr(reg_awaddr), .s_axil_awvalid(reg_awvalid), .s_axil_awready(reg_awready),
    .s_axil_wdata(reg_wdata), .s_axil_wstrb(reg_wstrb), .s_axil_wvalid(reg_wvalid),
    .s_axil_wready(reg_wready), .s_axil_bresp(reg_bresp), .s_axil_bvalid(reg_bvalid),
    .s_axil_bready(reg_bready), .s_axil_araddr(reg_araddr), .s_axil_arvalid(reg_arvalid),
    .s_axil_arready(reg_arready), .s_axil_rdata(reg_rdata), .s_axil_rresp(reg_rresp),
    .s_axil_rvalid(reg_rvalid), .s_axil_rready(reg_rready),
    .s_axi_awaddr(host_awaddr), .s_axi_awlen(host_awlen), .s_axi_awvalid(host_awvalid),
    .s_axi_awready(host_awready), .s_axi_wdata(host_wdata), .s_axi_wstrb(host_wstrb),
    .s_axi_wlast(host_wlast), .s_axi_wvalid(host_wvalid), .s_axi_wready(host_wready),
    .s_axi_bresp(host_bresp), .s_axi_bvalid(host_bvalid), .s_axi_bready(host_bready),
    .s_axi_araddr(host_araddr), .s_axi_arlen(host_arlen), .s_axi_arvalid(host_arvalid),
    .s_axi_arready(host_arready), .s_axi_rdata(host_rdata), .s_axi_rresp(host_rresp),
    .s_axi_rlast(host_rlast), .s_axi_rvalid(host_rvalid), .s_axi_rready(host_rready),
    .m_axi_awaddr(mem_awaddr), .m_axi_awlen(mem_awlen), .m_axi_awvalid(mem_awvalid),
    .m_axi_awready(mem_awready), .m_axi_wdata(mem_wdata), .m_axi_wstrb(mem_wstrb),
    .m_axi_wlast(mem_wlast), .m_axi_wvalid(mem_wvalid), .m_axi_wready(mem_wready),
    .m_axi_bresp(mem_bresp), .m_axi_bvalid(mem_bvalid), .m_axi_bready(mem_bready),
    .m_axi_araddr(mem_araddr), .m_axi_arlen(mem_arlen), .m_axi_arvalid(mem_arvalid),
    .m_axi_arready(mem_arready), .m_axi_rdata(mem_rdata), .m_axi_rresp(mem_rresp),
    .m_axi_rlast(mem_rlast), .m_axi_rvalid(mem_rvalid), .m_axi_rready(mem_rready),
    .m_axi_awsize(unused_awsize), .m_axi_awburst(unused_awburst), .m_axi_arsize(unused_arsize),
    .m_axi_arburst(unused_arburst),
    .busy_o(busy_o), .done_o(done));

  generate
    if (SPRAM != 0) begin : g_spram
      // The core chooses among its readers up to the end of the cycle: the address waits a clock
      // before the SPRAM, which needs it early.
      wire [16:0] ar_addr;
      wire [7:0]  ar_len;
      wire        ar_valid;
      wire        ar_ready;
      ktpu_slice #(.WIDTH(25)) u_ar (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(mem_arvalid), .in_ready_o(mem_arready), .in_data_i({mem_arlen, mem_araddr}),
        .out_valid_o(ar_valid), .out_ready_i(ar_ready), .out_data_o({ar_len, ar_addr}));
      ktpu_mem_spram u_mem (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_axi_awaddr(mem_awaddr), .s_axi_awlen(mem_awlen), .s_axi_awvalid(mem_awvalid),
        .s_axi_awready(mem_awready), .s_axi_wdata(mem_wdata), .s_axi_wstrb(mem_wstrb),
        .s_axi_wlast(mem_wlast), .s_axi_wvalid(mem_wvalid), .s_axi_wready(mem_wready),
        .s_axi_bresp(mem_bresp), .s_axi_bvalid(mem_bvalid), .s_axi_bready(mem_bready),
        .s_axi_araddr(ar_addr), .s_axi_arlen(ar_len), .s_axi_arvalid(ar_valid),
        .s_axi_arready(ar_ready), .s_axi_rdata(mem_rdata), .s_axi_rresp(mem_rresp),
        .s_axi_rlast(mem_rlast), .s_axi_rvalid(mem_rvalid), .s_axi_rready(mem_rready));
    end else begin : g_bram
      ktpu_mem_bram #(.BYTES(MEMORY_BYTES), .ADDR_BITS(ADDR_BITS), .BUS_BITS(BUS_BITS)) u_mem (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_axi_awaddr(mem_awaddr), .s_axi_awlen(mem_awlen), .s_axi_awvalid(mem_awvalid),
        .s_axi_awready(mem_awready), .s_axi_wdata(mem_wdata), .s_axi_wstrb(mem_wstrb),
        .s_axi_wlast(mem_wlast), .s_axi_wvalid(mem_wvalid), .s_axi_wready(mem_wready),
        .s_axi_bresp(mem_bresp), .s_axi_bvalid(mem_bvalid), .s_axi_bready(mem_bready),
        .s_axi_araddr(mem_araddr), .s_axi_arlen(mem_arlen), .s_axi_arvalid(mem_arvalid),
        .s_axi_arready(mem_arready), .s_axi_rdata(mem_rdata), .s_axi_rresp(mem_rresp),
        .s_axi_rlast(mem_rlast), .s_axi_rvalid(mem_rvalid), .s_axi_rready(mem_rready));
    end
  endgenerate
endmodule
`default_nettype wire
