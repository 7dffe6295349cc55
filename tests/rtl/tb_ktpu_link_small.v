// SPDX-License-Identifier: Apache-2.0
// ktpu_link, the small build: vectors that neither side's code made (see link_bench.vh).
`default_nettype none
module tb_ktpu_link_small;
  localparam integer SMALL   = 1;
  localparam integer WINDOW  = 2;
  localparam integer PAYLOAD = 256;
  localparam [3:0]   PHY     = 4'd1;
  localparam NAME = "tb_ktpu_link_small";
  localparam FILE = "tests/link/vectors_small.txt";
  `include "link_bench.vh"
endmodule
`default_nettype wire
