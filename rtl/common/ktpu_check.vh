// SPDX-License-Identifier: Apache-2.0
// The one check macro: KTPU_CHECK(condition, "text") inside a clocked block.
// Simulation prints a line that starts with CHECK and stops (an unknown condition fails too); under
// FORMAL it is an assertion; in synthesis it is nothing. $stop is what makes Icarus and Verilator
// stop with an error, and the test runner refuses every log with a CHECK line.
`ifndef KTPU_CHECK
`ifdef FORMAL
`define KTPU_CHECK(cond, msg) assert (cond);
`else
`ifdef SYNTHESIS
`define KTPU_CHECK(cond, msg)
`else
`define KTPU_CHECK(cond, msg) \
  if ((cond) !== 1'b1) begin \
    $display("CHECK %m at %0t: %s", $time, msg); $finish(1); $stop; \
  end
`endif
`endif
`endif
