// SPDX-License-Identifier: Apache-2.0
// The side of ktpu_ft245.v that runs on the chip's CLKOUT: an FT232H or FT2232H in synchronous
// FIFO mode (FTDI AN_130; FT232H data sheet 2.0, FT_000288). Bytes from the chip leave as in_*,
// bytes for it come as out_*, out_last_i with the last one of a reply.
// * The chip moves a byte at each rising edge at which RXF# and RD# are low, or TXE# and WR# are
//   low. What was read is judged by the values at that very edge, kept in registers, so RXF# may
//   rise at any edge; while in_ready_i is low up to three more bytes come.
// * Every output is a register in its pin's cell, and so are the inputs, but for TXE#: it also
//   decides what the data's registers take. Were it only seen through a register, the next byte
//   would be on the pins before the fate of this one is known, and TXE# high for one clock would
//   swap them.
// * OE# falls a clock before RD#; between the two directions the bus rests for a clock at least.
// * A direction gives way after 256 bytes when the other one waits.
// * SIWU# is low for 2**PULSE_LOG clocks after the last byte of a reply, when nothing follows.
`default_nettype none
module ktpu_ft245_pins #(
  parameter integer PULSE_LOG = 2
) (
  input  wire       clk_i,                // CLKOUT
  input  wire       rst_i,                // asynchronous, released in step with clk_i

  input  wire       rxf_n_i,
  input  wire       txe_n_i,
  input  wire [7:0] data_i,
  output wire       rd_n_o,
  output wire       wr_n_o,
  output wire       oe_n_o,
  output wire       siwu_n_o,
  output wire [7:0] data_o,
  output wire [7:0] float_o,              // a bit each, high: data_o's bit does not drive its pin

  output wire       in_valid_o,
  input  wire       in_ready_i,
  output wire [7:0] in_data_o,
  input  wire       out_valid_i,
  output wire       out_ready_o,
  input  wire [7:0] out_data_i,
  input  wire       out_last_i
);
  localparam [2:0] ST_REST  = 3'd0;       // nobody drives the bus
  localparam [2:0] ST_OE    = 3'd1;       // OE# is low
  localparam [2:0] ST_READ  = 3'd2;       // RD# is low as well
  localparam [2:0] ST_WRITE = 3'd3;       // the bus is driven from here
  localparam [2:0] ST_TURN  = 3'd4;       // the chip lets go of the bus

  reg [2:0] state_q, state_d;
  reg [8:0] moved_q;                      // bytes since the direction was taken
  reg       turn_write_q;                 // the last direction was reading
  reg       rd_q;                         // RD# on the pin, inverted
  reg       reading_q;                    // RD# as the chip saw it at the last edge, inverted
  reg       writing_q;                    // WR# on the pin, inverted
  reg       have_q;                       // data_o holds a byte that the chip has not taken
  reg [7:0] data_q;                       // that byte once more: data_o's registers cannot be read
  reg       last_q;                       // it is a reply's last

  wire rxf_n;                             // as it was at the last edge
  reg  txe_n_q;

  // ---- reading
  wire rd_d      = state_d == ST_READ;
  wire can_read  = !rxf_n && in_ready_i;
  assign in_valid_o = reading_q && !rxf_n;

  // ---- writing
  wire taken     = writing_q && !txe_n_i; // at the coming edge
  wire advance   = !have_q || taken;
  wire stay      = state_q == ST_WRITE && state_d == ST_WRITE;
  wire load      = stay && advance && out_valid_i;
  wire can_write = (have_q || out_valid_i) && !txe_n_q;
  wire [7:0] data_d = load ? out_data_i : data_q;
  wire have_d    = load || (have_q && !taken);
  assign out_ready_o = stay && advance;

  always @* begin
    state_d = state_q;
    case (state_q)
      ST_REST: begin
        if (can_write) state_d = ST_WRITE;
        if (can_read && !(can_write && turn_write_q)) state_d = ST_OE;
      end
      ST_OE: state_d = ST_READ;
      ST_READ: if (!can_read || (moved_q[8] && can_write)) state_d = ST_TURN;
      ST_WRITE:
        if (!(have_q || out_valid_i) || (can_read && (moved_q[8] || txe_n_q))) state_d = ST_REST;
      default: state_d = ST_REST;
    endcase
  end

  always @(posedge clk_i or posedge rst_i)
    if (rst_i) begin
      state_q      <= ST_REST;
      moved_q      <= 9'd0;
      turn_write_q <= 1'b0;
      txe_n_q      <= 1'b1;
      rd_q         <= 1'b0;
      reading_q    <= 1'b0;
      writing_q    <= 1'b0;
      have_q       <= 1'b0;
      data_q       <= 8'd0;
      last_q       <= 1'b0;
    end else begin
      state_q   <= state_d;
      txe_n_q   <= txe_n_i;
      rd_q      <= rd_d;
      reading_q <= rd_q;
      writing_q <= stay && have_d;
      have_q    <= have_d;
      data_q    <= data_d;
      if (load) last_q <= out_last_i;
      if (state_q == ST_REST || state_q == ST_OE) moved_q <= 9'd0;
      else if (!moved_q[8] && (in_valid_o || load)) moved_q <= moved_q + 9'd1;
      if (state_q == ST_READ) turn_write_q <= 1'b1;
      if (state_q == ST_WRITE) turn_write_q <= 1'b0;
    end

  // ---- SIWU#
  reg                 due_q;              // the last byte that went was a reply's last
  reg [PULSE_LOG:0]   pulse_q;            // counts down through the pulse and as long after it
  wire                quiet = pulse_q == {(PULSE_LOG+1){1'b0}};
  wire                pulse = due_q && quiet && !have_q && !out_valid_i;
  always @(posedge clk_i or posedge rst_i)
    if (rst_i) begin
      due_q   <= 1'b0;
      pulse_q <= {(PULSE_LOG+1){1'b0}};
    end else begin
      if (taken && have_q) due_q <= last_q;
      else if (pulse) due_q <= 1'b0;
      if (pulse) pulse_q <= {(PULSE_LOG+1){1'b1}};
      else if (!quiet) pulse_q <= pulse_q - {{PULSE_LOG{1'b0}}, 1'b1};
    end

  // ---- pins
  ktpu_pin_in u_rxf (.clk_i(clk_i), .rst_i(rst_i), .pin_i(rxf_n_i), .data_o(rxf_n));
  ktpu_pin_out u_rd (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(!rd_d), .pin_o(rd_n_o));
  ktpu_pin_out u_oe (
    .clk_i(clk_i), .rst_i(rst_i),
    .data_i(!(state_d == ST_OE || state_d == ST_READ)), .pin_o(oe_n_o));
  ktpu_pin_out u_wr (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(!(stay && have_d)), .pin_o(wr_n_o));
  ktpu_pin_out u_siwu (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(!(pulse || pulse_q[PULSE_LOG])),
    .pin_o(siwu_n_o));

  genvar k;
  generate
    for (k = 0; k < 8; k = k + 1) begin : g_data
      ktpu_pin_in u_in (.clk_i(clk_i), .rst_i(rst_i), .pin_i(data_i[k]), .data_o(in_data_o[k]));
      ktpu_pin_out u_out (
        .clk_i(clk_i), .rst_i(rst_i), .data_i(data_d[k]), .pin_o(data_o[k]));
      ktpu_pin_out u_float (
        .clk_i(clk_i), .rst_i(rst_i), .data_i(state_d != ST_WRITE),
        .pin_o(float_o[k]));
    end
  endgenerate
endmodule
`default_nettype wire
