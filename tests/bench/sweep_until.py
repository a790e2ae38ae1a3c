#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times of sweeps of OSU programs with rows that end at a precision, and with the suite's fixed counts.

usage: sweep_until.py LAUNCHER FOLDER [PROGRAM...]

FOLDER has the programs of Sonde; the fixed counts are those of the OSU Micro-Benchmarks below the folder that the
environment variable SONDE_BENCH_OMB names (built or installed), or of Sonde's own programs without one. Five rounds, each
of one sweep of every kind; prints the medians of the times from launch to end and of their ratios. Of osu_latency it shows
the largest difference, over sizes, between what the kinds of sweeps say.
"""
import os
import pathlib
import statistics
import sys

from osu_rows import judge, sweep

ROUNDS = 5
PROGRAMS = ["osu_latency", "osu_bw", "osu_bibw", "osu_allreduce", "osu_put_latency", "osu_put_bw", "osu_iallreduce"]
KINDS = {"5": 1, "1": 1.5}  # per cent, and the limit of the ratio
AVERAGE, MEDIAN = "Avg Latency(us)", "Median(us)"


def program_below(folder, name):
    """The program of this name below a folder: the built one of several, which libtool may have wrapped in a script."""
    found = [p for p in pathlib.Path(folder).rglob(name) if p.is_file() and os.access(p, os.X_OK)]
    return str(found[0]) if found else None


def number(row):
    """A row's time in seconds: its median if it has one."""
    value = row.get(MEDIAN, row.get(AVERAGE))
    return float(value if value is not None else list(row.values())[1])


def largest_difference(some, others):
    """The largest difference of the medians over sweeps, and its size."""
    def middle(sweeps, size):
        return statistics.median(number(rows[size]) for rows in sweeps)
    return max((abs(middle(some, size) / middle(others, size) - 1), size) for size in some[0] if size in others[0])


def measure(launcher, ours, fixed):
    """Seconds and rows of each kind of sweep, in rounds."""
    times, rows = {kind: [] for kind in ("fixed", *KINDS)}, {kind: [] for kind in ("fixed", *KINDS)}
    for _ in range(ROUNDS):
        for kind in times:
            command = [fixed] if kind == "fixed" else [ours, "--until", kind]
            seconds, table = sweep(launcher, 2, *command)
            times[kind].append(seconds)
            rows[kind].append(table)
    return times, rows


def judged(name, times):
    """Prints the times; true if the ratios are within their limits."""
    print(f"{name}: {statistics.median(times['fixed']):.2f} s of fixed counts, "
          + ", ".join(f"{statistics.median(times[kind]):.2f} s until {kind} %" for kind in KINDS), flush=True)
    return all([judge(f"{name}, time until {kind} % over fixed counts, median of {ROUNDS} rounds",
                      statistics.median(ours / theirs for ours, theirs in zip(times[kind], times["fixed"])), limit)
                for kind, limit in KINDS.items()])


def main(launcher, folder, *names):
    other = os.environ.get("SONDE_BENCH_OMB")
    print(f"fixed counts of {'the OSU Micro-Benchmarks' if other else 'Sonde: SONDE_BENCH_OMB names no folder'}")
    good = True
    for name in names or PROGRAMS:
        ours = program_below(folder, name)
        fixed = program_below(other, name) if other else ours
        if not fixed:
            print(f"{name}: not below {other}")
            continue
        times, rows = measure(launcher, ours, fixed)
        good = judged(name, times) and good
        if name == "osu_latency":
            for kind in KINDS:
                difference, size = largest_difference(rows[kind], rows["fixed"])
                print(f"largest difference until {kind} % to fixed counts: {100 * difference:.1f} % at {size} bytes")
    return good


sys.exit(0 if main(*sys.argv[1:]) else 1)
