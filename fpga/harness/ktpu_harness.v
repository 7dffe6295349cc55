// SPDX-License-Identifier: Apache-2.0
// Four pins round the int8 core, to place and route it where its ports do not fit the package.
// Every input of the core is one bit of a shift register, every output ends in a registered tree of
// exclusive ors: nothing of the core can be optimised away, and no path is longer for the harness
// than one LUT at the core's edge. For measuring area and speed only; it does no useful work.
`default_nettype none
module ktpu_harness #(
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
  input  wire clk_i,
  input  wire rst_i,
  input  wire bit_i,
  output wire bit_o
);
  localparam integer INPUTS  = 65 + 10 + BUS_BITS;
  localparam integer OUTPUTS = 41 + 32 + 2 * ADDR_BITS + BUS_BITS + BUS_BITS / 8 + 2;
  localparam integer STAGE1  = OUTPUTS / 4 + 1;
  localparam integer STAGE2  = STAGE1 / 4 + 1;
  localparam integer STAGE3  = STAGE2 / 4 + 1;

  reg  [INPUTS-1:0]     in_q;
  wire [OUTPUTS-1:0]    out;
  reg                   rst_q;
  reg  [STAGE1-1:0]     xor1_q;
  reg  [STAGE2-1:0]     xor2_q;
  reg  [STAGE3-1:0]     xor3_q;
  reg                   xor4_q;
  wire [4*STAGE1-1:0]   pad1 = {{(4*STAGE1-OUTPUTS){1'b0}}, out};
  wire [4*STAGE2-1:0]   pad2 = {{(4*STAGE2-STAGE1){1'b0}}, xor1_q};
  wire [4*STAGE3-1:0]   pad3 = {{(4*STAGE3-STAGE2){1'b0}}, xor2_q};

  assign bit_o = xor4_q;

  integer i;
  always @(posedge clk_i) begin
    rst_q <= rst_i;
    in_q  <= {in_q[INPUTS-2:0], bit_i};
    for (i = 0; i < STAGE1; i = i + 1) xor1_q[i] <= ^pad1[4*i +: 4];
    for (i = 0; i < STAGE2; i = i + 1) xor2_q[i] <= ^pad2[4*i +: 4];
    for (i = 0; i < STAGE3; i = i + 1) xor3_q[i] <= ^pad3[4*i +: 4];
    xor4_q <= ^xor3_q;
  end

  // The core's inputs, in the order of its ports.
  wire [11:0]         axil_awaddr, axil_araddr;
  wire [31:0]         axil_wdata;
  wire [3:0]          axil_wstrb;
  wire                axil_awvalid, axil_wvalid, axil_bready, axil_arvalid, axil_rready;
  wire [BUS_BITS-1:0] axi_rdata;
  wire [1:0]          axi_rresp, axi_bresp;
  wire                axi_awready, axi_wready, axi_bvalid, axi_arready, axi_rlast, axi_rvalid;

  assign {axil_awaddr, axil_awvalid, axil_wdata, axil_wstrb, axil_wvalid, axil_bready,
          axil_araddr, axil_arvalid, axil_rready,
          axi_awready, axi_wready, axi_bresp, axi_bvalid, axi_arready, axi_rresp, axi_rlast,
          axi_rvalid, axi_rdata} = in_q;

  // The core's outputs.
  wire                  axil_awready, axil_wready, axil_bvalid, axil_arready, axil_rvalid;
  wire [1:0]            axil_bresp, axil_rresp;
  wire [31:0]           axil_rdata;
  wire [ADDR_BITS-1:0]  axi_awaddr, axi_araddr;
  wire [7:0]            axi_awlen, axi_arlen;
  wire [2:0]            axi_awsize, axi_arsize;
  wire [1:0]            axi_awburst, axi_arburst;
  wire [BUS_BITS-1:0]   axi_wdata;
  wire [BUS_BITS/8-1:0] axi_wstrb;
  wire                  axi_awvalid, axi_wlast, axi_wvalid, axi_bready, axi_arvalid, axi_rready;
  wire                  busy, done;

  assign out = {axil_awready, axil_wready, axil_bresp, axil_bvalid, axil_arready, axil_rdata,
                axil_rresp, axil_rvalid,
                axi_awaddr, axi_awlen, axi_awsize, axi_awburst, axi_awvalid,
                axi_wdata, axi_wstrb, axi_wlast, axi_wvalid, axi_bready,
                axi_araddr, axi_arlen, axi_arsize, axi_arburst, axi_arvalid, axi_rready,
                busy, done};

  ktpu_int8 #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .IMEM_SIZE(IMEM_SIZE),
    .QD(QD), .BUS_BITS(BUS_BITS), .OUTSTANDING(OUTSTANDING), .CONTRACTS(CONTRACTS),
    .STRIDES(STRIDES), .COUNTERS(COUNTERS), .SERIAL_SHIFT(SERIAL_SHIFT), .ADDR_BITS(ADDR_BITS),
    .CONFIG_HASH(CONFIG_HASH)
  ) u_core (
    .clk_i(clk_i), .rst_i(rst_q),
    .s_axil_awaddr(axil_awaddr), .s_axil_awvalid(axil_awvalid), .s_axil_awready(axil_awready),
    .s_axil_wdata(axil_wdata), .s_axil_wstrb(axil_wstrb), .s_axil_wvalid(axil_wvalid),
    .s_axil_wready(axil_wready), .s_axil_bresp(axil_bresp), .s_axil_bvalid(axil_bvalid),
    .s_axil_bready(axil_bready), .s_axil_araddr(axil_araddr), .s_axil_arvalid(axil_arvalid),
    .s_axil_arready(axil_arready), .s_axil_rdata(axil_rdata), .s_axil_rresp(axil_rresp),
    .s_axil_rvalid(axil_rvalid), .s_axil_rready(axil_rready),
    .m_axi_awaddr(axi_awaddr), .m_axi_awlen(axi_awlen), .m_axi_awsize(axi_awsize),
    .m_axi_awburst(axi_awburst), .m_axi_awvalid(axi_awvalid), .m_axi_awready(axi_awready),
    .m_axi_wdata(axi_wdata), .m_axi_wstrb(axi_wstrb), .m_axi_wlast(axi_wlast),
    .m_axi_wvalid(axi_wvalid), .m_axi_wready(axi_wready), .m_axi_bresp(axi_bresp),
    .m_axi_bvalid(axi_bvalid), .m_axi_bready(axi_bready), .m_axi_araddr(axi_araddr),
    .m_axi_arlen(axi_arlen), .m_axi_arsize(axi_arsize), .m_axi_arburst(axi_arburst),
    .m_axi_arvalid(axi_arvalid), .m_axi_arready(axi_arready), .m_axi_rdata(axi_rdata),
    .m_axi_rresp(axi_rresp), .m_axi_rlast(axi_rlast), .m_axi_rvalid(axi_rvalid),
    .m_axi_rready(axi_rready),
    .busy_o(busy), .done_o(done)
  );
endmodule
`default_nettype wire
