#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Instructions of a pass of a probe's scope without and with a timeline, of an exchange, with a table that others read, and split over two functions (scope.cpp), counted by callgrind.

usage: scope.py PROGRAM...      exits 1 over the limit, 77 without valgrind
"""
import os
import sys

from count import instructions, require_valgrind

LIMIT = 24  # instructions more with a timeline: two times to seconds, six stores, an index
KEPT = 30  # instructions more of an exchange: two times to seconds, three stores, an index
SHOWN = 50  # instructions more with a table that others read: a call, three times to seconds, five stores, two sums, four tests
SPLIT = 30  # instructions more in two functions: two calls, two tests, a pass stored and loaded
LOOPS = ["pass", "recorded_pass", "kept_pass", "shown_pass", "split_pass"]

require_valgrind()
good = True
for program in sys.argv[1:]:
    sums = instructions(program, LOOPS)
    without, recorded, kept, shown, split = (round((sums[3 * i + 2] - sums[3 * i + 1]) / 10000, 1) for i in range(5))
    within = 0 < recorded - without <= LIMIT and 0 < kept - without <= KEPT and 0 < shown - without <= SHOWN and split - without <= SPLIT
    good = good and within
    print(f"{os.path.basename(program)}: a pass takes {without:g} instructions beside the clock, with a timeline "
          f"{recorded - without:+g} (limit {LIMIT}), of an exchange {kept - without:+g} (limit {KEPT}), with a table {shown - without:+g} (limit {SHOWN}), split {split - without:+g} (limit {SPLIT}) {'ok' if within else 'over'}")
sys.exit(0 if good else 1)
