// SPDX-License-Identifier: Apache-2.0
// Sends staged instructions to the node. The staging RAM is written by the host, a word at a time.
// kick_i, while busy_o is low, sends instructions base_i .. base_i + length_i - 1 in order, the
// first in the next cycle, then one a cycle; the caller has checked that they lie in the RAM. Each
// costs one credit; without credit the kick waits. Credit never exceeds IFIFO: what comes back
// above that is dropped. stop_i: a kick that could never go on (no credit, and nothing at the node
// that would give one back: idle_i) ends; abort_i ends any.
`default_nettype none
module ktpu_mx_dispatch #(
  parameter integer STAGING = 2048,
  parameter integer IFIFO   = 32
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         clear_i,          // no credit

  input  wire         word_we_i,
  input  wire [$clog2(STAGING)+2:0] word_index_i,  // instruction * 8 + word
  input  wire [31:0]  word_i,

  input  wire         kick_i,
  input  wire [$clog2(STAGING)-1:0] base_i,
  input  wire [$clog2(STAGING):0]   length_i,
  input  wire         credit_we_i,
  input  wire [$clog2(IFIFO+1)-1:0] credit_i,
  output wire [$clog2(IFIFO+1)-1:0] credit_o,
  input  wire         stop_i,
  input  wire         abort_i,
  input  wire         idle_i,

  output wire         out_valid_o,
  input  wire         out_ready_i,
  output wire [255:0] out_insn_o,
  output wire         out_last_o,
  input  wire [1:0]   credits_i,        // that come back

  output wire         busy_o,
  output wire         waiting_o,        // for credit
  output wire         sent_o
);
  localparam integer AB = $clog2(STAGING);
  localparam integer CB = $clog2(IFIFO + 1);
  localparam [AB:0]   L_ONE = {{AB{1'b0}}, 1'b1};
  localparam [AB-1:0] A_ONE = {{(AB-1){1'b0}}, 1'b1};

  // ---- Staging RAM: eight words side by side --------------------------------------------------

  wire          read;
  wire [AB-1:0] raddr;
  genvar w;
  generate
    for (w = 0; w < 8; w = w + 1) begin : g_word
      ktpu_ram_sdp #(.WIDTH(32), .DEPTH(STAGING)) u_ram (
        .clk_i(clk_i), .we_i(word_we_i && word_index_i[2:0] == w), .waddr_i(word_index_i[AB+2:3]),
        .wdata_i(word_i), .re_i(read), .raddr_i(raddr), .rdata_o(out_insn_o[32*w +: 32])
      );
    end
  endgenerate

  // ---- The kick: what has been read stands at the RAM's output until it is sent ---------------

  reg          valid_q;                 // the RAM's output is an instruction that waits
  reg [AB:0]   left_q;                  // not yet sent, that one included
  reg [AB-1:0] next_q;                  // the one to read next
  reg [CB-1:0] credit_q;

  wire begin_kick = kick_i && !valid_q;
  wire last       = left_q == L_ONE;
  wire end_kick   = abort_i || (stop_i && waiting_o && idle_i && credits_i == 2'd0);
  assign out_valid_o = valid_q && credit_q != {CB{1'b0}};
  assign out_last_o  = last;
  assign sent_o      = out_valid_o && out_ready_i;
  assign busy_o      = valid_q;
  assign waiting_o   = valid_q && credit_q == {CB{1'b0}};
  assign read        = begin_kick || (sent_o && !last);
  assign raddr       = valid_q ? next_q : base_i;

  always @(posedge clk_i) begin
    if (begin_kick) valid_q <= 1'b1;
    else if ((sent_o && last) || end_kick) valid_q <= 1'b0;
    if (rst_i) valid_q <= 1'b0;
  end
  always @(posedge clk_i)
    if (begin_kick) begin
      left_q <= length_i;
      next_q <= base_i + A_ONE;
    end else if (sent_o) begin
      left_q <= left_q - L_ONE;
      next_q <= next_q + A_ONE;
    end

  // ---- Credit ---------------------------------------------------------------------------------

  localparam [CB+1:0] MOST = IFIFO[CB+1:0];
  wire [CB+1:0] held = {2'd0, credit_we_i ? credit_i : credit_q};
  wire [CB+1:0] sum  = held + {{CB{1'b0}}, credits_i} -
                       {{(CB+1){1'b0}}, sent_o && !credit_we_i};
  always @(posedge clk_i) begin
    if (credit_we_i || sent_o || credits_i != 2'd0)
      credit_q <= sum > MOST ? MOST[CB-1:0] : sum[CB-1:0];
    if (clear_i || rst_i) credit_q <= {CB{1'b0}};
  end
  assign credit_o = credit_q;
`ifdef FORMAL
  `include "ktpu_mx_dispatch_fv.vh"
`endif
endmodule
`default_nettype wire
