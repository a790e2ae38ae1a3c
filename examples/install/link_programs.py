#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Makes a link for each program of an executable that contains several, beside the executable.

usage: link_programs.py STAMP EXECUTABLE [NAME...] [--by LAUNCHER...]

The executable prints its names if it is started with --programs, by the launcher if it is a library (SMPI). They must be
the names of this command line, which are those of examples/programs.txt. STAMP gets the names of the links; those that
it had before and that are no programs any more are removed.
"""
import pathlib
import subprocess
import sys


def main(stamp, executable, *words):
    stamp, executable = pathlib.Path(stamp), pathlib.Path(executable)
    split = words.index("--by") if "--by" in words else len(words)
    listed, launcher = set(words[:split]), words[split + 1:]
    said = subprocess.run([*launcher, executable.resolve(), "--programs"], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = said.split()
    if differing := listed ^ set(names):
        sys.exit(f"examples/programs.txt and {executable.name} --programs differ: {' '.join(sorted(differing))}")
    before = stamp.read_text().split() if stamp.exists() else []
    for name in {*before, *names}:
        link = executable.parent / name
        if link.is_symlink() or link.exists():
            link.unlink()
    for name in names:
        (executable.parent / name).symlink_to(executable.name)
    stamp.write_text("".join(f"{name}\n" for name in names))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
