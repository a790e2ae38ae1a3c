# SPDX-License-Identifier: BSL-1.0
"""Patterns of C++ on arrays of Python."""

import numpy
from mpi4py import MPI

import sonde
from support import check, comm, last, refused


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
    except ValueError as e:
        refusal = "send is on a device, whose addresses this MPI library does not take; copy it to the host"
        assert str(e).startswith("sonde.patterns.allreduce (native.py:") and str(e).endswith(f"): {refusal}"), e
    refused(
        ValueError,
        "sonde.patterns.allreduce: send is not contiguous",
        lambda: sonde.run(comm, sonde.patterns.allreduce(comm, OnDevice(array, strides=(48, 8)), array)),
    )
    for wrong in {"shape": (-1,)}, {"shape": 6}, {"typestr": "<f"}, {"data": ()}, {"strides": ()}:
        refused(
            TypeError,
            "sonde.patterns.allreduce: send has a __cuda_array_interface__ that is not one of this protocol",
            lambda: sonde.run(comm, sonde.patterns.allreduce(comm, OnDevice(array, **wrong), array)),
        )

    class Kept(numpy.ndarray):
        """As a tensor of PyTorch whose gradient is wanted."""

        @property
        def __cuda_array_interface__(self):
            raise RuntimeError("it requires grad")

    refused(
        ValueError,
        "sonde.patterns.allreduce: send gives no device array: it requires grad",
        lambda: sonde.run(comm, sonde.patterns.allreduce(comm, array.view(Kept), array)),
    )
    refused(
        ValueError,
        "sonde.patterns.allreduce: recv is read-only",
        lambda: sonde.run(comm, sonde.patterns.allreduce(comm, array, OnDevice(array, data=(array.ctypes.data, True)))),
    )
