// SPDX-License-Identifier: Apache-2.0
// Sends the replies that stand ready, in order, byte by byte up to the delimiter that ends each.
// After a pause a delimiter goes first. Buffers head_q up to tail_i (numbers with one bit more
// than the buffer's) hold replies; sending_o: the one at head_o is under way, or begins in this
// cycle. tx_last_o marks a delimiter after which nothing is known to follow.
`default_nettype none
module ktpu_link_tx #(
  parameter integer SLOT_BITS  = 1,
  parameter integer INDEX_BITS = 9,
  parameter integer OUT_REG    = 0
) (
  input  wire                            clk_i,
  input  wire                            rst_i,

  input  wire [SLOT_BITS:0]              tail_i,
  output wire [SLOT_BITS:0]              head_o,
  output wire                            sending_o,
  input  wire                            quiet_i,    // no request is waiting or being executed

  output wire                            re_o,
  output wire [SLOT_BITS+INDEX_BITS-1:0] raddr_o,
  input  wire [7:0]                      rdata_i,

  output wire                            tx_valid_o,
  input  wire                            tx_ready_i,
  output wire [7:0]                      tx_data_o,
  output wire                            tx_last_o
);
  localparam [1:0] ST_IDLE  = 2'd0;
  localparam [1:0] ST_FIRST = 2'd1;       // the delimiter after a pause
  localparam [1:0] ST_FRAME = 2'd2;

  localparam [SLOT_BITS:0] ONE = {{SLOT_BITS{1'b0}}, 1'b1};

  reg [1:0]         state_q;
  reg [SLOT_BITS:0] head_q;
  reg               paused_q;

  wire       frame_valid;
  wire [7:0] frame_data;
  wire       first = state_q == ST_FIRST;
  wire       frame = state_q == ST_FRAME;
  wire       more  = tail_i != head_q;
  wire       stop  = frame && frame_valid && tx_ready_i && frame_data == 8'd0;

  assign head_o     = head_q;
  assign sending_o  = state_q != ST_IDLE || more;
  assign tx_valid_o = first || (frame && frame_valid);
  assign tx_data_o  = frame_data & {8{frame}};
  assign tx_last_o  = frame && frame_data == 8'd0 && quiet_i && tail_i == head_q + ONE;

  ktpu_link_fetch #(
    .SLOT_BITS(SLOT_BITS), .INDEX_BITS(INDEX_BITS), .OUT_REG(OUT_REG)
  ) u_fetch (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(state_q == ST_IDLE), .slot_i(head_q[SLOT_BITS-1:0]),
    .re_o(re_o), .raddr_o(raddr_o), .rdata_i(rdata_i), .out_valid_o(frame_valid),
    .out_ready_i(frame && tx_ready_i), .out_data_o(frame_data)
  );

  always @(posedge clk_i) begin
    case (state_q)
      ST_IDLE: begin
        if (more) state_q <= paused_q ? ST_FIRST : ST_FRAME;
        paused_q <= !more;
      end
      ST_FIRST: if (tx_ready_i) state_q <= ST_FRAME;
      ST_FRAME: if (stop) begin
        state_q <= ST_IDLE;
        head_q  <= head_q + ONE;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (rst_i) begin
      state_q  <= ST_IDLE;
      head_q   <= {(SLOT_BITS+1){1'b0}};
      paused_q <= 1'b1;
    end
  end
endmodule
`default_nettype wire
