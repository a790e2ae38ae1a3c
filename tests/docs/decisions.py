#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""decisions.py ROOT

Each decision in docs/design.md ends with the tests that check what it says: "Checked by `tests/...`, `tests/...`.", which are
files. Prints the decisions without a test, and what is no file; exits with 1 if there are any.
"""
import pathlib
import re
import sys


def faults(root):
    page = (root / "docs/design.md").read_text()
    decisions = page[page.index("\n## Decisions and reasons"):].split("\n- ")[1:]
    for one in decisions:
        title = re.match(r"\*\*(.*?)\*\*", one, re.S)
        checks = re.search(r" Checked by ((?:`tests/[\w/.]+`(?:, )?)+)\.$", " ".join(one.split()))
        if not title or not checks:
            yield f"no test checks: {one[:80]}"
            continue
        yield from (f"{title[1]}: {path} is no file" for path in re.findall(r"`(.*?)`", checks[1]) if not (root / path).is_file())


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "each decision has a test")
sys.exit(1 if found else 0)
