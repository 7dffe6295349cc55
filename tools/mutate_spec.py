#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the tests notice a wrong fact in spec/tinytpu.json? Changes one at a time and looks.

usage: tools/mutate_spec.py [--seed N] [--count N] [--jobs N] [--out DIR] [--list] [--again FILE]
                            --step COMMAND [--step COMMAND]...

A fact is a number, a truth value, an expression or a name of the file; prose ("role", "does", "why",
"what", "question", "purpose", "refused_by", "note", the licence) is none. A changed fact is caught when
a step fails; the first step should be `make gen`, so that everything follows the wrong file and only a
test that knows better can object. Exits 1 below 90 %.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import sys

import mutate_rtl

SPEC = "spec/tinytpu.json"
PROSE = {"role", "does", "why", "what", "question", "purpose", "refused_by", "note", "text",
         "SPDX-License-Identifier"}


def facts(node, path=()):
    """(path, value) of every fact."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in PROSE:
                yield from facts(value, path + (key,))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from facts(value, path + (i,))
    elif node is not None:
        yield path, node


def changed_expression(text, rng):
    numbers = list(re.finditer(r"(?<![A-Za-z_0-9])\d+(?![A-Za-z_0-9])", text))
    operators = list(re.finditer(r"(?<= )(==|<=|>=|\*\*|[+\-*/%&])(?= )", text))
    places = numbers + operators
    if not places:
        return None
    m = rng.choice(places)
    if m in numbers:
        new = str(int(m.group()) + rng.choice([1, 2]))
    else:
        new = {"==": ">=", "<=": "<", ">=": ">", "**": "*", "+": "-", "-": "+", "*": "+",
               "/": "*", "%": "/", "&": "+"}[m.group()]
    return text[:m.start()] + new + text[m.end():]


def siblings(root, path):
    """Other words that stand at the same place of a sibling, such as all port names of actions."""
    def shape(p):
        return tuple("*" if isinstance(k, int) else k for k in p)
    return sorted({v for p, v in facts(root) if shape(p) == shape(path) and isinstance(v, str)})


def changed(root, path, value, rng):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + rng.choice([-1, 1])) if value else 1
    if re.fullmatch(r"0x[0-9A-Fa-f]+", value):
        digits = len(value) - 2
        return "0x%0*X" % (digits, int(value, 16) + 4)
    expression = changed_expression(value, rng)
    if expression:
        return expression
    others = [v for v in siblings(root, path) if v != value]
    return rng.choice(others) if others else value + "_X"


def put(root, path, value):
    for key in path[:-1]:
        root = root[key]
    root[path[-1]] = value


def draw(seed, count):
    with open(SPEC, encoding="utf-8") as f:
        text = f.read()
    root = json.loads(text)
    rng = random.Random(seed)
    places = list(facts(root))
    rng.shuffle(places)
    mutants = []
    for path, value in places[:count]:
        new = changed(root, path, value, rng)
        copy = json.loads(text)
        put(copy, path, new)
        mutants.append({"file": SPEC, "path": "/".join(str(p) for p in path), "old": value,
                        "new": new, "text": json.dumps(copy, indent=1) + "\n"})
    return mutants, len(places)


def title(mutant):
    return "%s: %s -> %s" % (mutant["path"], mutant["old"], mutant["new"])


class SpecCampaign(mutate_rtl.Campaign):
    """The whole file is what changes."""

    def put(self, tree, mutant):
        with open(os.path.join(tree.path, SPEC), "w", encoding="utf-8") as f:
            f.write(mutant["text"])

    def title(self, mutant):
        return title(mutant)


def survived_before(mutants, path):
    with open(path, encoding="utf-8") as f:
        wanted = {m["path"] for m in json.load(f)["results"] if m["verdict"] == "survived"}
    return [m for m in mutants if m["path"] in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=900, help="seconds for one step")
    parser.add_argument("--out", default="build/mutate-spec")
    parser.add_argument("--list", action="store_true", help="print the sample and stop")
    parser.add_argument("--again", metavar="FILE", help="only what survived in this mutate.json")
    parser.add_argument("--step", action="append", default=[])
    args = parser.parse_args()
    mutants, places = draw(args.seed, args.count)
    print("seed %d: %d of %d facts changed, one at a time" % (args.seed, len(mutants), places),
          flush=True)
    if args.again:
        mutants = survived_before(mutants, args.again)
    if args.list or not mutants:
        for m in mutants:
            print(title(m))
        return 0
    os.makedirs(args.out, exist_ok=True)
    trees = mutate_rtl.make_trees(args.out, min(args.jobs, len(mutants)), args.step, args.limit)
    campaign = SpecCampaign(trees, args.step, [], args.limit, len(mutants))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(campaign.attempt, mutants))
    for m in results:
        del m["text"]
    survivors = [m for m in results if m["verdict"] == "survived"]
    score = 1 - len(survivors) / len(results)
    for m in survivors:
        print("survived %s" % title(m))
    with open(os.path.join(args.out, "mutate.json"), "w", encoding="utf-8") as f:
        json.dump({"seed": args.seed, "mutants": len(results), "score": score,
                   "results": results}, f, indent=1)
        f.write("\n")
    print("seed %d: %d of %d changed facts caught, %.1f %% (90 %% wanted)"
          % (args.seed, len(results) - len(survivors), len(results), 100 * score))
    return 0 if score >= mutate_rtl.THRESHOLD else 1


if __name__ == "__main__":
    sys.exit(main())
