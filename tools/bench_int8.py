#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the int8 core's cycles on the simulated hardware and sets them against the targets.

usage: tools/bench_int8.py --run build/bin/ktpu-run [--json FILE] [--write PAGE] [--only TABLE]
Every run whose cycles are quoted is compared with the reference model; one difference fails the
benchmark. Tables are Markdown; --write puts them between the page's GENERATED markers. Exits 1 where a
target is missed.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

import page_block

SMALL = ["4x4x4", "8x8x8", "12x12x12", "16x16x8", "16x16x16"]
LATENCIES = [0, 16, 64, 200]
LIMITS = {64: [40, 90, 180, 206, 342], 256: [36, 75, 166, 191, 323]}
# What others have published for these shapes: cycles from start to done.
PUBLISHED = [
    ("published HLS implementation, four ports of up to 512 bits", [175, 265, 421, 482, 674]),
    ("Gemmini, 4x4 int8, same window", ["144-161", "218-220", "344-347", "390-391", "590-593"]),
    ("a 4x4 int8 microprogrammed TPU, loads counted", [121, "", "", "", ""]),
]
# shape, T, least share of the peak in %, what others reach
LARGE = [("64x64x64", 4, 98.5, "74.1 % HLS, about 81 % Gemmini"), ("64x64x64", 8, 95.0, "57.8 % HLS"),
         ("512x512x512", 4, 98.0, ""), ("512x512x512", 8, 96.0, "")]
# shape, T, MAXDIM, what the limit at latency 64 is, published there
SLOW = [("4x4x4", 4, 16, ("cycles", 175), "364"), ("16x16x16", 4, 16, ("cycles", 470), ""),
        ("64x64x64", 4, 64, ("share", 98.0), ""), ("64x64x64", 8, 64, ("share", 93.0), "")]
SPEEDS = [("512x512x512", 4, 4.0), ("512x512x512", 8, 2.0)]


class Bench:
    """Runs ktpu-run, keeps every result, and knows which targets were missed."""

    def __init__(self, program):
        self.program, self.runs, self.missed, self.known = program, [], [], {}

    def run(self, shape, t, maxdim, bus, latency=0, out="int8", compare=True):
        key = (shape, t, maxdim, bus, latency, out, compare)
        if key in self.known:
            return self.known[key]
        device = "sim:int8,T=%d,MAXDIM=%d,BUS=%d" % (t, maxdim, bus)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.json")
            argv = [self.program, "gemm", "--shape", shape, "--seed", "1", "--device", device,
                    "--latency", str(latency), "--json", path]
            if compare:
                argv.append("--compare")
            if out != "int8":
                argv += ["--out", out]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode != 0 or not os.path.exists(path):
                sys.exit("bench: %s\n%s" % (" ".join(argv), done.stdout.decode()))
            with open(path) as f:
                result = json.load(f)
        if compare and (result["verdict"] != "equal" or result["compared"] < 1):
            sys.exit("bench: %s on %s: %s" % (shape, device, result["verdict"]))
        result["share"] = 100.0 * result["peak_share"]
        result["cpu_s"] = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
        self.known[key] = result
        self.runs.append({"shape": shape, "T": t, "MAXDIM": maxdim, "bus": bus, "latency": latency,
                          "out": out, "cycles": result["cycles"],
                          "peak_share": result["peak_share"], "compared": result["compared"],
                          "wall_s": result["wall_s"], "cpu_s": round(result["cpu_s"], 3),
                          "simulated_cycles": result["simulated_cycles"]})
        return result

    def judge(self, what, value, limit, at_most):
        good = value <= limit if at_most else value >= limit
        if not good:
            self.missed.append("%s: %.6g, wanted %s %g" % (what, value, "<=" if at_most else ">=",
                                                            limit))
        return "met" if good else "missed"


def row(cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def head(cells):
    return [row(cells), "|" + "---|" * len(cells)]


def small_shapes(bench):
    lines = head(["cycles, MAXDIM=16, T=4, latency 0"] + SMALL)
    lines += [row([name] + cells) for name, cells in PUBLISHED]
    for bus, limits in LIMITS.items():
        cycles = [bench.run(s, 4, 16, bus)["cycles"] for s in SMALL]
        wide = [bench.run(s, 4, 16, bus, out="int32")["cycles"] for s in SMALL]
        marks = [bench.judge("%s, %d-bit port" % (s, bus), c, n, True)
                 for s, c, n in zip(SMALL, cycles, limits)]
        lines.append(row(["**this core, %d-bit port**" % bus] + ["**%d**" % c for c in cycles]))
        lines.append(row(["target"] + ["<= %d %s" % x for x in zip(limits, marks)]))
        lines.append(row(["int32 out, %d-bit port" % bus] + wide))
    return lines


def large_shapes(bench):
    lines = head(["shape, 64-bit port, MAXDIM=64", "T", "cycles", "share of peak", "target",
                  "int32 out: cycles", "share", "others"])
    for shape, t, limit, others in LARGE:
        r = bench.run(shape, t, 64, 64)
        wide = bench.run(shape, t, 64, 64, out="int32")
        mark = bench.judge("%s, T=%d" % (shape, t), r["share"], limit, False)
        lines.append(row([shape, t, r["cycles"], "**%.3f %%**" % r["share"],
                          ">= %g %% %s" % (limit, mark), wide["cycles"], "%.3f %%" % wide["share"],
                          others]))
    return lines


def latencies(bench):
    lines = head(["cycles (share of peak) at latency", "T"] + LATENCIES +
                 ["target at 64", "published at 64"])
    for shape, t, maxdim, (what, limit), published in SLOW:
        cells = []
        for latency in LATENCIES:
            r = bench.run(shape, t, maxdim, 64, latency)
            cells.append("%d (%.1f %%)" % (r["cycles"], r["share"]))
            if latency == 64:
                mark = bench.judge("%s, T=%d, latency 64" % (shape, t), r[what], limit,
                                   what == "cycles")
        unit = "<= %d cycles" if what == "cycles" else ">= %g %%"
        lines.append(row([shape, t] + cells + [unit % limit + " " + mark, published]))
    return lines


def speeds(bench):
    lines = head(["simulation, one core of the machine that ran this", "T", "simulated cycles",
                  "processor seconds, driver included", "M cycles/s", "target"])
    for shape, t, limit in SPEEDS:
        r = bench.run(shape, t, 64, 64, compare=False)
        rate = r["simulated_cycles"] / r["cpu_s"] / 1e6
        mark = bench.judge("simulation speed, T=%d" % t, rate, limit, False)
        lines.append(row([shape, t, r["simulated_cycles"], "%.2f" % r["cpu_s"], "%.2f" % rate,
                          ">= %g %s" % (limit, mark)]))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="the ktpu-run program")
    parser.add_argument("--json")
    parser.add_argument("--only", choices=["small", "large", "latency", "speed"],
                        help="one table instead of all")
    parser.add_argument("--write", help="page to put the tables into")
    args = parser.parse_args()
    bench = Bench(args.run)
    makers = {"small": small_shapes, "large": large_shapes, "latency": latencies, "speed": speeds}
    tables = {name: make(bench) for name, make in makers.items() if args.only in (None, name)}
    print("\n\n".join("\n".join(t) for t in tables.values()))
    if args.write:
        for name, lines in tables.items():
            page_block.replace(args.write, name, "\n".join(lines))
    if args.json:
        with open(args.json, "w") as f:
            json.dump({"runs": bench.runs, "missed": bench.missed}, f, indent=1)
            f.write("\n")
    print()
    for line in bench.missed:
        print("missed: " + line)
    print("%d runs, %d equal to the model, %d targets missed"
          % (len(bench.runs), sum(r["compared"] > 0 for r in bench.runs), len(bench.missed)))
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
