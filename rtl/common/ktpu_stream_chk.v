// SPDX-License-Identifier: Apache-2.0
// Passive checker beside a valid/ready stream: once valid is high, valid and data hold until taken.
// It drives nothing and sees no lost or reordered data: put a scoreboard beside it.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_stream_chk #(
  parameter integer WIDTH = 8
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             valid_i,
  input  wire             ready_i,
  input  wire [WIDTH-1:0] data_i
);
`ifndef SYNTHESIS
  reg             waiting_q;              // the last cycle offered a word that was not taken
  reg [WIDTH-1:0] data_q;

  always @(posedge clk_i) begin
    waiting_q <= valid_i && !ready_i;
    data_q    <= data_i;
    if (rst_i) waiting_q <= 1'b0;
  end

  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(valid_i || !valid_i, "valid is unknown")
      `KTPU_CHECK(!valid_i || ready_i || !ready_i, "ready is unknown")
      `KTPU_CHECK(!waiting_q || valid_i, "valid fell before the word was taken")
      `KTPU_CHECK(!waiting_q || data_i == data_q, "data changed before the word was taken")
    end
`endif
endmodule
`default_nettype wire
