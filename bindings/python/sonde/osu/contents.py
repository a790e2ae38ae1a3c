# SPDX-License-Identifier: BSL-1.0
"""What the ranks send, and what has to arrive."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .buffers import Bytes

if TYPE_CHECKING:
    from .calls import Case

PERIOD = 251     # of the bytes: no power of two, so that blocks and their displacements differ
NEVER_SENT = 255  # a byte that no rank sends; four of them are no float

Arrival = Callable[["Case"], Bytes]


def bytes_of(rank: int, count: int, first: int = 0) -> Bytes:
    """A part of the bytes that a rank sends, from index `first`."""
    period = (np.arange(PERIOD) + 31 * rank + first) % PERIOD
    return np.resize(period.astype(np.uint8), count)


def floats_of(rank: int, count: int) -> Bytes:
    """The numbers that a rank contributes to a sum. They are small and whole, so that sums are exact in any order."""
    return np.resize(np.arange(16, dtype=np.float32) + np.float32(rank % 64), count).view(np.uint8)


def _part_of_sum(ranks: int, first: int, count: int) -> Bytes:
    total = sum(floats_of(rank, first + count).view(np.float32) for rank in range(ranks))
    return np.asarray(total, np.float32)[first:].view(np.uint8)


def nothing(case: Case) -> Bytes:
    return bytes_of(0, 0)


def from_partner(case: Case) -> Bytes:
    """The message of the rank that is half of the ranks away."""
    return bytes_of((case.rank + case.ranks // 2) % case.ranks, case.size)


def from_root(case: Case) -> Bytes:
    """The message of rank 0, on the other ranks."""
    return bytes_of(0, case.size) if case.rank != 0 else nothing(case)


def first_blocks(case: Case) -> Bytes:
    """The first block of every rank."""
    return np.concatenate([bytes_of(rank, case.size) for rank in range(case.ranks)])


def own_blocks(case: Case) -> Bytes:
    """The block that every rank has for this rank."""
    return np.concatenate([bytes_of(rank, case.size, case.rank * case.size) for rank in range(case.ranks)])


def own_block_of_root(case: Case) -> Bytes:
    """The block that rank 0 has for this rank."""
    return bytes_of(0, case.size, case.rank * case.size)


def on_root(arrival: Arrival) -> Arrival:
    """What arrives on rank 0 only."""
    return lambda case: arrival(case) if case.rank == 0 else nothing(case)


def total(case: Case) -> Bytes:
    """The sum of all ranks' vectors."""
    return _part_of_sum(case.ranks, 0, case.size // 4)


def part_of_total(case: Case) -> Bytes:
    """The part of the sum that `reduce_scatter` brings to this rank."""
    counts = case.counts_of_parts()
    return _part_of_sum(case.ranks, sum(counts[:case.rank]), counts[case.rank])


def of_window(case: Case) -> Bytes:
    """The message on rank 1, and its acknowledgement on rank 0."""
    return bytes_of(1 - case.rank, case.size if case.rank == 1 else 4)
