// SPDX-License-Identifier: Apache-2.0
// Memory of BYTES bytes in an FPGA's block RAM behind an AXI4 slave port (one ID, in order, INCR,
// full width, bursts of any length). One read and one write beat a cycle. A read beat comes four
// cycles after its address: address register, block RAM, a register on each bank's output (the
// block RAM's clock-to-output is slow), FIFO. Up to 16 beats wait there, so rready may be low at
// any time and for any time without holding up writes. A write burst's address is taken with its
// first beat. Write then read, after the response: the new bytes. Addresses wrap at BYTES. No
// reset reaches a RAM.
`default_nettype none
module ktpu_mem_bram #(
  parameter integer BYTES     = 262144,   // a power of two
  parameter integer ADDR_BITS = 18,
  parameter integer BUS_BITS  = 64
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

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
  input  wire                  s_axi_rready
);
  localparam integer LANES = BUS_BITS / 8;
  localparam integer LSB   = $clog2(LANES);
  localparam integer WORDS = BYTES / LANES;
  localparam integer AW    = $clog2(WORDS);
  localparam integer BANK  = 16384;       // deepest that one block RAM of the ECP5 can be
  localparam integer BANKS = WORDS <= BANK ? 1 : WORDS / BANK;
  localparam integer BA    = BANKS == 1 ? AW : $clog2(BANK);
  localparam integer SB    = BANKS == 1 ? 1 : AW - BA;
  localparam [AW-1:0] A_ONE = {{(AW-1){1'b0}}, 1'b1};
  generate
    if (BYTES < 4 * LANES || WORDS != 1 << AW || AW + LSB > ADDR_BITS) begin : g_bad_bytes
      ktpu_param_error_memory_bytes_must_be_a_power_of_two_within_the_address u_stop ();
    end
  endgenerate

  // ---- write bursts
  reg          w_open_q;                  // the address has been taken, beats are left
  reg [AW-1:0] w_addr_q;                  // of the next beat
  reg          b_valid_q;
  wire w_hs    = s_axi_wvalid && (w_open_q || s_axi_awvalid) && (!b_valid_q || s_axi_bready);
  wire [AW-1:0] w_addr = w_open_q ? w_addr_q : s_axi_awaddr[LSB +: AW];

  assign s_axi_wready  = w_hs;
  assign s_axi_awready = w_hs && !w_open_q;
  assign s_axi_bvalid  = b_valid_q;
  assign s_axi_bresp   = 2'b00;

  always @(posedge clk_i) begin
    if (w_hs) w_open_q <= !s_axi_wlast;
    if (w_hs && s_axi_wlast) b_valid_q <= 1'b1;
    else if (s_axi_bready) b_valid_q <= 1'b0;
    if (rst_i) begin
      w_open_q  <= 1'b0;
      b_valid_q <= 1'b0;
    end
  end

  // ---- read bursts: a beat is asked for only while the FIFO is sure to have room for it
  reg          r_open_q;
  reg [AW-1:0] r_addr_q;
  reg [7:0]    r_left_q;                  // beats after the next one
  reg [4:0]    r_owed_q;                  // asked for and not taken by the master
  wire room   = !r_owed_q[4];
  wire r_go   = room && (r_open_q || s_axi_arvalid);
  wire [7:0] r_left = r_open_q ? r_left_q : s_axi_arlen;
  wire [AW-1:0] r_addr = r_open_q ? r_addr_q : s_axi_araddr[LSB +: AW];
  wire r_last = r_left == 8'd0;
  wire r_hs   = s_axi_rvalid && s_axi_rready;

  assign s_axi_arready = room && !r_open_q;

  always @(posedge clk_i) begin
    if (r_go) r_open_q <= !r_last;
    if (r_go && !r_hs) r_owed_q <= r_owed_q + 5'd1;
    if (r_hs && !r_go) r_owed_q <= r_owed_q - 5'd1;
    if (rst_i) begin
      r_open_q <= 1'b0;
      r_owed_q <= 5'd0;
    end
  end
  always @(posedge clk_i) begin
    if (w_hs) w_addr_q <= w_addr + A_ONE;
    if (r_go) begin
      r_addr_q <= r_addr + A_ONE;
      r_left_q <= r_left - 8'd1;
    end
  end

  // ---- both ports' registers, the banks, their outputs' registers
  reg [LANES-1:0]    we_q;                // also says whether there is a write
  reg [AW-1:0]       waddr_q, raddr_q;
  reg [BUS_BITS-1:0] wdata_q;
  reg [2:0]          valid_q, last_q;     // of the beats in address register, RAM, output register
  reg [2*SB-1:0]     bank_q;              // of the beats in RAM and output register
  wire [BANKS*BUS_BITS-1:0] ram, out;
  wire [SB-1:0] wbank, rbank;

  always @(posedge clk_i) begin
    we_q    <= w_hs ? s_axi_wstrb : {LANES{1'b0}};
    valid_q <= {valid_q[1:0], r_go};
    if (rst_i) begin
      we_q    <= {LANES{1'b0}};
      valid_q <= 3'b000;
    end
  end
  always @(posedge clk_i) begin
    waddr_q <= w_addr;
    wdata_q <= s_axi_wdata;
    raddr_q <= r_addr;
    last_q  <= {last_q[1:0], r_last};
    bank_q  <= {bank_q[SB-1:0], rbank};
  end

  genvar n, k;
  generate
    if (BANKS == 1) begin : g_one_bank
      assign wbank = 1'b0;
      assign rbank = 1'b0;
    end else begin : g_bank_number
      assign wbank = waddr_q[AW-1:BA];
      assign rbank = raddr_q[AW-1:BA];
    end
    for (n = 0; n < BANKS; n = n + 1) begin : g_bank
      localparam integer NUMBER_I = n;
      localparam [SB-1:0] NUMBER = NUMBER_I[SB-1:0];
      reg [BUS_BITS-1:0] out_q;
      for (k = 0; k < LANES; k = k + 1) begin : g_lane
        ktpu_ram_sdp #(.WIDTH(8), .DEPTH(1 << BA)) u_ram (
          .clk_i(clk_i),
          .we_i(we_q[k] && wbank == NUMBER), .waddr_i(waddr_q[BA-1:0]), .wdata_i(wdata_q[8*k +: 8]),
          .re_i(1'b1), .raddr_i(raddr_q[BA-1:0]), .rdata_o(ram[n*BUS_BITS + 8*k +: 8]));
      end
      always @(posedge clk_i) out_q <= ram[n*BUS_BITS +: BUS_BITS];
      assign out[n*BUS_BITS +: BUS_BITS] = out_q;
    end
  endgenerate

  // ---- FIFO
  wire [SB-1:0]       bank = bank_q[2*SB-1:SB];
  wire [BUS_BITS-1:0] word = out[bank*BUS_BITS +: BUS_BITS];
  wire                in_ready;
  wire [4:0]          level;
  ktpu_fifo #(.WIDTH(BUS_BITS + 1), .DEPTH(16)) u_fifo (
    .clk_i(clk_i), .rst_i(rst_i),
    .in_valid_i(valid_q[2]), .in_ready_o(in_ready), .in_data_i({last_q[2], word}),
    .out_valid_o(s_axi_rvalid), .out_ready_i(s_axi_rready),
    .out_data_o({s_axi_rlast, s_axi_rdata}), .level_o(level));
  assign s_axi_rresp = 2'b00;

  wire unused = &{1'b0, s_axi_awaddr, s_axi_araddr, s_axi_awlen, in_ready, level};
endmodule
`default_nettype wire
