#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the test suites, prints one line a test program and ends with the sum.

usage: tools/run_tests.py [--build DIR] [--seed N] [--full] SUITE...
SUITE is one or more of: fpga gen lint unit rtl cosim builds board faults formal netlist. A suite in which nothing ran counts as a failure.
The suite fpga starts its bitstreams, one after the other, beside the suites named after it, and is judged last.
Logs are kept in DIR/test-logs, the sums in DIR/test-report.json.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

CRITERION = re.compile(r"Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)")
UNIT_LIMIT_S = 300
BENCH_LIMIT_S = 300
COSIM_LIMIT_S = 900
BUILD_LIMIT_S = 1800
BITSTREAM_LIMIT_S = 400
FULL_BITSTREAM_LIMIT_S = 7200
TAIL_LINES = 40
# What the link and the boards add to a run: their own suites, and these among the others' programs.
LINK_SUITES = ("board", "faults", "fpga", "netlist")
LINK_NAMES = re.compile(r"link|uart|ft245|_mem|board|ftdi|usb|cobs|async_fifo")
# Netlists that are simulated, and one with a LUT inverted, which must be noticed.
NETLISTS = (("netlist", "icebreaker"), ("netlist-mutant", "icebreaker"), ("netlist", "ecp5-ft245"))
FULL_FACTOR = 5
SLOW_BENCHES = "tb_ktpu_link"  # a minute a seed: one on every change, all by --full


class Runner:
    """Counts, prints and keeps the result of everything that was run."""

    def __init__(self, args):
        self.build, self.seed, self.full = args.build, args.seed, args.full
        self.builds, self.bench_seeds = args.builds.split(), args.bench_seeds
        self.logs = os.path.join(self.build, "test-logs")
        self.fpga = args.fpga
        self.rows = []
        self.beside = None
        os.makedirs(self.logs, exist_ok=True)

    def command(self, argv, name, limit_s):
        """Runs argv in its own process group; returns (exit status, output, seconds)."""
        env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS")}
        env["SEED"] = str(self.seed)
        if self.full:
            env["KTPU_FULL"] = "1"
        if self.beside is not None and not name.startswith("make-fpga"):
            argv = ["nice", "-n", "10"] + argv  # the bitstream beside has a limit of its own
        start = time.monotonic()
        path = os.path.join(self.logs, name.replace("/", "-") + ".log")
        with open(path, "wb") as log:
            child = subprocess.Popen(argv, stdout=log, stderr=subprocess.STDOUT, env=env,
                                     stdin=subprocess.DEVNULL, start_new_session=True)
            try:
                status = child.wait(limit_s)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                log.write(b"\nrun_tests: stopped after %d s\n" % limit_s)
                status = -1
        with open(path, "r", errors="replace") as log:
            return status, log.read(), time.monotonic() - start

    def make(self, target, limit_s=BUILD_LIMIT_S, settings=()):
        jobs = str(os.cpu_count() or 1)
        name = "-".join(["make", target] + [s.split("=")[1].replace("/", "-") for s in settings])
        return self.command(["make", "--no-print-directory", "-k", "-j" + jobs,
                             "BUILD=" + self.build, target] + list(settings), name, limit_s)

    def record(self, suite, name, passed, failed, seconds, output):
        self.rows.append({"suite": suite, "name": name, "passed": passed, "failed": failed,
                          "seconds": round(seconds, 2)})
        print("%-4s %-5s %-44s %4d passed %3d failed %7.1f s"
              % ("ok" if failed == 0 else "FAIL", suite, name, passed, failed, seconds), flush=True)
        if failed:
            print("".join("     | %s\n" % l for l in output.splitlines()[-TAIL_LINES:]), end="")

    def run_target(self, suite, target):
        """A make target that passes or fails as a whole."""
        status, output, seconds = self.make(target)
        self.record(suite, "make " + target, int(status == 0), int(status != 0), seconds, output)

    def run_setting(self, suite, target, settings, limit_s):
        """A make target with variables, for at most limit_s."""
        status, output, seconds = self.make(target, limit_s, settings)
        name = " ".join(("make", target) + settings)
        self.record(suite, name, int(status == 0), int(status != 0), seconds, output)

    def run_python(self, suite, source):
        """A test program in Python's unittest."""
        status, output, seconds = self.command([sys.executable, source], source, UNIT_LIMIT_S)
        ran = re.search(r"^Ran (\d+) test", output, re.M)
        bad = re.search(r"^FAILED \((.*)\)", output, re.M)
        failed = sum(int(n) for n in re.findall(r"=(\d+)", bad.group(1))) if bad else int(status != 0)
        count = int(ran.group(1)) if ran else 0
        self.record(suite, source, max(count - failed, 0), failed if count else 1, seconds, output)

    def bitstreams(self):
        """Each word of --fpga is a target and its variables, joined by commas."""
        limit_s = FULL_BITSTREAM_LIMIT_S if self.full else BITSTREAM_LIMIT_S
        for word in self.fpga:
            target, *settings = word.split(",")
            self.run_setting("fpga", target, tuple(settings), limit_s)

    def start_beside(self):
        self.beside = threading.Thread(target=self.bitstreams)
        self.beside.start()

    def build_step(self, suite, target):
        status, output, seconds = self.make(target)
        if status != 0:
            self.record(suite, "make " + target, 0, 1, seconds, output)
        else:
            print("     %-5s built in %.1f s" % (suite, seconds), flush=True)

    def run_criterion(self, suite, source, limit_s):
        name = os.path.splitext(source)[0]
        program = os.path.join(self.build, name)
        if not os.path.exists(program):
            self.record(suite, name, 0, 1, 0.0, "%s was not built" % program)
            return
        status, output, seconds = self.command([program], name, limit_s)
        sums = CRITERION.findall(output)
        if not sums:
            self.record(suite, name, 0, 1, seconds, output)
            return
        tested, passing, _, _ = (int(x) for x in sums[-1])
        failed = tested - passing
        if failed == 0 and (status != 0 or tested == 0):
            failed = 1
        self.record(suite, name, passing, failed, seconds, output)

    def run_bench(self, source):
        """One self-checking bench, a few seeds; each must print exactly one PASS line."""
        name = os.path.splitext(os.path.basename(source))[0]
        passed = failed = 0
        text, total = "", 0.0
        seeds = self.bench_seeds * FULL_FACTOR if self.full else self.bench_seeds
        if name.startswith(SLOW_BENCHES) and not self.full:
            seeds = 1
        for seed in range(self.seed, self.seed + seeds):
            program = os.path.join(self.build, "tests/rtl", name + ".vvp")
            status, output, seconds = self.command(["vvp", "-n", program, "+seed=%d" % seed],
                                                   "%s-%d" % (name, seed), BENCH_LIMIT_S)
            total += seconds
            said = re.findall(r"^PASS %s seed=\d+" % name, output, re.M)
            good = (status == 0 and len(said) == 1 and
                    not re.search(r"^(FAIL|CHECK)", output, re.M))
            passed, failed = passed + good, failed + (not good)
            if not good:
                text += output
        return name, passed, failed, total, text

    def suite(self, name):
        before = len(self.rows)
        if name == "gen":
            self.run_target("gen", "gen-check")
        elif name == "lint":
            self.run_target("lint", "lint")
        elif name == "unit":
            self.build_step("unit", "build-units")
            for source in sorted(glob.glob("tests/unit/test_*.c")):
                self.run_criterion("unit", source, UNIT_LIMIT_S)
        elif name == "rtl":
            self.build_step("rtl", "build-benches")
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                for row in pool.map(self.run_bench, sorted(glob.glob("tests/rtl/tb_*.v"))):
                    self.record("rtl", *row)
        elif name == "cosim":
            self.build_step("cosim", "build-cosim")
            for source in sorted(glob.glob("tests/cosim/test_*.c") + glob.glob("tests/mx/test_*.c")):
                self.run_criterion("cosim", source, COSIM_LIMIT_S)
        elif name == "builds":
            for build in self.builds:
                self.run_target("builds", "try-" + build)
        elif name == "board":
            self.build_step("board", "build-boards")
            for source in sorted(glob.glob("tests/board/test_*.c")):
                self.run_criterion("board", source, COSIM_LIMIT_S)
        elif name == "formal":
            self.run_target(name, name)
        elif name == "netlist":
            for target, board in NETLISTS:
                self.run_setting(name, target, ("BOARD=" + board,), FULL_BITSTREAM_LIMIT_S)
        elif name == "faults":
            self.run_target("faults", "link-faults")
            self.run_target("faults", "link-mutants")
        elif name == "fpga":
            for source in sorted(glob.glob("tests/fpga/test_*.py")):
                self.run_python("fpga", source)
            # What both makes would build at once is built before.
            self.build_step("fpga", self.build + "/bin/ktpu-params")
            self.start_beside()
        if sum(r["passed"] + r["failed"] for r in self.rows[before:]) == 0:
            self.record(name, "nothing ran", 0, 1, 0.0, "")


def shares(rows):
    """Seconds by suite, and what the link and the boards took of them."""
    by = {}
    for row in rows:
        by[row["suite"]] = by.get(row["suite"], 0.0) + row["seconds"]
    link = sum(r["seconds"] for r in rows
               if r["suite"] in LINK_SUITES or LINK_NAMES.search(os.path.basename(r["name"])))
    print("seconds by part: " + ", ".join("%s %.0f" % (k, v) for k, v in by.items()))
    print("of these, link and boards (the bitstream beside the others included): %.0f" % link)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--builds", default="", help="builds of the hardware for the suite of that name")
    parser.add_argument("--bench-seeds", type=int, default=3, help="seeds that each bench runs with")
    parser.add_argument("--fpga", nargs="*", default=["fpga-build,BOARD=icebreaker"],
                        help="what the suite fpga builds: TARGET,NAME=VALUE,..")
    parser.add_argument("suites", nargs="+",
                        choices=["fpga", "gen", "lint", "unit", "rtl", "cosim", "builds", "board",
                                 "faults", "formal", "netlist"])
    args = parser.parse_args()
    start = time.monotonic()
    runner = Runner(args)
    print("seed %d" % args.seed, flush=True)
    for suite in args.suites:
        runner.suite(suite)
    if runner.beside:
        runner.beside.join()
    passed = sum(r["passed"] for r in runner.rows)
    failed = sum(r["failed"] for r in runner.rows)
    seconds = time.monotonic() - start
    with open(os.path.join(args.build, "test-report.json"), "w") as f:
        json.dump({"passed": passed, "failed": failed, "seconds": round(seconds, 1),
                   "seed": args.seed, "programs": runner.rows}, f, indent=1)
        f.write("\n")
    for row in runner.rows:
        if row["failed"]:
            print("failed: %s %s" % (row["suite"], row["name"]))
    shares(runner.rows)
    print("%.0f s" % seconds)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
