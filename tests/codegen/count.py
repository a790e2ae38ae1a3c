#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Instructions of one iteration of each loop of loops.cpp, counted by callgrind: exact, so a test may ask for them.

usage: count.py PROGRAM...      exits 1 when Sonde's loop is over the limit, or another over device memory, or in adaptors, over its own; 77 without valgrind
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIMIT = 4  # instructions more than the plain loop: two return codes, each a test and a branch
ADAPTED = 1  # instruction more in adaptors: where the compiler places the loop; a test of the role would be 3 or more
LOOPS = ["plain", "checked", "sonde", "device", "adapted"]
ROLES = ["initiator", "responder"]


def instructions(program, loops):
    """Instructions of each call of the functions count_LOOP, in order: callgrind writes and clears its sum at each end of such
    a call."""
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=count_*", f"--callgrind-out-file={folder}/dump",
             *[f"--dump-after=count_{loop}" for loop in loops], os.path.abspath(program)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
        if found.returncode != 0:
            sys.exit(f"{program}: {found.stdout}")
        dumps = sorted(glob.glob(f"{folder}/dump.*"), key=lambda name: int(name.rsplit(".", 1)[1]))
        return [int(re.search(r"^totals: (\d+)", open(name).read(), re.M)[1]) for name in dumps]


def per_iteration(program):
    """{(role, loop): instructions}, from 10000 and 20000 iterations of each; the call before them binds symbols. What a
    call takes before and after its loop varies by some hundred instructions, which rounding removes."""
    sums = instructions(program, LOOPS)
    pairs = [(role, loop) for role in ROLES for loop in LOOPS]
    if len(sums) != 3 * len(pairs):
        sys.exit(f"{program}: {len(sums)} sums instead of {3 * len(pairs)}")
    return {pair: round((sums[3 * i + 2] - sums[3 * i + 1]) / 10000, 1) for i, pair in enumerate(pairs)}


def report(program):
    """Prints a line for each role; true if all are within the limit."""
    counts = per_iteration(program)
    good = True
    for role in ROLES:
        plain, checked, sonde, device, adapted = (counts[role, loop] for loop in LOOPS)
        within = sonde - plain <= LIMIT and device == sonde and adapted - sonde <= ADAPTED
        good = good and within
        print(f"{os.path.basename(program)} {role}: {sonde - plain:+g} instructions to a plain loop (limit {LIMIT}) "
              f"{'ok' if within else 'over'}; {sonde - checked:+g} to one that checks return codes "
              f"(with empty MPI calls {plain:g}, {checked:g}, Sonde {sonde:g}, Sonde on device memory {device:g}, in adaptors {adapted:g})")
    return good


def require_valgrind():
    """Ends the test as skipped without valgrind."""
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        sys.exit(77)


if __name__ == "__main__":
    require_valgrind()
    sys.exit(0 if all([report(program) for program in sys.argv[1:]]) else 1)
