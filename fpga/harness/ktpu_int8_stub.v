// SPDX-License-Identifier: Apache-2.0
// Stands for the int8 core when the harness is measured alone: same ports, outputs wired to inputs,
// no logic. Read in place of the core, never beside it.
`default_nettype none
module ktpu_int8 #(
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
  output wire                  busy_o,
  output wire                  done_o
);
  assign s_axil_rdata = s_axil_wdata;
  assign {s_axil_awready, s_axil_wready, s_axil_bresp, s_axil_bvalid} =
         {s_axil_awvalid, s_axil_wvalid, s_axil_bready, s_axil_arvalid, s_axil_rready};
  assign {s_axil_arready, s_axil_rresp, s_axil_rvalid} = s_axil_wstrb;
  assign m_axi_wdata = m_axi_rdata;
  assign {m_axi_awlen, m_axi_awsize, m_axi_awvalid} = s_axil_awaddr;
  assign {m_axi_arlen, m_axi_arsize, m_axi_arvalid} = s_axil_araddr;
  assign m_axi_awaddr = {{(ADDR_BITS-6){1'b0}}, m_axi_rresp, m_axi_rlast, m_axi_rvalid,
                         m_axi_bresp};
  assign m_axi_araddr = {ADDR_BITS{rst_i}};
  assign {m_axi_awburst, m_axi_arburst} = {4{m_axi_bvalid}};
  assign m_axi_wstrb = {(BUS_BITS/8){m_axi_awready}};
  assign {m_axi_wlast, m_axi_wvalid, m_axi_bready, m_axi_rready} = {4{m_axi_wready}};
  assign busy_o = m_axi_arready;
  assign done_o = m_axi_arready ^ rst_i;
endmodule
`default_nettype wire
