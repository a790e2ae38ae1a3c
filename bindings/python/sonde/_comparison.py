# SPDX-License-Identifier: BSL-1.0
"""The result of `sonde.compare`."""

from __future__ import annotations

import importlib
import math
from typing import Any

from sonde import _html, _sonde
from sonde._record import Record, result_of_line


class Comparison:
    """Result of a comparison, equal on all ranks. The first alternative is the base.

    Alternatives were measured in rounds of one sample of each, so that samples with the same index belong together.
    `print(comparison)` writes a table. Comparisons can be pickled.
    """

    def __init__(self, native: _sonde.Comparison, confidence: float = 0.95) -> None:
        """Comparisons are made by `sonde.compare` and `sonde.Comparison.from_json`."""
        self._native = native
        self._records = {record.name: Record(record, confidence) for record in native.records}

    @staticmethod
    def from_json(line: str, confidence: float = 0.95) -> Comparison:
        """The comparison of a line of JSON Lines (docs/json.md), with the same values; the inverse of `to_json`.

        `confidence` is that of the records' intervals. Raises ValueError for another line.
        """
        return Comparison(result_of_line("sonde.Comparison.from_json", line, _sonde.Comparison), confidence)

    @property
    def records(self) -> dict[str, Record]:
        """The record of each alternative, by its name."""
        return dict(self._records)

    def __getitem__(self, name: str) -> Record:
        return self._records[name]

    @property
    def speedups(self) -> dict[str, float]:
        """Speed-up of each alternative over the base: the median over rounds of the ratio of times; 0 without times."""
        return {name: self._native.speedup(i) for i, name in enumerate(self._records)}

    @property
    def intervals(self) -> dict[str, tuple[float, float] | None]:
        """Confidence interval of each speed-up; None for the base and for too few rounds. They hold together."""
        return {name: self._native.interval(i) for i, name in enumerate(self._records)}

    def set_application(self, scope: str, transfer: float, waiting: float, loop: float) -> None:
        """The exchange's scope in the application, by which `gains` and reports say what an alternative wins there.

        The times are sums over passes and ranks, in seconds: after, and until, the last partner has entered; and of the
        enclosing scope. Raises ValueError for a time that is negative or not finite.
        """
        times = {"transfer": transfer, "waiting": waiting, "loop": loop}
        for name, time in times.items():
            if not 0 <= time < math.inf:
                raise ValueError(f"sonde.Comparison.set_application: {name} must be a time of at least 0, not {time}")
        self._native.set_application(scope, *times.values())

    @property
    def gains(self) -> dict[str, tuple[float, float, float] | None]:
        """Share of the application's loop that each alternative wins at most, and the ends of its interval.

        None without `set_application`, for the base and for too few rounds.
        """
        return {name: self._native.gain(i) for i, name in enumerate(self._records)}

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcome of each alternative: "base", "faster", "slower" or "undecided"."""
        return {name: self._native.outcome(i) for i, name in enumerate(self._records)}

    @property
    def fastest(self) -> str:
        """Name of the alternative to use: the fastest of those that are faster than the base, or the base."""
        return [*self._records][self._native.fastest]

    def __repr__(self) -> str:
        return self._native.table()

    def _repr_html_(self) -> str:
        titles = ["alternative", "median us", "speed-up", "interval", "outcome"]
        speedups = {name: f"{factor:.3f}" if factor else "-" for name, factor in self.speedups.items()}
        intervals, outcomes = self.intervals, self.outcomes
        rows = [
            [name, _html.microseconds(r.median), speedups[name], _html.interval(intervals[name]), outcomes[name]]
            for name, r in self._records.items()
        ]
        return _html.table(titles, rows)

    def to_json(self) -> str:
        """The line of JSON Lines of this comparison (docs/json.md)."""
        return self._native.json()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each sample of each alternative."""
        pandas = importlib.import_module("pandas")
        return pandas.concat([record.to_pandas() for record in self._records.values()], ignore_index=True)
