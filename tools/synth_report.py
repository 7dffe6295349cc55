#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and speed of the smallest core on the iCE40UP5K: Yosys, then nextpnr on several seeds.

usage: tools/synth_report.py --params PROGRAM [--config ice40] [--define NAME]... [--seeds N]
                             [--out DIR] [--write PAGE] [--modules] --rtl FILE... -- INCLUDE...
Prints nextpnr's own figures against the limits, writes DIR/report.json and DIR/report.txt; exits 1
where a limit is broken. The core sits in fpga/harness (its ports do not fit the package); the same
harness round a stand-in without logic is placed too, and its cells are subtracted.

Yosys' `-dsp` is never given: version 0.23 then merges registers into SB_MAC16 wrongly. The RTL
instances the cell itself.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys

import fpga_common
import page_block

HARNESS = "fpga/harness/ktpu_harness.v"
STUB = "fpga/harness/ktpu_int8_stub.v"
LIMIT_LC, LIMIT_EBR, WANT_DSP, TARGET_MHZ = 3800, 24, 8, 28.0


def run(argv, log):
    """Runs argv, keeps its output in `log`; true if it succeeded."""
    with open(log, "w") as f:
        return subprocess.run(argv, stdout=f, stderr=subprocess.STDOUT).returncode == 0


def give_up(program, log):
    with open(log) as f:
        sys.stderr.write("".join(f.readlines()[-15:]))
    sys.exit("synth-report: %s failed, see %s" % (program, log))


def script(args, files, options, last):
    """Yosys commands that read the harness round `files` and map them to the iCE40."""
    settings = subprocess.run([args.params, "-f", "verilator", args.config], check=True,
                              stdout=subprocess.PIPE).stdout.decode()
    chparam = re.sub(r"-G(\w+)=", r"-set \1 ", settings.strip())
    defines = " ".join("-D" + d for d in args.define)
    return "; ".join(filter(None, [
        "read_verilog %s %s %s %s" % (defines, " ".join(args.include), HARNESS, " ".join(files)),
        "chparam %s ktpu_harness" % chparam,
        *fpga_common.synthesis("ice40", "ktpu_harness", options=options), last]))


def synthesise(args, name, files):
    """The netlist's path."""
    netlist = os.path.join(args.out, name + ".json")
    log = os.path.join(args.out, name + "-yosys.log")
    if not run(["yosys", "-p", script(args, files, "", "write_json " + netlist)], log):
        give_up("yosys", log)
    return netlist


def modules(args):
    """Cells of each module, mapped on its own: where the area is, not how much there is in all."""
    table = os.path.join(args.out, "modules.txt")
    log = os.path.join(args.out, "modules-yosys.log")
    last = "tee -o %s stat" % table
    if not run(["yosys", "-p", script(args, args.rtl, "-noflatten", last)], log):
        give_up("yosys", log)
    with open(table) as f:
        text = f.read()
    rows = []
    for m in re.finditer(r"=== (\S+) ===\n(.*?)(?=\n===|\Z)", text, re.S):
        def count(cell, body=m.group(2)):
            return sum(int(n) for n in re.findall(r"^\s+%s\s+(\d+)" % cell, body, re.M))
        name = re.sub(r"\$paramod(\$[0-9a-f]+)?\\([^\\]+).*", r"\2", m.group(1))
        rows.append((count("SB_LUT4"), count(r"SB_DFF\w*"), count("SB_CARRY"),
                     count(r"SB_RAM\w*"), name))
    lines = ["| module, one copy | LUT4 | flip-flops | carry | RAM |", "|---|---|---|---|---|"]
    for lut, ff, carry, ram, name in sorted(rows, reverse=True):
        lines.append("| %s | %d | %d | %d | %d |" % (name, lut, ff, carry, ram))
    return "\n".join(lines) + "\n"


def from_log(log):
    """Utilisation that nextpnr printed before it gave up, or None."""
    with open(log) as f:
        found = dict((m.group(1), {"used": int(m.group(2)), "available": int(m.group(3))})
                     for m in re.finditer(r"Info:\s+(\w+):\s+(\d+)/\s*(\d+)", f.read()))
    return found if "ICESTORM_LC" in found else None


def place(args, name, netlist, seed):
    """nextpnr on one seed; returns its own counts and Fmax."""
    stem = os.path.join(args.out, "%s-seed%d" % (name, seed))
    placed = run(["nextpnr-ice40", "--up5k", "--package", "sg48", "--freq", "%g" % TARGET_MHZ,
                  "--seed", str(seed), "--pcf-allow-unconstrained", "--timing-allow-fail",
                  "--json", netlist, "--report", stem + ".json", "--asc", stem + ".asc"],
                 stem + ".log")
    fmax = 0.0
    if placed:
        with open(stem + ".json") as f:
            report = json.load(f)
        used = report["utilization"]
        fmax = min(c["achieved"] for c in report["fmax"].values())
    else:
        used = from_log(stem + ".log")
        if used is None:
            give_up("nextpnr-ice40", stem + ".log")
    return {"seed": seed, "placed": placed,
            "luts": used["ICESTORM_LC"], "brams": used["ICESTORM_RAM"],
            "dsps": used["ICESTORM_DSP"], "fmax_mhz": round(fmax, 2)}


def version(argv, pattern):
    text = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
    found = re.search(pattern, text)
    return found.group(1) if found else "unknown"


def verdicts(rows, alone):
    """Which limits hold, each on the worst seed; the harness' own cells are taken off."""
    core_lc = max(r["luts"]["used"] for r in rows) - alone["luts"]["used"]
    return [
        ("ICESTORM_LC", core_lc, "<= %d" % LIMIT_LC, core_lc <= LIMIT_LC),
        ("EBR", max(r["brams"]["used"] for r in rows), "<= %d" % LIMIT_EBR,
         all(r["brams"]["used"] <= LIMIT_EBR for r in rows)),
        ("SB_MAC16", max(r["dsps"]["used"] for r in rows), "= %d" % WANT_DSP,
         all(r["dsps"]["used"] == WANT_DSP for r in rows)),
        ("Fmax, MHz", min(r["fmax_mhz"] for r in rows), ">= %g" % TARGET_MHZ,
         all(r["fmax_mhz"] >= TARGET_MHZ for r in rows)),
    ]


def as_text(report):
    out = ["int8 core, config %s, %s; %s" % (report["config"], report["device"],
                                              ", ".join(report["tools"])), "",
           "| seed | ICESTORM_LC with harness | less harness (%d) | EBR | SB_MAC16 | Fmax, MHz |"
           % report["harness"]["luts"]["used"], "|---|---|---|---|---|---|"]
    for r in report["runs"]:
        out.append("| %d | %d of %d | %d | %d of %d | %d of %d | %.2f |" % (
            r["seed"], r["luts"]["used"], r["luts"]["available"],
            r["luts"]["used"] - report["harness"]["luts"]["used"],
            r["brams"]["used"], r["brams"]["available"],
            r["dsps"]["used"], r["dsps"]["available"], r["fmax_mhz"]))
        if not r["placed"]:
            out[-1] += " does not fit"
    out += ["", "| worst seed | is | limit | |", "|---|---|---|---|"]
    for v in report["verdicts"]:
        out.append("| %s | %g | %s | %s |" % (v["what"], v["is"], v["limit"],
                                              "met" if v["met"] else "MISSED"))
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--params", required=True, help="the ktpu-params program")
    parser.add_argument("--config", default="ice40")
    parser.add_argument("--define", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--modules", action="store_true", help="cells of each module, and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", default="build/synth")
    parser.add_argument("--write", help="page to put the tables into")
    parser.add_argument("--rtl", nargs="+", required=True)
    parser.add_argument("include", nargs="*")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    if args.modules:
        print(modules(args), end="")
        return 0

    core = synthesise(args, "core", args.rtl)
    alone = synthesise(args, "harness", [STUB])
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(lambda s: place(args, "core", core, s), range(1, args.seeds + 1)))
    harness = place(args, "harness", alone, 1)
    report = {
        "device": "iCE40UP5K-SG48", "config": args.config, "target_mhz": TARGET_MHZ,
        "tools": ["yosys " + version(["yosys", "-V"], r"Yosys (\S+)"),
                  "nextpnr-ice40 " + version(["nextpnr-ice40", "--version"], r"Version ([^)]+)")],
        "runs": rows, "harness": harness,
        "verdicts": [dict(zip(("what", "is", "limit", "met"), v))
                     for v in verdicts(rows, harness)],
    }
    report["met"] = all(v["met"] for v in report["verdicts"])
    text = as_text(report)
    with open(os.path.join(args.out, "report.json"), "w") as f:
        json.dump(report, f, indent=1)
        f.write("\n")
    with open(os.path.join(args.out, "report.txt"), "w") as f:
        f.write(text)
    print(text, end="")
    if args.write:
        page_block.replace(args.write, "area", text)
    return 0 if report["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
