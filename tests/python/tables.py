#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks of sonde.read and of to_pandas, on one rank. Exits with 77 without pandas."""

import importlib.util
import json
import math
import pathlib
import sys
import tempfile

if importlib.util.find_spec("pandas") is None:
    print("pandas is not installed")
    sys.exit(77)

from mpi4py import MPI

import sonde


def record(name, times, **more):
    flags = {"timer_limited": len(times) == 2, "skew_dominated": False, "clock_drift": False, "correlated": len(times) == 2}
    total = {"bytes": 600, "messages": 2, "hops": 2, "bus_factor": 1}
    stop = {"reason": "samples", "samples": len(times)}
    plain = {"type": "record", "name": name, "parameters": {"bytes": 8}, "total": total, "ranks": 2, "initiators": 1, "batch": 4}
    of_ranks = {"over_ranks_seconds": {"min": 1, "mean": 1, "max": 1}, "rank_means_seconds": [], "rank_samples_seconds": [], "slowest_counts": []}
    clock = {"first_seconds": 1, "errors": None, "clock_seconds": {"cost": 0, "resolution": 0, "bias": 0}, "sample_means_seconds": []}
    return {**plain, **of_ranks, **clock, "stop": stop, "flags": flags, "series_seconds": times, **more}


def comparison(*alternatives):
    ends = [None, {"low": 1.5, "high": 2.5}]
    speedups = zip([1, 2], ends, ["base", "faster"], alternatives)
    return {
        "type": "comparison",
        "criterion": {"gain": 0.02, "confidence": 0.95},
        "alternatives": [{"speedup": s, "interval": i, "outcome": o, "record": r} for s, i, o, r in speedups],
    }


def written(path, *lines, end="\n"):
    path.write_text("\n".join(map(json.dumps, lines)) + end)
    return path


def refused(text, *paths):
    try:
        sonde.read(*paths)
    except ValueError as e:
        assert str(e) == text, e
    else:
        raise AssertionError(f"not refused: {text}")


def check_rows(folder):
    launches = [
        line
        for launch in (1, 2)
        for line in ({"type": "launch", "launch": launch}, {"type": "environment", "hosts": ["a"]}, record("x", [1.0, 3.0 * launch]))
    ]
    first = written(folder / "first.jsonl", *launches)
    second = written(folder / "second.jsonl", comparison(record("a", [2.0, 2.0, 8.0]), record("b", [1.0])), record("cut", [1.0]), end="")
    found = sonde.read(first, str(second))
    rows = found.rows
    assert repr(found) == "4 rows, 8 samples, 2 environments"
    assert [*rows["name"]] == ["x", "x", "a", "b"] and [*rows["launch"]] == [1, 2, 0, 0]
    assert [*rows["file"]] == [str(first)] * 2 + [str(second)] * 2
    assert [*rows["median"]] == [2.0, 3.5, 2.0, 1.0] and [*rows["mean"]] == [2.0, 3.5, 4.0, 1.0]
    assert [*rows["stddev"]] == [math.sqrt(2), math.sqrt(12.5), math.sqrt(12), 0.0] and [*rows["max"]] == [3.0, 6.0, 8.0, 1.0]
    assert [*rows["bytes"]] == [8] * 4 and [*rows["bytes_moved"]] == [600] * 4 and [*rows["batch"]] == [4] * 4
    assert [*rows["bandwidth"]] == [300.0, 600 / 3.5, 300.0, 600.0] and [*rows["latency"]] == [1.0, 1.75, 1.0, 0.5]
    assert [*rows["flags"]] == ["timer_limited, correlated"] * 2 + ["", ""] and [*rows["samples"]] == [2, 2, 3, 1]
    assert [*rows["outcome"][2:]] == ["base", "faster"] and rows["speedup_low"][3] == 1.5 and rows["outcome"].isna()[0]
    assert [*rows["kind"]] == ["record", "record", "comparison", "comparison"]
    samples = found.samples
    assert [*samples["seconds"]] == [1, 3, 1, 6, 2, 2, 8, 1] and [*samples["sample"]] == [0, 1, 0, 1, 0, 1, 2, 0]
    assert [*samples["row"]] == [0, 0, 1, 1, 2, 2, 2, 3] and [*samples.columns[:4]] == ["file", "launch", "row", "name"]
    assert [*found.environments["launch"]] == [1, 2] and [*found.environments["hosts"]] == [["a"], ["a"]]


def check_without_times(folder):
    idle = written(folder / "idle.jsonl", record("idle", [None, None], initiators=0))
    rows = sonde.read(idle).rows
    assert rows["median"].isna()[0] and rows["bandwidth"].isna()[0]
    empty = sonde.read(written(folder / "empty.jsonl", end=""))
    assert (len(empty.rows), len(empty.samples), len(empty.environments)) == (0, 0, 0)


def check_faults(folder):
    bad = folder / "bad.jsonl"
    bad.write_text('{"type": "launch", "launch": 1}\n{"type"\n')
    refused(f"{bad}:2: Expecting ':' delimiter: line 2 column 1 (char 8)", bad)
    refused(f"{written(bad, [1])}:1: not a line of a record file", bad)
    refused(f"{written(bad, {'type': 'record'})}:1: key 'name' not found", bad)
    refused(f"{written(bad, {'type': 'comparison', 'criterion': {}})}:1: key 'gain' not found", bad)
    refused("sonde.read: needs at least one path")
    sonde.run(MPI.COMM_SELF, lambda: None, samples=3, report=folder / "known.jsonl")
    known = json.loads((folder / "known.jsonl").read_text().splitlines()[0])
    later = written(bad, {**known, "schema_version": known["schema_version"] + 1})
    refused(f"{later}:1: lines of version 2 of the schema; this Sonde reads 1", bad)


def check_tables_of_results(folder):
    one = sonde.run(MPI.COMM_SELF, lambda: None, name="a", parameters={"bytes": 8}, samples=3)
    table = one.to_pandas()
    assert [*table.columns] == ["name", "bytes", "sample", "seconds"] and [*table["seconds"]] == one.samples.tolist()
    both = sonde.compare(MPI.COMM_SELF, {"a": lambda: None, "b": lambda: None}, samples=4, report=folder / "both.jsonl")
    table = both.to_pandas()
    assert [*table["name"]] == ["a"] * 4 + ["b"] * 4 and [*table["seconds"][4:]] == both["b"].samples.tolist()
    read = sonde.read(folder / "both.jsonl")
    assert [*read.rows["name"]] == ["a", "b"] and [*read.samples["seconds"]] == [*table["seconds"]]
    assert [*read.rows["median"]] == [both["a"].median, both["b"].median] and len(read.environments) == 1
    long = sonde.run(MPI.COMM_SELF, lambda: None, name="long", batch=100, samples=400, report=folder / "long.jsonl")
    (row,) = sonde.read(folder / "long.jsonl").rows.to_dict("records")
    assert (row["kind"], row["p99"], row["bandwidth"]) == ("record", long.percentile(0.99), long.bandwidth)
    low, high = long.interval or (None, None)  # correlated samples may have no interval
    assert low is None or (row["median_low"], row["median_high"]) == (low, high)
    probe = sonde.Probe()
    with probe("step"), probe("inner", bytes=8):
        pass
    with sonde.Reporter(folder / "scopes.jsonl", MPI.COMM_SELF) as report:
        report(found := probe.collect(MPI.COMM_SELF))
    scopes = found.to_pandas()
    assert [*scopes["name"]] == ["step", "inner"] and [*scopes["passes"]] == [1, 1] and [*scopes["depth"]] == [0, 1]
    table = sonde.read(folder / "scopes.jsonl").scopes
    assert [*table.columns] == ["file", "launch", *scopes.columns] and table[[*scopes.columns]].equals(scopes)


def check_lateness(folder):
    probe = sonde.Probe()
    for _ in range(3):
        with probe.exchange("halo"):
            pass
    found = probe.collect_lateness(MPI.COMM_SELF)
    late = {"rank": 1, "caused_seconds": 2, "exchange": "halo", "lateness_seconds": 0.5, "steps": [1, 3], "of_steps": 3}
    work = {"name": "solve", "ratio": 1.5, "of_other_steps": True, "typical_seconds": 1}
    line = {**json.loads(found.to_json()), "late": [{**late, "work": work}]}
    results = sonde.read(written(folder / "lateness.jsonl", json.loads(found.to_json()), line))
    assert [*results.lateness["steps"]] == [3, 3] and results.lateness["sentences"][0] == repr(found)
    assert results.lateness["waiting"][0] == found.waiting and results.lateness["waiting_low"].isna()[0] == (found.interval is None)
    (row,) = results.late_ranks.to_dict("records")
    assert (row["row"], row["rank"], row["exchange"], row["steps"], row["work"]) == (1, 1, "halo", [1, 3], "solve")


with tempfile.TemporaryDirectory() as name:
    for check in (check_rows, check_without_times, check_faults, check_tables_of_results, check_lateness):
        check(pathlib.Path(name))
