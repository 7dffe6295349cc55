# SPDX-License-Identifier: Apache-2.0
"""Puts a table into a page, between its GENERATED markers.

usage: tools/page_block.py PAGE NAME < TABLE
"""
import re
import sys


def replace(page, name, text):
    """Replaces what stands between `<!-- GENERATED name -->` and `<!-- END name -->`."""
    with open(page, encoding="utf-8") as f:
        old = f.read()
    pattern = re.compile(r"(<!-- GENERATED %s [^\n]*-->\n).*?(<!-- END %s -->)"
                         % (re.escape(name), re.escape(name)), re.S)
    if not pattern.search(old):
        raise SystemExit("%s has no block '%s'" % (page, name))
    new = pattern.sub(lambda m: m.group(1) + text.rstrip("\n") + "\n" + m.group(2), old)
    if new != old:
        with open(page, "w", encoding="utf-8") as f:
            f.write(new)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    replace(sys.argv[1], sys.argv[2], sys.stdin.read())
