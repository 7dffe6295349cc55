// SPDX-License-Identifier: Apache-2.0
// The scoreboard of one side of L1: which entries a FILL has named since clear_i, and which of them
// still wait for their words. Two phases an entry: mark_i turns the first and says that the entry
// is outstanding, come_i (its last word has arrived) turns the second; equal phases: nothing is
// under way. Each phase has one writer. mark_i needs mark_busy_o low; what changes shows in the
// next cycle.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_mx_score #(
  parameter integer ENTRIES = 512
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       clear_i,
  output wire                       ready_o,

  input  wire                       mark_i,
  input  wire [$clog2(ENTRIES)-1:0] mark_entry_i,
  output wire                       mark_busy_o,   // that entry is outstanding

  input  wire                       come_i,
  input  wire [$clog2(ENTRIES)-1:0] come_entry_i,

  input  wire [$clog2(ENTRIES)-1:0] look_entry_i,
  output wire                       look_named_o,
  output wire                       look_valid_o
);
  wire       sent_ready, came_ready;
  wire [1:0] mark_sent, look_sent;                 // {named, phase}
  wire       come_came, mark_came, look_came;

  ktpu_mx_flags #(.WIDTH (2), .DEPTH (ENTRIES), .READS (1)) u_sent (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .clear_i (clear_i),
    .ready_o (sent_ready),
    .we_i    (mark_i),
    .waddr_i (mark_entry_i),
    .wdata_i ({1'b1, !mark_sent[0]}),
    .here_o  (mark_sent),
    .raddr_i (look_entry_i),
    .rdata_o (look_sent)
  );

  ktpu_mx_flags #(.WIDTH (1), .DEPTH (ENTRIES), .READS (2)) u_came (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .clear_i (clear_i),
    .ready_o (came_ready),
    .we_i    (come_i),
    .waddr_i (come_entry_i),
    .wdata_i (!come_came),
    .here_o  (come_came),
    .raddr_i ({mark_entry_i, look_entry_i}),
    .rdata_o ({mark_came, look_came})
  );

  wire unused = &{1'b0, mark_sent[1]};

  assign ready_o      = sent_ready && came_ready;
  assign mark_busy_o  = mark_sent[0] != mark_came;
  assign look_named_o = look_sent[1];
  assign look_valid_o = look_sent[1] && look_sent[0] == look_came;

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i && mark_i) begin
      `KTPU_CHECK(!mark_busy_o, "an entry is marked twice")
    end
`endif
`ifdef FORMAL
  `include "ktpu_mx_score_fv.vh"
`endif
endmodule
`default_nettype wire
