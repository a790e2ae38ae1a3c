#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""cost.py PROGRAM: instructions of an iteration of an empty function through the C interface, counted by callgrind. A
plain loop around the call takes 5: call, two of the function, decrement, branch. 77 without valgrind."""
import re
import shutil
import subprocess
import sys

LIMIT = 12  # at -O1; 9 at -O2


def instructions(what, n):
    found = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.argv[1], what, str(n)],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    if found.returncode != 0:
        sys.exit(found.stdout)
    return int(re.search(r"Collected : (\d+)", found.stdout)[1])


if shutil.which("valgrind") is None:
    print("skipped: valgrind is not installed")
    sys.exit(77)
each = (instructions("iterate", 400000) - instructions("iterate", 100000)) / 300000
print(f"{each:.1f} instructions an iteration, limit {LIMIT}")
sys.exit(each > LIMIT)
