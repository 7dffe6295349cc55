// SPDX-License-Identifier: Apache-2.0
// Memory accesses of small builds: one beat and one response for each byte, with one strobe. From
// start_i on, while more_i says that bytes are left, a byte is written (w_*) or read (r_*) at
// addr_i, which moves on by one with step_o; error_o comes with the response. busy_o: until the
// last response. abandon_i gives up: the response that is owed is swallowed; dead_o is high until
// then, and addr_i must hold.
`default_nettype none
module ktpu_link_axi_small #(
  parameter integer ADDR_BITS = 17,
  parameter integer BUS_BITS  = 64
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  input  wire                  start_i,
  input  wire                  write_i,
  input  wire [ADDR_BITS-1:0]  addr_i,
  input  wire                  more_i,
  input  wire                  abandon_i,
  output wire                  busy_o,
  output wire                  dead_o,
  output wire                  error_o,
  output wire                  step_o,

  input  wire                  w_valid_i,
  output wire                  w_ready_o,
  input  wire [7:0]            w_data_i,
  output wire                  r_valid_o,
  input  wire                  r_ready_i,
  output wire [7:0]            r_data_o,

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
  localparam integer LANES = BUS_BITS / 8;
  localparam integer LANE_BITS = $clog2(LANES);

  reg       active_q;
  reg       write_q;
  reg       owed_q;                       // a response has not been taken
  reg       dead_q;
  reg       aw_q, w_q, ar_q;              // valids
  reg       have_q;                       // a byte that was read waits in byte_q
  reg [7:0] byte_q;

  wire [LANE_BITS-1:0] lane = addr_i[LANE_BITS-1:0];
  wire launch  = active_q && !owed_q && !have_q && more_i && !abandon_i && (!write_q || w_valid_i);
  wire b_take  = m_axi_bvalid && m_axi_bready;
  wire r_take  = m_axi_rvalid && m_axi_rready;

  assign busy_o    = active_q;
  assign dead_o    = dead_q;
  assign error_o   = (b_take && m_axi_bresp[1]) || (r_take && m_axi_rresp[1]);
  assign step_o    = (b_take || r_take) && !dead_q;
  assign w_ready_o = launch && write_q;
  assign r_valid_o = have_q;
  assign r_data_o  = byte_q;

  assign m_axi_awaddr  = {addr_i[ADDR_BITS-1:LANE_BITS], {LANE_BITS{1'b0}}};
  assign m_axi_awlen   = 8'd0;
  assign m_axi_awvalid = aw_q;
  assign m_axi_wdata   = {LANES{byte_q}};
  assign m_axi_wstrb   = {{(LANES-1){1'b0}}, 1'b1} << lane;
  assign m_axi_wlast   = 1'b1;
  assign m_axi_wvalid  = w_q;
  assign m_axi_bready  = owed_q && write_q;
  assign m_axi_araddr  = m_axi_awaddr;
  assign m_axi_arlen   = 8'd0;
  assign m_axi_arvalid = ar_q;
  assign m_axi_rready  = owed_q && !write_q;

  wire unused_pins = &{1'b0, m_axi_bresp[0], m_axi_rresp[0], m_axi_rlast};

  always @(posedge clk_i) begin
    if (m_axi_awready) aw_q <= 1'b0;
    if (m_axi_wready) w_q <= 1'b0;
    if (m_axi_arready) ar_q <= 1'b0;
    if (active_q && !owed_q && !more_i) active_q <= 1'b0;
    if (launch) begin
      aw_q   <= write_q;
      w_q    <= write_q;
      ar_q   <= !write_q;
      owed_q <= 1'b1;
    end
    if (abandon_i) begin
      if (owed_q && !b_take && !r_take) dead_q <= 1'b1;
      else active_q <= 1'b0;
    end
    if (b_take || r_take) begin
      owed_q <= 1'b0;
      dead_q <= 1'b0;
      if (dead_q) active_q <= 1'b0;
    end
    have_q <= (have_q && !r_ready_i && !abandon_i) || (r_take && !dead_q && !abandon_i);
    if (start_i) active_q <= 1'b1;
    if (rst_i) begin
      active_q <= 1'b0;
      owed_q   <= 1'b0;
      dead_q   <= 1'b0;
      have_q   <= 1'b0;
      aw_q     <= 1'b0;
      w_q      <= 1'b0;
      ar_q     <= 1'b0;
    end
  end

  always @(posedge clk_i) begin           // no reset: the valids say when these mean something
    if (start_i) write_q <= write_i;
    if (launch) byte_q <= w_data_i;
    else if (r_take) byte_q <= m_axi_rdata[8 * lane +: 8];
  end

`ifdef FORMAL
  `include "ktpu_link_axi_small_fv.vh"
`endif
endmodule
`default_nettype wire
