#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The netlist's simulation: which models it takes, what is inverted, when the verdict is bad."""
import contextlib
import io
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
sys.path.insert(0, os.path.join(HERE, "..", "netlist"))
import fpga_common as fc   # noqa: E402
import fpga_netlist   # noqa: E402
import run_netlist   # noqa: E402

LIBRARY = """`timescale 1ps / 1ps
(* abc9_box, lib_whitebox *)
module LUT4(input A, output Z);
  parameter [15:0] INIT = 16'h0000;
  specify
    (A => Z) = 141;
  endspecify
endmodule

module CARRY (
  input A `ICE40_DEFAULT_ASSIGNMENT_1,
  input [1:0] B `ICE40_DEFAULT_ASSIGNMENT_V(2'h 0),
  output Z
);
  LUT4 u (.A(A), .Z(Z));
endmodule

module FF (output reg Q, input C, D);
  `SB_DFF_INIT
  always @(posedge C) Q <= D;
endmodule

module TRELLIS_FF(input CLK, DI, output reg Q);
  initial Q = srval;
  always @(posedge CLK) Q <= DI;
endmodule
"""
OWN = """module RAM #(
  parameter W = 1
) (
  input wire A
);
endmodule
"""
NETLIST = """  SB_LUT4 #(
    .LUT_INIT(16'h0f01)
  ) \\u_system.u_top.u_accu.a_LUT  (
    .I0(a)
  );
  SB_LUT4 #(
    .LUT_INIT(16'hffff)
  ) \\u_uart.b_LUT  (
    .I0(a)
  );
"""


class Models(unittest.TestCase):
    """Every cell has one model, ours before yosys' own, and nothing starts at a value."""

    def test_with_what_they_need(self):
        text, lost = fpga_netlist.models({"CARRY", "FF", "RAM"}, [LIBRARY], OWN)
        self.assertEqual(lost, [])
        self.assertEqual(sorted(fpga_netlist.modules(text)), ["CARRY", "FF", "LUT4"])
        self.assertNotIn("DEFAULT", text)
        self.assertNotIn("specify", text)

    def test_without_start(self):
        text, _ = fpga_netlist.models({"FF", "TRELLIS_FF"}, [LIBRARY], OWN)
        self.assertNotIn("SB_DFF_INIT", text)
        self.assertNotIn("initial", text)
        self.assertIn("Q <= DI", text)

    def test_without_a_model(self):
        self.assertEqual(fpga_netlist.models({"PLL", "FF"}, [LIBRARY], OWN)[1], ["PLL"])

    def test_contents(self):
        cells = {"m": {"type": "DP16KD", "parameters": {"INITVAL_00": "000"}},
                 "l": {"type": "LUT4", "parameters": {"INIT": "0001"}}}
        fpga_netlist.check_contents(cells)
        cells["m"]["parameters"]["INITVAL_3F"] = "0100"
        with self.assertRaises(fc.Failure):
            fpga_netlist.check_contents(cells)


class Inverted(unittest.TestCase):
    """One LUT of the arithmetic, and nothing else."""

    def test_one(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            text = fpga_netlist.invert(NETLIST, 1)
        self.assertEqual(text, NETLIST.replace("0f01", "f0fe"))
        self.assertIn("u_system.u_top.u_accu.a_LUT", said.getvalue())

    def test_none(self):
        with self.assertRaises(fc.Failure):
            fpga_netlist.invert(NETLIST.replace("u_accu", "u_ex"), 1)


class Verdict(unittest.TestCase):
    """What counts as equal."""

    good = (0, "", [("int8", 359, 71.31), ("int32", 558, 45.88)], 768)

    def judge(self, gates, rtl=good, least=70.0):
        return run_netlist.judge("16x16x16", gates, rtl, least)

    def test_good(self):
        self.assertEqual(self.judge(self.good), [])
        self.assertEqual(self.judge(self.good, rtl=None), [])

    def test_bad(self):
        self.assertIn("exit code 1", self.judge((1,) + self.good[1:])[0])
        self.assertIn("nothing was compared", self.judge((0, "", [], 0), rtl=None, least=0)[0])
        self.assertIn("cycles differ", self.judge((0, "", [("int8", 360, 71.1)], 768))[0])
        self.assertIn("70 wanted", self.judge((0, "", [("int8", 400, 64.0)], 768), rtl=None)[0])

    def test_output(self):
        text = ("16x16x16 on ftdi:virtual-icebreaker\n"
                "int8                 359 cycles   71.31 % of peak\n"
                "int8 >> 9            894 cycles   28.64 % of peak\n"
                "compared             768 elements, 0 differ, 66.7 % did not saturate\n")
        self.assertEqual([m.groups() for m in run_netlist.CYCLES.finditer(text)],
                         [("int8", "359", "71.31"), ("int8 >> 9", "894", "28.64")])
        self.assertEqual(run_netlist.COMPARED.search(text).group(1), "768")


if __name__ == "__main__":
    unittest.main()
