# SPDX-License-Identifier: BSL-1.0
"""Wrong arguments: the same exception on all ranks, although only the last rank is wrong."""

import math

import numpy
from mpi4py import MPI

import sonde
from support import Counted, check, comm, last, on_last, refused


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
    untyped = numpy.zeros(6, [("O", float)])
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
