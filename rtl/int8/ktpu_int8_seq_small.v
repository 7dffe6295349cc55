// SPDX-License-Identifier: Apache-2.0
// The sequencer of small builds: what ktpu_int8_seq does, one thing a cycle. It has no instruction
// buffer (the address terms stay in the instruction memory's output register), resolves and checks
// the fields one by one with one adder, and keeps the loop stack and the sums that the header is
// compared with in one block RAM. Faults are reported from registers two cycles and more after they
// are found; which term is forbidden and what a field out of range was is looked up meanwhile.
// Six cycles an instruction without address terms, three for a loop's; a term of the innermost loop
// costs one and one a bit of its induction variable, another loop's one more. Comparing the header
// takes 21 cycles. A word's place is {pair, second}: the header is pairs 0 to 3, instruction i is
// pair i + 4.
`default_nettype none
module ktpu_int8_seq_small #(
  parameter integer T         = 4,
  parameter integer MAXDIM    = 16,
  parameter integer SPAD_ROWS = 64,
  parameter integer NVR       = 64,
  parameter integer NAR       = 128,
  parameter integer WB        = 7      // bits of a place
) (
  input  wire          clk_i,
  input  wire          rst_core_i,
  input  wire          rst_i,          // the core's reset, idle or abort
  // the program to run: level, until done_o or fault_valid_o
  input  wire          run_i,
  input  wire [WB-2:0] end_i,          // the pair after the last
  input  wire          here_i,         // the word wanted is in the instruction memory
  input  wire          hdr_avail_i,    // the header is
  output wire          done_o,
  output wire [WB-1:0] want_o,         // word to be read next

  output wire          im_re_o,
  output wire [WB-1:0] im_addr_o,
  input  wire [63:0]   im_data_i,

  output wire          ld_valid_o, ex_valid_o, st_valid_o,
  input  wire          ld_ready_i, ex_ready_i, st_ready_i,
  output wire [5:0]    op_o,
  output wire [43:0]   field_o,        // f0..f3, 11 bits each, f0 lowest
  output wire [6:0]    nr_o,

  output wire          fault_valid_o,
  output wire [7:0]    fault_code_o, fault_sub_o,
  output wire [31:0]   fault_arg_o,
  output wire [15:0]   fault_instr_o,

  output wire [2:0]    state_o,        // for the counters
  output wire          step_o          // progress
);
  `include "ktpu_tinytpu.vh"

  localparam integer FW   = 14;        // of a field under resolution, as in ktpu_int8_seq
  localparam integer PB   = WB - 1;
  localparam integer SPAN = $clog2(MAXDIM + 1);
  localparam [PB-1:0] FIRST = {{(PB-3){1'b0}}, 3'd4};

  // ---- states, one bit each
  reg idle_q, get_q;                   // ... word 0 is wanted
  reg word0_q;                         // word 0 is in the memory's output register, 1 is wanted
  reg check_q;                         // nr, then a term or a loop; else field 0 is added to
  reg mult_q, send_q;                  // multiplies a term and adds; waits for a queue
  reg field_q;                         // one field is added to, the one before it checked
  reg head_q, fault_q;                 // compares the header; a fault was found
  // ... in a control's term, a term's target or level, a loop open at the end, a header's count
  reg in_op_q, in_nr_q, in_loop_q, in_forbid_q, in_far_q, in_closed_q;
  reg in_field_q, in_end_q, in_count_q;

  // ---- the instruction at work
  reg [5:0]    op_q;
  reg [7:0]    nr_q;
  reg [FW-1:0] f0_q, f1_q, f2_q, f3_q;
  reg [1:0]    sel_q;                  // field that is added to
  reg [FW-1:0] sum_q;                  // of the field before it
  reg          range_q;
  reg [PB-1:0] pc_q;                   // next pair to be read
  reg [2:0]    depth_q;                // loops open
  reg [1:0]    t_q;                    // terms dealt with
  reg [6:0]    iv_left_q;
  reg [FW-1:0] addend_q;
  reg          next_q;                 // word 0 of the next instruction has been read

  reg  illegal_q;                      // no opcode: a control one without an effect
  reg  is_loop_q, is_endloop_q, is_control_q, is_ld_q, is_vld_q, is_mm_q, is_st_q, is_add_q;
  wire [5:0] new_op   = im_data_i[KT_W0_OP_LSB +: KT_W0_OP_BITS];
  wire new_loop = new_op == KT_OP_LOOP, new_end = new_op == KT_OP_ENDLOOP;
  wire illegal  = !KT_OPS_LEGAL[new_op];
  wire new_control = new_loop || new_end || new_op == KT_OP_NOP || illegal;
  wire [6:0] less = nr_q[6:0] - 7'd1;

  assign op_o = op_q, nr_o = nr_q[6:0];
  assign field_o = {f3_q[10:0], f2_q[10:0], f1_q[10:0], f0_q[10:0]};
  reg  [2:0] to_q;                     // send_q, by queue
  wire [2:0] ready = {ld_ready_i, st_ready_i, ex_ready_i};
  wire       sent  = (to_q & ready) != 3'b000;
  assign {ld_valid_o, st_valid_o, ex_valid_o} = to_q;

  // ---- reading instructions
  wire at_end  = pc_q == end_i;
  wire take    = word0_q || (sent && next_q);        // word 0 is taken
  wire home    = field_q && sel_q == 2'd0;           // the last field is checked
  wire second  = word0_q || send_q;
  wire [PB-1:0] pc_next = pc_q + {{(PB-1){1'b0}}, 1'b1};
  assign want_o = {pc_q, second};

  // ---- terms: one at a time
  wire [2:0] targeted = {im_data_i[41:38] != 4'd0, im_data_i[22:19] != 4'd0,
                         im_data_i[3:0] != 4'd0};
  wire [2:0] left     = targeted & {t_q != 2'd3, !t_q[1], t_q == 2'd0};
  wire       any_left = left != 3'b000;
  reg [18:0] term;
  always @*
    case (t_q)
      2'd0:    term = im_data_i[18:0];
      2'd1:    term = im_data_i[37:19];
      default: term = im_data_i[56:38];
    endcase
  wire [3:0] targets  = {1'b0, targeted};
  wire       has_term = targets[t_q];
  wire       far      = term[3:0] > KT_TARGET_MAX, closed = term[6:4] >= depth_q;
  wire       term_bad = check_q && has_term && !is_control_q && (far || closed);
  wire       forbid   = check_q && any_left && is_control_q;
  wire       have_iv;                  // the table shows the term's loop
  wire       load     = check_q && has_term && have_iv;
  wire       to_next  = check_q && any_left && !is_control_q && !term_bad && (load || !has_term);
  wire       mult_end = iv_left_q[6:1] == 6'd0;

  // ---- rules that need neither terms nor fields
  wire       nr_bad   = check_q && (nr_q[7] || nr_q[6:0] == 7'd0) && (is_loop_q || !is_control_q);
  wire       to_field = check_q && !any_left && !is_control_q;
  wire       control  = check_q && is_control_q;
  wire       loop_bad = control && (is_loop_q ? depth_q[2] : is_endloop_q && depth_q == 3'd0);

  // ---- fields: one adder for terms and for the rows an operand takes
  wire          rows, tall, field_bad;
  wire [4:0]    field_code;
  localparam [6:0] TALL = T[6:0] - 7'd1;
  reg  [FW-1:0] value;
  always @*
    case (sel_q)
      2'd0:    value = f0_q;
      2'd1:    value = f1_q;
      2'd2:    value = f2_q;
      default: value = f3_q;
    endcase
  wire          range  = value[FW-1:11] != {(FW-11){1'b0}};
  wire          add    = rows && (check_q || field_q);
  wire [6:0]    more   = (tall ? TALL : less) & {7{add}};
  wire [FW-1:0] sum    = value + (addend_q | {{(FW-7){1'b0}}, more});
  wire          to_vr  = f0_q[KT_MODE_VR_BIT], from_b = f0_q[KT_MODE_B_BIT];
  ktpu_int8_field #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .FW(FW)
  ) u_field (
    .clk_i(clk_i), .turn_i(turn), .is_ld_i(is_ld_q), .is_vld_i(is_vld_q), .is_mm_i(is_mm_q),
    .is_st_i(is_st_q), .is_add_i(is_add_q), .sel_i(sel_q), .rows_o(rows), .tall_o(tall),
    .to_vr_i(to_vr), .range_i(range_q), .sum_i(sum_q), .bad_o(field_bad), .code_o(field_code)
  );
  wire late = field_q && field_bad, turn = to_field || (field_q && !home && !field_bad);

  // ---- one table: a loop level is {body's pair, last value, induction variable}; of a header slot
  // (rows 1 to 9) what has been found, 17 bits whose top one sticks. It is written a cycle later.
  localparam integer W = 14 + PB;
  reg  [4:0]   row_q;                  // read in the cycle before
  wire [W-1:0] have;                   // ... and what it holds
  reg          touch_q;                // ... is to be added to
  reg  [4:0]   row;
  reg          touch;
  reg  [3:0]   slot_q;                 // header slot whose numbers are read,
  reg          show_q;                 // then compared
  reg  [3:0]   clear_q;                // rows cleared since reset
  reg          count_bad_q;            // the numbers just compared differ
  reg          rst_q;
  wire         table_ready = clear_q == 4'd10;

  wire vector = !is_ld_q && !is_vld_q;
  always @* begin
    case (sel_q)                       // each is written a cycle later
      2'd0:    row = {1'b0, check_q ? (is_mm_q ? KT_HDR_MM_COUNT : is_ld_q ? KT_HDR_DMA_LD_ROWS :
                                       KT_HDR_DMA_ST_ROWS) : KT_HDR_MM_ROWS};
      2'd1:    row = {1'b0, !is_ld_q ? KT_HDR_SPM_ROWS : from_b ? KT_HDR_B_SPAN : KT_HDR_A_SPAN};
      2'd2:    row = {1'b0, (is_ld_q && !to_vr) ? KT_HDR_SPM_ROWS : KT_HDR_VRU_WORDS};
      default: row = {1'b0, KT_HDR_ACCU_ITERATIONS};
    endcase
    case (sel_q)
      2'd0:    touch = is_mm_q || (check_q && (is_ld_q || is_st_q));
      2'd3:    touch = vector;
      default: touch = is_mm_q || is_ld_q || is_vld_q;
    endcase
    if (!to_field && !field_q) touch = 1'b0;
    if (mult_q || (check_q && any_left)) row = {3'b100, term[5:4]};
    if (word0_q || send_q) row = {3'b100, depth_q[1:0] - 2'd1};
    if (head_q) row = {1'b0, slot_q};
  end

  localparam integer WEIGHT_STEPS_I = T + 1;
  assign have_iv = row_q[4] && row_q[1:0] == term[5:4];
  reg  [7:0] step_q;                   // added to the row: chosen when it is read
  always @(posedge clk_i)
    if (field_q && sel_q == 2'd1 && is_mm_q) step_q <= WEIGHT_STEPS_I[7:0];
    else if (field_q && sel_q == 2'd3 && is_add_q) step_q <= {nr_q[6:0], 1'b0};
    else step_q <= (field_q || (check_q && !is_mm_q)) ? {1'b0, nr_q[6:0]} : 8'd1;
  wire [16:0] plus = {1'b0, have[15:0]} + {9'd0, step_q};
  wire [SPAN-1:0] span = sum_q[SPAN-1:0] + {{(SPAN-1){1'b0}}, 1'b1};
  wire at_span = field_q && sel_q == 2'd2 && is_ld_q;
  wire again   = have[6:0] != have[13:7];
  wire branch  = control && is_endloop_q && again && depth_q != 3'd0;
  wire push    = control && is_loop_q;

  reg [W-1:0] put;
  always @* begin
    put = {have[W-1:17], have[16] | plus[16], plus[15:0]};
    if (at_span) put = {{(W-SPAN){1'b0}}, span};
    if (push)    put = {pc_q, less, 7'd0};
    if (!table_ready || head_q) put = {W{1'b0}};
  end
  wire write = !table_ready || branch || push || (head_q && show_q) ||
               (touch_q && (!at_span || span > have[SPAN-1:0]));
  wire [4:0] place = !table_ready ? {1'b0, clear_q} : push ? {3'b100, depth_q[1:0]} : row_q;
  ktpu_ram_sdp #(.WIDTH(W), .DEPTH(20)) u_table (
    .clk_i(clk_i), .we_i(write), .waddr_i(place), .wdata_i(put),
    .re_i(!fault_q && !(head_q && (show_q || count_bad_q))), .raddr_i(row), .rdata_o(have)
  );
  always @(posedge clk_i) begin
    row_q   <= row;
    touch_q <= touch;
    rst_q   <= rst_i;
    if (!table_ready) clear_q <= clear_q + 4'd1;
    if (rst_core_i || (rst_i && !rst_q)) clear_q <= 4'd0;
  end

  // ---- header: in one cycle word and sum are read, in the next compared
  reg        high_q, first_q;          // it is a second count, the number of instructions
  reg        rest_seen_q;
  reg  [2:0] rest_word_q;
  wire       high      = slot_q == KT_HDR_MM_ROWS || slot_q == KT_HDR_B_SPAN;
  wire       two       = slot_q == KT_HDR_MM_COUNT || slot_q == KT_HDR_A_SPAN;
  wire [2:0] word      = slot_q[2:0] - {2'b00, slot_q >= KT_HDR_MM_ROWS} -
                         {2'b00, slot_q == KT_HDR_B_SPAN};
  wire       head_end  = slot_q == KT_HDR_UNUSED;
  wire       head_read = head_q && hdr_avail_i && !show_q;
  wire [15:0] promised = high_q ? im_data_i[31:16] : im_data_i[15:0];
  wire [PB-1:0] n_instr = end_i - FIRST;
  wire [16:0] found    = have[16:0] |
                         (first_q ? {{(17-PB){1'b0}}, n_instr} : 17'd0);
  wire       rest_bad  = im_data_i[63:32] != 32'd0 || (!two && im_data_i[31:16] != 16'd0);
  wire   head_bad  = head_q && (count_bad_q || (head_end && rest_seen_q));
  assign done_o    = head_q && head_end && !count_bad_q && !rest_seen_q;
  always @(posedge clk_i) begin
    if (!head_q && !fault_q) begin
      slot_q      <= KT_HDR_N_INSTR;
      show_q      <= 1'b0;
      count_bad_q <= 1'b0;
      rest_seen_q <= 1'b0;
    end else if (show_q && !fault_q) begin
      show_q      <= 1'b0;
      slot_q      <= slot_q + 4'd1;
      count_bad_q <= {1'b0, promised} != found;
      if (!rest_seen_q && !high) begin
        rest_seen_q <= rest_bad;
        rest_word_q <= word;
      end
    end else if (head_read && !count_bad_q) begin
      show_q  <= 1'b1;
      high_q  <= high;
      first_q <= slot_q == KT_HDR_N_INSTR;
    end
  end
  assign im_re_o   = head_q ? head_read && !count_bad_q
                            : here_i && (get_q || home || take);
  assign im_addr_o = head_q ? {{(WB-3){1'b0}}, word} : want_o;

  // ---- next state
  wire to_word0  = get_q && !at_end && table_ready && here_i;
  wire found_bad = (check_q && illegal_q) || nr_bad || loop_bad || term_bad || forbid || late ||
                   (get_q && at_end && depth_q != 3'd0) || head_bad;
  always @(posedge clk_i) begin
    if (idle_q && run_i) idle_q <= 1'b0;
    if (done_o) idle_q <= 1'b1;
    get_q    <= (idle_q && run_i) || (get_q && !at_end && !to_word0) || control ||
                (sent && !next_q);
    word0_q  <= to_word0 || (take && !here_i);
    check_q  <= (take && here_i) || (check_q && any_left && (!load || have[6:0] == 7'd0)) ||
                (mult_q && mult_end);
    mult_q   <= (load && have[6:0] != 7'd0) || (mult_q && !mult_end);
    field_q  <= to_field || (field_q && !home);
    send_q   <= home || (send_q && !sent);
    to_q     <= home ? {is_ld_q, is_st_q, !is_ld_q && !is_st_q} : to_q & ~ready;
    head_q   <= (get_q && at_end) || (head_q && !done_o);
    if (found_bad) begin
      {get_q, word0_q, check_q, mult_q, field_q, send_q, head_q, to_q} <= 10'd0;
      fault_q <= 1'b1;
    end
    if (rst_i) begin
      {get_q, word0_q, check_q, mult_q, field_q, send_q, head_q, to_q} <= 10'd0;
      idle_q  <= 1'b1;
      fault_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (idle_q) pc_q <= FIRST;
    else if (branch && !any_left) pc_q <= have[14 +: PB];
    else if (take && here_i) pc_q <= pc_next;

    if (idle_q) depth_q <= 3'd0;
    else if (push && !depth_q[2]) depth_q <= depth_q + 3'd1;
    else if (control && is_endloop_q && !again && depth_q != 3'd0) depth_q <= depth_q - 3'd1;

    if (home) next_q <= here_i && !at_end;
    if (second) t_q <= 2'd0;           // sel_q is 0 while an instruction is sent
    else if (to_next || (fault_q && in_forbid_q && !has_term)) t_q <= t_q + 2'd1;
    if (word0_q || (mult_q && mult_end)) sel_q <= 2'd0;
    else if (load && have[6:0] != 7'd0) sel_q <= term[1:0] - 2'd1;
    else if (turn) sel_q <= sel_q + 2'd1;
    else if (late) sel_q <= sel_q - 2'd1;
  end

  wire add_bit = mult_q && iv_left_q[0];
  always @(posedge clk_i) begin
    if (take) begin
      {op_q, illegal_q} <= {new_op, illegal};
      {is_loop_q, is_endloop_q, is_control_q} <= {new_loop, new_end, new_control};
      {is_ld_q, is_vld_q} <= {new_op[3:0] == KT_OP_DMA_LD[3:0], new_op[3:0] == KT_OP_VLD[3:0]};
      {is_mm_q, is_st_q}  <= {new_op[3:0] == KT_OP_MM[3:0], new_op[3:0] == KT_OP_MVOUT[3:0]};
      is_add_q     <= new_op[3:0] == KT_OP_VADD[3:0] || new_op[3:0] == KT_OP_VADDRELU[3:0];
      nr_q <= im_data_i[KT_W0_NR_LSB +: KT_W0_NR_BITS];
      f0_q <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F0_LSB +: 12]};
      f1_q <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F1_LSB +: 12]};
      f2_q <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F2_LSB +: 12]};
      f3_q <= {{(FW-12){1'b0}}, im_data_i[KT_W0_F3_LSB +: 12]};
    end else if (add_bit)
      case (sel_q)
        2'd0:    f0_q <= sum;
        2'd1:    f1_q <= sum;
        2'd2:    f2_q <= sum;
        default: f3_q <= sum;
      endcase
    if (turn || (fault_q && in_field_q && range_q)) sum_q <= sum;
    if (turn) range_q <= range;

    if (mult_q) begin
      iv_left_q <= iv_left_q >> 1;
      addend_q  <= mult_end ? {FW{1'b0}} : addend_q << 1;
    end else if (load) begin
      iv_left_q <= have[6:0];
      addend_q  <= (have[6:0] == 7'd0) ? {FW{1'b0}} : {{(FW-12){1'b0}}, term[18:7]};
    end
    if (rst_i) addend_q <= {FW{1'b0}};
  end

  // ---- faults: which it was, then the report
  wire trip = is_loop_q && nr_q == 8'd0;
  always @(posedge clk_i)
    if (!fault_q) begin
      in_op_q     <= check_q && illegal_q;
      in_nr_q     <= nr_bad;
      in_loop_q   <= loop_bad && !nr_bad && !forbid;
      in_forbid_q <= forbid && !nr_bad && !illegal_q;
      in_far_q    <= term_bad && !nr_bad && far;
      in_closed_q <= term_bad && !nr_bad && !far;
      {in_field_q, in_end_q, in_count_q} <= {field_q, get_q, count_bad_q};
    end
  wire in_term = in_forbid_q || in_far_q || in_closed_q;
  wire in_head = !(in_op_q || in_nr_q || in_loop_q || in_term || in_field_q || in_end_q);
  wire [4:0] code =
    ({5{in_op_q}}  & KT_FAULT_OPCODE[4:0]) |
    ({5{in_nr_q}}  & (trip ? KT_FAULT_TRIP[4:0] : KT_FAULT_NR[4:0])) |
    ({5{in_loop_q}}   & (is_loop_q ? KT_FAULT_LOOP_OVERFLOW[4:0] : KT_FAULT_LOOP_UNDERFLOW[4:0])) |
    ({5{in_forbid_q}} & KT_FAULT_TERM_FORBIDDEN[4:0]) |
    ({5{in_far_q}}    & KT_FAULT_TERM_TARGET[4:0]) |
    ({5{in_closed_q}} & KT_FAULT_TERM_LEVEL[4:0]) |
    ({5{in_field_q}}  & field_code) |
    ({5{in_end_q}}    & KT_FAULT_LOOP_OPEN[4:0]) |
    ({5{in_head}}     & KT_FAULT_HEADER[4:0]);
  wire [3:0] slot_no  = slot_q - {3'd0, in_count_q};
  reg told_q;                          // term and field of the fault are known
  always @(posedge clk_i) told_q <= fault_q && !rst_i && !(in_forbid_q && !has_term);
  assign fault_valid_o = told_q;
  assign fault_code_o  = {3'd0, code};
  assign fault_sub_o   = {4'd0, ({4{in_head}} & slot_no) | ({4{in_field_q}} & {2'b00, sel_q}) |
                                ({4{in_term}} & {2'b00, t_q})};
  assign fault_arg_o   =
    ({32{in_op_q}}  & {26'd0, op_q}) |
    ({32{in_nr_q}}  & {24'd0, nr_q}) |
    ({32{in_loop_q || in_end_q}} & {29'd0, depth_q}) |
    ({32{in_forbid_q}} & {13'd0, term}) |
    ({32{in_far_q}}    & {28'd0, term[3:0]}) |
    ({32{in_closed_q}} & {29'd0, term[6:4]}) |
    ({32{in_field_q}}  & {{(32-FW){1'b0}}, sum_q}) |
    ({32{in_count_q}}  & {promised, found[15:0] | {16{found[16]}}}) |
    ({32{in_head && !in_count_q}} & {29'd0, rest_word_q});
  wire [PB-1:0] instr  = pc_q - FIRST - {{(PB-1){1'b0}}, !(in_end_q || in_head)};
  assign fault_instr_o  = {{(16-PB){1'b0}}, instr};

  // ---- for the counters and the watchdog
  wire waits   = (get_q && !to_word0) || (head_q && !hdr_avail_i) || (word0_q && !here_i);
  assign step_o  = !(idle_q || fault_q || waits || (send_q && !sent));
  assign state_o = (idle_q || fault_q) ? KT_STATE_NO_INSTRUCTION :
                   waits ? KT_STATE_WAIT_MEMORY :
                   (send_q && !sent) ? KT_STATE_WAIT_DOWNSTREAM : KT_STATE_BUSY;
endmodule
`default_nettype wire
