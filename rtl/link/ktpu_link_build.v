// SPDX-License-Identifier: Apache-2.0
// Builds a reply in its buffer as it will go over the wire: COBS blocks, check sum, delimiter. The
// executor gives the frame's bytes in order, then four with in_sum_i set, then finish_i until
// done_o. start_i begins anew, also in the middle of a frame. Each byte is one write: a zero
// becomes the length of the block it ends, at the place kept for it. A full block costs one cycle
// more.
`default_nettype none
module ktpu_link_build #(
  parameter integer INDEX_BITS = 9,
  parameter integer SERIAL     = 0        // see ktpu_link_crc.v
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  start_i,

  input  wire                  in_valid_i,
  output wire                  in_ready_o,
  input  wire [7:0]            in_data_i,
  input  wire                  in_sum_i,
  input  wire                  finish_i,
  output wire                  done_o,

  output wire                  we_o,
  output wire [INDEX_BITS-1:0] waddr_o,
  output wire [7:0]            wdata_o
);
  localparam [INDEX_BITS-1:0] ONE = {{(INDEX_BITS-1){1'b0}}, 1'b1};

  reg [INDEX_BITS-1:0] place_q;           // of the next byte
  reg [INDEX_BITS-1:0] code_q;            // of the running block's length
  reg [7:0]            count_q;           // that length: bytes in the block and one
  reg                  last_q;            // the last length is written, the delimiter follows

  wire       byte_valid;
  wire [7:0] data;
  wire [31:0] unused_sum;
  wire       full  = count_q == 8'd255;   // close the block before anything else
  wire       zero  = data == 8'd0;
  wire       add   = byte_valid && !full;
  wire       end_block = full || (add && zero);
  wire       idle  = !byte_valid && in_ready_o && !full;
  wire       finish = finish_i && idle;
  wire       close = end_block || (finish && !last_q);

  assign done_o  = finish && last_q;
  assign we_o    = add || full || finish;
  assign waddr_o = close ? code_q : place_q;
  assign wdata_o = close ? count_q : last_q ? 8'd0 : data;

  ktpu_link_crc #(.SERIAL(SERIAL)) u_crc (
    .clk_i(clk_i), .rst_i(rst_i || start_i), .init_i(start_i), .in_valid_i(in_valid_i),
    .in_ready_o(in_ready_o), .in_data_i(in_data_i), .out_i(in_sum_i), .hold_i(full),
    .byte_valid_o(byte_valid), .byte_o(data), .sum_o(unused_sum)
  );

  always @(posedge clk_i) begin
    if (add || full) place_q <= place_q + ONE;
    if (end_block) code_q <= place_q;
    if (end_block) count_q <= 8'd1;
    else if (add) count_q <= count_q + 8'd1;
    if (finish) last_q <= 1'b1;
    if (start_i || rst_i) begin
      place_q <= ONE;
      code_q  <= {INDEX_BITS{1'b0}};
      count_q <= 8'd1;
      last_q  <= 1'b0;
    end
  end
endmodule
`default_nettype wire
