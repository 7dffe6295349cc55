#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the tests notice a fault in the Verilog? Breaks it in one place at a time and looks.

usage: tools/mutate_rtl.py [--seed N] [--count N] [--jobs N] [--out DIR] [--list]
                           --step COMMAND [--step COMMAND]... FILE...

Each mutant is one change to one expression: an operator, a constant off by one, a condition negated, a
term or an assignment dropped. A seed draws them, at least one from every file. Each is put into a copy
of the source tree and the steps run there in turn; it is caught when a step fails or takes too long.
Survivors are listed with their lines. Exits 1 below 90 %. Results: DIR/mutate.json.

Not touched: comments, declarations of widths and parameters, indices, checks (KTPU_CHECK) and the
parameter errors, since none of them is arithmetic or control; nor the value that a reset gives, which
may be any where another bit says that it means nothing (a reset left out is a mutant, though); nor
what lint/equivalent-mutants.txt lists, each with the reason why it changes nothing.
"""
import argparse
import concurrent.futures
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import time

THRESHOLD = 0.90
EQUIVALENT = "lint/equivalent-mutants.txt"
LEAVE = (".git", "build")
SKIP_LINE = re.compile(r"^\s*(`|input\b|output\b|inout\b|parameter\b|localparam\b|genvar\b|integer\b|"
                       r"module\b|endmodule\b|generate\b|endgenerate\b|function\b|\.\w+\s*\()|"
                       r"ktpu_param_error|begin : g_|KTPU_CHECK|\bfor\s*\(|\$clog2")
SWAPS = [("&&", "||"), ("||", "&&"), ("==", "!="), ("!=", "=="), (">=", ">"), (">", ">="),
         ("<", "<="), ("+", "-"), ("-", "+"), ("&", "|"), ("|", "&"), ("^", "|")]
OPERATOR = re.compile(r"(?<=[\w)\]}] )(&&|\|\||==|!=|>=|<=|>>>|>>|<<|[<>+\-&|^])(?= [\w({$!~`\-])")
CONSTANT = re.compile(r"\b(\d+)'([bdh])([0-9a-fA-F]+)\b")
CONDITION = re.compile(r"\b(if|while) \(")
ASSIGNMENT = re.compile(r"^(\s*)((?:if \([^;]*\) )?)([\w.]+(?:\[[^\]]*\])*) <= ([^;]*);\s*$")
TERM = re.compile(r" (?:&&|\|\||[+|&^]) !?~?\w+(?:\[[^\]]*\])?(?=[;)\s:?,}])(?! [=!<>])")


def bracket_spans(text):
    """Spans inside [...] : indices and ranges."""
    spans, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c == "[":
            start = i if depth == 0 else start
            depth += 1
        elif c == "]" and depth:
            depth -= 1
            if depth == 0:
                spans.append((start, i + 1))
    return spans


def closing(text, at):
    """Index of the parenthesis that closes the one at `at`, or -1."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


def off_by_one(match, up):
    width, base, digits = int(match.group(1)), match.group(2), match.group(3)
    radix = {"b": 2, "d": 10, "h": 16}[base]
    value = (int(digits, radix) + (1 if up else -1)) % (1 << width)
    text = {"b": bin(value)[2:].zfill(len(digits)), "d": str(value), "h": "%x" % value}[base]
    return "%d'%s%s" % (width, base, text)


def line_mutants(line):
    """(kind, new line) of every change that this line allows."""
    code = line.split("//")[0]
    if SKIP_LINE.search(code) or not code.strip():
        return
    declared = re.match(r"^\s*(wire|reg)\b", code)
    if declared and "=" not in code:
        return
    spans = bracket_spans(code)
    first = code.index("=") if declared else 0

    def free(at):
        return at >= first and not any(a <= at < b for a, b in spans)

    statement = ASSIGNMENT.match(code)
    nonblocking = statement.start(4) - 3 if statement else -1
    for m in OPERATOR.finditer(code):
        if not free(m.start()) or (m.group(1) == "<=" and is_assignment(code, m.start())):
            continue
        for old, new in SWAPS + [("<=", "<"), ("<<", ">>"), (">>", "<<"), (">>>", ">>")]:
            if m.group(1) == old and m.start() != nonblocking:
                yield "operator %s -> %s" % (old, new), code[:m.start()] + new + code[m.end():]
    for m in CONSTANT.finditer(code):
        if free(m.start()):
            for up in ((True,) if m.group(1) == "1" else (True, False)):
                yield "constant", code[:m.start()] + off_by_one(m, up) + code[m.end():]
    for m in CONDITION.finditer(code):
        end = closing(code, m.end() - 1)
        if end > 0:
            yield ("condition negated",
                   code[:m.end()] + "!(" + code[m.end():end] + ")" + code[end:])
    for m in TERM.finditer(code):
        if free(m.start()):
            yield "term dropped", code[:m.start()] + code[m.end():]
    if statement:
        yield "assignment dropped", "%s%s;" % (statement.group(1), statement.group(2))


def is_assignment(code, at):
    """A <= outside all parentheses, with only a target before it, assigns."""
    before = code[:at]
    before = re.sub(r"^\s*(?:\w+'?\w*\s*:|default\s*:|begin|else)?\s*", "", before)
    while True:
        m = re.match(r"\s*(?:else\s+)?if \(", before)
        if not m:
            break
        end = closing(before, m.end() - 1)
        if end < 0:
            return False
        before = before[end + 1:]
    return before.count("(") == before.count(")") and not re.search(r"=|\?|:", before)


def file_mutants(path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    found = []
    in_check = False
    reset_indent = None
    for n, line in enumerate(lines):
        opened = re.match(r"(\s*)if \([^;]*\brst_i\b[^;]*\)(.*)", line)
        if opened and opened.group(2).rstrip().endswith("begin"):
            reset_indent = opened.group(1)
        in_reset = bool(opened) or reset_indent is not None
        if reset_indent is not None and re.match(reset_indent + r"end\b", line):
            reset_indent = None
        in_check = in_check or "ifndef SYNTHESIS" in line or "ifdef FORMAL" in line
        if not in_check:
            for kind, new in line_mutants(line):
                if kind == "constant" and in_reset:
                    continue
                if new.rstrip() != line.split("//")[0].rstrip():
                    found.append({"file": path, "line": n + 1, "kind": kind,
                                  "old": line.strip(), "new": new.strip(), "text": new})
        in_check = in_check and "`endif" not in line
    return found


def equivalents():
    """(file, changed line) of changes that are known to change nothing."""
    with open(EQUIVALENT, encoding="utf-8") as f:
        lines = [l.split("|", 1) for l in f if "|" in l and not l.startswith("#")]
    return {(path.strip(), " ".join(text.split())) for path, text in lines}


def draw(files, seed, count):
    """At least one mutant a file, the rest by the number of places; no place twice."""
    rng = random.Random(seed)
    known = equivalents()
    pools = {f: [m for m in file_mutants(f) if (f, " ".join(m["new"].split())) not in known]
             for f in files}
    chosen = []
    for path, pool in pools.items():
        if not pool:
            print("no place to change in %s" % path)
            continue
        chosen.append(pool.pop(rng.randrange(len(pool))))
    rest = [m for pool in pools.values() for m in pool]
    rng.shuffle(rest)
    return chosen + rest[:max(0, count - len(chosen))], len(rest) + len(chosen)


class Tree:
    """A copy of the source tree in which one mutant at a time is tried."""

    def __init__(self, path):
        self.path = path
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(".", path, symlinks=True,
                        ignore=lambda d, names: [x for x in names if d == "." and x in LEAVE])
        if os.path.isdir("build"):
            shutil.copytree("build", os.path.join(path, "build"), symlinks=True,
                            ignore=shutil.ignore_patterns("mutate*", "synth", "sanitize"))

    def write(self, mutant, text):
        path = os.path.join(self.path, mutant["file"])
        with open(path, "r", encoding="utf-8") as f:
            lines = f.read().split("\n")
        lines[mutant["line"] - 1] = text
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        now = time.time()
        os.utime(path, (now, now))

    def run(self, command, limit_s):
        """None if the command passes, else why it did not."""
        env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS")}
        with open(os.path.join(self.path, "mutant.log"), "ab") as log:
            child = subprocess.Popen(command, shell=True, cwd=self.path, env=env, stdout=log,
                                     stderr=subprocess.STDOUT, start_new_session=True)
            try:
                return None if child.wait(limit_s) == 0 else "failed"
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                return "took too long"


def attempt(trees, mutant, steps, limit_s):
    tree = trees.get()
    try:
        with open(os.path.join(tree.path, mutant["file"]), encoding="utf-8") as f:
            original = f.read().split("\n")[mutant["line"] - 1]
        tree.write(mutant, mutant["text"])
        start = time.monotonic()
        verdict, by = "survived", ""
        for step in steps:
            why = tree.run(step, limit_s)
            if why:
                verdict, by = "caught", "%s: %s" % (step, why)
                break
        tree.write(mutant, original)
        mutant.update(verdict=verdict, by=by, seconds=round(time.monotonic() - start, 1))
        print("%-8s %s:%d %s (%.0f s)%s" % (verdict, mutant["file"], mutant["line"], mutant["kind"],
                                          mutant["seconds"], " by " + by if by else ""), flush=True)
        return mutant
    finally:
        trees.put(tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=600, help="seconds for one step")
    parser.add_argument("--out", default="build/mutate")
    parser.add_argument("--list", action="store_true", help="print the sample and stop")
    parser.add_argument("--step", action="append", default=[])
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    mutants, places = draw(sorted(args.files), args.seed, args.count)
    print("seed %d: %d mutants of %d possible, in %d files"
          % (args.seed, len(mutants), places, len(args.files)), flush=True)
    if args.list:
        for m in mutants:
            print("%s:%d %s\n  - %s\n  + %s" % (m["file"], m["line"], m["kind"], m["old"], m["new"]))
        return 0

    trees = queue.Queue()
    for i in range(args.jobs):
        trees.put(Tree(os.path.abspath(os.path.join(args.out, "tree%d" % i))))
    first = trees.get()
    for step in args.step:
        why = first.run(step, args.limit * 3)
        if why:
            sys.exit("mutate: without any mutant, %s: %s (log: %s/mutant.log)"
                     % (step, why, first.path))
    trees.put(first)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda m: attempt(trees, m, args.step, args.limit), mutants))

    survivors = [m for m in results if m["verdict"] == "survived"]
    score = 1 - len(survivors) / len(results)
    for m in survivors:
        print("survived %s:%d %s\n  - %s\n  + %s"
              % (m["file"], m["line"], m["kind"], m["old"], m["new"]))
    with open(os.path.join(args.out, "mutate.json"), "w") as f:
        json.dump({"seed": args.seed, "mutants": len(results), "score": score,
                   "results": results}, f, indent=1)
        f.write("\n")
    print("seed %d: %d of %d mutants caught, %.1f %% (90 %% wanted)"
          % (args.seed, len(results) - len(survivors), len(results), 100 * score))
    return 0 if score >= THRESHOLD else 1


if __name__ == "__main__":
    sys.exit(main())
