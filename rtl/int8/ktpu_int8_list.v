// Walks the descriptor list: two slots, one running and one being prepared, so that descriptor,
// program and loads of the next are under way while the present one computes. A slot is reused
// when no queued load or mvout needs it any more.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module ktpu_int8_list #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer STRIDES   = 1,
  parameter integer ADDR_BITS = 32,
  parameter integer AW        = 7
) (
  input  wire                   clk_i,
  input  wire                   rst_i,         // also held while idle
  input  wire                   stop_i,        // a fault: prepare and run nothing more

  input  wire [ADDR_BITS-1:0]   list_addr_i,
  input  wire [31:0]            list_count_i,  // 0: the register descriptor
  input  wire [511:0]           desc_i,        // the register descriptor

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
  input  wire                   run_known_i,   // its program is in imem or on its way
  input  wire                   run_done_i,
  input  wire                   quiet_i,       // every earlier write has its response

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

  localparam integer WPB   = BUS_BITS / 32;            // descriptor words a beat
  localparam integer BEATS = 16 / WPB;
  localparam integer BB    = $clog2(BEATS + 1);
  localparam [BB-1:0] LAST_BEAT = BEATS[BB-1:0] - {{(BB-1){1'b0}}, 1'b1};
  localparam integer KEEP  = 9;                        // words with a meaning
  localparam [15:0]  ROW_BYTES  = MAXDIM[15:0];
  localparam [15:0]  WIDE_BYTES = {MAXDIM[13:0], 2'b00};

  localparam [1:0] EMPTY = 2'd0;      // free
  localparam [1:0] FETCH = 2'd1;      // descriptor on its way
  localparam [1:0] READY = 2'd2;      // to run or running
  localparam [1:0] DRAIN = 2'd3;      // dispatched, still needed by queued loads and mvouts

  wire from_regs = list_count_i == 32'd0;
  wire [31:0] total = from_regs ? 32'd1 : list_count_i;

  reg [1:0]        state0_q, state1_q;
  reg [KEEP*32-1:0] word0_q, word1_q;
  reg [31:0]       index_q;           // running
  reg [31:0]       fetched_q;         // descriptors requested so far
  reg              run_slot_q;
  reg [1:0]        loaded_q;          // the slot's program has been handed to the fetch
  reg [ADDR_BITS-1:0] next_addr_q;    // of the next descriptor beat to request
  reg              fetch_slot_q;
  reg [BB-1:0]     req_left_q, got_q;
  reg              rest_q;
  reg [3:0]        rest_word_q;
  reg [31:0]       rest_value_q;
  reg              check_slot_q;      // slot under check
  reg [1:0]        checked_q;         // the slot's findings below are final
  wire             bad;
  reg              bad_q;
  reg [7:0]        code_q, sub_q;
  reg [31:0]       arg_q;
  wire [7:0]       code, sub;
  wire [31:0]      arg;

  // ---- fetch a descriptor into the free slot
  wire [1:0] next_state = fetch_slot_q ? state1_q : state0_q;
  wire begin_fetch = !from_regs && !stop_i && !list_bad && !bad_q && next_state == EMPTY &&
                     fetched_q != total;
  wire got_beat = r_valid_i;
  wire got_all  = got_beat && got_q == LAST_BEAT;
  assign ar_valid_o = req_left_q != {BB{1'b0}} && !stop_i;
  assign ar_addr_o  = next_addr_q;
  localparam integer BUS_BYTES = BUS_BITS / 8;
  wire ar_hs = ar_valid_o && ar_ready_i;
  localparam integer BBL = $clog2(BUS_BYTES);
  wire list_bad = !from_regs && list_addr_i[BBL-1:0] != {BBL{1'b0}};

  integer k, n;
  reg [KEEP*32-1:0] fill;
  reg               rest_d;
  reg [3:0]         rest_word_d;
  reg [31:0]        rest_value_d;
  always @* begin
    fill         = fetch_slot_q ? word1_q : word0_q;
    rest_d       = (got_q == {BB{1'b0}}) ? 1'b0 : rest_q;
    rest_word_d  = rest_word_q;
    rest_value_d = rest_value_q;
    for (k = 0; k < WPB; k = k + 1) begin
      for (n = 0; n < 16; n = n + 1)
        if (n % WPB == k && {{(32-BB){1'b0}}, got_q} == n / WPB) begin
          if (n < KEEP) fill[n*32 +: 32] = r_data_i[k*32 +: 32];
          else if (!rest_d && r_data_i[k*32 +: 32] != 32'd0) begin
            rest_d       = 1'b1;
            rest_word_d  = n[3:0];
            rest_value_d = r_data_i[k*32 +: 32];
          end
        end
    end
  end

  // the same for the register descriptor
  integer m;
  reg        reg_rest;
  reg [3:0]  reg_rest_word;
  reg [31:0] reg_rest_value;
  always @* begin
    reg_rest       = 1'b0;
    reg_rest_word  = 4'd0;
    reg_rest_value = 32'd0;
    for (m = 15; m >= KEEP; m = m - 1)
      if (desc_i[m*32 +: 32] != 32'd0) begin
        reg_rest       = 1'b1;
        reg_rest_word  = m[3:0];
        reg_rest_value = desc_i[m*32 +: 32];
      end
  end

  // ---- check
  wire [KEEP*32-1:0] check_words = check_slot_q ? word1_q : word0_q;
  ktpu_int8_desc #(
    .T(T), .IMEM_SIZE(IMEM_SIZE), .BUS_BITS(BUS_BITS), .STRIDES(STRIDES), .ADDR_BITS(ADDR_BITS)
  ) u_check (
    .word_i(check_words), .rest_i(rest_q), .rest_word_i(rest_word_q), .rest_value_i(rest_value_q),
    .first_i(fetched_q <= 32'd1),
    .bad_o(bad), .code_o(code), .sub_o(sub), .arg_o(arg)
  );

  // ---- run
  wire [1:0] run_state = run_slot_q ? state1_q : state0_q;
  wire run_ready   = run_state == READY && checked_q[run_slot_q];
  wire run_bad     = bad_q && run_slot_q == check_slot_q;
  wire [31:0] run_flags = run_slot_q ? word1_q[8*32 +: 32] : word0_q[8*32 +: 32];
  wire fence       = run_flags[KT_FLAG_FENCE_LSB];
  reg  fenced_q;                       // the fence of the running descriptor has been passed
  assign run_o       = run_ready && !run_bad && !stop_i && run_known_i && (!fence || fenced_q);
  assign run_slot_o  = run_slot_q;
  assign run_fresh_o = !run_flags[KT_FLAG_CONTINUE_LSB];
  assign all_run_o   = index_q == total;
  assign index_o     = index_q;
  assign waiting_o   = !all_run_o && !run_o;

  assign fault_valid_o = !stop_i && ((list_bad && index_q == 32'd0) || (run_ready && run_bad));
  assign fault_code_o  = list_bad ? KT_FAULT_ALIGNMENT : code_q;
  assign fault_sub_o   = list_bad ? 8'd16 : sub_q;
  assign fault_arg_o   = list_bad ? {{(32-ADDR_BITS){1'b0}}, list_addr_i} : arg_q;

  // ---- hand checked programs to the fetch, oldest first
  wire load_first = !loaded_q[run_slot_q];
  wire load_slot  = load_first ? run_slot_q : !run_slot_q;
  wire [1:0] load_state = load_slot ? state1_q : state0_q;
  wire load_bad = bad_q && load_slot == check_slot_q;
  assign load_slot_o  = load_slot;
  assign load_valid_o = !stop_i && load_state == READY && checked_q[load_slot] && !load_bad &&
                        !loaded_q[load_slot];
  assign load_addr_o  = load_slot ? word1_q[ADDR_BITS-1:0] : word0_q[ADDR_BITS-1:0];
  assign load_words_o = load_slot ? word1_q[32 +: AW+1] : word0_q[32 +: AW+1];
  wire load_hs = load_valid_o && load_ready_i;

  always @(posedge clk_i) begin
    if (begin_fetch) begin
      fetched_q  <= fetched_q + 32'd1;
      req_left_q <= BEATS[BB-1:0];
      got_q      <= {BB{1'b0}};
      if (fetch_slot_q) state1_q <= FETCH;
      else              state0_q <= FETCH;
    end
    if (ar_hs) begin
      req_left_q  <= req_left_q - {{(BB-1){1'b0}}, 1'b1};
      next_addr_q <= next_addr_q + BUS_BYTES[ADDR_BITS-1:0];
    end
    if (got_beat) got_q <= got_q + {{(BB-1){1'b0}}, 1'b1};
    if (got_all) begin
      if (fetch_slot_q) state1_q <= READY;
      else              state0_q <= READY;
      fetch_slot_q <= !fetch_slot_q;
      check_slot_q <= fetch_slot_q;
    end

    // one cycle after the last beat the findings stand
    bad_q <= bad_q || (bad && !checked_q[check_slot_q] &&
                       (check_slot_q ? state1_q : state0_q) == READY);
    if ((check_slot_q ? state1_q : state0_q) == READY) checked_q[check_slot_q] <= 1'b1;

    fenced_q <= (fenced_q || (run_ready && quiet_i)) && !run_done_i;
    if (load_hs) loaded_q[load_slot] <= 1'b1;
    if (run_done_i) begin
      index_q    <= index_q + 32'd1;
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
      // idle: slot 0 follows the registers, so that a start finds it fetched and checked
      state0_q     <= from_regs ? READY : EMPTY;
      state1_q     <= EMPTY;
      checked_q    <= {1'b0, from_regs};
      loaded_q     <= 2'b00;
      bad_q        <= from_regs && bad;
      index_q      <= 32'd0;
      fetched_q    <= 32'd0;
      run_slot_q   <= 1'b0;
      fetch_slot_q <= 1'b0;
      check_slot_q <= 1'b0;
      req_left_q   <= {BB{1'b0}};
      fenced_q     <= 1'b0;
      next_addr_q  <= list_addr_i;
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      word0_q      <= desc_i[KEEP*32-1:0];
      rest_q       <= reg_rest;
      rest_word_q  <= reg_rest_word;
      rest_value_q <= reg_rest_value;
    end else if (got_beat) begin
      if (fetch_slot_q) word1_q <= fill;
      else              word0_q <= fill;
      rest_q       <= rest_d;
      rest_word_q  <= rest_word_d;
      rest_value_q <= rest_value_d;
    end
    if (rst_i || !bad_q) begin
      code_q <= code;
      sub_q  <= sub;
      arg_q  <= arg;
    end
  end

  // ---- contexts
  assign base_a_o = {word1_q[2*32 +: ADDR_BITS], word0_q[2*32 +: ADDR_BITS]};
  assign base_b_o = {word1_q[3*32 +: ADDR_BITS], word0_q[3*32 +: ADDR_BITS]};
  assign base_c_o = {word1_q[4*32 +: ADDR_BITS], word0_q[4*32 +: ADDR_BITS]};

  function [15:0] stride(input [15:0] given, input [15:0] otherwise);
    stride = (STRIDES == 0 || given == 16'd0) ? otherwise : given;
  endfunction
  genvar s;
  generate
    for (s = 0; s < 2; s = s + 1) begin : g_ctx
      wire [95:0] strides = (s == 0) ? word0_q[5*32 +: 96] : word1_q[5*32 +: 96];
      wire [31:0] flags   = (s == 0) ? word0_q[8*32 +: 32] : word1_q[8*32 +: 32];
      wire [1:0]  form    = flags[KT_FLAG_FORM_LSB +: KT_FLAG_FORM_BITS];
      wire unused = &{1'b0, strides[31:16], strides[63:48], strides[95:80], flags};
      assign wide_o[s]    = form == KT_FORM_INT32;
      assign shifted_o[s] = form == KT_FORM_INT8_SHIFT;
      assign shift_o[s*5 +: 5] = flags[KT_FLAG_SHIFT_LSB +: KT_FLAG_SHIFT_BITS];
      assign stride_a_o[s*16 +: 16] = stride(strides[15:0], ROW_BYTES);
      assign stride_b_o[s*16 +: 16] = stride(strides[47:32], ROW_BYTES);
      assign stride_c_o[s*16 +: 16] = stride(strides[79:64], wide_o[s] ? WIDE_BYTES : ROW_BYTES);
    end
  endgenerate
endmodule
`default_nettype wire
