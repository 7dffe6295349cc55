// SPDX-License-Identifier: Apache-2.0
// ktpu_fifo for several depths, two of them with block RAM, each against a scoreboard: order, data
// and level with random stalls on both sides, a full and an empty spell, a word every cycle when
// nobody stalls, a reset in the middle, and ready and valid that do not follow the other side in a
// cycle.
`default_nettype none
module tb_ktpu_fifo;
  localparam integer SIZES  = 8;
  localparam integer CYCLES = 3000;
  localparam integer FREE_FROM = 2000;    // no stalls from here on

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1 clk = !clk;

  integer seed, cycle;
  integer errors [0:SIZES-1];
  integer moved [0:SIZES-1];              // words out
  integer fast [0:SIZES-1];               // of these, in the spell without stalls
  integer fulls [0:SIZES-1];
  integer total_errors, i, ok;

  genvar g;
  generate
    for (g = 0; g < SIZES; g = g + 1) begin : g_size
      localparam integer DEPTH = g < 4 ? g + 2 : g == 4 ? 8 :
                                 g == 5 ? 13 : g == 6 ? 4 : 16;
      localparam integer RAM   = g >= 6 ? 1 : 0;
      localparam integer WIDTH = g == 0 ? 1 : g == 1 ? 65 : g == 6 ? 32 : g == 7 ? 67 : 16 + g;
      localparam integer LW    = $clog2(DEPTH + 1);

      reg              in_valid, out_ready;
      reg  [WIDTH-1:0] in_data;
      wire             in_ready, out_valid;
      wire [WIDTH-1:0] out_data;
      wire [LW-1:0]    level;
      reg  [WIDTH-1:0] board [0:4095];
      integer          rng, put, got, seen, push_rate, pop_rate;
      reg              ready_before, valid_before;

      ktpu_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .RAM(RAM)) u_dut (
        .clk_i(clk), .rst_i(rst),
        .in_valid_i(in_valid), .in_ready_o(in_ready), .in_data_i(in_data),
        .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data),
        .level_o(level));
      ktpu_stream_chk #(.WIDTH(WIDTH)) u_chk_out (
        .clk_i(clk), .rst_i(rst), .valid_i(out_valid), .ready_i(out_ready), .data_i(out_data));

      task fail(input [8*40-1:0] what);
        begin
          errors[g] = errors[g] + 1;
          if (errors[g] < 4) $display("FAIL depth %0d cycle %0d: %0s", DEPTH, cycle, what);
        end
      endtask

      initial begin
        errors[g] = 0; moved[g] = 0; fast[g] = 0; fulls[g] = 0;
        in_valid = 0; out_ready = 0; put = 0; got = 0; seen = 0;
        #0 rng = seed + 31 * g;
      end

      always @(posedge clk) begin
        if (rst) begin
          put = 0; got = 0; seen = 0;
          in_valid <= 0; out_ready <= 0;
        end else begin
          if (level !== put - got) fail("level");
          if (in_ready !== (put - got < DEPTH)) fail("in_ready");
          if (out_valid !== ((RAM != 0 ? seen : put) - got > 0)) fail("out_valid");
          seen = put;                       // what a block RAM can show at the next edge
          if (put - got == DEPTH) fulls[g] = fulls[g] + 1;
          if (out_valid && out_ready) begin
            if (out_data !== board[got % 4096]) fail("data");
            got = got + 1;
            moved[g] = moved[g] + 1;
            if (cycle > FREE_FROM) fast[g] = fast[g] + 1;
          end
          if (in_valid && in_ready) begin
            board[put % 4096] = in_data;
            put = put + 1;
          end
          push_rate = cycle >= FREE_FROM ? 100 : (cycle / 300) % 2 ? 85 : 35;
          pop_rate  = cycle >= FREE_FROM ? 100 : (cycle / 300) % 2 ? 35 : 85;
          if (!in_valid || in_ready) begin
            in_valid <= $unsigned($random(rng)) % 100 < push_rate;
            in_data  <= {$random(rng), $random(rng), $random(rng)};
          end
          out_ready <= $unsigned($random(rng)) % 100 < pop_rate;
        end
      end

      always @(negedge clk)                // inputs are flipped and restored between two edges
        if (!rst) begin
          ready_before = in_ready; valid_before = out_valid;
          out_ready = !out_ready; in_valid = !in_valid;
          #0 if (in_ready !== ready_before || out_valid !== valid_before)
            fail("combinational path");
          out_ready = !out_ready; in_valid = !in_valid;
        end
    end
  endgenerate

  initial begin
    seed = 1;
    ok = $value$plusargs("seed=%d", seed);
    for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
      rst <= cycle < 3 || cycle == 1000;
      @(posedge clk);
    end
    total_errors = 0;
    for (i = 0; i < SIZES; i = i + 1) begin
      total_errors = total_errors + errors[i];
      if (moved[i] < 1000 || fulls[i] < 20 || fast[i] < CYCLES - FREE_FROM - 10) begin
        total_errors = total_errors + 1;
        $display("FAIL size %0d: %0d words, %0d without stalls, full %0d times", i, moved[i],
                 fast[i], fulls[i]);
      end
    end
    if (total_errors == 0) $display("PASS tb_ktpu_fifo seed=%0d", seed);
    else $display("FAIL tb_ktpu_fifo seed=%0d: %0d errors", seed, total_errors);
    $finish;
  end
endmodule
`default_nettype wire
