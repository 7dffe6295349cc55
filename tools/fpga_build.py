#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the bitstream of one board: yosys, checks, nextpnr, timing, report.

usage: tools/fpga_build.py --board NAME --params PROGRAM --out DIR --venv DIR [--clock MHZ] [--seed N]
                           [--synth-only] --rtl FILE... -- INCLUDE...
Writes DIR/<board>.bin (iCE40) or .bit (ECP5), report.json, report.txt and the tools' logs. A bitstream that
is there and was made from the same inputs is left alone. Exit 1 where a check or the timing fails.
"""
import argparse
import os

import fpga_check
import fpga_common as fc

DEVICE = {"up5k": "iCE40UP5K-SG48", "85k": "LFE5U-85F-6%s", "um5g-85k": "LFE5UM5G-85F-8%s"}
RESOURCES = {
    "ice40": {"luts": "ICESTORM_LC", "brams": "ICESTORM_RAM", "dsps": "ICESTORM_DSP"},
    "ecp5": {"luts": "TRELLIS_COMB", "ffs": "TRELLIS_FF", "brams": "DP16KD", "dsps": "MULT18X18D"},
}


class Build:
    """One board's inputs, and where its files are."""

    def __init__(self, args):
        self.args = args
        self.entry = fc.board(args.board)
        self.family = self.entry["family"]
        self.tools = fc.Tools(self.family, args.venv)
        self.clock_hz = round(args.clock * 1e6) if args.clock else self.entry["clock_hz"]
        self.files = fc.sources(self.entry, args.rtl)
        headers = [os.path.join(folder[2:], f) for folder in args.include if folder.startswith("-I")
                   for f in sorted(os.listdir(folder[2:])) if f.endswith(".vh")]
        self.build_id = fc.digest(self.entry, self.tools, self.files + headers, args.params,
                                  self.clock_hz)
        self.out = os.path.relpath(args.out)   # YoWASP's tools see relative paths only
        os.makedirs(self.out, exist_ok=True)
        self.plan = fc.plan(args.board)
        self.device = DEVICE[self.entry["device"]]
        if "%s" in self.device:
            self.device %= " " + self.entry["package"]

    def path(self, name):
        return os.path.join(self.out, name)

    def bitstream(self):
        return self.path("%s.%s" % (self.entry["name"], fc.FAMILY[self.family]["ext"]))

    def said(self, name):
        path = self.path(name)
        return fc.load_json(path) if os.path.exists(path) else {}

    def is_done(self, seed):
        report = self.said("report.json")
        return (os.path.exists(self.bitstream()) and report.get("met") is True and
                report.get("build_id") == "%08x" % self.build_id and report.get("seed") == seed)


def synthesise(b):
    """The netlist, checked; the same inputs are not synthesised twice."""
    netlist, stamp = b.path("netlist.json"), b.path("netlist.id")
    wanted = "%08x\n" % b.build_id
    if not (os.path.exists(netlist) and os.path.exists(stamp) and open(stamp).read() == wanted):
        values = fc.settings(b.entry, b.args.params, b.clock_hz, b.build_id)
        fc.run([b.tools.yosys, "-p", fc.script(b.entry, b.files, b.args.include, values,
                                               b.path("memories.txt"), netlist)],
               b.path("yosys.log"), fc.YOSYS_LIMIT_S)
        with open(stamp, "w") as f:
            f.write(wanted)
    cells = fc.load_json(netlist)["modules"][b.entry["top"]]["cells"]
    total, blocks = fpga_check.usage(cells, b.family)
    text = fpga_check.table(total, blocks, b.entry["device"])
    print(text, end="", flush=True)
    with open(b.path("memories.txt")) as dump, open(b.path("yosys.log")) as log:
        bad = fpga_check.faults(cells, b.family, dump.read(), log.read(), b.plan)
    if bad:
        raise fc.Failure("".join("fpga: %s: %s\n" % (b.entry["name"], f) for f in bad).rstrip())
    return netlist, total, text


def place(b, netlist, seed):
    """nextpnr on one seed; its report and the path of its result, timing not judged."""
    stem = b.path("seed%d" % seed)
    result = stem + {"ice40": ".asc", "ecp5": ".config"}[b.family]
    argv = [b.tools.place] + b.entry["nextpnr"].split() + [
        "--freq", "%g" % (b.clock_hz / 1e6), "--seed", str(seed), "--json", netlist,
        "--report", stem + ".json", "--timing-allow-fail",
        "--asc" if b.family == "ice40" else "--textcfg", result]
    pins = fc.pins(b.entry)
    if pins:
        argv += ["--" + fc.FAMILY[b.family]["pins"], pins]
    fc.run(argv, stem + ".log", fc.PLACE_LIMIT_S)
    return fc.load_json(stem + ".json"), result


def core_clock(b, fmax):
    """The slowest of the clocks that are held to the board's clock."""
    target = b.clock_hz / 1e6
    held = [c for c in fmax.values() if abs(c["constraint"] - target) < 0.02 * target]
    if not held:
        raise fc.Failure("fpga: %s: no clock is held to %g MHz" % (b.entry["name"], target))
    return min(c["achieved"] for c in held)


def summary(b, raw, total, seed):
    """The report's keys, as documented."""
    used = raw["utilization"]
    have = fpga_check.AVAILABLE[b.entry["device"]]
    report = {"device": b.device, "config": b.entry["config"], "seed": seed,
              "tools": b.tools.versions()}
    for key in ("luts", "ffs", "brams", "dsps"):
        name = RESOURCES[b.family].get(key)
        report[key] = ({"used": used[name]["used"], "available": used[name]["available"]} if name
                       else {"used": total[key], "available": have[key]})
    report["fmax_mhz"] = round(core_clock(b, raw["fmax"]), 2)
    report["target_mhz"] = b.clock_hz / 1e6
    report["met"] = all(c["achieved"] >= c["constraint"] for c in raw["fmax"].values())
    report["build_id"] = "%08x" % b.build_id
    return report


def worst_paths(raw):
    """One line a pair of clocks: how long, how much of it is wire, from where to where."""
    lines = []
    for p in raw["critical_paths"]:
        delay = sum(s["delay"] for s in p["path"])
        wire = sum(s["delay"] for s in p["path"] if s["type"] == "routing")
        lines.append("  %.2f ns (%.2f in wires), %s to %s\n    from %s\n    to   %s"
                     % (delay, wire, p["from"], p["to"], p["path"][0]["from"]["cell"],
                        p["path"][-1]["to"]["cell"]))
    return "\n".join(lines)


def as_text(b, report, raw, blocks):
    lines = ["%s: %s, config %s, seed %d, build id %s"
             % (b.entry["name"], report["device"], report["config"], report["seed"],
                report["build_id"]),
             "tools: " + ", ".join("%(name)s %(version)s" % t for t in report["tools"])]
    for key in ("luts", "ffs", "brams", "dsps"):
        n = report[key]
        lines.append("  %-6s %6d of %6d (%d %%)" % (key, n["used"], n["available"],
                                                    100 * n["used"] // n["available"]))
    for name, c in sorted(raw["fmax"].items()):
        lines.append("  %s: %.2f MHz, needs %.2f: %s" % (
            name, c["achieved"], c["constraint"],
            "met" if c["achieved"] >= c["constraint"] else "MISSED"))
    return "\n".join(lines) + "\n\nlongest paths\n" + worst_paths(raw) + \
        "\n\nuse by block, before placement\n" + blocks


def build(args):
    b = Build(args)
    if b.is_done(args.seed) and not args.synth_only:
        print("fpga: %s is up to date (build id %08x, seed %d)"
              % (b.bitstream(), b.build_id, args.seed))
        return 0
    print("fpga: %s, %s, with %s" % (b.entry["name"], b.device, ", ".join(
        "%(name)s %(version)s" % t for t in b.tools.versions())), flush=True)
    if os.path.exists(b.bitstream()):
        os.remove(b.bitstream())   # what stands there is not of these inputs
    netlist, total, blocks = synthesise(b)
    if args.synth_only:
        return 0
    raw, result = place(b, netlist, args.seed)
    report = summary(b, raw, total, args.seed)
    fc.save_json(b.path("report.json"), report)
    text = as_text(b, report, raw, blocks)
    with open(b.path("report.txt"), "w") as f:
        f.write(text)
    print(text.split("\n\nuse by block")[0], flush=True)
    if not report["met"]:
        raise fc.Failure("fpga: %s misses its clock: %.2f MHz of %g (another SEED may meet it)"
                         % (b.entry["name"], report["fmax_mhz"], report["target_mhz"]))
    if "number" in b.entry:
        fc.run([b.tools.pack, result, b.bitstream()] if b.family == "ice40" else
               [b.tools.pack, "--input", result, "--bit", b.bitstream()],
               b.path("pack.log"), fc.SHORT_LIMIT_S)
        print("fpga: wrote %s" % b.bitstream())
    return 0


def arguments(parser):
    parser.add_argument("--board", required=True)
    parser.add_argument("--params", required=True, help="the ktpu-params program")
    parser.add_argument("--out", required=True)
    parser.add_argument("--venv", required=True, help="where the ECP5 tools are")
    parser.add_argument("--clock", type=float, help="MHz, where it is not the board's own")
    parser.add_argument("--rtl", nargs="+", required=True)
    parser.add_argument("include", nargs="*")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    arguments(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--synth-only", action="store_true", help="stop after the checks")
    return build(parser.parse_args())


if __name__ == "__main__":
    fc.main(main)
