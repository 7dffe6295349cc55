// SPDX-License-Identifier: Apache-2.0
// One-entry register slice: adds a cycle of latency and cuts the path of valid and data; ready
// passes through it without a clock. One item a cycle.
`default_nettype none
module ktpu_slice #(
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

  reg             full_q;
  reg [WIDTH-1:0] data_q;

  assign in_ready_o  = !full_q || out_ready_i;
  assign out_valid_o = full_q;
  assign out_data_o  = data_q;

  always @(posedge clk_i) begin
    if (in_ready_o) full_q <= in_valid_i;
    if (rst_i)      full_q <= 1'b0;
  end

  always @(posedge clk_i)
    if (in_ready_o) data_q <= in_data_i;
endmodule
`default_nettype wire
