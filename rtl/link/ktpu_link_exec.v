// SPDX-License-Identifier: Apache-2.0
// Executes the frames that the receiver has passed, one at a time, in order: takes the header,
// judges it (ktpu_link_judge.v), does what is asked, and builds the reply in the next reply
// buffer. A frame is taken up only when a reply buffer is free. Only the expected request is
// executed; a duplicate write gets its stored status. The reply is begun with the status OK; if
// the bus fails while its payload comes in, it is begun anew with the failure and without payload.
// tail_o, head_o: see ktpu_link_rx.v and ktpu_link_tx.v.
`default_nettype none
`include "ktpu_check.vh"
module ktpu_link_exec #(
  parameter integer SLOT_BITS   = 1,
  parameter integer LEN_BITS    = 9,
  parameter integer PAYLOAD     = 256,
  parameter integer SMALL       = 0,
  parameter integer ADDR_BITS   = 17,
  parameter integer MEMORY_BITS = 17,
  parameter integer BUS_TIMEOUT = 65536
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 core_busy_i,

  // buffers with requests, and the one in hand as a stream
  input  wire [SLOT_BITS:0]   rx_tail_i,
  output wire [SLOT_BITS:0]   rx_head_o,
  output wire                 fetch_start_o,
  input  wire                 fetch_valid_i,
  output wire                 fetch_ready_o,
  input  wire [7:0]           fetch_data_i,

  // buffers with replies, and the one being built
  output wire [SLOT_BITS:0]   tx_tail_o,
  input  wire [SLOT_BITS:0]   tx_head_i,
  input  wire                 tx_sending_i,
  output wire                 quiet_o,
  output wire                 build_start_o,
  output wire                 build_valid_o,
  input  wire                 build_ready_i,
  output wire [7:0]           build_data_o,
  output wire                 build_sum_o,
  output wire                 build_finish_o,
  input  wire                 build_done_i,

  // registers of the link
  output wire                 regs_req_o,
  output wire                 regs_take_o,
  output wire                 regs_wr_o,
  output wire [11:0]          regs_addr_o,
  input  wire                 regs_valid_i,
  input  wire [7:0]           regs_data_i,
  output wire                 event_o,
  output wire [3:0]           event_code_o,

  // registers of the core
  output wire                 axil_push_o,
  output wire                 axil_start_o,
  output wire                 axil_write_o,
  output wire [11:0]          axil_addr_o,
  output wire                 axil_abandon_o,
  output wire                 axil_take_o,
  input  wire                 axil_busy_i,
  input  wire                 axil_dead_i,
  input  wire                 axil_done_i,
  input  wire                 axil_error_i,
  input  wire [31:0]          axil_rdata_i,

  // memory
  output wire                 axi_start_o,
  output wire                 axi_write_o,
  output wire [ADDR_BITS-1:0] addr_o,
  output wire [LEN_BITS-1:0]  left_o,
  output wire                 axi_more_o,
  output wire                 axi_abandon_o,
  input  wire                 axi_busy_i,
  input  wire                 axi_dead_i,
  input  wire                 axi_error_i,
  input  wire                 axi_step_i,
  output wire                 axi_w_valid_o,
  input  wire                 axi_w_ready_i,
  input  wire                 axi_r_valid_i,
  output wire                 axi_r_ready_o,
  input  wire [7:0]           axi_r_data_i
);
  `include "ktpu_tinytpu.vh"
  `include "ktpu_link.vh"

  localparam [3:0] ST_IDLE   = 4'd0;
  localparam [3:0] ST_HEAD   = 4'd1;      // the header comes in
  localparam [3:0] ST_JUDGE  = 4'd2;
  localparam [3:0] ST_ROUTE  = 4'd3;      // waits for the bus, begins
  localparam [3:0] ST_WORD   = 4'd4;      // four bytes to be written to a register
  localparam [3:0] ST_BUS    = 4'd5;      // a write, or the response of a register read
  localparam [3:0] ST_BEGIN  = 4'd6;      // begins the reply
  localparam [3:0] ST_REPLY  = 4'd7;      // its header
  localparam [3:0] ST_DATA   = 4'd8;      // its payload
  localparam [3:0] ST_SUM    = 4'd9;      // its check sum
  localparam [3:0] ST_FINISH = 4'd10;
  localparam [3:0] ST_FREE   = 4'd11;     // passes the reply on, frees the request

  localparam integer TIMER_BITS = $clog2(BUS_TIMEOUT);
  localparam integer WINDOW = 1 << SLOT_BITS;
  localparam [SLOT_BITS:0]    FULL    = {1'b1, {SLOT_BITS{1'b0}}};
  localparam [SLOT_BITS:0]    NEXT    = {{SLOT_BITS{1'b0}}, 1'b1};
  localparam [LEN_BITS-1:0]   L_ONE   = {{(LEN_BITS-1){1'b0}}, 1'b1};
  localparam [LEN_BITS-1:0]   L_NONE  = {LEN_BITS{1'b0}};
  localparam [3:0]            LAST_HEADER = KT_LINK_AT_LENGTH[3:0] + 4'd1;
  localparam [7:0]            WINDOW_8    = WINDOW[7:0];

  reg [3:0]            state_q;
  reg [3:0]            n_q;               // byte of the header, of a word, of a state reply
  reg [SLOT_BITS:0]    rx_head_q;
  reg [SLOT_BITS:0]    tx_tail_q;
  reg [2:0]            status_q;
  reg [LEN_BITS-1:0]   left_q;            // bytes of payload to come
  reg [TIMER_BITS:0]   timer_q;
  reg                  idle_core_q;       // the core was idle when the write was begun
  reg                  first_q;           // bit 0 of the word that is written
  reg                  beat_bad_q;        // a beat of a burst read had an error

  wire                 accept, run, duplicate;
  wire [2:0]           verdict, kind;
  wire [3:0]           drop_code;
  wire                 link_reg;
  wire [ADDR_BITS-1:0] addr;
  wire [LEN_BITS-1:0]  length;
  wire [7:0]           expected;

  wire head    = state_q == ST_HEAD;
  wire judge   = state_q == ST_JUDGE;
  wire route   = state_q == ST_ROUTE;
  wire word    = state_q == ST_WORD;
  wire bus     = state_q == ST_BUS;
  wire reply   = state_q == ST_REPLY;
  wire data    = state_q == ST_DATA;
  wire sum     = state_q == ST_SUM;

  wire is_read   = kind == KT_LINK_TYPE_READ[2:0];
  wire is_write  = kind == KT_LINK_TYPE_WRITE[2:0];
  wire is_bread  = kind == KT_LINK_TYPE_BURST_READ[2:0];
  wire is_bwrite = kind == KT_LINK_TYPE_BURST_WRITE[2:0];
  wire is_state  = kind == KT_LINK_TYPE_STATUS[2:0];
  wire is_echo   = kind == KT_LINK_TYPE_ECHO[2:0];
  wire is_reset  = kind == KT_LINK_TYPE_RESET_LINK[2:0];

  wire core_read = is_state || (is_read && !link_reg);
  wire lite      = core_read || (is_write && !link_reg);   // the register bus is needed
  wire memory    = is_bread || is_bwrite;
  wire waits     = (lite && axil_busy_i) || (memory && axi_busy_i);
  wire late      = timer_q[TIMER_BITS];
  wire go        = route && !waits && !late;
  wire failed    = axil_done_i && axil_error_i;
  wire in_bread  = data && is_bread;
  wire in_error  = axi_error_i || beat_bad_q;
  wire bad_bread = in_bread && (in_error || late);
  wire bus_late  = bus && late && (lite ? !axil_done_i : axi_busy_i);
  wire has_data  = status_q == KT_LINK_STATUS_OK && (is_read || is_bread || is_state || is_echo)
                   && left_q != L_NONE;

  // ---- the stream of bytes into the reply ---------------------------------------------------
  wire [1:0] lane = n_q[1:0];
  wire [7:0] lite_byte = lane[1] ? (lane[0] ? axil_rdata_i[31:24] : axil_rdata_i[23:16])
                                 : (lane[0] ? axil_rdata_i[15:8] : axil_rdata_i[7:0]);
  wire [7:0] state_byte = n_q == 4'd1 ? expected : n_q == 4'd2 ? WINDOW_8 : 8'd0;
  wire lite_now = core_read && !(is_state && n_q < 4'd4 && n_q != 4'd0);
  wire [7:0] payload = is_echo ? fetch_data_i : is_bread ? axi_r_data_i
                     : lite_now ? lite_byte : is_state ? state_byte : regs_data_i;
  wire payload_valid = is_echo ? fetch_valid_i : is_bread ? axi_r_valid_i && !bad_bread
                     : core_read || regs_valid_i;
  wire [7:0] header = n_q == 4'd0 ? fetch_data_i | KT_LINK_REPLY
                    : n_q == KT_LINK_AT_STATUS[3:0] ? {5'd0, status_q} : fetch_data_i;
  wire put = build_valid_o && build_ready_i;

  assign build_start_o  = state_q == ST_BEGIN;
  assign build_valid_o  = (reply && fetch_valid_i) || (data && payload_valid) || sum;
  assign build_data_o   = reply ? header : payload;
  assign build_sum_o    = sum;
  assign build_finish_o = state_q == ST_FINISH;

  assign fetch_start_o = state_q == ST_IDLE || build_start_o;
  assign fetch_ready_o = head || word || (reply && build_ready_i)
                       || (data && is_echo && build_ready_i)
                       || (bus && is_bwrite && left_q != L_NONE && axi_w_ready_i);
  wire   get = fetch_valid_i && fetch_ready_o;

  // ---- judgement -----------------------------------------------------------------------------
  ktpu_link_judge #(
    .SLOT_BITS(SLOT_BITS), .LEN_BITS(LEN_BITS), .PAYLOAD(PAYLOAD), .ADDR_BITS(ADDR_BITS),
    .MEMORY_BITS(MEMORY_BITS)
  ) u_judge (
    .clk_i(clk_i), .rst_i(rst_i), .core_busy_i(core_busy_i), .byte_valid_i(head && fetch_valid_i),
    .byte_i(fetch_data_i), .place_i(n_q), .frozen_i(SMALL != 0 && (axil_dead_i || axi_dead_i)),
    .judge_i(judge), .store_i(build_done_i), .status_i(status_q), .step_i(SMALL != 0 && axi_step_i),
    .accept_o(accept), .run_o(run), .verdict_o(verdict), .drop_code_o(drop_code),
    .duplicate_o(duplicate), .kind_o(kind), .link_reg_o(link_reg),
    .addr_o(addr), .length_o(length),
    .expected_o(expected)
  );

  // ---- orders --------------------------------------------------------------------------------
  assign rx_head_o = rx_head_q;
  assign tx_tail_o = tx_tail_q;
  assign quiet_o   = state_q == ST_IDLE && rx_tail_i == rx_head_q;

  assign regs_req_o  = data && is_read && link_reg;
  assign regs_take_o = regs_req_o && put;
  assign regs_wr_o   = word && get && link_reg;
  assign regs_addr_o = {addr[11:2], lane};

  assign axil_push_o    = word && get;
  assign axil_start_o   = (go && core_read) || (word && get && lane == 2'd3 && !link_reg);
  assign axil_write_o   = is_write;
  assign axil_addr_o    = {addr[11:2], 2'd0};
  assign axil_abandon_o = bus_late && lite;
  assign axil_take_o    = (bus && (is_write || failed))
                        || (data && put && core_read && left_q == L_ONE);

  assign axi_start_o   = go && memory;
  assign axi_write_o   = is_bwrite;
  assign addr_o        = addr;
  assign left_o        = left_q;
  assign axi_more_o    = left_q != L_NONE;
  assign axi_abandon_o = (bus_late && memory) || bad_bread;
  assign axi_w_valid_o = bus && is_bwrite && fetch_valid_i && left_q != L_NONE;
  assign axi_r_ready_o = in_bread && build_ready_i;

  // a start of the core counts when it is over, else what became of the frame
  wire started = bus && is_write && axil_done_i && !axil_error_i && first_q && idle_core_q
               && addr[11:2] == KT_REG_CONTROL[11:2];
  assign event_o      = started || (judge && (!accept || duplicate));
  assign event_code_o = started ? KT_LINK_EVENT_STARTS
                      : accept ? KT_LINK_EVENT_DUPLICATE : drop_code;

  always @(posedge clk_i) begin
    if (axi_error_i) beat_bad_q <= 1'b1;
    timer_q <= timer_q + {{TIMER_BITS{1'b0}}, !late};
    case (state_q)
      ST_IDLE: begin
        n_q <= 4'd0;
        if (rx_tail_i != rx_head_q && (tx_tail_q ^ tx_head_i) != FULL) state_q <= ST_HEAD;
      end
      ST_HEAD: if (get) begin
        n_q <= n_q + 4'd1;
        if (n_q == LAST_HEADER) state_q <= ST_JUDGE;
      end
      ST_JUDGE: begin
        n_q      <= 4'd0;
        timer_q  <= {(TIMER_BITS+1){1'b0}};
        status_q <= verdict;
        left_q   <= length;
        beat_bad_q <= 1'b0;
        state_q  <= !accept ? ST_FREE : run ? ST_ROUTE : ST_BEGIN;
      end
      ST_ROUTE: begin
        idle_core_q <= !core_busy_i;
        if (go) state_q <= is_write ? ST_WORD : core_read || is_bwrite ? ST_BUS : ST_BEGIN;
        else if (late) begin
          status_q <= KT_LINK_STATUS_BUS_TIMEOUT;
          state_q  <= ST_BEGIN;
        end
      end
      ST_WORD: if (get) begin
        n_q <= n_q + 4'd1;
        if (lane == 2'd0) first_q <= fetch_data_i[0];
        if (lane == 2'd3) state_q <= link_reg ? ST_BEGIN : ST_BUS;
      end
      ST_BUS: begin
        if (axi_w_valid_o && axi_w_ready_i) left_q <= left_q - L_ONE;
        if (axi_error_i || failed) status_q <= KT_LINK_STATUS_BUS_ERROR;
        if (bus_late) status_q <= KT_LINK_STATUS_BUS_TIMEOUT;
        if (bus_late || (lite ? axil_done_i : !axi_busy_i)) state_q <= ST_BEGIN;
      end
      ST_BEGIN: begin
        n_q     <= 4'd0;
        state_q <= ST_REPLY;
      end
      ST_REPLY: if (put) begin
        n_q <= n_q + 4'd1;
        if (n_q == LAST_HEADER) begin
          n_q     <= 4'd0;
          state_q <= has_data ? ST_DATA : ST_SUM;
        end
      end
      ST_DATA: begin
        if (put) begin
          n_q    <= n_q + 4'd1;
          left_q <= left_q - L_ONE;
          if (left_q == L_ONE) begin
            n_q     <= 4'd0;
            state_q <= ST_SUM;
          end
        end
        if (bad_bread) begin
          status_q <= in_error ? KT_LINK_STATUS_BUS_ERROR : KT_LINK_STATUS_BUS_TIMEOUT;
          state_q  <= ST_BEGIN;
        end
      end
      ST_SUM: if (put) begin
        n_q <= n_q + 4'd1;
        if (lane == 2'd3) state_q <= ST_FINISH;
      end
      ST_FINISH: if (build_done_i) begin
        tx_tail_q <= tx_tail_q + NEXT;
        state_q   <= ST_FREE;
      end
      ST_FREE: begin
        rx_head_q <= rx_head_q + NEXT;
        state_q   <= ST_IDLE;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (route && is_reset) tx_tail_q <= tx_sending_i ? tx_head_i + NEXT : tx_head_i;
    if (rst_i) begin
      state_q   <= ST_IDLE;
      rx_head_q <= {(SLOT_BITS+1){1'b0}};
      tx_tail_q <= {(SLOT_BITS+1){1'b0}};
    end
  end
endmodule
`default_nettype wire
