// SPDX-License-Identifier: Apache-2.0
// Stands in for ktpu_fifo, whose order and integrity have proofs of their own, in proofs that are
// not about data: levels are real, words are any, but hold until they are taken.
`default_nettype none
module ktpu_fifo #(
  parameter integer WIDTH = 8,
  parameter integer DEPTH = 2
) (
  input  wire                         clk_i,
  input  wire                         rst_i,

  input  wire                         in_valid_i,
  output wire                         in_ready_o,
  input  wire [WIDTH-1:0]             in_data_i,

  output wire                         out_valid_o,
  input  wire                         out_ready_i,
  output wire [WIDTH-1:0]             out_data_o,

  output wire [$clog2(DEPTH+1)-1:0]   level_o
);
  localparam integer LW = $clog2(DEPTH + 1);
  localparam [LW-1:0] FULL = DEPTH[LW-1:0];

  reg [LW-1:0] level_q;
  wire push = in_valid_i && in_ready_o;
  wire pop  = out_valid_o && out_ready_i;
  assign in_ready_o  = level_q != FULL;
  assign out_valid_o = level_q != {LW{1'b0}};
  assign level_o     = level_q;
  always @(posedge clk_i) begin
    level_q <= level_q + {{(LW-1){1'b0}}, push} - {{(LW-1){1'b0}}, pop};
    if (rst_i) level_q <= {LW{1'b0}};
  end

  (* anyseq *) wire [WIDTH-1:0] any;
  reg             held_q;
  reg [WIDTH-1:0] last_q;
  assign out_data_o = any;
  always @(posedge clk_i) begin
    held_q <= out_valid_o && !out_ready_i && !rst_i;
    last_q <= any;
  end
  always @* assume (!held_q || any == last_q);

  wire unused = &{1'b0, in_data_i};
endmodule
`default_nettype wire
