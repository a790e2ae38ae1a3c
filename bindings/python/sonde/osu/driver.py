# SPDX-License-Identifier: BSL-1.0
"""Runs a program: checks what was asked, validates contents, measures each size and prints its row."""
from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from mpi4py import MPI

import sonde
from sonde._sonde import needs_rank_samples

from .benchmarks import Benchmark, Kind
from .buffers import Bytes, open_memory, require_objects
from .calls import WINDOW, Case
from .columns import Row, columns_of
from .contents import NEVER_SENT, bytes_of, floats_of
from .options import DEFAULT_BUDGET, Options, parse
from .refusal import Refusal, T, together


# Iterations of a sample where OMB has thousands: a message takes a few dozen times as long as the reading of a clock.
BATCH = 10


def _require_ranks(benchmark: Benchmark, ranks: int) -> None:
    started = f"; it was started with {ranks}"
    if benchmark.kind in (Kind.LATENCY, Kind.BANDWIDTH, Kind.BOTH_WAYS) and ranks != 2:
        raise Refusal("This test requires exactly two processes" + started)
    if ranks < 2:
        raise Refusal("This test requires at least two processes" + started)
    if benchmark.kind is Kind.PAIRS and ranks % 2 != 0:
        raise Refusal("This test requires an even number of processes" + started)


def _rank_on_node(comm: MPI.Intracomm) -> int:
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    rank = node.Get_rank()
    node.Free()
    return rank


class _Reports:
    """The report files, which rank 0 writes. All functions are collective, and raise Refusal on all ranks."""

    def __init__(self, paths: Sequence[str], comm: MPI.Intracomm) -> None:
        self._comm = comm
        self._all = [self._written(partial(sonde.Reporter, path, comm)) for path in paths]

    def add(self, record: sonde.Record) -> None:
        for report in self._all:
            together(self._comm, lambda: self._written(partial(report, record)))

    def close(self) -> None:
        for report in self._all:
            together(self._comm, lambda: self._written(report.close))

    @staticmethod
    def _written(f: Callable[[], T]) -> T:
        try:
            return f()
        except (OSError, RuntimeError) as e:
            raise Refusal(f"Cannot report [--report]: {e}") from e


class Program:
    """A program on one rank: its options and buffers. All functions are collective."""

    def __init__(self, asked: Options, comm: MPI.Intracomm) -> None:
        self._asked, self._comm = asked, comm
        self._rank, self._ranks = comm.Get_rank(), comm.Get_size()
        self._objects = asked.pickle and asked.benchmark.has_objects
        together(comm, lambda: _require_ranks(asked.benchmark, self._ranks))
        rank_on_node = _rank_on_node(comm)
        together(comm, lambda: self._allocate(rank_on_node))

    def _allocate(self, rank_on_node: int) -> None:
        asked, most = self._asked, max(self._asked.sizes(), default=0)
        self._memory = open_memory(asked.buffer, rank_on_node)
        if self._objects:
            require_objects(self._memory, asked.buffer, asked.benchmark.is_sum)
        blocks = asked.benchmark.sends.number(self._rank, self._ranks)
        content = floats_of(self._rank, most // 4) if asked.benchmark.is_sum else bytes_of(self._rank, max(most * blocks, 4))
        self._sends = self._memory.allocate(content)
        room = max(most * asked.benchmark.receives.number(self._rank, self._ranks), 4)
        self._receives = self._memory.allocate(np.full(room, NEVER_SENT, np.uint8))

    def _case(self, size: int) -> Case:
        return Case(self._comm, size, self._memory, self._sends, self._receives, self._objects)

    def validate(self) -> None:
        """An untimed iteration of each size. Raises Refusal if other bytes arrive than were sent. Each size brings bytes
        to a part of the buffer where the sizes before brought none, so that a lost message is noticed."""
        for size in self._asked.sizes():
            case = self._case(size)
            expected = self._asked.benchmark.arrival(case)
            iteration = self._asked.benchmark.iteration(case)
            self._comm.Barrier()
            iteration()
            together(self._comm, lambda: self._require_contents(case, expected))

    def _require_contents(self, case: Case, expected: Bytes) -> None:
        if not expected.size:
            return
        parts = [self._receives[:expected.size]] if not case.objects else case.got if isinstance(case.got, list) else [case.got]
        if not np.array_equal(np.concatenate([self._memory.read(part) for part in parts]), expected):
            raise Refusal(f"Wrong contents: rank {self._rank} received other bytes than were sent, in a message of {case.size} bytes")

    def measure(self) -> None:
        """Prints the table, a row as soon as it is measured."""
        benchmark, sizes = self._asked.benchmark, self._asked.sizes()
        columns = columns_of(benchmark, self._asked.statistics)
        reports = _Reports(self._asked.reports, self._comm)
        self._line(f"# {'OMB-Py' if benchmark.is_window else 'OMB Python'} MPI {benchmark.title} Test")
        self._line(f"# {'Size (B)':<8}" + "".join(column.title for column in columns))
        for number, size in enumerate(sizes, 1):
            row = Row(benchmark, size, self._run(size))
            self._line(f"{size:<10}" + "".join(column.text(row) for column in columns))
            reports.add(row.record)
            self._progress(number, len(sizes))
        reports.close()

    def _run(self, size: int) -> sonde.Record:
        benchmark = self._asked.benchmark
        messages = WINDOW if benchmark.is_window else 1 if benchmark.is_round_trip else 0  # a collective has no rate
        return sonde.run(
            self._comm, benchmark.iteration(self._case(size)), name="osu_" + benchmark.name,
            parameters={"bytes": size, "buffer": self._asked.buffer, "pickle": "yes" if self._objects else "no",
                        **({"window": WINDOW} if benchmark.is_window else {})},
            bytes=size * messages, messages=messages, hops=benchmark.hops,
            role="initiator" if benchmark.begins(self._rank, self._ranks) else "responder",
            keep="rank_samples" if any(map(needs_rank_samples, self._asked.reports)) else (),
            **self._plan(size))

    def _plan(self, size: int) -> dict[str, Any]:
        """OMB's counts, or the rule that was asked for, with the given counts as limits."""
        asked, (iterations, warmup) = self._asked, self._asked.counts(size)
        if not asked.until and not asked.budget:
            batch = BATCH if iterations >= 100 * BATCH and iterations % BATCH == 0 else 1
            return {"warmup": warmup, "batch": batch, "samples": iterations // batch}
        most = iterations if asked.iterations else None
        if not asked.until:
            return {"warmup": warmup, "samples": most, "budget": asked.budget}
        return {"warmup": "stable" if asked.skip is None else warmup, "batch": "timer", "samples": most,
                "until": asked.until, "budget": asked.budget or DEFAULT_BUDGET}

    def _line(self, text: str) -> None:
        if self._rank == 0:
            print(text, flush=True)

    def _progress(self, done: int, all_rows: int) -> None:
        """A line on a terminal while the rows go to a file."""
        if self._rank == 0 and sys.stderr.isatty() and not sys.stdout.isatty():
            print(f"\r{done}/{all_rows} rows", end="\n" if done == all_rows else "", file=sys.stderr, flush=True)


def _run(arguments: Sequence[str], comm: MPI.Intracomm) -> None:
    if any(others != list(arguments) for others in comm.allgather(list(arguments))):
        raise Refusal("The ranks have different arguments; accepted: the same on all ranks")
    asked = together(comm, lambda: parse(arguments))
    if isinstance(asked, str):
        if comm.Get_rank() == 0:
            print(asked, end="")
        return
    program = Program(asked, comm)
    program.validate()
    program.measure()


def run(arguments: Sequence[str], comm: MPI.Intracomm) -> int:
    """Runs the program that the arguments name, and returns the exit status. Collective over the communicator."""
    try:
        _run(arguments, comm)
    except Refusal as e:
        if comm.Get_rank() == 0:
            print(e, file=sys.stderr)
        return 1
    return 0
