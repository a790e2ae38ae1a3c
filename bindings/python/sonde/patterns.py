# SPDX-License-Identifier: BSL-1.0
"""Communication patterns of C++, for `sonde.run` and `sonde.compare` beside callables of Python.

Arrays are objects with the buffer protocol (numpy, bytearray) or, on a device, with `__cuda_array_interface__` (CuPy,
Numba); they must be contiguous. Their address is passed to MPI as it is, with the datatype of their elements. What is
sent and what receives it have elements of one type, and a block or message has one size, on all ranks.

A pattern is a description: wrong arguments are reported where it is measured, on all ranks, with the line of the
program that made it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from sonde._sonde import Pattern

if TYPE_CHECKING:
    from mpi4py import MPI

__all__ = [
    "Pattern",
    "allgather",
    "allreduce",
    "alltoall",
    "barrier",
    "bcast",
    "bidirectional",
    "gather",
    "ping_pong",
    "reduce",
    "reduce_scatter_block",
    "scatter",
    "stream",
]


def _pattern(kind: str, arguments: dict[str, object]) -> Pattern:
    """A pattern that knows where the program makes it, for messages."""
    caller = sys._getframe(2)
    return Pattern(kind, arguments, f"{os.path.basename(caller.f_code.co_filename)}:{caller.f_lineno}")


def ping_pong(comm: MPI.Comm, send: Any, recv: Any = None, *, pairs: int = 1) -> Pattern:
    """A message and its answer: MPI_Send and MPI_Recv between rank r and rank r + pairs, for r < pairs.

    The answer is received into `recv`, or into `send`. `latency` of its record is half of the round trip.
    """
    return _pattern("ping_pong", {"comm": comm, "send": send, "recv": recv, "pairs": pairs})


def stream(comm: MPI.Comm, send: Any, recv: Any = None, *, window: int = 64, pairs: int = 1) -> Pattern:
    """A window of messages in one direction, and an acknowledgement: from rank r to rank r + pairs, for r < pairs.

    Each message of the window is received into a place of its own: in `recv`, which has room for all of them, or in
    memory of the host that the pattern allocates.
    """
    return _pattern("stream", {"comm": comm, "send": send, "recv": recv, "window": window, "pairs": pairs})


def bidirectional(comm: MPI.Comm, send: Any, recv: Any = None, *, window: int = 64, pairs: int = 1) -> Pattern:
    """A window of messages in both directions at once, between rank r and rank r + pairs, for r < pairs."""
    return _pattern("bidirectional", {"comm": comm, "send": send, "recv": recv, "window": window, "pairs": pairs})


def barrier(comm: MPI.Comm) -> Pattern:
    """MPI_Barrier."""
    return _pattern("barrier", {"comm": comm})


def bcast(comm: MPI.Comm, array: Any, *, root: int = 0) -> Pattern:
    """MPI_Bcast from the root."""
    return _pattern("bcast", {"comm": comm, "recv": array, "root": root})


def allreduce(comm: MPI.Comm, send: Any, recv: Any, *, op: MPI.Op | None = None) -> Pattern:
    """MPI_Allreduce by an operation, the sum by default."""
    return _pattern("allreduce", {"comm": comm, "send": send, "recv": recv, "op": op})


def reduce(comm: MPI.Comm, send: Any, recv: Any, *, op: MPI.Op | None = None, root: int = 0) -> Pattern:
    """MPI_Reduce to the root; on other ranks `recv` is not used."""
    return _pattern("reduce", {"comm": comm, "send": send, "recv": recv, "op": op, "root": root})


def allgather(comm: MPI.Comm, send: Any, recv: Any) -> Pattern:
    """MPI_Allgather; `recv` has a block of the size of `send` for each rank."""
    return _pattern("allgather", {"comm": comm, "send": send, "recv": recv})


def gather(comm: MPI.Comm, send: Any, recv: Any, *, root: int = 0) -> Pattern:
    """MPI_Gather; `recv`, which is not used on other ranks than the root, has a block of the size of `send` for each."""
    return _pattern("gather", {"comm": comm, "send": send, "recv": recv, "root": root})


def scatter(comm: MPI.Comm, send: Any, recv: Any, *, root: int = 0) -> Pattern:
    """MPI_Scatter; `send`, which is not used on other ranks than the root, has a block of the size of `recv` for each."""
    return _pattern("scatter", {"comm": comm, "send": send, "recv": recv, "root": root})


def alltoall(comm: MPI.Comm, send: Any, recv: Any) -> Pattern:
    """MPI_Alltoall; `send` and `recv` have a block for each rank."""
    return _pattern("alltoall", {"comm": comm, "send": send, "recv": recv})


def reduce_scatter_block(comm: MPI.Comm, send: Any, recv: Any, *, op: MPI.Op | None = None) -> Pattern:
    """MPI_Reduce_scatter_block; `send` has a block of the size of `recv` for each rank."""
    return _pattern("reduce_scatter_block", {"comm": comm, "send": send, "recv": recv, "op": op})
