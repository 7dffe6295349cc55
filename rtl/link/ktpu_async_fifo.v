// SPDX-License-Identifier: Apache-2.0
// FIFO from one clock to another: gray pointers through two registers each way, so either clock
// may stop, start or change its rate at any edge. Each side resets asynchronously; its reset must
// be released in step with its own clock. To flush, both resets must be high at one time; then
// each side may be released when it likes. w_ready_o is low while MARGIN places or fewer are free:
// with a MARGIN a writer may ignore it for as many words as that. First word falls through; out
// ports depend on registers and the storage only.
`default_nettype none
module ktpu_async_fifo #(
  parameter integer WIDTH  = 8,
  parameter integer LOG    = 5,           // 2**LOG places
  parameter integer MARGIN = 0
) (
  input  wire             w_clk_i,
  input  wire             w_rst_i,
  input  wire             w_valid_i,
  output wire             w_ready_o,
  input  wire [WIDTH-1:0] w_data_i,

  input  wire             r_clk_i,
  input  wire             r_rst_i,
  output wire             r_valid_o,
  input  wire             r_ready_i,
  output wire [WIDTH-1:0] r_data_o
);
  localparam [LOG:0] ONE  = {{LOG{1'b0}}, 1'b1};
  localparam integer LAST_I = (1 << LOG) - MARGIN;  // the level from which ready is low
  localparam [LOG:0] LAST = LAST_I[LOG:0];
  generate
    if (LOG < 2 || MARGIN < 0 || MARGIN >= 1 << LOG) begin : g_bad_size
      ktpu_param_error_async_fifo_size u_stop ();
    end
  endgenerate

  function [LOG:0] binary(input [LOG:0] gray);
    integer k;
    begin
      binary = gray;
      for (k = 1; k <= LOG; k = k + 1) binary = binary ^ (gray >> k);
    end
  endfunction

  // A proof has one clock, which both sides see or miss at will.
`ifdef FORMAL
  (* anyseq *) wire w_tick;
  (* anyseq *) wire r_tick;
`else
  wire w_tick = 1'b1;
  wire r_tick = 1'b1;
`endif

  reg [WIDTH-1:0] mem_q [0:(1<<LOG)-1];
  reg [LOG:0] w_q, w_gray_q;              // next place to write, and its gray code
  reg [LOG:0] r_q, r_gray_q;              // next place to read
  reg [LOG:0] w_seen1_q, w_seen2_q;       // w_gray_q as the reader sees it
  reg [LOG:0] r_seen1_q, r_seen2_q;       // r_gray_q as the writer sees it

  // ---- writer
  wire [LOG:0] level  = w_q - binary(r_seen2_q);
  wire [LOG:0] w_next = w_q + ONE;
  wire         push   = w_valid_i && (MARGIN != 0 || w_ready_o);
  assign w_ready_o = level < LAST;

  always @(posedge w_clk_i or posedge w_rst_i)
    if (w_rst_i) begin
      w_q       <= {(LOG+1){1'b0}};
      w_gray_q  <= {(LOG+1){1'b0}};
      r_seen1_q <= {(LOG+1){1'b0}};
      r_seen2_q <= {(LOG+1){1'b0}};
    end else if (w_tick) begin
      if (push) begin
        w_q      <= w_next;
        w_gray_q <= w_next ^ (w_next >> 1);
      end
      r_seen1_q <= r_gray_q;
      r_seen2_q <= r_seen1_q;
    end

  always @(posedge w_clk_i)
    if (push && w_tick) mem_q[w_q[LOG-1:0]] <= w_data_i;

  // ---- reader
  wire [LOG:0] r_next = r_q + ONE;
  wire         pop    = r_valid_o && r_ready_i;
  assign r_valid_o = w_seen2_q != r_gray_q;
  assign r_data_o  = mem_q[r_q[LOG-1:0]];

  always @(posedge r_clk_i or posedge r_rst_i)
    if (r_rst_i) begin
      r_q       <= {(LOG+1){1'b0}};
      r_gray_q  <= {(LOG+1){1'b0}};
      w_seen1_q <= {(LOG+1){1'b0}};
      w_seen2_q <= {(LOG+1){1'b0}};
    end else if (r_tick) begin
      if (pop) begin
        r_q      <= r_next;
        r_gray_q <= r_next ^ (r_next >> 1);
      end
      w_seen1_q <= w_gray_q;
      w_seen2_q <= w_seen1_q;
    end
`ifdef FORMAL
  `include "ktpu_async_fifo_fv.vh"
`endif
endmodule
`default_nettype wire
