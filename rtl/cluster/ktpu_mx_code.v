// SPDX-License-Identifier: Apache-2.0
// The scale code of an MXFP7 block from the largest magnitude in it: the smallest code {E, M} with
// 63 * (8 + M) * 2^(E - 23) >= peak; 0xFF (poison) where the peak is an Inf or a NaN.
// Combinational.
//
// With the peak sig * 2^(e - 25), e >= 1, the condition is 63 * (8 + M) * 2^(E + 2 - e) >= sig: a
// significand from 1024 to 2047 is reached by E = e - 1 with M = 1..7 (126 * (8 + M): 1134 .. 1890)
// or by E = e with M = 0 or 1 (2016, 2268). A smaller one (subnormal, e = 1) takes E = 0 as well:
// M = 0 reaches 1008.
`default_nettype none
module ktpu_mx_code (
  input  wire [14:0] peak_i,  // binary16 without its sign
  output wire [7:0]  code_o
);
  wire [4:0]  exponent  = peak_i[14:10];
  wire        normal    = exponent != 5'd0;
  wire [10:0] sig       = {normal, peak_i[9:0]};
  wire [4:0]  below     = normal ? exponent - 5'd1 : 5'd0;

  // How many of the codes from {below, 0} on are too small.
  function [3:0] steps(input [10:0] s);
    begin
      steps = {3'd0, s > 11'd1008} + {3'd0, s > 11'd1134} + {3'd0, s > 11'd1260}
            + {3'd0, s > 11'd1386} + {3'd0, s > 11'd1512} + {3'd0, s > 11'd1638}
            + {3'd0, s > 11'd1764} + {3'd0, s > 11'd1890} + {3'd0, s > 11'd2016};
    end
  endfunction

  // Codes sort by value, so that the carry of M into E is the next exponent.
  wire [7:0] code = {below, 3'd0} + {4'd0, steps(sig)};

  assign code_o = &exponent ? 8'hFF : code;
endmodule
`default_nettype wire
