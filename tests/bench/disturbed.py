#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""By how much figures move when something else takes one core for 5 % of the time.

usage: disturbed.py LAUNCHER PROGRAM...

The same row of each program, of 8 bytes on 2 ranks for a second, quiet and disturbed in turns: a busy loop on one core
for 5 ms of every 100. Prints the medians over pairs of what changed: of the median, which must not move by more than
5 %, and of the figures that are means.
"""
import contextlib
import multiprocessing
import os
import statistics
import sys
import time

from osu_rows import judge, sweep

PAIRS = 7
PERIOD, BUSY = 0.1, 0.005
ROW = ["-m", "8:8", "--budget", "1", "--honest"]
MEDIAN = "Median(us)"


def disturb(core):
    os.sched_setaffinity(0, {core})
    begin = time.monotonic()
    while True:
        end = begin + BUSY
        while time.monotonic() < end:
            pass
        begin += PERIOD
        time.sleep(max(0, begin - time.monotonic()))


@contextlib.contextmanager
def disturbance():
    busy = multiprocessing.Process(target=disturb, args=(min(os.sched_getaffinity(0)),), daemon=True)
    busy.start()
    try:
        yield
    finally:
        busy.terminate()
        busy.join()


def figures(launcher, program):
    """{column: value} of the row: its median, and what is made of means."""
    (row,) = sweep(launcher, 2, program, *ROW)[1].values()
    return {name: float(text) for name, text in row.items() if name in (MEDIAN, "t_max(us)") or name.startswith("Avg")}


def pair(launcher, program):
    quiet = figures(launcher, program)
    with disturbance():
        disturbed = figures(launcher, program)
    return {name: disturbed[name] / quiet[name] - 1 for name in quiet}


def measure(launcher, program):
    moved = [pair(launcher, program) for _ in range(PAIRS)]
    name = os.path.basename(program)
    for column in moved[0]:
        changes = sorted(100 * one[column] for one in moved)
        print(f"{name}, {column}: moved by {statistics.median(changes):+.1f} %, {changes[0]:+.1f} to {changes[-1]:+.1f}")
    typical = statistics.median(one[MEDIAN] for one in moved)
    return judge(f"% by which the median of {name} moves", 100 * abs(typical), 5)


sys.exit(0 if all([measure(sys.argv[1], program) for program in sys.argv[2:]]) else 1)
