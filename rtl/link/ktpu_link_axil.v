// SPDX-License-Identifier: Apache-2.0
// One AXI4-Lite access at a time. A word to be written is pushed in byte by byte, lowest first.
// start_i begins; done_o: the response is there (its word at rdata_o) and waits for take_i.
// abandon_i gives up: the access is finished in the background and its response swallowed, busy_o
// and dead_o being high until then. SMALL = 1: addr_i must hold while busy_o is high.
`default_nettype none
module ktpu_link_axil #(
  parameter integer SMALL = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,

  input  wire        push_i,
  input  wire [7:0]  data_i,
  input  wire        start_i,
  input  wire        write_i,
  input  wire [11:0] addr_i,
  input  wire        abandon_i,
  input  wire        take_i,
  output wire        busy_o,
  output wire        dead_o,
  output wire        done_o,
  output wire        error_o,             // with done_o
  output wire [31:0] rdata_o,

  output wire [11:0] m_axil_awaddr,
  output wire        m_axil_awvalid,
  input  wire        m_axil_awready,
  output wire [31:0] m_axil_wdata,
  output wire [3:0]  m_axil_wstrb,
  output wire        m_axil_wvalid,
  input  wire        m_axil_wready,
  input  wire [1:0]  m_axil_bresp,
  input  wire        m_axil_bvalid,
  output wire        m_axil_bready,
  output wire [11:0] m_axil_araddr,
  output wire        m_axil_arvalid,
  input  wire        m_axil_arready,
  input  wire [31:0] m_axil_rdata,
  input  wire [1:0]  m_axil_rresp,
  input  wire        m_axil_rvalid,
  output wire        m_axil_rready
);
  reg        aw_q, w_q, ar_q;             // valids
  reg        owed_q;                      // a response has not been taken
  reg        write_q;
  reg        dead_q;
  reg [31:0] wdata_q;

  wire there = owed_q && (write_q ? m_axil_bvalid : m_axil_rvalid);
  wire over  = there && (take_i || dead_q);

  assign busy_o  = owed_q;
  assign dead_o  = dead_q;
  assign done_o  = there && !dead_q;
  assign error_o = write_q ? m_axil_bresp[1] : m_axil_rresp[1];
  assign rdata_o = m_axil_rdata;

  assign m_axil_awvalid = aw_q;
  assign m_axil_wdata   = wdata_q;
  assign m_axil_wstrb   = 4'b1111;
  assign m_axil_wvalid  = w_q;
  assign m_axil_arvalid = ar_q;
  assign m_axil_bready  = owed_q && write_q && (take_i || dead_q);
  assign m_axil_rready  = owed_q && !write_q && (take_i || dead_q);

  wire unused_resp = &{1'b0, m_axil_bresp[0], m_axil_rresp[0]};

  generate
    if (SMALL != 0) begin : g_held
      assign m_axil_awaddr = addr_i;
      assign m_axil_araddr = addr_i;
    end else begin : g_copied
      reg [11:0] addr_q;
      assign m_axil_awaddr = addr_q;
      assign m_axil_araddr = addr_q;
      always @(posedge clk_i)
        if (start_i) addr_q <= addr_i;
    end
  endgenerate

  always @(posedge clk_i) begin
    if (m_axil_awready) aw_q <= 1'b0;
    if (m_axil_wready) w_q <= 1'b0;
    if (m_axil_arready) ar_q <= 1'b0;
    if (over) begin
      owed_q <= 1'b0;
      dead_q <= 1'b0;
    end else if (abandon_i && owed_q) dead_q <= 1'b1;
    if (start_i) begin
      aw_q   <= write_i;
      w_q    <= write_i;
      ar_q   <= !write_i;
      owed_q <= 1'b1;
    end
    if (rst_i) begin
      aw_q   <= 1'b0;
      w_q    <= 1'b0;
      ar_q   <= 1'b0;
      owed_q <= 1'b0;
      dead_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin           // no reset: the valids say when these mean something
    if (start_i) write_q <= write_i;
    if (push_i) wdata_q <= {data_i, wdata_q[31:8]};
  end

`ifdef FORMAL
  `include "ktpu_link_axil_fv.vh"
`endif
endmodule
`default_nettype wire
