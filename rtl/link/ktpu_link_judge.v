// SPDX-License-Identifier: Apache-2.0
// Judges a request: takes its header byte by byte, knows session, expected sequence number and the
// statuses of the last writes. In the cycle of judge_i: accept_o: it is answered (else drop_code_o
// says which counter it goes to); run_o: it is executed; verdict_o: else the reply's status. The
// expected number moves on with judge_i; a session begins with it. With frozen_i the address
// register must hold: requests that need it are answered BUS_TIMEOUT. step_i moves addr_o on by
// one. addr_o of a STATUS request is that of the core's STATUS register.
`default_nettype none
module ktpu_link_judge #(
  parameter integer SLOT_BITS   = 1,
  parameter integer LEN_BITS    = 9,
  parameter integer PAYLOAD     = 256,
  parameter integer ADDR_BITS   = 17,
  parameter integer MEMORY_BITS = 17
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 core_busy_i,

  input  wire                 byte_valid_i,
  input  wire [7:0]           byte_i,
  input  wire [3:0]           place_i,
  input  wire                 frozen_i,
  input  wire                 judge_i,
  input  wire                 store_i,
  input  wire [2:0]           status_i,
  input  wire                 step_i,

  output wire                 accept_o,
  output wire                 run_o,
  output wire [2:0]           verdict_o,
  output wire [3:0]           drop_code_o,
  output wire                 duplicate_o,
  output wire [2:0]           kind_o,
  output wire                 link_reg_o,
  output wire [ADDR_BITS-1:0] addr_o,
  output wire [LEN_BITS-1:0]  length_o,
  output wire [7:0]           expected_o
);
  `include "ktpu_tinytpu.vh"
  `include "ktpu_link.vh"

  localparam integer WINDOW = 1 << SLOT_BITS;
  localparam [7:0]           WINDOW_8 = WINDOW[7:0];
  localparam [LEN_BITS-1:0]  MOST     = PAYLOAD[LEN_BITS-1:0];
  localparam [LEN_BITS-1:0]  WORD     = 4;
  localparam [LEN_BITS-1:0]  STATE    = KT_LINK_STATE_BYTES[LEN_BITS-1:0];
  localparam [LEN_BITS-1:0]  NONE     = {LEN_BITS{1'b0}};
  localparam [ADDR_BITS-1:0] A_ONE    = {{(ADDR_BITS-1){1'b0}}, 1'b1};
  localparam [3:0] AT_SESSION  = KT_LINK_AT_SESSION[3:0];
  localparam [3:0] AT_SEQUENCE = KT_LINK_AT_SEQUENCE[3:0];
  localparam [3:0] AT_ADDRESS  = KT_LINK_AT_ADDRESS[3:0];
  localparam [3:0] AT_LENGTH   = KT_LINK_AT_LENGTH[3:0];

  reg [2:0]           kind_q;
  reg                 odd_q;              // no such type
  reg                 same_q;             // the frame's session is ours
  reg [15:0]          session_q;
  reg                 open_q;             // there is a session
  reg [7:0]           expected_q;
  reg                 next_q;             // the frame's number is the expected one
  reg                 again_q;            // or one of the window before it
  reg [SLOT_BITS-1:0] number_q;
  reg [ADDR_BITS-1:0] addr_q;
  reg                 far_q;              // the address has bits past addr_q
  reg [LEN_BITS-1:0]  length_q;
  reg                 huge_q;             // the length has bits past length_q
  reg                 frozen_q;
  reg [3*WINDOW-1:0]  stored_q;           // statuses by number, modulo the window

  // bits of the address's byte k that do not fit addr_q
  function [7:0] past(input integer k);
    integer i;
    for (i = 0; i < 8; i = i + 1) past[i] = 8 * k + i >= ADDR_BITS;
  endfunction

  wire is_read   = kind_q == KT_LINK_TYPE_READ[2:0];
  wire is_write  = kind_q == KT_LINK_TYPE_WRITE[2:0];
  wire is_bread  = kind_q == KT_LINK_TYPE_BURST_READ[2:0];
  wire is_bwrite = kind_q == KT_LINK_TYPE_BURST_WRITE[2:0];
  wire is_state  = kind_q == KT_LINK_TYPE_STATUS[2:0];
  wire is_reset  = kind_q == KT_LINK_TYPE_RESET_LINK[2:0] && !odd_q;
  wire register  = is_read || is_write;
  wire memory    = is_bread || is_bwrite;

  wire [7:0] behind = expected_q - byte_i;

  wire       high_13 = addr_q >> 13 != {ADDR_BITS{1'b0}};
  wire       link_reg = addr_q[12];
  wire       bad_reg = far_q || high_13 || addr_q[1:0] != 2'd0;
  wire [LEN_BITS:0] reach = {1'b0, addr_q[LEN_BITS-1:0]} + {1'b0, length_q};
  wire       last_block = &addr_q[MEMORY_BITS-1:LEN_BITS];
  wire       past_end = last_block && reach[LEN_BITS] && reach[LEN_BITS-1:0] != NONE;
  wire       high_mem = addr_q >> MEMORY_BITS != {ADDR_BITS{1'b0}};
  wire       bad_mem = far_q || high_mem || past_end;

  wire bad_length = huge_q || (register && length_q != WORD) || (is_state && length_q != STATE)
                  || length_q > MOST || (memory && length_q == NONE);
  wire bad_address = (register && bad_reg) || (memory && bad_mem);
  wire stored = open_q && again_q && (is_write || is_bwrite);

  assign accept_o = is_reset || (open_q ? same_q && (next_q || again_q)
                                        : is_read && !odd_q && link_reg && !bad_reg);
  assign drop_code_o = open_q && same_q ? KT_LINK_EVENT_SEQUENCE : KT_LINK_EVENT_SESSION;
  assign duplicate_o = accept_o && open_q && again_q && !is_reset;
  assign verdict_o = odd_q ? KT_LINK_STATUS_BAD_TYPE
                   : stored ? stored_q[3 * number_q +: 3]
                   : is_reset ? KT_LINK_STATUS_OK
                   : bad_length ? KT_LINK_STATUS_BAD_LENGTH
                   : frozen_q && (register || memory || is_state) ? KT_LINK_STATUS_BUS_TIMEOUT
                   : bad_address ? KT_LINK_STATUS_BAD_ADDRESS
                   : memory && core_busy_i ? KT_LINK_STATUS_BUSY : KT_LINK_STATUS_OK;
  assign run_o = verdict_o == KT_LINK_STATUS_OK && !stored;
  assign kind_o     = kind_q;
  assign link_reg_o = link_reg;
  assign addr_o     = addr_q;
  assign length_o   = length_q;
  assign expected_o = expected_q;

  always @(posedge clk_i) begin
    if (judge_i && is_reset) begin
      open_q     <= 1'b1;
      expected_q <= 8'd0;
    end else if (judge_i && open_q && same_q && next_q) expected_q <= expected_q + 8'd1;
    if (store_i) stored_q[3 * number_q +: 3] <= status_i;
    if (rst_i) begin
      open_q   <= 1'b0;
      stored_q <= {3*WINDOW{1'b0}};
    end
  end

  // the header; no reset: all of it is there when judge_i comes, and open_q guards the session
  integer i;
  always @(posedge clk_i) begin
    if (byte_valid_i) begin
      if (place_i == 4'd0) begin
        kind_q   <= byte_i[2:0];
        odd_q    <= byte_i[7:3] != 5'd0 || byte_i[2:0] == 3'd0;
        same_q   <= 1'b1;
        frozen_q <= frozen_i;
      end
      if (place_i == AT_SESSION || place_i == AT_SESSION + 4'd1) begin
        if (byte_i != session_q[7:0]) same_q <= 1'b0;
        session_q <= {is_reset ? byte_i : session_q[7:0], session_q[15:8]};
      end
      if (place_i == AT_SEQUENCE) begin
        next_q   <= behind == 8'd0;
        again_q  <= behind != 8'd0 && behind <= WINDOW_8;
        number_q <= byte_i[SLOT_BITS-1:0];
        far_q    <= 1'b0;
      end
      for (i = 0; i < 4; i = i + 1)
        if (place_i == AT_ADDRESS + i[3:0] && (byte_i & past(i)) != 8'd0) far_q <= 1'b1;
      if (!frozen_q)
        for (i = 0; i < ADDR_BITS; i = i + 1)
          if (place_i == AT_ADDRESS + i[6:3]) addr_q[i] <= byte_i[i[2:0]];
      if (place_i == AT_LENGTH) length_q[7:0] <= byte_i;
      if (place_i == AT_LENGTH && is_state && !frozen_q) addr_q[11:0] <= KT_REG_STATUS;
      if (place_i == AT_LENGTH + 4'd1) begin
        length_q[LEN_BITS-1:8] <= byte_i[LEN_BITS-9:0];
        huge_q <= byte_i[7:LEN_BITS-8] != {(16-LEN_BITS){1'b0}};
      end
    end
    if (step_i) addr_q <= addr_q + A_ONE;
  end

`ifdef FORMAL
  `include "ktpu_link_judge_fv.vh"
`endif
endmodule
`default_nettype wire
