// SPDX-License-Identifier: Apache-2.0
// Body of the benches of ktpu_mul8x2: every pair of operands in both lanes, then random
// operands with the weights held now and then. The expected products are computed here.
  reg         clk = 1'b0;
  reg         b_we = 1'b0;
  reg  [7:0]  a = 8'd0;
  reg  [15:0] b = 16'd0;
  wire [31:0] product;

  ktpu_mul8x2 u_dut (.clk_i(clk), .b_we_i(b_we), .a_i(a), .b_i(b), .product_o(product));

  // What the registers must hold, one and two cycles behind the pins.
  reg signed [7:0]  a1, b1_lo, b1_hi;
  reg signed [15:0] want_lo, want_hi;
  integer seed, state, n, errors, compared;

  task step(input [7:0] next_a, input [15:0] next_b, input next_we);
    begin
      a = next_a; b = next_b; b_we = next_we;
      #1 clk = 1'b1;
      want_lo = a1 * b1_lo;
      want_hi = a1 * b1_hi;
      a1 = next_a;
      if (next_we) begin
        b1_lo = next_b[7:0];
        b1_hi = next_b[15:8];
      end
      #1 clk = 1'b0;
      #1 if (n > 2) begin
        compared = compared + 1;
        if (product !== {want_hi, want_lo}) begin
          errors = errors + 1;
          if (errors < 5)
            $display("FAIL %s: step %0d gave %h, wanted %h", `BENCH, n, product,
                     {want_hi, want_lo});
        end
      end
      n = n + 1;
    end
  endtask

  integer i;
  reg [31:0] r;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    state = seed;
    errors = 0; compared = 0; n = 0;
    for (i = 0; i < 65536; i = i + 1)
      step(i[7:0], {~i[15:8], i[15:8]}, 1'b1);
    for (i = 0; i < 20000; i = i + 1) begin
      r = $random(state);
      step(r[7:0], r[23:8], r[24]);
    end
    if (errors == 0 && compared > 80000) $display("PASS %s seed=%0d", `BENCH, seed);
    else
      $display("FAIL %s: %0d of %0d products wrong, seed=%0d", `BENCH, errors, compared, seed);
    $finish;
  end
