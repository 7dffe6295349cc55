#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of the reference model beside its target.

usage: tools/bench_model.py --run build/bin/kr-bench [--write PAGE]
"""
import argparse
import json
import subprocess
import sys

import page_block

TARGET_MMAC = 200.0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="the kr-bench program")
    parser.add_argument("--write", help="page to put the table into")
    args = parser.parse_args()
    out = subprocess.run([args.run, "--json"], stdout=subprocess.PIPE, check=True).stdout
    result = json.loads(out)
    lines = ["| reference model, %s, one core | million MAC/s | target |" % result["shape"],
             "|---|---|---|"]
    slow = 0
    for name, rate in result["mmac_per_s"].items():
        good = rate >= TARGET_MMAC
        slow += not good
        lines.append("| %s | %.0f | >= %g %s |" % (name.replace("T", "T=", 1), rate, TARGET_MMAC,
                                                   "met" if good else "missed"))
    print("\n".join(lines))
    if args.write:
        page_block.replace(args.write, "model", "\n".join(lines))
    return 1 if slow or not result["mmac_per_s"] else 0


if __name__ == "__main__":
    sys.exit(main())
