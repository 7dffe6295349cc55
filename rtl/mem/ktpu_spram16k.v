// SPDX-License-Identifier: Apache-2.0
// One of the iCE40UP5K's four single-port RAMs, 16K words of 16 bits with a write mask a nibble:
// with KTPU_ICE40 defined the cell itself, powered and awake all the time, else its behaviour. One
// access a cycle, rdata_o one cycle later; after a write rdata_o is rubbish. Contents at start are
// random. The cell: Lattice FPGA-TN-02022 (iCE40 SPRAM Usage Guide); POWEROFF is active low.
`default_nettype none
module ktpu_spram16k (
  input  wire        clk_i,
  input  wire        we_i,
  input  wire [3:0]  mask_i,              // nibbles to write
  input  wire [13:0] addr_i,
  input  wire [15:0] wdata_i,
  output wire [15:0] rdata_o
);
`ifdef KTPU_ICE40
  SB_SPRAM256KA u_cell (
    .CLOCK(clk_i), .CHIPSELECT(1'b1), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1),
    .WREN(we_i), .MASKWREN(mask_i), .ADDRESS(addr_i), .DATAIN(wdata_i), .DATAOUT(rdata_o)
  );
`else
  reg [15:0] mem_q [0:16383];
  reg [15:0] rdata_q;

  assign rdata_o = rdata_q;

  always @(posedge clk_i)
    if (we_i) begin
      if (mask_i[0]) mem_q[addr_i][3:0]   <= wdata_i[3:0];
      if (mask_i[1]) mem_q[addr_i][7:4]   <= wdata_i[7:4];
      if (mask_i[2]) mem_q[addr_i][11:8]  <= wdata_i[11:8];
      if (mask_i[3]) mem_q[addr_i][15:12] <= wdata_i[15:12];
      rdata_q <= rdata_q ^ 16'hb00b;
    end else begin
      rdata_q <= mem_q[addr_i];
    end
`endif
endmodule
`default_nettype wire
