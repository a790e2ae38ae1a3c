# SPDX-License-Identifier: BSL-1.0
"""Measurements: run, compare, fastest."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from sonde import _sonde
from sonde._comparison import Comparison
from sonde._record import Record
from sonde._report import Reporter

if TYPE_CHECKING:
    from mpi4py import MPI

Measured = Union[Callable[[], None], _sonde.Pattern]
Synchronize = Literal["once", "each", "none", "dissemination", "start"]
Role = Literal["initiator", "responder", "idle"]
Keep = Literal["sample_means", "rank_means", "rank_samples", "on_all_ranks"]
Report = Union[str, "os.PathLike[str]", Reporter, None]


class Interactive(TypedDict):
    """The arguments of `sonde.run` and `sonde.compare` that `sonde.interactive` gives."""

    warmup: Literal["stable"]
    batch: Literal["timer"]
    synchronize: Literal["dissemination"]
    until: float
    budget: float


def interactive(until: float = 0.01, budget: float = 1.0) -> Interactive:
    """A plan for a first look: `sonde.run(comm, f, **sonde.interactive())`.

    It is that of the other languages: a warm-up until times are stable, batches as long as the clock needs, a barrier of
    messages before each sample, and samples until the median is known to 1 %, for at most a second.
    """
    return {"warmup": "stable", "batch": "timer", "synchronize": "dissemination", "until": until, "budget": budget}


def _name_of(f: object) -> str:
    """The name of a function, or the place of a lambda: "solver.py:12". A partial has the name of its function."""
    if isinstance(f, _sonde.Pattern):
        return f.name
    if isinstance(f, functools.partial):
        return _name_of(f.func)
    try:
        code = getattr(f, "__code__", None)
        name = str(getattr(f, "__name__", type(f).__name__))
    except Exception:  # of the program's class; the other ranks would wait for this one
        return type(f).__name__
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code and name == "<lambda>" else name


def _native(report: object) -> object:
    return report._native if isinstance(report, Reporter) else report


def run(
    comm: MPI.Comm,
    f: Measured,
    *,
    name: str = "",
    parameters: Mapping[str, str | int | float] | None = None,
    bytes: int = 0,
    messages: int = 0,
    hops: float = 1,
    role: Role = "initiator",
    warmup: int | Literal["stable"] = 10,
    batch: int | Literal["timer"] = 1,
    samples: int | None = None,
    until: float | None = None,
    budget: float | None = None,
    confidence: float = 0.95,
    synchronize: Synchronize = "once",
    keep: Keep | Iterable[Keep] = (),
    report: Report = None,
) -> Record:
    """Measure a callable, or a pattern of `sonde.patterns`. Collective over the communicator.

    Args:
        comm: a communicator of mpi4py, which is duplicated for the call.
        f: called without arguments for each iteration, by all ranks; returns None.
        name: of the record; by default the name of the function.
        parameters: that distinguish this measurement from others of its name.
        bytes, messages: of one iteration of this rank, for the bandwidth and the message rate.
        hops: consecutive one-way trips of an iteration, 2 for a round trip, for the latency.
        role: of this rank; only times of initiators count.
        warmup: iterations before the first sample, or "stable": until their times are stable.
        batch: iterations of a sample, or "timer": as many as the clock needs.
        samples: number of samples, 100 by default; with `until` or `budget` the most.
        until: relative error of the median at which the series ends, below 1: 0.01 is 1 %. Without `budget` and
            `samples`, it has a budget of 1 s.
        budget: seconds after which the series ends.
        confidence: of intervals, also of that of `until`.
        synchronize: barriers: "once" before the first sample, "each" before each sample, "none", "dissemination" (a
            barrier of messages, before each sample), "start" (samples begin at one global time).
        keep: optional contents of the record.
        report: a path, or a `sonde.Reporter`, that gets the record.

    Raises:
        TypeError, ValueError: on all ranks, before anything is measured, for a wrong argument; TypeError for a callable
            that returned a value.
        Exception: what the callable raised, on its rank; the other ranks raise RuntimeError, which names the rank.
    """
    given = {**locals(), "gain": 0.0, "report": _native(report)}
    label = name if isinstance(name, str) and name else _name_of(f)  # another type is refused on all ranks
    return Record(_sonde.run("sonde.run", comm, {label: f}, given), confidence)


def compare(
    comm: MPI.Comm,
    alternatives: Mapping[str, Measured],
    *,
    parameters: Mapping[str, str | int | float] | None = None,
    bytes: int = 0,
    messages: int = 0,
    hops: float = 1,
    role: Role = "initiator",
    warmup: int | Literal["stable"] = 10,
    batch: int | Literal["timer"] = 1,
    samples: int | None = None,
    until: float | None = None,
    budget: float | None = None,
    confidence: float = 0.95,
    gain: float = 0.0,
    synchronize: Synchronize = "once",
    keep: Keep | Iterable[Keep] = (),
    report: Report = None,
) -> Comparison:
    """Measure alternatives against each other, in rounds of one sample of each. Collective over the communicator.

    The first alternative is the base. Callables and patterns of `sonde.patterns` may be mixed: what Python costs is
    `compare(comm, {"C++": sonde.patterns.allreduce(comm, a, b), "mpi4py": lambda: comm.Allreduce(a, b)})`.

    Arguments and exceptions are those of `run`, with these differences: `bytes`, `messages`, `hops` and `role` are those
    of all callables; `samples`, `until` and `budget` are about rounds and the speed-ups over the base, and must be
    reached by each alternative; `gain` is the least gain or loss of an alternative that is called faster or slower, below
    1: 0.02 is 2 %; `confidence` is that of all outcomes together.
    """
    given = {**locals(), "name": "", "report": _native(report)}
    return Comparison(_sonde.compare("sonde.compare", comm, alternatives, given), confidence)


def fastest(comm: MPI.Comm, alternatives: Mapping[str, Measured], **plan: Any) -> str:
    """The name of the alternative to use: `compare(comm, alternatives, **plan).fastest`, equal on all ranks."""
    return compare(comm, alternatives, **plan).fastest
