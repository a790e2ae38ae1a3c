#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Instructions of one iteration of each loop of shmem_loops.cpp, counted by callgrind.

usage: shmem_count.py PROGRAM...      exits 1 when a loop of Sonde's is over the limit, 77 without valgrind
"""
import os
import sys

from count import instructions, require_valgrind

LIMIT = 4  # instructions more than a loop by hand, in an iteration without a window, in each transfer of a window
WINDOW = 100
LOOPS = ["plain_put", "plain_put_window", "sonde_put", "plain_fetch", "plain_fetch_window", "sonde_fetch"]


def per_iteration(program):
    """{(transfers, loop): instructions}, from 1000 and 2000 iterations of each; the call before them binds symbols."""
    sums = instructions(program, LOOPS)
    found = [(sums[i + 2] - sums[i + 1]) / 1000 for i in range(0, len(sums), 3)]
    pairs = [(transfers, loop) for transfers in (1, WINDOW) for loop in LOOPS]
    if len(found) != len(pairs):
        sys.exit(f"{program}: {len(found)} counts instead of {len(pairs)}")
    return dict(zip(pairs, found))


def report(program):
    """Prints a line for each operation; true if all are within the limit."""
    counts = per_iteration(program)
    good = True
    for operation in ("put", "fetch"):
        one = counts[1, f"sonde_{operation}"] - counts[1, f"plain_{operation}"]
        each = (counts[WINDOW, f"sonde_{operation}"] - counts[WINDOW, f"plain_{operation}_window"]) / WINDOW
        within = one <= LIMIT and each <= LIMIT
        good = good and within
        print(f"{os.path.basename(program)} {operation}: {one:+g} instructions to a loop by hand, {each:+g} for each transfer "
              f"of a window of {WINDOW} (limit {LIMIT}) {'ok' if within else 'over'}")
    return good


require_valgrind()
sys.exit(0 if all([report(program) for program in sys.argv[1:]]) else 1)
