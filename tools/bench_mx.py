#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the MXFP7 machine's cycles on the simulated hardware and sets them against the targets.

usage: tools/bench_mx.py --run build/bin/ktpu-run [--json FILE] [--write PAGE] [--only TABLE]
Every run whose cycles are quoted is compared with the numerics and with the machine model; one
difference fails the benchmark. Tables are Markdown; --write puts them between the page's GENERATED
markers. Exits 1 where a target is missed.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

import page_block

# shape, pre-quantised, target in % of peak, what others have published for the geometry
PEAK = [
    ("256x256x256", True, 98.0, "87.6 % (two clusters)"),
    ("256x256x256", False, 97.0, "66.5 % (two clusters, older build); 27.0 % (newest)"),
    ("256x256x1024", True, 99.0, "90.2 % (two clusters)"),
    ("64x64x64", True, 75.0, "30.9 % (two clusters)"),
    ("64x64x64", False, 60.0, "8.9 % (newest top)"),
]
# shape, pre-quantised: within 1.1 of the largest budget
ODD = [("300x300x300", False), ("300x300x300", True), ("77x2048x64", False), ("77x2048x64", True),
       ("1x4096x4096", False), ("1x4096x4096", True)]
WITHIN = 1.1
LATENCIES = [0, 16, 50, 200]
SLOW = [("256x256x256", True), ("256x256x256", False)]
COSTS_AT_MOST = 1.5  # points of peak at latency 50
SPEED = ("256x256x256", True, 350.0)  # thousands of cycles a second


class Bench:
    """Runs ktpu-run, keeps every result, and knows which targets were missed."""

    def __init__(self, program):
        self.program, self.known, self.missed = program, {}, []

    def run(self, shape, prequantised, latency=0, compare=True):
        key = (shape, prequantised, latency, compare)
        if key in self.known:
            return self.known[key]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.json")
            argv = [self.program, "gemm", "--engine", "mxfp7", "--shape", shape, "--seed", "1",
                    "--device", "sim:sim1", "--latency", str(latency), "--json", path]
            argv += ["--prequantised"] if prequantised else []
            argv += ["--compare"] if compare else []
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode != 0 or not os.path.exists(path):
                sys.exit("bench: %s\n%s" % (" ".join(argv), done.stdout.decode()))
            with open(path) as f:
                result = json.load(f)
        if compare and (result["verdict"] != "equal" or result["compared"] < 1):
            sys.exit("bench: %s: %s" % (shape, result["verdict"]))
        result["share"] = 100.0 * result["peak_share"]
        result["cpu_s"] = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
        self.known[key] = result
        return result

    def judge(self, what, value, limit, at_most):
        good = value <= limit if at_most else value >= limit
        if not good:
            self.missed.append("%s: %.4g, wanted %s %g" % (what, value, "<=" if at_most else ">=",
                                                            limit))
        return "met" if good else "missed"


def row(cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def head(cells):
    return [row(cells), "|" + "---|" * len(cells)]


def form(prequantised):
    return "pre-quantised" if prequantised else "binary16"


def peaks(bench):
    lines = head(["MxKxN, latency 0", "operands", "cycles", "share of peak", "target", "modelled",
                  "published"])
    for shape, pre, limit, others in PEAK:
        r = bench.run(shape, pre)
        mark = bench.judge("%s %s" % (shape, form(pre)), r["share"], limit, False)
        lines.append(row([shape, form(pre), r["cycles"], "**%.2f %%**" % r["share"],
                          ">= %g %% %s" % (limit, mark), r["modelled_cycles"], others]))
    return lines


def odd(bench):
    lines = head(["MxKxN", "operands", "cycles", "array", "memory read", "memory write",
                  "cycles / largest budget", "target"])
    for shape, pre in ODD:
        r = bench.run(shape, pre)
        b = r["budgets"]
        most = max(b[k] for k in ("array", "memory_read", "memory_write"))
        ratio = r["cycles"] / most
        mark = bench.judge("%s %s, cycles / budget" % (shape, form(pre)), ratio, WITHIN, True)
        lines.append(row([shape, form(pre), r["cycles"], b["array"], b["memory_read"],
                          b["memory_write"], "%.3f" % ratio, "<= %g %s" % (WITHIN, mark)]))
    return lines


def latencies(bench):
    lines = head(["share of peak at latency", "operands"] + LATENCIES + ["50 costs", "target"])
    for shape, pre in SLOW:
        shares = [bench.run(shape, pre, latency)["share"] for latency in LATENCIES]
        cost = shares[0] - shares[LATENCIES.index(50)]
        mark = bench.judge("%s %s, latency 50 costs" % (shape, form(pre)), cost, COSTS_AT_MOST, True)
        lines.append(row([shape, form(pre)] + ["%.2f %%" % s for s in shares] +
                         ["%.2f points" % cost, "<= %g %s" % (COSTS_AT_MOST, mark)]))
    return lines


def causes(bench):
    states = list(bench.run("64x64x64", True)["stalls"]["array"])
    lines = head(["cycles of the array, MxKxN", "operands"] + states)
    for shape, pre, _, _ in PEAK:
        r = bench.run(shape, pre)
        lines.append(row([shape, form(pre)] + [r["stalls"]["array"][s] for s in states]))
    return lines


def speed(bench):
    shape, pre, limit = SPEED
    r = bench.run(shape, pre, compare=False)
    rate = r["simulated_cycles"] / r["cpu_s"] / 1e3
    mark = bench.judge("simulation speed, k cycles/s", rate, limit, False)
    return head(["simulation, one thread", "simulated cycles", "processor seconds, driver included",
                 "k cycles/s", "target"]) + [
        row([shape, r["simulated_cycles"], "%.2f" % r["cpu_s"], "%.0f" % rate,
             ">= %g %s" % (limit, mark)])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="the ktpu-run program")
    parser.add_argument("--json")
    parser.add_argument("--only", choices=["mx-peak", "mx-odd", "mx-latency", "mx-causes", "mx-speed"],
                        help="one table instead of all")
    parser.add_argument("--write", help="page to put the tables into")
    args = parser.parse_args()
    bench = Bench(args.run)
    makers = {"mx-peak": peaks, "mx-odd": odd, "mx-latency": latencies, "mx-causes": causes,
              "mx-speed": speed}
    tables = {name: make(bench) for name, make in makers.items() if args.only in (None, name)}
    print("\n\n".join("\n".join(t) for t in tables.values()))
    if args.write:
        for name, lines in tables.items():
            page_block.replace(args.write, name, "\n".join(lines))
    if args.json:
        with open(args.json, "w") as f:
            json.dump({"runs": list(bench.known.values()), "missed": bench.missed}, f, indent=1)
            f.write("\n")
    print()
    for line in bench.missed:
        print("missed: " + line)
    print("%d runs, %d equal on three sides, %d targets missed"
          % (len(bench.known), sum(r["verdict"] == "equal" for r in bench.known.values()),
             len(bench.missed)))
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
