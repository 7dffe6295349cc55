// SPDX-License-Identifier: Apache-2.0
// The checkers themselves (ktpu_axi_chk and the ktpu_stream_chk inside it): legal traffic gives no
// complaint, and each broken rule gives the complaint that names it. KTPU_CHECK is replaced here,
// so that a complaint is counted and the run goes on; this file must be the first one on the
// command line.
`default_nettype none
`define KTPU_CHECK(cond, msg) \
  if ((cond) !== 1'b1) begin \
    tb_ktpu_axi_chk.hits = tb_ktpu_axi_chk.hits + 1; \
    if (tb_ktpu_axi_chk.want == msg) tb_ktpu_axi_chk.matched = tb_ktpu_axi_chk.matched + 1; \
  end
module tb_ktpu_axi_chk;
  localparam integer CASES = 22;

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  reg  [31:0] awaddr, araddr;
  reg  [7:0]  awlen, arlen;
  reg  [63:0] wdata, rdata;
  reg  [1:0]  bresp;
  reg         awvalid, awready, wlast, wvalid, wready, bvalid, bready;
  reg         arvalid, arready, rlast, rvalid, rready;
  wire        idle;

  ktpu_axi_chk #(.ADDR_BITS(32), .BUS_BITS(64), .OUTSTANDING(4)) u_dut (
    .clk_i(clk), .rst_i(rst),
    .awaddr_i(awaddr), .awlen_i(awlen), .awvalid_i(awvalid), .awready_i(awready),
    .wdata_i(wdata), .wstrb_i(8'hff), .wlast_i(wlast), .wvalid_i(wvalid), .wready_i(wready),
    .bresp_i(bresp), .bvalid_i(bvalid), .bready_i(bready),
    .araddr_i(araddr), .arlen_i(arlen), .arvalid_i(arvalid), .arready_i(arready),
    .rdata_i(rdata), .rresp_i(2'b00), .rlast_i(rlast), .rvalid_i(rvalid), .rready_i(rready),
    .idle_o(idle));

  integer seed, rng, errors, ok, which, hits, matched, repeats;
  reg [8*48-1:0] want;

  // ---- one handshake each; before, the other side may be late -----------------------------------
  task late;
    repeat ($unsigned($random(rng)) % 3) @(posedge clk);
  endtask

  task ar(input [31:0] a, input [7:0] len);
    begin
      arvalid <= 1'b1; araddr <= a; arlen <= len;
      late;
      arready <= 1'b1;
      @(posedge clk);
      arvalid <= 1'b0; arready <= 1'b0;
    end
  endtask

  task r(input last);
    begin
      rvalid <= 1'b1; rlast <= last; rdata <= $random(rng);
      late;
      rready <= 1'b1;
      @(posedge clk);
      rvalid <= 1'b0; rready <= 1'b0;
    end
  endtask

  task aw(input [31:0] a, input [7:0] len);
    begin
      awvalid <= 1'b1; awaddr <= a; awlen <= len;
      late;
      awready <= 1'b1;
      @(posedge clk);
      awvalid <= 1'b0; awready <= 1'b0;
    end
  endtask

  task w(input last);
    begin
      wvalid <= 1'b1; wlast <= last; wdata <= $random(rng);
      late;
      wready <= 1'b1;
      @(posedge clk);
      wvalid <= 1'b0; wready <= 1'b0;
    end
  endtask

  task b;
    begin
      bvalid <= 1'b1; bresp <= 2'b00;
      late;
      bready <= 1'b1;
      @(posedge clk);
      bvalid <= 1'b0; bready <= 1'b0;
    end
  endtask

  task reset;
    begin
      {awvalid, awready, wlast, wvalid, wready, bvalid, bready} <= 7'd0;
      {arvalid, arready, rlast, rvalid, rready} <= 5'd0;
      awaddr <= 0; araddr <= 0; awlen <= 0; arlen <= 0; wdata <= 0; rdata <= 0; bresp <= 0;
      rst <= 1'b1;
      @(posedge clk);
      @(posedge clk);
      rst <= 1'b0;
      @(posedge clk);
    end
  endtask

  task legal;
    begin
      ar(32'h10, 3); ar(32'hff8, 0); ar(32'h1000, 1);
      r(0); r(0); r(0); r(1); r(1); r(0);
      r(1);
      ar(32'h800, 255);
      repeat (255) r(0);
      r(1);
      aw(32'hff0, 1); w(0); w(1); b;
      w(0); w(0); w(1); aw(32'h20, 2); late; b;
      w(0); aw(32'h2000, 1); w(1); aw(32'h20, 0); w(1); b; b;
      @(posedge clk);
      #0 if (!idle) begin
        errors = errors + 1;
        $display("FAIL not idle after legal traffic");
      end
    end
  endtask

  task broken(input integer c);
    case (c)
      1:  begin want = "a read burst crosses 4 KiB"; ar(32'hff8, 1); end
      2:  begin want = "a write burst crosses 4 KiB"; aw(32'h1ff0, 2); end
      3:  begin want = "a read address is not aligned"; ar(32'h14, 0); end
      4:  begin want = "a write address is not aligned"; aw(32'h21, 0); end
      5:  begin want = "a read beat that nobody asked for"; ar(0, 0); r(1); r(1); end
      6:  begin want = "rlast is not on the last beat"; ar(0, 2); r(0); r(1); end
      7:  begin want = "rlast is not on the last beat"; ar(0, 1); r(0); r(0); end
      8:  begin want = "wlast is not on the last beat"; aw(0, 2); w(0); w(1); end
      9:  begin want = "wlast is not on the last beat"; aw(0, 0); w(0); end
      10: begin want = "a write burst has not the length of its address"; w(0); w(1); aw(0, 2); end
      11: begin want = "a write response before address and data"; w(1); b; end
      12: begin want = "a write response before address and data"; aw(0, 1); w(0); b; end
      13: begin want = "too many reads under way"; repeat (5) ar(0, 0); end
      14: begin
        want = "valid fell before the word was taken";
        arvalid <= 1'b1;
        @(posedge clk);
        arvalid <= 1'b0;
      end
      15: begin
        want = "data changed before the word was taken";
        arvalid <= 1'b1;
        @(posedge clk);
        araddr <= 32'h8;
      end
      16: begin
        want = "data changed before the word was taken";
        wvalid <= 1'b1;
        @(posedge clk);
        wdata <= 64'h8;
      end
      17: begin
        want = "data changed before the word was taken";
        ar(0, 3);
        rvalid <= 1'b1;
        @(posedge clk);
        rdata <= 64'h8;
      end
      18: begin
        want = "valid fell before the word was taken";
        aw(0, 0); w(1);
        bvalid <= 1'b1;
        @(posedge clk);
        bvalid <= 1'b0;
      end
      19: begin want = "valid is unknown"; awvalid <= 1'bx; end
      20: begin want = "ready is unknown"; rready <= 1'bx; ar(0, 0); rvalid <= 1'b1; end
      default: begin
        want = "data changed before the word was taken";
        awvalid <= 1'b1;
        @(posedge clk);
        awlen <= 8'd1;
      end
    endcase
  endtask

  initial begin
    seed = 1; errors = 0; hits = 0; matched = 0; want = 0;
    ok = $value$plusargs("seed=%d", seed);
    rng = seed;
    for (repeats = 0; repeats < 10; repeats = repeats + 1) begin
      reset;
      legal;
      if (hits != 0) begin
        errors = errors + 1;
        $display("FAIL %0d complaints about legal traffic", hits);
      end
      for (which = 1; which < CASES; which = which + 1) begin
        reset;
        hits = 0; matched = 0;
        broken(which);
        repeat (3) @(posedge clk);
        if (matched == 0) begin
          errors = errors + 1;
          $display("FAIL case %0d: %0d complaints, none is: %0s", which, hits, want);
        end
      end
      reset;
      hits = 0;
    end
    if (errors == 0) $display("PASS tb_ktpu_axi_chk seed=%0d", seed);
    else $display("FAIL tb_ktpu_axi_chk seed=%0d: %0d errors", seed, errors);
    $finish;
  end
endmodule
`default_nettype wire
