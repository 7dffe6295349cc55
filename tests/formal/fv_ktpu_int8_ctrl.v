// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_int8_ctrl at its pins: one response for each request, none without, responses
// hold until taken, reads answered two cycles after their address, a start only while nothing runs,
// and a configuration that cannot move while the core is busy, resetting or stuck.
`default_nettype none
module fv_ktpu_int8_ctrl #(
  parameter integer STRIDES   = 1,
  parameter integer ADDR_BITS = 32
) (
  input wire         clk_i,
  input wire         rst_i,
  input wire [11:0]  awaddr, araddr,
  input wire         awvalid, wvalid, bready, arvalid, rready,
  input wire [31:0]  wdata,
  input wire [3:0]   wstrb,
  input wire         busy, resetting, stuck, done, fault_valid,
  input wire [7:0]   fault_code, fault_sub,
  input wire [31:0]  fault_arg, fault_desc, desc_done, event_sat, event_wrap, cnt_data,
  input wire [15:0]  fault_instr
);
  wire                 awready, wready, bvalid, arready, rvalid, start, soft_reset;
  wire [1:0]           bresp, rresp;
  wire [31:0]          rdata, list_count, watchdog;
  wire [ADDR_BITS-1:0] list_addr;
  wire [511:0]         desc;
  wire [5:0]           cnt_addr;

  ktpu_int8_ctrl #(.STRIDES(STRIDES), .ADDR_BITS(ADDR_BITS)) u_dut (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .start_o(start), .soft_reset_o(soft_reset), .clear_o(), .list_addr_o(list_addr),
    .list_count_o(list_count), .watchdog_o(watchdog), .desc_o(desc),
    .busy_i(busy), .resetting_i(resetting), .stuck_i(stuck), .done_i(done),
    .fault_valid_i(fault_valid), .fault_code_i(fault_code), .fault_sub_i(fault_sub),
    .fault_arg_i(fault_arg), .fault_instr_i(fault_instr), .fault_desc_i(fault_desc),
    .desc_done_i(desc_done), .event_sat_i(event_sat), .event_wrap_i(event_wrap),
    .cnt_addr_o(cnt_addr), .cnt_data_i(cnt_data));

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* begin
    if (!started) assume (rst_i);
    assume (!fault_valid || fault_code != 8'd0);
  end

  reg b_owed, r_owed, ar_last;            // owed responses; an address was taken in the last cycle
  reg r_waits, frozen;
  reg [31:0] rdata_last;
  reg [ADDR_BITS+64+512-1:0] config_last;
  // a small build's desc is what it plays, not what it holds
  wire [511:0] desc_held = (STRIDES != 0) ? desc : 512'd0;
  wire [ADDR_BITS+64+512-1:0] config_now = {list_addr, list_count, watchdog, desc_held};

  always @(posedge clk_i) begin
    if (awvalid && awready) b_owed <= 1'b1;
    else if (bvalid && bready) b_owed <= 1'b0;
    if (arvalid && arready) r_owed <= 1'b1;
    else if (rvalid && rready) r_owed <= 1'b0;
    ar_last     <= arvalid && arready;
    r_waits     <= rvalid && !rready;
    rdata_last  <= rdata;
    frozen      <= busy || resetting || stuck;
    config_last <= config_now;
    if (rst_i) {b_owed, r_owed, ar_last, r_waits, frozen} <= 5'd0;
  end

  always @(posedge clk_i)
    if (started && !rst_i) begin
      assert (bvalid == b_owed);
      assert (awready == wready);
      assert (!awready || (awvalid && wvalid && !b_owed));
      assert (arready == !r_owed);
      assert (rvalid == (r_owed && !ar_last));
      assert (!r_waits || (rvalid && rdata == rdata_last));
      assert (bresp == 2'b00 && rresp == 2'b00);
      assert (!start || (awvalid && awready && wdata[0] && !busy && !resetting && !stuck));
      assert (!(start && soft_reset));
      assert (!frozen || config_now == config_last);
      assert (watchdog != 32'd0);
    end

  // reachable, all in one run: a start, a response that waits and a read that waits
  reg [2:0] fv_seen = 3'b000;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (started && !rst_i) begin
      if (start)             fv_seen[0] <= 1'b1;
      if (bvalid && !bready) fv_seen[1] <= 1'b1;
      if (r_waits)           fv_seen[2] <= 1'b1;
    end
endmodule
`default_nettype wire
