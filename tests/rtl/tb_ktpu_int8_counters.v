// SPDX-License-Identifier: Apache-2.0
// ktpu_int8_counters against plain counting: every unit and state, clearing, reading while idle and
// while running, and the build without counters.
`default_nettype none
module tb_ktpu_int8_counters;
  reg clk = 1'b0;
  always #1 clk = !clk;

  reg         clear, run;
  reg  [20:0] state;
  reg  [5:0]  addr;
  wire [31:0] data, data_off;

  integer seed, rng, errors, compared, ok, round, n, u, s, cycles, sum;
  integer want [0:63];

  ktpu_int8_counters #(.COUNTERS(1)) u_dut (
    .clk_i(clk), .clear_i(clear), .run_i(run), .state_i(state), .addr_i(addr), .data_o(data));
  ktpu_int8_counters #(.COUNTERS(0)) u_off (
    .clk_i(clk), .clear_i(clear), .run_i(run), .state_i(state), .addr_i(addr), .data_o(data_off));

  task fail(input [8*40-1:0] what, input integer got, input integer expected);
    begin
      errors = errors + 1;
      if (errors < 10) $display("FAIL round %0d %0s: %0d, want %0d", round, what, got, expected);
    end
  endtask

  task read_all;
    for (u = 0; u < 8; u = u + 1) begin
      sum = 0;
      for (s = 0; s < 8; s = s + 1) begin
        addr <= 8 * u + s;
        @(posedge clk);
        #0 compared = compared + 1;
        if (data !== want[8 * u + s]) fail("count", data, want[8 * u + s]);
        if (data_off !== 32'd0) fail("count of a build without counters", data_off, 0);
        sum = sum + data;
      end
      if (u < 7 && sum != cycles) fail("sum of a unit", sum, cycles);
    end
  endtask

  initial begin
    seed = 1; errors = 0; compared = 0;
    ok = $value$plusargs("seed=%d", seed);
    rng = seed;
    clear = 0; run = 0; state = 0; addr = 0;
    for (round = 0; round < 6; round = round + 1) begin
      if (round != 3) begin                        // round 3 goes on from round 2
        clear <= 1;
        run   <= $random(rng);                     // clear wins
        @(posedge clk);
        for (n = 0; n < 64; n = n + 1) want[n] = 0;
        cycles = 0;
      end
      clear <= 0;
      for (n = 0; n < 400; n = n + 1) begin
        run   <= $random(rng);
        state <= {$random(rng)};
        addr  <= $random(rng);
        @(posedge clk);
        #0;
        if (run) begin
          cycles = cycles + 1;
          for (u = 0; u < 7; u = u + 1) begin
            s = 8 * u + state[3*u +: 3];
            want[s] = want[s] + 1;
          end
          if (data !== 32'd0) fail("read while running", data, 0);
        end
      end
      run <= 0;
      @(posedge clk);
      #0 if (run) fail("bench", 0, 0);
      read_all;
    end
    if (errors == 0 && compared == 6 * 64) $display("PASS tb_ktpu_int8_counters seed=%0d", seed);
    else $display("FAIL tb_ktpu_int8_counters seed=%0d: %0d errors", seed, errors);
    $finish;
  end
endmodule
`default_nettype wire
