// SPDX-License-Identifier: Apache-2.0
// One side of the operand memory: ENTRIES entries of four lanes of 32 elements and a scale code.
// One lane is written and one whole entry read a cycle; the entry stands at the output from the
// cycle after re_i until the next re_i. Lane l at 232 * l: elements in bits 223..0, code above.
`default_nettype none
module ktpu_mx_l1 #(
  parameter integer ENTRIES = 512
) (
  input  wire                       clk_i,

  input  wire                       we_i,
  input  wire [$clog2(ENTRIES)-1:0] wentry_i,
  input  wire [1:0]                 wlane_i,
  input  wire [231:0]               wdata_i,

  input  wire                       re_i,
  input  wire [$clog2(ENTRIES)-1:0] rentry_i,
  output wire [927:0]               rdata_o
);
  genvar l;
  generate
    for (l = 0; l < 4; l = l + 1) begin : g_lane
      localparam [1:0] LANE = l;
      wire here = we_i && wlane_i == LANE;
      ktpu_ram_sdp #(.WIDTH (232), .DEPTH (ENTRIES)) u_ram (
        .clk_i   (clk_i),
        .we_i    (here),
        .waddr_i (wentry_i),
        .wdata_i (wdata_i),
        .re_i    (re_i),
        .raddr_i (rentry_i),
        .rdata_o (rdata_o[232*l +: 232])
      );
    end
  endgenerate
endmodule
`default_nettype wire
