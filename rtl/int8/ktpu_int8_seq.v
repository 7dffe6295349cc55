// SPDX-License-Identifier: Apache-2.0
// The sequencer: takes the running program's instructions in order, drives the loop stack, resolves
// addresses, checks everything and dispatches to the three queues. A faulting instruction and all
// later ones are never dispatched, which is what makes instruction faults precise. After the last
// instruction it compares the header's promises with what was dispatched.
// Two cycles an instruction without address terms; a term costs two more, or, in builds that
// multiply serially, one and one a bit of its induction variable. With PIPELINE = 1 there are two
// halves: this one decodes, loops and adds terms, three cycles and one a term, while the other
// (ktpu_int8_held) checks and sends the instruction before it, four cycles. Every check has a
// register behind it, and operands stand two cycles before their instruction is offered.
`default_nettype none
module ktpu_int8_seq #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 64,
  parameter integer SPAD_ROWS = 1024,
  parameter integer NVR       = 1024,
  parameter integer NAR       = 136,
  parameter integer IMEM_SIZE = 104,
  parameter integer BUS_BITS  = 64,
  parameter integer CONTRACTS = 1,
  parameter integer SERIAL_AGU = 0,    // multiply by shift and add, a bit a cycle
  parameter integer PIPELINE  = 0,
  parameter integer AW        = 7,     // bits of an imem word address
  parameter integer PC_BITS   = 6
) (
  input  wire                clk_i,
  input  wire                rst_i,

  // the program to run: level, until done_o or fault_valid_o
  input  wire                run_i,
  input  wire                run_fresh_i,   // it does not continue a chain
  input  wire [AW-1:0]       run_base_i,    // imem address of its header
  input  wire [PC_BITS-1:0]  run_n_i,       // instructions
  input  wire [PC_BITS-1:0]  avail_i,       // instructions in imem
  input  wire                hdr_avail_i,   // the header is in imem
  output wire                done_o,
  output wire [PC_BITS-1:0]  want_pc_o,     // instruction the fetch waits for, or will next
  output wire                want_hdr_o,

  output wire                im_re_o,
  output wire [AW-1:0]       im_addr_o,
  input  wire [BUS_BITS-1:0] im_data_i,

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

  // A field that passed in the iteration before is at most 2047, and an iteration adds at most
  // three strides: 2047 + 3 * 4095 < 2^14, so a sum never wraps before it faults.
  localparam integer FW = 14;
  localparam integer SPAN = $clog2(MAXDIM + 1);
  localparam [PC_BITS-1:0] PC_ONE = {{(PC_BITS-1){1'b0}}, 1'b1};
  localparam integer LB = KT_LOOP_DEPTH;

  localparam [5:0] S_IDLE  = 6'd0;          // the three that decide late have a bit each
  localparam [5:0] S_GET   = 6'd8;          // waits for an instruction
  localparam [5:0] S_CHECK = 6'd1;          // opcode, nr, terms, loops
  localparam [5:0] S_AGU   = 6'd16;         // adds terms
  localparam [5:0] S_FIELD = 6'd2;          // resolved fields are checked (here if PIPELINE = 0)
  localparam [5:0] S_SEND  = 6'd3;          // waits for its queue (likewise)
  localparam [5:0] S_HEAD  = 6'd4;          // compares the header
  localparam [5:0] S_FAULT = 6'd5;
  localparam [5:0] S_ACT   = 6'd32;         // PIPELINE: acts on what S_CHECK found
  reg [5:0] state_q;
  wire in_get = state_q[3], in_agu = state_q[4];

  // ---- instruction supply
  wire          ib_valid, ib_take, jump;
  wire [63:0]   ib_w0, ib_w1;
  wire [AW-1:0] ib_next, jump_addr;
  wire [PC_BITS-1:0] jump_pc;
  wire          hdr_re;
  wire [AW-1:0] hdr_addr;
  wire [63:0]   hdr_data;
  ktpu_int8_fetch_instr #(.IMEM_SIZE(IMEM_SIZE), .BUS_BITS(BUS_BITS), .AW(AW), .PC_BITS(PC_BITS),
    .PIPELINE(PIPELINE))
  u_fetch (
    .clk_i(clk_i), .rst_i(rst_i),
    .jump_i(jump), .jump_pc_i(jump_pc), .jump_addr_i(jump_addr),
    .enable_i(run_i && state_q != S_IDLE), .avail_i(avail_i),
    .valid_o(ib_valid), .take_i(ib_take), .word0_o(ib_w0), .word1_o(ib_w1),
    .next_addr_o(ib_next), .want_pc_o(want_pc_o),
    .hdr_re_i(hdr_re), .hdr_addr_i(hdr_addr), .hdr_data_o(hdr_data),
    .im_re_o(im_re_o), .im_addr_o(im_addr_o), .im_data_i(im_data_i)
  );

  // ---- the instruction at work
  reg [5:0]         op_q;
  reg [7:0]         nr_q;
  reg [FW-1:0]      field_q [0:3];
  reg [56:0]        terms_q;
  reg [AW-1:0]      next_q;       // imem address after it
  reg [PC_BITS-1:0] pc_q;         // its index; while waiting, the index of the next

  wire is_loop = op_q == KT_OP_LOOP, is_endloop = op_q == KT_OP_ENDLOOP;

  // ---- loop stack
  reg [2:0]         depth_q;
  reg [6:0]         iv_q   [0:LB-1];
  reg [6:0]         last_q [0:LB-1];     // last value of the induction variable
  reg [PC_BITS-1:0] body_pc_q [0:LB-1];
  reg [AW-1:0]      body_addr_q [0:LB-1];
  wire [1:0] top = depth_q[1:0] - 2'd1;
  wire       loop_again;

  // ---- checks that need no resolved field; acted on at once, or a cycle later from registers
  wire        act = (PIPELINE != 0) ? state_q[5] : state_q == S_CHECK;
  wire        early_bad, control, no_terms;
  wire [7:0]  early_code, early_sub;
  wire [31:0] early_arg;
  ktpu_int8_early #(.PIPELINE(PIPELINE)) u_early (
    .clk_i(clk_i), .en_i(state_q == S_CHECK || act), .op_i(op_q), .nr_i(nr_q), .terms_i(terms_q),
    .depth_i(depth_q), .again_i(iv_q[top] != last_q[top]),
    .again_o(loop_again), .control_o(control), .no_terms_o(no_terms),
    .bad_o(early_bad), .code_o(early_code), .sub_o(early_sub), .arg_o(early_arg)
  );

  // ---- address generation
  wire          agu_done, agu_add;
  wire [1:0]    agu_field;
  wire [FW-1:0] agu_addend;
  wire [2:0]    agu_has = (PIPELINE != 0) ?
    {ib_w1[41:38] != 4'd0, ib_w1[22:19] != 4'd0, ib_w1[3:0] != 4'd0} :
    {terms_q[41:38] != 4'd0, terms_q[22:19] != 4'd0, terms_q[3:0] != 4'd0};
  ktpu_int8_agu #(.FW(FW), .SERIAL(SERIAL_AGU), .PIPELINE(PIPELINE)) u_agu (
    .clk_i(clk_i), .load_i((PIPELINE != 0) ? ib_take : state_q == S_CHECK),
    .has_i(agu_has), .run_i(PIPELINE != 0 || in_agu), .terms_i(terms_q),
    .ivs_i({iv_q[3], iv_q[2], iv_q[1], iv_q[0]}),
    .done_o(agu_done), .add_o(agu_add), .field_o(agu_field), .addend_o(agu_addend)
  );

  // ---- the instruction whose addresses are resolved: this one, or the one before it
  wire [4*FW-1:0] fields = {field_q[3], field_q[2], field_q[1], field_q[0]};
  wire               put, held_free, in_field, to_send, in_send, sent;
  wire [5:0]         op;
  wire [6:0]         nr;
  wire [4*FW-1:0]    resolved;
  wire [PC_BITS-1:0] pc;
  wire [2:0]         go;                   // to be sent, if no contract is broken: to which queue
  wire resolved_now = act ? no_terms && !early_bad && !control : in_agu && agu_done;
  generate
    if (PIPELINE != 0) begin : g_held
      assign put = resolved_now && held_free;
      ktpu_int8_held #(.FW(FW), .PC_BITS(PC_BITS)) u_held (
        .clk_i(clk_i), .rst_i(rst_i || fault_valid_o),
        .put_i(put), .op_i(op_q), .nr_i(nr_q[6:0]), .fields_i(fields), .pc_i(pc_q),
        .free_o(held_free),
        .op_o(op), .nr_o(nr), .fields_o(resolved), .pc_o(pc),
        .field_o(in_field), .late_o(to_send), .bad_i(late_bad), .send_o(in_send), .go_o(go),
        .sent_i(sent)
      );
    end else begin : g_same
      assign put       = sent;
      assign held_free = 1'b1;
      assign {op, nr, resolved, pc} = {op_q, nr_q[6:0], fields, pc_q};
      assign to_send   = (act && resolved_now) || state_q == S_FIELD;
      assign in_field  = state_q == S_CHECK || state_q == S_FIELD;
      assign in_send   = state_q == S_SEND;
      wire is_ld = op == KT_OP_DMA_LD;
      wire is_st = op == KT_OP_MVOUT;
      assign go        = {3{in_send && !late_bad_q}} & {is_ld, is_st, !is_ld && !is_st};
    end
  endgenerate
  assign op_o    = op;
  assign nr_o    = nr;
  assign field_o = {resolved[3*FW +: 11], resolved[2*FW +: 11],
                    resolved[FW +: 11], resolved[0 +: 11]};

  // ---- checks of its fields, registered
  wire        late_bad;
  wire [7:0]  late_code;
  wire [1:0]  late_sub;
  wire [FW-1:0] late_arg;
  ktpu_int8_fields #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .FW(FW),
    .PIPELINE(PIPELINE)
  ) u_fields (
    .clk_i(clk_i), .take_i(put), .op_i(op_q), .nr_i(nr_q[6:0]),
    .en_i(in_field), .field_i(resolved),
    .bad_o(late_bad), .code_o(late_code), .sub_o(late_sub), .arg_o(late_arg)
  );
  reg          late_bad_q;
  reg [7:0]    late_code_q;
  reg [1:0]    late_sub_q;
  reg [FW-1:0] late_arg_q;
  always @(posedge clk_i)
    if (PIPELINE != 0 || in_field) begin
      late_bad_q  <= late_bad;
      late_code_q <= late_code;
      late_sub_q  <= late_sub;
      late_arg_q  <= late_arg;
    end

  wire       contract_bad, contract_ready;
  wire [7:0] contract_code, contract_sub;
  wire [10:0] contract_arg;
  wire       begin_program = state_q == S_IDLE && run_i;
  generate
    if (CONTRACTS != 0) begin : g_contracts
      ktpu_int8_contracts #(.T(T), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR)) u_contracts (
        .clk_i(clk_i), .clear_i(begin_program && run_fresh_i),
        .check_i(to_send && !late_bad), .commit_i(sent),
        .op_i(op), .field_i(field_o), .nr_i(nr),
        .bad_o(contract_bad), .ready_o(contract_ready), .code_o(contract_code),
        .sub_o(contract_sub), .arg_o(contract_arg)
      );
    end else begin : g_none
      wire unused = &{1'b0, run_fresh_i, to_send};
      assign contract_bad   = 1'b0;
      assign contract_ready = 1'b1;
      assign contract_code  = 8'd0;
      assign contract_sub   = 8'd0;
      assign contract_arg   = 11'd0;
    end
  endgenerate

  // ---- dispatch
  wire clean  = go != 3'd0 && !contract_bad;
  assign {ld_valid_o, st_valid_o, ex_valid_o} = go & {3{!contract_bad}};
  assign sent = (ld_valid_o && ld_ready_i) || (st_valid_o && st_ready_i) ||
                (ex_valid_o && ex_ready_i);

  // ---- header
  reg  [3:0] head_q;              // word being read; the one before is compared
  reg        rest_seen_q;
  reg  [2:0] rest_word_q;
  wire [2:0] read_word = head_q[2:0] - 3'd1;
  wire [2:0] head_word;
  wire [31:0] promised;
  wire       lo_bad, hi_bad, rest_bad, found_cmp;
  wire [3:0] lo_slot, hi_slot;
  wire [15:0] lo_found, hi_found;
  reg        sent_q;              // an instruction's operands outlast it by a cycle
  always @(posedge clk_i) sent_q <= sent;
  wire head_go   = state_q == S_HEAD && hdr_avail_i && head_q != 4'd9;
  wire read_cmp  = head_go && head_q != 4'd0;
  ktpu_int8_header #(.T(T), .SPAN(SPAN), .PIPELINE(PIPELINE)) u_header (
    .clk_i(clk_i), .clear_i(begin_program),
    .add_i((PIPELINE != 0) ? sent_q : sent), .op_i(op), .mode_i(field_o[1:0]),
    .row0_i(field_o[21:11]), .nr_i(nr),
    .cmp_i(read_cmp), .word_i(read_word), .promised_i(hdr_data),
    .n_instr_i({{(16-PC_BITS){1'b0}}, run_n_i}),
    .cmp_o(found_cmp), .word_o(head_word), .promised_o(promised),
    .lo_bad_o(lo_bad), .hi_bad_o(hi_bad), .rest_bad_o(rest_bad),
    .lo_slot_o(lo_slot), .hi_slot_o(hi_slot), .lo_found_o(lo_found), .hi_found_o(hi_found)
  );
  wire head_cmp  = found_cmp && state_q == S_HEAD;
  wire head_end  = head_cmp && head_word == 3'd7;
  wire [2:0] rest_word = rest_seen_q ? rest_word_q : head_word;
  wire head_rest = head_end && (rest_seen_q || rest_bad);
  wire head_bad  = head_cmp && (lo_bad || hi_bad || head_rest);
  localparam [AW:0] SIZE = IMEM_SIZE[AW:0];
  wire [AW:0] hdr_sum = {1'b0, run_base_i} + {{(AW-3){1'b0}}, head_q};
  wire [AW:0] hdr_wrap = hdr_sum - SIZE;
  wire unused_wrap = &{1'b0, hdr_wrap[AW], first_wrap[AW]};
  assign hdr_re   = head_go && !head_q[3];
  generate
    if (PIPELINE != 0) begin : g_hdr_count
      localparam [AW:0] LAST = SIZE - {{AW{1'b0}}, 1'b1};
      wire unused_sum = &{1'b0, hdr_sum, hdr_wrap};
      reg [AW-1:0] addr_q;
      always @(posedge clk_i)
        if (state_q != S_HEAD) addr_q <= run_base_i;
        else if (head_go)
          addr_q <= ({1'b0, addr_q} == LAST) ? {AW{1'b0}} : addr_q + {{(AW-1){1'b0}}, 1'b1};
      assign hdr_addr = addr_q;
    end else begin : g_hdr_sum
      assign hdr_addr = (hdr_sum >= SIZE) ? hdr_wrap[AW-1:0] : hdr_sum[AW-1:0];
    end
  endgenerate
  assign done_o   = head_end && !head_bad;
  assign want_hdr_o = state_q == S_HEAD;

  // ---- what the state machine does this cycle
  reg  at_end_q, at_last_q;          // PIPELINE: no more instructions, one more: known in time
  wire at_end   = (PIPELINE != 0) ? at_end_q : pc_q == run_n_i;
  wire finished = in_get && at_end && held_free;
  wire open_bad = finished && depth_q != 3'd0;
  wire early    = act && early_bad && held_free;
  wire late     = in_send && late_bad_q;
  wire broken   = in_send && !late_bad_q && contract_bad && contract_ready;
  wire control_done = act && !early_bad && control;
  wire branch   = control_done && is_endloop && loop_again;
  wire advance  = put || (control_done && !branch);
  wire [PC_BITS-1:0] pc_next = pc_q + PC_ONE;
  wire at_last  = (PIPELINE != 0) ? at_last_q : pc_next == run_n_i;
  assign ib_take = ib_valid && ((in_get && !at_end) || (advance && !at_last));

  // a program's first instruction follows its header
  wire [AW:0] first_sum  = {1'b0, run_base_i} + {{(AW-3){1'b0}}, KT_NHDR[3:0]};
  wire [AW:0] first_wrap = first_sum - SIZE;
  assign jump      = begin_program || branch;
  assign jump_pc   = begin_program ? {PC_BITS{1'b0}} : body_pc_q[top];
  assign jump_addr = begin_program ? ((first_sum >= SIZE) ? first_wrap[AW-1:0] : first_sum[AW-1:0])
                                   : body_addr_q[top];

  assign fault_valid_o = early || late || broken || open_bad || head_bad;
  assign fault_code_o  = open_bad ? KT_FAULT_LOOP_OPEN : head_bad ? KT_FAULT_HEADER :
                         early ? early_code : late ? late_code_q : contract_code;
  assign fault_sub_o   = open_bad ? 8'd0 :
                         head_bad ? {4'd0, lo_bad ? lo_slot : hi_bad ? hi_slot : KT_HDR_UNUSED} :
                         early ? early_sub : late ? {6'd0, late_sub_q} : contract_sub;
  assign fault_arg_o   =
    open_bad ? {29'd0, depth_q} :
    head_bad ? (lo_bad ? {promised[15:0], lo_found} : hi_bad ? {promised[31:16], hi_found} :
                {29'd0, rest_word}) :
    early ? early_arg : late ? {{(32-FW){1'b0}}, late_arg_q} : {21'd0, contract_arg};
  assign fault_instr_o = {{(16-PC_BITS){1'b0}}, (late || broken) ? pc : pc_q};

  always @(posedge clk_i) begin
    case (state_q)
      S_IDLE:  if (run_i) state_q <= S_GET;
      S_GET:   if (finished) state_q <= S_HEAD;
               else if (ib_take) state_q <= S_CHECK;
      S_CHECK: if (PIPELINE != 0) state_q <= S_ACT;
               else if (control) state_q <= ib_take ? S_CHECK : S_GET;
               else state_q <= no_terms ? S_SEND : S_AGU;
      S_ACT:   if (advance || branch) state_q <= ib_take ? S_CHECK : S_GET;
               else if (!no_terms && !early_bad) state_q <= S_AGU;
      S_AGU:   if (put) state_q <= ib_take ? S_CHECK : S_GET;
               else if (PIPELINE == 0 && agu_done) state_q <= S_FIELD;
      S_FIELD: state_q <= S_SEND;
      S_SEND:  if (sent) state_q <= ib_take ? S_CHECK : S_GET;
      S_HEAD:  if (done_o) state_q <= S_IDLE;
      default: state_q <= S_FAULT;
    endcase
    if (fault_valid_o) state_q <= S_FAULT;
    if (rst_i) state_q <= S_IDLE;
  end

  always @(posedge clk_i) begin
    at_last_q <= pc_next == run_n_i;
    at_end_q  <= !begin_program && !branch && (advance ? at_last_q : pc_q == run_n_i);
    if (begin_program) pc_q <= {PC_BITS{1'b0}};
    else if (branch) pc_q <= body_pc_q[top];
    else if (advance) pc_q <= pc_next;

    if (begin_program) depth_q <= 3'd0;
    else if (control_done && is_loop) depth_q <= depth_q + 3'd1;
    else if (control_done && is_endloop && !loop_again) depth_q <= depth_q - 3'd1;

    if (control_done && is_loop) begin
      iv_q[depth_q[1:0]]        <= 7'd0;
      last_q[depth_q[1:0]]      <= nr_q[6:0] - 7'd1;
      body_pc_q[depth_q[1:0]]   <= pc_next;
      body_addr_q[depth_q[1:0]] <= next_q;
    end
    if (branch) iv_q[top] <= iv_q[top] + 7'd1;

    if (state_q != S_HEAD) head_q <= 4'd0;
    else if (head_go) head_q <= head_q + 4'd1;
    if (state_q != S_HEAD) rest_seen_q <= 1'b0;
    else if (head_cmp && rest_bad && !rest_seen_q) begin
      rest_seen_q <= 1'b1;
      rest_word_q <= head_word;
    end
  end

  always @(posedge clk_i) begin
    if (ib_take) begin
      op_q       <= ib_w0[KT_W0_OP_LSB +: KT_W0_OP_BITS];
      field_q[0] <= {{(FW-12){1'b0}}, ib_w0[KT_W0_F0_LSB +: 12]};
      field_q[1] <= {{(FW-12){1'b0}}, ib_w0[KT_W0_F1_LSB +: 12]};
      field_q[2] <= {{(FW-12){1'b0}}, ib_w0[KT_W0_F2_LSB +: 12]};
      field_q[3] <= {{(FW-12){1'b0}}, ib_w0[KT_W0_F3_LSB +: 12]};
      nr_q       <= ib_w0[KT_W0_NR_LSB +: KT_W0_NR_BITS];
      terms_q    <= ib_w1[56:0];
      next_q     <= ib_next;
    end else if (agu_add) begin
      field_q[agu_field] <= field_q[agu_field] + agu_addend;
    end
  end
  wire unused_words = &{1'b0, ib_w0[63:62], ib_w1[63:57]};

  // ---- for the counters and the watchdog
  assign step_o  = sent || ib_take || begin_program || head_cmp || control_done;
  assign state_o =
    (state_q == S_IDLE || state_q == S_FAULT) ? KT_STATE_NO_INSTRUCTION :
    (clean && !sent) ? KT_STATE_WAIT_DOWNSTREAM :
    (in_get && !(ib_valid && !at_end) && held_free) ? KT_STATE_WAIT_MEMORY :   // !ib_take
    (state_q == S_HEAD && !hdr_avail_i) ? KT_STATE_WAIT_MEMORY : KT_STATE_BUSY;
endmodule
`default_nettype wire
