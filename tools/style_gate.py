#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Style gate: the house rules that a program can judge. Prints one line a breach, exits 1 on any.

usage: tools/style_gate.py [--rtl-list FILE...]   (the Verilog files that files.mk names)
"""
import argparse
import os
import re
import subprocess
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
SOURCES = {".c", ".h", ".cpp", ".hpp", ".v", ".vh", ".py", ".sh", ".mk", ".vlt", ".md", ".ys"}
NAMED = {"Makefile", ".gitignore", ".clang-format", "run"}
WIDTHS = {".v": 100, ".vh": 100, ".c": 120, ".h": 120, ".cpp": 120, ".hpp": 120}
LONGEST = {".v": 400, ".c": 900, ".h": 900, ".cpp": 900, ".py": 500, ".sh": 300}
LONGEST_BENCH = 900
# Longer for a reason.
LONGER = {
    "rtl/int8/ktpu_int8.v": 660,  # wires between the units and hardly a line of logic
    "rtl/top/ktpu_mx_top.v": 600,  # the same
    "rtl/cluster/ktpu_cluster.v": 420,  # the same
}


def repository_files():
    """All files of the working tree that are, or could be, committed."""
    if os.path.isdir(".git"):
        out = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], stdout=subprocess.PIPE)
        if out.returncode == 0:
            return sorted(f for f in out.stdout.decode().split("\0") if f and os.path.isfile(f))
    found = []
    for base, dirs, files in os.walk("."):
        dirs[:] = [d for d in dirs if d not in (".git", "build", "__pycache__")]
        found += [os.path.relpath(os.path.join(base, f)) for f in files]
    return sorted(found)


def is_source(path):
    return os.path.splitext(path)[1] in SOURCES or os.path.basename(path) in NAMED


def is_generated(path, lines):
    return "/generated/" in path or any("generated" in l.lower() and "do not edit" in l.lower()
                                        for l in lines[:5])


def check_text(path, lines, generated, say):
    ext = os.path.splitext(path)[1]
    if not any(SPDX in l for l in lines[:12]):
        say(path, 1, "no SPDX line near the top")
    tabs_allowed = ext == ".mk" or os.path.basename(path) == "Makefile"
    for n, line in enumerate(lines, 1):
        if "\t" in line and not tabs_allowed:
            say(path, n, "tab")
        if line != line.rstrip():
            say(path, n, "white space at the end of the line")
        if len(line) > WIDTHS.get(ext, len(line)) and not generated:
            say(path, n, "%d columns, %d allowed" % (len(line), WIDTHS[ext]))
        if re.search(r"\b(TODO|FIXME|XXX)\b", line) and not re.search(r"#\d+", line) \
                and path != "tools/style_gate.py" and ext != ".md":
            say(path, n, "TODO without an issue number")
    limit = LONGEST_BENCH if path.startswith("tests/rtl/") else LONGEST.get(ext)
    limit = LONGER.get(path, limit)
    if limit and len(lines) > limit and not generated:
        say(path, len(lines), "%d lines, %d allowed" % (len(lines), limit))


def check_verilog(path, lines, say):
    code = [re.sub(r"//.*", "", l) for l in lines]
    rtl = path.startswith("rtl/")
    directives = [l.strip() for l in code if "`default_nettype" in l]
    if directives[:1] != ["`default_nettype none"] or directives[-1:] != ["`default_nettype wire"]:
        say(path, 1, "`default_nettype none at the top and wire at the bottom are missing")
    modules = [m.group(1) for l in code for m in [re.match(r"\s*module\s+(\w+)", l)] if m]
    if rtl and modules != [os.path.splitext(os.path.basename(path))[0]]:
        say(path, 1, "one module a file, named like the file; found %s" % ", ".join(modules))
    for n, line in enumerate(code, 1):
        if "`timescale" in line:
            say(path, n, "`timescale")
        if rtl and re.search(r"\bcasex\b|[!=]==", line):
            say(path, n, "casex, === or !==")
        if rtl and re.search(r"verilator\s+lint_off", lines[n - 1]):
            say(path, n, "lint_off: waivers belong in lint/waivers.vlt, with a reason")


def check_rtl_list(listed, files, say):
    there = {f for f in files if f.startswith("rtl/") and f.endswith(".v")}
    for f in sorted(there - set(listed)):
        say(f, 1, "not in rtl/files.mk")
    for f in sorted(set(listed) - there):
        say("rtl/files.mk", 1, "names %s, which does not exist" % f)


def check_used(files, say):
    """Every module but the top and the passive checkers is instanced in rtl/, on a board, or in a
    bench of the MXFP7 engine, or is the top of one (then its files.mk names it)."""
    paths = [f for f in files if f.startswith("rtl/") and f.endswith(".v")]
    users = [f for f in files if f.startswith(("fpga/", "tests/mx/")) and f.endswith((".v", ".mk"))]
    text = {}
    for path in paths + users:
        with open(path, encoding="utf-8") as f:
            text[path] = re.sub(r"//.*", "", f.read())
    for path in paths:
        name = os.path.splitext(os.path.basename(path))[0]
        if name in ("ktpu_top", "ktpu_mx_top") or name.endswith("_chk"):
            continue
        if not any(re.search(r"\b%s\b" % name, t) for p, t in text.items() if p != path):
            say(path, 1, "nothing instances this module")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rtl-list", nargs="*", default=None)
    args = parser.parse_args()
    breaches = []

    def say(path, line, text):
        breaches.append("%s:%d: %s" % (path, line, text))

    files = repository_files()
    sources = [f for f in files if is_source(f)]
    for path in sources:
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        else:
            say(path, len(lines), "no newline at the end of the file")
        check_text(path, lines, is_generated(path, lines), say)
        if path.endswith(".v"):
            check_verilog(path, lines, say)
    if args.rtl_list is not None:
        check_rtl_list(args.rtl_list, files, say)
        check_used(files, say)
    print("\n".join(breaches + ["style: %d files, %d breaches" % (len(sources), len(breaches))]))
    return 1 if breaches or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
