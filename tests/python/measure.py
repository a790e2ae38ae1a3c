#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks of the package sonde on the ranks of MPI.COMM_WORLD: `mpirun -n 3 python3 measure.py FOLDER`.

Each check is a function whose name states a promise. All ranks run all checks; FOLDER is for files.
"""

import json
import math
import os
import pathlib
import sys
import traceback

import numpy
from mpi4py import MPI

import sonde

comm = MPI.COMM_WORLD
last = comm.size - 1
folder = pathlib.Path(sys.argv[1])
checks = []


def check(f):
    checks.append(f)
    return f


def message_of(kind, f):
    """The message of the exception that f raises, which is of this kind on this rank."""
    try:
        f()
    except kind as e:
        assert type(e) is kind or issubclass(kind, OSError), f"{type(e)} is a {kind}"
        return str(e)
    raise AssertionError(f"no {kind.__name__} was raised")


def refused(kind, text, f, by=None):
    """f raises an exception of this kind with this text on all ranks, which on ranks other than `by` names that rank."""
    expected = text if by is None or comm.rank == by else f"rank {by}: {text}"
    assert (found := message_of(kind, f)) == expected, f"{found!r} is not {expected!r}"


def on_last(value, other):
    return value if comm.rank == last else other


class Counted:
    """A callable that counts its calls, and lets all ranks wait for each other."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        comm.Barrier()


def iterations(samples, **plan):
    """Calls of a run of this number of samples, and its record."""
    f = Counted()
    return f, sonde.run(comm, f, samples=samples, **plan)


# Records


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
    assert record.percentile(25) == numpy.sort(s)[int(0.25 * 500)] and record.percentile(99.99) is None
    low, high = record.interval or (0, math.inf)
    assert low <= record.median <= high
    refused(ValueError, "sonde.Record.percentile: q must be between 0 and 100", lambda: record.percentile(100))


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
    assert len(record.rank_means) == len(record.sample_means) == record.rank_samples.size == 0
    record = sonde.run(comm, Counted(), samples=7, keep=["sample_means", "rank_samples"])
    assert len(record.sample_means) == 7
    assert record.rank_samples.shape == (comm.size, 7 if comm.rank == 0 else 0)
    if comm.rank == 0:
        assert (record.rank_samples.max(axis=0) == record.samples).all()
        assert len(record.slowest_counts) == comm.size and sum(record.slowest_counts) >= 7
    assert set(record.stragglers) <= set(range(comm.size))
    record = sonde.run(comm, Counted(), samples=7, keep=["rank_samples", "on_all_ranks"])
    assert record.rank_samples.shape == (comm.size, 7)


@check
def only_initiators_count():
    record = sonde.run(comm, Counted(), bytes=10, role="initiator" if comm.rank == 0 else "responder", samples=5)
    assert (record.initiators, record.bytes) == (1, 10)
    record = sonde.run(comm, Counted(), role="idle", samples=5)
    assert (record.initiators, record.interval, record.percentile(50)) == (0, None, None)


@check
def precision_and_budget_end_a_series():
    record = sonde.run(MPI.COMM_SELF, lambda: None, until=1000.0, budget=1000)
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
    assert sonde.run(comm, lambda: comm.Barrier(), samples=1).name.startswith("measure.py:")
    assert sonde.run(comm, Counted(), samples=1).name == "Counted"
    assert sonde.run(comm, sonde.patterns.barrier(comm), samples=1).name == "barrier"


@check
def texts_of_a_record_have_its_name_and_are_escaped_in_html():
    record = sonde.run(comm, Counted(), name="<b>&", samples=3)
    assert repr(record).startswith("<b>&: median ") and "\n" not in repr(record)
    title, row = str(record).splitlines()
    assert title.startswith("name  ") and row.startswith("<b>&  ")
    assert "&lt;b&gt;&amp;" in record._repr_html_() and "<b>" not in record._repr_html_()
    assert json.loads(record.to_json())["series_seconds"] == record.samples.tolist()


# Comparisons


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


@check
def the_fastest_is_clearly_faster_or_the_base():
    slow = lambda: [comm.Barrier() for _ in range(20)] and None  # noqa: E731
    assert sonde.fastest(comm, {"slow": slow, "fast": comm.Barrier}, samples=40, gain=1e9) == "slow"
    assert sonde.compare(comm, {"a": comm.Barrier}, samples=4).fastest == "a"


# Native patterns


@check
def native_patterns_move_the_data():
    p = sonde.patterns
    one, every = numpy.full(3, comm.rank + 1.0), numpy.zeros((comm.size, 3))
    ranks = numpy.arange(1.0, comm.size + 1)
    sonde.run(comm, p.allgather(comm, one, every), samples=2)
    assert (every == ranks[:, None]).all()
    result = numpy.zeros(3)
    sonde.run(comm, p.allreduce(comm, one, result, op=MPI.MAX), samples=2)
    assert (result == comm.size).all()
    sonde.run(comm, p.reduce(comm, one, result if comm.rank == last else None, root=last), samples=2)
    assert comm.rank != last or (result == ranks.sum()).all()
    shared = numpy.full(3, comm.rank)
    sonde.run(comm, p.bcast(comm, shared, root=last), samples=2)
    assert (shared == last).all()
    every[:] = 0
    sonde.run(comm, p.gather(comm, one, every if comm.rank == last else None, root=last), samples=2)
    assert (every == (ranks[:, None] if comm.rank == last else 0)).all()
    sonde.run(comm, p.scatter(comm, every if comm.rank == last else None, result, root=last), samples=2)
    assert (result == comm.rank + 1).all()
    to_each, from_each = numpy.arange(comm.size) + 10 * comm.rank, numpy.zeros(comm.size, int)
    sonde.run(comm, p.alltoall(comm, to_each, from_each), samples=2)
    assert (from_each == comm.rank + 10 * numpy.arange(comm.size)).all()
    mine = numpy.zeros(1, int)
    sonde.run(comm, p.reduce_scatter_block(comm, to_each, mine), samples=2)
    assert mine[0] == comm.size * comm.rank + 10 * sum(range(comm.size))
    answer = bytearray(4)
    sonde.run(comm, p.ping_pong(comm, bytes([comm.rank]) * 4, answer), samples=2)
    assert answer == bytes([1 - comm.rank if comm.rank < 2 else 0]) * 4
    window = numpy.zeros((5, 2), numpy.float32)
    sonde.run(comm, p.bidirectional(comm, numpy.full(2, comm.rank + 1, numpy.float32), window, window=5), samples=2)
    assert (window == (2 - comm.rank if comm.rank < 2 else 0)).all()


@check
def native_patterns_know_their_traffic():
    a = numpy.zeros(10)
    pairs = comm.size // 2
    record = sonde.run(comm, sonde.patterns.ping_pong(comm, a, pairs=pairs), samples=3)
    assert (record.bytes, record.messages, record.initiators) == (160 * pairs, 2 * pairs, pairs)
    assert record.latency == record.median / 2
    record = sonde.run(comm, sonde.patterns.stream(comm, a, window=8), samples=3)
    assert (record.bytes, record.messages, record.initiators) == (640, 8, 1)


class OnDevice:
    """Memory of the host that says it is on a device, by `__cuda_array_interface__`."""

    def __init__(self, array, **changed):
        self.array = array
        interface = {"shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "version": 3}
        self.__cuda_array_interface__ = {**interface, **changed}


@check
def device_memory_goes_to_mpi_as_it_is_or_is_refused():
    array = numpy.zeros((2, 3))
    contiguous = sonde.patterns.allreduce(comm, OnDevice(array), OnDevice(array.copy()))
    try:
        sonde.run(comm, contiguous, samples=2)
    except RuntimeError as e:
        assert "the bytes are on a device, whose addresses this MPI library does not take" in str(e), e
    refused(
        ValueError,
        "sonde.patterns.allreduce: send is not contiguous",
        lambda: sonde.run(comm, sonde.patterns.allreduce(comm, OnDevice(array, strides=(48, 8)), array)),
    )
    refused(
        ValueError,
        "sonde.patterns.allreduce: recv is read-only",
        lambda: sonde.run(comm, sonde.patterns.allreduce(comm, array, OnDevice(array, data=(array.ctypes.data, True)))),
    )


# Wrong arguments: the same exception on all ranks, although only the last rank is wrong


def run_on_last(**wrong):
    """A run whose arguments are wrong on the last rank only."""
    return lambda: sonde.run(comm, Counted(), **(wrong if comm.rank == last else {}))


@check
def a_wrong_argument_of_one_rank_is_named_on_all():
    whole = "it must be a whole number of at least"
    for text, kind, wrong in (
        (f"samples is -1; {whole} 1", ValueError, {"samples": -1}),
        (f"samples is 0; {whole} 1", ValueError, {"samples": 0}),
        (f"samples is 1.5; {whole} 1", TypeError, {"samples": 1.5}),
        (f"batch is 0; {whole} 1", ValueError, {"batch": 0}),
        (f"batch is 'often'; {whole} 1", TypeError, {"batch": "often"}),
        (f"warmup is -3; {whole} 0", ValueError, {"warmup": -3}),
        (f"bytes is -8; {whole} 0", ValueError, {"bytes": -8}),
        (f"messages is None; {whole} 0", TypeError, {"messages": None}),
        ("until is 0; it must be a number above 0", ValueError, {"until": 0}),
        ("until is '1 %'; it must be a number above 0", TypeError, {"until": "1 %"}),
        ("budget is nan; it must be a number above 0", ValueError, {"budget": math.nan}),
        ("budget is inf; it must be a number above 0", ValueError, {"budget": math.inf}),
        ("hops is -1; it must be a number above 0", ValueError, {"hops": -1}),
        ("confidence is 1; it must be a number between 0 and 1", ValueError, {"confidence": 1}),
        ("name is 5; it must be a text", TypeError, {"name": 5}),
        ("parameters is 5; it must be a dict of texts and numbers, by names", TypeError, {"parameters": 5}),
        (
            "synchronize is 'always'; it must be \"once\", \"each\", \"none\", \"dissemination\" or \"start\"",
            ValueError,
            {"synchronize": "always"},
        ),
        ("role is 'root'; it must be \"initiator\", \"responder\" or \"idle\"", ValueError, {"role": "root"}),
    ):
        refused(kind, f"sonde.run: {text}", run_on_last(**wrong), by=last)
    keep = 'it must be "sample_means", "rank_means", "rank_samples" or "on_all_ranks"'
    refused(ValueError, f"sonde.run: keep is ['all']; {keep}", run_on_last(keep=["all"]), by=last)
    refused(ValueError, "sonde.plan: on_all_ranks is about rank_samples, which are not kept".replace("sonde.", "sonde::"),
            lambda: sonde.run(comm, Counted(), keep="on_all_ranks"))


@check
def arguments_that_differ_between_ranks_are_named():
    differ = "sonde.run: the arguments must be equal on all ranks; these parts differ: "
    refused(ValueError, differ + "synchronize", run_on_last(synchronize="start"))
    refused(ValueError, differ + "report", run_on_last(report="x.csv"))
    plan = "sonde::run: the plan must be equal on all ranks; these parts differ: "
    refused(ValueError, plan + "warm-up, batch", run_on_last(warmup=3, batch=2))
    refused(ValueError, plan + "stopping rule", run_on_last(until=0.1))
    patterns = {"a": comm.Barrier, on_last("b", "c"): comm.Barrier}
    refused(
        ValueError,
        "sonde.compare: the arguments must be equal on all ranks; these parts differ: names of alternatives",
        lambda: sonde.compare(comm, patterns),
    )
    a = numpy.zeros(on_last(2, 3))
    refused(
        ValueError,
        differ + "patterns and the sizes of their arrays",
        lambda: sonde.run(comm, sonde.patterns.allreduce(comm, a, a.copy())),
    )


@check
def what_is_no_callable_is_refused():
    accepted = "it must be callable, or a pattern of sonde.patterns"
    refused(TypeError, f"sonde.run: f is of type int; {accepted}", lambda: sonde.run(comm, on_last(5, comm.Barrier)), by=last)
    refused(TypeError, f'sonde.compare: "a" is of type str; {accepted}', lambda: sonde.compare(comm, {"a": "b"}))
    refused(TypeError, "sonde.compare: alternatives must be a dict", lambda: sonde.compare(comm, [comm.Barrier]))
    refused(ValueError, "sonde.compare: there is no alternative", lambda: sonde.compare(comm, {}))


@check
def what_is_no_communicator_is_refused():
    accepted = "it must be a communicator of mpi4py"
    refused(TypeError, f"sonde.run: comm is of type int; {accepted}", lambda: sonde.run(0, comm.Barrier))
    refused(ValueError, "sonde.run: the communicator is MPI.COMM_NULL", lambda: sonde.run(MPI.COMM_NULL, comm.Barrier))
    half = comm.Split(0 if comm.rank < comm.size // 2 else 1)
    leader = 0 if comm.rank >= comm.size // 2 else comm.size // 2
    both = half.Create_intercomm(0, comm, leader)
    refused(ValueError, "sonde::mpi::group: the communicator is an inter-communicator", lambda: sonde.run(both, comm.Barrier))
    both.Free()
    record = sonde.run(half, half.Barrier, samples=3)
    assert record.ranks == half.size
    half.Free()


@check
def wrong_arrays_of_one_rank_are_named_on_all():
    a, b = numpy.zeros(6), numpy.zeros(6)
    p, allreduce = sonde.patterns, "sonde.patterns.allreduce: "

    def refused_array(kind, text, pattern, by=last):
        refused(kind, text, lambda: sonde.run(comm, pattern, samples=2), by=by)

    refused_array(ValueError, allreduce + "send is not contiguous", p.allreduce(comm, on_last(numpy.zeros(12)[::2], a), b))
    refused_array(ValueError, allreduce + "recv is read-only", p.allreduce(comm, a, on_last(bytes(48), b)))
    lacks = ", which has neither the buffer protocol nor __cuda_array_interface__"
    refused_array(TypeError, allreduce + "send is of type list" + lacks, p.allreduce(comm, on_last([1.0], a), b))
    refused_array(TypeError, allreduce + "recv is of type NoneType" + lacks, p.allreduce(comm, a, on_last(None, b)))
    refused_array(ValueError, allreduce + "recv has 8 bytes; it needs 48", p.allreduce(comm, a, on_last(numpy.zeros(1), b)))
    untyped = numpy.zeros(6, [("x", float)])
    refused_array(
        ValueError, allreduce + "send has elements of a type that MPI cannot reduce", p.allreduce(comm, on_last(untyped, a), b)
    )
    refused_array(TypeError, allreduce + "op is of type str; it must be an mpi4py.MPI.Op", p.allreduce(comm, a, b, op="sum"), by=None)
    blocks = f"send has {comm.size + 1} elements, which are no {comm.size} equal blocks"
    odd = numpy.zeros(comm.size + 1)
    refused_array(ValueError, "sonde.patterns.alltoall: " + blocks, p.alltoall(comm, odd, odd.copy()), by=None)
    root = f"sonde.patterns.bcast: root is {comm.size}; it must be a rank, from 0 to {last}"
    refused_array(ValueError, root, p.bcast(comm, a, root=comm.size), by=None)
    pairs = f"pairs is {comm.size}; it must be at most half of the {comm.size} ranks"
    refused_array(ValueError, "sonde.patterns.ping_pong: " + pairs, p.ping_pong(comm, a, pairs=comm.size), by=None)
    refused_array(
        ValueError,
        "sonde.patterns.stream: window is 0; it must be a whole number of at least 1",
        p.stream(comm, a, window=0),
        by=None,
    )
    refused_array(
        ValueError, "sonde.patterns.ping_pong: send is read-only, and recv is None", p.ping_pong(comm, bytes(4)), by=None
    )
    other = comm.Dup()
    refused_array(ValueError, "sonde.patterns.barrier: the pattern is of another communicator", p.barrier(other), by=None)
    other.Free()
    refused(
        ValueError,
        "sonde.run: bytes, messages, hops and role are those of a callable; a native pattern has its own",
        lambda: sonde.run(comm, p.barrier(comm), bytes=8),
    )


# Callables that fail


class Failing(Counted):
    """Calls `fail()` on the last rank, in one call."""

    def __init__(self, fail, at=5):
        super().__init__()
        self.fail, self.at = fail, at

    def __call__(self):
        super().__call__()
        if comm.rank == last and self.calls == self.at:
            return self.fail()


def divide():
    return 1 // 0


@check
def an_exception_of_one_rank_ends_the_run_on_all():
    text = "integer division or modulo by zero"
    for at in 1, 5, 60:  # in the warm-up, and in a sample
        for call in (lambda f: sonde.run(comm, f), lambda f: sonde.compare(comm, {"a": comm.Barrier, "b": f})):
            f = Failing(divide, at)
            if comm.rank == last:
                assert message_of(ZeroDivisionError, lambda: call(f)) == text
            else:
                assert message_of(RuntimeError, lambda: call(f)) == f"rank {last}: ZeroDivisionError: {text}"
    assert sonde.run(comm, comm.Barrier, samples=3).stop == ("samples", 3)


@check
def the_exception_of_a_rank_has_its_traceback():
    try:
        sonde.run(comm, Failing(divide))
    except ZeroDivisionError as e:
        assert "divide" in "".join(traceback.format_exception(e))
    except RuntimeError:
        pass


@check
def an_interrupt_ends_the_run_on_all():
    def interrupt():
        raise KeyboardInterrupt

    kind, text = (KeyboardInterrupt, "") if comm.rank == last else (RuntimeError, f"rank {last}: KeyboardInterrupt: ")
    assert message_of(kind, lambda: sonde.run(comm, Failing(interrupt))) == text


@check
def a_callable_that_returns_a_value_is_refused_on_all_ranks():
    text = "sonde: the callable returned a value of type int; it must return None, so that its work is done when it returns"
    refused(TypeError, text, lambda: sonde.run(comm, Failing(lambda: 5)), by=last)
    refused(TypeError, text, lambda: sonde.run(comm, lambda: comm.Barrier() or 5))


@check
def a_callable_that_forks_is_refused_and_its_child_measures_nothing():
    text = "sonde: the callable forked; a process that MPI does not know must not be measured"
    pids = []

    def fork():
        pids.append(os.fork())  # the child returns from the callable, too

    kind, expected = (RuntimeError, text) if comm.rank == last else (RuntimeError, f"rank {last}: {text}")
    assert message_of(kind, lambda: sonde.run(comm, Failing(fork))) == expected
    for pid in pids:
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1


@check
def a_run_within_a_callable_is_a_run():
    inner = []
    record = sonde.run(comm, lambda: inner.append(sonde.run(comm, comm.Barrier, samples=2, warmup=0)), samples=2, warmup=1)
    assert record.stop == ("samples", 2) and [r.stop for r in inner] == [("samples", 2)] * 3


# Probes


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
def scopes_that_overlap_are_refused():
    probe = sonde.Probe()
    outer, inner = probe("outer"), probe("inner")
    outer.__enter__()
    inner.__enter__()
    refused(RuntimeError, "sonde.Probe: the scope outer ends, and is not the innermost one", lambda: outer.__exit__(None, None, None))
    refused(RuntimeError, "sonde.Probe: the scope other ends, and is not the innermost one", lambda: probe("other").__exit__())


# Reports


def shared(name):
    """A path of this name, which no other number of ranks uses."""
    return folder / f"{comm.size}_{name}"


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
    form = "its name must end with .jsonl, .csv, .html or .txt"
    refused(ValueError, f"sonde.run: the report is x.xls; {form}", lambda: sonde.run(comm, f, report="x.xls"))
    refused(TypeError, "expected str, bytes or os.PathLike object, not int", lambda: sonde.run(comm, f, report=5))
    assert f.calls == 0


comm.Barrier()
failed = 0
for one in checks:
    try:
        one()
    except Exception:
        failed += 1
        print(f"rank {comm.rank}: {one.__name__}\n{traceback.format_exc()}", file=sys.stderr, flush=True)
    if comm.allreduce(failed):  # after a fault ranks may disagree on what follows
        comm.Abort(1)
if comm.rank == 0:
    print(f"{len(checks)} checks passed on {comm.size} ranks")
MPI.Finalize()
refused(RuntimeError, "sonde::mpi: MPI_Finalize has been called", lambda: sonde.run(comm, print))
