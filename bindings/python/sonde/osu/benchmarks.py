# SPDX-License-Identifier: BSL-1.0
"""The table of the programs."""
from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from . import calls, contents

Counts = tuple[tuple[int, int], tuple[int, int]]


class Kind(enum.Enum):
    """What a row is."""

    LATENCY = enum.auto()     # half a round trip of two ranks
    PAIRS = enum.auto()       # the same of several pairs
    BANDWIDTH = enum.auto()   # a window of messages of two ranks
    BOTH_WAYS = enum.auto()   # a window in both directions
    COLLECTIVE = enum.auto()
    BARRIER = enum.auto()     # the collective without sizes


class Blocks(enum.Enum):
    """Length of a buffer."""

    ONE = enum.auto()         # message
    EACH = enum.auto()        # a block for each rank
    ROOT = enum.auto()        # a block for each rank on rank 0, one block on the others

    def number(self, rank: int, ranks: int) -> int:
        return ranks if self is Blocks.EACH or (self is Blocks.ROOT and rank == 0) else 1


MANY: Counts = ((10000, 1000), (100, 10))       # iterations and warm-up, up to 8192 bytes and above
WINDOWS: Counts = ((100, 10), (30, 3))
MIB = 1 << 20
FLOAT = 4             # bytes


@dataclass(frozen=True)
class Benchmark:
    """A program."""

    name: str
    title: str
    iteration: Callable[[calls.Case], calls.Iteration]
    arrival: contents.Arrival
    kind: Kind = Kind.COLLECTIVE
    sends: Blocks = Blocks.ONE
    receives: Blocks = Blocks.ONE
    has_objects: bool = True   # mpi4py has a lower-case function
    element: int = 1           # bytes

    @property
    def is_window(self) -> bool:
        """A row is a bandwidth."""
        return self.kind in (Kind.BANDWIDTH, Kind.BOTH_WAYS)

    @property
    def is_round_trip(self) -> bool:
        return self.kind in (Kind.LATENCY, Kind.PAIRS)

    @property
    def hops(self) -> int:
        """One-way trips of an iteration."""
        return 2 if self.is_round_trip else 1

    @property
    def is_sum(self) -> bool:
        return self.element == FLOAT

    @property
    def min(self) -> int:
        return 0 if self.is_round_trip else self.element

    @property
    def max(self) -> int:
        return MIB if self.kind in (Kind.COLLECTIVE, Kind.BARRIER) else 4 * MIB

    @property
    def counts(self) -> Counts:
        return WINDOWS if self.is_window else MANY

    def begins(self, rank: int, ranks: int) -> bool:
        """The times of this rank count: it begins the iteration, and sees its end."""
        return rank < ranks // 2 if self.is_round_trip or self.kind is Kind.BANDWIDTH else True


EACH, ROOT = Blocks.EACH, Blocks.ROOT

BENCHMARKS = {row.name: row for row in (
    Benchmark("latency", "Latency", calls.latency, contents.from_partner, kind=Kind.LATENCY),
    Benchmark("bw", "Bandwidth", calls.bw, contents.of_window, kind=Kind.BANDWIDTH),
    Benchmark("bibw", "Bi-Directional Bandwidth", calls.bibw, contents.from_partner, kind=Kind.BOTH_WAYS),
    Benchmark("multi_lat", "Multi Latency", calls.multi_lat, contents.from_partner, kind=Kind.PAIRS),
    Benchmark("allgather", "Allgather", calls.allgather, contents.first_blocks, receives=EACH),
    Benchmark("allgatherv", "Allgatherv", calls.allgatherv, contents.first_blocks, receives=EACH, has_objects=False),
    Benchmark("allreduce", "Allreduce", calls.allreduce, contents.total, element=FLOAT),
    Benchmark("alltoall", "Alltoall", calls.alltoall, contents.own_blocks, sends=EACH, receives=EACH),
    Benchmark("alltoallv", "Alltoallv", calls.alltoallv, contents.own_blocks, sends=EACH, receives=EACH, has_objects=False),
    Benchmark("barrier", "Barrier", calls.barrier, contents.nothing, kind=Kind.BARRIER, has_objects=False),
    Benchmark("bcast", "Bcast", calls.bcast, contents.from_root),
    Benchmark("gather", "Gather", calls.gather, contents.on_root(contents.first_blocks), receives=ROOT),
    Benchmark("gatherv", "Gatherv", calls.gatherv, contents.on_root(contents.first_blocks), receives=ROOT),
    Benchmark("reduce", "Reduce", calls.reduce, contents.on_root(contents.total), element=FLOAT),
    Benchmark("reduce_scatter", "Reduce_scatter", calls.reduce_scatter, contents.part_of_total, element=FLOAT, has_objects=False),
    Benchmark("scatter", "Scatter", calls.scatter, contents.own_block_of_root, sends=ROOT),
    Benchmark("scatterv", "Scatterv", calls.scatterv, contents.own_block_of_root, sends=ROOT),
)}
