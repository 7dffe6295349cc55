// SPDX-License-Identifier: Apache-2.0
// Quantises binary16 to MXFP7 at one beat a cycle: 16 elements a beat, two beats a block, elements
// along K, the lowest first. Beats may come with gaps. A block leaves as two beats in the order
// they came, each with the block's scale code, six cycles after its second beat (the first of
// them) and one cycle later (the second). It cannot be stopped: whoever asks for the beats has
// room.
`default_nettype none
module ktpu_mx_quant (
  input  wire         clk_i,
  input  wire         rst_i,

  input  wire         in_valid_i,
  input  wire [255:0] in_data_i,

  output wire         out_valid_o,
  output wire         out_second_o,
  output wire [111:0] out_q_o,     // element i at 7 * i
  output wire [7:0]   out_code_o
);
  // ---- The largest magnitude of a beat, in two steps -------------------------------------------

  function [14:0] larger(input [14:0] a, input [14:0] b);
    larger = a > b ? a : b;
  endfunction

  function [14:0] largest4(input [14:0] a, input [14:0] b, input [14:0] c, input [14:0] d);
    largest4 = larger(larger(a, b), larger(c, d));
  endfunction

  reg         valid_q, valid_q2;
  reg [255:0] data_q, data_q2;
  reg [59:0]  four_q;
  reg [14:0]  peak_q2;
  always @(posedge clk_i) begin
    valid_q  <= in_valid_i && !rst_i;
    valid_q2 <= valid_q && !rst_i;
  end
  always @(posedge clk_i) begin
    data_q  <= in_data_i;
    data_q2 <= data_q;
    peak_q2 <= largest4(four_q[14:0], four_q[29:15], four_q[44:30], four_q[59:45]);
  end

  genvar j;
  generate
    for (j = 0; j < 4; j = j + 1) begin : g_four
      always @(posedge clk_i)
        four_q[15 * j +: 15] <=
          largest4(in_data_i[64 * j +: 15], in_data_i[64 * j + 16 +: 15],
                   in_data_i[64 * j + 32 +: 15], in_data_i[64 * j + 48 +: 15]);
    end
  endgenerate

  // ---- Two beats make a block -------------------------------------------------------------------

  reg         half_q;  // the first beat of a block waits in held_q
  reg [255:0] held_q;
  reg [14:0]  held_peak_q;
  reg [255:0] second_q;
  reg         first_valid_q3, second_valid_q3;
  reg [255:0] data_q3;
  reg [7:0]   code_q3;
  wire        whole = valid_q2 && half_q;

  wire [7:0] code;
  ktpu_mx_code u_code (
    .peak_i (larger(held_peak_q, peak_q2)),
    .code_o (code)
  );

  always @(posedge clk_i) begin
    if (valid_q2) half_q <= !half_q;
    first_valid_q3  <= whole;
    second_valid_q3 <= first_valid_q3;
    if (rst_i) begin
      half_q          <= 1'b0;
      first_valid_q3  <= 1'b0;
      second_valid_q3 <= 1'b0;
    end
  end

  // A block completes at most every other cycle, so its second beat leaves when the first has.
  always @(posedge clk_i) begin
    if (valid_q2) begin
      held_q      <= data_q2;
      held_peak_q <= peak_q2;
    end
    if (whole) begin
      second_q <= data_q2;
      code_q3  <= code;
    end
    data_q3 <= whole ? held_q : second_q;
  end

  // ---- The elements ----------------------------------------------------------------------------

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_element
      ktpu_mx_quotient u_quotient (
        .clk_i  (clk_i),
        .x_i    (data_q3[16 * i +: 16]),
        .code_i (code_q3),
        .q_o    (out_q_o[7 * i +: 7])
      );
    end
  endgenerate

  reg [2:0]  valid_line_q;
  reg [2:0]  second_line_q;
  reg [23:0] code_line_q;
  always @(posedge clk_i) begin
    valid_line_q <= {valid_line_q[1:0], first_valid_q3 || second_valid_q3};
    if (rst_i) valid_line_q <= 3'd0;
  end
  always @(posedge clk_i) begin
    second_line_q <= {second_line_q[1:0], second_valid_q3};
    code_line_q   <= {code_line_q[15:0], code_q3};
  end

  assign out_valid_o  = valid_line_q[2];
  assign out_second_o = second_line_q[2];
  assign out_code_o   = code_line_q[23:16];
endmodule
`default_nettype wire
