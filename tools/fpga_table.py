#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of measured bitstreams, from the reports that sweeps and builds left.

usage: tools/fpga_table.py --build DIR [--write PAGE]
A row a board of spec/boards.json and core of fpga/harness/boards.json: from DIR/<board>/sweep.json
or report.json, whichever is newer, else its row stays as the page has it. The id is the build's, of
everything that decides the netlist. Wanted figures are those of fpga/plan.json.
"""
import argparse
import os
import statistics

import fpga_common as fc
import page_block

HEAD = ["| build | part | id | seeds | logic | flip-flops | block RAM | DSP | MHz: worst, median, best | wanted |",
        "|---|---|---|---|---|---|---|---|---|---|"]
NO_ROW = "| %s | %s | | not measured | | | | | | %s |"


def wanted(name, entry):
    """What the plan asks of the clock, or what the board runs at."""
    plan = fc.plan(name)
    words = ["%g to run" % (entry["clock_hz"] / 1e6)] if "number" in entry else []
    words += ["%g %s" % (plan[key + "_mhz"], key) for key in ("worst", "best") if key + "_mhz" in plan]
    return ", ".join(words)


def spread(values):
    return "%d" % min(values) if min(values) == max(values) else "%d to %d" % (min(values), max(values))


def row(entry, reports):
    """One line of the table: the build's use and its clock over the seeds."""
    first, mhz = reports[0], [r["fmax_mhz"] for r in reports]
    seeds = sorted(r["seed"] for r in reports)
    gapless = len(seeds) == seeds[-1] - seeds[0] + 1 > 2
    which = ("%d to %d" % (seeds[0], seeds[-1]) if gapless else ", ".join("%d" % n for n in seeds))
    unit = {"ice40": "LC", "ecp5": "LUT"}[entry["family"]]
    clock = ("%.2f" % mhz[0] if len(mhz) == 1 else
             "%.2f, %.2f, %.2f" % (min(mhz), statistics.median(mhz), max(mhz)))
    return "| %s | %s | %s | %s | %s %s | %s | %d | %d | %s | %s |" % (
        entry["name"], first["device"], first["build_id"], which, spread([r["luts"]["used"] for r in reports]), unit,
        spread([r["ffs"]["used"] for r in reports]), first["brams"]["used"], first["dsps"]["used"],
        clock, wanted(entry["name"], entry))


def reports_of(folder):
    paths = [p for p in (os.path.join(folder, n) for n in ("report.json", "sweep.json"))
             if os.path.exists(p)]
    if not paths:
        return []
    found = fc.load_json(max(paths, key=os.path.getmtime))
    return found if isinstance(found, list) else [found]


def kept_rows(page):
    """The page's own rows, by board, without what was wanted when they were written."""
    if not page:
        return {}
    with open(page, encoding="utf-8") as f:
        cells = [(line.split("|"), line.rstrip("\n")) for line in f if line.startswith("| ")]
    return {c[1].strip(): line.rsplit("|", 2)[0] for c, line in cells if len(c) == 12}


def table(build, page):
    kept, lines = kept_rows(page), list(HEAD)
    for name, entry in sorted(fc.boards().items()):
        reports = reports_of(os.path.join(build, name))
        lines.append(row(entry, reports) if reports else
                     "%s| %s |" % (kept[name], wanted(name, entry)) if name in kept else
                     NO_ROW % (name, entry["device"], wanted(name, entry)))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="where the boards' folders are")
    parser.add_argument("--write", help="page to put the table into")
    args = parser.parse_args()
    text = table(args.build, args.write)
    print(text, end="")
    if args.write:
        page_block.replace(args.write, "fpga", text)
    return 0


if __name__ == "__main__":
    fc.main(main)
