#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tutorial.py ROOT

Fails if the table of docs/tutorial.md lacks a program of examples/tutorial, or has another one, or if `ninja tutorial` is
declared before the last of them.
"""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    programs = {f"tutorial_{file.stem}" for file in (root / "examples/tutorial").glob("*.cpp")}
    in_table = set(re.findall(r"^\| `(tutorial_\w+)` \|", (root / "docs/tutorial.md").read_text(), re.M))
    faults = [f"docs/tutorial.md: {name} is not in the table" for name in sorted(programs - in_table)]
    faults += [f"docs/tutorial.md: {name} is no program" for name in sorted(in_table - programs)]
    build = (root / "examples/tutorial/meson.build").read_text()
    if build.rindex("tutorial_programs +=") > build.index("alias_target('tutorial'"):
        faults.append("examples/tutorial/meson.build: the target is declared before its last program")
    print("\n".join(faults) if faults else f"{len(programs)} programs")
    return 1 if faults or not programs else 0


sys.exit(main())
