#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a measurement costs beside the measured operation, for growing numbers of simulated ranks; and how well their
clocks are compared. Prints the tables of docs/scale.md.

usage: scale.py INCLUDE_FOLDER [MOST_RANKS [MOST_CLOCKS]]
"""
import os
import shutil
import sys
import tempfile
import time

from cluster import Cluster, figures


def row(*cells):
    print("| " + " | ".join(f"{c:,.6g}" if isinstance(c, float) else str(c) for c in cells) + " |", flush=True)


def scale_of(cluster, ranks):
    begin = time.monotonic()
    found = figures(cluster.simulated("scale", ranks, (f"{ranks}.jsonl",), timeout=3600))
    seconds = time.monotonic() - begin
    at = {name: [float(w) for w in words] for name, words in found.items()}
    of_others = [at[name][1] for name in ("barrier_messages", "look_messages", "look_bytes", "record_bytes", "heap_bytes")]
    row(ranks, *of_others, at["gather_bytes"][2], at["gather_bytes"][1], at["heap_bytes"][0],
        os.path.getsize(f"{cluster.folder}/{ranks}.jsonl"), round(seconds, 1))


def clocks_of(cluster, ranks):
    begin = time.monotonic()
    found = figures(cluster.simulated("clocks", ranks, wtime="1e-7", timeout=3600))
    seconds = time.monotonic() - begin
    spread, bound = (1e6 * float(found[name][0]) for name in ("spread", "bound"))
    row(ranks, spread, bound, round(seconds, 1))
    if spread > 2 * bound:
        raise AssertionError(f"{ranks} clocks differ by more than twice the bound")


def main():
    include, most_ranks, most_clocks = sys.argv[1], *map(int, [*sys.argv[2:], *["1024", "256"][len(sys.argv) - 2:]])
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder, os.path.abspath(include))
        for program in ("scale", "clocks"):
            cluster.compile(program)
        row("ranks", "messages of a barrier", "messages of a look", "bytes of a look", "bytes of a record",
            "peak bytes of a rank", "mean bytes of the gather", "most bytes of the gather", "peak bytes of rank 0",
            "bytes of JSON", "simulated in s")
        row(*["---:"] * 11)
        for ranks in (16, 64, 256, 1024):
            if ranks <= most_ranks:
                scale_of(cluster, ranks)
        print()
        row("ranks", "spread of the clocks in us", "bound in us", "simulated in s")
        row(*["---:"] * 4)
        for ranks in (16, 64, 256):
            if ranks <= most_clocks:
                clocks_of(cluster, ranks)


if __name__ == "__main__":
    for tool in ("smpicxx", "smpirun"):
        if shutil.which(tool) is None:
            print(f"{tool} (SimGrid) is not installed")
            sys.exit(77)
    main()
