# SPDX-License-Identifier: BSL-1.0
"""Named scopes of a running application."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from sonde import _html, _sonde
from sonde._lateness import Lateness

if TYPE_CHECKING:
    from mpi4py import MPI


class ScopeRecord:
    """Result for one scope of a probe, equal on all ranks. Times are in seconds, of single passes."""

    def __init__(self, native: _sonde.ScopeRecord) -> None:
        """Scope records are made by `Probe.collect`."""
        self._native = native

    @property
    def name(self) -> str:
        """Name of the scope."""
        return self._native.name

    @property
    def parent(self) -> int | None:
        """Index in the list of the enclosing scope; None for an outermost scope."""
        return self._native.parent

    @property
    def depth(self) -> int:
        """Number of enclosing scopes."""
        return self._native.depth

    @property
    def kind(self) -> str:
        """What the application does in the scope: "work", "exchange", or "part", which is anything."""
        return self._native.kind

    @property
    def passes(self) -> int:
        """Number of passes of all ranks."""
        return self._native.passes

    @property
    def ranks(self) -> int:
        """Number of ranks with a pass."""
        return self._native.ranks

    @property
    def bytes(self) -> float:
        """Bytes of all passes of all ranks."""
        return self._native.bytes

    @property
    def median(self) -> float | None:
        """Median time of a pass, with a relative error of at most 3 %."""
        return self._native.median

    @property
    def p99(self) -> float | None:
        """99th percentile of the times; None for too few passes."""
        return self._native.p99

    @property
    def max(self) -> float:
        """The longest pass."""
        return self._native.max

    @property
    def total(self) -> float:
        """Total time of all passes of all ranks."""
        return self._native.total

    @property
    def share(self) -> float | None:
        """Share of the time of the enclosing scope or, of an outermost scope, of the time since the probe was made."""
        return self._native.share

    @property
    def imbalance(self) -> float | None:
        """The largest total of a rank over the mean of the ranks; 1 if all are equal."""
        return self._native.imbalance

    @property
    def slowest(self) -> int:
        """The rank with the largest total."""
        return self._native.slowest

    @property
    def slow_rank(self) -> int | None:
        """The rank whose passes usually take longest; None if the ranks hardly differ.

        In a scope around work this rank is slow; in one around an exchange it usually waited for the slow rank.
        """
        return self._native.slow_rank

    @property
    def bandwidth(self) -> float | None:
        """Bytes per second of one rank in the scope."""
        return self._native.bandwidth

    def __repr__(self) -> str:
        return f"{self.name}: {self.passes} passes, median {_html.microseconds(self.median)} us"


_COLUMNS = ("name", "parent", "depth", "passes", "ranks", "median", "p99", "max", "total", "share", "imbalance", "slowest", "bytes", "bandwidth")


def row_of_scope(scope: ScopeRecord | _sonde.ScopeRecord) -> dict[str, Any]:
    """The columns of a table of scopes, by their names."""
    return {name: getattr(scope, name) for name in _COLUMNS}


class Scopes(list[ScopeRecord]):
    """The scopes of a probe, parents before their children. `print(scopes)` writes a table."""

    def __init__(self, scopes: Iterable[ScopeRecord] = ()) -> None:
        super().__init__(scopes)

    def __repr__(self) -> str:
        return _sonde.scope_table([scope._native for scope in self])

    def _repr_html_(self) -> str:
        titles = ["scope", "passes", "ranks", "median us", "share", "max/mean", "slowest"]
        rows = [
            [
                "\u00a0" * 2 * scope.depth + scope.name,
                scope.passes,
                scope.ranks,
                _html.microseconds(scope.median),
                "-" if scope.share is None else f"{100 * scope.share:.1f} %",
                "-" if scope.imbalance is None else f"{scope.imbalance:.2f}",
                "-" if scope.slow_rank is None else scope.slow_rank,
            ]
            for scope in self
        ]
        return _html.table(titles, rows)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each scope."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame([row_of_scope(scope) for scope in self], columns=_COLUMNS)


class Probe:
    """Scopes of one thread of an application. Only `collect` and `collect_lateness` communicate.

    probe = sonde.Probe()
    with probe("step"):
        with probe("exchange", bytes=n):
            ...
    """

    def __init__(self, *, kept_passes: int = 4096) -> None:
        """A probe that keeps the latest passes of scopes of work and of exchanges for `collect_lateness`.

        A pass takes 24 bytes; the number is rounded up to a power of two.
        """
        self._native = _sonde.Probe(kept_passes)

    def __call__(self, name: str, *, bytes: int = 0) -> AbstractContextManager[None]:
        """A scope for `with`: its passes are timed, with the bytes that this rank moves in a pass.

        It is nested in the scope that is active when it is entered. It may be kept, and entered again and again.
        """
        return self._native(name, bytes=bytes)

    def work(self, name: str) -> AbstractContextManager[None]:
        """The same for a scope in which this rank computes and does not wait for other ranks."""
        return self._native.work(name)

    def exchange(self, name: str, *, bytes: int = 0, partners: Iterable[int] = ()) -> AbstractContextManager[None]:
        """The same for an exchange, in which this rank waits for its partners; without partners for all ranks.

        Partners are ranks of the communicator of `collect_lateness`; `MPI.PROC_NULL` is none. All ranks that have the exchange pass it equally often.
        """
        return self._native.exchange(name, bytes=bytes, partners=partners)

    def collect(self, comm: MPI.Comm) -> Scopes:
        """The scopes of all ranks, merged. Collective over the communicator."""
        return Scopes(ScopeRecord(scope) for scope in self._native.collect(comm))

    def collect_lateness(self, comm: MPI.Comm, *, effect: float = 0.05, false_alarms: float = 0.01) -> Lateness:
        """Who made ranks wait, from the latest passes of exchanges and scopes of work. Collective over the communicator.

        A rank is named if another rank waited the share `effect` of its time for it. Of reports of ranks of equal work, at most the
        share `false_alarms` names a rank. The options of rank 0 count.
        """
        return Lateness(self._native.collect_lateness(comm, effect=effect, false_alarms=false_alarms))
