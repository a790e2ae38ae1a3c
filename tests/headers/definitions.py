#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""definitions.py INCLUDE_FOLDER

Each header with definitions (`#if SONDE_DEFINITIONS`) is compiled once: sonde/mpi/compiled.cpp defines the functions of
its folder, and includes before them what it needs of the core; sonde/compiled.cpp defines the others. Prints the headers
that no file defines, or that two files define; exits with 1 if there are any.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])


def included(text, seen):
    """The headers that a text includes, at any depth, without those seen before."""
    for name in re.findall(r"^#include <(sonde/[\w/]+\.hpp)>", text, re.M):
        if name not in seen:
            seen.add(name)
            included((root / name).read_text(), seen)
    return seen


def defined_by(source):
    before, after = (root / source).read_text().split("#include <sonde/detail/define.inc>")
    declared = included(before, set())
    return included(after, set(declared)) - declared


with_definitions = {str(path.relative_to(root)) for path in root.rglob("*.hpp")
                    if re.search(r"^#if SONDE_DEFINITIONS$", path.read_text(), re.M)}
defined = [defined_by(source) & with_definitions
           for source in ("sonde/compiled.cpp", "sonde/mpi/compiled.cpp")]
files = {name: sum(name in headers for headers in defined) for name in sorted(with_definitions)}
faults = [f"{name}: its definitions are compiled in {'no file' if n == 0 else f'{n} files'}" for name, n in files.items() if n != 1]
print("\n".join(faults) if faults else f"{len(with_definitions)} headers with definitions, each in one file")
sys.exit(1 if faults else 0)
