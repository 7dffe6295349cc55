// SPDX-License-Identifier: Apache-2.0
// DEPTH flags of WIDTH bits that clear_i makes all zero at once: two copies, one in use and one
// that is being zeroed, eight flags a cycle. Reads are combinational; a write shows in the next
// cycle. After a clear_i that comes before the other copy is zero, ready_o is low until it is:
// nothing may be written or believed then. Before the first clear_i the flags mean nothing.
`default_nettype none
module ktpu_mx_flags #(
  parameter integer WIDTH = 1,
  parameter integer DEPTH = 512,   // a power of two, 16 or more
  parameter integer READS = 2
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           clear_i,
  output wire                           ready_o,

  input  wire                           we_i,
  input  wire [$clog2(DEPTH)-1:0]       waddr_i,
  input  wire [WIDTH-1:0]               wdata_i,
  output wire [WIDTH-1:0]               here_o,    // what stands at waddr_i

  input  wire [READS*$clog2(DEPTH)-1:0] raddr_i,   // read r at r * $clog2(DEPTH)
  output wire [READS*WIDTH-1:0]         rdata_o    // read r at r * WIDTH
);
  generate
    if (DEPTH < 16 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad_depth
      ktpu_param_error_depth_must_be_a_power_of_two_from_16 u_stop ();
    end
  endgenerate

  localparam integer AW   = $clog2(DEPTH);
  localparam integer RW   = AW - 3;             // a row holds eight flags
  localparam integer ROWS = DEPTH / 8;
  localparam integer ROW  = 8 * WIDTH;
  localparam [RW:0]  R_ONE = {{RW{1'b0}}, 1'b1};

  reg [ROW-1:0] mem0_q [0:ROWS-1];
  reg [ROW-1:0] mem1_q [0:ROWS-1];
  reg           copy_q;       // the copy in use
  reg           late_q;       // a clear waits for the other copy
  reg [RW:0]    zeroed_q;     // rows of the other copy that are zero
  wire          all_zero = zeroed_q[RW];
  wire          swap     = all_zero && (clear_i || late_q);

  assign ready_o = !late_q;

  always @(posedge clk_i) begin
    if (swap) begin
      copy_q   <= !copy_q;
      zeroed_q <= {(RW+1){1'b0}};
    end else if (!all_zero) begin
      zeroed_q <= zeroed_q + R_ONE;
    end
    late_q <= (late_q || clear_i) && !swap;
    if (rst_i) begin
      copy_q   <= 1'b0;
      late_q   <= 1'b0;
      zeroed_q <= {(RW+1){1'b0}};
    end
  end

  // ---- One write a copy: a flag within its row, or a row of zeros -----------------------------

  wire [RW-1:0]  wrow = waddr_i[AW-1:3];
  wire [ROW-1:0] old  = copy_q ? mem1_q[wrow] : mem0_q[wrow];
  reg  [ROW-1:0] row;
  always @* begin
    row = old;
    row[WIDTH * waddr_i[2:0] +: WIDTH] = wdata_i;
  end
  assign here_o = old[WIDTH * waddr_i[2:0] +: WIDTH];

  wire [RW-1:0] zrow = zeroed_q[RW-1:0];
  always @(posedge clk_i) begin
    if (copy_q ? !all_zero : we_i) mem0_q[copy_q ? zrow : wrow] <= copy_q ? {ROW{1'b0}} : row;
    if (copy_q ? we_i : !all_zero) mem1_q[copy_q ? wrow : zrow] <= copy_q ? row : {ROW{1'b0}};
  end

  // ---- Reads -----------------------------------------------------------------------------------

  genvar r;
  generate
    for (r = 0; r < READS; r = r + 1) begin : g_read
      wire [AW-1:0]  at  = raddr_i[AW*r +: AW];
      wire [ROW-1:0] all = copy_q ? mem1_q[at[AW-1:3]] : mem0_q[at[AW-1:3]];
      assign rdata_o[WIDTH*r +: WIDTH] = all[WIDTH * at[2:0] +: WIDTH];
    end
  endgenerate
`ifdef FORMAL
  `include "ktpu_mx_flags_fv.vh"
`endif
endmodule
`default_nettype wire
