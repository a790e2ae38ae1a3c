#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""bit_trials.py TRIALS [ROUNDS [ONE_IN]]

Maps of 16 ranks, of which one has a wrong bit in 1 of ONE_IN of the messages from it or to it, or one link; a link has them 15 times
as often, because it carries a fifteenth of the messages. And maps without wrong bits. Counts what sonde-map --check-bits names: fails
if a map names another part, says anything without wrong bits, or if fewer than 99 of 100 name the right one."""
import os
import subprocess
import sys

RANKS = 16


def text_of(trial, settings, rounds):
    """The line of the map on bits."""
    faults = {"LD_PRELOAD": ":".join(filter(None, (os.environ.get("LD_PRELOAD"), os.environ["TOOLS_FAULT_SHIM"]))), "SONDE_FAULT": "last",
              "SONDE_FAULT_BYTES": "104", "SONDE_FAULT_SEED": str(trial)}
    given = {**faults, **settings} if settings else {}
    command = ["env", *(f"{name}={value}" for name, value in given.items()), os.environ["TOOLS_MPI_RUN"], "-t", "600", "-n", str(RANKS),
               f"{os.environ['TOOLS']}/sonde-map", "--per", "rank", "--factor", "1000", "--samples", "6", "--quick", "--latency", "104", "--bandwidth", "none",
               "--check-bits", str(rounds)]
    lines = subprocess.run(command, capture_output=True, text=True, timeout=700).stdout.splitlines()
    return next(line for line in lines if "rong bit" in line)


def main(trials, rounds=20000, one_in=10000):
    bad = False
    for kind in ("clean", "sender", "receiver", "link"):
        counts = {"right": 0, "nothing": 0, "wrong": 0}
        for trial in range(trials):
            rank, peer = trial % RANKS, (trial * 7 + 3) % RANKS
            peer = (peer + (peer == rank)) % RANKS
            place, other = f"rank {rank} (", f"rank {peer} ("
            settings, name = {"clean": ({}, "No wrong bit"),
                              "sender": ({"SONDE_FAULT_SENDER": rank, "SONDE_FAULT_ONE_IN": one_in}, "messages from " + place),
                              "receiver": ({"SONDE_FAULT_RECEIVER": rank, "SONDE_FAULT_ONE_IN": one_in}, "messages to " + place),
                              "link": ({"SONDE_FAULT_SENDER": rank, "SONDE_FAULT_RECEIVER": peer, "SONDE_FAULT_ONE_IN": max(1, one_in // (RANKS - 1))},
                                       "the link from " + place)}[kind]
            text = text_of(trial, settings, rounds)
            said = text.rsplit(": ", 1)[-1]
            unnamed = kind != "clean" and (said.startswith(("no common", "too few", "No wrong bit")) or ", or " in said)
            right = said.startswith(name) and (kind != "link" or f"to {other}" in said)
            counts["nothing" if unnamed else "right" if right else "wrong"] += 1
            if not right:
                print(f"{kind}, trial {trial}: {text}", flush=True)
        print(f"{kind}: right {counts['right']}, nothing named {counts['nothing']}, another named {counts['wrong']} of {trials}", flush=True)
        bad = bad or counts["wrong"] != 0 or counts["nothing"] > trials / 100
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
