#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs GEMMs on a board's netlist through the link; results equal the model's, cycles the RTL's.

usage: tests/netlist/run_netlist.py --board NAME --run KTPU_RUN --netlist DIR [--rtl DIR] [--test PROGRAM]
                                    [--noticed]
DIR/<board>/libusb-1.0.so.0 is a virtual board. --test runs those tests of the RTL's virtual board that
are named below on the netlist as well. --noticed turns the verdict round: something must differ. Exit 1
where the verdict is bad.
"""
import argparse
import os
import re
import subprocess
import sys

# Shapes, the least share of the peak that the first one must reach as int8 from the register
# descriptor, tests of tests/board/test_board.c.
BOARDS = {
    "icebreaker": {"shapes": ["16x16x16", "1x1x1", "5x7x11", "20x17x33"], "peak": 70.0,
                   "tests": ["echo_over_the_uart"]},
    "ecp5-ft245": {"shapes": ["16x16x16", "1x1x1"], "peak": 0.0,
                   "tests": []},
}
CYCLES = re.compile(r"^(int\S.*?)\s+(\d+) cycles\s+([0-9.]+) % of peak", re.M)
COMPARED = re.compile(r"^compared\s+(\d+) elements, (\d+) differ", re.M)
RUN_LIMIT_S, TEST_LIMIT_S = 2400, 2400


def run(program, folder, board, shape):
    """(status, output, [(form, cycles, share)], elements compared) of one shape on one virtual board."""
    try:
        done = subprocess.run([program, "gemm", "--shape", shape, "--device", "ftdi:virtual-" + board,
                               "--compare"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=RUN_LIMIT_S, check=False,
                              env=dict(os.environ, KTPU_BOARD_DIR=os.path.abspath(folder)))
        status, text = done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        status, text = -1, "stopped after %d s\n" % RUN_LIMIT_S
    forms = [(m.group(1), int(m.group(2)), float(m.group(3))) for m in CYCLES.finditer(text)]
    compared = COMPARED.search(text)
    return status, text, forms, int(compared.group(1)) if compared else 0


def judge(shape, gates, rtl, least):
    """Every reason why this shape is not as it must be."""
    status, _, forms, compared = gates
    bad = []
    if status != 0:
        bad.append("not equal to the reference model (exit code %d)" % status)
    if status == 0 and (not forms or not compared):
        bad.append("nothing was compared")
    if rtl is not None and [f[:2] for f in forms] != [f[:2] for f in rtl[2]]:
        bad.append("cycles differ from the RTL's")
    if rtl is not None and rtl[0] != 0:
        bad.append("the RTL itself is not equal (exit code %d)" % rtl[0])
    if forms and forms[0][2] < least:
        bad.append("%s at %.2f %% of the peak, %.0f wanted" % (forms[0][0], forms[0][2], least))
    return ["%s: %s" % (shape, b) for b in bad]


def show(shape, gates, rtl):
    of_rtl = dict(f[:2] for f in rtl[2]) if rtl is not None else {}
    verdict = "equal" if gates[0] == 0 else "DIFFERS"
    for form, cycles, share in gates[2]:
        print("%-10s %-12s %8d %8s %8.2f %%  %s" % (shape, form, cycles, of_rtl.get(form, "-"), share,
                                                 verdict))
    if not gates[2]:
        print("%-10s %s" % (shape, verdict))


def shapes(args):
    plan, bad = BOARDS[args.board], []
    print("%s: netlist through the link, from random registers and memories\n"
          "%-10s %-12s %8s %8s %10s" % (args.board, "shape", "result", "netlist", "RTL", "of peak"))
    for i, shape in enumerate(plan["shapes"]):
        gates = run(args.run, args.netlist, args.board, shape)
        rtl = run(args.run, args.rtl, args.board, shape) if args.rtl else None
        show(shape, gates, rtl)
        found = judge(shape, gates, rtl, plan["peak"] if i == 0 else 0.0)
        bad += found
        if found and args.noticed:
            break
        if found:
            sys.stderr.write("".join("  | %s\n" % l for l in gates[1].splitlines()[-12:]))
        sys.stdout.flush()
    return bad


def board_tests(args):
    """The tests of the RTL's virtual board, on the netlist."""
    bad = []
    for name in BOARDS[args.board]["tests"]:
        env = dict(os.environ, KTPU_BOARD_DIR=os.path.abspath(args.netlist))
        done = subprocess.run([args.test, "--filter", "board/" + name], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TEST_LIMIT_S, check=False, env=env)
        text = done.stdout.decode(errors="replace")
        good = done.returncode == 0 and "Tested: 1 | Passing: 1" in re.sub(r"\x1b\[[0-9;]*m", "", text)
        print("%-44s %s" % (name, "passed" if good else "FAILED"), flush=True)
        if not good:
            sys.stderr.write(text)
            bad.append("%s fails" % name)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", required=True, choices=sorted(BOARDS))
    parser.add_argument("--run", required=True)
    parser.add_argument("--netlist", required=True)
    parser.add_argument("--rtl")
    parser.add_argument("--test")
    parser.add_argument("--noticed", action="store_true")
    args = parser.parse_args()
    bad = shapes(args)
    if args.test and not args.noticed:
        bad += board_tests(args)
    for line in bad:
        print("netlist: " + line)
    if args.noticed:
        print("netlist: the change was %s" % ("noticed" if bad else "NOT noticed"))
        return 0 if bad else 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
