#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Docs gate: every path, link and make target that a page names must exist.

usage: tools/docs_gate.py    (from the repository's root)
A path is a word in back quotes that holds a slash and starts with a folder of the repository;
`build/` is made, not kept, and is not looked at. `*` and {a,b} are expanded.
"""
import glob
import os
import re
import subprocess
import sys

FOLDERS = ("spec", "rtl", "compiler", "host", "cosim", "fpga", "tests", "docs", "tools", "mk",
           "lint", "examples", ".ci")
TOP_FILES = re.compile(r"^(Makefile|LICENSE|[A-Z]+\.md)$")


def braces(text):
    m = re.search(r"\{([^{}]*)\}", text)
    if not m:
        return [text]
    return [one for part in m.group(1).split(",")
            for one in braces(text[:m.start()] + part.strip() + text[m.end():])]


def exists(path):
    path = re.sub(r":\d+$", "", path)
    return all(glob.glob(p) or os.path.exists(p) for p in braces(path))


def named_paths(line):
    for word in re.findall(r"`([^`\s]+)`", line):
        word = word.rstrip(".,;:")
        first = word.split("/")[0]
        if "<" in word or "$" in word:
            continue
        if ("/" in word and first in FOLDERS) or TOP_FILES.match(word):
            yield word


def links(line, page):
    for target in re.findall(r"\]\(([^)\s]+)\)", line):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        yield os.path.normpath(os.path.join(os.path.dirname(page), target.split("#")[0]))


def make_targets():
    """Targets that make knows, read from its own database."""
    out = subprocess.run(["make", "-npq", "--no-print-directory", "help"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, env={**os.environ, "MAKEFLAGS": ""})
    return set(re.findall(r"^([A-Za-z0-9_.-]+):", out.stdout.decode(), re.M))


def main():
    pages = sorted(glob.glob("*.md") + glob.glob("docs/**/*.md", recursive=True) +
                   glob.glob("examples/**/*.md", recursive=True))
    targets = make_targets()
    breaches = []
    named = 0
    for page in pages:
        with open(page, encoding="utf-8") as f:
            for n, line in enumerate(f, 1):
                for path in list(named_paths(line)) + list(links(line, page)):
                    named += 1
                    if not exists(path):
                        breaches.append("%s:%d: names %s, which does not exist" % (page, n, path))
                for target in re.findall(r"`make ([a-z][a-z0-9-]*)", line):
                    named += 1
                    if target not in targets:
                        breaches.append("%s:%d: no target %s" % (page, n, target))
    print("\n".join(breaches + ["docs: %d pages, %d names, %d breaches"
                                % (len(pages), named, len(breaches))]))
    return 1 if breaches or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
