// SPDX-License-Identifier: Apache-2.0
// The memory of an iCE40UP5K board: its four SPRAMs as 16,384 words of 64 bits behind an AXI4
// slave port (one ID, in order). One access a cycle, writes before reads; a write beat waits in a
// register for one cycle, so that reads do not depend on its valid. A read is one beat
// (arlen 0), there one cycle after its address; reads follow one another every cycle. There is no
// register for a beat that waits: its address is kept and it is read again after each write that
// goes before it, so it holds up no write. Therefore rvalid is high only in the cycle in which
// rready is: rready must not wait for rvalid, and arready follows rready without a clock. A write
// burst is one or two beats; its address is taken with the last one, and only while the beat is
// offered too. Write then read, after the response: the new bytes.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_mem_spram (
  input  wire        clk_i,
  input  wire        rst_i,

  input  wire [16:0] s_axi_awaddr,
  input  wire [7:0]  s_axi_awlen,
  input  wire        s_axi_awvalid,
  output wire        s_axi_awready,
  input  wire [63:0] s_axi_wdata,
  input  wire [7:0]  s_axi_wstrb,
  input  wire        s_axi_wlast,
  input  wire        s_axi_wvalid,
  output wire        s_axi_wready,
  output wire [1:0]  s_axi_bresp,
  output wire        s_axi_bvalid,
  input  wire        s_axi_bready,
  input  wire [16:0] s_axi_araddr,
  input  wire [7:0]  s_axi_arlen,
  input  wire        s_axi_arvalid,
  output wire        s_axi_arready,
  output wire [63:0] s_axi_rdata,
  output wire [1:0]  s_axi_rresp,
  output wire        s_axi_rlast,
  output wire        s_axi_rvalid,
  input  wire        s_axi_rready
);
  // ---- writes: a beat is taken when its address is there, and the last one when its response can
  reg         second_q;                   // the next beat is its burst's second
  reg         b_valid_q;
  reg         w_q, next_q;                // a beat is written now; its address is one further
  reg  [13:0] w_addr_q;
  reg  [63:0] w_data_q;
  reg  [7:0]  w_strb_q;
  wire w_hs = s_axi_wvalid && s_axi_awvalid && (!b_valid_q || s_axi_bready);

  assign s_axi_wready  = w_hs;
  assign s_axi_awready = w_hs && s_axi_wlast;
  assign s_axi_bvalid  = b_valid_q;
  assign s_axi_bresp   = 2'b00;

  always @(posedge clk_i) begin
    w_q <= w_hs;
    if (w_hs) second_q <= !s_axi_wlast;
    if (w_hs && s_axi_wlast) b_valid_q <= 1'b1;
    else if (s_axi_bready) b_valid_q <= 1'b0;
    if (rst_i) begin
      w_q       <= 1'b0;
      second_q  <= 1'b0;
      b_valid_q <= 1'b0;
    end
  end
  always @(posedge clk_i) begin           // no reset: w_q says when these mean something
    next_q   <= second_q;
    w_addr_q <= s_axi_awaddr[16:3];
    w_data_q <= s_axi_wdata;
    w_strb_q <= s_axi_wstrb;
  end

  // ---- reads: the beat that is owed is on the RAMs' output unless the last access was a write
  reg         owed_q;
  reg         there_q;
  reg  [13:0] owed_addr_q;
  wire        r_hs  = owed_q && there_q && s_axi_rready;
  wire        again = owed_q && !r_hs;
  wire        ar_hs = s_axi_arvalid && s_axi_arready;

  assign s_axi_arready = !w_q && !again;
  assign s_axi_rvalid  = r_hs;
  assign s_axi_rresp   = 2'b00;
  assign s_axi_rlast   = 1'b1;

  always @(posedge clk_i) begin
    owed_q  <= ar_hs || again;
    there_q <= !w_q;
    if (rst_i) owed_q <= 1'b0;
  end
  always @(posedge clk_i)
    if (ar_hs) owed_addr_q <= s_axi_araddr[16:3];

  // ---- one port
  wire [13:0] addr;
  wire [13:0] raddr = again ? owed_addr_q : s_axi_araddr[16:3];

  ktpu_mem_address #(.WIDTH(14)) u_address (
    .write_i(w_q), .next_i(next_q), .raddr_i(raddr), .waddr_i(w_addr_q),
    .addr_o(addr));

  genvar k;
  generate
    for (k = 0; k < 4; k = k + 1) begin : g_ram
      ktpu_spram16k u_ram (
        .clk_i(clk_i), .we_i(w_q),
        .mask_i({{2{w_strb_q[2*k+1]}}, {2{w_strb_q[2*k]}}}), .addr_i(addr),
        .wdata_i(w_data_q[16*k +: 16]), .rdata_o(s_axi_rdata[16*k +: 16]));
    end
  endgenerate

  wire unused = &{1'b0, s_axi_awaddr[2:0], s_axi_araddr[2:0], s_axi_awlen, s_axi_arlen};

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(!s_axi_arvalid || s_axi_arlen == 8'd0, "a read of several beats")
      `KTPU_CHECK(!s_axi_awvalid || s_axi_awlen <= 8'd1, "a write of more than two beats")
      `KTPU_CHECK(!w_hs || s_axi_wlast == (second_q || s_axi_awlen == 8'd0), "wlast is misplaced")
    end
`endif
endmodule
`default_nettype wire
