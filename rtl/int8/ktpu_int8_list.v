// SPDX-License-Identifier: Apache-2.0
// Walks the descriptor list: two slots, one running and one being prepared, so that descriptor,
// program and loads of the next are under way while the present one computes. A slot is reused
// when no queued load or mvout needs it any more.
`default_nettype none
module ktpu_int8_list #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer STRIDES   = 1,
  parameter integer ADDR_BITS = 32,
  parameter integer AW        = 7,
  parameter integer PIPELINE  = 0              // a descriptor's check takes two cycles
) (
  input  wire                   clk_i,
  input  wire                   rst_i,         // also held while idle
  input  wire                   stop_i,        // a fault: prepare and run nothing more

  input  wire [ADDR_BITS-1:0]   list_addr_i,
  input  wire [31:0]            list_count_i,  // 0: the register descriptor
  input  wire [511:0]           desc_i,        // register descriptor, as ktpu_int8_ctrl says

  output wire                   ar_valid_o,
  input  wire                   ar_ready_i,
  output wire [ADDR_BITS-1:0]   ar_addr_o,
  input  wire                   r_valid_i,
  input  wire [BUS_BITS-1:0]    r_data_i,

  output wire                   load_valid_o,  // a checked program to fetch
  input  wire                   load_ready_i,
  output wire [ADDR_BITS-1:0]   load_addr_o,
  output wire [AW:0]            load_words_o,
  output wire                   load_slot_o,

  output wire                   run_o,         // run the slot's program
  output wire                   run_slot_o,
  output wire                   run_fresh_o,
  input  wire                   run_done_i,
  input  wire                   quiet_i,       // earlier loads and writes are through

  // contexts, slot 0 lowest
  output wire [2*ADDR_BITS-1:0] base_a_o,
  output wire [2*ADDR_BITS-1:0] base_b_o,
  output wire [2*ADDR_BITS-1:0] base_c_o,
  output wire [31:0]            stride_a_o,
  output wire [31:0]            stride_b_o,
  output wire [31:0]            stride_c_o,
  output wire [1:0]             wide_o,
  output wire [1:0]             shifted_o,
  output wire [9:0]             shift_o,
  input  wire [1:0]             ctx_busy_i,

  output wire                   fault_valid_o,
  output wire [7:0]             fault_code_o,
  output wire [7:0]             fault_sub_o,
  output wire [31:0]            fault_arg_o,
  output wire [31:0]            index_o,       // of the running descriptor; their number at the end
  output wire                   all_run_o,     // every descriptor has been dispatched
  output wire                   waiting_o      // for a descriptor or a program
);
  `include "ktpu_tinytpu.vh"

  localparam integer BEATS = 512 / BUS_BITS;           // of a descriptor
  localparam integer BB    = $clog2(BEATS + 1);
  localparam [BB-1:0] LAST_BEAT = BEATS[BB-1:0] - {{(BB-1){1'b0}}, 1'b1};
  localparam integer BUS_BYTES = BUS_BITS / 8;
  localparam integer BBL   = $clog2(BUS_BYTES);
  // descriptors that memory can hold, twice over: see ktpu_int8_ctrl for what happens to more
  localparam integer CB    = (STRIDES != 0) ? 32 : ADDR_BITS - 4;
  localparam [CB-1:0] C_ONE = {{(CB-1){1'b0}}, 1'b1};

  localparam [1:0] EMPTY = 2'd0;      // free
  localparam [1:0] FETCH = 2'd1;      // descriptor on its way
  localparam [1:0] READY = 2'd2;      // to run or running
  localparam [1:0] DRAIN = 2'd3;      // dispatched, still needed by queued loads and mvouts

  // The registers stand still from a start on, and what they say is needed two cycles later.
  wire list_none = list_count_i[CB-1:0] == {CB{1'b0}};
  wire left_some;                     // descriptors are left to request; PIPELINE: a cycle ago
  wire from_regs;

  reg [1:0]           state0_q, state1_q;
  reg [1:0]           checked_q;      // the slot's findings are final
  reg [1:0]           loaded_q;       // the slot's program has been handed to the fetch
  reg [CB-1:0]        index_q;        // running
  reg [CB-1:0]        left_q;         // descriptors not requested so far
  reg                 first_q;        // no descriptor has been checked
  reg                 run_slot_q;
  reg [ADDR_BITS-1:0] next_addr_q;    // of the next descriptor beat to request
  reg                 fetch_slot_q;
  reg [BB-1:0]        req_left_q, got_q;
  wire [1:0]          bad;
  wire                off_beat = !from_regs && list_addr_i[BBL-1:0] != {BBL{1'b0}};
  reg                 off_beat_q;
  always @(posedge clk_i) off_beat_q <= off_beat;
  wire                list_bad = (STRIDES != 0 && PIPELINE == 0) ? off_beat : off_beat_q;
  generate
    if (PIPELINE != 0) begin : g_counts_late
      reg list_none_q, left_some_q;
      always @(posedge clk_i) begin
        list_none_q <= list_none;
        left_some_q <= left_q != {CB{1'b0}};
      end
      assign from_regs = list_none_q;
      assign left_some = left_some_q;
    end else begin : g_counts
      assign from_regs = list_none;
      assign left_some = left_q != {CB{1'b0}};
    end
  endgenerate

  // ---- fetch a descriptor into the free slot
  wire [1:0] next_state = fetch_slot_q ? state1_q : state0_q;
  wire may_fetch;
  wire begin_fetch = left_some && next_state == EMPTY && bad == 2'b00 && !list_bad &&
                     !stop_i && may_fetch;
  wire got_all;
  assign ar_valid_o = req_left_q != {BB{1'b0}} && !stop_i;
  assign ar_addr_o  = next_addr_q;
  wire ar_hs = ar_valid_o && ar_ready_i;

  // ---- the slots: while idle, slot 0 follows the registers, or waits for their words
  wire [1:0]              check;
  wire [1:0]              judged;     // the findings stand in the next cycle
  wire [2*ADDR_BITS-1:0]  prog;
  wire [2*(AW+1)-1:0]     words;
  wire [1:0]              continues, fences;
  wire [15:0]             codes, subs;
  wire [63:0]             args;
  localparam [1:0] REG_STATE = (STRIDES != 0) ? READY : FETCH;    // of slot 0 at a start
  genvar s;
  generate
    if (STRIDES != 0) begin : g_full
      assign may_fetch = 1'b1;
      wire       got_last = r_valid_i && got_q == LAST_BEAT;
      wire [1:0] begun;                // ... is in its second cycle
      assign check     = {state1_q == READY && !checked_q[1] && !begun[1],
                          rst_i || (state0_q == READY && !checked_q[0] && !begun[0])};
      if (PIPELINE != 0) begin : g_two_cycles
        reg [1:0] check_q;
        reg       got_last_q;
        always @(posedge clk_i) begin
          check_q    <= rst_i ? 2'b00 : check;
          got_last_q <= got_last && !rst_i;
        end
        assign got_all = got_last_q;
        assign begun  = check_q;
        assign judged = check_q;
      end else begin : g_one_cycle
        assign got_all = got_last;
        assign begun  = 2'b00;
        assign judged = check;
      end
      for (s = 0; s < 2; s = s + 1) begin : g_slot
        ktpu_int8_desc #(
          .T(T), .MAXDIM(MAXDIM), .IMEM_SIZE(IMEM_SIZE), .BUS_BITS(BUS_BITS),
          .ADDR_BITS(ADDR_BITS), .AW(AW), .BEAT_BITS(BB), .PIPELINE(PIPELINE)
        ) u_desc (
          .clk_i(clk_i), .rst_i(rst_i), .copy_i(from_regs && s == 0),
          .desc_i(s == 0 ? desc_i : 512'd0),
          .fill_i(r_valid_i && fetch_slot_q == (s != 0)), .beat_i(got_q), .data_i(r_data_i),
          .check_i(check[s]), .first_i(first_q),
          .prog_o(prog[s*ADDR_BITS +: ADDR_BITS]), .words_o(words[s*(AW+1) +: AW+1]),
          .base_a_o(base_a_o[s*ADDR_BITS +: ADDR_BITS]),
          .base_b_o(base_b_o[s*ADDR_BITS +: ADDR_BITS]),
          .base_c_o(base_c_o[s*ADDR_BITS +: ADDR_BITS]),
          .stride_a_o(stride_a_o[s*16 +: 16]), .stride_b_o(stride_b_o[s*16 +: 16]),
          .stride_c_o(stride_c_o[s*16 +: 16]), .wide_o(wide_o[s]), .shifted_o(shifted_o[s]),
          .shift_o(shift_o[s*5 +: 5]), .continue_o(continues[s]), .fence_o(fences[s]),
          .bad_o(bad[s]), .code_o(codes[s*8 +: 8]), .sub_o(subs[s*8 +: 8]),
          .arg_o(args[s*32 +: 32])
        );
      end
    end else begin : g_small
      wire [ADDR_BITS-1:0] new_prog;
      wire [AW:0]          new_words;
      wire [7:0]           new_code, new_sub;
      wire [31:0]          new_arg;
      wire       reg_valid = desc_i[36];   // played only after a start that runs it
      wire [1:0] unloaded  = {state1_q == READY, state0_q == READY} & ~loaded_q;
      assign may_fetch = unloaded == 2'b00 && check == 2'b00;
      reg        got_last_q;           // the slot's states are far from the bus
      always @(posedge clk_i) got_last_q <= r_valid_i && got_q == LAST_BEAT && !rst_i;
      wire       open  = (fetch_slot_q ? state1_q : state0_q) == FETCH && !from_regs;
      assign got_all   = (reg_valid && &desc_i[35:32]) || got_last_q;
      assign check     = {state1_q == READY, state0_q == READY} & ~checked_q;
      assign judged    = check;
      ktpu_int8_desc_small #(
        .MAXDIM(MAXDIM), .IMEM_SIZE(IMEM_SIZE), .BUS_BITS(BUS_BITS), .ADDR_BITS(ADDR_BITS),
        .AW(AW), .BEAT_BITS(BB)
      ) u_desc (
        .clk_i(clk_i), .rst_i(rst_i), .begin_i(begin_fetch), .slot_i(fetch_slot_q),
        .open_i(open), .beat_i(got_q), .fill_i(r_valid_i), .data_i(r_data_i),
        .reg_valid_i(reg_valid), .reg_word_i(desc_i[35:32]), .reg_data_i(desc_i[31:0]),
        .check_i(check), .first_i(first_q),
        .prog_o(new_prog), .words_o(new_words),
        .base_a_o(base_a_o), .base_b_o(base_b_o), .base_c_o(base_c_o),
        .stride_a_o(stride_a_o), .stride_b_o(stride_b_o), .stride_c_o(stride_c_o),
        .wide_o(wide_o), .shifted_o(shifted_o), .shift_o(shift_o),
        .continue_o(continues), .fence_o(fences),
        .bad_q(bad), .code_o(new_code), .sub_o(new_sub), .arg_o(new_arg)
      );
      assign prog  = {2{new_prog}};
      assign words = {2{new_words}};
      assign codes = {2{new_code}};
      assign subs  = {2{new_sub}};
      assign args  = {2{new_arg}};
      wire unused_desc = &{1'b0, desc_i};
    end
  endgenerate

  // ---- run
  wire [1:0] run_state = run_slot_q ? state1_q : state0_q;
  wire run_ready = run_state == READY && checked_q[run_slot_q];
  wire run_bad   = bad[run_slot_q];
  reg  fenced_q;                       // the fence of the running descriptor has been passed
  assign run_o       = run_ready && !run_bad && !stop_i && loaded_q[run_slot_q] &&
                       (!fences[run_slot_q] || fenced_q);
  assign run_slot_o  = run_slot_q;
  assign run_fresh_o = !continues[run_slot_q];
  wire unrun0 = state0_q == FETCH || state0_q == READY;
  wire unrun1 = state1_q == FETCH || state1_q == READY;
  assign all_run_o   = !left_some && !unrun0 && !unrun1;
  assign waiting_o   = !all_run_o && !run_o;
  generate
    if (CB == 32) begin : g_index
      assign index_o = index_q;
    end else begin : g_short_index
      wire unused_count = &{1'b0, list_count_i[31:CB]};
      assign index_o = {{(32-CB){1'b0}}, index_q};
    end
  endgenerate

  wire faulty = (list_bad && index_q == {CB{1'b0}}) || (run_ready && run_bad);
  generate
    if (STRIDES != 0) begin : g_fault
      assign fault_valid_o = !stop_i && faulty;
    end else begin : g_late_fault              // nothing happens in the cycle between
      reg faulty_q;
      always @(posedge clk_i) faulty_q <= faulty && !rst_i;
      assign fault_valid_o = !stop_i && faulty_q;
    end
  endgenerate
  assign fault_code_o  = list_bad ? KT_FAULT_ALIGNMENT : run_slot_q ? codes[15:8] : codes[7:0];
  assign fault_sub_o   = list_bad ? 8'd16 : run_slot_q ? subs[15:8] : subs[7:0];
  wire [31:0] bad_list = (STRIDES != 0) ? {{(32-ADDR_BITS){1'b0}}, list_addr_i} : 32'd1;
  assign fault_arg_o   = list_bad ? bad_list : run_slot_q ? args[63:32] : args[31:0];

  // ---- hand checked programs to the fetch, oldest first
  wire load_first = !loaded_q[run_slot_q];
  wire load_slot  = load_first ? run_slot_q : !run_slot_q;
  wire [1:0] load_state = load_slot ? state1_q : state0_q;
  wire load_valid = !stop_i && load_state == READY && checked_q[load_slot] &&
                    !bad[load_slot] && !loaded_q[load_slot];
  wire load_hs = load_valid_o && load_ready_i;
  localparam integer LW = 1 + ADDR_BITS + AW + 1;
  wire [LW-1:0] load = {load_slot, load_slot ? prog[ADDR_BITS +: ADDR_BITS] : prog[0 +: ADDR_BITS],
                        load_slot ? words[AW+1 +: AW+1] : words[0 +: AW+1]};
  generate
    if (PIPELINE != 0) begin : g_load_late
      reg          valid_q;
      reg [LW-1:0] load_q;
      always @(posedge clk_i) begin
        valid_q <= load_valid && !load_hs && !rst_i;
        load_q  <= load;
      end
      assign load_valid_o = valid_q;
      assign {load_slot_o, load_addr_o, load_words_o} = load_q;
    end else begin : g_load
      assign load_valid_o = load_valid;
      assign {load_slot_o, load_addr_o, load_words_o} = load;
    end
  endgenerate

  always @(posedge clk_i) begin
    if (begin_fetch) begin
      left_q     <= left_q - C_ONE;
      req_left_q <= BEATS[BB-1:0];
      got_q      <= {BB{1'b0}};
      if (fetch_slot_q) state1_q <= FETCH;
      else              state0_q <= FETCH;
    end
    if (ar_hs) begin
      req_left_q  <= req_left_q - {{(BB-1){1'b0}}, 1'b1};
      next_addr_q <= next_addr_q + BUS_BYTES[ADDR_BITS-1:0];
    end
    if (r_valid_i) got_q <= got_q + {{(BB-1){1'b0}}, 1'b1};
    if (got_all) begin
      if (fetch_slot_q) state1_q <= READY;
      else              state0_q <= READY;
      fetch_slot_q <= !fetch_slot_q;
    end

    // one cycle after the last beat the findings stand
    if (judged[0]) checked_q[0] <= 1'b1;
    if (judged[1]) checked_q[1] <= 1'b1;
    if (check != 2'b00) first_q <= 1'b0;

    fenced_q <= (fenced_q || (run_ready && quiet_i)) && !run_done_i;
    if (load_hs) loaded_q[load_slot_o] <= 1'b1;
    if (run_done_i) begin
      index_q    <= index_q + C_ONE;
      run_slot_q <= !run_slot_q;
      if (run_slot_q) state1_q <= DRAIN;
      else            state0_q <= DRAIN;
    end
    if (state0_q == DRAIN && !ctx_busy_i[0]) begin
      state0_q     <= EMPTY;
      checked_q[0] <= 1'b0;
      loaded_q[0]  <= 1'b0;
    end
    if (state1_q == DRAIN && !ctx_busy_i[1]) begin
      state1_q     <= EMPTY;
      checked_q[1] <= 1'b0;
      loaded_q[1]  <= 1'b0;
    end
    if (rst_i) begin
      // idle: a start finds slot 0 as the registers are, fetched and checked, or about to come
      state0_q     <= from_regs ? REG_STATE : EMPTY;
      state1_q     <= EMPTY;
      checked_q    <= {1'b0, from_regs && STRIDES != 0};
      loaded_q     <= 2'b00;
      index_q      <= {CB{1'b0}};
      left_q       <= list_count_i[CB-1:0];
      first_q      <= 1'b1;
      run_slot_q   <= 1'b0;
      fetch_slot_q <= 1'b0;
      req_left_q   <= {BB{1'b0}};
      fenced_q     <= 1'b0;
      next_addr_q  <= list_addr_i;
    end
  end
endmodule
`default_nettype wire
