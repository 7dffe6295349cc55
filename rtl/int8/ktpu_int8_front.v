// SPDX-License-Identifier: Apache-2.0
// The instruction side of the large builds: programs into the instruction memory, instructions out
// of it, checked and dispatched. With PIPELINE = 1 the sequencer sees a program a cycle late.
`default_nettype none
module ktpu_int8_front #(
  parameter integer T          = 4,
  parameter integer MAXDIM     = 64,
  parameter integer SPAD_ROWS  = 1024,
  parameter integer NVR        = 1024,
  parameter integer NAR        = 136,
  parameter integer IMEM_SIZE  = 104,
  parameter integer BUS_BITS   = 64,
  parameter integer CONTRACTS  = 1,
  parameter integer SERIAL_AGU = 0,
  parameter integer ADDR_BITS  = 32,
  parameter integer AW         = 7,
  parameter integer PIPELINE   = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  input  wire                 load_valid_i,    // as in ktpu_int8_prog
  output wire                 load_ready_o,
  input  wire [ADDR_BITS-1:0] load_addr_i,
  input  wire [AW:0]          load_words_i,
  input  wire                 load_slot_i,

  input  wire                 run_i,           // run the slot's program
  input  wire                 run_slot_i,
  input  wire                 run_fresh_i,
  output wire                 done_o,

  output wire                 ar_valid_o,
  input  wire                 ar_ready_i,
  output wire [ADDR_BITS-1:0] ar_addr_o,
  output wire                 ar_urgent_o,
  input  wire                 r_valid_i,
  input  wire [BUS_BITS-1:0]  r_data_i,

  output wire                 ld_valid_o,      // as in ktpu_int8_seq
  input  wire                 ld_ready_i,
  output wire                 ex_valid_o,
  input  wire                 ex_ready_i,
  output wire                 st_valid_o,
  input  wire                 st_ready_i,
  output wire [5:0]           op_o,
  output wire [43:0]          field_o,
  output wire [6:0]           nr_o,
  output wire                 fault_valid_o,
  output wire [7:0]           fault_code_o,
  output wire [7:0]           fault_sub_o,
  output wire [31:0]          fault_arg_o,
  output wire [15:0]          fault_instr_o,
  output wire [2:0]           state_o,
  output wire                 step_o
);
  localparam integer PC_BITS = $clog2(IMEM_SIZE / 2 - 3);
  wire [AW-1:0]       run_base, im_addr;
  wire [PC_BITS-1:0]  run_n, avail, want_pc;
  wire                hdr_avail, want_hdr, im_re;
  wire [BUS_BITS-1:0] im_data;
  ktpu_int8_prog #(
    .IMEM_SIZE(IMEM_SIZE), .BUS_BITS(BUS_BITS), .ADDR_BITS(ADDR_BITS), .AW(AW),
    .PC_BITS(PC_BITS), .PIPELINE(PIPELINE)
  ) u_prog (
    .clk_i(clk_i), .rst_i(rst_i),
    .load_valid_i(load_valid_i), .load_ready_o(load_ready_o), .load_addr_i(load_addr_i),
    .load_words_i(load_words_i), .load_slot_i(load_slot_i), .free_i(done_o),
    .run_slot_i(run_slot_i), .run_base_o(run_base), .run_n_o(run_n),
    .avail_o(avail), .hdr_avail_o(hdr_avail), .seq_busy_i(run_i), .want_pc_i(want_pc),
    .want_hdr_i(want_hdr),
    .ar_valid_o(ar_valid_o), .ar_ready_i(ar_ready_i), .ar_addr_o(ar_addr_o),
    .ar_urgent_o(ar_urgent_o), .r_valid_i(r_valid_i), .r_data_i(r_data_i),
    .im_re_i(im_re), .im_addr_i(im_addr), .im_data_o(im_data)
  );
  // what the sequencer sees of them; after a program's end the next one's a cycle later
  wire                seq_run, seq_fresh, seq_hdr;
  wire [AW-1:0]       seq_base;
  wire [PC_BITS-1:0]  seq_n, seq_avail;
  generate
    if (PIPELINE != 0) begin : g_seen_late
      reg [2+AW+2*PC_BITS:0] seen_q;
      always @(posedge clk_i)
        seen_q <= {run_i && !done_o && !rst_i, run_fresh_i, hdr_avail, run_base, run_n, avail};
      assign {seq_run, seq_fresh, seq_hdr, seq_base, seq_n, seq_avail} = seen_q;
    end else begin : g_seen
      assign {seq_run, seq_fresh, seq_hdr, seq_base, seq_n, seq_avail} =
             {run_i, run_fresh_i, hdr_avail, run_base, run_n, avail};
    end
  endgenerate
  ktpu_int8_seq #(
    .T(T), .MAXDIM(MAXDIM), .SPAD_ROWS(SPAD_ROWS), .NVR(NVR), .NAR(NAR), .IMEM_SIZE(IMEM_SIZE),
    .BUS_BITS(BUS_BITS), .CONTRACTS(CONTRACTS), .SERIAL_AGU(SERIAL_AGU), .AW(AW),
    .PC_BITS(PC_BITS), .PIPELINE(PIPELINE)
  ) u_seq (
    .clk_i(clk_i), .rst_i(rst_i),
    .run_i(seq_run), .run_fresh_i(seq_fresh), .run_base_i(seq_base), .run_n_i(seq_n),
    .avail_i(seq_avail), .hdr_avail_i(seq_hdr), .done_o(done_o), .want_pc_o(want_pc),
    .want_hdr_o(want_hdr), .im_re_o(im_re), .im_addr_o(im_addr), .im_data_i(im_data),
    .ld_valid_o(ld_valid_o), .ld_ready_i(ld_ready_i), .ex_valid_o(ex_valid_o),
    .ex_ready_i(ex_ready_i), .st_valid_o(st_valid_o), .st_ready_i(st_ready_i),
    .op_o(op_o), .field_o(field_o), .nr_o(nr_o),
    .fault_valid_o(fault_valid_o), .fault_code_o(fault_code_o), .fault_sub_o(fault_sub_o),
    .fault_arg_o(fault_arg_o), .fault_instr_o(fault_instr_o), .state_o(state_o), .step_o(step_o)
  );
endmodule
`default_nettype wire
