// SPDX-License-Identifier: Apache-2.0
// The host's registers of the MXFP7 machine (docs/mx-isa.md), go and soft reset.
//
// AXI4-Lite: a write is taken when address and data are both there and no response is pending (so
// awready and wready depend on the valids), a read when none is outstanding; data follows two
// cycles later. Every response is OKAY. A write acts on whole words: with a wstrb other than 1111
// it is answered and ignored, and so is one while the machine is busy, except to CONTROL.
//
// start_o and soft_reset_o are strobes in the very cycle in which the CONTROL write is taken. A go
// while busy or stuck, or together with a soft reset, is refused (STATUS bit 3). STAGE_DATA and
// COMMAND_DATA past the end of their RAM write nothing. Of NODE the host can write BASE and LENGTH;
// credit and kicks belong to the commands.
`default_nettype none
module ktpu_mx_ctrl #(
  parameter integer KSLICE      = 32,
  parameter integer PACKED      = 0,
  parameter integer ACC_MW      = 14,
  parameter integer L1_ENTRIES  = 512,
  parameter integer TILES       = 512,
  parameter integer IFIFO       = 32,
  parameter integer STAGING     = 2048,
  parameter integer COMMANDS    = 1024,
  parameter integer OUTSTANDING = 64,
  parameter integer ADDR_BITS   = 32,
  parameter [31:0]  CONFIG_HASH = 32'd0
) (
  input  wire         clk_i,
  input  wire         rst_i,

  input  wire [11:0]  s_axil_awaddr,
  input  wire         s_axil_awvalid,
  output wire         s_axil_awready,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  output wire [1:0]   s_axil_bresp,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  input  wire [11:0]  s_axil_araddr,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  output wire [31:0]  s_axil_rdata,
  output wire [1:0]   s_axil_rresp,
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,

  output wire         start_o,
  output wire         soft_reset_o,
  output wire [31:0]  watchdog_o,
  output wire [32:0]  memory_end_o,
  output wire [31:0]  status_o,

  output wire         stage_we_o,      // word_o goes to a RAM or register
  output wire [$clog2(STAGING)+2:0]  stage_index_o,
  output wire         command_we_o,
  output wire [$clog2(COMMANDS)+1:0] command_index_o,
  output wire         base_we_o,
  output wire         length_we_o,
  output wire [31:0]  word_o,

  input  wire         busy_i,
  input  wire         done_i,          // one cycle
  input  wire         faulted_i,
  input  wire         resetting_i,
  input  wire         stuck_i,
  input  wire [31:0]  fault_i,
  input  wire [31:0]  fault_arg_i,
  input  wire [15:0]  fault_instr_i,
  input  wire [$clog2(COMMANDS):0] fault_command_i,
  input  wire [31:0]  done_code_i,
  input  wire [31:0]  completed_i,
  input  wire [31:0]  base_i,
  input  wire [31:0]  length_i,
  input  wire [$clog2(IFIFO+1)-1:0] credit_i,
  input  wire         kick_busy_i,

  output wire [9:0]   count_addr_o,    // of the register that is read
  input  wire [31:0]  count_data_i
);
  `include "ktpu_mx.vh"

  localparam integer SB = $clog2(STAGING) + 3;
  localparam integer CB = $clog2(COMMANDS) + 2;
  localparam integer LB = $clog2(IFIFO + 1);
  localparam integer PB = $clog2(COMMANDS) + 1;
  localparam [31:0] PARAM0 = {IFIFO[7:0], ACC_MW[7:0], KSLICE[7:0], 8'd1};
  localparam [31:0] PARAM1 = {TILES[15:0], L1_ENTRIES[15:0]};
  localparam [31:0] PARAM2 = {COMMANDS[15:0], STAGING[15:0]};
  localparam [31:0] PARAM3 = {15'd0, PACKED != 0, ADDR_BITS[7:0], OUTSTANDING[7:0]};
  localparam [9:0]  NODE   = KT_MX_REG_NODE[11:2];

  // ---- Writes ---------------------------------------------------------------------------------

  reg         bvalid_q;
  wire        write      = s_axil_awvalid && s_axil_wvalid && !bvalid_q;
  wire        write_word = write && (&s_axil_wstrb);
  wire [9:0]  waddr      = s_axil_awaddr[11:2];
  wire [31:0] wdata      = s_axil_wdata;

  assign s_axil_awready = write;
  assign s_axil_wready  = write;
  assign s_axil_bvalid  = bvalid_q;
  assign s_axil_bresp   = 2'b00;

  wire control = write_word && waddr == KT_MX_REG_CONTROL[11:2];
  wire config_write = write_word && !busy_i;
  wire go      = control && wdata[0];
  assign soft_reset_o = control && wdata[1];
  assign start_o      = go && !busy_i && !soft_reset_o;

  always @(posedge clk_i) begin
    if (write) bvalid_q <= 1'b1;
    else if (s_axil_bready) bvalid_q <= 1'b0;
    if (rst_i) bvalid_q <= 1'b0;
  end

  reg  [31:0] stage_q, command_q, watchdog_q, memory_q;
  wire        to_stage   = config_write && waddr == KT_MX_REG_STAGE_DATA[11:2];
  wire        to_command = config_write && waddr == KT_MX_REG_COMMAND_DATA[11:2];
  always @(posedge clk_i) begin
    if (config_write && waddr == KT_MX_REG_STAGE_INDEX[11:2]) stage_q <= wdata;
    else if (to_stage) stage_q <= stage_q + 32'd1;
    if (config_write && waddr == KT_MX_REG_COMMAND_INDEX[11:2]) command_q <= wdata;
    else if (to_command) command_q <= command_q + 32'd1;
    if (config_write && waddr == KT_MX_REG_WATCHDOG[11:2]) watchdog_q <= wdata;
    if (config_write && waddr == KT_MX_REG_MEMORY_BYTES[11:2]) memory_q <= wdata;
    if (rst_i) begin
      stage_q    <= 32'd0;
      command_q  <= 32'd0;
      watchdog_q <= 32'd65536;
      memory_q   <= 32'hFFFFFFFF;
    end
  end
  assign stage_we_o      = to_stage && stage_q[31:SB] == {(32-SB){1'b0}};
  assign stage_index_o   = stage_q[SB-1:0];
  assign command_we_o    = to_command && command_q[31:CB] == {(32-CB){1'b0}};
  assign command_index_o = command_q[CB-1:0];
  assign base_we_o       = config_write && waddr == NODE;
  assign length_we_o     = config_write && waddr == NODE + 10'd1;
  assign word_o          = wdata;
  assign watchdog_o      = watchdog_q;
  generate
    if (ADDR_BITS == 32) begin : g_memory_32
      assign memory_end_o = {1'b0, memory_q};
    end else begin : g_memory_less
      localparam [32:0] ALL = 33'd1 << ADDR_BITS;
      assign memory_end_o = {1'b0, memory_q} < ALL ? {1'b0, memory_q} : ALL;
    end
  endgenerate

  // ---- Status ---------------------------------------------------------------------------------

  reg done_q, refused_q;
  always @(posedge clk_i) begin
    if (done_i) done_q <= 1'b1;
    if (go && !start_o) refused_q <= 1'b1;
    if (start_o || rst_i) begin
      done_q    <= 1'b0;
      refused_q <= 1'b0;
    end
  end
  assign status_o = {26'd0, stuck_i, resetting_i, refused_q, faulted_i, done_q, busy_i};

  // ---- Reads: address, then data, each a register ---------------------------------------------

  reg         reading_q;                // an address is held, its data comes next
  reg         rvalid_q;
  reg  [9:0]  raddr_q;
  reg  [31:0] rdata_q;
  assign s_axil_arready = !reading_q && !rvalid_q;
  assign s_axil_rvalid  = rvalid_q;
  assign s_axil_rdata   = rdata_q;
  assign s_axil_rresp   = 2'b00;
  assign count_addr_o   = raddr_q;

  always @(posedge clk_i)
    if (reading_q)
      case (raddr_q)
        KT_MX_REG_MAGIC[11:2]:          rdata_q <= KT_MX_MAGIC;
        KT_MX_REG_SPEC_VERSION[11:2]:   rdata_q <= KT_MX_VERSION;
        KT_MX_REG_CONFIG_HASH[11:2]:    rdata_q <= CONFIG_HASH;
        KT_MX_REG_ENGINE[11:2]:         rdata_q <= KT_MX_ENGINE;
        KT_MX_REG_PARAM0[11:2]:         rdata_q <= PARAM0;
        KT_MX_REG_PARAM1[11:2]:         rdata_q <= PARAM1;
        KT_MX_REG_PARAM2[11:2]:         rdata_q <= PARAM2;
        KT_MX_REG_PARAM3[11:2]:         rdata_q <= PARAM3;
        KT_MX_REG_STATUS[11:2]:         rdata_q <= status_o;
        KT_MX_REG_STAGE_INDEX[11:2]:    rdata_q <= stage_q;
        KT_MX_REG_WATCHDOG[11:2]:       rdata_q <= watchdog_q;
        KT_MX_REG_COMMAND_INDEX[11:2]:  rdata_q <= command_q;
        KT_MX_REG_MEMORY_BYTES[11:2]:   rdata_q <= memory_q;
        KT_MX_REG_FAULT[11:2]:          rdata_q <= fault_i;
        KT_MX_REG_FAULT_ARG[11:2]:      rdata_q <= fault_arg_i;
        KT_MX_REG_FAULT_INSTR[11:2]:    rdata_q <= {16'd0, fault_instr_i};
        KT_MX_REG_FAULT_COMMAND[11:2]:  rdata_q <= {{(32-PB){1'b0}}, fault_command_i};
        KT_MX_REG_DONE_CODE[11:2]:      rdata_q <= done_code_i;
        KT_MX_REG_COMPLETED[11:2]:      rdata_q <= completed_i;
        KT_MX_REG_NODE_COMPLETED[11:2]: rdata_q <= completed_i;
        NODE:                           rdata_q <= base_i;
        NODE + 10'd1:                   rdata_q <= length_i;
        NODE + 10'd2:                   rdata_q <= {{(32-LB){1'b0}}, credit_i};
        NODE + 10'd3:                   rdata_q <= {31'd0, kick_busy_i};
        default:                        rdata_q <= count_data_i;
      endcase

  always @(posedge clk_i) begin
    reading_q <= s_axil_arvalid && s_axil_arready;
    if (reading_q) rvalid_q <= 1'b1;
    else if (s_axil_rready) rvalid_q <= 1'b0;
    if (rst_i) begin
      reading_q <= 1'b0;
      rvalid_q  <= 1'b0;
    end
  end
  always @(posedge clk_i)
    if (s_axil_arready) raddr_q <= s_axil_araddr[11:2];

  wire unused_ok = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0]};
endmodule
`default_nettype wire
