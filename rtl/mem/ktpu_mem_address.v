// SPDX-License-Identifier: Apache-2.0
// Address of a single-ported memory: raddr_i, or with write_i waddr_i, plus one with next_i. On
// the iCE40 multiplexer and incrementer share one logic cell a bit, which yosys does not find by
// itself: where write_i is low the carry runs wild and nobody looks at it.
`default_nettype none
module ktpu_mem_address #(
  parameter integer WIDTH = 14
) (
  input  wire             write_i,
  input  wire             next_i,
  input  wire [WIDTH-1:0] raddr_i,
  input  wire [WIDTH-1:0] waddr_i,
  output wire [WIDTH-1:0] addr_o
);
`ifdef KTPU_ICE40
  wire [WIDTH:0] carry;
  wire           read = !write_i;
  wire           unused_carry = carry[WIDTH];
  assign carry[0] = next_i;
  genvar k;
  generate
    for (k = 0; k < WIDTH; k = k + 1) begin : g_bit
      SB_CARRY u_carry (.I0(waddr_i[k]), .I1(read), .CI(carry[k]), .CO(carry[k+1]));
      // I0 raddr, I1 waddr, I2 read, I3 carry: read ? I0 : I1 ^ I3
      SB_LUT4 #(.LUT_INIT(16'hA3AC)) u_lut (
        .I0(raddr_i[k]), .I1(waddr_i[k]), .I2(read), .I3(carry[k]), .O(addr_o[k])
      );
    end
  endgenerate
`else
  assign addr_o = write_i ? waddr_i + {{(WIDTH-1){1'b0}}, next_i} : raddr_i;
`endif
endmodule
`default_nettype wire
