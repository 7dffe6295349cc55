// SPDX-License-Identifier: Apache-2.0
// Both sides of L1 with their scoreboards: lanes from the agent come in, entries are marked
// outstanding for a FILL, and a step looks at one entry of A and one of B and reads both.
`default_nettype none
module ktpu_mx_operands #(
  parameter integer ENTRIES = 512
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         clear_i,
  output wire                         ready_o,

  input  wire                         l1_valid_i,
  input  wire                         l1_side_i,      // 0: A
  input  wire [8:0]                   l1_entry_i,     // {bank, entry}
  input  wire [1:0]                   l1_lane_i,      // 3 comes last
  input  wire [231:0]                 l1_data_i,      // elements, code above

  input  wire                         mark_i,
  input  wire                         mark_side_i,
  input  wire [$clog2(ENTRIES)-1:0]   mark_entry_i,
  output wire                         mark_busy_o,    // that entry is outstanding
  output wire                         none_o,         // no entry is

  input  wire [2*$clog2(ENTRIES)-1:0] look_i,         // A, B above
  output wire [1:0]                   named_o,
  output wire [1:0]                   valid_o,
  input  wire                         read_i,
  output wire [2*928-1:0]             operand_o       // from the next cycle on
);
  localparam integer AW = $clog2(ENTRIES);

  wire [AW-1:0] entry  = {l1_entry_i[8], l1_entry_i[AW-2:0]};
  wire          unused = &{1'b0, l1_entry_i};          // small banks leave some bits
  wire          whole  = l1_valid_i && l1_lane_i == 2'd3;
  wire [1:0]    busy, ready;

  genvar s;
  generate
    for (s = 0; s < 2; s = s + 1) begin : g_side
      localparam [0:0] SIDE = s;
      ktpu_mx_score #(.ENTRIES (ENTRIES)) u_score (
        .clk_i        (clk_i),
        .rst_i        (rst_i),
        .clear_i      (clear_i),
        .ready_o      (ready[s]),
        .mark_i       (mark_i && mark_side_i == SIDE),
        .mark_entry_i (mark_entry_i),
        .mark_busy_o  (busy[s]),
        .come_i       (whole && l1_side_i == SIDE),
        .come_entry_i (entry),
        .look_entry_i (look_i[AW*s +: AW]),
        .look_named_o (named_o[s]),
        .look_valid_o (valid_o[s])
      );
      ktpu_mx_l1 #(.ENTRIES (ENTRIES)) u_l1 (
        .clk_i    (clk_i),
        .we_i     (l1_valid_i && l1_side_i == SIDE),
        .wentry_i (entry),
        .wlane_i  (l1_lane_i),
        .wdata_i  (l1_data_i),
        .re_i     (read_i),
        .rentry_i (look_i[AW*s +: AW]),
        .rdata_o  (operand_o[928*s +: 928])
      );
    end
  endgenerate
  assign ready_o     = ready == 2'b11;
  assign mark_busy_o = busy[mark_side_i];

  reg [10:0] outstanding_q;                           // at most 1024
  always @(posedge clk_i) begin
    outstanding_q <= outstanding_q + {10'd0, mark_i} - {10'd0, whole};
    if (rst_i || clear_i) outstanding_q <= 11'd0;
  end
  assign none_o = outstanding_q == 11'd0;
endmodule
`default_nettype wire
