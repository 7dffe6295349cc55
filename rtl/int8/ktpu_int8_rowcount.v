// Counts the rows of one request, for builds without strides whose MAXDIM is a power of two: a
// row's place in its matrix is then {row, column block}, and the user adds the base. What
// ktpu_int8_rowaddr does in other builds, without its adders and with one request at a time.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_rowcount #(
  parameter integer ROW_BITS = 4,
  parameter integer CB_BITS  = 2
) (
  input  wire                        clk_i,
  input  wire                        rst_i,

  input  wire                        in_valid_i,
  output wire                        in_ready_o,
  input  wire [ROW_BITS-1:0]         in_row0_i,
  input  wire [CB_BITS-1:0]          in_cb_i,
  input  wire [6:0]                  in_rows_i,    // 1 .. MAXDIM

  output wire                        out_valid_o,
  input  wire                        out_ready_i,
  output wire [ROW_BITS+CB_BITS-1:0] out_place_o   // in words of T lanes
);
  localparam [ROW_BITS-1:0] R_ONE = {{(ROW_BITS-1){1'b0}}, 1'b1};
  localparam [6:0] L_ONE = 7'd1;

  reg                valid_q;
  reg [ROW_BITS-1:0] row_q;
  reg [CB_BITS-1:0]  cb_q;
  reg [6:0]          left_q;

  wire take = valid_q && out_ready_i;
  assign in_ready_o  = !valid_q || (take && left_q == L_ONE);
  assign out_valid_o = valid_q;
  assign out_place_o = {row_q, cb_q};

  always @(posedge clk_i) begin
    if (in_ready_o) valid_q <= in_valid_i;
    if (rst_i) valid_q <= 1'b0;
  end
  always @(posedge clk_i)
    if (in_valid_i && in_ready_o) begin
      row_q  <= in_row0_i;
      cb_q   <= in_cb_i;
      left_q <= in_rows_i;
    end else if (take) begin
      row_q  <= row_q + R_ONE;
      left_q <= left_q - L_ONE;
    end
endmodule
`default_nettype wire
