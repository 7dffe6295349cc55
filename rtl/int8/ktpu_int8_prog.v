// SPDX-License-Identifier: Apache-2.0
// Brings programs into the instruction memory, which is a ring: the next program is fetched behind
// the running one as soon as it fits whole. Instructions come first, the header last, a bus beat a
// request; the sequencer starts on what has arrived.
`default_nettype none
module ktpu_int8_prog #(
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer ADDR_BITS = 32,
  parameter integer AW        = 7,     // bits of an imem word address
  parameter integer PC_BITS   = 6,
  parameter integer PIPELINE  = 0      // what the sequencer wants passes a register first
) (
  input  wire                 clk_i,
  input  wire                 rst_i,         // reset, flush, or before a run

  input  wire                 load_valid_i,  // a checked program: words = 8 + 2 n <= IMEM_SIZE
  output wire                 load_ready_o,
  input  wire [ADDR_BITS-1:0] load_addr_i,
  input  wire [AW:0]          load_words_i,
  input  wire                 load_slot_i,
  input  wire                 free_i,        // the oldest program has ended

  input  wire                 run_slot_i,    // what the sequencer sees
  output wire [AW-1:0]        run_base_o,
  output wire [PC_BITS-1:0]   run_n_o,
  output wire [PC_BITS-1:0]   avail_o,
  output wire                 hdr_avail_o,
  input  wire                 seq_busy_i,
  input  wire [PC_BITS-1:0]   want_pc_i,
  input  wire                 want_hdr_i,

  output wire                 ar_valid_o,
  input  wire                 ar_ready_i,
  output wire [ADDR_BITS-1:0] ar_addr_o,
  output wire                 ar_urgent_o,
  input  wire                 r_valid_i,
  input  wire [BUS_BITS-1:0]  r_data_i,

  input  wire                 im_re_i,
  input  wire [AW-1:0]        im_addr_i,     // word address
  output wire [BUS_BITS-1:0]  im_data_o
);
  localparam integer W     = BUS_BITS / 64;           // words a row
  localparam integer WB    = (W == 1) ? 0 : $clog2(W);
  localparam integer ROWS  = IMEM_SIZE / W;
  localparam integer RB    = $clog2(ROWS);            // bits of a row number
  localparam integer BBL   = $clog2(BUS_BITS / 8);
  localparam [RB:0]  DEPTH = ROWS[RB:0];
  localparam integer HDR_I = 8 / W;
  localparam [RB:0]  HDR   = HDR_I[RB:0];                   // header rows
  localparam [RB:0]  ONE   = {{RB{1'b0}}, 1'b1};
  localparam         EARLY = ADDR_BITS > 17 && PIPELINE == 0; // first request goes out with load

  // ---- the program being loaded
  reg               active_q;
  reg               slot_q;
  reg [ADDR_BITS-1:0] addr_q;
  reg [RB:0]        last_q;        // its last row
  reg [RB:0]        req_q;         // next row to request: HDR .. last, then 0 .. HDR-1
  reg               req_done_q;
  reg [RB:0]        got_q;         // next row to arrive, in the same order
  reg               got_hdr_q;     // header rows are arriving
  reg               req_hdr_q;

  // ---- programs in the ring: the oldest and the one behind it
  reg [RB-1:0]      head_q;        // first row of the next program
  reg [RB-1:0]      write_q;       // where the next row goes
  reg [1:0]         known_q, hdr_q;
  reg [RB-1:0]      base_q [0:1];
  reg [PC_BITS-1:0] n_q [0:1];

  localparam integer ROUND_I = W - 1;
  wire [AW:0] words_up = load_words_i + ROUND_I[AW:0];
  wire [RB:0] load_rows = words_up[AW:WB];
  wire [AW:0] load_instrs = (load_words_i >> 1) - {{(AW-2){1'b0}}, 3'd4};
  wire        unused = &{1'b0, load_instrs, words_up, im_addr_i, want_hdr_i};

  function [RB:0] rows_of(input [PC_BITS-1:0] n);
    reg [RB:0] count;
    begin
      count   = {{(RB+1-PC_BITS){1'b0}}, n};
      rows_of = HDR + ((W == 1) ? count << 1 : (W == 2) ? count : (count + ONE) >> 1);
    end
  endfunction
  wire [PC_BITS-1:0] other_n = n_q[!load_slot_i];
  wire        fits;
  generate
    if (W == 1) begin : g_fits_pairs            // the same in instructions: all lengths are even
      localparam integer ROOM_I = IMEM_SIZE / 2 - 4;
      localparam [AW:0]  ROOM   = ROOM_I[AW:0];
      wire [AW:0] sum = {1'b0, load_words_i[AW:1]} + {{(AW+1-PC_BITS){1'b0}}, other_n};
      wire unused_rows = &{1'b0, rows_of(other_n)};
      assign fits = !known_q[!load_slot_i] || sum <= ROOM;
    end else begin : g_fits_rows
      wire [RB:0] others = known_q[!load_slot_i] ? rows_of(other_n) : {(RB+1){1'b0}};
      assign fits = {1'b0, others} + {1'b0, load_rows} <= {1'b0, DEPTH};
    end
  endgenerate
  wire        load = load_valid_i && load_ready_o;
  assign load_ready_o = !active_q && fits;

  wire        load_now = EARLY && load;
  wire        ar_hs = ar_ready_i;   // taken, even if hdr_early withdrew it while it was held
  wire        req_last = req_q == last_q;
  wire        one_row  = W != 1 && load_rows == HDR + ONE;   // of instructions
  wire        got_last = got_q == last_q;
  wire        hdr_last = got_hdr_q && got_q == HDR - ONE;

  localparam integer    ROUND_UP_I = (1 << RB) + HDR_I - ROWS;      // HDR - DEPTH modulo 2^RB
  localparam [RB-1:0]   ROUND = ROUND_UP_I[RB-1:0];
  function [RB-1:0] skip(input [RB-1:0] row);          // past the header
    skip = row + ({1'b0, row} >= DEPTH - HDR ? ROUND : HDR[RB-1:0]);
  endfunction
  wire [RB-1:0] write_next = ({1'b0, write_q} == DEPTH - ONE) ? {RB{1'b0}} : write_q + ONE[RB-1:0];

  always @(posedge clk_i) begin
    if (load) begin
      active_q   <= 1'b1;
      req_done_q <= 1'b0;
      req_hdr_q  <= EARLY && ar_hs && one_row;
      got_hdr_q  <= 1'b0;
      req_q      <= !(EARLY && ar_hs) ? HDR :          // it may go out at once
                    one_row ? {(RB+1){1'b0}} : HDR + ONE;
      got_q      <= HDR;
      write_q    <= skip(head_q);
    end else begin
      if (ar_hs) begin
        req_q <= (!req_hdr_q && req_last) ? {(RB+1){1'b0}} : req_q + ONE;
        if (!req_hdr_q && req_last) req_hdr_q <= 1'b1;
        if (req_hdr_q && req_q == HDR - ONE) req_done_q <= 1'b1;
      end
      if (r_valid_i) begin
        got_q   <= got_q + ONE;
        write_q <= write_next;
        if (!got_hdr_q && got_last) begin
          got_q     <= {(RB+1){1'b0}};
          got_hdr_q <= 1'b1;
          head_q    <= write_next;
          write_q   <= base_q[slot_q];
        end
        if (hdr_last) active_q <= 1'b0;
      end
    end
    if (free_i) known_q[run_slot_i] <= 1'b0;
    if (load) begin
      known_q[load_slot_i] <= 1'b1;
      hdr_q[load_slot_i]   <= 1'b0;
    end else if (r_valid_i && hdr_last) hdr_q[slot_q] <= 1'b1;
    if (rst_i) begin
      active_q <= 1'b0;
      head_q   <= {RB{1'b0}};
      known_q  <= 2'b00;
    end
  end

  always @(posedge clk_i) begin
    if (load) begin
      slot_q <= load_slot_i;
      addr_q <= load_addr_i;
      last_q <= load_rows - ONE;
      base_q[load_slot_i] <= head_q;
      n_q[load_slot_i]    <= load_instrs[PC_BITS-1:0];
    end
  end

  // the running program's header waits until its last instructions are being taken: loads need the
  // bus first
  wire far_off = slot_q == run_slot_i && known_q[run_slot_i] && seq_busy_i &&
                 {1'b0, want_pc_i} + {{(PC_BITS-1){1'b0}}, 2'd3} < {1'b0, run_n_o};
  wire hdr_early;
  assign ar_valid_o = (active_q && !req_done_q && !hdr_early) || load_now;
  assign ar_addr_o  = (load_now ? load_addr_i : addr_q) +
                      {{(ADDR_BITS-RB-1-BBL){1'b0}}, load_now ? HDR : req_q, {BBL{1'b0}}};

  // ---- what the sequencer sees
  generate
    if (WB == 0) begin : g_base_word
      assign run_base_o = base_q[run_slot_i];
    end else begin : g_base_row
      assign run_base_o = {base_q[run_slot_i], {WB{1'b0}}};
    end
  endgenerate
  assign run_n_o     = n_q[run_slot_i];
  assign hdr_avail_o = hdr_q[run_slot_i];

  // instructions in r rows: r/2, r, or 2r but never more than the program has
  function [PC_BITS-1:0] instrs(input [RB:0] rows, input [PC_BITS-1:0] n);
    reg [RB+1:0] all;
    begin
      all    = (W == 1) ? {1'b0, rows} >> 1 : (W == 2) ? {1'b0, rows} : {rows, 1'b0};
      instrs = (W > 2 && all > {{(RB+2-PC_BITS){1'b0}}, n}) ? n : all[PC_BITS-1:0];
    end
  endfunction
  // the row that arrives now counts where an instruction takes two rows: it is read a cycle later
  localparam [RB:0] LESS_HDR = ~HDR + ONE;
  wire [RB+1:0] arrived = {got_q, 1'b1} + {LESS_HDR, W == 1 && r_valid_i};   // one carry chain
  wire          unused_carry = &{1'b0, arrived[0]};
  wire run_arrives = active_q && !got_hdr_q && slot_q == run_slot_i;
  assign avail_o = run_arrives ? instrs(arrived[RB+1:1], run_n_o) : run_n_o;

  // the sequencer is about to starve: it wants an instruction not yet requested, or the one after
  wire near;
  generate
    if (W == 1) begin : g_near_pairs
      wire [RB:0] wanted = {{(RB+1-PC_BITS){1'b0}}, want_pc_i} + {{(RB-2){1'b0}}, 3'd6};
      assign near = {1'b0, req_q[RB:1]} <= wanted;
    end else begin : g_near_rows
      wire [PC_BITS-1:0] asked = instrs(req_q - HDR, n_q[slot_q]);
      assign near = asked <= want_pc_i + {{(PC_BITS-2){1'b0}}, 2'd2};
    end
  endgenerate
  wire urgent = (slot_q == run_slot_i && known_q[run_slot_i]) ? (near && !req_hdr_q)
                                                               : !seq_busy_i;
  generate
    if (PIPELINE != 0) begin : g_late
      reg far_off_q, urgent_q;
      always @(posedge clk_i) begin
        far_off_q <= far_off;
        urgent_q  <= urgent;
      end
      assign hdr_early   = req_hdr_q && far_off_q;
      assign ar_urgent_o = urgent_q;
    end else begin : g_now
      assign hdr_early   = req_hdr_q && far_off;
      assign ar_urgent_o = urgent;
    end
  endgenerate

  ktpu_ram_sdp #(.WIDTH(BUS_BITS), .DEPTH(ROWS)) u_imem (
    .clk_i(clk_i),
    .we_i(r_valid_i), .waddr_i(write_q), .wdata_i(r_data_i),
    .re_i(im_re_i), .raddr_i(im_addr_i[AW-1:WB]), .rdata_o(im_data_o)
  );
endmodule
`default_nettype wire
