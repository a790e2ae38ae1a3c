#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Instructions of a pass of a probe's scope without and with a timeline (scope.cpp), counted by callgrind.

usage: scope_count.py PROGRAM...      exits 1 over the limit, 77 without valgrind
"""
import os
import sys

from count import instructions, require_valgrind

LIMIT = 24  # instructions more: two times to seconds, six stores, an index
LOOPS = ["pass", "recorded_pass"]

require_valgrind()
good = True
for program in sys.argv[1:]:
    sums = instructions(program, LOOPS)
    without, recorded = (round((sums[3 * i + 2] - sums[3 * i + 1]) / 10000, 1) for i in range(2))
    within = 0 < recorded - without <= LIMIT
    good = good and within
    print(f"{os.path.basename(program)}: a pass takes {without:g} instructions beside the clock, with a timeline "
          f"{recorded - without:+g} (limit {LIMIT}) {'ok' if within else 'over'}")
sys.exit(0 if good else 1)
