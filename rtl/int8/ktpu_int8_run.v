// SPDX-License-Identifier: Apache-2.0
// The life of a run: start, done, and every way in which it can go wrong. An instruction or
// descriptor fault halts (what was dispatched completes); a bus error, the watchdog and the soft
// reset abort (everything is flushed, bursts on the bus finish). If the bus does not fall quiet
// within the watchdog's limit the core says so and waits for rst_i.
// With PIPELINE = 1 everything here happens a cycle later, and the units are reset a cycle after
// idle_o or abort_o: what they say in the first cycles of a state still belongs to the one before.
`default_nettype none
module ktpu_int8_run #(
  parameter integer DOG_BITS = 32,   // bits of watchdog_i that may be set
  parameter integer PIPELINE = 0     // what it is told passes a register first
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

  // ---- what the core says, and whether it can be about this state
  wire progress;
  wire [6:0] waiting;
  wire complete;
  wire quiet;
  wire bus_quiet;
  wire seq_fault;
  wire [7:0] seq_code;
  wire [7:0] seq_sub;
  wire [31:0] seq_arg;
  wire [15:0] seq_instr;
  wire desc_fault;
  wire [7:0] desc_code;
  wire [7:0] desc_sub;
  wire [31:0] desc_arg;
  wire read_error;
  wire [1:0] read_resp;
  wire [1:0] read_who;
  wire write_error;
  wire [1:0] write_resp;
  wire [132:0] said = {progress_i, waiting_i, complete_i, quiet_i, bus_quiet_i, seq_fault_i,
                      seq_code_i, seq_sub_i, seq_arg_i, seq_instr_i, desc_fault_i, desc_code_i,
                      desc_sub_i, desc_arg_i, read_error_i, read_resp_i, read_who_i,
                      write_error_i, write_resp_i};
  wire [132:0] heard;
  assign {progress, waiting, complete, quiet, bus_quiet, seq_fault, seq_code, seq_sub, seq_arg,
          seq_instr, desc_fault, desc_code, desc_sub, desc_arg, read_error, read_resp, read_who,
          write_error, write_resp} = heard;
  wire settled;
  generate
    if (PIPELINE != 0) begin : g_registers
      reg [132:0] heard_q;
      reg [2:0]   state_q2;
      reg [1:0]   age_q;
      always @(posedge clk_i) begin
        heard_q  <= said;
        state_q2 <= state_q;
        if (state_q != state_q2) age_q <= 2'd0;
        else if (age_q != 2'd3) age_q <= age_q + 2'd1;
        if (rst_i) age_q <= 2'd0;
      end
      assign heard   = heard_q;
      assign settled = age_q == 2'd3 && state_q == state_q2;
    end else begin : g_at_once
      assign heard   = said;
      assign settled = 1'b1;
    end
  endgenerate

  wire running = state_q == RUN || state_q == HALT;
  wire limit   = idle_cycles_q == watchdog_i[DOG_BITS-1:0];    // never 0
  wire expired;
  wire bus_error = read_error || write_error;
  wire timeout = running && expired && !progress;
  wire precise = state_q == RUN && settled && (seq_fault || desc_fault);
  wire abrupt  = running && (bus_error || timeout);
  wire finish  = settled && ((state_q == RUN && complete) || (state_q == HALT && quiet) ||
                             (state_q == ABORT && bus_quiet));
  wire wake    = running && (progress || abrupt || soft_reset_i);
  generate
    if (PIPELINE != 0) begin : g_late_limit
      reg limit_q;
      always @(posedge clk_i) limit_q <= limit && state_q != IDLE && !wake;
      assign expired = limit_q;
    end else begin : g_limit
      assign expired = limit;
    end
  endgenerate

  assign busy_o      = state_q != IDLE;
  assign idle_o      = state_q == IDLE;
  assign halt_o      = state_q == HALT || state_q == ABORT || state_q == STUCK;
  assign abort_o     = state_q == ABORT || state_q == STUCK;
  assign resetting_o = resetting_q;
  assign stuck_o     = state_q == STUCK;

  assign fault_valid_o = (abrupt || precise) && !faulted_q;
  always @* begin
    fault_code_o = seq_code;
    fault_sub_o  = seq_sub;
    fault_arg_o  = seq_arg;
    if (fault_valid_o) begin
      if (read_error) begin
        fault_code_o = KT_FAULT_AXI_READ;
        fault_sub_o  = {6'd0, read_resp};
        fault_arg_o  = {30'd0, read_who};
      end else if (write_error) begin
        fault_code_o = KT_FAULT_AXI_WRITE;
        fault_sub_o  = {6'd0, write_resp};
        fault_arg_o  = 32'd0;
      end else if (timeout) begin
        fault_code_o = KT_FAULT_NO_PROGRESS;
        fault_sub_o  = {1'b0, waiting};
        fault_arg_o  = watchdog_i;
      end else if (!seq_fault) begin
        fault_code_o = desc_code;
        fault_sub_o  = desc_sub;
        fault_arg_o  = desc_arg;
      end
    end
  end
  assign fault_instr_o = (bus_error || timeout || !seq_fault) ? 16'd0 : seq_instr;

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
    if (state_q == IDLE || wake)
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
