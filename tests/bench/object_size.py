#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Bytes of code and constants that one more pattern with its buffer adds to a file that measures, at -O2.

usage: object_size.py BUILD_FOLDER
"""
import os
import subprocess
import sys
import tempfile

from compiler import command_of

LIMIT = 20480
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "uses.cpp")
USES = ["the first pattern, with all that patterns share", "ping_pong of rotating", "bidirectional of slice",
        "bidirectional of rotating"]


def text_size(command, uses, place):
    made = os.path.join(place, "uses.o")
    subprocess.run([*command, f"-DUSES={uses}", "-c", SOURCE, "-o", made], check=True)
    return int(subprocess.run(["size", made], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[6])


def main(build):
    command = command_of(build, "ping_pong.cpp")
    with tempfile.TemporaryDirectory() as place:
        sizes = [text_size(command, uses, place) for uses in range(len(USES) + 1)]
    added = [after - before for before, after in zip(sizes, sizes[1:])]
    print(f"bytes of {USES[0]}: {added[0]}")
    for name, size in list(zip(USES, added))[1:]:
        print(f"bytes of one more use, {name}: {size} (limit {LIMIT}) {'ok' if size <= LIMIT else 'over'}")
    return max(added[1:]) <= LIMIT


sys.exit(0 if main(sys.argv[1]) else 1)
