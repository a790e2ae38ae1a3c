# SPDX-License-Identifier: BSL-1.0
"""Who made the ranks of a loop wait."""

from __future__ import annotations

import html
from dataclasses import dataclass

from sonde import _sonde
from sonde._record import result_of_line


@dataclass(frozen=True)
class LateRank:
    """A rank that was late by an effect and more often than chance explains."""

    rank: int
    caused: float
    """Waiting of all ranks that it caused by what it did between exchanges."""
    share: float
    """Share of all waiting that it caused."""
    exchange: str
    """The exchange that it reached late."""
    lateness: float
    """Median delay in its late steps."""
    steps: list[int]
    """The steps in which it was late: numbers of the passes of the exchange, from 0."""
    of_steps: int
    """Passes of the exchange that were examined."""
    work: str
    """The scope of work that made it late; empty for time outside of all."""
    ratio: float
    """Time of this work in the late steps over its usual time; 0 for time outside of all."""
    of_other_steps: bool
    """True if the usual time is the rank's median in other steps, False if it is that of the other ranks."""


@dataclass(frozen=True)
class SlowTransfer:
    """Ranks on which an exchange takes long after all partners have entered."""

    exchange: str
    ranks: list[int]
    ratio: float
    """The smallest of their medians over the median of the other ranks."""
    caused: float
    """Waiting of other ranks for these ranks' transfers."""


@dataclass(frozen=True)
class UnequalPasses:
    """Ranks that passed an exchange unequally often, of those that have it, since their probes were made."""

    fewest: int
    fewest_rank: int
    most: int
    most_rank: int


@dataclass(frozen=True)
class ScopeEffect:
    """Steps that stand out in the times of a scope of work, or in the transfers of an exchange, on the median rank."""

    scope: str
    """The scope of work, or the exchange."""
    kind: str
    """A "period", "burst", "change_point" or "drift"."""
    steps: list[int]
    """Numbers of the passes of an exchange, from 0; from a change point on all steps, for a drift all."""
    of_steps: int
    """Steps of the series."""
    period: int
    """Distance of the steps."""
    typical: float
    """Median time of the other steps, before a change point, or at the start of a drift."""
    excess: float
    """Time of its steps above that; of a drift, of the last step."""
    p: float
    """Bound of the probability that a healthy series shows such an effect."""


@dataclass(frozen=True)
class ExchangeLateness:
    """Waiting and transfer of an exchange: times of all ranks."""

    name: str
    passes: int
    """Passes of each rank that were examined."""
    unexamined: int
    """Earlier passes of each rank."""
    waiting: float
    """Until the last partner of a rank has entered."""
    transfer: float
    """The rest."""
    unequal: UnequalPasses | None
    """The fewest and the most passes of a rank; None if all ranks passed it equally often."""


@dataclass(frozen=True)
class RankLateness:
    """Waiting of a rank, and waiting of all ranks that it caused."""

    waiting: float
    caused_by_work: float
    caused_by_transfer: float


class Lateness:
    """Who made the ranks of a loop wait, equal on all ranks. Times are in seconds.

    `print(lateness)` writes the sentences and two tables; `repr(lateness)` is the sentences. It can be pickled.
    """

    def __init__(self, native: _sonde.Lateness) -> None:
        """Made by `Probe.collect_lateness` and `Lateness.from_json`."""
        self._native = native

    @staticmethod
    def from_json(line: str) -> Lateness:
        """The result of a line of JSON Lines; the inverse of `to_json`. Raises ValueError for another line."""
        return Lateness(result_of_line("sonde.Lateness.from_json", line, _sonde.Lateness))

    @property
    def sentences(self) -> list[str]:
        """What is known: "Ranks waited 12.1 % of the loop (..).", "Rank 3 caused 91 % of it: ..", a text each."""
        return self._native.sentences

    @property
    def waiting(self) -> float:
        """Share of the ranks' time that they waited in exchanges: 0.121 is 12.1 %."""
        return self._native.waiting

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the share of waiting; None for too few steps."""
        return self._native.interval

    @property
    def transfer(self) -> float:
        """Share of the ranks' time in transfers of exchanges."""
        return self._native.transfer

    @property
    def steps(self) -> int:
        """Passes of exchanges that were examined."""
        return self._native.steps

    @property
    def enough_steps(self) -> bool:
        """True if the steps are enough to name ranks."""
        return self._native.enough_steps

    @property
    def observed(self) -> float:
        """Time of these steps, of all ranks."""
        return self._native.observed

    @property
    def clock_error(self) -> float:
        """Bound of the error of a difference of two ranks' times; shorter waits count as transfer."""
        return self._native.clock_error

    @property
    def late(self) -> list[LateRank]:
        """The late ranks, those who caused most first."""
        return [LateRank(*one) for one in self._native.late]

    @property
    def slow_transfers(self) -> list[SlowTransfer]:
        """The ranks whose transfers are slow."""
        return [SlowTransfer(*one) for one in self._native.slow_transfers]

    @property
    def exchanges(self) -> list[ExchangeLateness]:
        """Waiting and transfer of each exchange."""
        return [ExchangeLateness(name, passes, unexamined, waiting, transfer, UnequalPasses(*unequal) if unequal else None)
                for name, passes, unexamined, waiting, transfer, unequal in self._native.exchanges]

    @property
    def ranks(self) -> list[RankLateness]:
        """Waiting of each rank, and waiting that it caused."""
        return [RankLateness(*one) for one in self._native.ranks]

    @property
    def effects(self) -> list[ScopeEffect]:
        """The steps that stand out in the times of a scope on most ranks."""
        return [ScopeEffect(*one) for one in self._native.effects]

    def __repr__(self) -> str:
        return " ".join(self.sentences)

    def __str__(self) -> str:
        return self._native.table()

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences)

    def to_json(self) -> str:
        """The line of JSON Lines of this result (docs/json.md)."""
        return self._native.json()
