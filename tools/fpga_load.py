#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts a bitstream into the one board of its kind that is connected; never into another FTDI device.

usage: tools/fpga_load.py --board NAME --out DIR [--if-connected] [--serial S] [--cable NAME] [--sysfs DIR]
--if-connected: no board, or several, is not an error but a sentence (the end of `make fpga`).
iCEBreaker: iceprog, on the USB address of the device whose product string begins with iCEBreaker. ECP5 boards:
openFPGALoader, into the FPGA's own memory (the flash keeps what it has).
"""
import argparse
import glob
import os
import shutil
import subprocess

import fpga_common as fc

LOAD_LIMIT_S = 300
# openFPGALoader's names; an ECPIX-5 of revision R03 has another cable: CABLE=ft4232
LOADER_BOARD = {"ecp5-evn": "ecp5_evn", "ecp5-ft245": "ecp5_evn", "ecpix5": "ecpix5"}
# The product string of a board whose entry has none: what its bridge says from the factory.
LOADER_PRODUCT = {"ecp5-ft245": "Lattice ECP5", "ecpix5": None}


def usb_devices(sysfs):
    """Every USB device as a dict of its sysfs texts."""
    found = []
    for path in sorted(glob.glob(os.path.join(sysfs, "*"))):
        device = {}
        for key in ("idVendor", "idProduct", "product", "serial", "busnum", "devnum"):
            try:
                with open(os.path.join(path, key), errors="replace") as f:
                    device[key] = f.read().strip()
            except OSError:
                device[key] = ""
        if device["idVendor"] and device["busnum"] and device["devnum"]:
            found.append(device)
    return found


def describe(device):
    return "%s:%s \"%s\" serial \"%s\" at bus %s device %s" % (
        device["idVendor"], device["idProduct"], device["product"], device["serial"],
        device["busnum"], device["devnum"])


def matches(entry, device, serial):
    """True for a device that can only be this board; a bridge without a known name needs its serial."""
    ids = {int(entry[k], 16) for k in ("vid", "pid", "pid_other") if entry[k]}
    if int(device["idVendor"], 16) != int(entry["vid"], 16):
        return False
    if serial and device["serial"] != serial:
        return False
    name = entry["product"] or LOADER_PRODUCT.get(entry["name"])
    if name:
        return device["product"].startswith(name)
    return bool(serial) and int(device["idProduct"], 16) in ids


def command(entry, device, bitstream, cable):
    """The loader's argv for that one device."""
    bus, number = int(device["busnum"]), int(device["devnum"])
    if entry["family"] == "ice40":
        return ["iceprog", "-d", "d:%03d/%03d" % (bus, number), bitstream]
    which = ["-c", cable] if cable else ["-b", LOADER_BOARD[entry["name"]]]
    return ["openFPGALoader"] + which + ["--busdev-num", "%d:%d" % (bus, number), "-m", bitstream]


def load(args):
    entry = fc.board(args.board)
    if "number" not in entry:
        raise fc.Failure("fpga-load: %s is a core in a harness, not a board" % args.board)
    bitstream = os.path.join(args.out, "%s.%s" % (args.board, fc.FAMILY[entry["family"]]["ext"]))
    if not os.path.exists(bitstream):
        raise fc.Failure("fpga-load: there is no %s: make fpga BOARD=%s" % (bitstream, args.board))
    devices = usb_devices(args.sysfs)
    found = [d for d in devices if matches(entry, d, args.serial)]
    if len(found) != 1:
        others = [d for d in devices if d["idVendor"] == "0403" and d not in found]
        name = entry["product"] or LOADER_PRODUCT.get(args.board)
        text = ("fpga-load: %s %s is connected%s; nothing was loaded"
                % ("no" if not found else "more than one", args.board,
                   "" if found else " (looked for %s)" % (
                       "a product string that begins with \"%s\"" % name if name
                       else "the serial number given by SERIAL=: this board's bridge has no name of its own")))
        text += "".join("\nfpga-load:   %s" % describe(d) for d in found)
        text += "".join("\nfpga-load:   left alone: %s" % describe(d) for d in others)
        if len(found) > 1:
            text += "\nfpga-load: choose one with SERIAL="
        elif args.if_connected:
            text += "\nfpga-load: with the board connected: make fpga-load BOARD=%s" % args.board
        if args.if_connected:
            print(text)
            return 0
        raise fc.Failure(text)
    argv = command(entry, found[0], bitstream, args.cable)
    if shutil.which(argv[0]) is None:
        text = "fpga-load: %s is not installed; it would be called as: %s" % (argv[0], " ".join(argv))
        if args.if_connected:
            print(text)
            return 0
        raise fc.Failure(text)
    print("fpga-load: %s" % describe(found[0]))
    print("fpga-load: " + ("the flash of this board is overwritten (LOAD=0 prevents that)"
                           if entry["family"] == "ice40"
                           else "into the FPGA's memory, lost when it is switched off"), flush=True)
    try:
        status = subprocess.run(argv, timeout=LOAD_LIMIT_S, check=False).returncode
    except subprocess.TimeoutExpired:
        raise fc.Failure("fpga-load: %s was stopped after %d s" % (argv[0], LOAD_LIMIT_S)) from None
    if status != 0:
        raise fc.Failure("fpga-load: %s failed (status %d)" % (argv[0], status))
    print("fpga-load: done")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--if-connected", action="store_true")
    parser.add_argument("--serial", default="")
    parser.add_argument("--cable", default="", help="openFPGALoader's cable, where the board's is another")
    parser.add_argument("--sysfs", default="/sys/bus/usb/devices")
    return load(parser.parse_args())


if __name__ == "__main__":
    fc.main(main)
