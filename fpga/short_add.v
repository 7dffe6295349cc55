// SPDX-License-Identifier: Apache-2.0
// Technology map of the iCE40 builds: adders, counters and comparisons of up to six bits go into
// plain logic. A carry chain of that length costs one or two logic cells to begin and to leave, and
// its bits cannot share a LUT with what follows them. Used by tools/fpga_common.py.
`default_nettype none
(* techmap_celltype = "$alu" *)
module ktpu_short_add (A, B, CI, BI, X, Y, CO);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH  = 1;
  parameter B_WIDTH  = 1;
  parameter Y_WIDTH  = 1;
  input  wire [A_WIDTH-1:0] A;
  input  wire [B_WIDTH-1:0] B;
  input  wire               CI, BI;
  output wire [Y_WIDTH-1:0] X, Y, CO;

  wire _TECHMAP_FAIL_ = Y_WIDTH > 6;

  wire [Y_WIDTH-1:0] a, b;
  \$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) u_a (.A(A), .Y(a));
  \$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) u_b (.A(B), .Y(b));
  wire [Y_WIDTH-1:0] other = BI ? ~b : b;
  wire [Y_WIDTH:0]   carry;
  assign carry[0] = CI;
  genvar i;
  generate
    for (i = 0; i < Y_WIDTH; i = i + 1) begin : g_bit
      assign carry[i+1] = (a[i] & other[i]) | (carry[i] & (a[i] ^ other[i]));
    end
  endgenerate
  assign X  = a ^ other;
  assign Y  = X ^ carry[Y_WIDTH-1:0];
  assign CO = carry[Y_WIDTH:1];
endmodule
`default_nettype wire
