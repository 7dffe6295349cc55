#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a trace of the MXFP7 machine (ktpu-run gemm --engine mxfp7 --trace) as an SVG, by gnuplot.

usage: tools/plot_mx.py TRACE.json OUT.svg TITLE
Three curves over the cycles of a run: the share of cycles in which the array begins a product, beats
read a cycle, beats written a cycle.
"""
import json
import os
import subprocess
import sys
import tempfile

SCRIPT = """set terminal svg size 900,420 font 'sans,11' background '#ffffff'
set output '%s'
set title '%s'
set xlabel 'cycles from go'
set ylabel 'share of cycles'
set yrange [0:1.05]
set key below
set style fill solid 0.5
plot '%s' using 1:2 with fillsteps lc rgb '#9ecae1' title 'array: a product of two entries begins', \\
     '' using 1:3 with steps lw 2 lc rgb '#d95f02' title 'memory: a beat is read', \\
     '' using 1:4 with steps lw 2 lc rgb '#1b9e77' title 'memory: a beat is written'
"""


def rows(events):
    """Cycle, share of steps, reads and writes in the interval that begins there."""
    arrays = {e["ts"]: e["args"] for e in events if e["name"] == "array"}
    memory = {e["ts"]: e["args"] for e in events if e["name"] == "memory"}
    for at in sorted(arrays):
        cycles = sum(arrays[at].values())
        if cycles:
            yield (at, arrays[at]["STEP"] / cycles, memory[at]["read beats"] / cycles,
                   memory[at]["write beats"] / cycles)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip())
    with open(sys.argv[1], encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    lines = ["%d %.4f %.4f %.4f" % row for row in rows(events)]
    if len(lines) < 2:
        sys.exit("plot_mx: %s holds no run of the MXFP7 machine" % sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        data, script = os.path.join(folder, "data"), os.path.join(folder, "script")
        with open(data, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        with open(script, "w", encoding="utf-8") as f:
            f.write(SCRIPT % (sys.argv[2], sys.argv[3], data))
        subprocess.run(["gnuplot", script], check=True)


if __name__ == "__main__":
    main()
