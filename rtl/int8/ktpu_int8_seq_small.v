// SPDX-License-Identifier: Apache-2.0
// The sequencer of small builds: what ktpu_int8_seq does, one thing a cycle. It has no instruction
// buffer (the address terms stay in the instruction memory's output register), resolves and checks
// the fields one by one with one adder, and keeps the loop stack and the sums that the header is
// compared with in one block RAM.
// Six cycles an instruction without address terms, two for a loop's; a term of the innermost loop
// costs one and one a bit of its induction variable, another loop's one more. Comparing the header
// takes 17 cycles.
`default_nettype none
module ktpu_int8_seq_small #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 16,
  parameter integer SPAD_ROWS = 64,
  parameter integer NVR       = 64,
  parameter integer NAR       = 128,
  parameter integer IMEM_SIZE = 104,
  parameter integer AW        = 7,     // bits of an imem word address
  parameter integer PC_BITS   = 6
) (
  input  wire                clk_i,
  input  wire                rst_i,

  // the program to run: level, until done_o or fault_valid_o
  input  wire                run_i,
  input  wire [AW-1:0]       run_base_i,    // imem address of its header
  input  wire [PC_BITS-1:0]  run_n_i,       // instructions
  input  wire [PC_BITS-1:0]  avail_i,       // instructions in imem
  input  wire                hdr_avail_i,   // the header is in imem
  output wire                done_o,
  output wire [PC_BITS-1:0]  want_pc_o,     // instruction to be read next, or being checked
  output wire                want_hdr_o,

  output wire                im_re_o,
  output wire [AW-1:0]       im_addr_o,
  input  wire [63:0]         im_data_i,

  output wire                ld_valid_o,
  input  wire                ld_ready_i,
  output wire                ex_valid_o,
  input  wire                ex_ready_i,
  output wire                st_valid_o,
  input  wire                st_ready_i,
  output wire [5:0]          op_o,
  output wire [43:0]         field_o,       // f0..f3, 11 bits each, f0 lowest
  output wire [6:0]          nr_o,

  output wire                fault_valid_o,
  output wire [7:0]          fault_code_o,
  output wire [7:0]          fault_sub_o,
  output wire [31:0]         fault_arg_o,
  output wire [15:0]         fault_instr_o,

  output wire [2:0]          state_o,       // for the counters
  output wire                step_o         // progress
);
  `include "ktpu_tinytpu.vh"

  localparam integer FW   = 14;             // of a field under resolution, as in ktpu_int8_seq
  localparam integer SPAN = $clog2(MAXDIM + 1);
  localparam [PC_BITS-1:0] PC_ONE = {{(PC_BITS-1){1'b0}}, 1'b1};

  localparam [3:0] S_IDLE  = 4'd0;
  localparam [3:0] S_SKIP  = 4'd1;          // steps over the header
  localparam [3:0] S_GET   = 4'd2;          // reads word 0 when it is there
  localparam [3:0] S_LOAD  = 4'd3;          // takes word 0, reads word 1
  localparam [3:0] S_CHECK = 4'd4;          // opcode, nr, the next term, loops, field 0
  localparam [3:0] S_AGU   = 4'd6;          // multiplies and adds
  localparam [3:0] S_FIELD = 4'd7;          // checks fields 1 to 3
  localparam [3:0] S_SEND  = 4'd8;          // waits for its queue, reads the next word 0
  localparam [3:0] S_LATE  = 4'd9;          // reports a field
  localparam [3:0] S_HEAD  = 4'd10;         // compares the header
  localparam [3:0] S_FAULT = 4'd11;

  reg [3:0] state_q;

  // ---- the instruction at work
  reg [5:0]         op_q;
  reg [7:0]         nr_q;
  reg [FW-1:0]      field_q [0:3];
  reg [AW-1:0]      addr_q;       // imem address of the next word
  reg [PC_BITS-1:0] pc_q;         // index of the next instruction to be read
  reg [2:0]         depth_q;      // loops open
  reg [2:0]         added_q;      // terms dealt with
  reg [6:0]         mult_q;
  reg [FW-1:0]      addend_q;
  reg [1:0]         sel_q;        // field under check

  wire is_loop    = op_q == KT_OP_LOOP;
  wire is_endloop = op_q == KT_OP_ENDLOOP;
  wire is_nop     = op_q == KT_OP_NOP;
  wire is_control = is_loop || is_endloop || is_nop;
  wire is_ld      = op_q == KT_OP_DMA_LD;
  wire is_vld     = op_q == KT_OP_VLD;
  wire is_mm      = op_q == KT_OP_MM;
  wire is_vrelu   = op_q == KT_OP_VRELU;
  wire is_st      = op_q == KT_OP_MVOUT;
  wire [6:0] less = nr_q[6:0] - 7'd1;

  // ---- terms: one at a time
  wire [2:0]  has_term = {im_data_i[41:38] != 4'd0, im_data_i[22:19] != 4'd0,
                          im_data_i[3:0] != 4'd0};
  wire [2:0]  todo = has_term & ~added_q;
  wire [1:0]  pick = todo[0] ? 2'd0 : todo[1] ? 2'd1 : 2'd2;
  wire [18:0] term = (todo[0]) ? im_data_i[18:0] : todo[1] ? im_data_i[37:19] : im_data_i[56:38];
  wire [1:0]  target = term[1:0] - 2'd1;
  wire        agu_last = mult_q[6:1] == 6'd0;

  wire        early_bad;
  wire [7:0]  early_code, early_sub;
  wire [31:0] early_arg;
  ktpu_int8_early u_early (
    .en_i(state_q == S_CHECK), .op_i(op_q), .nr_i(nr_q), .terms_i({38'd0, term}),
    .depth_i(depth_q), .bad_o(early_bad), .code_o(early_code), .sub_o(early_sub),
    .arg_o(early_arg)
  );
  wire early_term = early_code == KT_FAULT_TERM_FORBIDDEN || early_code == KT_FAULT_TERM_TARGET ||
                    early_code == KT_FAULT_TERM_LEVEL;

  // ---- fields: one adder for terms and for the rows an operand takes
  wire          adding = state_q == S_AGU;
  wire [1:0]    sel    = adding ? target : sel_q;
  wire [FW-1:0] value  = field_q[sel];
  wire          rows, tall, field_bad;
  wire [7:0]    field_code;
  localparam [6:0] TALL = T[6:0] - 7'd1;
  wire [6:0]    more   = tall ? TALL : less;
  wire [FW-1:0] sum    = value + (adding ? addend_q : {{(FW-7){1'b0}}, more & {7{rows}}});
  ktpu_int8_field #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .FW(FW)
  ) u_field (
    .op_i(op_q), .sel_i(sel_q), .to_vr_i(field_q[0][KT_MODE_VR_BIT]),
    .range_i(value[FW-1:11] != {(FW-11){1'b0}}),
    .rows_o(rows), .tall_o(tall), .sum_i(sum), .bad_o(field_bad), .code_o(field_code)
  );

  assign op_o    = op_q;
  assign nr_o    = nr_q[6:0];
  assign field_o = {field_q[3][10:0], field_q[2][10:0], field_q[1][10:0], field_q[0][10:0]};

  localparam integer W = 14 + PC_BITS + AW;
  reg  [4:0]    row_q;                      // of the table below: read in the cycle before
  wire [W-1:0]  have;                       // ... and what it holds

  // ---- what the state machine does this cycle
  wire ready    = pc_q < avail_i;
  wire finished = state_q == S_GET && pc_q == run_n_i;
  wire open_bad = finished && depth_q != 3'd0;
  wire checked  = state_q == S_CHECK && !early_bad && todo == 3'b000;
  wire have_iv  = row_q == {3'b100, term[5:4]};      // the table shows the term's loop
  wire multiply = state_q == S_CHECK && todo != 3'b000 && have_iv;
  wire iv_zero  = have[6:0] == 7'd0;
  wire control_done = checked && is_control;

  assign ld_valid_o = state_q == S_SEND && is_ld;
  assign st_valid_o = state_q == S_SEND && is_st;
  assign ex_valid_o = state_q == S_SEND && !is_ld && !is_st;
  wire sent = (ld_valid_o && ld_ready_i) || (st_valid_o && st_ready_i) ||
              (ex_valid_o && ex_ready_i);
  wire begin_program = state_q == S_IDLE && run_i;
  // word 0 of the next instruction is read
  wire take = (ready && ((state_q == S_GET && table_ready) || sent || control_done)) || branch;

  // ---- one table: a loop level is {body address, body index, last value, induction variable},
  // a sum 17 bits whose top one sticks. A row is read in one cycle and may be written in the next.
  localparam [3:0] E_ROWS = 4'd0;           // mm_rows; 1..7 are the header words' first counts
  localparam [3:0] E_A    = 4'd7;           // a_span
  localparam [3:0] E_B    = 4'd8;           // b_span
  localparam [3:0] E_ZERO = 4'd9;           // never anything but 0
  reg  [3:0]   clear_q;                     // rows cleared since reset
  reg          touch_q;                     // ... is to be added to
  reg  [4:0]   row;
  reg          touch;
  wire         table_ready = clear_q == 4'd10;

  reg  [3:0] head_q;                        // see below
  reg        half_q;
  wire       head_go;
  wire       head_cmp;

  wire to_vr  = field_q[0][KT_MODE_VR_BIT];
  wire from_b = field_q[0][KT_MODE_B_BIT];
  wire vector = !is_ld && !is_vld;
  wire opens  = im_data_i[KT_W0_OP_LSB +: KT_W0_OP_BITS] == KT_OP_LOOP;
  reg [2:0] slot;
  always @* begin
    slot = (state_q == S_SEND) ? 3'd4 : {1'b0, sel_q};
    case (slot)
      3'd0:    row = is_mm ? {2'b00, KT_HDR_MM_COUNT_WORD[2:0]} : {1'b0, from_b ? E_B : E_A};
      3'd1:    row = is_ld ? {2'b00, KT_HDR_DMA_LD_ROWS_WORD[2:0]}
                           : {2'b00, KT_HDR_SPM_ROWS_WORD[2:0]};
      3'd2:    row = (is_ld && !to_vr) ? {2'b00, KT_HDR_SPM_ROWS_WORD[2:0]}
                                       : {2'b00, KT_HDR_VRU_WORDS_WORD[2:0]};
      3'd3:    row = {2'b00, KT_HDR_ACCU_ITERATIONS_WORD[2:0]};
      default: row = is_mm ? {1'b0, E_ROWS} : {2'b00, KT_HDR_DMA_ST_ROWS_WORD[2:0]};
    endcase
    case (slot)
      3'd0:    touch = is_mm || is_ld;
      3'd1:    touch = is_mm || is_ld || is_vld;
      3'd2:    touch = is_mm || is_ld || is_vld;
      3'd3:    touch = vector;
      default: touch = is_mm || is_st;
    endcase
    if (!(checked && !is_control) && state_q != S_FIELD && !sent) touch = 1'b0;
    if (state_q == S_LOAD) row = {3'b100, depth_q[1:0] - {1'b0, !opens}};
    if ((state_q == S_CHECK && todo != 3'b000) || adding) row = {3'b100, term[5:4]};
    if (state_q == S_HEAD)
      row = !half_q ? {1'b0, head_q} : (head_q == 4'd4) ? {1'b0, E_ROWS} :
            (head_q == 4'd7) ? {1'b0, E_B} : {1'b0, E_ZERO};
  end

  localparam integer WEIGHT_STEPS_I = T + 1;
  reg [7:0] step;
  always @* begin
    step = nr_q;
    if (state_q == S_CHECK) step = 8'd1;                              // endloop
    if (state_q == S_FIELD) case (sel_q)                              // slots, a cycle later
      2'd1:    if (is_mm) step = 8'd1;
      2'd2:    if (is_mm) step = WEIGHT_STEPS_I[7:0];
      default: step = nr_q;
    endcase
    if (state_q == S_SEND && !is_mm && !is_vrelu && !is_st) step = {nr_q[6:0], 1'b0};
  end
  wire [16:0] plus = {1'b0, have[15:0]} + {9'd0, step};
  wire [SPAN-1:0] span = sum[SPAN-1:0] + {{(SPAN-1){1'b0}}, 1'b1};    // sel_q is dram_row0
  wire at_span = state_q == S_FIELD && sel_q == 2'd1 && is_ld;
  wire loop_again = have[6:0] != have[13:7];
  wire branch  = control_done && is_endloop && loop_again;
  wire push    = control_done && is_loop;

  reg [W-1:0] put;
  always @* begin
    put = {have[W-1:17], have[16] | plus[16], plus[15:0]};
    if (at_span) put = {{(W-SPAN){1'b0}}, span};
    if (push)    put = {addr_q, pc_q, less, 7'd0};
    if (!table_ready || state_q == S_HEAD) put = {W{1'b0}};
  end
  wire write = !table_ready || branch || push || (head_cmp && !first) ||
               (touch_q && (!at_span || span > have[SPAN-1:0]));
  ktpu_ram_sdp #(.WIDTH(W), .DEPTH(20)) u_table (
    .clk_i(clk_i), .we_i(write), .waddr_i(table_ready ? row_q : {1'b0, clear_q}), .wdata_i(put),
    .re_i(1'b1), .raddr_i(row), .rdata_o(have)
  );
  always @(posedge clk_i) begin
    row_q   <= row;
    touch_q <= touch;
    if (!table_ready) clear_q <= clear_q + 4'd1;
    if (rst_i) clear_q <= 4'd0;
  end

  // ---- header: a word is read, its low and its high count compared in the next two cycles
  reg        cmp_q, cmp_half_q;             // a count of word cmp_word_q is under comparison
  reg  [2:0] cmp_word_q;
  reg        rest_seen_q;
  reg  [2:0] rest_word_q;
  assign head_go  = state_q == S_HEAD && hdr_avail_i && !head_q[3];
  assign head_cmp = state_q == S_HEAD && cmp_q;
  wire [15:0] promised = cmp_half_q ? im_data_i[31:16] : im_data_i[15:0];
  wire        counts   = !cmp_half_q || cmp_word_q == 3'd4 || cmp_word_q == 3'd7;
  wire        first    = !cmp_half_q && cmp_word_q == 3'd0;
  wire [16:0] found17  = first ? {{(17-PC_BITS){1'b0}}, run_n_i} : have[16:0];
  wire [15:0] found    = found17[15:0] | {16{found17[16]}};
  wire        differs  = {1'b0, promised} != found17;
  wire        rest_bad = (differs && !counts) || im_data_i[63:32] != 32'd0;
  wire        head_end = head_cmp && cmp_half_q && cmp_word_q == 3'd7;
  wire        count_bad = head_cmp && counts && differs;
  wire        head_rest = head_end && (rest_seen_q || rest_bad);
  wire        head_bad  = count_bad || head_rest;
  wire [2:0]  rest_word = rest_seen_q ? rest_word_q : cmp_word_q;
  // slots: a first count has its word's number, from word 5 on one more; a second one more again
  wire [3:0]  slot_no = {1'b0, cmp_word_q} + {3'd0, cmp_word_q > 3'd4} + {3'd0, cmp_half_q};
  assign done_o     = head_end && !head_bad;
  assign want_hdr_o = state_q == S_HEAD;
  assign want_pc_o  = pc_q;

  // ---- instruction memory
  localparam [AW:0] SIZE = IMEM_SIZE[AW:0];
  wire          skip      = state_q == S_SKIP;
  wire [AW:0]   addr_sum  = {1'b0, im_addr_o} + {{(AW-3){1'b0}}, skip, 2'b00, !skip};
  wire [AW:0]   addr_wrap = addr_sum - SIZE;
  wire          unused_wrap = &{1'b0, addr_wrap[AW]};
  assign im_re_o   = take || state_q == S_LOAD || (head_go && !half_q);
  assign im_addr_o = branch ? have[W-1 -: AW] : addr_q;

  // ---- faults
  wire early = state_q == S_CHECK && early_bad;
  wire late  = state_q == S_LATE;
  assign fault_valid_o = early || late || open_bad || head_bad;
  assign fault_code_o  = (state_q == S_GET) ? KT_FAULT_LOOP_OPEN :
                         (state_q == S_HEAD) ? KT_FAULT_HEADER : late ? field_code : early_code;
  assign fault_sub_o   = (state_q == S_GET) ? 8'd0 :
                         (state_q == S_HEAD) ? {4'd0, count_bad ? slot_no : KT_HDR_UNUSED} :
                         late ? {6'd0, sel_q} : early_term ? {6'd0, pick} : early_sub;
  assign fault_arg_o   =
    (state_q == S_GET) ? {29'd0, depth_q} :
    (state_q == S_HEAD) ? (count_bad ? {promised, found} : {29'd0, rest_word}) :
    late ? {{(32-FW){1'b0}}, sum} : early_arg;
  wire [PC_BITS-1:0] pc_back = {PC_BITS{state_q == S_CHECK || late}};  // it has been read
  assign fault_instr_o = {{(16-PC_BITS){1'b0}}, pc_q + pc_back};

  always @(posedge clk_i) begin
    case (state_q)
      S_IDLE:  if (run_i) state_q <= S_SKIP;
      S_SKIP:  state_q <= S_GET;
      S_GET:   if (finished) state_q <= S_HEAD;
               else if (take) state_q <= S_LOAD;
      S_LOAD:  state_q <= S_CHECK;
      S_CHECK: if (todo != 3'b000) state_q <= (multiply && !iv_zero) ? S_AGU : S_CHECK;
               else if (is_control) state_q <= take ? S_LOAD : S_GET;
               else state_q <= field_bad ? S_LATE : S_FIELD;
      S_AGU:   if (agu_last) state_q <= S_CHECK;
      S_FIELD: if (field_bad) state_q <= S_LATE;
               else if (sel_q == 2'd3) state_q <= S_SEND;
      S_SEND:  if (sent) state_q <= take ? S_LOAD : S_GET;
      S_HEAD:  if (done_o) state_q <= S_IDLE;
      default: state_q <= S_FAULT;
    endcase
    if (fault_valid_o) state_q <= S_FAULT;
    if (rst_i) state_q <= S_IDLE;
  end

  always @(posedge clk_i) begin
    if (begin_program) pc_q <= {PC_BITS{1'b0}};
    else if (branch) pc_q <= have[14 +: PC_BITS];
    else if (state_q == S_LOAD) pc_q <= pc_q + PC_ONE;

    if (state_q == S_IDLE || finished) addr_q <= run_base_i;
    else if (im_re_o || skip) addr_q <= (addr_sum >= SIZE) ? addr_wrap[AW-1:0] : addr_sum[AW-1:0];

    if (begin_program) depth_q <= 3'd0;
    else if (push) depth_q <= depth_q + 3'd1;
    else if (control_done && is_endloop && !loop_again) depth_q <= depth_q - 3'd1;

    if (state_q != S_HEAD) begin
      head_q      <= 4'd0;
      half_q      <= 1'b0;
      cmp_q       <= 1'b0;
      rest_seen_q <= 1'b0;
    end else begin
      cmp_q <= head_go;
      if (head_go) begin
        half_q <= !half_q;
        if (half_q) head_q <= head_q + 4'd1;
      end
      if (head_cmp && rest_bad && !rest_seen_q) begin
        rest_seen_q <= 1'b1;
        rest_word_q <= cmp_word_q;
      end
    end
    cmp_half_q <= half_q;
    cmp_word_q <= head_q[2:0];
  end

  always @(posedge clk_i) begin
    if (state_q == S_LOAD) begin
      op_q       <= im_data_i[KT_W0_OP_LSB +: KT_W0_OP_BITS];
      field_q[0] <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F0_LSB +: 12]};
      field_q[1] <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F1_LSB +: 12]};
      field_q[2] <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F2_LSB +: 12]};
      field_q[3] <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F3_LSB +: 12]};
      nr_q       <= im_data_i[KT_W0_NR_LSB +: KT_W0_NR_BITS];
    end else if (adding && mult_q[0]) begin
      field_q[target] <= sum;
    end
    if (state_q == S_LOAD) added_q <= 3'b000;
    else if ((adding && agu_last) || (multiply && iv_zero))
      added_q <= added_q | (3'b001 << pick);
    if (adding) begin
      mult_q   <= mult_q >> 1;
      addend_q <= addend_q << 1;
    end else begin
      mult_q   <= have[6:0];
      addend_q <= {{(FW-12){1'b0}}, term[18:7]};
    end
    if (state_q == S_LOAD) sel_q <= 2'd0;
    else if (((checked && !is_control) || state_q == S_FIELD) && !field_bad) sel_q <= sel_q + 2'd1;
  end

  // ---- for the counters and the watchdog
  assign step_o  = sent || take || begin_program || head_cmp || control_done;
  assign state_o =
    (state_q == S_IDLE || state_q == S_FAULT) ? KT_STATE_NO_INSTRUCTION :
    (state_q == S_GET && !take) ? KT_STATE_WAIT_MEMORY :
    (state_q == S_HEAD && !hdr_avail_i) ? KT_STATE_WAIT_MEMORY :
    (state_q == S_SEND && !sent) ? KT_STATE_WAIT_DOWNSTREAM : KT_STATE_BUSY;
endmodule
`default_nettype wire
