#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs heat with --timeline and checks its file against the rules of the Trace Event Format.

usage: heat_timeline.py RANKS COMMAND... --timeline FILE
https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
"""
import collections
import json
import subprocess
import sys

# Keys that an event of a phase has beside ph, pid and tid, and those that it may have.
NEEDED = {"X": {"name", "cat", "ts", "dur"}, "M": {"name", "args"}, "s": {"name", "cat", "id", "ts"},
          "f": {"name", "cat", "id", "ts", "bp"}, "i": {"name", "cat", "ts", "s"}}
ALLOWED = {"X": {"args"}}
METADATA = {"process_name": str, "process_sort_index": int, "thread_name": str, "thread_sort_index": int}


def check_rules(events):
    """Every event has the members of its phase, with their types; slices of a track nest."""
    slices = collections.defaultdict(list)
    for e in events:
        members = set(e) - {"ph", "pid", "tid"}
        assert NEEDED[e["ph"]] <= members <= NEEDED[e["ph"]] | ALLOWED.get(e["ph"], set()), e
        assert isinstance(e["pid"], int) and isinstance(e["tid"], int), e
        assert e["ph"] == "M" or (isinstance(e["ts"], (int, float)) and e["ts"] >= 0), e
        if e["ph"] == "M":
            (value,) = e["args"].values()
            assert isinstance(value, METADATA[e["name"]]), e
        if e["ph"] == "X":
            assert e["dur"] >= 0, e
            slices[e["pid"], e["tid"]].append((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000), e["name"]))
        if e["ph"] == "f":
            assert e["bp"] == "e", e
        if e["ph"] in "sf":
            int(e["id"], 16)
    for track in slices.values():
        ends = []
        for begin, end, name in track:
            while ends and ends[-1] <= begin:
                ends.pop()
            assert not ends or end <= ends[-1], name
            ends.append(end)
    return slices


def check_messages(events, bound):
    """Each message that was sent is received, once, and not before it was sent by more than the bound; returns their
    number."""
    ends = {"s": {}, "f": {}}
    for e in events:
        if e["ph"] in ends:
            assert (e["name"], e["id"]) not in ends[e["ph"]], e
            ends[e["ph"]][e["name"], e["id"]] = e["ts"]
    assert ends["s"].keys() == ends["f"].keys()
    for key, sent in ends["s"].items():
        assert ends["f"][key] >= sent - 2 * bound - 0.001, key
    return len(ends["s"])


def main():
    ranks, command = int(sys.argv[1]), sys.argv[2:]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=120).stdout
    with open(command[-1], encoding="utf-8") as file:
        trace = json.load(file)
    events, about = trace["traceEvents"], trace["otherData"]
    assert f"timeline: {about['events']} events, 0 dropped" in printed, printed
    assert about["ranks"] == ranks and about["dropped_events"] == 0, about
    slices = check_rules(events)
    assert sorted(slices) == [(rank, 0) for rank in range(ranks)]
    steps = int(command[command.index("--steps") + 1])
    for track in slices.values():
        assert collections.Counter(name for _, _, name in track) == {"exchange": steps, "diffuse": steps}
    sides = {2: 1, 4: 4}[ranks]  # between neighbors: ranks beside each other, two by two
    assert check_messages(events, about["clock_error_bound_us"]) == 2 * sides * steps
    assert {e["args"]["name"] for e in events if e.get("name") == "process_name"} == {f"rank {r}" for r in range(ranks)}


main()
