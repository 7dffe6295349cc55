// SPDX-License-Identifier: Apache-2.0
// ktpu_mem_agent_turn without its data, of which no more is left than when it comes and goes.
`default_nettype none
module fv_ktpu_mem_agent_turn (
  input  wire clk_i,
  input  wire rst_i,
  input  wire in_valid_i,
  output wire out_valid_o,
  output wire empty_o
);
  wire [255:0] unused;
  ktpu_mem_agent_turn u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (in_valid_i),
    .in_data_i   (256'd0),
    .out_valid_o (out_valid_o),
    .out_data_o  (unused),
    .empty_o     (empty_o)
  );

  // reachable, all in one run: two entries without a pause between them, and the end of the second
  reg [4:0] fv_row;
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i) begin
    fv_row <= out_valid_o && !rst_i ? fv_row + 5'd1 : 5'd0;
    if (fv_row == 5'd16 && !rst_i) fv_seen[0] <= 1'b1;
    if (fv_seen[0] && empty_o) fv_seen[1] <= 1'b1;
  end
endmodule
`default_nettype wire
