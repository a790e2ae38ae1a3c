# SPDX-License-Identifier: BSL-1.0
"""Records and comparisons."""

import functools
import json
import math
import pickle

import numpy
from mpi4py import MPI

import sonde
from support import Counted, check, comm, iterations, refused


@check
def a_run_calls_for_the_warm_up_and_for_each_iteration_of_each_sample():
    for warmup, batch, samples in (10, 1, 100), (0, 1, 1), (3, 7, 5):
        f, record = iterations(samples, warmup=warmup, batch=batch)
        assert f.calls == warmup + batch * samples, f.calls
        assert (record.batch, record.stop, len(record.samples)) == (batch, ("samples", samples), samples)
    f, record = iterations(None)
    assert f.calls == 110 and record.stop == ("samples", 100)


@check
def a_record_has_what_the_caller_said():
    record = sonde.run(
        comm, Counted(), name="halo", parameters={"bytes": 8, "way": "fast", "share": 0.5}, bytes=100, messages=3, hops=2, samples=40
    )
    assert record.name == "halo" and record.parameters == {"bytes": 8, "way": "fast", "share": 0.5}
    assert [type(v) for v in record.parameters.values()] == [int, str, float]
    assert (record.bytes, record.messages) == (100 * comm.size, 3 * comm.size)
    assert (record.ranks, record.initiators) == (comm.size, comm.size)
    assert record.latency == record.median / 2
    assert record.bandwidth == 100 * comm.size / record.median and record.message_rate == 3 * comm.size / record.median
    assert record.bus_bandwidth == record.bandwidth
    assert set(record.flags) <= {"timer_limited", "correlated", "oversubscribed"}


@check
def statistics_are_those_of_numpy_on_the_samples():
    record = sonde.run(comm, Counted(), samples=501)
    s = record.samples
    assert s.dtype == numpy.float64 and s.shape == (501,) and (s > 0).all()
    assert record.median == numpy.median(s) and record.min == s.min() and record.max == s.max()
    assert math.isclose(record.mean, s.mean(), rel_tol=1e-12) and math.isclose(record.stddev, s.std(ddof=1), rel_tol=1e-9)
    assert record.percentile(0.25) == numpy.sort(s)[int(0.25 * 500)] and record.percentile(0.9999) is None
    low, high = record.interval or (0, math.inf)
    assert low <= record.median <= high
    accepted = "it must be a number between 0 and 1, such as 0.99"
    for q, kind in (99, ValueError), (0, ValueError), (1, ValueError), ("0.5", TypeError):
        refused(kind, f"sonde.Record.percentile: q is {q!r}; {accepted}", lambda: record.percentile(q))


@check
def records_are_equal_on_all_ranks():
    record = sonde.run(comm, Counted(), name="equal", keep="rank_means")
    everywhere = comm.allgather((record.samples.tolist(), record.rank_means.tolist(), repr(record), record.median, record.interval))
    assert all(one == everywhere[0] for one in everywhere)
    assert len(record.rank_means) == comm.size


@check
def samples_are_read_only_and_outlive_their_record():
    samples = sonde.run(comm, Counted(), samples=5).samples
    assert len(samples.tolist()) == 5
    refused(ValueError, "assignment destination is read-only", lambda: samples.__setitem__(0, 1))


@check
def a_record_keeps_what_it_is_asked_to_keep():
    record = sonde.run(comm, Counted(), samples=7)
    assert len(record.rank_means) == len(record.sample_means) == 0 and record.rank_samples is None
    record = sonde.run(comm, Counted(), samples=7, keep=["sample_means", "rank_samples"])
    assert len(record.sample_means) == 7
    assert (record.rank_samples is None) == (record.slowest_counts is None) == (comm.rank != 0)
    if comm.rank == 0:
        assert record.rank_samples.shape == (comm.size, 7)
        assert (record.rank_samples.max(axis=0) == record.samples).all()
        assert len(record.slowest_counts) == comm.size and sum(record.slowest_counts) >= 7
    assert set(record.stragglers) <= set(range(comm.size)) and len(record.straggler_lags) == len(record.stragglers)
    assert len(record.straggler_texts()) == (len(record.stragglers) if comm.rank == 0 else 0)
    record = sonde.run(comm, Counted(), samples=7, keep=["rank_samples", "on_all_ranks"])
    assert record.rank_samples.shape == (comm.size, 7)


@check
def only_initiators_count():
    record = sonde.run(comm, Counted(), bytes=10, role="initiator" if comm.rank == 0 else "responder", samples=5)
    assert (record.initiators, record.bytes) == (1, 10)
    record = sonde.run(comm, Counted(), role="idle", samples=5)
    assert (record.initiators, record.interval, record.percentile(0.5)) == (0, None, None)


@check
def precision_and_budget_end_a_series():
    record = sonde.run(MPI.COMM_SELF, lambda: None, until=0.99, budget=1000)
    assert record.stop[0] == "precision" and record.stop[1] >= 30
    record = sonde.run(comm, Counted(), budget=0.01)
    assert record.stop[0] == "time_budget"
    record = sonde.run(comm, Counted(), until=1e-9, samples=20)
    assert record.stop == ("samples", 20)
    record = sonde.run(comm, Counted(), budget=1000, samples=20)
    assert record.stop == ("samples", 20)


@check
def every_synchronizer_measures():
    for word in "once", "each", "none", "dissemination", "start":
        f, record = iterations(20, synchronize=word)
        assert f.calls >= 30 and record.stop == ("samples", 20), word


@check
def warm_up_and_batch_may_be_left_to_sonde():
    f, record = iterations(5, warmup="stable", batch="timer")
    assert record.batch >= 1 and f.calls > 5 * record.batch


@check
def a_record_without_a_name_has_that_of_its_function():
    assert sonde.run(comm, comm.Barrier, samples=1).name == "Barrier"
    assert sonde.run(comm, lambda: comm.Barrier(), samples=1).name.startswith("records.py:")
    assert sonde.run(comm, Counted(), samples=1).name == "Counted"
    assert sonde.run(comm, functools.partial(functools.partial(comm.Bcast), numpy.zeros(1)), samples=1).name == "Bcast"
    assert sonde.run(comm, sonde.patterns.barrier(comm), samples=1).name == "barrier"

    class Nameless(Counted):
        @property
        def __name__(self):
            raise RuntimeError("on one rank")

    assert sonde.run(comm, Nameless() if comm.rank == 0 else comm.Barrier, samples=1).name == ("Nameless" if comm.rank == 0 else "Barrier")


@check
def a_plan_for_a_first_look_is_that_of_the_other_languages():
    plan = sonde.interactive(budget=0.02)
    assert plan == {"warmup": "stable", "batch": "timer", "synchronize": "dissemination", "until": 0.01, "budget": 0.02}
    assert sonde.run(comm, Counted(), **plan).stop[0] in ("precision", "time_budget", "unreachable")


@check
def results_are_the_same_after_json_and_pickle():
    record = sonde.run(
        comm, Counted(), name="ü", parameters={"n": 2**60, "way": "a", "x": 0.1}, bytes=8, hops=2, confidence=0.9, samples=300, keep="rank_means"
    )
    for again in sonde.Record.from_json(record.to_json(), 0.9), pickle.loads(pickle.dumps(record)):
        assert again.to_json() == record.to_json() and repr(again) == repr(record) and str(again) == str(record)
        assert (again.samples == record.samples).all() and again.interval == record.interval and again.parameters == record.parameters
    found = sonde.compare(comm, {"a": comm.Barrier, "b": Counted()}, gain=0.03, confidence=0.9, samples=100)
    for again in sonde.Comparison.from_json(found.to_json(), 0.9), pickle.loads(pickle.dumps(found)):
        assert again.to_json() == found.to_json() and repr(again) == repr(found)
        assert again.intervals == found.intervals and again.fastest == found.fastest and again["b"].interval == found["b"].interval
    idle = sonde.run(comm, Counted(), role="idle", samples=5)
    assert pickle.loads(pickle.dumps(idle)).to_json() == idle.to_json()
    refused(ValueError, "sonde.Record.from_json: the line is that of another result", lambda: sonde.Record.from_json(found.to_json()))
    refused(ValueError, "sonde.Record.from_json: key 'type' not found", lambda: sonde.Record.from_json("{}"))
    refused(TypeError, "sonde.Comparison.from_json: the line is of type dict; it must be a text", lambda: sonde.Comparison.from_json({}))


@check
def texts_of_a_record_have_its_name_and_are_escaped_in_html():
    record = sonde.run(comm, Counted(), name="<b>&", samples=3)
    assert repr(record).startswith("<b>&: median ") and "\n" not in repr(record)
    title, row = str(record).splitlines()
    assert title.startswith("name  ") and row.startswith("<b>&  ")
    assert "&lt;b&gt;&amp;" in record._repr_html_() and "<b>" not in record._repr_html_()
    assert json.loads(record.to_json())["series_seconds"] == record.samples.tolist()


@check
def a_comparison_takes_callables_and_native_patterns():
    a, b = numpy.arange(4.0), numpy.zeros(4)
    found = sonde.compare(
        comm, {"C++": sonde.patterns.allreduce(comm, a, b), "mpi4py": lambda: comm.Allreduce(a, b), "nothing": Counted()}, samples=15
    )
    assert [*found.records] == ["C++", "mpi4py", "nothing"] == [r.name for r in found.records.values()]
    assert all(r.stop == ("samples", 15) for r in found.records.values())
    assert found["C++"].bytes == 32 and (b == a * comm.size).all()
    assert [*found.outcomes.values()][0] == "base" and found.speedups["C++"] == 1 and found.intervals["C++"] is None
    assert set(found.outcomes.values()) <= {"base", "faster", "slower", "undecided"}
    ratio = found["C++"].samples / found["mpi4py"].samples
    assert math.isclose(found.speedups["mpi4py"], numpy.median(ratio), rel_tol=1e-9)
    assert comm.allgather(found.fastest) == [found.fastest] * comm.size
    assert repr(found).startswith("alternative ") and "mpi4py" in repr(found) and "<td>mpi4py</td>" in found._repr_html_()
    assert [one["record"]["name"] for one in json.loads(found.to_json())["alternatives"]] == [*found.records]
    assert set(found.gains.values()) == {None}
    found.set_application("halo", 1.0, 2.0, 10.0)
    for name, gain in found.gains.items():
        assert gain is None or math.isclose(gain[0], 0.1 * (1 - 1 / found.speedups[name]))
    assert "by the transfer in halo, 10 % of the loop; waiting there, 20 %" in repr(found)
    message = "sonde.Comparison.set_application: waiting must be a time of at least 0, not -2.0"
    refused(ValueError, message, lambda: found.set_application("halo", 1.0, -2.0, 10.0))


@check
def the_fastest_is_clearly_faster_or_the_base():
    assert sonde.fastest(comm, {"base": comm.Barrier, "same": comm.Barrier}, samples=40, gain=0.99) == "base"
    assert sonde.compare(comm, {"a": comm.Barrier}, samples=4).fastest == "a"
