// SPDX-License-Identifier: Apache-2.0
// Address generation: the products of an instruction's terms, one term after the other; the
// sequencer adds each to its field. A term costs two cycles; with SERIAL = 1 one, and one a bit of
// its induction variable; with PIPELINE = 1 one, and two for all: factors, product and sum stand in
// registers.
`default_nettype none
module ktpu_int8_agu #(
  parameter integer FW       = 14,
  parameter integer SERIAL   = 0,     // multiply by shift and add, a bit a cycle
  parameter integer PIPELINE = 0
) (
  input  wire          clk_i,
  input  wire          load_i,        // a new instruction: has_i
  input  wire [2:0]    has_i,         // its terms that there are
  input  wire          run_i,         // work on them; they stand from the cycle after load_i
  input  wire [56:0]   terms_i,
  input  wire [27:0]   ivs_i,         // induction variables, 7 bits a level

  output wire          done_o,        // nothing is left to add
  output wire          add_o,
  output wire [1:0]    field_o,
  output wire [FW-1:0] addend_o
);
  reg  [2:0]    todo_q;               // terms still to be added
  reg  [1:0]    target_q;
  reg  [FW-1:0] addend_q;
  wire [1:0]    pick = todo_q[0] ? 2'd0 : todo_q[1] ? 2'd1 : 2'd2;
  wire [18:0]   term = terms_i[pick*19 +: 19];
  wire [3:0]    target = term[3:0] - 4'd1;
  wire [6:0]    iv     = ivs_i[term[5:4]*7 +: 7];
  wire [FW-1:0] stride = {{(FW-12){1'b0}}, term[18:7]};
  wire          unused_term = &{1'b0, term[6], target[3:2]};
  wire          idle;                 // nothing to be added, nothing on its way
  wire          start;

  assign done_o   = idle;
  assign field_o  = target_q;
  assign addend_o = addend_q;

  always @(posedge clk_i)
    if (load_i)     todo_q <= has_i;
    else if (start) todo_q <= todo_q & ~(3'b001 << pick);

  generate
    if (PIPELINE != 0) begin : g_steps
      reg [6:0]    factor_q;
      reg [FW-1:0] stride_q;
      reg [1:0]    fetched_q;          // the target of the factors
      reg          multiply_q, add_q, idle_q;
      always @(posedge clk_i) begin
        multiply_q <= start;
        add_q      <= multiply_q;
        addend_q   <= stride_q * {{(FW-7){1'b0}}, factor_q};
        target_q   <= fetched_q;
        factor_q   <= iv;
        stride_q   <= stride;
        fetched_q  <= target[1:0];
        idle_q     <= load_i ? has_i == 3'b000 : todo_q == 3'b000 && !multiply_q;
        if (load_i) {multiply_q, add_q} <= 2'b00;
      end
      assign start = run_i && todo_q != 3'b000;
      assign idle  = idle_q;
      assign add_o = add_q;
    end else begin : g_whole
      reg [6:0] mult_q;
      always @(posedge clk_i)
        if (load_i) begin
          mult_q <= 7'd0;
        end else if (start) begin
          mult_q   <= (SERIAL != 0) ? iv : {6'd0, iv != 7'd0};
          addend_q <= (SERIAL != 0) ? stride : stride * {{(FW-7){1'b0}}, iv};
          target_q <= target[1:0];
        end else if (run_i) begin
          mult_q   <= mult_q >> 1;
          addend_q <= addend_q << 1;
        end
      wire   rest  = mult_q != 7'd0;
      assign start = run_i && !rest && todo_q != 3'b000;
      assign idle  = !rest && todo_q == 3'b000;
      assign add_o = run_i && mult_q[0];
    end
  endgenerate
endmodule
`default_nettype wire
