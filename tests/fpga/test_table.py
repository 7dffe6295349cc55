#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of measured bitstreams: a row from a sweep, one from a build, and one kept from the page."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import fpga_table   # noqa: E402


def report(seed, mhz, luts):
    return {"device": "part", "build_id": "0a1b2c3d", "seed": seed, "fmax_mhz": mhz, "luts": {"used": luts},
            "ffs": {"used": 7}, "brams": {"used": 29}, "dsps": {"used": 8}}


class Table(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.page = os.path.join(self.folder.name, "page.md")
        with open(self.page, "w", encoding="utf-8") as f:
            f.write("before\n<!-- GENERATED fpga by make fpga-table -->\n"
                    "| ecpix5 | kept | 9f9f9f9f | 1 | 5 LUT | 6 | 7 | 8 | 91.5 | old |\n"
                    "<!-- END fpga -->\nafter\n")

    def tearDown(self):
        self.folder.cleanup()

    def put(self, board, name, value):
        os.makedirs(os.path.join(self.folder.name, board), exist_ok=True)
        with open(os.path.join(self.folder.name, board, name), "w", encoding="utf-8") as f:
            json.dump(value, f)

    def rows(self):
        return {line.split("|")[1].strip(): [c.strip() for c in line.split("|")[2:-1]]
                for line in fpga_table.table(self.folder.name, self.page).splitlines()}

    def test_a_sweep_shows_its_spread(self):
        self.put("icebreaker", "sweep.json", [report(1, 27.0, 4800), report(2, 31.5, 4836),
                                              report(3, 28.0, 4810)])
        self.assertEqual(self.rows()["icebreaker"][:9], [
            "part", "0a1b2c3d", "1 to 3", "4800 to 4836 LC", "7", "29", "8", "27.00, 28.00, 31.50",
            "24 to run, 26 worst, 31 best"])

    def test_seeds_that_were_left_out_are_not_counted(self):
        self.put("icebreaker", "sweep.json", [report(n, 27.0, 4800) for n in (3, 1, 4)])
        self.assertEqual(self.rows()["icebreaker"][2], "1, 3, 4")

    def test_a_build_shows_its_seed(self):
        self.put("ecp5-evn", "report.json", report(4, 90.25, 18000))
        self.assertEqual(self.rows()["ecp5-evn"][2:8], ["4", "18000 LUT", "7", "29", "8", "90.25"])

    def test_the_newer_report_is_shown(self):
        self.put("icebreaker", "sweep.json", [report(1, 27.0, 4800)])
        self.put("icebreaker", "report.json", report(9, 29.5, 4700))
        old = os.path.join(self.folder.name, "icebreaker", "sweep.json")
        os.utime(old, (1, 1))
        self.assertEqual(self.rows()["icebreaker"][2], "9")

    def test_what_was_not_built_here_stays(self):
        self.assertEqual(self.rows()["ecpix5"], ["kept", "9f9f9f9f", "1", "5 LUT", "6", "7", "8", "91.5",
                                                 "90 to run, 115 worst"])
        self.assertEqual(self.rows()["ecp5-ft245"][2], "not measured")


if __name__ == "__main__":
    unittest.main()
