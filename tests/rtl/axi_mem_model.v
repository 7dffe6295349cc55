// SPDX-License-Identifier: Apache-2.0
// Memory for benches behind an AXI4 port (one ID, in order, INCR, full-width beats), Icarus only.
// It takes one AR and one AW a cycle, gives one R beat a cycle without gaps between bursts, and the
// first R beat and the B come LATENCY + 1 cycles after their handshakes (for B: the later of AW and
// the last W). Data is read from mem when the beat is first offered and written when W meets its
// AW.
//
// A bench may set by hierarchical name, at any time:
//   mem[]              one byte each, address 0 first ($readmemh works on it)
//   latency            cycles, start value LATENCY
//   stall_ar/aw/w      per cent of cycles in which that ready is low
//   stall_r/b          per cent of cycles in which a beat that is due is not yet offered
//   err_lo, err_hi, err_resp   bursts that start in [err_lo, err_hi] get err_resp (0: none)
//   mute               1: never answers (requests are still taken)
// and read: reads, writes (bursts answered), beats_r, beats_w, bad (accesses outside mem; R gives
// 0). Random numbers come from `rng`, which the bench sets from its seed.
`default_nettype none
module axi_mem_model #(
  parameter integer ADDR_BITS = 32,
  parameter integer BUS_BITS  = 64,
  parameter integer BYTES     = 65536,
  parameter integer LATENCY   = 0
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  input  wire [ADDR_BITS-1:0]  awaddr_i,
  input  wire [7:0]            awlen_i,
  input  wire                  awvalid_i,
  output reg                   awready_o,
  input  wire [BUS_BITS-1:0]   wdata_i,
  input  wire [BUS_BITS/8-1:0] wstrb_i,
  input  wire                  wlast_i,
  input  wire                  wvalid_i,
  output reg                   wready_o,
  output reg  [1:0]            bresp_o,
  output reg                   bvalid_o,
  input  wire                  bready_i,
  input  wire [ADDR_BITS-1:0]  araddr_i,
  input  wire [7:0]            arlen_i,
  input  wire                  arvalid_i,
  output reg                   arready_o,
  output reg  [BUS_BITS-1:0]   rdata_o,
  output reg  [1:0]            rresp_o,
  output reg                   rlast_o,
  output reg                   rvalid_o,
  input  wire                  rready_i
);
  localparam integer BUS_BYTES = BUS_BITS / 8;
  localparam integer QUEUE     = 1024;    // requests and write beats held at once
  localparam integer ROOM      = 8;       // ready falls this far before the queues are full

  reg [7:0] mem [0:BYTES-1];

  integer rng;
  integer latency;
  integer stall_ar, stall_aw, stall_w, stall_r, stall_b;
  reg [31:0] err_lo, err_hi;
  reg [1:0]  err_resp;
  reg        mute;
  integer reads, writes, beats_r, beats_w, bad;

  integer now;                            // cycles since time 0

  reg [31:0] ar_addr [0:QUEUE-1];
  integer    ar_len  [0:QUEUE-1];
  integer    ar_due  [0:QUEUE-1];
  integer    ar_in, ar_out, r_beat;

  reg [31:0] aw_addr [0:QUEUE-1];
  integer    aw_len  [0:QUEUE-1];
  integer    aw_due  [0:QUEUE-1];
  integer    aw_in, aw_out, w_burst;      // w_burst: the burst whose data comes next
  integer    w_beat;
  reg [BUS_BITS-1:0]  w_data [0:QUEUE-1];
  reg [BUS_BYTES-1:0] w_strb [0:QUEUE-1];
  reg                 w_last [0:QUEUE-1];
  integer    w_in, w_out;

  reg        r_busy, b_busy;              // what the outputs hold after this edge
  reg [31:0] addr;
  integer    i;

  function [1:0] resp_of(input [31:0] a);
    resp_of = err_resp != 2'd0 && a >= err_lo && a <= err_hi ? err_resp : 2'd0;
  endfunction

  function integer stalled(input integer per_cent);
    begin
      if (per_cent == 0) stalled = 0;
      else stalled = $unsigned($random(rng)) % 100 < per_cent;
    end
  endfunction

  initial begin
    rng = 1;
    latency = LATENCY;
    stall_ar = 0; stall_aw = 0; stall_w = 0; stall_r = 0; stall_b = 0;
    err_lo = 0; err_hi = 0; err_resp = 0; mute = 0;
    reads = 0; writes = 0; beats_r = 0; beats_w = 0; bad = 0; now = 0;
    for (i = 0; i < BYTES; i = i + 1) mem[i] = 8'd0;
  end

  task take_requests;
    begin
      if (arvalid_i && arready_o) begin
        ar_addr[ar_in % QUEUE] = araddr_i;
        ar_len[ar_in % QUEUE]  = arlen_i;
        ar_due[ar_in % QUEUE]  = now + latency;
        ar_in = ar_in + 1;
      end
      if (awvalid_i && awready_o) begin
        aw_addr[aw_in % QUEUE] = awaddr_i;
        aw_len[aw_in % QUEUE]  = awlen_i;
        aw_in = aw_in + 1;
      end
      if (wvalid_i && wready_o) begin
        w_data[w_in % QUEUE] = wdata_i;
        w_strb[w_in % QUEUE] = wstrb_i;
        w_last[w_in % QUEUE] = wlast_i;
        w_in = w_in + 1;
      end
    end
  endtask

  task apply_writes;
    while (w_burst < aw_in && w_out < w_in) begin
      addr = aw_addr[w_burst % QUEUE] + w_beat * BUS_BYTES;
      for (i = 0; i < BUS_BYTES; i = i + 1)
        if (w_strb[w_out % QUEUE][i]) begin
          if (addr + i < BYTES) mem[addr + i] = w_data[w_out % QUEUE][8*i +: 8];
          else bad = bad + 1;
        end
      if (w_last[w_out % QUEUE] !== (w_beat == aw_len[w_burst % QUEUE]))
        $display("CHECK %m: wlast on beat %0d of %0d", w_beat, aw_len[w_burst % QUEUE] + 1);
      w_out = w_out + 1;
      beats_w = beats_w + 1;
      w_beat = w_beat + 1;
      if (w_beat > aw_len[w_burst % QUEUE]) begin
        aw_due[w_burst % QUEUE] = now + latency;
        w_burst = w_burst + 1;
        w_beat = 0;
      end
    end
  endtask

  task offer_read;
    begin
      if (rvalid_o && rready_i) r_busy = 1'b0;
      if (!r_busy && ar_out < ar_in && now >= ar_due[ar_out % QUEUE] && !mute
          && !stalled(stall_r)) begin
        addr = ar_addr[ar_out % QUEUE] + r_beat * BUS_BYTES;
        for (i = 0; i < BUS_BYTES; i = i + 1)
          if (addr + i < BYTES) rdata_o[8*i +: 8] <= mem[addr + i];
          else begin
            rdata_o[8*i +: 8] <= 8'd0;
            bad = bad + 1;
          end
        rresp_o <= resp_of(ar_addr[ar_out % QUEUE]);
        rlast_o <= r_beat == ar_len[ar_out % QUEUE];
        r_busy  = 1'b1;
        beats_r = beats_r + 1;
        r_beat  = r_beat + 1;
        if (r_beat > ar_len[ar_out % QUEUE]) begin
          ar_out = ar_out + 1;
          r_beat = 0;
          reads  = reads + 1;
        end
      end
      rvalid_o <= r_busy;
    end
  endtask

  task offer_response;
    begin
      if (bvalid_o && bready_i) b_busy = 1'b0;
      if (!b_busy && aw_out < w_burst && now >= aw_due[aw_out % QUEUE] && !mute
          && !stalled(stall_b)) begin
        bresp_o <= resp_of(aw_addr[aw_out % QUEUE]);
        b_busy  = 1'b1;
        aw_out  = aw_out + 1;
        writes  = writes + 1;
      end
      bvalid_o <= b_busy;
    end
  endtask

  always @(posedge clk_i) begin
    now = now + 1;
    if (rst_i) begin
      ar_in = 0; ar_out = 0; r_beat = 0;
      aw_in = 0; aw_out = 0; w_burst = 0; w_beat = 0;
      w_in = 0; w_out = 0;
      r_busy = 1'b0; b_busy = 1'b0;
      rvalid_o <= 1'b0; bvalid_o <= 1'b0;
      arready_o <= 1'b0; awready_o <= 1'b0; wready_o <= 1'b0;
    end else begin
      take_requests;
      apply_writes;
      offer_read;
      offer_response;
      arready_o <= ar_in - ar_out < QUEUE - ROOM && !stalled(stall_ar);
      awready_o <= aw_in - aw_out < QUEUE - ROOM && !stalled(stall_aw);
      wready_o  <= w_in - w_out < QUEUE - ROOM && !stalled(stall_w);
    end
  end
endmodule
`default_nettype wire
