// A FIFO whose empty state passes its input straight to its output in the same cycle.
// in_ready_o depends on state only; out_valid_o follows in_valid_i combinationally when empty.
// SPDX-License-Identifier: Apache-2.0
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
  // Entry 0 is the oldest; entries shift down as they leave.
  reg [DEPTH-1:0] valid_q;
  reg [WIDTH-1:0] data_q [0:DEPTH-1];

  wire empty = !valid_q[0];
  wire pop   = out_ready_i && !empty;
  wire store = in_valid_i && in_ready_o && !(empty && out_ready_i);

  assign in_ready_o  = !valid_q[DEPTH-1];
  assign out_valid_o = !empty || in_valid_i;
  assign out_data_o  = empty ? in_data_i : data_q[0];

  genvar g;
  generate
    for (g = 0; g < DEPTH; g = g + 1) begin : g_ent
      wire up_valid = (g == DEPTH - 1) ? 1'b0 : valid_q[(g == DEPTH - 1) ? g : g + 1];
      wire dn_valid = (g == 0) ? 1'b1 : valid_q[(g == 0) ? 0 : g - 1];
      wire here     = pop ? (valid_q[g] && !up_valid) : (!valid_q[g] && dn_valid);
      always @(posedge clk_i) begin
        if (pop) valid_q[g] <= up_valid;
        if (store && here) valid_q[g] <= 1'b1;
        if (rst_i) valid_q[g] <= 1'b0;
      end
      always @(posedge clk_i)                 // no reset: valid_q says when this means something
        if (store && here) data_q[g] <= in_data_i;
        else if (pop) data_q[g] <= data_q[(g == DEPTH - 1) ? g : g + 1];
    end
  endgenerate
endmodule
`default_nettype wire
