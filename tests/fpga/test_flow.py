#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bitstream flow's own rules: what stops a build, and which device a loader may touch."""
import contextlib
import io
import os
import stat
import sys
import tempfile
import threading
import time
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import fpga_build   # noqa: E402
import fpga_check   # noqa: E402
import fpga_common as fc   # noqa: E402
import fpga_load   # noqa: E402
import fpga_sweep   # noqa: E402

DUMP = r"""
  attribute \src "ram.v:1"
  cell $mem_v2 $auto$1
    parameter \ABITS 9
    parameter \MEMID "\\u_core.u_ram.mem_q"
    parameter \SIZE 512
    parameter \WIDTH 64
    connect \RD_ADDR \a
  end
  cell $mem_v2 \u_core.small_q
    parameter \MEMID "\\u_core.small_q"
    parameter \SIZE 4
    parameter \WIDTH 16
    connect \RD_ADDR \b
  end
"""
MAPPED = """mapping memory top.u_core.u_ram.mem_q via $__ICE40_RAM4K_
using FF mapping for memory top.u_core.small_q
"""
MISSED = MAPPED.replace("mapping memory top.u_core.u_ram.mem_q via $__ICE40_RAM4K_",
                        "using FF mapping for memory top.u_core.u_ram.mem_q")
IN_LUTS = MAPPED.replace("$__ICE40_RAM4K_", "$__TRELLIS_DPR16X4_")


def cell(kind, **bits):
    return {"type": kind, "connections": bits}


def ice40(brams=2, dsps=1):
    cells = {"u_core.u_a.x_SB_LUT4_O": cell("SB_LUT4", I0=[3], I1=["0"], O=[4]),
             "u_core.u_a.q_SB_DFF_Q": cell("SB_DFF", D=[4], Q=[3])}
    cells.update({"u_mem.m%d" % i: cell("SB_RAM40_4K") for i in range(brams)})
    cells.update({"u_core.u_mac.d%d" % i: cell("SB_MAC16") for i in range(dsps)})
    return cells


class Checks(unittest.TestCase):
    """What is wrong with a netlist is said; what is right passes."""

    plan = {"brams": 2, "dsps": 1, "max_luts": 10}

    def faults(self, cells=None, log=MAPPED, plan=None, family="ice40"):
        return fpga_check.faults(cells or ice40(), family, DUMP, log, plan or self.plan)

    def test_good(self):
        self.assertEqual(self.faults(), [])

    def test_memory_in_flip_flops(self):
        self.assertIn("u_core.u_ram.mem_q (32768 bits) missed its block RAM", self.faults(log=MISSED)[0])

    def test_memory_in_luts(self):
        self.assertIn("missed its block RAM", self.faults(log=IN_LUTS)[0])

    def test_excused_memory(self):
        plan = dict(self.plan, in_logic={"u_core.u_ram.mem_q": "because"})
        self.assertEqual(self.faults(log=MISSED, plan=plan), [])

    def test_unknown_size(self):
        self.assertIn("size is not known", self.faults(log="using FF mapping for memory top.new_q\n")[0])

    def test_no_memory(self):
        self.assertTrue(self.faults(log="nothing\n"))

    def test_counts(self):
        self.assertIn("1 block RAMs", self.faults(ice40(brams=1))[0])
        self.assertIn("2 DSPs", self.faults(ice40(dsps=2))[0])
        self.assertIn("0 SPRAMs", self.faults(plan=dict(self.plan, spram=4))[0])
        self.assertIn("1 luts", self.faults(plan=dict(self.plan, max_luts=0))[0])
        self.assertIn("1 ffs", self.faults(plan=dict(self.plan, max_ffs=0))[0])

    def test_reset_of_block_ram(self):
        plan = {"brams": 1, "dsps": 0}
        good = {"u_m.r": cell("DP16KD", RSTA=["0"], RSTB=["x"])}
        bad = {"u_m.r": cell("DP16KD", RSTA=["0"], RSTB=[7])}
        self.assertEqual(self.faults(good, plan=plan, family="ecp5"), [])
        self.assertIn("RSTB of block RAM u_m.r", self.faults(bad, plan=plan, family="ecp5")[0])

    def test_open_pin_of_a_multiplier(self):
        plan = {"brams": 0, "dsps": 1}
        plain = cell("MULT18X18D")
        good = dict(cell("MULT18X18D", CLK0=[5], CE0=["1"], CE1=[6], RST0=["0"]), parameters={
            "REG_INPUTB_CLK": "CLK0", "REG_INPUTB_CE": "CE1", "REG_OUTPUT_CLK": "CLK0"})
        self.assertEqual(self.faults({"u_a.m": plain}, plan=plan, family="ecp5"), [])
        self.assertEqual(self.faults({"u_a.m": good}, plan=plan, family="ecp5"), [])
        for pin in ("CLK0", "CE0", "CE1", "RST0"):
            bad = dict(good, connections={k: v for k, v in good["connections"].items() if k != pin})
            self.assertEqual(self.faults({"u_a.m": bad}, plan=plan, family="ecp5"),
                             ["%s of multiplier u_a.m is open" % pin])

    def test_latch(self):
        cells = ice40()
        cells["u_a.l"] = cell("SB_LUT4", I0=[9], I1=[8], O=[9])
        self.assertIn("u_a.l is a latch", self.faults(cells)[0])

    def test_blocks(self):
        total, blocks = fpga_check.usage(ice40(), "ice40")
        self.assertEqual(total, {"luts": 1, "ffs": 1, "brams": 2, "dsps": 1, "spram": 0})
        self.assertEqual(blocks["u_core.u_a"]["ffs"], 1)
        self.assertEqual(blocks["u_core.u_mac"]["dsps"], 1)
        self.assertIn("5280", fpga_check.table(total, blocks, "up5k"))


class Timing(unittest.TestCase):
    """The clock that a build is judged by."""

    build = types.SimpleNamespace(clock_hz=24000000, entry={"name": "b"})

    def test_slowest_of_the_held(self):
        fmax = {"core": {"achieved": 25.0, "constraint": 24.0},
                "copy": {"achieved": 23.0, "constraint": 24.0},
                "pin": {"achieved": 9.0, "constraint": 12.0}}
        self.assertEqual(fpga_build.core_clock(self.build, fmax), 23.0)

    def test_none_held(self):
        with self.assertRaises(fc.Failure):
            fpga_build.core_clock(self.build, {"pin": {"achieved": 99.0, "constraint": 12.0}})


class Sweep(unittest.TestCase):
    """A seed is placed once for a build id; the rest of an interrupted sweep follows, in order."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.placed, self.refused = [], set()
        self.lock, self.inside, self.most = threading.Lock(), 0, 0
        path = lambda name: os.path.join(folder.name, name)   # noqa: E731
        self.build = types.SimpleNamespace(build_id=0x1234, path=path)
        self.build.said = lambda name: fpga_build.Build.said(self.build, name)
        before = fpga_build.place, fpga_build.summary
        self.addCleanup(lambda: vars(fpga_build).update(place=before[0], summary=before[1]))
        fpga_build.place, fpga_build.summary = self.place, self.summary

    def place(self, b, _netlist, seed):
        if seed in self.refused:
            raise fc.Failure("seed %d does not place" % seed)
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        time.sleep(0.01)
        with self.lock:
            self.inside -= 1
        self.placed.append(seed)
        result = b.path("seed%d.asc" % seed)
        open(result, "w").close()
        return {}, result

    @staticmethod
    def summary(b, _raw, _total, seed):
        return {"seed": seed, "fmax_mhz": 24.0 + seed, "luts": {"used": 1},
                "build_id": "%08x" % b.build_id}

    def sweep(self, seeds, jobs=1):
        """The lines that are printed."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            reports = fpga_sweep.every(self.build, None, None, seeds, jobs)
        self.assertEqual([r["seed"] for r in reports], list(seeds))
        return said.getvalue().splitlines()

    def test_goes_on_after_an_interruption(self):
        self.refused = {3}
        with self.assertRaises(fc.Failure):
            self.sweep(range(1, 6))
        self.assertEqual(self.placed[:2], [1, 2])
        self.refused, self.placed = set(), []
        lines = self.sweep(range(1, 4))
        self.assertEqual([line.endswith(", kept") for line in lines], [True, True, False])
        self.assertEqual(self.placed, [3])

    def test_another_build_is_placed_anew(self):
        self.sweep([1])
        self.build.build_id += 1
        self.assertNotIn("kept", self.sweep([1])[0])
        self.assertEqual(self.placed, [1, 1])

    def test_a_report_of_another_seed_is_not_taken(self):
        fc.save_json(self.build.path("sweep-seed2.json"), self.summary(self.build, {}, {}, 1))
        self.assertNotIn("kept", self.sweep([2])[0])

    def test_side_by_side_in_order(self):
        lines = self.sweep(range(1, 9), jobs=8)
        self.assertEqual([int(line.split()[1][:-1]) for line in lines], list(range(1, 9)))
        self.assertEqual(sorted(self.placed), list(range(1, 9)))
        self.assertLessEqual(self.most, os.cpu_count() or 1)

    def test_one_at_a_time(self):
        self.sweep(range(1, 5))
        self.assertEqual(self.most, 1)


class Inputs(unittest.TestCase):
    """Every board's sources, plan and parameters are found."""

    def test_boards_have_plans(self):
        for name in fc.boards():
            self.assertIn("brams", fc.plan(name), name)

    def test_unknown_board(self):
        for call in (fc.board, fc.plan):
            with self.assertRaises(fc.Failure):
                call("no-such-board")

    def test_other_tops_and_checkers_stay_out(self):
        entry = fc.board("core-ice40")
        files = fc.sources(entry, ["rtl/common/ktpu_axi_chk.v", "rtl/int8/ktpu_int8.v"])
        self.assertEqual(files, ["fpga/harness/ktpu_harness.v", "rtl/int8/ktpu_int8.v"])

    def test_program_that_is_missing(self):
        with tempfile.TemporaryDirectory() as d, self.assertRaises(fc.Failure):
            fc.run(["no-such-program-of-ktpu"], os.path.join(d, "log"), 5)

    def test_program_that_fails_or_hangs(self):
        with tempfile.TemporaryDirectory() as d:
            for argv in (["false"], ["sleep", "5"]):
                with self.assertRaises(fc.Failure):
                    fc.run(argv, os.path.join(d, "log"), 0.3)


class Load(unittest.TestCase):
    """Only the one board of that name is ever written."""

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.out, self.sysfs = (os.path.join(self.dir.name, n) for n in ("out", "usb"))
        self.calls = os.path.join(self.dir.name, "calls")
        binaries = os.path.join(self.dir.name, "bin")
        for d in (self.out, self.sysfs, binaries):
            os.mkdir(d)
        for name in ("iceprog", "openFPGALoader"):
            path = os.path.join(binaries, name)
            with open(path, "w") as f:
                f.write("#!/bin/sh\necho \"$(basename $0) $*\" >> %s\n" % self.calls)
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        self.path = os.environ["PATH"]
        os.environ["PATH"] = binaries + ":" + self.path
        for name in ("icebreaker.bin", "ecp5-evn.bit", "ecp5-ft245.bit", "ecpix5.bit"):
            open(os.path.join(self.out, name), "w").close()
        self.count = 0

    def tearDown(self):
        os.environ["PATH"] = self.path
        self.dir.cleanup()

    def plug(self, product, pid="6010", serial="S", vid="0403"):
        self.count += 1
        path = os.path.join(self.sysfs, "1-%d" % self.count)
        os.mkdir(path)
        for key, value in (("idVendor", vid), ("idProduct", pid), ("product", product),
                           ("serial", serial), ("busnum", "3"), ("devnum", str(10 + self.count))):
            with open(os.path.join(path, key), "w") as f:
                f.write(value + "\n")

    def load(self, board="icebreaker", if_connected=False, serial="", cable=""):
        """(what was said, the loader's calls); raises Failure where the program would fail."""
        args = types.SimpleNamespace(board=board, out=self.out, sysfs=self.sysfs, serial=serial,
                                     if_connected=if_connected, cable=cable)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            fpga_load.load(args)
        return said.getvalue(), self.called()

    def called(self):
        if not os.path.exists(self.calls):
            return []
        with open(self.calls) as f:
            return f.read().splitlines()

    def test_the_one_board_by_its_address(self):
        self.plug("Dual RS232-HS")
        self.plug("iCEBreaker V1.0e")
        said, calls = self.load()
        self.assertEqual(calls, ["iceprog -d d:003/012 %s/icebreaker.bin" % self.out])
        self.assertIn("flash of this board is overwritten", said)

    def test_generic_bridge_is_never_written(self):
        self.plug("Dual RS232-HS")
        said, calls = self.load(if_connected=True)
        self.assertEqual(calls, [])
        self.assertIn("no icebreaker is connected", said)
        self.assertIn("left alone: 0403:6010", said)
        with self.assertRaises(fc.Failure):
            self.load(serial="S")
        self.assertEqual(self.called(), [])

    def test_another_vendor_with_that_name(self):
        self.plug("iCEBreaker", vid="1209")
        self.assertEqual(self.load(if_connected=True)[1], [])

    def test_none_and_several(self):
        with self.assertRaisesRegex(fc.Failure, "no icebreaker"):
            self.load()
        self.plug("iCEBreaker V1.0e", serial="A")
        self.plug("iCEBreaker V1.1a", serial="B")
        with self.assertRaisesRegex(fc.Failure, "more than one"):
            self.load()
        self.assertIn("choose one with SERIAL=", self.load(if_connected=True)[0])
        self.assertEqual(self.called(), [])
        self.assertEqual(self.load(serial="B")[1], ["iceprog -d d:003/012 %s/icebreaker.bin" % self.out])

    def test_no_bitstream(self):
        self.plug("iCEBreaker V1.0e")
        os.remove(os.path.join(self.out, "icebreaker.bin"))
        with self.assertRaisesRegex(fc.Failure, "make fpga BOARD=icebreaker"):
            self.load()

    def test_ecp5(self):
        self.plug("Lattice ECP5 Evaluation Board")
        self.assertEqual(self.load("ecp5-evn")[1],
                         ["openFPGALoader -b ecp5_evn --busdev-num 3:11 -m %s/ecp5-evn.bit" % self.out])

    def test_ecpix5_needs_a_serial_number(self):
        self.plug("Quad RS232-HS", pid="6011")
        self.assertEqual(self.load("ecpix5", if_connected=True)[1], [])
        self.assertEqual(self.load("ecpix5", serial="S", cable="ft4232")[1],
                         ["openFPGALoader -c ft4232 --busdev-num 3:11 -m %s/ecpix5.bit" % self.out])

    def test_core_is_no_board(self):
        with self.assertRaises(fc.Failure):
            self.load("core-ice40")


if __name__ == "__main__":
    unittest.main()
