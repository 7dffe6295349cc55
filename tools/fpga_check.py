# SPDX-License-Identifier: Apache-2.0
"""Reads a synthesised netlist: what it uses, where, and whether that is what the plan says.

Everything here runs before placement, so that a memory that became flip-flops is found in a minute.
"""
import re

CELLS = {
    "ice40": {"luts": {"SB_LUT4": 1}, "ffs": r"SB_DFF", "carry": {"SB_CARRY": 1},
              "brams": r"SB_RAM40_4K", "dsps": r"SB_MAC16", "spram": r"SB_SPRAM256KA"},
    # a carry cell holds two LUTs, a distributed RAM four and two more for its addresses
    "ecp5": {"luts": {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}, "ffs": r"TRELLIS_FF",
             "carry": {"CCU2C": 1}, "brams": r"DP16KD", "dsps": r"MULT18X18D|ALU54B", "spram": None},
}
AVAILABLE = {
    "up5k": {"luts": 5280, "ffs": 5280, "brams": 30, "dsps": 8, "spram": 4},
    "85k": {"luts": 83640, "ffs": 83640, "brams": 208, "dsps": 156, "spram": 0},
    "um5g-85k": {"luts": 83640, "ffs": 83640, "brams": 208, "dsps": 156, "spram": 0},
}
# Where the plan gives no other: bits of one memory that may end in flip-flops or in LUTs.
FF_BITS, LUT_BITS = 1024, 4096
BLOCK_DEPTH = 2
SHOWN_BLOCKS = 24


def empty():
    return {"luts": 0, "ffs": 0, "brams": 0, "dsps": 0, "spram": 0}


def kind(cell_type, family):
    """(what the cell counts as, how much) or None."""
    table = CELLS[family]
    if cell_type in table["luts"]:
        return "luts", table["luts"][cell_type]
    for what in ("ffs", "brams", "dsps", "spram"):
        if table[what] and re.match(table[what], cell_type):
            return what, 1
    return None


def usage(cells, family):
    """(sums, sums by block): a block is the first instances on the path in a cell's name.

    Flip-flops, memories and multipliers belong to their block for certain; a LUT is named after a net
    near it, and one that serves two blocks is counted in one of them."""
    total, blocks = empty(), {}
    for name, cell in cells.items():
        counted = kind(cell["type"], family)
        if counted is None:
            continue
        path = [p for p in name.split(".")[:-1] if not p.startswith("$")]
        block = ".".join(path[:BLOCK_DEPTH]) or "(top)"
        what, n = counted
        total[what] += n
        blocks.setdefault(block, empty())[what] += n
    return total, blocks


def table(total, blocks, device):
    """Text: use by block against the device."""
    have = AVAILABLE[device]
    columns = [c for c in ("luts", "ffs", "brams", "dsps", "spram") if have[c]]
    line = "  %-32s" + " %8s" * len(columns)
    out = [line % (("block",) + tuple(columns))]
    ranked = sorted(blocks.items(), key=lambda b: (-b[1]["luts"] - b[1]["ffs"], b[0]))
    rest = empty()
    for i, (name, use) in enumerate(ranked):
        if i < SHOWN_BLOCKS or use["brams"] or use["dsps"] or use["spram"]:
            out.append(line % ((name[:32],) + tuple(use[c] or "-" for c in columns)))
        else:
            rest = {c: rest[c] + use[c] for c in rest}
    if any(rest.values()):
        out.append(line % (("all other blocks",) + tuple(rest[c] or "-" for c in columns)))
    out.append(line % (("all",) + tuple(total[c] for c in columns)))
    out.append(line % (("the device has",) + tuple(have[c] for c in columns)))
    return "\n".join(out) + "\n"


def memories(dump, log):
    """[(name, bits, what it became)] from the list of memories before mapping and yosys' log."""
    size = {}
    for body in re.findall(r"cell \$mem_v2 (.*?)\n\s*end\n", dump + "\n", re.S):
        value = dict(re.findall(r"parameter \\(SIZE|WIDTH) (\d+)\s*$", body, re.M))
        name = re.search(r'parameter \\MEMID "\\\\?([^"]+)"', body)
        if name and len(value) == 2:
            size[name.group(1)] = int(value["SIZE"]) * int(value["WIDTH"])
    found = []
    for m in re.finditer(r"^(?:mapping memory (\S+) via (\S+)|using FF mapping for memory (\S+))$",
                         log, re.M):
        path, became = m.group(1) or m.group(3), m.group(2) or "flip-flops"
        name = path.split(".", 1)[1].replace("\\", "") if "." in path else path
        found.append((name, size.get(name), became.strip("$_")))
    return found


def memory_faults(found, plan):
    """Memories that missed their block RAM."""
    faults = []
    excused = plan.get("in_logic", {})
    for name, bits, became in found:
        limit = {"flip-flops": FF_BITS}.get(became, LUT_BITS if "DPR16X4" in became else None)
        if limit is None or name in excused:
            continue
        if bits is None:
            faults.append("memory %s became %s and its size is not known" % (name, became))
        elif bits > limit:
            faults.append("memory %s (%d bits) missed its block RAM: it became %s"
                          % (name, bits, became))
    if not found:
        faults.append("no memory was found in yosys' log")
    return faults


def reset_faults(cells):
    """A DP16KD whose output reset is driven by logic: the cell does not do what yosys means by it."""
    faults = []
    for name, cell in sorted(cells.items()):
        if cell["type"] != "DP16KD":
            continue
        for port in ("RSTA", "RSTB"):
            bits = cell["connections"].get(port, [])
            if any(b not in ("0", "x", "z") for b in bits):
                faults.append("%s of block RAM %s is driven by logic" % (port, name))
    return faults


def multiplier_faults(cells):
    """A pin of a multiplier's register that is left open: nextpnr leaves it so, and the part reads a 1."""
    faults = []
    for name, cell in sorted(cells.items()):
        values = cell.get("parameters", {}) if cell["type"] == "MULT18X18D" else {}
        on = [r for r in ("INPUTA", "INPUTB", "PIPELINE", "OUTPUT")
              if values.get("REG_%s_CLK" % r, "NONE") != "NONE"]
        pins = {values["REG_%s_CLK" % r] for r in on}
        for reg in on:
            pins |= {values.get("REG_%s_CE" % reg, "CE0"), values.get("REG_%s_RST" % reg, "RST0")}
        for pin in sorted(pins):
            if not [b for b in cell["connections"].get(pin, []) if b not in ("x", "z")]:
                faults.append("%s of multiplier %s is open" % (pin, name))
    return faults


def latch_faults(cells):
    """Latches left after synthesis: cells, or a LUT that feeds itself."""
    faults = []
    for name, cell in sorted(cells.items()):
        into = {b for p, bits in cell["connections"].items() if p not in ("O", "Z") for b in bits}
        out = {b for p in ("O", "Z") for b in cell["connections"].get(p, [])}
        if "LATCH" in cell["type"].upper() or \
           (cell["type"] in ("LUT4", "SB_LUT4") and any(b in into for b in out)):
            faults.append("%s is a latch" % name)
    return faults


def plan_faults(total, plan):
    """Counts off the plan."""
    faults = []
    for what, said in (("brams", "block RAMs"), ("dsps", "DSPs"), ("spram", "SPRAMs")):
        if total[what] != plan.get(what, 0):
            faults.append("%d %s, and the plan says %d" % (total[what], said, plan.get(what, 0)))
    for what, limit in (("luts", plan.get("max_luts")), ("ffs", plan.get("max_ffs"))):
        if limit is not None and total[what] > limit:
            faults.append("%d %s, and the plan allows %d" % (total[what], what, limit))
    return faults


def faults(cells, family, dump, log, plan):
    """Every reason not to place this netlist."""
    total, _ = usage(cells, family)
    return (memory_faults(memories(dump, log), plan) + plan_faults(total, plan)
            + reset_faults(cells) + multiplier_faults(cells) + latch_faults(cells))
