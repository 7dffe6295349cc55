#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Places one netlist on several seeds: how fast is it, and how much of that is luck?

usage: tools/fpga_sweep.py --board NAME --params PROGRAM --out DIR --venv DIR [--clock MHZ] [--seeds N]
                           [--first N] [--jobs N] [--judge] --rtl FILE... -- INCLUDE...
Writes DIR/sweep.json (a list of reports), sweep.txt (a table and a histogram) and sweep.png (gnuplot). Each
seed's report is kept in DIR/sweep-seed<N>.json, and not placed again while the build id is the same: a sweep
that was interrupted goes on. Exit 1 where a seed does not
place or, with --judge, a clock of fpga/plan.json is missed.
"""
import argparse
import concurrent.futures
import os
import shutil
import statistics

import fpga_build
import fpga_common as fc

BINS, BAR = 10, 40


def one(b, netlist, total, seed):
    """The report of one seed, and whether it was kept; the result of the placement is not."""
    kept = "sweep-seed%d.json" % seed
    report = b.said(kept)
    if report.get("build_id") == "%08x" % b.build_id and report.get("seed") == seed:
        return report, True
    raw, result = fpga_build.place(b, netlist, seed)
    os.remove(result)
    report = fpga_build.summary(b, raw, total, seed)
    fc.save_json(b.path(kept), report)
    return report, False


def every(b, netlist, total, seeds, jobs):
    """The reports of all seeds, told in order; at most `jobs` are placed side by side."""
    reports = []
    pool = concurrent.futures.ThreadPoolExecutor(max(1, min(jobs, os.cpu_count() or 1)))
    try:
        for report, kept in pool.map(lambda seed: one(b, netlist, total, seed), seeds):
            print("  seed %3d: %7.2f MHz, %d luts%s" % (report["seed"], report["fmax_mhz"],
                  report["luts"]["used"], ", kept" if kept else ""), flush=True)
            reports.append(report)
    finally:
        pool.shutdown(cancel_futures=True)   # after a failure nothing more is begun
    return reports


def histogram(values):
    low, high = min(values), max(values)
    width = (high - low) / BINS or 1.0
    count = [0] * BINS
    for v in values:
        count[min(int((v - low) / width), BINS - 1)] += 1
    return "".join("  %7.2f MHz %3d %s\n" % (low + i * width, n, "#" * (BAR * n // max(count)))
                   for i, n in enumerate(count))


def as_text(b, reports, bounds):
    mhz = [r["fmax_mhz"] for r in reports]
    first = reports[0]
    lines = ["%s: %s, config %s; %s" % (b.entry["name"], first["device"], first["config"], ", ".join(
        "%(name)s %(version)s" % t for t in first["tools"])), "",
        "| seed | LUTs | flip-flops | block RAMs | DSPs | Fmax, MHz | %g MHz |" % first["target_mhz"],
        "|---|---|---|---|---|---|---|"]
    for r in reports:
        lines.append("| %d | %d of %d | %d | %d of %d | %d of %d | %.2f | %s |" % (
            r["seed"], r["luts"]["used"], r["luts"]["available"], r["ffs"]["used"],
            r["brams"]["used"], r["brams"]["available"], r["dsps"]["used"], r["dsps"]["available"],
            r["fmax_mhz"], "met" if r["met"] else "missed"))
    lines += ["", "%d seeds: worst %.2f, median %.2f, best %.2f MHz" % (
        len(mhz), min(mhz), statistics.median(mhz), max(mhz))]
    for what, value, bound in bounds:
        lines.append("%s %.2f MHz, needs %g: %s" % (what, value, bound,
                                                    "met" if value >= bound else "MISSED"))
    return "\n".join(lines) + "\n\n" + histogram(mhz)


def plot(b, reports):
    """sweep.png by gnuplot, where that is installed."""
    data, picture = b.path("sweep.dat"), b.path("sweep.png")
    with open(data, "w") as f:
        for i, r in enumerate(sorted(reports, key=lambda r: r["fmax_mhz"])):
            f.write("%d %g\n" % (i + 1, r["fmax_mhz"]))
    if shutil.which("gnuplot") is None:
        print("fpga-sweep: gnuplot is not installed, so there is no picture")
        return
    with open(b.path("sweep.gp"), "w") as f:
        f.write("set terminal png size 800,480\nset output '%s'\nset title '%s, config %s'\n"
                "set xlabel 'seeds, slowest first'\nset ylabel 'Fmax, MHz'\nset grid\nset key bottom\n"
                "plot '%s' with linespoints title 'Fmax', %g title 'board clock'\n"
                % (picture, b.device, b.entry["config"], data, b.clock_hz / 1e6))
    fc.run(["gnuplot", b.path("sweep.gp")], b.path("gnuplot.log"), fc.SHORT_LIMIT_S)
    print("fpga-sweep: wrote %s" % picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    fpga_build.arguments(parser)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="placements side by side")
    parser.add_argument("--judge", action="store_true", help="fail where the plan's clock is missed")
    args = parser.parse_args()
    if args.seeds < 1:
        raise fc.Failure("fpga-sweep: SEEDS is 1 or more")
    b = fpga_build.Build(args)
    print("fpga-sweep: %s, %s" % (b.entry["name"], b.device), flush=True)
    netlist, total, _ = fpga_build.synthesise(b)
    reports = every(b, netlist, total, range(args.first, args.first + args.seeds), args.jobs)
    mhz = [r["fmax_mhz"] for r in reports]
    bounds = [(what, value, b.plan[what + "_mhz"])
              for what, value in (("worst", min(mhz)), ("best", max(mhz))) if what + "_mhz" in b.plan]
    fc.save_json(b.path("sweep.json"), reports)
    text = as_text(b, reports, bounds)
    with open(b.path("sweep.txt"), "w") as f:
        f.write(text)
    print(text, end="")
    plot(b, reports)
    return 0 if not args.judge or all(v >= t for _, v, t in bounds) else 1


if __name__ == "__main__":
    fc.main(main)
