// SPDX-License-Identifier: Apache-2.0
// Register slice of two entries: cuts every path between its two sides. Everything that leaves it,
// in_ready_o included, is a register; a word takes one cycle, and one word a cycle goes through.
`default_nettype none
module ktpu_skid #(
  parameter integer WIDTH = 8
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
  generate
    if (WIDTH < 1) begin : g_bad_width
      ktpu_param_error_width_must_be_positive u_stop ();
    end
  endgenerate

  reg             valid_q;
  reg             spare_q;                // a word waits behind the one that is shown
  reg [WIDTH-1:0] data_q, spare_data_q;
  wire            move = !valid_q || out_ready_i;

  assign in_ready_o  = !spare_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;

  always @(posedge clk_i) begin
    if (move) begin
      valid_q <= in_valid_i || spare_q;
      spare_q <= 1'b0;
    end else if (in_valid_i) begin
      spare_q <= 1'b1;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      spare_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (move) data_q <= spare_q ? spare_data_q : in_data_i;
    if (!spare_q) spare_data_q <= in_data_i;
  end
`ifdef FORMAL
  `include "ktpu_skid_fv.vh"
`endif
endmodule
`default_nettype wire
