// SPDX-License-Identifier: Apache-2.0
// Writes the cluster's bursts of 1 to 8 beats: cuts at 4 KiB, checks against the end of memory, and
// answers each burst once, in order. The address goes out in the cycle after it was taken; the data
// passes straight through, in the order of the addresses (w_ready_o follows the memory's ready
// without a clock). A burst past the end of memory is not written: its data is taken and it is
// answered when its turn comes, and past_o tells of it in the cycle in which its address is taken.
// Nothing here can be stopped: a burst whose address was taken needs all its data.
`default_nettype none
module ktpu_mem_agent_write #(
  parameter integer ADDR_BITS = 32,
  parameter integer BURSTS    = 64       // that wait for their answer
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire [32:0]          memory_end_i,

  input  wire                 aw_valid_i,
  output wire                 aw_ready_o,
  input  wire [32:0]          aw_addr_i,
  input  wire [3:0]           aw_beats_i,
  input  wire [15:0]          aw_instr_i,
  input  wire                 w_valid_i,
  output wire                 w_ready_o,
  input  wire [255:0]         w_data_i,
  input  wire                 w_strobe_i,
  output wire                 b_valid_o,

  output wire                 m_aw_valid_o,
  input  wire                 m_aw_ready_i,
  output wire [ADDR_BITS-1:0] m_aw_addr_o,
  output wire [7:0]           m_aw_len_o,
  output wire                 m_w_valid_o,
  input  wire                 m_w_ready_i,
  output wire [255:0]         m_w_data_o,
  output wire [31:0]          m_w_strb_o,
  output wire                 m_w_last_o,
  input  wire                 m_b_valid_i,
  output wire                 m_b_ready_o,
  input  wire [1:0]           m_b_resp_i,

  output wire                 past_o,
  output wire [31:0]          past_addr_o,
  output wire                 error_o,      // an error response, in the cycle of its B
  output wire [15:0]          error_instr_o,
  output wire                 idle_o
);
  localparam integer LB = $clog2(BURSTS + 1);
  localparam integer ALMOST_I = BURSTS - 1;
  localparam [LB-1:0] ALMOST = ALMOST_I[LB-1:0];

  // ---- The burst whose address goes out, in one part or two -----------------------------------

  reg                 aw_q;             // an address is offered
  reg                 rest_q;           // and a second part follows it
  reg [ADDR_BITS-1:5] addr_q;
  reg [2:0]           last_q, rest_last_q;  // beats of the part and of the next one, less one
  reg [15:0]          instr_q;

  wire        aw_hs   = m_aw_valid_o && m_aw_ready_i;
  wire        second  = aw_hs && rest_q;
  wire        take    = aw_valid_i && aw_ready_o;
  wire [2:0]  last    = aw_beats_i[2:0] - 3'd1;
  wire [7:0]  end_at  = {1'b0, aw_addr_i[11:5]} + {5'd0, last};
  wire        cut     = end_at[7];
  wire [2:0]  head    = ~aw_addr_i[7:5];             // beats to the page's end, less one
  wire [27:0] end_beat = aw_addr_i[32:5] + {25'd0, last};
  wire        past    = aw_addr_i[32] || {end_beat, 5'd0} >= memory_end_i;
  wire [32:0] end_up  = memory_end_i + 33'd31;
  wire [LB-1:0] level;

  assign aw_ready_o  = (!aw_q || (aw_hs && !rest_q)) && level < ALMOST;
  assign past_o      = take && past;
  assign past_addr_o = aw_addr_i >= memory_end_i ? aw_addr_i[31:0] : {end_up[31:5], 5'd0};

  always @(posedge clk_i) begin
    if (take) aw_q <= !past;
    else if (aw_hs && !rest_q) aw_q <= 1'b0;
    if (take) rest_q <= cut && !past;
    else if (aw_hs) rest_q <= 1'b0;
    if (rst_i) begin
      aw_q   <= 1'b0;
      rest_q <= 1'b0;
    end
  end
  always @(posedge clk_i)
    if (take) begin
      addr_q      <= aw_addr_i[ADDR_BITS-1:5];
      last_q      <= cut ? head : last;
      rest_last_q <= last - head - 3'd1;
      instr_q     <= aw_instr_i;
    end else if (second) begin
      addr_q <= {addr_q[ADDR_BITS-1:12] + {{(ADDR_BITS-13){1'b0}}, 1'b1}, 7'd0};
      last_q <= rest_last_q;
    end

  assign m_aw_valid_o = aw_q;
  assign m_aw_addr_o  = {addr_q, 5'd0};
  assign m_aw_len_o   = {5'd0, last_q};

  // ---- Data, in the order of the addresses ----------------------------------------------------

  wire       part  = take || second;                 // a part begins: its data and its answer
  wire       part_drop = take && past;
  wire [2:0] part_last = second ? rest_last_q : past ? last : cut ? head : last;
  wire       d_valid, d_drop, d_room;
  wire [2:0] d_last;
  wire [LB-1:0] d_level;
  reg  [2:0] beat_q;
  wire       w_hs  = w_valid_i && w_ready_o;
  wire       d_end = w_hs && beat_q == d_last;
  ktpu_fifo #(.WIDTH(4), .DEPTH(BURSTS)) u_data (
    .clk_i(clk_i), .rst_i(rst_i),
    .in_valid_i(part), .in_ready_o(d_room), .in_data_i({part_drop, part_last}),
    .out_valid_o(d_valid), .out_ready_i(d_end), .out_data_o({d_drop, d_last}),
    .level_o(d_level)
  );
  always @(posedge clk_i) begin
    if (w_hs) beat_q <= d_end ? 3'd0 : beat_q + 3'd1;
    if (rst_i) beat_q <= 3'd0;
  end
  assign m_w_valid_o = d_valid && !d_drop && w_valid_i;
  assign w_ready_o   = d_valid && (d_drop || m_w_ready_i);
  assign m_w_data_o  = w_data_i;
  assign m_w_strb_o  = {32{w_strobe_i}};
  assign m_w_last_o  = beat_q == d_last;

  // ---- Answers --------------------------------------------------------------------------------

  wire        b_valid, b_drop, b_final, b_room;
  wire [15:0] b_instr;
  reg [LB-1:0] dropped_q;                            // dropped bursts whose data has come
  wire        b_hs   = m_b_valid_i && m_b_ready_o;
  wire        b_made = b_valid && b_drop && dropped_q != {LB{1'b0}};
  ktpu_fifo #(.WIDTH(18), .DEPTH(BURSTS)) u_answers (
    .clk_i(clk_i), .rst_i(rst_i),
    .in_valid_i(part), .in_ready_o(b_room),
    .in_data_i({part_drop, second || past || !cut, second ? instr_q : aw_instr_i}),
    .out_valid_o(b_valid), .out_ready_i(b_hs || b_made), .out_data_o({b_drop, b_final, b_instr}),
    .level_o(level)
  );
  wire dropped = d_end && d_drop;
  always @(posedge clk_i) begin
    if (dropped && !b_made) dropped_q <= dropped_q + {{(LB-1){1'b0}}, 1'b1};
    if (b_made && !dropped) dropped_q <= dropped_q - {{(LB-1){1'b0}}, 1'b1};
    if (rst_i) dropped_q <= {LB{1'b0}};
  end
  assign m_b_ready_o   = b_valid && !b_drop;
  assign b_valid_o     = (b_hs && b_final) || b_made;
  assign error_o       = b_hs && m_b_resp_i != 2'b00;
  assign error_instr_o = b_instr;
  assign idle_o        = !b_valid;

  wire unused_ok = &{1'b0, aw_addr_i, aw_beats_i[3], end_at[6:0], end_up[32], end_up[4:0],
                     d_level, d_room, b_room};
`ifdef FORMAL
  `include "ktpu_mem_agent_write_fv.vh"
`endif
endmodule
`default_nettype wire
