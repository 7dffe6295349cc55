// SPDX-License-Identifier: Apache-2.0
// COBS decoder: bytes from the PHY in, bytes of the frame out, at most one for one, a cycle later.
// end_o comes after a frame's last byte; never for an empty frame unless the PHY reported an error
// in it. cut_o (with end_o): the delimiter came inside a block. bad_o (with end_o): the PHY
// reported an error since the last delimiter. break_i forgets the frame that is coming in.
`default_nettype none
module ktpu_link_cobs (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire       in_valid_i,
  input  wire [7:0] in_data_i,
  input  wire       error_i,
  input  wire       break_i,

  output wire       out_valid_o,
  output wire [7:0] out_data_o,
  output wire       end_o,
  output wire       cut_o,
  output wire       bad_o
);
  reg [7:0] left_q;                       // bytes still to come in this block
  reg       open_q;                       // a frame has begun
  reg       zero_q;                       // a zero stands before the next block
  reg       error_q;
  reg       valid_q;
  reg [7:0] data_q;
  reg       end_q;
  reg       cut_q;
  reg       bad_q;

  wire stop = in_valid_i && in_data_i == 8'd0;
  wire body = left_q != 8'd0;
  wire code = in_valid_i && !stop && !body;

  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;
  assign end_o       = end_q;
  assign cut_o       = cut_q;
  assign bad_o       = bad_q;

  always @(posedge clk_i) begin
    valid_q <= in_valid_i && !stop && (body || zero_q);
    end_q   <= stop && (open_q || error_q || error_i);
    if (in_valid_i) begin
      open_q <= !stop;
      if (body) left_q <= left_q - 8'd1;
      else left_q <= in_data_i - 8'd1;
      if (code) zero_q <= in_data_i != 8'd255;
    end
    if (error_i) error_q <= 1'b1;
    if (stop) begin
      left_q  <= 8'd0;
      zero_q  <= 1'b0;
      error_q <= 1'b0;
    end
    if (rst_i || break_i) begin
      left_q  <= 8'd0;
      open_q  <= 1'b0;
      zero_q  <= 1'b0;
      error_q <= 1'b0;
      valid_q <= 1'b0;
      end_q   <= 1'b0;
    end
  end

  always @(posedge clk_i) begin           // no reset: valid_q and end_q guard these
    data_q <= body ? in_data_i : 8'd0;
    cut_q  <= body;
    bad_q  <= error_q || error_i;
  end
endmodule
`default_nettype wire
