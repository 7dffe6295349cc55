// SPDX-License-Identifier: Apache-2.0
// ktpu_link, the small build: rubbish at its receiver (see link_fuzz.vh).
`default_nettype none
module tb_ktpu_link_fuzz_small;
  localparam integer SMALL   = 1;
  localparam integer WINDOW  = 2;
  localparam integer PAYLOAD = 256;
  localparam [3:0]   PHY     = 4'd1;
  localparam NAME = "tb_ktpu_link_fuzz_small";
  localparam integer ROUNDS  = 2;
  `include "link_fuzz.vh"
endmodule
`default_nettype wire
