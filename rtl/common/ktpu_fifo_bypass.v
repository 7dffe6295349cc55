// SPDX-License-Identifier: Apache-2.0
// A FIFO whose empty state passes its input straight to its output in the same cycle.
// in_ready_o depends on state only; out_valid_o follows in_valid_i combinationally when empty.
`default_nettype none
module ktpu_fifo_bypass #(
  parameter integer WIDTH = 8,
  parameter integer DEPTH = 2     // 2 or more
) (
  input  wire             clk_i,
  input  wire             rst_i,

  input  wire             in_valid_i,
  output wire             in_ready_o,
  input  wire [WIDTH-1:0] in_data_i,

  output wire             out_valid_o,
  input  wire             out_ready_i,
  output wire [WIDTH-1:0] out_data_o
);
  // Entry 0 is the oldest, entry e lies at e * WIDTH; the valid bits fill up from bit 0.
  reg [DEPTH-1:0]       valid_q;
  reg [DEPTH*WIDTH-1:0] data_q;

  wire empty = !valid_q[0];
  wire pop   = out_ready_i && !empty;
  wire store = in_valid_i && in_ready_o && !(empty && out_ready_i);

  assign in_ready_o  = !valid_q[DEPTH-1];
  assign out_valid_o = !empty || in_valid_i;
  assign out_data_o  = empty ? in_data_i : data_q[WIDTH-1:0];

  integer e;
  reg [DEPTH:0] place;                  // one hot: where a new entry goes
  always @(posedge clk_i) begin
    if (pop) begin
      valid_q <= valid_q >> 1;
      data_q  <= data_q >> WIDTH;
    end
    if (store)
      for (e = 0; e < DEPTH; e = e + 1)
        if (place[e]) begin
          valid_q[e]               <= 1'b1;
          data_q[e*WIDTH +: WIDTH] <= in_data_i;
        end
    if (rst_i) valid_q <= {DEPTH{1'b0}};
  end
  always @* begin
    place = {1'b0, valid_q} + {{DEPTH{1'b0}}, 1'b1};
    if (pop) place = place >> 1;
  end
  wire unused_place = place[DEPTH];
endmodule
`default_nettype wire
