#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Figures of osu_latency with and without --witness, in turns: the ratio of the medians, with its 95 % interval.

usage: witness_cost.py MPIRUN FOLDER_OF_PROGRAMS [PAIRS]

The interval is of the median over pairs of launches, by the sign test. It fails unless the interval contains 1.
"""
import math
import statistics
import subprocess
import sys


def median_of(command):
    """The median of --honest, the third column."""
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    return float(next(line for line in out.splitlines() if line[:1].isdigit()).split()[2])


def interval(values):
    """Order statistics that cover the median with a probability of 95 % or more."""
    ordered, n = sorted(values), len(values)
    below, k = 0.0, 0
    while below + math.comb(n, k) / 2**n <= 0.025:
        below += math.comb(n, k) / 2**n
        k += 1
    return ordered[max(k - 1, 0)], ordered[min(n - k, n - 1)]


def main(mpirun, programs, pairs=40):
    command = [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "2", f"{programs}/osu/osu_latency", "-m", "65536:65536", "-i", "4000", "--honest"]
    ratios = []
    for pair in range(int(pairs)):
        turns = [command, [*command, "--witness"]]
        found = {len(turn): median_of(turn) for turn in (turns if pair % 2 else turns[::-1])}
        ratios.append(found[len(turns[1])] / found[len(turns[0])])
    low, high = interval(ratios)
    print(f"with --witness {statistics.median(ratios):.4f} of the median without, 95 % interval {low:.4f} to {high:.4f}, {len(ratios)} pairs")
    return 0 if low <= 1 <= high else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
