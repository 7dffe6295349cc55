// SPDX-License-Identifier: Apache-2.0
// The life of a run: go, done, and every way in which it can go wrong. A fault, the watchdog or a
// soft reset stop the run: nothing new begins, what is under way is finished or skipped, and the
// run ends when all is quiet. The first fault by cycle is kept, in one cycle the node's before the
// engine's. If nothing moves for the watchdog's limit while the run is being stopped, the machine
// is stuck and waits for rst_i.
//
// A run that is at DONE while only armed fused DRAINs keep it from being quiet, and in which
// nothing has moved for CALM cycles (or for the watchdog's limit), is UNDRAINED.
`default_nettype none
module ktpu_mx_run #(
  parameter integer COMMAND_BITS = 11
) (
  input  wire        clk_i,
  input  wire        rst_i,

  input  wire        start_i,
  input  wire        soft_reset_i,
  input  wire [31:0] watchdog_i,
  input  wire        progress_i,
  input  wire [6:0]  waiting_i,        // bits KT_MX_WAIT_*

  input  wire        end_i,            // the engine is at DONE
  input  wire        quiet_i,          // no kick, no instruction, no access under way
  input  wire        armed_only_i,     // quiet but for fused DRAINs that wait for sub-tiles
  input  wire [19:0] undrained_i,      // sub-tiles that they wait for

  input  wire        node_fault_i,
  input  wire [7:0]  node_code_i,
  input  wire [7:0]  node_field_i,
  input  wire [31:0] node_arg_i,
  input  wire [15:0] node_instr_i,
  input  wire        agent_fault_i,
  input  wire [7:0]  agent_code_i,
  input  wire [7:0]  agent_field_i,
  input  wire [31:0] agent_arg_i,
  input  wire [15:0] agent_instr_i,
  input  wire        engine_fault_i,
  input  wire [7:0]  engine_code_i,
  input  wire [31:0] engine_arg_i,
  input  wire [COMMAND_BITS-1:0] command_i,

  output wire        busy_o,
  output wire        stop_o,           // finish or skip what is under way
  output wire        halt_engine_o,    // the same, or no run
  output wire        abort_o,          // a soft reset: kicks end
  output reg         done_q,           // one cycle, the first that is not busy
  output wire        resetting_o,
  output wire        stuck_o,

  output wire        faulted_o,
  output wire [31:0] fault_o,          // as the registers FAULT, FAULT_ARG, FAULT_INSTR,
  output wire [31:0] fault_arg_o,      // FAULT_COMMAND
  output wire [15:0] fault_instr_o,
  output wire [COMMAND_BITS-1:0] fault_command_o
);
  `include "ktpu_mx.vh"

  localparam [1:0] IDLE  = 2'd0;
  localparam [1:0] RUN   = 2'd1;
  localparam [1:0] STOP  = 2'd2;
  localparam [1:0] STUCK = 2'd3;
  localparam [31:0] CALM = 32'd32;
  localparam [7:0] NODE0  = 8'd0;
  localparam [7:0] ENGINE = 8'd255;

  reg [1:0]  state_q;
  reg        resetting_q;
  reg        progress_q;               // of the cycle before
  reg [31:0] still_q;                  // cycles without progress

  wire running = state_q == RUN;
  wire [31:0] limit = watchdog_i == 32'd0 ? 32'd1 : watchdog_i;
  wire expired   = still_q >= limit && !progress_q;
  wire calm      = still_q >= CALM && !progress_q;
  wire undrained = end_i && armed_only_i && (calm || expired);
  wire fault     = running && (node_fault_i || agent_fault_i || engine_fault_i || undrained ||
                               expired);
  wire finish    = quiet_i && ((running && end_i) || state_q == STOP);

  assign busy_o        = state_q != IDLE;
  assign stop_o        = state_q[1];
  assign halt_engine_o = !running;
  assign abort_o       = resetting_q;
  assign resetting_o   = resetting_q;
  assign stuck_o       = state_q == STUCK;

  always @(posedge clk_i) begin
    progress_q <= progress_i;
    case (state_q)
      IDLE:    if (start_i) state_q <= RUN;
      RUN:     if (fault || soft_reset_i) state_q <= STOP;
               else if (finish) state_q <= IDLE;
      STOP:    if (finish) state_q <= IDLE;
               else if (expired) state_q <= STUCK;
      default: state_q <= STUCK;
    endcase
    done_q      <= finish && !(running && (fault || soft_reset_i));
    resetting_q <= (resetting_q || (soft_reset_i && (running || state_q == STOP))) &&
                   state_q != IDLE && state_q != STUCK;
    if (!busy_o || progress_q || (running && (fault || soft_reset_i))) still_q <= 32'd0;
    else if (state_q != STUCK) still_q <= still_q + 32'd1;
    if (rst_i) begin
      state_q     <= IDLE;
      done_q      <= 1'b0;
      resetting_q <= 1'b0;
    end
  end

  // ---- The fault that is kept -----------------------------------------------------------------

  reg         faulted_q;
  reg  [7:0]  code_q, field_q, node_q;
  reg  [31:0] arg_q;
  reg  [15:0] instr_q;
  reg  [COMMAND_BITS-1:0] command_q;
  always @(posedge clk_i)
    if (start_i || rst_i) begin
      faulted_q <= 1'b0;
      code_q    <= 8'd0;
      field_q   <= 8'd0;
      node_q    <= 8'd0;
      arg_q     <= 32'd0;
      instr_q   <= 16'd0;
      command_q <= {COMMAND_BITS{1'b0}};
    end else if (fault) begin
      faulted_q <= 1'b1;
      command_q <= command_i;
      field_q   <= 8'd0;
      instr_q   <= 16'd0;
      node_q    <= ENGINE;
      if (node_fault_i) begin
        code_q  <= node_code_i;
        field_q <= node_field_i;
        node_q  <= NODE0;
        arg_q   <= node_arg_i;
        instr_q <= node_instr_i;
      end else if (agent_fault_i) begin
        code_q  <= agent_code_i;
        field_q <= agent_field_i;
        node_q  <= NODE0;
        arg_q   <= agent_arg_i;
        instr_q <= agent_instr_i;
      end else if (engine_fault_i) begin
        code_q <= engine_code_i;
        arg_q  <= engine_arg_i;
      end else if (undrained) begin
        code_q <= KT_MX_FAULT_UNDRAINED;
        arg_q  <= {12'd0, undrained_i};
      end else begin
        code_q <= KT_MX_FAULT_NO_PROGRESS;
        arg_q  <= {25'd0, waiting_i};
      end
    end
  assign faulted_o       = faulted_q;
  assign fault_o         = {8'd0, node_q, field_q, code_q};
  assign fault_arg_o     = arg_q;
  assign fault_instr_o   = instr_q;
  assign fault_command_o = command_q;
endmodule
`default_nettype wire
