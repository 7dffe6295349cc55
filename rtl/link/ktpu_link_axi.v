// SPDX-License-Identifier: Apache-2.0
// Memory accesses as bursts of full-width beats with strobes. start_i begins len_i bytes at addr_i
// (len_i > 0); the bytes then come in at w_* or go out at r_*, about nine cycles for eight. No
// burst crosses a multiple of 4 KiB: there are at most two, one after the other. error_o is a
// pulse for each bad response; after a bad read beat the rest is swallowed. busy_o: until the last
// response. abandon_i gives up: the burst under way is finished in the background, a write with no
// more strobes set, a read by swallowing it, dead_o being high until then.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_link_axi #(
  parameter integer ADDR_BITS = 18,
  parameter integer BUS_BITS  = 64,
  parameter integer LEN_BITS  = 10
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  input  wire                  start_i,
  input  wire                  write_i,
  input  wire [ADDR_BITS-1:0]  addr_i,
  input  wire [LEN_BITS-1:0]   len_i,
  input  wire                  abandon_i,
  output wire                  busy_o,
  output wire                  dead_o,
  output wire                  error_o,

  input  wire                  w_valid_i,
  output wire                  w_ready_o,
  input  wire [7:0]            w_data_i,
  output wire                  r_valid_o,
  input  wire                  r_ready_i,
  output wire [7:0]            r_data_o,

  output wire [ADDR_BITS-1:0]  m_axi_awaddr,
  output wire [7:0]            m_axi_awlen,
  output wire                  m_axi_awvalid,
  input  wire                  m_axi_awready,
  output wire [BUS_BITS-1:0]   m_axi_wdata,
  output wire [BUS_BITS/8-1:0] m_axi_wstrb,
  output wire                  m_axi_wlast,
  output wire                  m_axi_wvalid,
  input  wire                  m_axi_wready,
  input  wire [1:0]            m_axi_bresp,
  input  wire                  m_axi_bvalid,
  output wire                  m_axi_bready,
  output wire [ADDR_BITS-1:0]  m_axi_araddr,
  output wire [7:0]            m_axi_arlen,
  output wire                  m_axi_arvalid,
  input  wire                  m_axi_arready,
  input  wire [BUS_BITS-1:0]   m_axi_rdata,
  input  wire [1:0]            m_axi_rresp,
  input  wire                  m_axi_rlast,
  input  wire                  m_axi_rvalid,
  output wire                  m_axi_rready
);
  localparam integer LANES     = BUS_BITS / 8;
  localparam integer LANE_BITS = $clog2(LANES);
  localparam integer BEAT_BITS = ADDR_BITS - LANE_BITS;
  localparam integer PAGE_BITS = 12 - LANE_BITS;           // beats in 4 KiB
  localparam integer LAST_LANE = LANES - 1;
  localparam [LEN_BITS-1:0]  L_ONE    = {{(LEN_BITS-1){1'b0}}, 1'b1};
  localparam [LANE_BITS-1:0] LANE_ONE = {{(LANE_BITS-1){1'b0}}, 1'b1};

  generate
    if (ADDR_BITS < 13 || LEN_BITS > 10 || BUS_BITS < 64) begin : g_bad_size
      ktpu_param_error_link_axi_sizes u_stop ();
    end
  endgenerate

  localparam [2:0] ST_IDLE  = 3'd0;
  localparam [2:0] ST_COUNT = 3'd1;       // beats to the end and to the page's end
  localparam [2:0] ST_PLAN  = 3'd2;       // the smaller of them
  localparam [2:0] ST_WRITE = 3'd3;
  localparam [2:0] ST_RESP  = 3'd4;
  localparam [2:0] ST_READ  = 3'd5;

  reg [2:0]           state_q;
  reg                 write_q;
  reg                 dead_q;
  reg [BEAT_BITS-1:0] beat_q;             // address of the next burst
  reg [LANE_BITS-1:0] lane_q;             // of the next byte
  reg [LEN_BITS-1:0]  left_q;             // bytes
  reg [LEN_BITS-1:0]  todo_q;             // beats to the end
  reg [PAGE_BITS:0]   room_q;             // beats to the end of the page
  reg [7:0]           len_q;              // of the burst, less one
  reg [7:0]           count_q;            // beats of the burst after this one
  reg                 addr_q;             // the burst's address is offered
  reg [BUS_BITS-1:0]  word_q;
  reg [LANES-1:0]     strb_q;
  reg                 got_last_q;         // the burst's last read beat has come
  reg                 have_q;             // the word is full (write) or holds bytes (read)
  reg [LANE_BITS-1:0] skip_q;             // bytes of the first word to pass over

  wire [LEN_BITS:0] reach = {1'b0, left_q} + {{(LEN_BITS+1-LANE_BITS){1'b0}}, lane_q | skip_q}
                          + LAST_LANE[LEN_BITS:0];
  wire [LEN_BITS-1:0] todo = {{(LANE_BITS-1){1'b0}}, reach[LEN_BITS:LANE_BITS]};
  wire [PAGE_BITS:0]  room = {1'b1, {PAGE_BITS{1'b0}}} - {1'b0, beat_q[PAGE_BITS-1:0]};
  wire [15:0] todo_16  = {{(16-LEN_BITS){1'b0}}, todo_q};
  wire [15:0] room_16  = {{(15-PAGE_BITS){1'b0}}, room_q};
  wire [15:0] now_less = (todo_16 <= room_16 ? todo_16 : room_16) - 16'd1;

  wire idle    = state_q == ST_IDLE;
  wire writing = state_q == ST_WRITE;
  wire reading = state_q == ST_READ;
  wire last    = count_q == 8'd0;
  wire aw_take = m_axi_awvalid && m_axi_awready;
  wire ar_take = m_axi_arvalid && m_axi_arready;
  wire w_take  = m_axi_wvalid && m_axi_wready;
  wire b_take  = m_axi_bvalid && m_axi_bready;
  wire r_take  = m_axi_rvalid && m_axi_rready;
  wire w_byte  = w_valid_i && w_ready_o;
  wire r_byte  = r_valid_o && r_ready_i;
  wire pass    = reading && have_q && (skip_q != {LANE_BITS{1'b0}} || r_byte);
  wire word_end = lane_q == LAST_LANE[LANE_BITS-1:0];
  wire byte_end = left_q == L_ONE;
  wire quit    = dead_q || abandon_i;

  assign busy_o    = !idle;
  assign dead_o    = dead_q;
  assign error_o   = (b_take && m_axi_bresp[1]) || (r_take && m_axi_rresp[1] && !dead_q);
  assign w_ready_o = writing && !have_q && !dead_q;
  assign r_valid_o = reading && have_q && skip_q == {LANE_BITS{1'b0}} && !dead_q;
  assign r_data_o  = word_q[7:0];

  assign m_axi_awaddr  = {beat_q, {LANE_BITS{1'b0}}};
  assign m_axi_awlen   = len_q;
  assign m_axi_awvalid = addr_q && write_q;
  assign m_axi_wdata   = word_q;
  assign m_axi_wstrb   = strb_q;
  assign m_axi_wlast   = last;
  assign m_axi_wvalid  = writing && have_q;
  assign m_axi_bready  = state_q == ST_RESP && !addr_q;
  assign m_axi_araddr  = m_axi_awaddr;
  assign m_axi_arlen   = len_q;
  assign m_axi_arvalid = addr_q && !write_q;
  assign m_axi_rready  = reading && (!have_q || dead_q);

  wire unused_bits = &{1'b0, reach[LANE_BITS-1:0], m_axi_bresp[0], m_axi_rresp[0], now_less[15:8]};

  always @(posedge clk_i) begin
    case (state_q)
      ST_IDLE: if (start_i) state_q <= ST_COUNT;
      ST_COUNT: state_q <= abandon_i ? ST_IDLE : ST_PLAN;
      ST_PLAN: state_q <= abandon_i ? ST_IDLE : write_q ? ST_WRITE : ST_READ;
      ST_WRITE: if (w_take && last) state_q <= ST_RESP;
      ST_RESP: if (b_take) state_q <= left_q == {LEN_BITS{1'b0}} || quit ? ST_IDLE : ST_COUNT;
      ST_READ: begin
        if (quit ? got_last_q || (r_take && m_axi_rlast)
                 : pass && byte_end && skip_q == {LANE_BITS{1'b0}})
          state_q <= ST_IDLE;
        else if (pass && word_end && last && !quit) state_q <= ST_COUNT;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (aw_take || ar_take) addr_q <= 1'b0;
    if (state_q == ST_PLAN && !abandon_i) addr_q <= 1'b1;
    if (abandon_i && (writing || state_q == ST_RESP || reading)) dead_q <= 1'b1;
    if (idle) dead_q <= 1'b0;
    if (rst_i) begin
      state_q <= ST_IDLE;
      addr_q  <= 1'b0;
      dead_q  <= 1'b0;
    end
  end

  // the word: filled by bytes and sent, or received and emptied by bytes
  always @(posedge clk_i) begin
    if (w_byte && (word_end || byte_end)) have_q <= 1'b1;
    if (writing && dead_q) have_q <= 1'b1;
    if (w_take) have_q <= 1'b0;
    if (r_take) have_q <= 1'b1;
    if (pass && (word_end || (byte_end && skip_q == {LANE_BITS{1'b0}}))) have_q <= 1'b0;
    if (idle || rst_i) have_q <= 1'b0;
  end

  integer i;
  always @(posedge clk_i) begin           // no reset: state_q and have_q guard these
    if (idle) begin
      write_q <= write_i;
      beat_q  <= addr_i[ADDR_BITS-1:LANE_BITS];
      left_q  <= len_i;
      lane_q  <= write_i ? addr_i[LANE_BITS-1:0] : {LANE_BITS{1'b0}};
      skip_q  <= write_i ? {LANE_BITS{1'b0}} : addr_i[LANE_BITS-1:0];
      strb_q  <= {LANES{1'b0}};
    end
    if (state_q == ST_PLAN) got_last_q <= 1'b0;
    else if (r_take && m_axi_rlast) got_last_q <= 1'b1;
    todo_q <= todo;
    room_q <= room;
    if (state_q == ST_PLAN) begin
      len_q   <= now_less[7:0];
      count_q <= now_less[7:0];
    end
    if (state_q == ST_RESP && b_take) beat_q <= beat_q + {{(BEAT_BITS-8){1'b0}}, len_q}
                                              + {{(BEAT_BITS-1){1'b0}}, 1'b1};
    if (reading && pass && word_end && last)
      beat_q <= beat_q + {{(BEAT_BITS-8){1'b0}}, len_q} + {{(BEAT_BITS-1){1'b0}}, 1'b1};
    if (w_take || (pass && word_end)) count_q <= count_q - 8'd1;
    if (w_byte || r_byte) left_q <= left_q - L_ONE;
    if (w_byte || pass) lane_q <= lane_q + LANE_ONE;
    if (pass && skip_q != {LANE_BITS{1'b0}}) skip_q <= skip_q - LANE_ONE;
    for (i = 0; i < LANES; i = i + 1)
      if (w_byte && lane_q == i[LANE_BITS-1:0]) begin
        word_q[8*i +: 8] <= w_data_i;
        strb_q[i]        <= 1'b1;
      end
    if (w_take) strb_q <= {LANES{1'b0}};
    if (r_take) word_q <= m_axi_rdata;
    else if (pass) word_q <= {8'd0, word_q[BUS_BITS-1:8]};
  end

`ifdef FORMAL
  `include "ktpu_link_axi_fv.vh"
`endif
endmodule
`default_nettype wire
