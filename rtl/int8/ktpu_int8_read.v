// SPDX-License-Identifier: Apache-2.0
// Shares the read channels between descriptor fetch, program fetch and loads. Single-beat reads,
// answered in order; a FIFO of tags says whose each beat is. Program fetch goes first when the
// sequencer is about to starve, then loads, then program fetch ahead of need, then descriptors.
// While drain_i is set nothing is requested and every beat is taken and dropped. EARLY = 1: a
// requester's ready does not wait for the bus, what the bus does not take at once is kept here; and
// ld_rready_i is high while loads are in reset, as they are when this drains.
`default_nettype none
module ktpu_int8_read #(
  parameter integer BUS_BITS    = 64,
  parameter integer ADDR_BITS   = 32,
  parameter integer LANE_BITS   = 1,
  parameter integer LANE_LSB    = 2,    // address bit where a word's place in its beat begins
  parameter integer OUTSTANDING = 64,
  parameter integer PIPELINE    = 0,    // what is not a load's comes a cycle late
  parameter integer EARLY       = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 drain_i,

  input  wire                 prog_valid_i,
  input  wire                 prog_urgent_i,
  output wire                 prog_ready_o,
  input  wire [ADDR_BITS-1:0] prog_addr_i,
  output wire                 prog_rvalid_o,

  input  wire                 desc_valid_i,
  output wire                 desc_ready_o,
  input  wire [ADDR_BITS-1:0] desc_addr_i,
  output wire                 desc_rvalid_o,
  output wire [BUS_BITS-1:0]  fetched_o,      // with prog_rvalid_o and desc_rvalid_o

  input  wire                 ld_valid_i,
  output wire                 ld_ready_o,
  input  wire [ADDR_BITS-1:0] ld_addr_i,
  output wire                 ld_rvalid_o,
  input  wire                 ld_rready_i,
  output wire [LANE_BITS-1:0] ld_lane_o,

  output wire                 ar_valid_o,
  input  wire                 ar_ready_i,
  output wire [ADDR_BITS-1:0] ar_addr_o,
  input  wire                 r_valid_i,
  output wire                 r_ready_o,
  input  wire [1:0]           r_resp_i,
  input  wire [BUS_BITS-1:0]  r_data_i,

  output wire                 error_o,        // an error response, in the cycle of its beat; EARLY:
                                              // one later, for nobody gets that beat
  output wire [1:0]           error_who_o,    // 0 descriptor, 1 program, 2 A or B
  output wire [1:0]           error_resp_o,
  output wire                 quiet_o         // nothing outstanding
);
  localparam [1:0] WHO_DESC = 2'd0;
  localparam [1:0] WHO_PROG = 2'd1;
  localparam [1:0] WHO_LD   = 2'd2;

  // ---- who asks; a request once shown stays until taken
  reg        held_q;
  reg  [1:0] held_who_q;
  wire [1:0] pick = (prog_valid_i && prog_urgent_i) ? WHO_PROG : ld_valid_i ? WHO_LD :
                    prog_valid_i ? WHO_PROG : WHO_DESC;
  wire [1:0] who  = held_q ? held_who_q : pick;
  wire       any  = prog_valid_i || ld_valid_i || desc_valid_i;
  wire       tag_ready;
  wire       hs   = (EARLY != 0) ? any && !held_q && !drain_i && tag_ready
                                 : ar_valid_o && ar_ready_i;   // a request is taken

  assign ar_valid_o   = (any && !drain_i && tag_ready) || held_q;
  assign prog_ready_o = hs && who == WHO_PROG;
  assign ld_ready_o   = hs && who == WHO_LD;
  assign desc_ready_o = hs && who == WHO_DESC;

  // a held address must not move when its requester is flushed
  reg  [ADDR_BITS-1:0] held_addr_q;
  wire [ADDR_BITS-1:0] addr = (who == WHO_PROG) ? prog_addr_i : (who == WHO_LD) ? ld_addr_i :
                              desc_addr_i;
  localparam integer BBL = $clog2(BUS_BITS / 8);
  wire unused_addr = &{1'b0, addr[BBL-1:0]};
  assign ar_addr_o = held_q ? held_addr_q : {addr[ADDR_BITS-1:BBL], {BBL{1'b0}}};

  reg [LANE_BITS-1:0] held_lane_q;
  wire [LANE_BITS-1:0] lane = held_q ? held_lane_q : addr[LANE_LSB +: LANE_BITS];
  always @(posedge clk_i) begin
    held_q <= ar_valid_o && !ar_ready_i;
    if (rst_i) held_q <= 1'b0;
  end
  always @(posedge clk_i) begin
    held_who_q  <= who;
    held_addr_q <= ar_addr_o;
    held_lane_q <= lane;
  end

  // ---- whose beat comes next
  wire       tag_valid;
  wire [1:0] tag_who;
  wire       r_hs = r_valid_i && r_ready_o;
  localparam integer FRONT = (PIPELINE != 0 && OUTSTANDING >= 4) ? 2 : 0;  // tags in registers
  localparam integer DEPTH = OUTSTANDING - FRONT;
  localparam integer TW    = 2 + LANE_BITS;
  wire           stored_valid, stored_ready, none_stored;
  wire [TW-1:0]  stored;
  generate
    if (EARLY != 0) begin : g_shifted  // the oldest tag stands in a register: nothing chooses it
      reg [DEPTH-1:0]    valid_q;      // fill up from bit 0
      reg [DEPTH*TW-1:0] tags_q;       // oldest first
      wire               pop   = stored_valid && stored_ready;
      wire [DEPTH:0]     after = {1'b0, valid_q};
      integer            e;
      always @(posedge clk_i) begin
        for (e = 0; e < DEPTH; e = e + 1)
          if (pop || !valid_q[e])
            tags_q[e*TW +: TW] <= after[e+1] ? tags_q[((e+1)%DEPTH)*TW +: TW] : {who, lane};
        if (hs && !pop) valid_q <= {valid_q[DEPTH-2:0], 1'b1};
        if (pop && !hs) valid_q <= after[DEPTH:1];
        if (rst_i) valid_q <= {DEPTH{1'b0}};
      end
      assign tag_ready    = !valid_q[DEPTH-1];
      assign stored_valid = valid_q[0];
      assign stored       = tags_q[TW-1:0];
      assign none_stored  = !valid_q[0];
    end else begin : g_queued
      localparam integer TLB = $clog2(DEPTH + 1);
      wire [TLB-1:0] level;
      ktpu_fifo #(.WIDTH(TW), .DEPTH(DEPTH)) u_tags (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(hs), .in_ready_o(tag_ready), .in_data_i({who, lane}),
        .out_valid_o(stored_valid), .out_ready_i(stored_ready), .out_data_o(stored),
        .level_o(level)
      );
      assign none_stored = level == {TLB{1'b0}};
    end
  endgenerate
  generate
    if (FRONT != 0) begin : g_front
      ktpu_skid #(.WIDTH(TW)) u_front (
        .clk_i(clk_i), .rst_i(rst_i),
        .in_valid_i(stored_valid), .in_ready_o(stored_ready), .in_data_i(stored),
        .out_valid_o(tag_valid), .out_ready_i(r_hs), .out_data_o({tag_who, ld_lane_o})
      );
    end else begin : g_direct
      assign tag_valid    = stored_valid;
      assign stored_ready = r_hs;
      assign {tag_who, ld_lane_o} = stored;
    end
  endgenerate
  assign r_ready_o     = tag_valid && ((EARLY == 0 && drain_i) || tag_who != WHO_LD || ld_rready_i);
  wire   ok            = r_valid_i && tag_valid && !drain_i && r_resp_i == 2'b00;
  wire   prog_rvalid   = ok && tag_who == WHO_PROG;
  wire   desc_rvalid   = ok && tag_who == WHO_DESC;
  generate
    if (PIPELINE != 0) begin : g_fetched_late
      reg                prog_q, desc_q;
      reg [BUS_BITS-1:0] fetched_q;
      always @(posedge clk_i) begin
        prog_q    <= prog_rvalid && !rst_i;
        desc_q    <= desc_rvalid && !rst_i;
        fetched_q <= r_data_i;
      end
      assign prog_rvalid_o = prog_q;
      assign desc_rvalid_o = desc_q;
      assign fetched_o     = fetched_q;
    end else begin : g_fetched
      assign prog_rvalid_o = prog_rvalid;
      assign desc_rvalid_o = desc_rvalid;
      assign fetched_o     = r_data_i;
    end
  endgenerate
  // (while it drains with PIPELINE = 1, loads are in reset and take nothing)
  assign ld_rvalid_o   = (PIPELINE != 0)
                         ? r_valid_i && tag_valid && r_resp_i == 2'b00 && tag_who == WHO_LD
                         : ok && tag_who == WHO_LD;
  wire   bad           = r_hs && !drain_i && r_resp_i != 2'b00;
  generate
    if (EARLY != 0) begin : g_late_error
      reg       bad_q;
      reg [1:0] who_q, resp_q;
      always @(posedge clk_i) begin
        bad_q  <= bad && !rst_i;
        who_q  <= tag_who;
        resp_q <= r_resp_i;
      end
      assign {error_o, error_who_o, error_resp_o} = {bad_q, who_q, resp_q};
    end else begin : g_error
      assign {error_o, error_who_o, error_resp_o} = {bad, tag_who, r_resp_i};
    end
  endgenerate
  assign quiet_o       = none_stored && !(FRONT != 0 && tag_valid) && !held_q;
endmodule
`default_nettype wire
