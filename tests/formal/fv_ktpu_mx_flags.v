// SPDX-License-Identifier: Apache-2.0
// Stands in for ktpu_mx_flags, which has a proof of its own, in proofs about who uses it: a flag
// reads as what was written last, or as zero since clear_i; ready_o, which is low for a while after
// some clear_i, is any.
`default_nettype none
module ktpu_mx_flags #(
  parameter integer WIDTH = 1,
  parameter integer DEPTH = 16,
  parameter integer READS = 1
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           clear_i,
  output wire                           ready_o,

  input  wire                           we_i,
  input  wire [$clog2(DEPTH)-1:0]       waddr_i,
  input  wire [WIDTH-1:0]               wdata_i,
  output wire [WIDTH-1:0]               here_o,

  input  wire [READS*$clog2(DEPTH)-1:0] raddr_i,
  output wire [READS*WIDTH-1:0]         rdata_o
);
  localparam integer AW = $clog2(DEPTH);
  reg [WIDTH*DEPTH-1:0] flags_q;
  always @(posedge clk_i) begin
    if (we_i) flags_q[WIDTH*waddr_i +: WIDTH] <= wdata_i;
    if (clear_i) flags_q <= {(WIDTH*DEPTH){1'b0}};
  end
  assign here_o = flags_q[WIDTH*waddr_i +: WIDTH];
  genvar r;
  generate
    for (r = 0; r < READS; r = r + 1) begin : g_read
      assign rdata_o[WIDTH*r +: WIDTH] = flags_q[WIDTH*raddr_i[AW*r +: AW] +: WIDTH];
    end
  endgenerate
  (* anyseq *) wire any;
  assign ready_o = any;
  wire unused = rst_i;
endmodule
`default_nettype wire
