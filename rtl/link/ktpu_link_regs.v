// SPDX-License-Identifier: Apache-2.0
// The link's own registers, a byte at a time: identity from the parameters; scratch words and
// counters in a small RAM, cleared after a reset. The executor holds req_i and addr_i until it has
// taken the byte (take_i while valid_o is high); wr_i writes a byte of a scratch word. Two sources
// of events are counted, each with one waiting: a third while one waits is not counted. Counters
// stay at 255; STARTS has two bytes and wraps.
`default_nettype none
module ktpu_link_regs #(
  parameter integer WINDOW       = 2,
  parameter integer PAYLOAD      = 256,
  parameter integer MEMORY_BYTES = 131072,
  parameter [31:0]  CONFIG_HASH  = 32'd0,
  parameter [31:0]  BUILD_ID     = 32'd0,
  parameter [31:0]  PART         = 32'd0,
  parameter [31:0]  CLOCK_HZ     = 32'd0,
  parameter [3:0]   PHY          = 4'd1
) (
  input  wire        clk_i,
  input  wire        rst_i,

  input  wire        req_i,
  input  wire        take_i,
  input  wire        wr_i,
  input  wire [11:0] addr_i,              // of the byte, from KT_LINK_REG_BASE on
  input  wire [7:0]  wdata_i,
  output wire        valid_o,
  output wire [7:0]  rdata_o,

  input  wire        a_event_i,
  input  wire [3:0]  a_code_i,
  input  wire        b_event_i,
  input  wire [3:0]  b_code_i
);
  `include "ktpu_link.vh"

  localparam integer LIMITS_I = (WINDOW << KT_LINK_LIMITS_WINDOW_LSB)
                              | (PAYLOAD << KT_LINK_LIMITS_PAYLOAD_LSB);
  localparam [31:0] LIMITS = LIMITS_I[31:0] | ({28'd0, PHY} << KT_LINK_LIMITS_PHY_LSB);

  function [31:0] identity(input [2:0] word);
    case (word)
      3'd0: identity = KT_LINK_MAGIC;
      3'd1: identity = KT_LINK_VERSION;
      3'd2: identity = CONFIG_HASH;
      3'd3: identity = BUILD_ID;
      3'd4: identity = PART;
      3'd5: identity = LIMITS;
      3'd6: identity = MEMORY_BYTES[31:0];
      default: identity = CLOCK_HZ;
    endcase
  endfunction

  // counting: read a byte, write it incremented; the executor's own accesses come first
  localparam [1:0] ST_CLEAR = 2'd0;       // after a reset
  localparam [1:0] ST_IDLE  = 2'd1;
  localparam [1:0] ST_READ  = 2'd2;
  localparam [1:0] ST_WRITE = 2'd3;

  reg [1:0] state_q;
  reg [6:0] at_q;                         // the byte that is cleared or counted in
  reg       a_wait_q, b_wait_q;
  reg [3:0] a_code_q, b_code_q;
  reg       valid_q;
  reg       ram_q;                        // the byte read is the RAM's, not identity
  reg       none_q;                       // there is no such register
  reg [7:0] identity_q;

  wire [7:0] ram_data;
  wire [31:0] word = identity(addr_i[4:2]);
  wire [7:0] rom_data = addr_i[1] ? (addr_i[0] ? word[31:24] : word[23:16])
                                  : (addr_i[0] ? word[15:8] : word[7:0]);

  wire in_scratch = addr_i[11:4] == KT_LINK_REG_SCRATCH[11:4];
  wire host_write = wr_i && in_scratch;
  wire clear      = state_q == ST_CLEAR;
  wire count      = state_q == ST_WRITE && !host_write;
  wire starts     = at_q[6:2] == KT_LINK_REG_STARTS[6:2];
  wire stays      = ram_data == 8'd255 && !starts;
  wire carry      = ram_data == 8'd255 && starts && !at_q[0];
  wire [3:0] code = a_wait_q ? a_code_q : b_code_q;

  assign valid_o = valid_q;
  assign rdata_o = none_q ? 8'd0 : ram_q ? ram_data : identity_q;

  ktpu_ram_sdp #(.WIDTH(8), .DEPTH(128)) u_ram (
    .clk_i(clk_i),
    .we_i(clear || host_write || (count && !stays)),
    .waddr_i(host_write ? addr_i[6:0] : at_q),
    .wdata_i(host_write ? wdata_i : (ram_data + 8'd1) & {8{!clear}}),
    .re_i(req_i || state_q == ST_READ), .raddr_i(req_i ? addr_i[6:0] : at_q), .rdata_o(ram_data)
  );

  always @(posedge clk_i) begin
    valid_q <= req_i && !take_i && !clear;
    case (state_q)
      ST_CLEAR: begin
        at_q <= at_q + 7'd1;
        if (at_q == 7'd127) state_q <= ST_IDLE;
      end
      ST_IDLE: if (a_wait_q || b_wait_q) begin
        at_q    <= KT_LINK_REG_COUNT_CRC[6:0] + {1'b0, code, 2'd0};
        state_q <= ST_READ;
        if (a_wait_q) a_wait_q <= 1'b0;
        else b_wait_q <= 1'b0;
      end
      ST_READ: if (!req_i) state_q <= ST_WRITE;
      ST_WRITE: begin
        state_q <= host_write || carry ? ST_READ : ST_IDLE;
        if (count && carry) at_q[0] <= 1'b1;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (a_event_i) a_wait_q <= 1'b1;
    if (b_event_i) b_wait_q <= 1'b1;
    if (rst_i) begin
      state_q  <= ST_CLEAR;
      at_q     <= 7'd0;
      a_wait_q <= 1'b0;
      b_wait_q <= 1'b0;
      valid_q  <= 1'b0;
    end
  end

  always @(posedge clk_i) begin           // no reset: the flags above say when these mean something
    if (a_event_i) a_code_q <= a_code_i;
    if (b_event_i) b_code_q <= b_code_i;
    identity_q <= rom_data;
    ram_q      <= addr_i[6:5] != 2'd0;
    none_q     <= addr_i[11:7] != 5'd0;
  end
endmodule
`default_nettype wire
