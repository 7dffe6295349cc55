// SPDX-License-Identifier: Apache-2.0
// Simple dual-port RAM, one write and one read port on one clock: the block RAM every memory uses.
// A read takes one cycle and rdata_o holds its value while re_i is low. Reading the row that is
// written in the same cycle returns an unspecified value: the user must not depend on it.
`default_nettype none
module ktpu_ram_sdp #(
  parameter integer WIDTH = 8,
  parameter integer DEPTH = 16
) (
  input  wire                                         clk_i,

  input  wire                                         we_i,
  input  wire [(DEPTH <= 1 ? 1 : $clog2(DEPTH))-1:0]  waddr_i,
  input  wire [WIDTH-1:0]                             wdata_i,

  input  wire                                         re_i,
  input  wire [(DEPTH <= 1 ? 1 : $clog2(DEPTH))-1:0]  raddr_i,
  output wire [WIDTH-1:0]                             rdata_o
);
  generate
    if (WIDTH < 1 || DEPTH < 1) begin : g_bad_size
      ktpu_param_error_ram_width_and_depth_must_be_positive u_stop ();
    end
  endgenerate

  // no_rw_check: no transparency logic round the block RAM (see the contract above)
  (* no_rw_check *)
  reg [WIDTH-1:0] mem_q [0:DEPTH-1];
  reg [WIDTH-1:0] rdata_q;

  assign rdata_o = rdata_q;

  always @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    if (re_i) rdata_q <= mem_q[raddr_i];
  end
endmodule
`default_nettype wire
