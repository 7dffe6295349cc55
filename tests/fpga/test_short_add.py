#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpga/short_add.v maps sums, differences and comparisons of any sign and width to the same values."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import fpga_common as fc  # noqa: E402

OPERATORS = ("+", "-", "<", "<=", ">", ">=")


def module():
    """Every operator, of both signs, on operands of unequal widths up to seven bits."""
    lines, outputs = [], []
    for wide in range(1, 8):
        narrow = max(1, wide - 2)
        for sign in ("", "signed"):
            for op in OPERATORS:
                name = "y%d" % len(outputs)
                size = wide if op in "+-" else 1
                outputs.append("output [%d:0] %s" % (size - 1, name))
                left, right = "a[%d:0]" % (wide - 1), "b[%d:0]" % (narrow - 1)
                if sign:
                    left, right = "$signed(%s)" % left, "$signed(%s)" % right
                lines.append("assign %s = %s %s %s;" % (name, left, op, right))
    return "module dut(input [6:0] a, b, %s);\n%s\nendmodule\n" % (", ".join(outputs),
                                                                  "\n".join(lines))


def prove(mapping):
    """Yosys' exit status: 0 where the mapped module equals the module."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "dut.v")
        with open(source, "w") as f:
            f.write(module())
        script = ("read_verilog %s; proc; copy dut gold; cd dut; alumacc; "
                  "select -assert-min 30 t:$alu; techmap -map %s; opt_clean; "
                  "select -assert-max 10 t:$alu; cd ..; rename dut gate; "
                  "miter -equiv -flatten -make_outputs gold gate both; "
                  "sat -verify -prove trigger 0 both" % (source, mapping))
        return subprocess.run(["yosys", "-q", "-p", script], cwd=ROOT, check=False, timeout=240,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).returncode


class ShortAdd(unittest.TestCase):
    def test_the_mapped_logic_computes_the_same(self):
        self.assertEqual(prove(fc.FAMILY["ice40"]["map"]), 0)

    def test_a_carry_that_is_lost_is_found(self):
        with open(os.path.join(ROOT, fc.FAMILY["ice40"]["map"])) as f:
            text = f.read()
        broken = text.replace("(carry[i] & (a[i] ^ other[i]))", "(carry[i] & a[i])")
        self.assertNotEqual(broken, text)
        with tempfile.NamedTemporaryFile("w", suffix=".v") as f:
            f.write(broken)
            f.flush()
            self.assertNotEqual(prove(f.name), 0)


if __name__ == "__main__":
    unittest.main()
