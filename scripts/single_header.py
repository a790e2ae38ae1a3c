#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""single_header.py FILE [HEADER...]

Writes headers of Sonde, with all that they include of it, as one header, for projects that copy a file. By default
the core, MPI, and measurements in one call: sonde/sonde.hpp, sonde/mpi.hpp, sonde/mpi/measure.hpp.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ["sonde/sonde.hpp", "sonde/mpi.hpp", "sonde/mpi/measure.hpp"]
INCLUDE = re.compile(r'#include <([^>]+)>')
CONDITION = re.compile(r"#\s*(if|ifdef|ifndef|else|elif|endif)\b\s*(.*)")
# REUSE-IgnoreStart
NOTICE = "// SPDX-License-Identifier: BSL-1.0"
# REUSE-IgnoreEnd


class Expansion:
    """The lines of headers, each header and each unconditional include of a library once."""

    def __init__(self):
        self.lines, self.seen = [], set()

    def add(self, name):
        conditions = []  # of this header; its definitions are always compiled
        self.lines.append(f"// {name}")
        for line in (ROOT / "include" / name).read_text().splitlines():
            if found := CONDITION.match(line):
                if found[1].startswith("if"):
                    conditions.append(found[2])
                elif found[1] == "endif":
                    conditions.pop()
            always = all(condition == "SONDE_DEFINITIONS" for condition in conditions)
            if found := INCLUDE.match(line):
                self.include(name, found[1], line, always)
            elif line not in (NOTICE, "#pragma once"):
                self.lines.append(line)

    def include(self, name, included, line, always):
        if included.startswith("sonde/") and not always:
            sys.exit(f"{name} includes {included} on a condition")
        if included in self.seen and always:
            return
        if always and not included.endswith(".inc"):  # these define and remove macros each time
            self.seen.add(included)
        if included.startswith("sonde/"):
            self.add(included)
        else:
            self.lines.append(line)


def single(headers):
    license_text = "".join(f"// {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text().splitlines())
    expansion = Expansion()
    for header in headers:
        expansion.include("the command line", header, "", True)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(expansion.lines))
    return (f"{NOTICE}\n// {', '.join(f'<{header}>' for header in headers)} of Sonde as one header, by scripts/single_header.py.\n//\n"
            f"{license_text}#pragma once\n\n#ifdef SONDE_COMPILED\n"
            f'#error "SONDE_COMPILED is for separate headers; this one has all definitions"\n#endif\n\n{text}\n')


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    pathlib.Path(sys.argv[1]).write_text(single(sys.argv[2:] or HEADERS))


main()
