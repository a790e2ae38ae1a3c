#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""How long a whole sweep of osu_latency takes that ends each row at 1 %, beside the suite's fixed counts.

usage: sweep_until.py LAUNCHER PROGRAM

The suite's counts by the same program, and, where the environment variable SONDE_BENCH_OSU_LATENCY names one, by another
osu_latency: in turns, five pairs each. Prints the median of the ratios of the times from launch to end, and the largest
difference, over sizes, between what the two say.
"""
import os
import statistics
import sys

from osu_rows import judge, sweep

PAIRS = 5
UNTIL = ["--until", "1"]
AVERAGE, MEDIAN = "Avg Latency(us)", "Median(us)"


def number(row):
    """What a row says: its median where it has one."""
    value = row.get(MEDIAN, row.get(AVERAGE))
    return float(value if value is not None else list(row.values())[1])


def largest_difference(some, others):
    """(by how much, at which size) the medians over sweeps differ most."""
    def middle(sweeps, size):
        return statistics.median(number(rows[size]) for rows in sweeps)
    return max((abs(middle(some, size) / middle(others, size) - 1), size) for size in some[0] if size in others[0])


def compare(launcher, program, other):
    """The ratios of times, and the rows of each side."""
    ratios, ours, theirs = [], [], []
    for _ in range(PAIRS):
        short, rows = sweep(launcher, 2, program, *UNTIL)
        ours.append(rows)
        long, rows = sweep(launcher, 2, other)
        theirs.append(rows)
        ratios.append(short / long)
        print(f"  {short:.2f} s until 1 %, {long:.2f} s of fixed counts", flush=True)
    return ratios, ours, theirs


def judged(name, ratios):
    return judge(f"time of a sweep until 1 % over {name}, median of {PAIRS} pairs", statistics.median(ratios), 1)


def show_difference(what, some, others):
    difference, size = largest_difference(some, others)
    print(f"largest difference of {what}: {100 * difference:.1f} % at {size} bytes")


def medians(launcher, program):
    """Beside the times, since to print medians takes time: the rows of three sweeps each way."""
    turns = [(sweep(launcher, 2, program, "--honest", *UNTIL)[1], sweep(launcher, 2, program, "--honest")[1])
             for _ in range(3)]
    show_difference("medians to fixed counts", *zip(*turns))


def main(launcher, program):
    good = judged("fixed counts", compare(launcher, program, program)[0])
    medians(launcher, program)
    other = os.environ.get("SONDE_BENCH_OSU_LATENCY")
    if other:
        ratios, ours, theirs = compare(launcher, program, other)
        show_difference("averages to the other program", ours, theirs)
        good = judged("the other program", ratios) and good
    else:
        print("SONDE_BENCH_OSU_LATENCY names no other program to compare with")
    return good


sys.exit(0 if main(*sys.argv[1:]) else 1)
