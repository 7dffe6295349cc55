// SPDX-License-Identifier: Apache-2.0
// A short queue that shows all its entries, oldest first: entry e at e * WIDTH, the valid bits fill
// up from bit 0. The head may change in place. pop_i comes late: what an entry becomes with and
// without it is worked out beside it.
// push_i only while there is room (valid_o[DEPTH-1] is 0), pop_i only while there is a head.
`default_nettype none
module ktpu_queue #(
  parameter integer WIDTH = 8,
  parameter integer DEPTH = 2             // 2 or more
) (
  input  wire                   clk_i,
  input  wire                   rst_i,

  input  wire                   push_i,
  input  wire [WIDTH-1:0]       data_i,
  input  wire                   pop_i,
  input  wire [WIDTH-1:0]       head_i,   // the head after this cycle, if it stays

  output wire [DEPTH-1:0]       valid_o,
  output wire [DEPTH*WIDTH-1:0] data_o
);
  generate
    if (DEPTH < 2) begin : g_bad_depth
      ktpu_param_error_queue_depth_must_be_at_least_two u_stop ();
    end
  endgenerate

  reg [DEPTH-1:0]       valid_q;
  reg [DEPTH*WIDTH-1:0] data_q;
  assign valid_o = valid_q;
  assign data_o  = data_q;

  // one hot: where a new entry goes, one place further down when the head leaves
  wire [DEPTH:0] place = ({1'b0, valid_q} + {{DEPTH{1'b0}}, 1'b1}) & {(DEPTH+1){push_i}};
  integer e;
  // kept: the late pop chooses data and must not become an enable
  (* keep *) always @(posedge clk_i) begin
    if (pop_i) begin
      valid_q <= (valid_q >> 1) | place[DEPTH:1];
      data_q  <= data_q >> WIDTH;
      if (push_i)
        for (e = 0; e < DEPTH; e = e + 1)
          if (place[e + 1]) data_q[e*WIDTH +: WIDTH] <= data_i;
    end else begin
      valid_q <= valid_q | place[DEPTH-1:0];
      data_q[WIDTH-1:0] <= head_i;
      if (push_i)
        for (e = 0; e < DEPTH; e = e + 1)
          if (place[e]) data_q[e*WIDTH +: WIDTH] <= data_i;
    end
    if (rst_i) valid_q <= {DEPTH{1'b0}};
  end
`ifdef FORMAL
  `include "ktpu_queue_fv.vh"
`endif
endmodule
`default_nettype wire
