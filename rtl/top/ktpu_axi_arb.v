// SPDX-License-Identifier: Apache-2.0
// Shares one AXI4 memory port between the core and the host; the core always comes first. While no
// host burst is in flight the core (c_axi_*) is wired straight through, without a cycle of latency.
// A host burst (s_axi_*) is let in only while core_busy_i is low, one read or one write at a time,
// reads and writes in turn, and costs one cycle to get the port. A core that becomes busy meanwhile
// has its valids held until that burst has its last response. core_busy_i must cover everything the
// core has outstanding: no valid and no owed response while it is low. Ready and valid outputs of
// the port's owner follow the other side without a clock.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_axi_arb #(
  parameter integer ADDR_BITS = 32,
  parameter integer BUS_BITS  = 64
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  core_busy_i,

  input  wire [ADDR_BITS-1:0]  c_axi_awaddr,
  input  wire [7:0]            c_axi_awlen,
  input  wire                  c_axi_awvalid,
  output wire                  c_axi_awready,
  input  wire [BUS_BITS-1:0]   c_axi_wdata,
  input  wire [BUS_BITS/8-1:0] c_axi_wstrb,
  input  wire                  c_axi_wlast,
  input  wire                  c_axi_wvalid,
  output wire                  c_axi_wready,
  output wire [1:0]            c_axi_bresp,
  output wire                  c_axi_bvalid,
  input  wire                  c_axi_bready,
  input  wire [ADDR_BITS-1:0]  c_axi_araddr,
  input  wire [7:0]            c_axi_arlen,
  input  wire                  c_axi_arvalid,
  output wire                  c_axi_arready,
  output wire [BUS_BITS-1:0]   c_axi_rdata,
  output wire [1:0]            c_axi_rresp,
  output wire                  c_axi_rlast,
  output wire                  c_axi_rvalid,
  input  wire                  c_axi_rready,

  input  wire [ADDR_BITS-1:0]  s_axi_awaddr,
  input  wire [7:0]            s_axi_awlen,
  input  wire                  s_axi_awvalid,
  output wire                  s_axi_awready,
  input  wire [BUS_BITS-1:0]   s_axi_wdata,
  input  wire [BUS_BITS/8-1:0] s_axi_wstrb,
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
  output wire [BUS_BITS-1:0]   s_axi_rdata,
  output wire [1:0]            s_axi_rresp,
  output wire                  s_axi_rlast,
  output wire                  s_axi_rvalid,
  input  wire                  s_axi_rready,

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
  localparam [1:0] ST_CORE  = 2'd0;       // the core owns the port
  localparam [1:0] ST_READ  = 2'd1;       // one host read burst
  localparam [1:0] ST_WRITE = 2'd2;       // one host write burst

  reg [1:0] state_q;
  reg       addr_done_q;                  // the host's address has been taken
  reg       data_done_q;                  // the host's last write beat has been taken
  reg       write_next_q;                 // when the host wants both: the turn of the write

  wire core_owns  = state_q == ST_CORE;
  wire host_read  = state_q == ST_READ;
  wire host_write = state_q == ST_WRITE;

  wire let_host   = core_owns && !core_busy_i;
  wire take_write = let_host && s_axi_awvalid && (write_next_q || !s_axi_arvalid);
  wire take_read  = let_host && s_axi_arvalid && !take_write;
  wire read_over  = host_read && m_axi_rvalid && m_axi_rready && m_axi_rlast;
  wire write_over = host_write && m_axi_bvalid && m_axi_bready;

  wire host_ar = host_read && !addr_done_q;
  wire host_aw = host_write && !addr_done_q;
  wire host_w  = host_write && !data_done_q;

  assign m_axi_araddr  = host_read ? s_axi_araddr : c_axi_araddr;
  assign m_axi_arlen   = host_read ? s_axi_arlen : c_axi_arlen;
  assign m_axi_arvalid = core_owns ? c_axi_arvalid : host_ar && s_axi_arvalid;
  assign c_axi_arready = core_owns && m_axi_arready;
  assign s_axi_arready = host_ar && m_axi_arready;

  assign m_axi_rready = core_owns ? c_axi_rready : host_read && s_axi_rready;
  assign c_axi_rdata  = m_axi_rdata;
  assign c_axi_rresp  = m_axi_rresp;
  assign c_axi_rlast  = m_axi_rlast;
  assign c_axi_rvalid = core_owns && m_axi_rvalid;
  assign s_axi_rdata  = m_axi_rdata;
  assign s_axi_rresp  = m_axi_rresp;
  assign s_axi_rlast  = m_axi_rlast;
  assign s_axi_rvalid = host_read && m_axi_rvalid;

  assign m_axi_awaddr  = host_write ? s_axi_awaddr : c_axi_awaddr;
  assign m_axi_awlen   = host_write ? s_axi_awlen : c_axi_awlen;
  assign m_axi_awvalid = core_owns ? c_axi_awvalid : host_aw && s_axi_awvalid;
  assign c_axi_awready = core_owns && m_axi_awready;
  assign s_axi_awready = host_aw && m_axi_awready;

  assign m_axi_wdata  = host_write ? s_axi_wdata : c_axi_wdata;
  assign m_axi_wstrb  = host_write ? s_axi_wstrb : c_axi_wstrb;
  assign m_axi_wlast  = host_write ? s_axi_wlast : c_axi_wlast;
  assign m_axi_wvalid = core_owns ? c_axi_wvalid : host_w && s_axi_wvalid;
  assign c_axi_wready = core_owns && m_axi_wready;
  assign s_axi_wready = host_w && m_axi_wready;

  assign m_axi_bready = core_owns ? c_axi_bready : host_write && s_axi_bready;
  assign c_axi_bresp  = m_axi_bresp;
  assign c_axi_bvalid = core_owns && m_axi_bvalid;
  assign s_axi_bresp  = m_axi_bresp;
  assign s_axi_bvalid = host_write && m_axi_bvalid;

  always @(posedge clk_i) begin
    case (state_q)
      ST_CORE: begin
        if (take_read)  state_q <= ST_READ;
        if (take_write) state_q <= ST_WRITE;
        if (take_read || take_write) write_next_q <= take_read;
        addr_done_q <= 1'b0;
        data_done_q <= 1'b0;
      end
      ST_READ: begin
        if (s_axi_arvalid && s_axi_arready) addr_done_q <= 1'b1;
        if (read_over) state_q <= ST_CORE;
      end
      ST_WRITE: begin
        if (s_axi_awvalid && s_axi_awready) addr_done_q <= 1'b1;
        if (s_axi_wvalid && s_axi_wready && s_axi_wlast) data_done_q <= 1'b1;
        if (write_over) state_q <= ST_CORE;
      end
      default: state_q <= ST_CORE;
    endcase
    if (rst_i) begin
      state_q      <= ST_CORE;
      addr_done_q  <= 1'b0;
      data_done_q  <= 1'b0;
      write_next_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  wire core_silent = !(c_axi_arvalid || c_axi_awvalid || c_axi_wvalid);
  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(core_busy_i || core_silent, "the core uses the bus while it is not busy")
      `KTPU_CHECK(core_busy_i || !core_owns || !(m_axi_rvalid || m_axi_bvalid),
                  "a response for a core that is not busy")
    end
`endif
`ifdef FORMAL
  `include "ktpu_axi_arb_fv.vh"
`endif
endmodule
`default_nettype wire
