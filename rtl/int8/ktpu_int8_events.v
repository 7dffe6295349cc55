// SPDX-License-Identifier: Apache-2.0
// Counts lanes that saturation changed on their way out, and lanes whose sum left 32 bits. The
// counts stop at the largest value of BITS bits.
`default_nettype none
module ktpu_int8_events #(
  parameter integer T    = 4,
  parameter integer BITS = 32             // at most 32
) (
  input  wire         clk_i,
  input  wire         clear_i,
  input  wire         saturated_valid_i,
  input  wire [T-1:0] saturated_i,
  input  wire         wrapped_valid_i,
  input  wire [T-1:0] wrapped_i,
  output wire [31:0]  saturated_o,
  output wire [31:0]  wrapped_o
);
  function [5:0] ones(input [T-1:0] bits);
    integer i;
    begin
      ones = 6'd0;
      for (i = 0; i < T; i = i + 1) ones = ones + {5'd0, bits[i]};
    end
  endfunction
  function [BITS-1:0] count(input [BITS-1:0] have, input [5:0] more);
    reg [BITS:0] sum;
    begin
      sum   = {1'b0, have} + {{(BITS-5){1'b0}}, more};
      count = sum[BITS] ? {BITS{1'b1}} : sum[BITS-1:0];
    end
  endfunction

  reg [BITS-1:0] saturated_q, wrapped_q;
  always @(posedge clk_i) begin
    if (saturated_valid_i) saturated_q <= count(saturated_q, ones(saturated_i));
    if (wrapped_valid_i)   wrapped_q   <= count(wrapped_q, ones(wrapped_i));
    if (clear_i) begin
      saturated_q <= {BITS{1'b0}};
      wrapped_q   <= {BITS{1'b0}};
    end
  end

  wire [32:0] saturated_wide = {{(33-BITS){1'b0}}, saturated_q};
  wire [32:0] wrapped_wide   = {{(33-BITS){1'b0}}, wrapped_q};
  wire unused = &{1'b0, saturated_wide[32], wrapped_wide[32]};
  assign saturated_o = saturated_wide[31:0];
  assign wrapped_o   = wrapped_wide[31:0];
endmodule
`default_nettype wire
