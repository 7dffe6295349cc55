// SPDX-License-Identifier: Apache-2.0
// The run's counters: cycles, what the sweep did in each of them, events, beats, steps and
// instructions. All start from 0 with clear_i and count while run_i is high. The one that addr_i
// (a register's word address) names stands at data_o, unclocked; any other address gives 0.
`default_nettype none
module ktpu_mx_counters (
  input  wire        clk_i,
  input  wire        clear_i,
  input  wire        run_i,

  input  wire [2:0]  sweep_i,
  input  wire        step_i,
  input  wire [4:0]  overflow_i,
  input  wire [4:0]  clamped_i,
  input  wire [4:0]  flushed_i,
  input  wire [4:0]  nan_i,
  input  wire [2:0]  poisoned_i,
  input  wire        read_beat_i,
  input  wire        write_beat_i,
  input  wire        sent_i,

  input  wire [9:0]  addr_i,
  output reg  [31:0] data_o
);
  `include "ktpu_mx.vh"

  reg [63:0] cycles_q;
  reg [31:0] overflow_q, clamped_q, flushed_q, nan_q, poisoned_q;
  reg [31:0] reads_q, writes_q, steps_q, sent_q;

  always @(posedge clk_i)
    if (clear_i) begin
      cycles_q   <= 64'd0;
      overflow_q <= 32'd0;
      clamped_q  <= 32'd0;
      flushed_q  <= 32'd0;
      nan_q      <= 32'd0;
      poisoned_q <= 32'd0;
      reads_q    <= 32'd0;
      writes_q   <= 32'd0;
      steps_q    <= 32'd0;
      sent_q     <= 32'd0;
    end else if (run_i) begin
      cycles_q <= cycles_q + 64'd1;
      if (overflow_i != 5'd0) overflow_q <= overflow_q + {27'd0, overflow_i};
      if (clamped_i != 5'd0) clamped_q <= clamped_q + {27'd0, clamped_i};
      if (flushed_i != 5'd0) flushed_q <= flushed_q + {27'd0, flushed_i};
      if (nan_i != 5'd0) nan_q <= nan_q + {27'd0, nan_i};
      if (poisoned_i != 3'd0) poisoned_q <= poisoned_q + {29'd0, poisoned_i};
      if (read_beat_i) reads_q <= reads_q + 32'd1;
      if (write_beat_i) writes_q <= writes_q + 32'd1;
      if (step_i) steps_q <= steps_q + 32'd1;
      if (sent_i) sent_q <= sent_q + 32'd1;
    end

  wire [255:0] sweeps;
  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_sweep
      reg [31:0] count_q;
      always @(posedge clk_i)
        if (clear_i) count_q <= 32'd0;
        else if (run_i && sweep_i == i) count_q <= count_q + 32'd1;
      assign sweeps[32*i +: 32] = count_q;
    end
  endgenerate

  always @*
    if (addr_i[9:3] == KT_MX_REG_SWEEP[11:5]) data_o = sweeps[{addr_i[2:0], 5'd0} +: 32];
    else
      case (addr_i)
        KT_MX_REG_CYCLES_LO[11:2]:    data_o = cycles_q[31:0];
        KT_MX_REG_CYCLES_HI[11:2]:    data_o = cycles_q[63:32];
        KT_MX_REG_RAW_OVERFLOW[11:2]: data_o = overflow_q;
        KT_MX_REG_RAW_CLAMPED[11:2]:  data_o = clamped_q;
        KT_MX_REG_RAW_FLUSHED[11:2]:  data_o = flushed_q;
        KT_MX_REG_RAW_NAN[11:2]:      data_o = nan_q;
        KT_MX_REG_RAW_POISONED[11:2]: data_o = poisoned_q;
        KT_MX_REG_READ_BEATS[11:2]:   data_o = reads_q;
        KT_MX_REG_WRITE_BEATS[11:2]:  data_o = writes_q;
        KT_MX_REG_STEPS[11:2]:        data_o = steps_q;
        KT_MX_REG_INSTRUCTIONS[11:2]: data_o = sent_q;
        default:                      data_o = 32'd0;
      endcase
endmodule
`default_nettype wire
