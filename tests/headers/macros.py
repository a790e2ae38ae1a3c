#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""macros.py INCLUDE_FOLDER

Fails if a header leaves a function-like macro defined: one that it defines and does not remove.
"""
import pathlib
import re
import sys


def left_defined(text):
    defined = set()
    for what, name, parenthesis in re.findall(r"^\s*#\s*(define|undef)\s+(\w+)(\(?)", text, re.M):
        if what == "undef":
            defined.discard(name)
        elif parenthesis:
            defined.add(name)
    return sorted(defined)


def main():
    root = pathlib.Path(sys.argv[1])
    found = [f"{path.relative_to(root)} leaves {name} defined" for path in sorted(root.rglob("*.hpp"))
             for name in left_defined(path.read_text())]
    # A header that includes refuse.inc or hooks.inc once leaves its macros defined.
    found += [f"{path.relative_to(root)} includes {name}.inc {n} times" for path in sorted(root.rglob("*.hpp")) for name in ("refuse", "hooks")
              if (n := len(re.findall(rf"^#include <sonde/detail/{name}\.inc>", path.read_text(), re.M))) not in (0, 2)]
    print("\n".join(found) if found else "no function-like macro stays defined")
    sys.exit(1 if found else 0)


main()
