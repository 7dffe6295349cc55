// SPDX-License-Identifier: Apache-2.0
// Counts lanes that saturation changed on their way out, and lanes whose sum left 32 bits. The
// counts stop at the largest value of BITS bits. PIPELINE = 1: an event is counted a cycle late.
`default_nettype none
module ktpu_int8_events #(
  parameter integer T    = 4,
  parameter integer BITS = 32,            // at most 32
  parameter integer PIPELINE = 0
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

  wire       saturated_valid, wrapped_valid;
  wire [5:0] saturated_ones, wrapped_ones;
  generate
    if (PIPELINE != 0) begin : g_late
      reg       saturated_valid_q, wrapped_valid_q;
      reg [5:0] saturated_ones_q, wrapped_ones_q;
      always @(posedge clk_i) begin
        saturated_valid_q <= saturated_valid_i;
        wrapped_valid_q   <= wrapped_valid_i;
        saturated_ones_q  <= ones(saturated_i);
        wrapped_ones_q    <= ones(wrapped_i);
        if (clear_i) begin
          saturated_valid_q <= 1'b0;
          wrapped_valid_q   <= 1'b0;
        end
      end
      assign saturated_valid = saturated_valid_q;
      assign wrapped_valid   = wrapped_valid_q;
      assign saturated_ones  = saturated_ones_q;
      assign wrapped_ones    = wrapped_ones_q;
    end else begin : g_now
      assign saturated_valid = saturated_valid_i;
      assign wrapped_valid   = wrapped_valid_i;
      assign saturated_ones  = ones(saturated_i);
      assign wrapped_ones    = ones(wrapped_i);
    end
  endgenerate

  reg [BITS-1:0] saturated_q, wrapped_q;
  always @(posedge clk_i) begin
    if (saturated_valid) saturated_q <= count(saturated_q, saturated_ones);
    if (wrapped_valid)   wrapped_q   <= count(wrapped_q, wrapped_ones);
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
