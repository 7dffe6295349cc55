// SPDX-License-Identifier: Apache-2.0
// ktpu_ram_sdp against an array, for several sizes: every read returns the last write of an earlier
// cycle, and the output holds while no read is asked for.
`default_nettype none
module tb_ktpu_ram_sdp;
  localparam integer SIZES  = 5;
  localparam integer CYCLES = 4000;

  reg clk = 1'b0;
  always #1 clk = !clk;

  integer seed, cycle;
  integer errors [0:SIZES-1];
  integer compared [0:SIZES-1];
  integer total_errors, i, ok;

  genvar g;
  generate
    for (g = 0; g < SIZES; g = g + 1) begin : g_size
      localparam integer DEPTH = g == 0 ? 1 : g == 1 ? 2 : g == 2 ? 5 : g == 3 ? 16 : 37;
      localparam integer WIDTH = g == 0 ? 1 : g == 1 ? 40 : g == 2 ? 8 : g == 3 ? 32 : 13;
      localparam integer AW    = DEPTH <= 1 ? 1 : $clog2(DEPTH);

      reg              we, re;
      reg  [AW-1:0]    waddr, raddr;
      reg  [WIDTH-1:0] wdata, model [0:DEPTH-1], want;
      wire [WIDTH-1:0] rdata;
      reg              known;
      integer          rng, n;

      ktpu_ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_dut (
        .clk_i(clk), .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
        .re_i(re), .raddr_i(raddr), .rdata_o(rdata));

      initial begin
        we = 0; re = 0; known = 0;
        errors[g] = 0; compared[g] = 0;
        #0 rng = seed + g;
        for (n = 0; n < DEPTH; n = n + 1) begin   // every row has a value before it is read
          we <= 1; waddr <= n; wdata <= {$random(rng), $random(rng)};
          @(posedge clk);
        end
        we <= 0;
        while (cycle < CYCLES) begin
          we    <= $random(rng);
          re    <= $random(rng);
          waddr <= $unsigned($random(rng)) % DEPTH;
          raddr <= $unsigned($random(rng)) % DEPTH;
          wdata <= {$random(rng), $random(rng)};
          @(posedge clk);
        end
      end

      always @(posedge clk) begin
        if (known) begin
          compared[g] = compared[g] + 1;
          if (rdata !== want) begin
            errors[g] = errors[g] + 1;
            if (errors[g] < 4) $display("FAIL depth %0d: read %h, want %h", DEPTH, rdata, want);
          end
        end
        if (re) begin
          want  <= model[raddr];
          known <= !(we && waddr == raddr);       // both at once: unspecified
        end
        if (we) model[waddr] <= wdata;
      end
    end
  endgenerate

  initial begin
    seed = 1;
    ok = $value$plusargs("seed=%d", seed);
    for (cycle = 0; cycle < CYCLES + 10; cycle = cycle + 1) @(posedge clk);
    total_errors = 0;
    for (i = 0; i < SIZES; i = i + 1) begin
      total_errors = total_errors + errors[i];
      if (compared[i] < 500 && i > 0) begin
        total_errors = total_errors + 1;
        $display("FAIL size %0d compared only %0d words", i, compared[i]);
      end
    end
    if (total_errors == 0) $display("PASS tb_ktpu_ram_sdp seed=%0d", seed);
    else $display("FAIL tb_ktpu_ram_sdp seed=%0d: %0d errors", seed, total_errors);
    $finish;
  end
endmodule
`default_nettype wire
