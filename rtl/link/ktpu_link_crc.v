// SPDX-License-Identifier: Apache-2.0
// CRC-32 of a run of bytes, and the bytes themselves a little later. A byte that is taken is
// offered at byte_o, absorbed, for the cycles in which byte_valid_o is high; it leaves in the
// first of them in which hold_i is low. SERIAL = 0: the cycle after it was taken, a byte a cycle.
// SERIAL = 1: nine cycles after, one byte at a time, for an eighth of the logic. A byte taken with
// out_i set is not data_i but the next byte of the check sum, and four of them empty the register;
// with SERIAL = 0 they must not be offered while a byte is absorbed: ready_o says so.
`default_nettype none
module ktpu_link_crc #(
  parameter integer SERIAL = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        init_i,              // begin anew; not while a byte is absorbed

  input  wire        in_valid_i,
  output wire        in_ready_o,
  input  wire [7:0]  in_data_i,
  input  wire        out_i,

  input  wire        hold_i,
  output wire        byte_valid_o,
  output wire [7:0]  byte_o,
  output wire [31:0] sum_o                // the register, before the final inversion
);
  `include "ktpu_link.vh"

  reg [31:0] sum_q;
  reg [7:0]  byte_q;
  reg        out_q;                       // byte_q is a byte of the check sum
  wire       take = in_valid_i && in_ready_o;
  wire [7:0] load = out_i ? ~sum_q[7:0] : in_data_i;

  assign byte_o = byte_q;
  assign sum_o  = sum_q;

  always @(posedge clk_i)
    if (take) out_q <= out_i;

  generate
    if (SERIAL != 0) begin : g_serial
      reg [3:0] left_q;                   // 15 .. 8: bits to shift; 7: absorbed; 0: empty
      wire      shift = left_q[3];
      wire      mix   = (sum_q[0] ^ byte_q[0]) && !out_q;

      assign in_ready_o   = left_q == 4'd0;
      assign byte_valid_o = left_q == 4'd7;

      always @(posedge clk_i) begin
        if (take) left_q <= 4'd15;
        if (shift) left_q <= left_q - 4'd1;
        if (byte_valid_o && !hold_i) left_q <= 4'd0;
        if (rst_i) left_q <= 4'd0;
      end

      always @(posedge clk_i) begin       // no reset: init_i comes before the first byte
        if (take) byte_q <= load;
        else if (shift) byte_q <= {byte_q[0], byte_q[7:1]};
        if (shift) sum_q <= {1'b0, sum_q[31:1]} ^ (KT_LINK_CRC_POLYNOMIAL & {32{mix}});
        if (init_i) sum_q <= KT_LINK_CRC_INITIAL;
      end
    end else begin : g_parallel
      function [31:0] absorbed(input [31:0] sum, input [7:0] data);
        integer i;
        begin
          absorbed = sum ^ {24'd0, data};
          for (i = 0; i < 8; i = i + 1)
            absorbed = {1'b0, absorbed[31:1]} ^ (KT_LINK_CRC_POLYNOMIAL & {32{absorbed[0]}});
        end
      endfunction

      reg  valid_q;
      wire done = valid_q && !hold_i;

      assign in_ready_o   = out_i ? !valid_q : !hold_i;
      assign byte_valid_o = valid_q;

      always @(posedge clk_i) begin
        if (in_ready_o || done) valid_q <= take;
        if (rst_i) valid_q <= 1'b0;
      end

      always @(posedge clk_i) begin       // no reset: init_i comes before the first byte
        if (take) byte_q <= load;
        if (done) sum_q <= out_q ? {8'd0, sum_q[31:8]} : absorbed(sum_q, byte_q);
        if (init_i) sum_q <= KT_LINK_CRC_INITIAL;
      end
    end
  endgenerate
endmodule
`default_nettype wire
