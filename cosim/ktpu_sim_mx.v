// SPDX-License-Identifier: Apache-2.0
// What the simulator of the MXFP7 machine is built from: ktpu_mx_top with its inputs in registers,
// under the name and with the pins of cosim/ktpu_sim_top.v (which says why).
`default_nettype none
module ktpu_sim_top #(
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
  reg                        rst_i_q;
  reg  [11:0]                s_axil_awaddr_q;
  reg                        s_axil_awvalid_q;
  reg  [31:0]                s_axil_wdata_q;
  reg  [3:0]                 s_axil_wstrb_q;
  reg                        s_axil_wvalid_q;
  reg                        s_axil_bready_q;
  reg  [11:0]                s_axil_araddr_q;
  reg                        s_axil_arvalid_q;
  reg                        s_axil_rready_q;
  reg  [ADDR_BITS-1:0]       s_axi_awaddr_q;
  reg  [7:0]                 s_axi_awlen_q;
  reg                        s_axi_awvalid_q;
  reg  [255:0]        s_axi_wdata_q;
  reg  [31:0]      s_axi_wstrb_q;
  reg                        s_axi_wlast_q;
  reg                        s_axi_wvalid_q;
  reg                        s_axi_bready_q;
  reg  [ADDR_BITS-1:0]       s_axi_araddr_q;
  reg  [7:0]                 s_axi_arlen_q;
  reg                        s_axi_arvalid_q;
  reg                        s_axi_rready_q;
  reg                        m_axi_awready_q;
  reg                        m_axi_wready_q;
  reg  [1:0]                 m_axi_bresp_q;
  reg                        m_axi_bvalid_q;
  reg                        m_axi_arready_q;
  reg  [255:0]        m_axi_rdata_q;
  reg  [1:0]                 m_axi_rresp_q;
  reg                        m_axi_rlast_q;
  reg                        m_axi_rvalid_q;
  initial rst_i_q = 1'b1;    // at power-up too: the first edge already finds it
  always @(posedge clk_i) begin
    rst_i_q <= rst_i;
    s_axil_awaddr_q <= s_axil_awaddr;
    s_axil_awvalid_q <= s_axil_awvalid;
    s_axil_wdata_q <= s_axil_wdata;
    s_axil_wstrb_q <= s_axil_wstrb;
    s_axil_wvalid_q <= s_axil_wvalid;
    s_axil_bready_q <= s_axil_bready;
    s_axil_araddr_q <= s_axil_araddr;
    s_axil_arvalid_q <= s_axil_arvalid;
    s_axil_rready_q <= s_axil_rready;
    s_axi_awaddr_q <= s_axi_awaddr;
    s_axi_awlen_q <= s_axi_awlen;
    s_axi_awvalid_q <= s_axi_awvalid;
    s_axi_wdata_q <= s_axi_wdata;
    s_axi_wstrb_q <= s_axi_wstrb;
    s_axi_wlast_q <= s_axi_wlast;
    s_axi_wvalid_q <= s_axi_wvalid;
    s_axi_bready_q <= s_axi_bready;
    s_axi_araddr_q <= s_axi_araddr;
    s_axi_arlen_q <= s_axi_arlen;
    s_axi_arvalid_q <= s_axi_arvalid;
    s_axi_rready_q <= s_axi_rready;
    m_axi_awready_q <= m_axi_awready;
    m_axi_wready_q <= m_axi_wready;
    m_axi_bresp_q <= m_axi_bresp;
    m_axi_bvalid_q <= m_axi_bvalid;
    m_axi_arready_q <= m_axi_arready;
    m_axi_rdata_q <= m_axi_rdata;
    m_axi_rresp_q <= m_axi_rresp;
    m_axi_rlast_q <= m_axi_rlast;
    m_axi_rvalid_q <= m_axi_rvalid;
  end

  ktpu_mx_top #(
    .KSLICE(KSLICE), .PACKED(PACKED), .ACC_MW(ACC_MW), .L1_ENTRIES(L1_ENTRIES), .TILES(TILES),
    .IFIFO(IFIFO), .STAGING(STAGING), .COMMANDS(COMMANDS), .OUTSTANDING(OUTSTANDING),
    .ADDR_BITS(ADDR_BITS), .CONFIG_HASH(CONFIG_HASH)
  ) u_top (
    .clk_i(clk_i), .rst_i(rst_i_q), .s_axil_awaddr(s_axil_awaddr_q),
    .s_axil_awvalid(s_axil_awvalid_q), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata_q), .s_axil_wstrb(s_axil_wstrb_q), .s_axil_wvalid(s_axil_wvalid_q),
    .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready_q), .s_axil_araddr(s_axil_araddr_q),
    .s_axil_arvalid(s_axil_arvalid_q), .s_axil_arready(s_axil_arready),
    .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
    .s_axil_rready(s_axil_rready_q), .s_axi_awaddr(s_axi_awaddr_q), .s_axi_awlen(s_axi_awlen_q),
    .s_axi_awvalid(s_axi_awvalid_q), .s_axi_awready(s_axi_awready), .s_axi_wdata(s_axi_wdata_q),
    .s_axi_wstrb(s_axi_wstrb_q), .s_axi_wlast(s_axi_wlast_q), .s_axi_wvalid(s_axi_wvalid_q),
    .s_axi_wready(s_axi_wready), .s_axi_bresp(s_axi_bresp), .s_axi_bvalid(s_axi_bvalid),
    .s_axi_bready(s_axi_bready_q), .s_axi_araddr(s_axi_araddr_q), .s_axi_arlen(s_axi_arlen_q),
    .s_axi_arvalid(s_axi_arvalid_q), .s_axi_arready(s_axi_arready), .s_axi_rdata(s_axi_rdata),
    .s_axi_rresp(s_axi_rresp), .s_axi_rlast(s_axi_rlast), .s_axi_rvalid(s_axi_rvalid),
    .s_axi_rready(s_axi_rready_q), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen),
    .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready_q), .m_axi_wdata(m_axi_wdata),
    .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid),
    .m_axi_wready(m_axi_wready_q), .m_axi_bresp(m_axi_bresp_q), .m_axi_bvalid(m_axi_bvalid_q),
    .m_axi_bready(m_axi_bready), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen),
    .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready_q), .m_axi_rdata(m_axi_rdata_q),
    .m_axi_rresp(m_axi_rresp_q), .m_axi_rlast(m_axi_rlast_q), .m_axi_rvalid(m_axi_rvalid_q),
    .m_axi_rready(m_axi_rready), .m_axi_awsize(m_axi_awsize), .m_axi_awburst(m_axi_awburst),
    .m_axi_arsize(m_axi_arsize), .m_axi_arburst(m_axi_arburst), .busy_o(busy_o), .done_o(done_o)
  );
endmodule
`default_nettype wire
