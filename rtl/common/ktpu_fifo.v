// SPDX-License-Identifier: Apache-2.0
// First-word-fall-through FIFO for short queues: decouples a producer from a consumer. Any DEPTH
// from 2 up, one word a cycle in and out at every level but the ends, one cycle from input to
// output. in_ready_o and out_valid_o depend on registers only. The storage is read without a clock:
// it becomes flip-flops or LUT RAM, or block RAM where a tool moves the read pointer inside (yosys
// on iCE40).
`default_nettype none
`include "ktpu_check.vh"
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
  generate
    if (WIDTH < 1) begin : g_bad_width
      ktpu_param_error_fifo_width_must_be_positive u_stop ();
    end
    if (DEPTH < 2) begin : g_bad_depth
      ktpu_param_error_fifo_depth_must_be_at_least_two u_stop ();
    end
  endgenerate

  localparam integer AW = $clog2(DEPTH);
  localparam integer LW = $clog2(DEPTH + 1);
  localparam integer LAST_INDEX = DEPTH - 1;
  localparam [AW-1:0] LAST  = LAST_INDEX[AW-1:0];
  localparam [LW-1:0] FULL  = DEPTH[LW-1:0];
  localparam [AW-1:0] A_ONE = {{(AW-1){1'b0}}, 1'b1};
  localparam [LW-1:0] L_ONE = {{(LW-1){1'b0}}, 1'b1};

  reg [WIDTH-1:0] mem_q [0:DEPTH-1];
  reg [AW-1:0]    head_q;                 // next word out
  reg [AW-1:0]    tail_q;                 // next free place
  reg [LW-1:0]    level_q;

  wire push = in_valid_i && in_ready_o;
  wire pop  = out_valid_o && out_ready_i;

  assign in_ready_o  = level_q != FULL;
  assign out_valid_o = level_q != {LW{1'b0}};
  assign out_data_o  = mem_q[head_q];
  assign level_o     = level_q;

  always @(posedge clk_i) begin
    if (push) tail_q <= tail_q == LAST ? {AW{1'b0}} : tail_q + A_ONE;
    if (pop)  head_q <= head_q == LAST ? {AW{1'b0}} : head_q + A_ONE;
    if (push && !pop) level_q <= level_q + L_ONE;
    if (pop && !push) level_q <= level_q - L_ONE;
    if (rst_i) begin
      head_q  <= {AW{1'b0}};
      tail_q  <= {AW{1'b0}};
      level_q <= {LW{1'b0}};
    end
  end

  always @(posedge clk_i)                 // no reset: level_q says which words mean something
    if (push) mem_q[tail_q] <= in_data_i;

`ifndef SYNTHESIS
  // tail - head, taken round the ring, is the level (0 stands for DEPTH too)
  wire [LW-1:0] head_ext = {{(LW-AW){1'b0}}, head_q};
  wire [LW-1:0] tail_ext = {{(LW-AW){1'b0}}, tail_q};
  wire [LW-1:0] span = tail_q >= head_q ? tail_ext - head_ext : tail_ext + (FULL - head_ext);
  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(level_q <= FULL, "fifo level past its depth")
      `KTPU_CHECK(span == level_q || (span == {LW{1'b0}} && level_q == FULL),
                  "fifo pointers and level disagree")
    end
`endif
`ifdef FORMAL
  `include "ktpu_fifo_fv.vh"
`endif
endmodule
`default_nettype wire
