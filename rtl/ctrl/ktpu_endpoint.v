// SPDX-License-Identifier: Apache-2.0
// A node's side of dispatch, around any unit: the FIFO in which its instructions wait (one flit
// each; one a cycle, a cycle from input to output), the count of what it has completed, and the
// credits that go back: one for each completed instruction but the last of a kick, at most two a
// cycle, a cycle after the completion. The unit says when an instruction completes: with its
// acceptance (accept_done_i) or later (done_i, with done_last_i: it was its kick's last).
`default_nettype none
module ktpu_endpoint #(
  parameter integer IFIFO = 32
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         clear_i,          // counts begin at 0

  input  wire         in_valid_i,
  output wire         in_ready_o,
  input  wire [255:0] in_insn_i,
  input  wire         in_last_i,

  output wire         insn_valid_o,
  input  wire         insn_ready_i,
  output wire [255:0] insn_o,
  output wire         insn_last_o,
  input  wire         accept_done_i,
  input  wire         done_i,
  input  wire         done_last_i,

  output wire [1:0]   credits_o,
  output wire [31:0]  completed_o,
  output wire         empty_o           // no instruction waits here
);
  localparam integer LB = $clog2(IFIFO + 1);
  wire [LB-1:0] level;
  ktpu_fifo #(.WIDTH(257), .DEPTH(IFIFO)) u_insns (
    .clk_i(clk_i), .rst_i(rst_i),
    .in_valid_i(in_valid_i), .in_ready_o(in_ready_o), .in_data_i({in_last_i, in_insn_i}),
    .out_valid_o(insn_valid_o), .out_ready_i(insn_ready_i), .out_data_o({insn_last_o, insn_o}),
    .level_o(level)
  );
  assign empty_o = level == {LB{1'b0}};

  wire at_once = insn_valid_o && insn_ready_i && accept_done_i;

  reg [1:0]  credits_q;
  reg [31:0] completed_q;
  always @(posedge clk_i) begin
    credits_q <= {1'b0, at_once && !insn_last_o} + {1'b0, done_i && !done_last_i};
    if (at_once || done_i)
      completed_q <= completed_q + {30'd0, at_once && done_i, at_once != done_i};
    if (clear_i || rst_i) begin
      credits_q   <= 2'd0;
      completed_q <= 32'd0;
    end
  end
  assign credits_o   = credits_q;
  assign completed_o = completed_q;
`ifdef FORMAL
  `include "ktpu_endpoint_fv.vh"
`endif
endmodule
`default_nettype wire
