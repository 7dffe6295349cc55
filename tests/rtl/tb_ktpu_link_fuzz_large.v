// SPDX-License-Identifier: Apache-2.0
// ktpu_link, the large build: rubbish at its receiver (see link_fuzz.vh).
`default_nettype none
module tb_ktpu_link_fuzz_large;
  localparam integer SMALL   = 0;
  localparam integer WINDOW  = 8;
  localparam integer PAYLOAD = 512;
  localparam [3:0]   PHY     = 4'd2;
  localparam NAME = "tb_ktpu_link_fuzz_large";
  localparam integer ROUNDS  = 4;
  `include "link_fuzz.vh"
endmodule
`default_nettype wire
