// SPDX-License-Identifier: Apache-2.0
// Turns {base, offset, first row, rows, stride} into one byte address a row, one a cycle.
// The first address needs row0 * stride: a serial shift-add prepares the next request while the
// present one runs, so a queue of requests streams without a gap unless row0 has many bits.
`default_nettype none
module ktpu_int8_rowaddr #(
  parameter integer ADDR_BITS = 32,
  parameter integer ROW_BITS  = 7,
  parameter integer PIPELINE  = 0       // a request is taken only when none is being prepared
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  input  wire                 in_valid_i,
  output wire                 in_ready_o,
  input  wire [ADDR_BITS-1:0] in_base_i,    // matrix base plus column offset
  input  wire [15:0]          in_stride_i,  // bytes between rows
  input  wire [ROW_BITS-1:0]  in_row0_i,
  input  wire [6:0]           in_rows_i,    // 1..127

  output wire                 out_valid_o,
  input  wire                 out_ready_i,
  output wire [ADDR_BITS-1:0] out_addr_o,
  output wire                 out_last_o,
  output wire                 idle_o        // nothing prepared, nothing running
);
  // Preparation: addr += row0 * stride, a bit of row0 a cycle.
  reg                 prep_valid_q;
  reg [ADDR_BITS-1:0] prep_addr_q;
  reg [ADDR_BITS-1:0] prep_addend_q;
  reg [ROW_BITS-1:0]  prep_mult_q;
  reg [15:0]          prep_stride_q;
  reg [6:0]           prep_rows_q;

  reg                 run_valid_q;
  reg [ADDR_BITS-1:0] run_addr_q;
  reg [15:0]          run_stride_q;
  reg [6:0]           run_rows_q;

  wire out_hs    = run_valid_q && out_ready_i;
  wire run_done  = out_hs && out_last_o;
  wire run_free  = !run_valid_q || run_done;
  wire mult_one  = prep_mult_q[ROW_BITS-1:1] == {(ROW_BITS-1){1'b0}};
  wire prep_done = prep_valid_q && mult_one;      // at most one addition is left, done on the way
  wire prep_move = prep_done && run_free;

  wire [ADDR_BITS-1:0] prep_sum =
    prep_addr_q + (prep_mult_q[0] ? prep_addend_q : {ADDR_BITS{1'b0}});
  wire [ADDR_BITS-1:0] in_stride  = {{(ADDR_BITS-16){1'b0}}, in_stride_i};
  wire [ADDR_BITS-1:0] run_stride = {{(ADDR_BITS-16){1'b0}}, run_stride_q};

  assign in_ready_o  = !prep_valid_q || (PIPELINE == 0 && prep_move);
  assign out_valid_o = run_valid_q;
  assign out_addr_o  = run_addr_q;
  assign out_last_o  = run_rows_q == 7'd1;
  assign idle_o      = !prep_valid_q && !run_valid_q;

  always @(posedge clk_i) begin
    if (in_ready_o) prep_valid_q <= in_valid_i;
    else if (prep_move) prep_valid_q <= 1'b0;
    if (run_free)   run_valid_q  <= prep_done;
    if (rst_i) begin
      prep_valid_q <= 1'b0;
      run_valid_q  <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (in_valid_i && in_ready_o) begin
      prep_addr_q   <= in_base_i;
      prep_addend_q <= in_stride;
      prep_mult_q   <= in_row0_i;
      prep_stride_q <= in_stride_i;
      prep_rows_q   <= in_rows_i;
    end else if (prep_valid_q && !mult_one) begin
      prep_addr_q   <= prep_sum;
      prep_addend_q <= prep_addend_q << 1;
      prep_mult_q   <= prep_mult_q >> 1;
    end
    if (prep_move) begin
      run_addr_q   <= prep_sum;
      run_stride_q <= prep_stride_q;
      run_rows_q   <= prep_rows_q;
    end else if (out_hs) begin
      run_addr_q   <= run_addr_q + run_stride;
      run_rows_q   <= run_rows_q - 7'd1;
    end
  end
endmodule
`default_nettype wire
