// SPDX-License-Identifier: Apache-2.0
// ktpu_link, the large build: vectors that neither side's code made (see link_bench.vh).
`default_nettype none
module tb_ktpu_link_large;
  localparam integer SMALL   = 0;
  localparam integer WINDOW  = 8;
  localparam integer PAYLOAD = 512;
  localparam [3:0]   PHY     = 4'd2;
  localparam NAME = "tb_ktpu_link_large";
  localparam FILE = "tests/link/vectors_large.txt";
  `include "link_bench.vh"
endmodule
`default_nettype wire
