// SPDX-License-Identifier: Apache-2.0
// The T x T weight-stationary array. An activation row enters broadcast along its PE row, delayed
// one cycle a row down; partial sums flow south one row a cycle, so a whole row of results leaves
// at once and needs no deskew. A weight row is loaded into PE row i just when the first activation
// of its mm gets there, so back-to-back mms need no second weight buffer.
// Latency: operands given in cycle c (act_i, weight_i straight from the memories) leave as sums in
// cycle c + T + 2. With LATE = 1 they pass a register first, which lies beside the memories: the
// way from a block RAM across the chip is too long for one cycle.
`default_nettype none
module ktpu_int8_array #(
  parameter integer T  = 4,
  parameter integer PW = 18,        // bits of a sum: 16 + log2 T
  parameter integer SMALL = 0,      // the multiplier blocks add
  parameter integer LATE = 0
) (
  input  wire           clk_i,
  input  wire [T*8-1:0] act_i,      // activation row, lane i for PE row i
  input  wire [T*8-1:0] weight_i,   // weight row, lane j for PE column j
  input  wire [T-1:0]   wload_i,    // one hot: PE row that takes weight_i
  output wire [T*PW-1:0] psum_o
);
  wire [T*8-1:0] act, weight;
  wire [T-1:0]   wload;
  generate
    if (LATE != 0) begin : g_operands
      reg [T*8-1:0] act_q, weight_q;
      reg [T-1:0]   wload_q;
      always @(posedge clk_i) begin
        act_q    <= act_i;
        weight_q <= weight_i;
        wload_q  <= wload_i;
      end
      assign act    = act_q;
      assign weight = weight_q;
      assign wload  = wload_q;
    end else begin : g_operands
      assign act    = act_i;
      assign weight = weight_i;
      assign wload  = wload_i;
    end
  endgenerate

  genvar i;
  generate
    for (i = 0; i < T; i = i + 1) begin : g_row
      // skew: lane i waits i cycles before its operand register
      wire [7:0] act_in;
      if (i == 0) begin : g_direct
        assign act_in = act[7:0];
      end else begin : g_skew
        reg [i*8-1:0] skew_q;
        if (i == 1) begin : g_one
          always @(posedge clk_i) skew_q <= act[i*8 +: 8];
        end else begin : g_many
          always @(posedge clk_i) skew_q <= {skew_q[(i-1)*8-1:0], act[i*8 +: 8]};
        end
        assign act_in = skew_q[i*8-1 -: 8];
      end

      wire [T*PW-1:0] psum_in;
      if (i == 0) begin : g_top
        assign psum_in = {(T*PW){1'b0}};
      end else begin : g_below
        assign psum_in = g_row[i-1].psum;
      end

      wire [T*PW-1:0] psum;
      ktpu_int8_pe_row #(.T(T), .PW(PW), .SMALL(SMALL)) u_pe_row (
        .clk_i(clk_i), .act_i(act_in), .weight_i(weight), .wload_i(wload[i]),
        .psum_i(psum_in), .psum_o(psum)
      );
    end
  endgenerate
  assign psum_o = g_row[T-1].psum;
endmodule
`default_nettype wire
