// SPDX-License-Identifier: Apache-2.0
// The resident output tile and its sixteen adders: word <- (load ? 0 : word) + v, one sub-tile a
// cycle. A step enters with step_i in the cycle of its last slice; its products are at v_i five
// cycles later and its sum is in the tile four cycles after that, so that a word may come again
// five cycles later, not sooner. Steps with emit_i also hand their sum out. A plain read (read_i
// and read_ready_o) hands a word out in the next cycle. Who asks sees to it that no two words leave
// at once.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_mx_tile #(
  parameter integer ACC_MW = 14,
  parameter integer TILES  = 512
) (
  input  wire                       clk_i,
  input  wire                       rst_i,

  input  wire                       step_i,
  input  wire [$clog2(TILES)-1:0]   step_word_i,
  input  wire                       step_load_i,
  input  wire                       step_emit_i,
  input  wire                       step_wide_i,    // of an emitted word: goes along
  input  wire [16*(ACC_MW+8)-1:0]   v_i,

  input  wire                       read_i,
  output wire                       read_ready_o,   // combinational: no step needs the port
  input  wire [$clog2(TILES)-1:0]   read_word_i,
  input  wire                       read_wide_i,

  output wire                       out_valid_o,
  output wire                       out_wide_o,
  output wire [16*(ACC_MW+8)-1:0]   out_data_o,

  output wire                       busy_o,         // a step is under way
  output wire                       emits_o,        // and will hand its sum out
  output wire [4:0]                 overflow_o      // sums past the largest number, this cycle
);
  localparam integer AW   = $clog2(TILES);
  localparam integer W    = ACC_MW + 8;
  localparam integer LINE = 8;                      // cycles from step_i to the sum
  localparam integer READ = 3;                      // place in the line where the word is read
  localparam integer LAST = LINE - 1;

  // ---- The steps under way: place p is p + 1 cycles after step_i ------------------------------

  reg [LINE-1:0]    valid_q, emit_q;
  reg [LINE-1:0]    load_q, wide_q;
  reg [LINE*AW-1:0] word_q;
  always @(posedge clk_i) begin
    valid_q <= {valid_q[LAST-1:0], step_i};
    emit_q  <= {emit_q[LAST-1:0], step_i && step_emit_i};
    if (rst_i) begin
      valid_q <= {LINE{1'b0}};
      emit_q  <= {LINE{1'b0}};
    end
  end
  always @(posedge clk_i) begin
    load_q <= {load_q[LAST-1:0], step_load_i};
    wide_q <= {wide_q[LAST-1:0], step_wide_i};
    word_q <= {word_q[LAST*AW-1:0], step_word_i};
  end
  assign busy_o  = valid_q != {LINE{1'b0}};
  assign emits_o = emit_q != {LINE{1'b0}};

  // ---- Tile and adders -------------------------------------------------------------------------

  wire            fetch = valid_q[READ] && !load_q[READ];
  wire [16*W-1:0] stored, x, sum;
  wire [15:0]     over;
  assign read_ready_o = !fetch;
  assign x            = load_q[READ+1] ? {(16*W){1'b0}} : stored;

  ktpu_ram_sdp #(.WIDTH (16 * W), .DEPTH (TILES)) u_tile (
    .clk_i   (clk_i),
    .we_i    (valid_q[LAST]),
    .waddr_i (word_q[AW*LAST +: AW]),
    .wdata_i (sum),
    .re_i    (fetch || read_i),
    .raddr_i (fetch ? word_q[AW*READ +: AW] : read_word_i),
    .rdata_o (stored)
  );

  genvar e;
  generate
    for (e = 0; e < 16; e = e + 1) begin : g_add
      ktpu_fp22_add #(.MW (ACC_MW)) u_add (
        .clk_i      (clk_i),
        .x_i        (x[W*e +: W]),
        .y_i        (v_i[W*e +: W]),
        .sum_o      (sum[W*e +: W]),
        .overflow_o (over[e])
      );
    end
  endgenerate

  function [4:0] ones(input [15:0] bits);
    integer n;
    begin
      ones = 5'd0;
      for (n = 0; n < 16; n = n + 1) ones = ones + {4'd0, bits[n]};
    end
  endfunction
  reg [4:0] overflow_q;
  always @(posedge clk_i) overflow_q <= valid_q[LAST] && over != 16'd0 ? ones(over) : 5'd0;
  assign overflow_o = overflow_q;

  // ---- What leaves -----------------------------------------------------------------------------

  reg read_q, read_wide_q;
  always @(posedge clk_i) begin
    read_q <= read_i && read_ready_o;
    if (rst_i) read_q <= 1'b0;
  end
  always @(posedge clk_i) read_wide_q <= read_wide_i;

  assign out_valid_o = emit_q[LAST] || read_q;
  assign out_wide_o  = read_q ? read_wide_q : wide_q[LAST];
  assign out_data_o  = read_q ? stored : sum;

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i) begin
      `KTPU_CHECK(!(emit_q[LAST] && read_q), "two words leave at once")
    end
`endif
endmodule
`default_nettype wire
