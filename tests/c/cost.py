#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""cost.py PROGRAM: instructions of an iteration of an empty function through the C interface, and of a pass of a scope,
counted by callgrind. A plain loop around the call takes 5: call, two of the function, decrement, branch. 77 without
valgrind."""
import re
import shutil
import subprocess
import sys

LIMITS = {"iterate": 12, "pass": 150}  # at -O1; at -O2 9 and 113, 3 and 92 in C++


def instructions(what, n):
    found = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.argv[1], what, str(n)],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    if found.returncode != 0:
        sys.exit(found.stdout)
    return int(re.search(r"Collected : (\d+)", found.stdout)[1])


if shutil.which("valgrind") is None:
    print("skipped: valgrind is not installed")
    sys.exit(77)
over = False
for what, limit in LIMITS.items():
    each = (instructions(what, 400000) - instructions(what, 100000)) / 300000
    print(f"{what}: {each:.1f} instructions, limit {limit}")
    over |= round(each) > limit  # MPI's own start differs by some hundred instructions from run to run
sys.exit(over)
