// SPDX-License-Identifier: Apache-2.0
// The write side of the control port's AXI4-Lite: a write is taken when address and data are both
// there and no response is pending, LATE = 1: a cycle later, its register decoded a cycle before.
// at_o says which register an accepted write of a whole word is for.
`default_nettype none
module ktpu_int8_axil_write #(
  parameter integer LATE = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire [11:0] s_axil_awaddr,
  input  wire        s_axil_awvalid,
  output wire        s_axil_awready,
  input  wire [3:0]  s_axil_wstrb,
  input  wire        s_axil_wvalid,
  output wire        s_axil_wready,
  output wire [1:0]  s_axil_bresp,
  output wire        s_axil_bvalid,
  input  wire        s_axil_bready,

  output wire        write_o,       // one is taken now
  output wire [4:0]  at_o           // CONTROL, LIST_ADDR, LIST_COUNT, WATCHDOG, DESC
);
  `include "ktpu_tinytpu.vh"

  reg        bvalid_q;
  wire       offered = s_axil_awvalid && s_axil_wvalid && !bvalid_q;
  wire [9:0] place   = s_axil_awaddr[11:2];
  wire [4:0] at      = {5{&s_axil_wstrb}} &
                       {place == KT_REG_CONTROL[11:2], place == KT_REG_LIST_ADDR[11:2],
                        place == KT_REG_LIST_COUNT[11:2], place == KT_REG_WATCHDOG[11:2],
                        place[9:4] == KT_REG_DESC[11:6]};
  generate
    if (LATE == 0) begin : g_now
      assign write_o = offered;
      assign at_o    = at;
    end else begin : g_late
      reg       write_q;
      reg [4:0] at_q;
      always @(posedge clk_i) begin
        write_q <= offered && !write_q && !rst_i;
        at_q    <= at;
      end
      assign write_o = write_q && s_axil_awvalid && s_axil_wvalid;
      assign at_o    = at_q;
    end
  endgenerate

  assign s_axil_awready = write_o;
  assign s_axil_wready  = write_o;
  assign s_axil_bvalid  = bvalid_q;
  assign s_axil_bresp   = 2'b00;
  wire   unused         = &{1'b0, s_axil_awaddr[1:0]};

  always @(posedge clk_i) begin
    if (write_o) bvalid_q <= 1'b1;
    else if (s_axil_bready) bvalid_q <= 1'b0;
    if (rst_i) bvalid_q <= 1'b0;
  end
endmodule
`default_nettype wire
