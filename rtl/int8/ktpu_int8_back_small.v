// SPDX-License-Identifier: Apache-2.0
// What a small build puts behind the sequencer: loads, issue, operand memories, array, accumulator,
// output and stores, each in its small form. docs/int8-core.md has the picture.
`default_nettype none
module ktpu_int8_back_small #(
  parameter integer T           = 4,
  parameter integer SPAD_ROWS   = 64,
  parameter integer NVR         = 64,
  parameter integer NAR         = 128,
  parameter integer RW          = 7,
  parameter integer ROW_BITS    = 4,
  parameter integer CB_BITS     = 2,
  parameter integer BUS_BITS    = 64,
  parameter integer ADDR_BITS   = 17,
  parameter integer OUTSTANDING = 8
) (
  input  wire                   clk_i,
  input  wire                   rst_i,        // reset or flush
  input  wire                   rst_bus_i,

  // dispatch: already checked
  input  wire                   ld_valid_i,
  output wire                   ld_ready_o,
  input  wire                   ex_valid_i,
  output wire                   ex_ready_o,
  input  wire                   st_valid_i,
  output wire                   st_ready_o,
  input  wire [5:0]             op_i,
  input  wire [43:0]            field_i,
  input  wire [6:0]             nr_i,
  input  wire                   slot_i,       // context of what is dispatched now

  // contexts
  input  wire [2*ADDR_BITS-1:0] base_a_i,
  input  wire [2*ADDR_BITS-1:0] base_b_i,
  input  wire [2*ADDR_BITS-1:0] base_c_i,
  input  wire [1:0]             wide_i,
  input  wire [9:0]             shift_i,
  output wire [1:0]             ctx_busy_o,

  output wire                   ar_valid_o,
  input  wire                   ar_ready_i,
  output wire [ADDR_BITS-1:0]   ar_addr_o,
  input  wire                   r_valid_i,
  output wire                   r_ready_o,
  input  wire [BUS_BITS-1:0]    r_data_i,
  output wire                   aw_valid_o,
  input  wire                   aw_ready_i,
  output wire [ADDR_BITS-1:0]   aw_addr_o,
  output wire                   w_valid_o,
  input  wire                   w_ready_i,
  output wire [BUS_BITS-1:0]    w_data_o,
  output wire [BUS_BITS/8-1:0]  w_strb_o,
  input  wire                   b_valid_i,

  output wire                   loading_o,    // loads are pending
  output wire [1:0]             x_valid_o,    // the head of the issue point, the one behind it
  output wire                   x_vs_o,       // the head uses vr and spad
  output wire                   x_wr_o,       // the head writes ar
  output wire                   x_waits_o,    // the head waits for another's row of ar
  output wire                   issue_o,      // something of the head was issued
  output wire                   slot_rd_o,
  output wire                   slot_wr_o,
  output wire                   s_rows_o,     // an mvout has rows to read
  output wire                   s_issue_o,
  output wire                   s_port_o,     // an mvout waits for ar's read port
  output wire                   spad_busy_o,  // the memory is read or written
  output wire                   vr_re_o,
  output wire                   vr_busy_o,
  output wire                   st_quiet_o,
  output wire                   bus_quiet_o,

  output wire                   saturated_valid_o,
  output wire [T-1:0]           saturated_o,
  output wire                   wrapped_valid_o,
  output wire [T-1:0]           wrapped_o
);
  `include "ktpu_tinytpu.vh"

  localparam integer TB     = $clog2(T);
  localparam integer MAX_VS = (SPAD_ROWS > NVR) ? SPAD_ROWS : NVR;
  localparam integer VW     = $clog2(MAX_VS);
  localparam integer SAW    = $clog2(SPAD_ROWS);
  localparam integer VAW    = $clog2(NVR);
  localparam integer PW     = 16 + TB;

  wire [10:0] f0 = field_i[10:0];
  wire [10:0] f1 = field_i[21:11];
  wire [10:0] f2 = field_i[32:22];
  wire [10:0] f3 = field_i[43:33];
  wire is_mm    = op_i == KT_OP_MM;
  wire is_vld   = op_i == KT_OP_VLD;
  wire is_vrelu = op_i == KT_OP_VRELU;
  wire is_relu  = is_vrelu || op_i == KT_OP_VADDRELU;

  // ---- loads: dispatched only while nothing waits behind the head (ktpu_int8_ex_small)
  wire           ld_free, ld_ctx, ld_ctx_b, ld_vr, ld_new, ld_pop, ld_blocked, spad_we, ld_vr_we;
  wire [1:0]     ld_pending, ld_ctx_busy;
  wire [VW-1:0]  ld_row;
  wire [T*8-1:0] ld_data;
  wire           ld_may = !x_valid_o[1];
  reg            vld_q;
  assign ld_ready_o = ld_free && ld_may;
  ktpu_int8_ld_small #(
    .T(T), .VW(VW), .ROW_BITS(ROW_BITS), .CB_BITS(CB_BITS), .BUS_BITS(BUS_BITS),
    .ADDR_BITS(ADDR_BITS)
  ) u_ld (
    .clk_i(clk_i), .rst_i(rst_i),
    .d_valid_i(ld_valid_i && ld_may), .d_ready_o(ld_free), .d_vr_i(f0[KT_MODE_VR_BIT]),
    .d_b_i(f0[KT_MODE_B_BIT]), .d_row0_i(f1[ROW_BITS-1:0]), .d_cb_i(f2[CB_BITS-1:0]),
    .d_dst_i(f3[VW-1:0]), .d_nr_i(nr_i[ROW_BITS-1:0]), .d_ctx_i(slot_i),
    .ctx_sel_o(ld_ctx), .ctx_b_o(ld_ctx_b),
    .ctx_base_i(ld_ctx_b ? base_b_i[ld_ctx * ADDR_BITS +: ADDR_BITS]
                         : base_a_i[ld_ctx * ADDR_BITS +: ADDR_BITS]),
    .ar_valid_o(ar_valid_o), .ar_ready_i(ar_ready_i), .ar_addr_o(ar_addr_o),
    .r_valid_i(r_valid_i), .r_ready_o(r_ready_o), .r_data_i(r_data_i),
    .blocked_i(ld_blocked), .vr_taken_i(vld_q),
    .spad_we_o(spad_we), .vr_we_o(ld_vr_we), .wrow_o(ld_row), .wdata_o(ld_data),
    .pending_o(ld_pending), .ctx_busy_o(ld_ctx_busy), .vr_o(ld_vr), .new_o(ld_new),
    .pop_o(ld_pop)
  );
  assign loading_o = ld_pending[0];

  // ---- issue
  wire [RW-1:0]       v_row, s_row, slot_rd_row, slot_wr_row, out_row;
  wire [T-1:0]        wload;
  wire                spad_re, vld, slot_psum, slot_ar, slot_hold, slot_held, slot_relu;
  wire                s_push, s_offer;
  wire [ROW_BITS-1:0] s_last;
  ktpu_int8_ex_small #(.T(T), .RW(RW), .VW(VW), .LW(ROW_BITS)) u_ex (
    .clk_i(clk_i), .rst_i(rst_i),
    .d_valid_i(ex_valid_i), .d_ready_o(ex_ready_o), .d_mm_i(is_mm), .d_vld_i(is_vld),
    .d_vrelu_i(is_vrelu), .d_acc_i(f2[0]), .d_relu_i(is_relu),
    .d_v_i((is_mm || is_vld) ? f0[RW-1:0] : f1[RW-1:0]),
    .d_s_i(is_mm ? f3[RW-1:0] : is_vld ? f1[RW-1:0] : f2[RW-1:0]),
    .d_w_i(is_mm ? f1[RW-1:0] : f0[RW-1:0]), .d_nr_i(nr_i),
    .l_valid_i(ld_pending), .l_pop_i(ld_pop), .l_new_i(ld_new), .l_vr_i(ld_vr), .l_row_i(ld_row),
    .l_blocked_o(ld_blocked), .vld_busy_i(vld_q),
    .s_push_i(s_push), .s_valid_i(s_rows_o), .s_offer_i(s_offer), .s_row_i(out_row),
    .s_last_i(s_last), .s_issue_o(s_issue_o),
    .vr_re_o(vr_re_o), .vr_raddr_o(v_row), .spad_re_o(spad_re), .spad_raddr_o(s_row),
    .wload_o(wload), .vld_o(vld),
    .slot_rd_o(slot_rd_o), .slot_rd_row_o(slot_rd_row), .slot_wr_o(slot_wr_o),
    .slot_wr_row_o(slot_wr_row), .slot_psum_o(slot_psum), .slot_ar_o(slot_ar),
    .slot_hold_o(slot_hold), .slot_held_o(slot_held), .slot_relu_o(slot_relu),
    .valid_o(x_valid_o), .head_vs_o(x_vs_o), .head_wr_o(x_wr_o), .waits_o(x_waits_o),
    .issue_o(issue_o), .wait_port_o(s_port_o)
  );

  // ---- operand memories; a vld's row goes on to vr as it leaves spad
  wire [T*8-1:0] spad_rdata, vr_rdata;
  reg  [VAW-1:0] vld_row_q;
  reg  [T-1:0]   wload_q;
  assign spad_busy_o = spad_re || spad_we;
  assign vr_busy_o   = vr_re_o || vld_q || ld_vr_we;
  ktpu_ram_sdp #(.WIDTH(T*8), .DEPTH(SPAD_ROWS)) u_spad (
    .clk_i(clk_i), .we_i(spad_we), .waddr_i(ld_row[SAW-1:0]), .wdata_i(ld_data),
    .re_i(spad_re), .raddr_i(s_row[SAW-1:0]), .rdata_o(spad_rdata)
  );
  ktpu_ram_sdp #(.WIDTH(T*8), .DEPTH(NVR)) u_vr (
    .clk_i(clk_i), .we_i(vld_q || ld_vr_we), .waddr_i(vld_q ? vld_row_q : ld_row[VAW-1:0]),
    .wdata_i(vld_q ? spad_rdata : ld_data),
    .re_i(vr_re_o), .raddr_i(v_row[VAW-1:0]), .rdata_o(vr_rdata)
  );
  always @(posedge clk_i) begin
    wload_q <= wload;
    vld_q   <= vld;
    if (rst_i) vld_q <= 1'b0;
  end
  always @(posedge clk_i) vld_row_q <= v_row[VAW-1:0];

  // ---- array and accumulator
  wire [T*PW-1:0] psum;
  wire [T*32-1:0] row;
  wire            row_valid, reading;
  ktpu_int8_array #(.T(T), .PW(PW), .SMALL(1)) u_array (
    .clk_i(clk_i), .act_i(vr_rdata), .weight_i(spad_rdata), .wload_i(wload_q), .psum_o(psum)
  );
  ktpu_int8_accu #(.T(T), .NAR(NAR), .RW(RW), .PW(PW), .AR_BANKS(1)) u_accu (
    .clk_i(clk_i), .rst_i(rst_i),
    .slot_rd_i(slot_rd_o), .slot_rd_row_i(slot_rd_row), .slot_wr_i(slot_wr_o),
    .slot_wr_row_i(slot_wr_row), .slot_psum_i(slot_psum), .slot_ar_i(slot_ar),
    .slot_hold_i(slot_hold), .slot_held_i(slot_held), .slot_relu_i(slot_relu),
    .slot_out_i(s_issue_o), .slot_out_row_i(out_row), .psum_i(psum),
    .out_valid_o(row_valid), .out_row_o(row),
    .reading_o(reading), .writing_o(wrapped_valid_o), .wrapped_o(wrapped_o)
  );

  // ---- output and stores
  wire           st_ctx, out_wide, word_valid;
  wire [4:0]     out_shift;
  wire [1:0]     st_ctx_busy;
  wire [T*8-1:0] word;
  ktpu_int8_out_small #(.T(T)) u_out (
    .clk_i(clk_i), .rst_i(rst_i), .wide_i(out_wide), .shift_i(out_shift),
    .in_valid_i(row_valid), .in_row_i(row), .word_valid_q(word_valid), .word_o(word),
    .saturated_o(saturated_o)
  );
  assign saturated_valid_o = word_valid;
  ktpu_int8_st_small #(
    .T(T), .RW(RW), .ROW_BITS(ROW_BITS), .CB_BITS(CB_BITS), .BUS_BITS(BUS_BITS),
    .ADDR_BITS(ADDR_BITS), .OUTSTANDING(OUTSTANDING)
  ) u_st (
    .clk_i(clk_i), .rst_i(rst_i), .rst_bus_i(rst_bus_i),
    .d_valid_i(st_valid_i), .d_ready_o(st_ready_o), .d_ar_i(f0[RW-1:0]),
    .d_row0_i(f1[ROW_BITS-1:0]), .d_cb_i(f2[CB_BITS-1:0]), .d_nr_i(nr_i[ROW_BITS-1:0]),
    .d_ctx_i(slot_i), .d_wide_i(wide_i[slot_i]), .d_shift_i(shift_i[slot_i * 5 +: 5]),
    .ctx_sel_o(st_ctx), .ctx_base_i(base_c_i[st_ctx * ADDR_BITS +: ADDR_BITS]),
    .wide_o(out_wide), .shift_o(out_shift),
    .push_o(s_push), .rows_o(s_rows_o), .offer_o(s_offer), .row_o(out_row), .last_o(s_last),
    .issue_i(s_issue_o), .word_valid_i(word_valid), .word_i(word),
    .aw_valid_o(aw_valid_o), .aw_ready_i(aw_ready_i), .aw_addr_o(aw_addr_o),
    .w_valid_o(w_valid_o), .w_ready_i(w_ready_i), .w_data_o(w_data_o), .w_strb_o(w_strb_o),
    .b_valid_i(b_valid_i),
    .ctx_busy_o(st_ctx_busy), .quiet_o(st_quiet_o), .bus_quiet_o(bus_quiet_o)
  );
  assign ctx_busy_o = ld_ctx_busy | st_ctx_busy;

  wire unused = &{1'b0, reading, f0, f1, f2, f3, v_row, s_row, ld_row};
endmodule
`default_nettype wire
