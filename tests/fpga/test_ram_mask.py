#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpga/ram_mask.v frees the mask pins of block RAMs whose bits share their enable, and no others."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import fpga_common as fc  # noqa: E402

# Shared enables over 16 and 20 bits, an enable that two bytes have each for itself, no enable.
RAMS = """module dut(input clk, input [1:0] we, input [7:0] wa, ra, input [19:0] wd,
                     output reg [15:0] one, two, always_on, output reg [19:0] wide);
  reg [15:0] m_one[0:255], m_two[0:255], m_on[0:255];
  reg [19:0] m_wide[0:255];
  always @(posedge clk) begin
    if (we[0]) begin m_one[wa] <= wd[15:0]; m_wide[wa] <= wd; end
    if (we[0]) m_two[wa][7:0] <= wd[7:0];
    if (we[1]) m_two[wa][15:8] <= wd[15:8];
    m_on[wa] <= wd[15:0];
    one <= m_one[ra]; two <= m_two[ra]; always_on <= m_on[ra]; wide <= m_wide[ra];
  end
endmodule
"""
BENCH = """module bench;
  reg clk = 0; reg [1:0] we = 3; reg [7:0] wa = 0, ra = 0; reg [19:0] wd = 0;
  wire [67:0] want, got; integer i, bad = 0, state = 1;
  dut u_want(clk, we, wa, ra, wd, want[15:0], want[31:16], want[47:32], want[67:48]);
  gates u_got(clk, we, wa, ra, wd, got[15:0], got[31:16], got[47:32], got[67:48]);
  initial begin
    for (i = 0; i < 6000; i = i + 1) begin
      wd = $random(state); wa = i; ra = i + 1;
      if (i >= 512) begin we = $random(state); wa = $random(state); ra = $random(state); end
      if (ra == wa) ra = ra + 1;
      #1 clk = 1; #1 clk = 0;
      if (i > 600 && got !== want) bad = bad + 1;
    end
    $display("%0d differ", bad);
    $finish;
  end
endmodule
"""


def yosys(script):
    subprocess.run(["yosys", "-q", "-p", script], cwd=ROOT, check=True, timeout=240,
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def mapped(folder, commands):
    """The netlist of RAMS as a dictionary of cells, and as Verilog of the module `gates`."""
    source, out = os.path.join(folder, "dut.v"), os.path.join(folder, "gates")
    with open(source, "w") as f:
        f.write(RAMS)
    synth = fc.FAMILY["ice40"]["synth"] + " -top dut"
    yosys("read_verilog %s; %s -run begin:map_ram; %s; %s -run map_ffram:; rename dut gates; "
          "write_json %s.json; write_verilog -noattr %s.v" % (source, synth, commands, synth, out, out))
    with open(out + ".json") as f:
        return json.load(f)["modules"]["gates"]["cells"]


def masks(cells):
    """Of each RAM, how many mask pins are driven by a signal."""
    return sorted(sum(not isinstance(bit, str) for bit in cell["connections"]["MASK"])
                  for cell in cells.values() if cell["type"] == "SB_RAM40_4K")


def differing(folder):
    """Of 5,399 reads, how many the gates answer differently."""
    share = os.path.join(os.path.dirname(shutil.which("yosys")), "..", "share", "yosys")
    bench, program = os.path.join(folder, "bench.v"), os.path.join(folder, "bench.vvp")
    with open(bench, "w") as f:
        f.write(BENCH)
    subprocess.run(["iverilog", "-g2005", "-DNO_ICE40_DEFAULT_ASSIGNMENTS", "-s", "bench", "-o", program,
                    bench, os.path.join(folder, "dut.v"), os.path.join(folder, "gates.v"),
                    os.path.join(share, "ice40", "cells_sim.v")], check=True, timeout=120)
    done = subprocess.run(["vvp", "-n", program], check=True, timeout=120, stdout=subprocess.PIPE)
    return int(done.stdout.split()[0])


class RamMask(unittest.TestCase):
    def test_only_enables_of_single_bytes_take_mask_pins(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(masks(mapped(folder, fc.block_rams("ice40"))), [0, 0, 0, 0, 16])
            self.assertEqual(differing(folder), 0)

    def test_without_the_map_enables_take_them_all(self):
        plain = fc.block_rams("ice40").replace("techmap -map %s; " % fc.FAMILY["ice40"]["mask"], "")
        with tempfile.TemporaryDirectory() as folder:
            self.assertGreater(sum(masks(mapped(folder, plain))), 16)
            self.assertEqual(differing(folder), 0)

    def test_a_mask_that_is_lost_is_found(self):
        own = fc.FAMILY["ice40"]["mask"]
        with open(os.path.join(ROOT, own)) as f:
            text = f.read()
        broken = text.replace("PORT_W_WR_BE | ENABLED", "16'hffff").replace("ENABLED == 16'd0", "1'b0")
        self.assertNotEqual(broken, text)
        with tempfile.TemporaryDirectory() as folder:
            wrong = os.path.join(folder, "wrong.v")
            with open(wrong, "w") as f:
                f.write(broken.replace("wire _TECHMAP_FAIL_ =",
                                       "wire _TECHMAP_FAIL_ = (&_TECHMAP_CONSTMSK_PORT_W_WR_BE_) ||")
                        .replace("parameter [0:0] ", "parameter [15:0] _TECHMAP_CONSTMSK_PORT_W_WR_BE_ = 0,\n"
                                 "  parameter [0:0] "))
            mapped(folder, fc.block_rams("ice40").replace(own, wrong))
            self.assertGreater(differing(folder), 0)


if __name__ == "__main__":
    unittest.main()
