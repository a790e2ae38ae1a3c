# SPDX-License-Identifier: BSL-1.0
"""The iterations of the programs: functions that take a case and return what a rank calls."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from typing import Any

from mpi4py import MPI

from .buffers import NumpyMemory

Iteration = Callable[[], None]

WINDOW = 64          # messages between two acknowledgements
ACKNOWLEDGEMENT = 4  # bytes


@dataclass
class Case:
    """A program at one size, on one rank."""

    comm: MPI.Intracomm
    size: int               # bytes of a message, of a block, or of the vector of a reduction
    memory: NumpyMemory
    sends: Any              # buffer
    receives: Any           # buffer, not used by objects
    objects: bool           # pickled, by the lower-case functions of mpi4py
    got: Any = None         # object that the last iteration received

    @cached_property
    def rank(self) -> int:
        return self.comm.Get_rank()

    @cached_property
    def ranks(self) -> int:
        return self.comm.Get_size()

    def bytes_of(self, buffer: Any) -> list[Any]:
        """The message, or a block of it for each rank, as mpi4py takes it."""
        return [buffer, self.size, MPI.BYTE]

    def blocks_of(self, buffer: Any) -> list[Any]:
        """A block for each rank, by counts and displacements."""
        return [buffer, ([self.size] * self.ranks, [self.size * rank for rank in range(self.ranks)]), MPI.BYTE]

    def floats_of(self, buffer: Any) -> list[Any]:
        """The vector of a reduction."""
        return [buffer, self.size // MPI.FLOAT.Get_size(), MPI.FLOAT]

    def counts_of_parts(self) -> list[int]:
        """Elements that each rank receives of the sum: equal parts, and one more on the first ranks for the remainder."""
        count, remainder = divmod(self.size // MPI.FLOAT.Get_size(), self.ranks)
        return [count + (rank < remainder) for rank in range(self.ranks)]

    def object(self) -> Any:
        """The bytes to send, as an object."""
        return self.sends[:self.size]

    def object_of_floats(self) -> Any:
        """The vector to reduce, as an object."""
        return self.memory.floats(self.sends[:self.size])

    def keeping(self, call: Callable[..., Any], *arguments: Any) -> Iteration:
        """An iteration that keeps what the call returns."""
        def iteration() -> None:
            self.got = call(*arguments)
        return iteration


_NO_ITEMS: dict[None, None] = {}


def _calls(f: Callable[..., None], *arguments: Any) -> Iterator[None]:
    """An iterator without an end, whose every step is the call f(*arguments)."""
    return map(f, *map(repeat, arguments))


def _both(first: Iterator[None], second: Iterator[None]) -> Iteration:
    """A step of each, without a function of Python: its call would take as long as OMB's loop for the iteration."""
    return map(_NO_ITEMS.get, first, second).__next__  # get(None, None) is None


def _ping_pong(case: Case, partner: int, is_first: bool) -> Iteration:
    if not case.objects:
        out = _calls(case.comm.Send, case.bytes_of(case.sends), partner, 1)
        into = _calls(case.comm.Recv, case.bytes_of(case.receives), partner, 1)
        return _both(out, into) if is_first else _both(into, out)
    send, receive, message = case.comm.send, case.comm.recv, case.object()

    def ping() -> None:
        send(message, partner, 1)
        case.got = receive(None, partner, 1)

    def pong() -> None:
        case.got = receive(None, partner, 1)
        send(message, partner, 1)
    return ping if is_first else pong


def latency(case: Case) -> Iteration:
    return _ping_pong(case, 1 - case.rank, case.rank == 0)


def multi_lat(case: Case) -> Iteration:
    """The ranks of the lower half begin, each with its partner in the upper half."""
    half = case.ranks // 2
    return _ping_pong(case, (case.rank + half) % case.ranks, case.rank < half)


def _room_for(message: Any) -> bytearray:
    """Memory for an object that comes by irecv: all messages of a window, which are equal, come into the same."""
    return bytearray(len(MPI.pickle.dumps(message)))


def _bw_of_objects(case: Case) -> Iteration:
    comm, window, wait = case.comm, range(WINDOW), MPI.Request.waitall
    message, acknowledgement = case.object(), case.sends[:ACKNOWLEDGEMENT]
    post, receive, post_receive, send, room = comm.isend, comm.recv, comm.irecv, comm.send, _room_for(message)

    def send_window() -> None:
        wait([post(message, 1, 100) for _ in window])
        case.got = receive(None, 1, 101)

    def receive_window() -> None:
        case.got = wait([post_receive(room, 0, 100) for _ in window])[-1]
        send(acknowledgement, 0, 101)
    return send_window if case.rank == 0 else receive_window


def bw(case: Case) -> Iteration:
    """A window of messages from rank 0, which rank 1 acknowledges."""
    if case.objects:
        return _bw_of_objects(case)
    comm, window, wait = case.comm, range(WINDOW), MPI.Request.Waitall
    post, receive, post_receive, send = comm.Isend, comm.Recv, comm.Irecv, comm.Send
    message, into = case.bytes_of(case.sends), case.bytes_of(case.receives)
    acknowledgement, room = ([buffer, ACKNOWLEDGEMENT, MPI.BYTE] for buffer in (case.sends, case.receives))

    def send_window() -> None:
        wait([post(message, 1, 100) for _ in window])
        receive(room, 1, 101)

    def receive_window() -> None:
        wait([post_receive(into, 0, 100) for _ in window])
        send(acknowledgement, 0, 101)
    return send_window if case.rank == 0 else receive_window


def bibw(case: Case) -> Iteration:
    """A window of messages in both directions."""
    partner, window = 1 - case.rank, range(WINDOW)
    tag, tag_of_partner = (100, 10) if case.rank == 0 else (10, 100)
    if case.objects:
        post_object, post_room, wait_objects = case.comm.isend, case.comm.irecv, MPI.Request.waitall
        found, room = case.object(), _room_for(case.object())

        def exchange() -> None:
            received = [post_room(room, partner, tag_of_partner) for _ in window]
            wait_objects([post_object(found, partner, tag) for _ in window])
            case.got = wait_objects(received)[-1]
    else:
        post, post_receive, wait = case.comm.Isend, case.comm.Irecv, MPI.Request.Waitall
        message, into = case.bytes_of(case.sends), case.bytes_of(case.receives)

        def exchange() -> None:
            received = [post_receive(into, partner, tag_of_partner) for _ in window]
            wait([post(message, partner, tag) for _ in window])
            wait(received)
    return exchange


# Collectives with buffers are calls of mpi4py without a function of Python around them.

def allgather(case: Case) -> Iteration:
    if case.objects:
        return case.keeping(case.comm.allgather, case.object())
    return partial(case.comm.Allgather, case.bytes_of(case.sends), case.bytes_of(case.receives))


def allgatherv(case: Case) -> Iteration:
    return partial(case.comm.Allgatherv, case.bytes_of(case.sends), case.blocks_of(case.receives))


def allreduce(case: Case) -> Iteration:
    if case.objects:
        return case.keeping(case.comm.allreduce, case.object_of_floats(), MPI.SUM)
    return partial(case.comm.Allreduce, case.floats_of(case.sends), case.floats_of(case.receives), MPI.SUM)


def _blocks_as_objects(case: Case) -> list[Any]:
    return [case.sends[case.size * rank:case.size * (rank + 1)] for rank in range(case.ranks)]


def alltoall(case: Case) -> Iteration:
    if case.objects:
        return case.keeping(case.comm.alltoall, _blocks_as_objects(case))
    return partial(case.comm.Alltoall, case.bytes_of(case.sends), case.bytes_of(case.receives))


def alltoallv(case: Case) -> Iteration:
    return partial(case.comm.Alltoallv, case.blocks_of(case.sends), case.blocks_of(case.receives))


def barrier(case: Case) -> Iteration:
    return case.comm.Barrier


def bcast(case: Case) -> Iteration:
    if case.objects:
        return case.keeping(case.comm.bcast, case.object() if case.rank == 0 else None, 0)
    return partial(case.comm.Bcast, case.bytes_of(case.sends if case.rank == 0 else case.receives), 0)


def gather(case: Case) -> Iteration:
    if case.objects:
        return case.keeping(case.comm.gather, case.object(), 0)
    return partial(case.comm.Gather, case.bytes_of(case.sends), case.bytes_of(case.receives) if case.rank == 0 else None, 0)


def gatherv(case: Case) -> Iteration:
    if case.objects:
        return gather(case)
    return partial(case.comm.Gatherv, case.bytes_of(case.sends), case.blocks_of(case.receives) if case.rank == 0 else None, 0)


def reduce(case: Case) -> Iteration:
    if case.objects:
        return case.keeping(case.comm.reduce, case.object_of_floats(), MPI.SUM, 0)
    into = case.floats_of(case.receives) if case.rank == 0 else None
    return partial(case.comm.Reduce, case.floats_of(case.sends), into, MPI.SUM, 0)


def reduce_scatter(case: Case) -> Iteration:
    counts = case.counts_of_parts()
    into = [case.receives, counts[case.rank], MPI.FLOAT]
    return partial(case.comm.Reduce_scatter, case.floats_of(case.sends), into, counts, MPI.SUM)


def scatter(case: Case) -> Iteration:
    if case.objects:
        return case.keeping(case.comm.scatter, _blocks_as_objects(case) if case.rank == 0 else None, 0)
    return partial(case.comm.Scatter, case.bytes_of(case.sends) if case.rank == 0 else None, case.bytes_of(case.receives), 0)


def scatterv(case: Case) -> Iteration:
    if case.objects:
        return scatter(case)
    return partial(case.comm.Scatterv, case.blocks_of(case.sends) if case.rank == 0 else None, case.bytes_of(case.receives), 0)
