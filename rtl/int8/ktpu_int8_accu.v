// SPDX-License-Identifier: Apache-2.0
// The accumulator registers and their ALU: a fixed-delay follower of the issue point.
// A slot issued in cycle t presents its read address to ar in cycle t + T + 1, meets the array's
// sum of the same slot in cycle t + T + 3 and is written in cycle t + T + 4; so a row may be read
// by a slot at least four later than the slot that writes it. The issue point keeps that distance.
// Rows read for mvout leave with out_valid_o in cycle t + T + 3. With LATE = 1, as in the array,
// all of this is a cycle later.
// With one bank (small builds) the read address is presented a cycle later and the row is added
// straight from the memory's output register.
`default_nettype none
module ktpu_int8_accu #(
  parameter integer T   = 4,
  parameter integer NAR = 128,
  parameter integer RW  = 7,
  parameter integer PW  = 18,           // bits of the array's sums
  parameter integer AR_BANKS = 2,       // 1, or 2 by row parity: one read each a cycle
  parameter integer LATE = 0            // two banks: a register between memories and array
) (
  input  wire            clk_i,
  input  wire            rst_i,         // reset or flush: slots under way have no effect

  input  wire            slot_rd_i,
  input  wire [RW-1:0]   slot_rd_row_i,
  input  wire            slot_out_i,    // mvout reads too: the other bank, or no other read
  input  wire [RW-1:0]   slot_out_row_i,
  input  wire            slot_wr_i,
  input  wire [RW-1:0]   slot_wr_row_i,
  input  wire            slot_psum_i,
  input  wire            slot_ar_i,
  input  wire            slot_hold_i,
  input  wire            slot_held_i,
  input  wire            slot_relu_i,

  input  wire [T*PW-1:0] psum_i,

  output wire            out_valid_o,
  output wire [T*32-1:0] out_row_o,

  output wire            reading_o,     // for the unit's state
  output wire            writing_o,
  output wire [T-1:0]    wrapped_o      // lanes of the row written now whose sum left 32 bits
);
  localparam integer AW = (NAR <= 1) ? 1 : $clog2(NAR);
  localparam integer RD = (AR_BANKS == 2) ? T + 1 + LATE : T + 2;  // stages before the read address
  localparam integer ST = T + 3 + LATE; // stages before the sum
  localparam integer SW = AW + 7;       // {wr_row, wr, psum, ar, hold, held, relu, out}

  // ---- the delay line: of flip-flops, with one bank of a block RAM
  wire [SW-1:0] ctl;                    // its last stage
  wire [SW-1:0] ctl_in = {slot_wr_row_i[AW-1:0], slot_wr_i, slot_psum_i, slot_ar_i, slot_hold_i,
                          slot_held_i, slot_relu_i, slot_out_i};

  wire unused_rows = &{1'b0, slot_rd_row_i, slot_wr_row_i, slot_out_row_i};

  // ---- ar: the head's row stands in ar_q when its slot's control is in the last stage, mvout's
  // row in retired_q. Two banks: ar_q is zero where the slot does not add a row.
  reg             wr_q;
  reg  [AW-1:0]   wr_row_q;
  reg  [T*32-1:0] sum_q;
  wire [T*32-1:0] ar_wdata;
  wire [T*32-1:0] ar_q, retired_q;
  wire            rd, out_rd;
  generate
    if (AR_BANKS == 2) begin : g_banks
      localparam integer ROWS = (NAR + 1) / 2;
      reg [ST*SW-1:0] ctl_q;
      // Writes and mvout rows are killed by a flush; the rest of a slot means nothing without them.
      integer s;
      always @(posedge clk_i) begin
        ctl_q <= {ctl_q[(ST-1)*SW-1:0], ctl_in};
        if (rst_i)
          for (s = 0; s < ST; s = s + 1) begin
            ctl_q[s*SW + 6] <= 1'b0;
            ctl_q[s*SW]     <= 1'b0;
          end
      end
      assign ctl = ctl_q[(ST-1)*SW +: SW];
      reg [RD-1:0]    rd_q, out_rd_q;
      reg [RD*AW-1:0] rd_row_q, out_row_q;
      always @(posedge clk_i) begin
        rd_q     <= {rd_q[RD-2:0], slot_rd_i};
        out_rd_q <= {out_rd_q[RD-2:0], slot_out_i};
        if (rst_i) begin
          rd_q     <= {RD{1'b0}};
          out_rd_q <= {RD{1'b0}};
        end
      end
      always @(posedge clk_i) begin
        rd_row_q  <= {rd_row_q[(RD-1)*AW-1:0], slot_rd_row_i[AW-1:0]};
        out_row_q <= {out_row_q[(RD-1)*AW-1:0], slot_out_row_i[AW-1:0]};
      end
      assign rd     = rd_q[RD-1];
      assign out_rd = out_rd_q[RD-1];
      wire [AW-1:0]   rd_row  = rd_row_q[(RD-1)*AW +: AW];
      wire [AW-1:0]   out_row = out_row_q[(RD-1)*AW +: AW];
      wire            adds    = ctl_q[RD*SW + 4] || ctl_q[RD*SW + 3];  // ar or hold, of that slot
      wire [T*32-1:0] rdata0, rdata1;
      reg  [T*32-1:0] head_q, mvout_q;
      reg             rd_odd_q, out_odd_q;
      wire rd0  = rd && !rd_row[0];
      wire rd1  = rd && rd_row[0];
      wire out0 = out_rd && !out_row[0];
      wire out1 = out_rd && out_row[0];
      ktpu_ram_sdp #(.WIDTH(T*32), .DEPTH(ROWS)) u_even (
        .clk_i(clk_i),
        .we_i(wr_q && !wr_row_q[0]), .waddr_i(wr_row_q[AW-1:1]), .wdata_i(ar_wdata),
        .re_i(rd0 || out0), .raddr_i(rd0 ? rd_row[AW-1:1] : out_row[AW-1:1]), .rdata_o(rdata0)
      );
      ktpu_ram_sdp #(.WIDTH(T*32), .DEPTH(ROWS)) u_odd (
        .clk_i(clk_i),
        .we_i(wr_q && wr_row_q[0]), .waddr_i(wr_row_q[AW-1:1]), .wdata_i(ar_wdata),
        .re_i(rd1 || out1), .raddr_i(rd1 ? rd_row[AW-1:1] : out_row[AW-1:1]), .rdata_o(rdata1)
      );
      always @(posedge clk_i) begin
        rd_odd_q  <= rd_row[0];
        out_odd_q <= out_row[0];
        head_q    <= rd_odd_q ? rdata1 : rdata0;
        if (!adds) head_q <= {(T*32){1'b0}};
        mvout_q   <= out_odd_q ? rdata1 : rdata0;
      end
      assign ar_q      = head_q;
      assign retired_q = mvout_q;
    end else begin : g_one
      // A slot goes into a ring and comes out of it, with the row to read, RD cycles later; what
      // was in it at a flush has no effect when it comes out.
      localparam integer CB = $clog2(RD);
      localparam [CB-1:0] C_ONE = {{(CB-1){1'b0}}, 1'b1};
      localparam [CB-1:0] BACK  = RD[CB-1:0] - C_ONE;
      localparam [CB:0]   KILL  = RD[CB:0];
      localparam [CB:0]   K_ONE = {1'b0, C_ONE};
      reg  [CB-1:0] at_q;
      reg  [CB:0]   kill_q;
      reg  [SW-1:0] ctl_q;
      wire [SW-1:0] ctl_rd;
      wire [AW-1:0] row;                // one for both readers: a slot has one of them
      ktpu_ram_sdp #(.WIDTH(SW + AW), .DEPTH(1 << CB)) u_slots (
        .clk_i(clk_i), .we_i(1'b1), .waddr_i(at_q),
        .wdata_i({ctl_in, slot_out_i ? slot_out_row_i[AW-1:0] : slot_rd_row_i[AW-1:0]}),
        .re_i(1'b1), .raddr_i(at_q - BACK), .rdata_o({ctl_rd, row})
      );
      always @(posedge clk_i) begin
        at_q  <= at_q + C_ONE;
        ctl_q <= ctl_rd;
        if (kill_q != {(CB+1){1'b0}}) begin
          kill_q   <= kill_q - K_ONE;
          ctl_q[6] <= 1'b0;
          ctl_q[0] <= 1'b0;
        end
        if (rst_i) begin
          at_q     <= {CB{1'b0}};
          kill_q   <= KILL;
          ctl_q[6] <= 1'b0;
          ctl_q[0] <= 1'b0;
        end
      end
      assign ctl    = ctl_q;
      assign rd     = ctl_rd[4] || ctl_rd[3];
      assign out_rd = ctl_rd[0];
      wire [T*32-1:0] rdata;
      ktpu_ram_sdp #(.WIDTH(T*32), .DEPTH(NAR)) u_ar (
        .clk_i(clk_i),
        .we_i(wr_q), .waddr_i(wr_row_q), .wdata_i(ar_wdata),
        .re_i(rd || out_rd), .raddr_i(row), .rdata_o(rdata)
      );
      wire unused = &{1'b0, slot_rd_i};
      assign ar_q      = rdata;
      assign retired_q = rdata;
    end
  endgenerate
  assign out_valid_o = ctl[0];

  // ---- the ALU, in the cycle where the array's sum arrives. A vadd's first row waits in sum_q,
  // which only slots that write or hold change.
  wire [AW-1:0] wr_row;
  wire wr, psum, ar, hold, held, relu, out;
  assign {wr_row, wr, psum, ar, hold, held, relu, out} = ctl;
  wire   unused_ctl = &{1'b0, out};
  wire   joins = (AR_BANKS == 2) || ar || hold;      // the row read is one of the slot's

  reg [T-1:0] wrapped_q;
  genvar l;
  generate
    for (l = 0; l < T; l = l + 1) begin : g_lane
      wire [31:0] sign_ext = {{(32-PW){psum_i[l*PW + PW-1]}}, psum_i[l*PW +: PW]};
      wire [31:0] left  = psum ? sign_ext : held ? sum_q[l*32 +: 32] : 32'd0;
      wire [31:0] right = ar_q[l*32 +: 32];
      wire [31:0] both;
      if (AR_BANKS == 2) begin : g_plain
        assign both = left + right;
      end else begin : g_spaced
        // A carry chain of the iCE40 is cut where the eight cells of a tile have more than 32
        // inputs, which these have by one: each eighth cell here only passes the carry on.
        wire [35:0] total =
          {left[31:28], psum, left[27:21], psum, left[20:14], psum, left[13:7], psum, left[6:0]} +
          {right[31:28], !psum, right[27:21], !psum, right[20:14], !psum, right[13:7], !psum,
           right[6:0]};
        wire unused_pass = &{1'b0, total[31], total[23], total[15], total[7]};
        assign both = {total[35:32], total[30:24], total[22:16], total[14:8], total[6:0]};
      end
      wire [31:0] sum   = joins ? both : left;
      always @(posedge clk_i) begin
        if (wr || hold) begin
          sum_q[l*32 +: 32] <= sum;
          if (relu && wr && sum[31]) sum_q[l*32 +: 32] <= 32'd0;
        end
        wrapped_q[l] <= wr && joins && (left[31] == right[31]) && (both[31] != left[31]);
      end
    end
  endgenerate
  assign ar_wdata  = sum_q;
  assign wrapped_o = wrapped_q;

  always @(posedge clk_i) begin
    wr_q <= wr;
    if (rst_i) wr_q <= 1'b0;
  end
  always @(posedge clk_i) wr_row_q <= wr_row;

  assign out_row_o   = retired_q;
  assign reading_o   = rd || out_rd;
  assign writing_o   = wr_q;
endmodule
`default_nettype wire
