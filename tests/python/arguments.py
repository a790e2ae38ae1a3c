# SPDX-License-Identifier: BSL-1.0
"""Wrong arguments: the same exception on all ranks, although only the last rank is wrong."""

import math
import sys

import numpy
from mpi4py import MPI

import sonde
from support import Counted, check, comm, last, message_of, on_last, refused


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
        ("until is 0; it must be a number between 0 and 1: 0.01 is 1 %", ValueError, {"until": 0}),
        ("until is 1; it must be a number between 0 and 1: 0.01 is 1 %", ValueError, {"until": 1}),
        ("until is '1 %'; it must be a number between 0 and 1: 0.01 is 1 %", TypeError, {"until": "1 %"}),
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
        ("name is '\\udc80'; it must be without lone surrogates", ValueError, {"name": "\udc80"}),
        ("name is ['a']; it must be a text", TypeError, {"name": ["a"]}),
        (f"parameters is {{'n': {2**70}}}; it must be of whole numbers with at most 64 bits", ValueError, {"parameters": {"n": 2**70}}),
        ("parameters is {'n': 1j}; it must be a dict of texts and numbers, by names", TypeError, {"parameters": {"n": 1j}}),
        ("parameters is {'n': '\\udc80'}; it must be without lone surrogates", ValueError, {"parameters": {"n": "\udc80"}}),
        ("report is 5; it must be a path or a sonde.Reporter", TypeError, {"report": 5}),
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
    refused(ValueError, differ + "report", lambda: sonde.run(comm, Counted(), report=on_last("x.csv", "y.csv")))
    refused(ValueError, differ + "confidence, parameters", run_on_last(confidence=0.5, parameters={"n": 1}))
    refused(
        ValueError,
        "sonde.compare: the arguments must be equal on all ranks; these parts differ: gain",
        lambda: sonde.compare(comm, {"a": comm.Barrier}, gain=on_last(0.5, 0)),
    )
    refused(
        ValueError,
        "sonde.Reporter: the arguments must be equal on all ranks; these parts differ: path",
        lambda: sonde.Reporter(on_last("x.csv", "y.csv"), comm),
    )
    plan = "sonde::run: the plan must be equal on all ranks; these parts differ: "
    refused(ValueError, plan + "warm-up, batch", run_on_last(warmup=3, batch=2))
    refused(ValueError, differ + "until", run_on_last(until=0.1))
    refused(ValueError, differ + "samples, budget", run_on_last(samples=20, budget=2))
    accepted = "it must be a number of at least 0 and below 1: 0.02 is 2 %"
    for gain in 2, -0.1:
        text = f"sonde.compare: gain is {gain}; {accepted}"
        refused(ValueError, text, lambda: sonde.compare(comm, {"a": comm.Barrier}, gain=on_last(gain, 0)), by=last)
    patterns = {"a": comm.Barrier, on_last("b", "c"): comm.Barrier}
    refused(
        ValueError,
        "sonde.compare: the arguments must be equal on all ranks; these parts differ: names of alternatives",
        lambda: sonde.compare(comm, patterns),
    )


@check
def patterns_that_differ_between_ranks_are_described():
    a, b, p = numpy.zeros(4), numpy.zeros(4, "f4"), sonde.patterns
    both = "the patterns must be equal on all ranks; on rank 0 {}; on rank " + str(last) + " {}"

    def refused_patterns(of_root, of_last, pattern):
        refused(ValueError, f"sonde.run: {both.format(of_root, of_last)}", lambda: sonde.run(comm, pattern, samples=2))

    summed = "allreduce, {} bytes of {}, op {}"
    floats, other = on_last(b, a), on_last(b, a).copy()
    refused_patterns(summed.format(32, "float64", "MPI.SUM"), summed.format(16, "float32", "MPI.SUM"), p.allreduce(comm, floats, other))
    fewer = on_last(a[:3], a)
    refused_patterns(summed.format(32, "float64", "MPI.SUM"), summed.format(24, "float64", "MPI.SUM"), p.allreduce(comm, fewer, fewer.copy()))
    extremum = p.allreduce(comm, a, a.copy(), op=on_last(MPI.MIN, MPI.MAX))
    refused_patterns(summed.format(32, "float64", "MPI.MAX"), summed.format(32, "float64", "MPI.MIN"), extremum)
    integers = on_last(numpy.zeros(4, "i8"), a)  # of one size
    refused_patterns("bcast, 32 bytes of float64, root 0", "bcast, 32 bytes of int64, root 0", p.bcast(comm, integers))
    swapped = on_last(a.astype(">f8"), a)
    refused_patterns("bcast, 32 bytes of float64, root 0", "bcast, 32 bytes of >f8, root 0", p.bcast(comm, swapped))
    in_fortran = "bcast, 48 bytes of float64 in the order of Fortran, root 0"
    refused_patterns("bcast, 48 bytes of float64, root 0", in_fortran, p.bcast(comm, numpy.zeros((2, 3), order=on_last("F", "C"))))
    refused_patterns("bcast, 32 bytes of float64, root 0", f"bcast, 32 bytes of float64, root {last}", p.bcast(comm, a, root=on_last(last, 0)))
    refused_patterns(
        "gather, 32 bytes of float64, root 0",
        "gather, 32 bytes of int64, root 0",
        p.gather(comm, integers, numpy.zeros((comm.size, 4)) if comm.rank == 0 else None),
    )
    refused_patterns(
        "stream, 32 bytes of float64, window 2, pairs 1", "stream, 32 bytes of float64, window 3, pairs 1", p.stream(comm, a, window=on_last(3, 2))
    )
    refused_patterns("barrier", "a callable", on_last(comm.Barrier, p.barrier(comm)))
    text = "sonde.compare: " + both.format("barrier", "bcast, 32 bytes of float64, root 0")
    patterns = {"a": p.barrier(comm), "b": on_last(p.bcast(comm, a), p.barrier(comm))}
    refused(ValueError, text, lambda: sonde.compare(comm, patterns))


@check
def send_and_receive_memory_must_fit_together():
    p = sonde.patterns
    one, every = numpy.ones(8), numpy.ones((comm.size, 8))
    types = "send has elements of float64, and recv of {}"
    made = {
        "ping_pong": lambda send, recv: p.ping_pong(comm, send, recv),
        "stream": lambda send, recv: p.stream(comm, send, recv, window=1),
        "bidirectional": lambda send, recv: p.bidirectional(comm, send, recv, window=1),
        "allreduce": lambda send, recv: p.allreduce(comm, send, recv),
        "allgather": lambda send, recv: p.allgather(comm, send, recv),
        "alltoall": lambda send, recv: p.alltoall(comm, send, recv),
        "reduce_scatter_block": lambda send, recv: p.reduce_scatter_block(comm, send, recv),
    }
    gathers, scatters = ("allgather", "alltoall"), ("alltoall", "reduce_scatter_block")
    for name, pattern in made.items():
        send, recv = (every if name in scatters else one), (every if name in gathers else one)
        for dtype, called in ("f4", "float32"), ("i8", "int64"), (">f8", ">f8"), ("c8", "complex64"), ("u1", "uint8"), ("V8", "8x"):
            same_bytes = numpy.zeros(recv.nbytes // numpy.dtype(dtype).itemsize, dtype)
            text = f"sonde.patterns.{name}: " + types.format(called)
            refused(ValueError, text, lambda: sonde.run(comm, pattern(send, on_last(same_bytes, recv.copy())), samples=2), by=last)
            assert not same_bytes.tobytes().strip(b"\0"), name
        longer = numpy.zeros((2, *recv.shape))
        if name not in ("stream", "bidirectional"):  # a window may have more room
            other, given, needed = "recv", longer.nbytes, recv.nbytes
            if name == "reduce_scatter_block":  # the block is that of recv
                other, given, needed = "send", send.nbytes, 2 * send.nbytes
            text = f"sonde.patterns.{name}: {other} has {given} bytes; it needs {needed}"
            refused(ValueError, text, lambda: sonde.run(comm, pattern(send, on_last(longer, recv.copy())), samples=2), by=last)
        if name not in ("ping_pong", "stream") and send.size == recv.size:
            text = f"sonde.patterns.{name}: send and recv overlap"
            refused(ValueError, text, lambda: sonde.run(comm, pattern(send, send), samples=2))
    by_rows, by_columns = numpy.zeros((2, 3)), numpy.zeros((2, 3), order="F")
    text = "sonde.patterns.allreduce: send and recv have different orders of elements in memory, that of C and that of Fortran"
    refused(ValueError, text, lambda: sonde.run(comm, p.allreduce(comm, by_rows, on_last(by_columns, by_rows.copy()))), by=last)
    sonde.run(comm, p.allreduce(comm, by_columns, by_columns.copy(order="F")), samples=2)
    sonde.run(comm, p.gather(comm, one, numpy.zeros((8, comm.size), order="F") if comm.rank == 0 else None), samples=2)
    many = f"sonde.patterns.stream: there is no memory for a window of {2**60} messages of 64 bytes"
    refused(ValueError, many, lambda: sonde.run(comm, p.stream(comm, one, window=2**60)))
    rooted = {
        "reduce": p.reduce(comm, one, numpy.zeros(16, "f4") if comm.rank == last else None, root=last),
        "gather": p.gather(comm, one, every.astype("i8") if comm.rank == last else None, root=last),
        "scatter": p.scatter(comm, every if comm.rank == last else None, one.astype("u8"), root=last),
    }
    for (name, pattern), dtype in zip(rooted.items(), ("float32", "int64", "uint64")):
        refused(ValueError, f"sonde.patterns.{name}: " + types.format(dtype), lambda: sonde.run(comm, pattern), by=last)


@check
def a_wrong_array_is_reported_with_the_line_that_made_the_pattern():
    line = sys._getframe().f_lineno + 1
    pattern = sonde.patterns.allreduce(comm, on_last([1.0], numpy.zeros(1)), numpy.zeros(1))
    assert repr(pattern) == f"<sonde.patterns.allreduce (arguments.py:{line})>"
    message = message_of(TypeError, lambda: sonde.run(comm, pattern))
    assert f"sonde.patterns.allreduce (arguments.py:{line}): send is of type list" in message, message


@check
def what_is_no_callable_is_refused():
    accepted = "it must be callable, or a pattern of sonde.patterns"
    refused(TypeError, f"sonde.run: f is of type int; {accepted}", lambda: sonde.run(comm, on_last(5, comm.Barrier)), by=last)
    refused(TypeError, f'sonde.compare: "a" is of type str; {accepted}', lambda: sonde.compare(comm, {"a": "b"}))
    refused(TypeError, "sonde.compare: alternatives must be a dict", lambda: sonde.compare(comm, [comm.Barrier]))
    refused(ValueError, "sonde.compare: there is no alternative", lambda: sonde.compare(comm, {}))
    names = "sonde.compare: names must be without lone surrogates"
    refused(ValueError, names, lambda: sonde.compare(comm, {on_last("\udc80", "a"): comm.Barrier}), by=last)


@check
def what_is_no_path_and_no_result_is_refused():
    refused(TypeError, "sonde.Reporter: path is 5; it must be a path", lambda: sonde.Reporter(on_last(5, "x.csv"), comm), by=last)
    refused(ValueError, "sonde.Reporter: path has a null character", lambda: sonde.Reporter("x\0.csv", comm))


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
    objects = "send has elements that are Python objects"
    refused_array(ValueError, allreduce + objects, p.allreduce(comm, on_last(numpy.array([None] * 6), a), b))
    released = memoryview(bytearray(48))
    released.release()
    gives_none = "send gives no buffer: operation forbidden on released memoryview object"
    refused_array(ValueError, allreduce + gives_none, p.allreduce(comm, on_last(released, a), b))
    untyped, half = numpy.zeros(6, [("O", float)]), numpy.zeros(6, "f2")
    for other, dtype in (untyped, "T{d:O:}"), (half, "f2"):
        cannot = f"send has elements of {dtype}, which MPI cannot reduce"
        refused_array(ValueError, allreduce + cannot, p.allreduce(comm, on_last(other, a), on_last(other.copy(), b)))
    refused_array(TypeError, allreduce + "op is of type str; it must be an mpi4py.MPI.Op", p.allreduce(comm, a, b, op="sum"), by=None)
    refused_array(ValueError, allreduce + "op is MPI.OP_NULL", p.allreduce(comm, a, b, op=on_last(MPI.OP_NULL, MPI.SUM)))
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
