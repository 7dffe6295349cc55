// SPDX-License-Identifier: Apache-2.0
// The link with 16 KiB of memory and, in the core's place, registers that take any write and read
// as zero: what the boards of link-only tests have in common. idle_o: no request, no reply.
`default_nettype none
module ktpu_board_link_core #(
  parameter integer WINDOW   = 8,
  parameter integer PAYLOAD  = 512,
  parameter integer SMALL    = 0,
  parameter [31:0]  BUILD_ID = 32'd0,
  parameter [31:0]  PART     = 32'd0,
  parameter [31:0]  CLOCK_HZ = 32'd0,
  parameter [3:0]   PHY      = 4'd1
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

  output wire       idle_o
);
  localparam integer BUS   = 64;
  localparam integer BITS  = 14;
  localparam integer BYTES = 1 << BITS;

  wire [11:0]      reg_awaddr, reg_araddr;
  wire             reg_awvalid, reg_wvalid, reg_bready, reg_arvalid, reg_rready;
  wire [31:0]      reg_wdata;
  wire [3:0]       reg_wstrb;
  reg              bvalid_q, rvalid_q;
  wire             write = reg_awvalid && reg_wvalid && !bvalid_q;
  wire             read  = reg_arvalid && !rvalid_q;

  wire [BITS-1:0]  awaddr, araddr;
  wire [7:0]       awlen, arlen;
  wire             awvalid, awready, wlast, wvalid, wready, bvalid, bready;
  wire             arvalid, arready, rlast, rvalid, rready;
  wire [BUS-1:0]   wdata, rdata;
  wire [BUS/8-1:0] wstrb;
  wire [1:0]       bresp, rresp;

  assign idle_o = !rst_i && u_link.u_exec.quiet_o && u_link.tx_tail == u_link.tx_head
                  && !tx_valid_o;

  always @(posedge clk_i) begin
    bvalid_q <= write || (bvalid_q && !reg_bready);
    rvalid_q <= read || (rvalid_q && !reg_rready);
    if (rst_i) begin
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end
  end

  ktpu_link #(
    .WINDOW(WINDOW), .PAYLOAD(PAYLOAD), .SMALL(SMALL), .BUS_BITS(BUS), .ADDR_BITS(BITS),
    .MEMORY_BYTES(BYTES), .BUILD_ID(BUILD_ID), .PART(PART), .CLOCK_HZ(CLOCK_HZ), .PHY(PHY)
  ) u_link (
    .clk_i(clk_i), .rst_i(rst_i),
    .rx_valid(rx_valid_i), .rx_ready(rx_ready_o), .rx_data(rx_data_i), .rx_error(rx_error_i),
    .rx_break(rx_break_i), .tx_valid(tx_valid_o), .tx_ready(tx_ready_i), .tx_data(tx_data_o),
    .tx_last(tx_last_o), .busy_i(1'b0), .done_i(1'b0),
    .m_axil_awaddr(reg_awaddr), .m_axil_awvalid(reg_awvalid), .m_axil_awready(write),
    .m_axil_wdata(reg_wdata), .m_axil_wstrb(reg_wstrb), .m_axil_wvalid(reg_wvalid),
    .m_axil_wready(write), .m_axil_bresp(2'b00), .m_axil_bvalid(bvalid_q),
    .m_axil_bready(reg_bready), .m_axil_araddr(reg_araddr), .m_axil_arvalid(reg_arvalid),
    .m_axil_arready(read), .m_axil_rdata(32'd0), .m_axil_rresp(2'b00), .m_axil_rvalid(rvalid_q),
    .m_axil_rready(reg_rready),
    .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awvalid(awvalid), .m_axi_awready(awready),
    .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid),
    .m_axi_wready(wready), .m_axi_bresp(bresp), .m_axi_bvalid(bvalid), .m_axi_bready(bready),
    .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arvalid(arvalid), .m_axi_arready(arready),
    .m_axi_rdata(rdata), .m_axi_rresp(rresp), .m_axi_rlast(rlast), .m_axi_rvalid(rvalid),
    .m_axi_rready(rready));

  ktpu_mem_bram #(.BYTES(BYTES), .ADDR_BITS(BITS), .BUS_BITS(BUS)) u_mem (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axi_awaddr(awaddr), .s_axi_awlen(awlen), .s_axi_awvalid(awvalid), .s_axi_awready(awready),
    .s_axi_wdata(wdata), .s_axi_wstrb(wstrb), .s_axi_wlast(wlast), .s_axi_wvalid(wvalid),
    .s_axi_wready(wready), .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(bready),
    .s_axi_araddr(araddr), .s_axi_arlen(arlen), .s_axi_arvalid(arvalid), .s_axi_arready(arready),
    .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rlast(rlast), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready));
endmodule
`default_nettype wire
