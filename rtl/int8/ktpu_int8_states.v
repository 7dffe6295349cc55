// SPDX-License-Identifier: Apache-2.0
// What each unit is doing: one of six states a cycle for the counters, whether anything advances
// for the watchdog, and which units have work that does not for its report.
// With PIPELINE = 1 everything that is seen passes a register first, run_i too, so the sums are the
// same; they are right four cycles after run_i has fallen, and data_o follows addr_i by three.
`default_nettype none
module ktpu_int8_states #(
  parameter integer COUNTERS = 1,
  parameter integer SMALL    = 0,         // progress is told a cycle late
  parameter integer PIPELINE = 0
) (
  input  wire        clk_i,
  input  wire        clear_i,
  input  wire        run_i,

  input  wire [2:0]  seq_state_i,
  input  wire        seq_step_i,
  input  wire        ar_hs_i,             // handshakes of the memory port
  input  wire        r_hs_i,
  input  wire        w_hs_i,              // address or data
  input  wire        b_hs_i,
  input  wire        ld_work_i,           // loads are queued
  input  wire        ld_moves_i,          // a load's address or word is taken
  input  wire        ld_word_i,           // a load's word is there
  input  wire        x_head_i,            // the head of the issue queue: there is one, it uses vr
  input  wire        x_vs_i,              // and spad, writes ar, waits for ar, is issued
  input  wire        x_wr_i,
  input  wire        x_port_i,
  input  wire        x_issue_i,
  input  wire        spad_busy_i,
  input  wire        vr_re_i,
  input  wire        vr_we_i,
  input  wire        slot_i,              // the accumulator is read or written
  input  wire        st_issue_i,          // an mvout row is read
  input  wire        st_offers_i,         // something for memory is offered
  input  wire        st_port_i,           // an mvout row waits for ar's read port
  input  wire        st_rows_i,           // mvouts are queued
  input  wire        st_work_i,

  output wire        progress_o,
  output wire [6:0]  waiting_o,
  input  wire [5:0]  addr_i,
  output wire [31:0] data_o
);
  `include "ktpu_tinytpu.vh"

  // ---- what is seen
  wire [24:0] seen_now = {seq_state_i, seq_step_i, ar_hs_i, r_hs_i, w_hs_i, b_hs_i, ld_work_i,
                          ld_moves_i, ld_word_i, x_head_i, x_vs_i, x_wr_i, x_port_i, x_issue_i,
                          spad_busy_i, vr_re_i, vr_we_i, slot_i, st_issue_i, st_offers_i,
                          st_port_i, st_rows_i, st_work_i};
  wire [24:0] seen;
  wire        run;
  generate
    if (PIPELINE != 0) begin : g_see_late
      reg [24:0] seen_q;
      reg        run_q;
      always @(posedge clk_i) begin
        seen_q <= seen_now;
        run_q  <= run_i;
      end
      assign seen = seen_q;
      assign run  = run_q;
    end else begin : g_see
      assign seen = seen_now;
      assign run  = run_i;
    end
  endgenerate
  wire [2:0] seq_state;
  wire seq_step, ar_hs, r_hs, w_hs, b_hs, ld_work, ld_moves, ld_word, x_head, x_vs, x_wr, x_port;
  wire x_issue, spad_busy, vr_re, vr_we, slot, st_issue, st_offers, st_port, st_rows;
  wire st_work;
  assign {seq_state, seq_step, ar_hs, r_hs, w_hs, b_hs, ld_work, ld_moves, ld_word, x_head, x_vs,
          x_wr, x_port, x_issue, spad_busy, vr_re, vr_we, slot, st_issue, st_offers, st_port,
          st_rows, st_work} = seen;

  wire moves = seq_step || ar_hs || r_hs || w_hs || b_hs || x_issue || st_issue;
  generate
    if (SMALL != 0) begin : g_late               // a cycle late is soon enough for the watchdog
      reg moves_q;
      always @(posedge clk_i) moves_q <= moves;
      assign progress_o = moves_q;
    end else begin : g_now
      assign progress_o = moves;
    end
  endgenerate

  wire x_waits = x_head && !x_issue;
  wire [2:0] state_ld = ld_moves ? KT_STATE_BUSY : !ld_work ? KT_STATE_NO_INSTRUCTION :
                        ld_word ? KT_STATE_WAIT_DOWNSTREAM : KT_STATE_WAIT_MEMORY;
  wire [2:0] state_spm = spad_busy ? KT_STATE_BUSY :
                         (x_waits && x_vs) ? KT_STATE_WAIT_OPERAND : KT_STATE_NO_INSTRUCTION;
  wire [2:0] state_vru = (vr_re || vr_we) ? KT_STATE_BUSY :
                         (x_waits && x_vs) ? KT_STATE_WAIT_OPERAND : KT_STATE_NO_INSTRUCTION;
  wire [2:0] state_array = vr_re ? KT_STATE_BUSY :
                           (x_waits && x_vs && x_wr) ? KT_STATE_WAIT_OPERAND :
                           KT_STATE_NO_INSTRUCTION;
  wire [2:0] state_accu = (slot || st_issue) ? KT_STATE_BUSY :
                          (x_waits && x_port) ? KT_STATE_WAIT_PORT :
                          (x_waits && x_wr) ? KT_STATE_WAIT_OPERAND :
                          KT_STATE_NO_INSTRUCTION;
  wire [2:0] state_st = w_hs ? KT_STATE_BUSY :
                        st_offers ? KT_STATE_WAIT_MEMORY :
                        st_port ? KT_STATE_WAIT_PORT :
                        st_rows ? KT_STATE_WAIT_OPERAND :
                        st_work ? KT_STATE_WAIT_MEMORY : KT_STATE_NO_INSTRUCTION;
  wire [20:0] states = {state_st, state_accu, state_array, state_vru, state_spm, state_ld,
                        seq_state};

  // units with work that do not advance, for the watchdog's report
  wire seq_waits = seq_state != KT_STATE_BUSY && seq_state != KT_STATE_NO_INSTRUCTION;
  wire vs_waits  = x_waits && x_vs;
  assign waiting_o = {st_work && !w_hs, x_waits && x_wr, vs_waits && x_wr, vs_waits,
                      vs_waits, ld_work && !ld_moves, seq_waits};

  ktpu_int8_counters #(.COUNTERS(COUNTERS), .PIPELINE(PIPELINE)) u_counters (
    .clk_i(clk_i), .clear_i(clear_i), .run_i(run), .state_i(states),
    .addr_i(addr_i), .data_o(data_o)
  );
endmodule
`default_nettype wire
