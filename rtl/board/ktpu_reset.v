// SPDX-License-Identifier: Apache-2.0
// Reset of a board: rst_o is high from configuration until at least 20 us after the PLL has
// locked, and again whenever it loses its lock. (An iCE40's block RAMs are not usable in the first
// microseconds.) Relies on registers that are zero after configuration, as those of the iCE40 and
// the ECP5 are.
`default_nettype none
module ktpu_reset #(
  parameter integer CLOCK_HZ = 24000000
) (
  input  wire clk_i,
  input  wire locked_i,                   // no relation to clk_i
  output wire rst_o
);
  // the power of two at or above 20 us, and one more clock for a clock that is a little fast
  localparam integer BITS = $clog2(CLOCK_HZ / 50000 + 2);
  localparam [BITS:0] ONE = {{BITS{1'b0}}, 1'b1};

  reg [1:0]    locked_q;
  reg [BITS:0] count_q;
  reg          run_q;
  initial begin
    locked_q = 2'b00;
    count_q  = {(BITS+1){1'b0}};
    run_q    = 1'b0;
  end

  assign rst_o = !run_q;

  always @(posedge clk_i) begin
    locked_q <= {locked_q[0], locked_i};
    if (!locked_q[1]) count_q <= {(BITS+1){1'b0}};
    else if (!count_q[BITS]) count_q <= count_q + ONE;
    run_q <= count_q[BITS] && locked_q[1];
  end
endmodule
`default_nettype wire
