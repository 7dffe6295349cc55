// SPDX-License-Identifier: Apache-2.0
// The life of a run: start, done, and every way in which it can go wrong. An instruction or
// descriptor fault halts (what was dispatched completes); a bus error, the watchdog and the soft
// reset abort (everything is flushed, bursts on the bus finish). If the bus does not fall quiet
// within the watchdog's limit the core says so and waits for rst_i.
`default_nettype none
module ktpu_int8_run #(
  parameter integer DOG_BITS = 32    // bits of watchdog_i that may be set
) (
  input  wire        clk_i,
  input  wire        rst_i,

  input  wire        start_i,
  input  wire        soft_reset_i,
  input  wire [31:0] watchdog_i,
  input  wire        progress_i,
  input  wire [6:0]  waiting_i,         // units that are not busy, for the watchdog's report

  input  wire        complete_i,        // all descriptors run and everything is quiet
  input  wire        quiet_i,           // everything dispatched has completed, bus included
  input  wire        bus_quiet_i,       // nothing begun on the bus is unanswered

  input  wire        seq_fault_i,
  input  wire [7:0]  seq_code_i,
  input  wire [7:0]  seq_sub_i,
  input  wire [31:0] seq_arg_i,
  input  wire [15:0] seq_instr_i,
  input  wire        desc_fault_i,
  input  wire [7:0]  desc_code_i,
  input  wire [7:0]  desc_sub_i,
  input  wire [31:0] desc_arg_i,
  input  wire        read_error_i,
  input  wire [1:0]  read_resp_i,
  input  wire [1:0]  read_who_i,
  input  wire        write_error_i,
  input  wire [1:0]  write_resp_i,

  output wire        busy_o,
  output wire        idle_o,            // units are held in reset
  output wire        halt_o,            // dispatch and prefetch nothing more
  output wire        abort_o,           // flush; take and drop what the bus returns
  output reg         done_q,            // one cycle, the first that is not busy
  output wire        resetting_o,
  output wire        stuck_o,
  output wire        fault_valid_o,
  output reg  [7:0]  fault_code_o,
  output reg  [7:0]  fault_sub_o,
  output reg  [31:0] fault_arg_o,
  output wire [15:0] fault_instr_o
);
  `include "ktpu_tinytpu.vh"

  localparam [2:0] IDLE  = 3'd0;
  localparam [2:0] RUN   = 3'd1;
  localparam [2:0] HALT  = 3'd2;
  localparam [2:0] ABORT = 3'd3;
  localparam [2:0] STUCK = 3'd4;

  reg [2:0]  state_q;
  reg        resetting_q;
  reg        faulted_q;
  reg [DOG_BITS-1:0] idle_cycles_q;

  wire running = state_q == RUN || state_q == HALT;
  wire expired = idle_cycles_q == watchdog_i[DOG_BITS-1:0];    // the limit is never 0
  wire bus_error = read_error_i || write_error_i;
  wire timeout = running && expired && !progress_i;
  wire precise = state_q == RUN && (seq_fault_i || desc_fault_i);
  wire abrupt  = running && (bus_error || timeout);
  wire finish  = (state_q == RUN && complete_i) || (state_q == HALT && quiet_i) ||
                 (state_q == ABORT && bus_quiet_i);

  assign busy_o      = state_q != IDLE;
  assign idle_o      = state_q == IDLE;
  assign halt_o      = state_q == HALT || state_q == ABORT || state_q == STUCK;
  assign abort_o     = state_q == ABORT || state_q == STUCK;
  assign resetting_o = resetting_q;
  assign stuck_o     = state_q == STUCK;

  assign fault_valid_o = (abrupt || precise) && !faulted_q;
  always @* begin
    fault_code_o = seq_code_i;
    fault_sub_o  = seq_sub_i;
    fault_arg_o  = seq_arg_i;
    if (fault_valid_o) begin
      if (read_error_i) begin
        fault_code_o = KT_FAULT_AXI_READ;
        fault_sub_o  = {6'd0, read_resp_i};
        fault_arg_o  = {30'd0, read_who_i};
      end else if (write_error_i) begin
        fault_code_o = KT_FAULT_AXI_WRITE;
        fault_sub_o  = {6'd0, write_resp_i};
        fault_arg_o  = 32'd0;
      end else if (timeout) begin
        fault_code_o = KT_FAULT_NO_PROGRESS;
        fault_sub_o  = {1'b0, waiting_i};
        fault_arg_o  = watchdog_i;
      end else if (!seq_fault_i) begin
        fault_code_o = desc_code_i;
        fault_sub_o  = desc_sub_i;
        fault_arg_o  = desc_arg_i;
      end
    end
  end
  assign fault_instr_o = (bus_error || timeout || !seq_fault_i) ? 16'd0 : seq_instr_i;

  always @(posedge clk_i) begin
    case (state_q)
      IDLE:    if (start_i) state_q <= RUN;
      RUN:     if (abrupt || soft_reset_i) state_q <= ABORT;
               else if (precise) state_q <= HALT;
               else if (finish) state_q <= IDLE;
      HALT:    if (abrupt || soft_reset_i) state_q <= ABORT;
               else if (finish) state_q <= IDLE;
      ABORT:   if (finish) state_q <= IDLE;
               else if (expired) state_q <= STUCK;
      STUCK:   state_q <= STUCK;
      default: state_q <= IDLE;
    endcase
    done_q <= finish && !(state_q == RUN && (abrupt || soft_reset_i || precise)) &&
              !(state_q == HALT && (abrupt || soft_reset_i));
    resetting_q <= (resetting_q || (soft_reset_i && running)) && state_q != IDLE &&
                   state_q != STUCK;
    faulted_q   <= (faulted_q || fault_valid_o) && state_q != IDLE;
    if (state_q == IDLE || (running && (progress_i || abrupt || soft_reset_i)))
      idle_cycles_q <= {DOG_BITS{1'b0}};
    else if (state_q != STUCK)
      idle_cycles_q <= idle_cycles_q + {{(DOG_BITS-1){1'b0}}, 1'b1};
    if (rst_i) begin
      state_q     <= IDLE;
      done_q      <= 1'b0;
      resetting_q <= 1'b0;
      faulted_q   <= 1'b0;
    end
  end
endmodule
`default_nettype wire
