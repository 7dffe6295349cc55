// SPDX-License-Identifier: Apache-2.0
// The second half of a pipelined sequencer: holds one instruction whose addresses are resolved
// while its fields are checked and until its queue takes it, so that the first half can work on
// the next one. put_i to send_o three cycles; free again the cycle after it was sent, until when
// the operands stand, and two cycles before they are offered.
`default_nettype none
module ktpu_int8_held #(
  parameter integer FW      = 14,    // bits of a resolved field before it is checked
  parameter integer PC_BITS = 6
) (
  input  wire               clk_i,
  input  wire               rst_i,   // forget it

  input  wire               put_i,   // only while free_o
  input  wire [5:0]         op_i,
  input  wire [6:0]         nr_i,
  input  wire [4*FW-1:0]    fields_i,
  input  wire [PC_BITS-1:0] pc_i,
  output wire               free_o,

  output reg  [5:0]         op_o,
  output reg  [6:0]         nr_o,
  output reg  [4*FW-1:0]    fields_o,
  output reg  [PC_BITS-1:0] pc_o,
  output wire               field_o, // its fields are being compared
  output wire               late_o,  // ... and one finding is being chosen
  input  wire               bad_i,   // with late_o: there is one
  output wire               send_o,  // it may be sent
  output wire [2:0]         go_o,    // ... and is not bad: to the queue of loads, mvouts, others
  input  wire               sent_i
);
  `include "ktpu_tinytpu.vh"

  reg [2:0] at_q;                    // field, late, send: one hot, or nothing held
  reg [2:0] go_q;
  wire      go    = late_o ? !bad_i : go_q != 3'b000 && !sent_i;
  wire      is_ld = op_o == KT_OP_DMA_LD;
  wire      is_st = op_o == KT_OP_MVOUT;
  assign go_o   = go_q;
  wire [2:0] at_d = {late_o || (send_o && !sent_i), field_o, put_i};
  reg        free_q;                 // at_q is 0
  assign free_o = free_q;
  assign {send_o, late_o, field_o} = at_q;

  always @(posedge clk_i) begin
    at_q   <= at_d;
    free_q <= at_d == 3'b000;
    go_q   <= {3{go}} & {is_ld, is_st, !is_ld && !is_st};
    if (rst_i) begin
      at_q   <= 3'b000;
      go_q   <= 3'b000;
      free_q <= 1'b1;
    end
  end

  always @(posedge clk_i)
    if (put_i) begin
      op_o     <= op_i;
      nr_o     <= nr_i;
      fields_o <= fields_i;
      pc_o     <= pc_i;
    end
endmodule
`default_nettype wire
