#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Instructions of patterns that compute (kept_work.cpp), counted by callgrind: work on 1000 elements stays where
do_not_optimize or clobber_memory says so, at no other cost.

usage: kept_work.py PROGRAM...      exits 1 if work is removed or costs more, 77 without valgrind
"""
import os
import sys

from count import instructions, require_valgrind

LENGTH = 1000
VECTOR = 8  # elements that one instruction may add: 256 bits of int
MORE = 2  # instructions more than a store of the result: a result in a register or in memory
LOOPS = ["unused_sum", "stored_sum", "sum", "constant_sum", "pack", "stores"]


def per_iteration(program):
    sums = instructions(program, LOOPS)
    if len(sums) != 3 * len(LOOPS):
        sys.exit(f"{program}: {len(sums)} sums instead of {3 * len(LOOPS)}")
    return {loop: round((sums[3 * i + 2] - sums[3 * i + 1]) / 100, 1) for i, loop in enumerate(LOOPS)}


require_valgrind()
good = True
for program in sys.argv[1:]:
    counts = per_iteration(program)
    within = (counts["unused_sum"] < LENGTH / VECTOR  # the compiler removes it, so the others are kept by the functions
              and all(LENGTH / VECTOR <= counts[loop] <= counts["stored_sum"] + MORE for loop in ("sum", "constant_sum"))
              and counts["pack"] >= LENGTH / 2 and counts["stores"] >= LENGTH)
    good = good and within
    print(f"{os.path.basename(program)}: {counts} {'ok' if within else 'wrong'}")
sys.exit(0 if good else 1)
