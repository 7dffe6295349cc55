// SPDX-License-Identifier: Apache-2.0
// Walks the entries that a FILL names, one a cycle in the order in which the agent fetches them:
// waits while an entry is outstanding or the running sweep still has to read it, marks it
// outstanding. The agent gets the FILL after the walk. Where nothing is outstanding and no sweep
// runs, nothing can stop the walk, and it is handed over when the walk begins: the walk stays ahead
// of words that take four beats an entry. done_o ends it. stop_i drops the walk, and fill_valid_o
// with it.
`default_nettype none
module ktpu_mx_fill #(
  parameter integer L1_ENTRIES = 512
) (
  input  wire                          clk_i,
  input  wire                          rst_i,
  input  wire                          stop_i,

  input  wire                          begin_i,      // a FILL that has passed its checks stands
  input  wire                          order_i,      // 1: blocks innermost
  input  wire [$clog2(L1_ENTRIES)-1:0] entry_i,      // the first one, bank and all
  input  wire [7:0]                    groups_i,     // 256 is 0
  input  wire [7:0]                    blocks_i,
  input  wire [$clog2(L1_ENTRIES)-1:0] pitch_i,      // not added where there is one block
  input  wire                          quiet_i,      // nothing outstanding, no sweep
  output wire                          done_o,

  output wire [$clog2(L1_ENTRIES)-1:0] entry_o,
  input  wire                          blocked_i,    // that entry is outstanding or needed
  output wire                          mark_o,

  output wire                          fill_valid_o,
  input  wire                          fill_ready_i,

  output wire                          waiting_o
);
  localparam integer AW = $clog2(L1_ENTRIES);
  localparam [AW-1:0] A_ONE = {{(AW-1){1'b0}}, 1'b1};

  reg          walking_q;     // entries are left
  reg          early_q;       // the agent may have it before the walk ends
  reg          sent_q, walked_q;
  reg [AW-1:0] entry_q, line_q;         // line: first entry of the inner loop
  reg [7:0]    inner_q, outer_q;        // turns left after this one

  wire [7:0]    groups_left = groups_i - 8'd1;
  wire [7:0]    blocks_left = blocks_i - 8'd1;
  wire [7:0]    inner = order_i ? blocks_left : groups_left;
  wire [7:0]    outer = order_i ? groups_left : blocks_left;

  wire fresh = begin_i && !walking_q && !walked_q && !stop_i;
  wire last  = inner_q == 8'd0 && outer_q == 8'd0;
  wire fire  = fill_valid_o && fill_ready_i;

  assign entry_o      = entry_q;
  assign mark_o       = walking_q && !blocked_i && !stop_i;
  assign fill_valid_o = (walking_q && early_q || walked_q) && !sent_q && !stop_i;
  assign done_o       = walked_q && (sent_q || fire);
  assign waiting_o    = walking_q && blocked_i || walked_q && !sent_q;

  always @(posedge clk_i) begin
    if (fresh) begin
      walking_q <= 1'b1;
      early_q   <= quiet_i;
      sent_q    <= 1'b0;
    end
    if (fire) sent_q <= 1'b1;
    if (mark_o && last) begin
      walking_q <= 1'b0;
      walked_q  <= 1'b1;
    end
    if (done_o) walked_q <= 1'b0;
    if (rst_i || stop_i) begin
      walking_q <= 1'b0;
      walked_q  <= 1'b0;
    end
  end

  wire [AW-1:0] line = line_q + (order_i ? A_ONE : pitch_i);
  always @(posedge clk_i) begin
    if (fresh) begin
      entry_q <= entry_i;
      line_q  <= entry_i;
      inner_q <= inner;
      outer_q <= outer;
    end else if (mark_o) begin
      if (inner_q != 8'd0) begin
        inner_q <= inner_q - 8'd1;
        entry_q <= entry_q + (order_i ? pitch_i : A_ONE);
      end else begin
        inner_q <= inner;
        outer_q <= outer_q - 8'd1;
        entry_q <= line;
        line_q  <= line;
      end
    end
  end
`ifdef FORMAL
  `include "ktpu_mx_fill_fv.vh"
`endif
endmodule
`default_nettype wire
