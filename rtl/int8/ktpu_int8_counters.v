// SPDX-License-Identifier: Apache-2.0
// Occupancy counters: how many cycles of a run each of the seven units spent in each of its states.
// state_i holds three bits a unit (unit u at 3*u +: 3, states 0..7). While run_i is high, one
// counter of every unit goes up each cycle, so a unit's counters sum to the cycles with run_i.
// clear_i zeroes all of them at once and wins over run_i. addr_i = {unit, state}; data_o follows it
// without a clock and is 0 while run_i is high (the storage has one read port), for unit 7 and
// where COUNTERS = 0, which keeps no storage. A counter wraps after 2^32 cycles.
// PIPELINE = 1: the state is chosen, the low half counts, and the high half takes its carry in a
// cycle each; data_o follows addr_i and run_i by three cycles.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_int8_counters #(
  parameter integer COUNTERS = 1,
  parameter integer PIPELINE = 0
) (
  input  wire        clk_i,
  input  wire        clear_i,
  input  wire        run_i,
  input  wire [20:0] state_i,

  input  wire [5:0]  addr_i,
  output wire [31:0] data_o
);
  localparam integer UNITS = 7;

  generate
    if (COUNTERS != 0) begin : g_on
      wire [32*UNITS-1:0] value;          // unit u at 32*u +: 32: the counter its port looks at
      genvar u;

      for (u = 0; u < UNITS; u = u + 1) begin : g_unit
        // Small enough for LUT RAM: a row counts only once its bit is set, so clearing is a cycle
        wire [2:0] row = run_i ? state_i[3*u +: 3] : addr_i[2:0];
        if (PIPELINE != 0) begin : g_halves
          reg [2:0]  row_q, row_q2;
          reg        count_q, count_q2, carry_q;
          reg [15:0] low_q [0:7];
          reg [15:0] high_q [0:7];
          reg [7:0]  low_seen_q, high_seen_q;
          reg         low_here_q, high_here_q;     // the row's bit
          wire [15:0] low  = low_here_q ? low_q[row_q] : 16'd0;
          wire [15:0] high = high_here_q ? high_q[row_q2] : 16'd0;
          wire [16:0] next = {1'b0, low} + 17'd1;
          assign value[32*u +: 32] = {high, low};
          always @(posedge clk_i) begin
            row_q    <= row;
            row_q2   <= row_q;
            low_here_q  <= low_seen_q[row] || (count_q && row == row_q);
            high_here_q <= high_seen_q[row_q] || (count_q2 && row_q == row_q2);
            carry_q  <= next[16];
            count_q  <= run_i && !clear_i;
            count_q2 <= count_q && !clear_i;
            if (count_q)  low_seen_q[row_q]   <= 1'b1;
            if (count_q2) high_seen_q[row_q2] <= 1'b1;
            if (clear_i) begin
              low_seen_q  <= 8'd0;
              high_seen_q <= 8'd0;
            end
          end
          always @(posedge clk_i) begin
            if (count_q)  low_q[row_q]   <= next[15:0];
            if (count_q2) high_q[row_q2] <= high + {15'd0, carry_q};
          end
        end else begin : g_whole
          reg [31:0] count_q [0:7];
          reg [7:0]  seen_q;
          wire [31:0] now = seen_q[row] ? count_q[row] : 32'd0;
          assign value[32*u +: 32] = now;
          always @(posedge clk_i) begin
            if (run_i)   seen_q[row] <= 1'b1;
            if (clear_i) seen_q <= 8'd0;
          end
          always @(posedge clk_i)
            if (run_i) count_q[row] <= now + 32'd1;
        end
      end

      reg [31:0] chosen;
      always @* begin
        case (addr_i[5:3])
          3'd0:    chosen = value[31:0];
          3'd1:    chosen = value[63:32];
          3'd2:    chosen = value[95:64];
          3'd3:    chosen = value[127:96];
          3'd4:    chosen = value[159:128];
          3'd5:    chosen = value[191:160];
          3'd6:    chosen = value[223:192];
          default: chosen = 32'd0;
        endcase
      end
      if (PIPELINE != 0) begin : g_out
        reg [31:0] data_q;
        always @(posedge clk_i) data_q <= run_i ? 32'd0 : chosen;
        assign data_o = data_q;
      end else begin : g_out
        assign data_o = run_i ? 32'd0 : chosen;
      end
    end else begin : g_off
      wire unused_ok = &{1'b0, clk_i, clear_i, run_i, state_i, addr_i};
      assign data_o = 32'd0;
    end
  endgenerate
endmodule
`default_nettype wire
