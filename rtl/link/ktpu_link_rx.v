// SPDX-License-Identifier: Apache-2.0
// Receives frames into the buffers: decodes, checks size and check sum, and hands a good frame
// over by moving tail_o, a number with one bit more than the buffer's; the executor frees buffers
// by moving head_i. It never stops: a frame that finds no free buffer is lost. A frame that is
// dropped gives a pulse at event_o with its reason at event_code_o (a counter's number, see
// ktpu_link_regs.v). SERIAL = 1 needs ten cycles between bytes.
`default_nettype none
module ktpu_link_rx #(
  parameter integer SLOT_BITS  = 1,
  parameter integer INDEX_BITS = 9,
  parameter integer PAYLOAD    = 256,
  parameter integer SERIAL     = 0
) (
  input  wire                            clk_i,
  input  wire                            rst_i,

  input  wire                            rx_valid_i,
  input  wire [7:0]                      rx_data_i,
  input  wire                            rx_error_i,
  input  wire                            rx_break_i,

  input  wire [SLOT_BITS:0]              head_i,
  output wire [SLOT_BITS:0]              tail_o,

  output wire                            we_o,
  output wire [SLOT_BITS+INDEX_BITS-1:0] waddr_o,
  output wire [7:0]                      wdata_o,

  output wire                            event_o,
  output wire [3:0]                      event_code_o
);
  `include "ktpu_link.vh"

  localparam integer SHORTEST = KT_LINK_HEADER_BYTES + KT_LINK_CRC_BYTES;
  localparam integer LONGEST  = SHORTEST + PAYLOAD;
  localparam [INDEX_BITS-1:0] ONE   = {{(INDEX_BITS-1){1'b0}}, 1'b1};
  localparam [INDEX_BITS-1:0] LEAST = SHORTEST[INDEX_BITS-1:0];
  localparam [INDEX_BITS-1:0] MOST  = LONGEST[INDEX_BITS-1:0];
  localparam [INDEX_BITS-1:0] LOW   = KT_LINK_AT_LENGTH[INDEX_BITS-1:0];
  localparam [INDEX_BITS-1:0] HIGH  = LOW + ONE;
  localparam [SLOT_BITS:0]    FULL  = {1'b1, {SLOT_BITS{1'b0}}};
  localparam [SLOT_BITS:0]    NEXT  = {{SLOT_BITS{1'b0}}, 1'b1};

  reg [SLOT_BITS:0]    tail_q;
  reg [INDEX_BITS-1:0] index_q;           // bytes of the frame so far
  reg [INDEX_BITS-1:0] size_q;            // what type and length say it will have
  reg                  odd_q;             // they say more than the build takes
  reg                  carries_q;         // its type has a payload
  reg                  known_q;           // its type is known
  reg                  long_q;
  reg                  lost_q;            // a byte found no free buffer
  reg                  end_q;
  reg                  cut_q;
  reg                  bad_q;

  wire        valid, frame_end, cut, bad;
  wire [7:0]  data;
  wire        unused_ready, unused_valid;
  wire [7:0]  unused_byte;
  wire [31:0] sum;

  wire full    = (tail_q ^ head_i) == FULL;
  wire at_most = index_q == MOST;
  wire store   = valid && !full && !at_most;

  wire short = cut_q || index_q < LEAST;
  wire size  = known_q ? index_q == size_q && !odd_q : 1'b1;
  wire good  = !bad_q && !lost_q && !long_q && !short && size && sum == KT_LINK_CRC_RESIDUE;

  assign tail_o  = tail_q;
  assign we_o    = store;
  assign waddr_o = {tail_q[SLOT_BITS-1:0], index_q};
  assign wdata_o = data;
  assign event_o = end_q && !good;
  assign event_code_o = bad_q ? KT_LINK_EVENT_FRAMING : lost_q ? KT_LINK_EVENT_ROOM
                      : long_q ? KT_LINK_EVENT_LONG : short ? KT_LINK_EVENT_SHORT
                      : KT_LINK_EVENT_CRC;

  ktpu_link_cobs u_cobs (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(rx_valid_i), .in_data_i(rx_data_i),
    .error_i(rx_error_i), .break_i(rx_break_i), .out_valid_o(valid), .out_data_o(data),
    .end_o(frame_end), .cut_o(cut), .bad_o(bad)
  );

  ktpu_link_crc #(.SERIAL(SERIAL)) u_crc (
    .clk_i(clk_i), .rst_i(rst_i || rx_break_i), .init_i(end_q || rx_break_i || rst_i),
    .in_valid_i(valid),
    .in_ready_o(unused_ready), .in_data_i(data), .out_i(1'b0), .hold_i(1'b0),
    .byte_valid_o(unused_valid), .byte_o(unused_byte), .sum_o(sum)
  );

  always @(posedge clk_i) begin
    end_q <= frame_end;
    cut_q <= cut;
    bad_q <= bad;
    if (store) index_q <= index_q + ONE;
    if (valid && full) lost_q <= 1'b1;
    if (valid && at_most) long_q <= 1'b1;
    if (end_q || rx_break_i) begin
      index_q <= {INDEX_BITS{1'b0}};
      lost_q  <= 1'b0;
      long_q  <= 1'b0;
    end
    if (end_q && good) tail_q <= tail_q + NEXT;
    if (rst_i) begin
      index_q <= {INDEX_BITS{1'b0}};
      lost_q  <= 1'b0;
      long_q  <= 1'b0;
      tail_q  <= {(SLOT_BITS+1){1'b0}};
      end_q   <= 1'b0;
    end
  end

  // what the header says of the frame's size; no reset: a frame shorter than its header is dropped
  always @(posedge clk_i)
    if (store) begin
      if (index_q == {INDEX_BITS{1'b0}}) begin
        carries_q <= data == KT_LINK_TYPE_WRITE || data == KT_LINK_TYPE_BURST_WRITE
                  || data == KT_LINK_TYPE_ECHO;
        known_q   <= data != 8'd0 && data <= KT_LINK_TYPE_RESET_LINK;
      end
      if (index_q == LOW)
        size_q <= LEAST + (carries_q ? {{(INDEX_BITS-8){1'b0}}, data} : {INDEX_BITS{1'b0}});
      if (index_q == HIGH && carries_q) begin
        size_q[INDEX_BITS-1:8] <= size_q[INDEX_BITS-1:8] + data[INDEX_BITS-9:0];
        odd_q <= data[7:INDEX_BITS-8] != {(16-INDEX_BITS){1'b0}};
      end
      if (index_q == HIGH && !carries_q) odd_q <= 1'b0;
    end
endmodule
`default_nettype wire
