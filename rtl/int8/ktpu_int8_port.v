// SPDX-License-Identifier: Apache-2.0
// The core's memory port (m_axi_). With PIPELINE = 1 registers lie before it, so that no path
// crosses it: an address, a beat of data and a response each take a cycle more. A response to a
// write is always taken.
`default_nettype none
module ktpu_int8_port #(
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 32,
  parameter integer PIPELINE  = 0
) (
  input  wire                  clk_i,
  input  wire                  rst_i,         // with the memory's

  input  wire [ADDR_BITS-1:0]  bus_araddr,
  input  wire                  bus_arvalid,
  output wire                  bus_arready,
  output wire [BUS_BITS-1:0]   bus_rdata,
  output wire [1:0]            bus_rresp,
  output wire                  bus_rvalid,
  input  wire                  bus_rready,
  input  wire [ADDR_BITS-1:0]  bus_awaddr,
  input  wire [7:0]            bus_awlen,
  input  wire                  bus_awvalid,
  output wire                  bus_awready,
  input  wire [BUS_BITS-1:0]   bus_wdata,
  input  wire [BUS_BITS/8-1:0] bus_wstrb,
  input  wire                  bus_wlast,
  input  wire                  bus_wvalid,
  output wire                  bus_wready,
  output wire [1:0]            bus_bresp,
  output wire                  bus_bvalid,

  output wire [ADDR_BITS-1:0]  m_axi_araddr,
  output wire                  m_axi_arvalid,
  input  wire                  m_axi_arready,
  input  wire [BUS_BITS-1:0]   m_axi_rdata,
  input  wire [1:0]            m_axi_rresp,
  input  wire                  m_axi_rvalid,
  output wire                  m_axi_rready,
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
  input  wire                  m_axi_bvalid
);
  generate
    if (PIPELINE != 0) begin : g_registers
      ktpu_skid #(.WIDTH(ADDR_BITS)) u_ar (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(bus_arvalid), .in_ready_o(bus_arready), .in_data_i(bus_araddr),
        .out_valid_o(m_axi_arvalid), .out_ready_i(m_axi_arready), .out_data_o(m_axi_araddr)
      );
      ktpu_skid #(.WIDTH(BUS_BITS + 2)) u_r (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(m_axi_rvalid), .in_ready_o(m_axi_rready),
        .in_data_i({m_axi_rresp, m_axi_rdata}),
        .out_valid_o(bus_rvalid), .out_ready_i(bus_rready), .out_data_o({bus_rresp, bus_rdata})
      );
      ktpu_skid #(.WIDTH(ADDR_BITS + 8)) u_aw (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(bus_awvalid), .in_ready_o(bus_awready), .in_data_i({bus_awlen, bus_awaddr}),
        .out_valid_o(m_axi_awvalid), .out_ready_i(m_axi_awready),
        .out_data_o({m_axi_awlen, m_axi_awaddr})
      );
      ktpu_skid #(.WIDTH(BUS_BITS + BUS_BITS/8 + 1)) u_w (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(bus_wvalid), .in_ready_o(bus_wready),
        .in_data_i({bus_wlast, bus_wstrb, bus_wdata}),
        .out_valid_o(m_axi_wvalid), .out_ready_i(m_axi_wready),
        .out_data_o({m_axi_wlast, m_axi_wstrb, m_axi_wdata})
      );
      reg [1:0] bresp_q;
      reg       bvalid_q;
      assign bus_bresp  = bresp_q;
      assign bus_bvalid = bvalid_q;
      always @(posedge clk_i) begin
        bresp_q  <= m_axi_bresp;
        bvalid_q <= m_axi_bvalid && !rst_i;
      end
    end else begin : g_wires
      wire unused = &{1'b0, clk_i, rst_i};
      assign m_axi_araddr = bus_araddr;
      assign m_axi_arvalid = bus_arvalid;
      assign bus_arready = m_axi_arready;
      assign bus_rdata = m_axi_rdata;
      assign bus_rresp = m_axi_rresp;
      assign bus_rvalid = m_axi_rvalid;
      assign m_axi_rready = bus_rready;
      assign m_axi_awaddr = bus_awaddr;
      assign m_axi_awlen = bus_awlen;
      assign m_axi_awvalid = bus_awvalid;
      assign bus_awready = m_axi_awready;
      assign m_axi_wdata = bus_wdata;
      assign m_axi_wstrb = bus_wstrb;
      assign m_axi_wlast = bus_wlast;
      assign m_axi_wvalid = bus_wvalid;
      assign bus_wready = m_axi_wready;
      assign bus_bresp = m_axi_bresp;
      assign bus_bvalid = m_axi_bvalid;
    end
  endgenerate
endmodule
`default_nettype wire
