// SPDX-License-Identifier: Apache-2.0
// Stands in for ktpu_cluster in the bench of the control side: instructions say what happens.
// Word 0 is the kind, word 7 the instruction's number since go, which is checked (fault 0xEE).
//   1  accepted after word 1 cycles      2  accepted at once, completes word 1 cycles later
//   3  as 1, with the fault word 2       4  never accepted
//   5  a fused DRAIN that waits for word 1 sub-tiles for ever
//   6  a FILL, handed to the agent       7  writes one beat of word 2 to address word 1
// Not synthesised.
`default_nettype none
module ktpu_cluster #(
  parameter integer KSLICE     = 32,
  parameter integer PACKED     = 0,
  parameter integer ACC_MW     = 14,
  parameter integer L1_ENTRIES = 512,
  parameter integer TILES      = 512
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         clear_i,
  input  wire         stop_i,

  input  wire         insn_valid_i,
  output wire         insn_ready_o,
  input  wire [255:0] insn_i,
  input  wire         insn_last_i,
  output wire         accept_done_o,
  output wire         done_drain_o,
  output wire         done_drain_last_o,

  output wire         fault_valid_o,
  output wire [7:0]   fault_code_o,
  output wire [7:0]   fault_field_o,
  output wire [31:0]  fault_arg_o,
  output wire [15:0]  fault_instr_o,

  output wire         fill_valid_o,
  input  wire         fill_ready_i,
  output wire [255:0] fill_insn_o,
  output wire [15:0]  fill_instr_o,
  input  wire         quantised_i,
  input  wire         l1_valid_i,
  input  wire         l1_side_i,
  input  wire [8:0]   l1_entry_i,
  input  wire [1:0]   l1_lane_i,
  input  wire [223:0] l1_q_i,
  input  wire [7:0]   l1_code_i,

  output wire         aw_valid_o,
  input  wire         aw_ready_i,
  output wire [32:0]  aw_addr_o,
  output wire [3:0]   aw_beats_o,
  output wire [15:0]  aw_instr_o,
  output wire         w_valid_o,
  input  wire         w_ready_i,
  output wire [255:0] w_data_o,
  output wire         w_strobe_o,
  input  wire         b_valid_i,

  output wire         idle_o,
  output wire [19:0]  undrained_o,
  output wire [2:0]   waiting_o,
  output wire         progress_o,
  output wire [2:0]   sweep_state_o,
  output wire         step_o,
  output wire [4:0]   ev_overflow_o,
  output wire [4:0]   ev_clamped_o,
  output wire [4:0]   ev_flushed_o,
  output wire [4:0]   ev_nan_o
);
  `include "ktpu_mx.vh"

  reg [31:0] waited_q;                 // cycles that the instruction at the head has waited
  reg [31:0] drain_q;                  // cycles until the DRAIN completes
  reg        draining_q, last_q;
  reg        aw_q, w_q, b_q;           // of a write: to be offered, to be answered
  reg [31:0] addr_q, data_q;
  reg [15:0] armed_q, count_q;

  wire [7:0]  kind  = insn_i[7:0];
  wire [31:0] delay = insn_i[63:32];
  wire        odd   = insn_i[255:224] != {16'd0, count_q};
  wire        waits = waited_q < delay;
  wire        room  = !draining_q && !b_q && armed_q == 16'd0;
  wire        ok    = kind == 8'd1 || kind == 8'd3 ? !waits :
                      kind == 8'd2 || kind == 8'd5 || kind == 8'd7 ? room :
                      kind == 8'd6 && fill_ready_i;
  wire        take  = insn_valid_i && insn_ready_o;
  wire        later = kind == 8'd2 || kind == 8'd5 || kind == 8'd7;

  assign insn_ready_o  = stop_i || ok;
  assign accept_done_o = take && (stop_i || !later);
  assign done_drain_o  = (draining_q && (drain_q == 32'd0 || stop_i)) || (b_q && b_valid_i) ||
                         (armed_q != 16'd0 && stop_i);
  assign done_drain_last_o = last_q;

  assign fault_valid_o = take && !stop_i && (kind == 8'd3 || odd);
  assign fault_code_o  = odd ? 8'hEE : insn_i[71:64];
  assign fault_field_o = insn_i[79:72];
  assign fault_arg_o   = delay;
  assign fault_instr_o = count_q;

  assign fill_valid_o = insn_valid_i && kind == 8'd6 && !stop_i;
  assign fill_insn_o  = insn_i;
  assign fill_instr_o = count_q;

  assign aw_valid_o = aw_q;
  assign aw_addr_o  = {1'b0, addr_q};
  assign aw_beats_o = 4'd1;
  assign aw_instr_o = count_q - 16'd1;
  assign w_valid_o  = w_q;
  assign w_data_o   = {8{data_q}};
  assign w_strobe_o = 1'b1;

  assign idle_o        = room;
  assign undrained_o   = {4'd0, armed_q};
  assign waiting_o     = {!room, 2'b00};
  assign progress_o    = take || done_drain_o;
  assign sweep_state_o = insn_valid_i ? KT_MX_SWEEP_STEP : KT_MX_SWEEP_IDLE;
  assign step_o        = take;
  assign ev_overflow_o = take ? 5'd16 : 5'd0;
  assign ev_clamped_o  = take ? 5'd3 : 5'd0;
  assign ev_flushed_o  = take ? 5'd2 : 5'd0;
  assign ev_nan_o      = take ? 5'd1 : 5'd0;

  always @(posedge clk_i) begin
    waited_q <= take || !insn_valid_i ? 32'd0 : waited_q + 32'd1;
    if (draining_q) drain_q <= drain_q - 32'd1;
    if (done_drain_o) begin
      draining_q <= 1'b0;
      armed_q    <= 16'd0;
      b_q        <= 1'b0;
    end
    if (aw_ready_i) aw_q <= 1'b0;
    if (w_ready_i) w_q <= 1'b0;
    if (take) begin
      count_q <= count_q + 16'd1;
      if (!stop_i && later) begin
        last_q     <= insn_last_i;
        draining_q <= kind == 8'd2;
        drain_q    <= delay;
        armed_q    <= kind == 8'd5 ? delay[15:0] : 16'd0;
        {aw_q, w_q, b_q} <= {3{kind == 8'd7}};
        addr_q     <= delay;
        data_q     <= insn_i[95:64];
      end
    end
    if (rst_i || clear_i) begin
      count_q    <= 16'd0;
      draining_q <= 1'b0;
      armed_q    <= 16'd0;
      {aw_q, w_q, b_q} <= 3'd0;
    end
  end
endmodule
`default_nettype wire
