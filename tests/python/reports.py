# SPDX-License-Identifier: BSL-1.0
"""Probes and reports."""

import json
import os
import pathlib
import pickle
import sys

import sonde
from support import Counted, check, comm, message_of, refused

folder = pathlib.Path(sys.argv[1])


@check
def scopes_nest_as_their_blocks_do():
    probe = sonde.Probe()
    kept = probe("kept", bytes=16)
    for _ in range(3):
        with probe("step"):
            with probe("exchange", bytes=8):
                pass
            with kept:
                pass
    with kept:
        pass
    if comm.rank == 0:
        with probe("rank 0 only"):
            pass
    found = probe.collect(comm)
    n = comm.size
    assert [(s.name, s.parent, s.depth, s.passes, s.bytes) for s in found] == [
        ("step", None, 0, 3 * n, 0),
        ("exchange", 0, 1, 3 * n, 24 * n),
        ("kept", 0, 1, 3 * n, 48 * n),
        ("kept", None, 0, n, 16 * n),
        ("rank 0 only", None, 0, 1, 0),
    ]
    assert [s.ranks for s in found] == [n, n, n, n, 1]
    assert comm.allgather([(s.median, s.total, s.share) for s in found]) == [[(s.median, s.total, s.share) for s in found]] * n
    title, *rows = repr(found).splitlines()
    assert title.startswith("scope ") and rows[1].startswith("  exchange ") and len(rows) == 5
    assert "<td>step</td>" in found._repr_html_()
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and [s.total for s in again] == [s.total for s in found]


@check
def a_scope_ends_when_an_exception_leaves_its_block():
    probe = sonde.Probe()
    try:
        with probe("fails"):
            raise KeyError
    except KeyError:
        pass
    assert [(s.name, s.passes) for s in probe.collect(comm)] == [("fails", comm.size)]


@check
def what_is_no_scope_is_refused():
    probe = sonde.Probe()
    refused(TypeError, "sonde.Probe: name is 3; it must be a text", lambda: probe(3))
    refused(TypeError, "sonde.Probe: bytes is 1.5; it must be a whole number of at least 0", lambda: probe("a", bytes=1.5))
    refused(ValueError, "sonde.Probe: bytes is -1; it must be a whole number of at least 0", lambda: probe("a", bytes=-1))


@check
def scopes_that_overlap_are_refused():
    probe = sonde.Probe()
    outer, inner = probe("outer"), probe("inner")
    outer.__enter__()
    inner.__enter__()
    refused(RuntimeError, "sonde.Probe: the scope outer ends, and is not the innermost one", lambda: outer.__exit__(None, None, None))
    refused(RuntimeError, "sonde.Probe: the scope other ends, and is not the innermost one", lambda: probe("other").__exit__(None, None, None))


def shared(name):
    """A path of this name, which no other number of ranks uses."""
    return folder / f"{comm.size}_{name}"


def failing():
    raise AssertionError("nothing is to be measured")


@check
def a_report_has_what_was_measured():
    path = shared("report.jsonl")
    probe = sonde.Probe()
    with sonde.Reporter(path, comm) as report:
        record = sonde.run(comm, Counted(), name="one", parameters={"bytes": 8}, report=report, samples=6)
        found = sonde.compare(comm, {"a": Counted(), "b": Counted()}, report=report, samples=4)
        with probe("step"):
            pass
        report(probe.collect(comm))
        report(record)
    comm.Barrier()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["type"] for line in lines] == ["environment", "record", "comparison", "scopes", "record"]
    assert lines[0]["command_line"].endswith(f"measure.py {sys.argv[1]}") and sum(lines[0]["ranks_per_host"]) == comm.size
    assert lines[1]["series_seconds"] == record.samples.tolist() and lines[1]["parameters"] == {"bytes": 8}
    assert lines[4]["series_seconds"] == lines[1]["series_seconds"]
    assert [one["outcome"] for one in lines[2]["alternatives"]] == [*found.outcomes.values()]
    refused(ValueError, "sonde.Reporter: the report is closed", lambda: report(record))
    refused(ValueError, "sonde.run: the report is closed", lambda: sonde.run(comm, failing, report=report))


@check
def reports_have_the_form_of_their_extension():
    for extension, begins in (".csv", "name,ranks,"), (".txt", "name "), (".html", "<!DOCTYPE html>"), (".jsonl", '{"type":"environment"'):
        path = shared("form" + extension)
        sonde.run(comm, Counted(), name="one", report=str(path), samples=3)
        comm.Barrier()
        assert path.read_text().startswith(begins), extension


@check
def a_report_that_cannot_be_written_is_refused_on_all_ranks_before_anything_is_measured():
    f = Counted()
    text = "cannot write '/no such folder/x.csv': No such file or directory"
    message = message_of(OSError, lambda: sonde.run(comm, f, report="/no such folder/x.csv"))
    assert message == (f"[Errno 2] {text}" if comm.rank == 0 else f"rank 0: {text}"), message
    form = "its name must end with .txt, .csv, .jsonl, .html, .prom, .svg, .png or .pdf"
    refused(ValueError, f"sonde.run: the report is x.xls; {form}", lambda: sonde.run(comm, f, report="x.xls"))
    refused(TypeError, "sonde.run: report is 5; it must be a path or a sonde.Reporter", lambda: sonde.run(comm, f, report=5))
    assert f.calls == 0
