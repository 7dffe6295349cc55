#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the tests notice a fault in the Verilog? Breaks it in one place at a time and looks.

usage: tools/mutate_rtl.py [--seed N] [--count N] [--jobs N] [--out DIR] [--list] [--again FILE] [--planted FILE]
                           [--first REGEX=COMMAND]... --step COMMAND [--step COMMAND]... FILE...

Each mutant is one change to one expression: an operator, a constant off by one, a condition negated, a
term or an assignment dropped. A seed draws them, at least one from every file. Each is put into a copy
of the source tree and the steps run there in turn; it is caught when a step fails or takes too long.
Survivors are listed with their lines. Exits 1 below 90 %. Results: DIR/mutate.json.

The copy is built and passes all steps before the first mutant, and is put back to that state, times of
files included, after each: a mutant costs what make has to do again for one changed file. A step whose
programs come out the same does nothing. --first names the step that a file's mutants meet before the
others; --again FILE tries only what survived in the results of an earlier run, --planted FILE the
changes that a file names (lint/removed-checks.txt shows how): of those none may survive.

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
import threading
import time

THRESHOLD = 0.90
EQUIVALENT = "lint/equivalent-mutants.txt"
NOT_PASSED = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "KTPU_SIM_DIR", "SEED")
LEAVE = (".git", "build")
SKIP_LINE = re.compile(r"^\s*(`|input\b|output\b|inout\b|parameter\b|localparam\b|genvar\b|integer\b|"
                       r"module\b|endmodule\b|generate\b|endgenerate\b|function\b|\.\w+\s*\(|wire\s+unused)|"
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


def unchanged(a, b):
    """Same kind, size and time (and thus, between a tree and its copy, the same contents)."""
    x, y = a.stat(follow_symlinks=False), b.stat(follow_symlinks=False)
    return (x.st_mode, x.st_size, x.st_mtime_ns) == (y.st_mode, y.st_size, y.st_mtime_ns)


def restore(base, tree):
    """Makes tree what base is; files that did not change are left alone."""
    have = {e.name: e for e in os.scandir(tree)}
    for entry in os.scandir(base):
        target = os.path.join(tree, entry.name)
        there = have.pop(entry.name, None)
        if entry.is_dir(follow_symlinks=False):
            if there:
                restore(entry.path, target)
            else:
                shutil.copytree(entry.path, target, symlinks=True)
        elif not there or not unchanged(entry, there):
            shutil.copy2(entry.path, target + ".new", follow_symlinks=False)
            os.replace(target + ".new", target)  # a simulator may still be running
    for entry in have.values():
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


class Tree:
    """A copy of the source tree in which one mutant at a time is tried."""

    def __init__(self, path):
        self.path, self.base = path, path + ".base"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(".", path, symlinks=True,
                        ignore=lambda d, names: [x for x in names if d == "." and x in LEAVE])
        if os.path.isdir("build"):
            shutil.copytree("build", os.path.join(path, "build"), symlinks=True,
                            ignore=shutil.ignore_patterns("mutate*", "synth", "sanitize", "fpga"))

    def keep(self):
        """From here on, back() returns to the present state."""
        shutil.rmtree(self.base, ignore_errors=True)
        shutil.copytree(self.path, self.base, symlinks=True)

    def back(self):
        restore(self.base, self.path)

    def write(self, mutant):
        path = os.path.join(self.path, mutant["file"])
        with open(path, "r", encoding="utf-8") as f:
            lines = f.read().split("\n")
        lines[mutant["line"] - 1] = mutant["text"]
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))

    def run(self, command, limit_s):
        """None if the command passes, else why it did not."""
        env = {k: v for k, v in os.environ.items() if k not in NOT_PASSED}
        with open(self.path + ".log", "ab") as log:
            child = subprocess.Popen(command, shell=True, cwd=self.path, env=env, stdout=log,
                                     stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                     start_new_session=True)
            try:
                return None if child.wait(limit_s) == 0 else "failed"
            except subprocess.TimeoutExpired:
                return "took too long"
            finally:
                end_group(child)


def end_group(child):
    """Ends what a step leaves running."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def make_trees(out, jobs, steps, limit_s):
    """Copies that pass every step."""
    trees = []
    for i in range(jobs):
        tree = Tree(os.path.abspath(os.path.join(out, "tree%d" % i)))
        for step in steps:
            start = time.monotonic()
            why = tree.run(step, limit_s * 5)
            if why:
                sys.exit("mutate: with nothing changed, %s: %s (log: %s.log)" % (step, why, tree.path))
            print("tree %d, nothing changed: %s passes (%.0f s)"
                  % (i, step, time.monotonic() - start), flush=True)
        tree.keep()
        trees.append(tree)
    return trees


class Campaign:
    """Trees, steps, and what was seen so far."""

    def __init__(self, trees, steps, first, limit_s, total):
        self.trees = queue.Queue()
        for tree in trees:
            self.trees.put(tree)
        self.steps, self.first, self.limit_s, self.total = steps, first, limit_s, total
        self.lock = threading.Lock()
        self.done = self.survived = 0

    def steps_of(self, mutant):
        """The step that suits its file, then the others."""
        for pattern, step in self.first:
            if re.search(pattern, mutant["file"]):
                return [step] + [s for s in self.steps if s != step]
        return self.steps

    def put(self, tree, mutant):
        tree.write(mutant)

    def title(self, mutant):
        return title(mutant)

    def attempt(self, mutant):
        tree = self.trees.get()
        try:
            start = time.monotonic()
            self.put(tree, mutant)
            mutant.update(verdict="survived", by="")
            for step in self.steps_of(mutant):
                why = tree.run(step, self.limit_s)
                if why:
                    mutant.update(verdict="caught", by="%s: %s" % (step, why))
                    break
            tree.back()
            mutant["seconds"] = round(time.monotonic() - start, 1)
            self.say(mutant)
            return mutant
        finally:
            self.trees.put(tree)

    def say(self, mutant):
        with self.lock:
            self.done += 1
            self.survived += mutant["verdict"] == "survived"
            print("%d/%d, %d survived: %-8s %s (%.0f s)%s"
                  % (self.done, self.total, self.survived, mutant["verdict"],
                     self.title(mutant), mutant["seconds"], " by " + mutant["by"] if mutant["by"] else ""), flush=True)


def title(mutant):
    return "%s:%d %s" % (mutant["file"], mutant["line"], mutant["kind"])


def again(mutants, path):
    """Of all possible mutants, those that survived in an earlier run's results."""
    with open(path, encoding="utf-8") as f:
        wanted = {(m["file"], m["new"]) for m in json.load(f)["results"]
                  if m["verdict"] == "survived"}
    return [m for m in mutants if (m["file"], m["new"]) in wanted]


def planted(path):
    """The changes of a file: blocks of a path, "- " and the line, "+ " and what takes its place."""
    mutants = []
    with open(path, encoding="utf-8") as f:
        words = [l.strip() for l in f if l.strip() and not l.startswith("#")]
    for source, old, new in zip(words[0::3], words[1::3], words[2::3]):
        with open(source, encoding="utf-8") as f:
            at = [i for i, l in enumerate(f) if l.strip() == old[2:]]
        if len(at) != 1 or old[:2] != "- " or new[:2] != "+ ":
            sys.exit("mutate: %s: %d lines of %s are: %s" % (path, len(at), source, old[2:]))
        mutants.append({"file": source, "line": at[0] + 1, "kind": "check removed", "old": old[2:],
                        "new": new[2:], "text": new[2:]})
    return mutants


def sample(args):
    """The mutants to try, and a line about them."""
    files = sorted(args.files)
    if args.planted:
        mutants = planted(args.planted)
        return mutants, "%d changes of %s" % (len(mutants), args.planted)
    if args.again:
        mutants = again([m for f in files for m in file_mutants(f)], args.again)
        return mutants, "%d mutants that survived in %s" % (len(mutants), args.again)
    mutants, places = draw(files, args.seed, args.count)
    return mutants, ("seed %d: %d mutants of %d possible, in %d files"
                     % (args.seed, len(mutants), places, len(files)))


def report(results, seed, out, threshold):
    """Survivors, score and results; the exit status."""
    survivors = [m for m in results if m["verdict"] == "survived"]
    score = 1 - len(survivors) / len(results)
    for m in survivors:
        print("survived %s\n  - %s\n  + %s" % (title(m), m["old"], m["new"]))
    with open(os.path.join(out, "mutate.json"), "w", encoding="utf-8") as f:
        json.dump({"seed": seed, "mutants": len(results), "score": score, "results": results}, f,
                  indent=1)
        f.write("\n")
    print("seed %d: %d of %d mutants caught, %.1f %% (%.0f %% wanted)"
          % (seed, len(results) - len(survivors), len(results), 100 * score, 100 * threshold))
    return 0 if score >= threshold else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=900, help="seconds for one step")
    parser.add_argument("--out", default="build/mutate")
    parser.add_argument("--list", action="store_true", help="print the sample and stop")
    parser.add_argument("--again", metavar="FILE", help="only what survived in this mutate.json")
    parser.add_argument("--planted", metavar="FILE", help="the changes that this file names")
    parser.add_argument("--first", action="append", default=[], metavar="REGEX=COMMAND")
    parser.add_argument("--step", action="append", default=[])
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    mutants, about = sample(args)
    print(about, flush=True)
    if args.list or not mutants:
        for m in mutants:
            print("%s\n  - %s\n  + %s" % (title(m), m["old"], m["new"]))
        return 0
    os.makedirs(args.out, exist_ok=True)
    trees = make_trees(args.out, min(args.jobs, len(mutants)), args.step, args.limit)
    campaign = Campaign(trees, args.step, [f.split("=", 1) for f in args.first], args.limit,
                        len(mutants))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(campaign.attempt, mutants))
    return report(results, args.seed, args.out, 1 if args.planted else THRESHOLD)


if __name__ == "__main__":
    sys.exit(main())
