// SPDX-License-Identifier: Apache-2.0
// Brings programs into the instruction memory of small builds, which has a half for each slot of
// the descriptor list: word w of a program lies at {slot, w}, no address arithmetic. As in
// ktpu_int8_prog, instructions come first and the header last, a word a request, and the sequencer
// starts on what has arrived; here it looks at the count of a cycle ago.
`default_nettype none
module ktpu_int8_prog_small #(
  parameter integer ADDR_BITS = 17,
  parameter integer AW        = 7,     // bits of a word address
  parameter integer WB        = 7      // bits of a program's length in words, or of a place in it
) (
  input  wire                 clk_i,
  input  wire                 rst_i,         // reset, flush, or before a run

  input  wire                 load_valid_i,  // a checked program: words = 8 + 2 n <= IMEM_SIZE
  output wire                 load_ready_o,
  input  wire [ADDR_BITS-1:0] load_addr_i,   // a multiple of 8
  input  wire [AW:0]          load_words_i,
  input  wire                 load_slot_i,   // free: its program has ended

  input  wire                 run_slot_i,    // what the sequencer sees
  input  wire                 seq_busy_i,
  output wire [WB-2:0]        run_pairs_o,   // half its length in words
  input  wire [WB-1:0]        want_i,        // place of the word wanted, instructions only
  output wire                 here_o,        // ... it has come
  output wire                 hdr_avail_o,   // all of the program has

  output wire                 ar_valid_o,
  input  wire                 ar_ready_i,
  output wire [ADDR_BITS-1:0] ar_addr_o,
  output wire                 ar_urgent_o,
  input  wire                 r_valid_i,
  input  wire [63:0]          r_data_i,

  input  wire                 im_re_i,
  input  wire [WB-1:0]        im_addr_i,
  output wire [63:0]          im_data_o
);
  localparam [WB-1:0] ONE = {{(WB-1){1'b0}}, 1'b1};
  localparam [WB-1:0] HDR = {{(WB-4){1'b0}}, 4'd8};

  reg                 active_q;        // a program is being loaded
  reg                 slot_q;
  reg [ADDR_BITS-1:3] addr_q;
  reg [WB-2:0]        pairs_q, old_q;  // of the newest program, of the one before it
  reg [WB-1:0]        req_q, got_q;    // next word to request, to arrive: 8 .. last, then 0 .. 7
  reg                 req_hdr_q, got_hdr_q, req_done_q;
  reg                 near_q;

  wire        load     = load_valid_i && load_ready_o;
  wire        ours     = active_q && slot_q == run_slot_i;
  wire [WB-1:0] req_next = req_q + ONE;
  wire [WB-1:0] got_next = got_q + ONE;
  wire        req_last = !req_hdr_q && req_next == {pairs_q, 1'b0};
  wire        got_last = !got_hdr_q && got_next == {pairs_q, 1'b0};
  assign load_ready_o  = !active_q;

  always @(posedge clk_i) begin
    if (load) begin
      active_q   <= 1'b1;
      req_done_q <= 1'b0;
      req_hdr_q  <= 1'b0;
      got_hdr_q  <= 1'b0;
      req_q      <= HDR;
      got_q      <= HDR;
    end else begin
      if (ar_ready_i) begin              // taken, even if it was withdrawn while it was held
        req_q <= req_last ? {WB{1'b0}} : req_next;
        if (req_last) req_hdr_q <= 1'b1;
        if (req_hdr_q && (&req_q[2:0])) req_done_q <= 1'b1;
      end
      if (r_valid_i) begin
        got_q <= got_last ? {WB{1'b0}} : got_next;
        if (got_last) got_hdr_q <= 1'b1;
        if (got_hdr_q && (&got_q[2:0])) active_q <= 1'b0;
      end
    end
    if (rst_i) active_q <= 1'b0;
  end

  always @(posedge clk_i)
    if (load) begin
      slot_q  <= load_slot_i;
      addr_q  <= load_addr_i[ADDR_BITS-1:3];
      pairs_q <= load_words_i[WB-1:1];
      old_q   <= pairs_q;
    end

  // ---- what the sequencer sees
  assign run_pairs_o = (slot_q == run_slot_i) ? pairs_q : old_q;
  assign here_o      = want_i < got_q || got_hdr_q || !ours;
  assign hdr_avail_o = !ours;

  // ---- requests. The sequencer is about to starve: it wants an instruction not yet requested, or
  // one of the two after it. The running program's header waits until the last of them are taken.
  wire [WB-2:0] ahead = (req_hdr_q ? pairs_q : req_q[WB-1:1]) - want_i[WB-1:1];
  // Whose turn it is on the bus comes of this a cycle late.
  reg  ours_q, busy_q;
  always @(posedge clk_i) begin
    near_q <= ahead[WB-2:2] == {(WB-3){1'b0}} && ahead[1:0] != 2'd3;
    ours_q <= ours;
    busy_q <= seq_busy_i;
  end
  assign ar_valid_o  = active_q && !req_done_q && (!req_hdr_q || near_q || !ours_q || !busy_q);
  assign ar_urgent_o = ours_q ? near_q && !req_hdr_q : !busy_q;
  assign ar_addr_o   = {addr_q + {{(ADDR_BITS-3-WB){1'b0}}, req_q}, 3'b000};
  wire unused = &{1'b0, load_addr_i[2:0], load_words_i, ahead};

  ktpu_ram_sdp #(.WIDTH(64), .DEPTH(2 << WB)) u_imem (
    .clk_i(clk_i),
    .we_i(r_valid_i), .waddr_i({slot_q, got_q}), .wdata_i(r_data_i),
    .re_i(im_re_i), .raddr_i({run_slot_i, im_addr_i}), .rdata_o(im_data_o)
  );
endmodule
`default_nettype wire
