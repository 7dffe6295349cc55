// SPDX-License-Identifier: Apache-2.0
// Reads a frame buffer from its first byte on, as a stream. start_i begins anew in the buffer
// slot_i names; the stream has no end of its own. OUT_REG = 1 puts a register behind the RAM's
// output, for RAMs that are slow to give it; a byte a cycle either way. RAM reads take one cycle
// and hold.
`default_nettype none
module ktpu_link_fetch #(
  parameter integer SLOT_BITS  = 1,
  parameter integer INDEX_BITS = 9,
  parameter integer OUT_REG    = 0
) (
  input  wire                            clk_i,
  input  wire                            rst_i,
  input  wire                            start_i,
  input  wire [SLOT_BITS-1:0]            slot_i,

  output wire                            re_o,
  output wire [SLOT_BITS+INDEX_BITS-1:0] raddr_o,
  input  wire [7:0]                      rdata_i,

  output wire                            out_valid_o,
  input  wire                            out_ready_i,
  output wire [7:0]                      out_data_o
);
  localparam [INDEX_BITS-1:0] ONE = {{(INDEX_BITS-1){1'b0}}, 1'b1};

  reg [INDEX_BITS-1:0] index_q;
  reg                  read_q;            // the RAM's output is a byte not yet passed on
  wire                 pass;              // it is passed on

  assign re_o    = !read_q || pass;
  assign raddr_o = {slot_i, index_q};

  always @(posedge clk_i) begin
    read_q <= 1'b1;
    if (re_o) index_q <= index_q + ONE;
    if (start_i || rst_i) begin
      index_q <= {INDEX_BITS{1'b0}};
      read_q  <= 1'b0;
    end
  end

  generate
    if (OUT_REG != 0) begin : g_reg
      reg       valid_q;
      reg [7:0] data_q;
      assign pass        = read_q && (!valid_q || out_ready_i);
      assign out_valid_o = valid_q;
      assign out_data_o  = data_q;
      always @(posedge clk_i) begin
        if (out_ready_i) valid_q <= 1'b0;
        if (pass) valid_q <= 1'b1;
        if (start_i || rst_i) valid_q <= 1'b0;
      end
      always @(posedge clk_i)             // no reset: valid_q says when this means something
        if (pass) data_q <= rdata_i;
    end else begin : g_direct
      assign pass        = read_q && out_ready_i;
      assign out_valid_o = read_q;
      assign out_data_o  = rdata_i;
    end
  endgenerate
endmodule
`default_nettype wire
