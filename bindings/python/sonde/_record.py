# SPDX-License-Identifier: BSL-1.0
"""The result of `sonde.run`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeVar

from sonde import _html, _sonde

if TYPE_CHECKING:
    import numpy
    import numpy.typing

_Result = TypeVar("_Result")


def result_of_line(function: str, line: str, kind: type[_Result]) -> _Result:
    """The result of this class in a line of JSON Lines."""
    if not isinstance(line, str):
        raise TypeError(f"{function}: the line is of type {type(line).__name__}; it must be a text")
    try:
        found = _sonde.from_json(line)
    except ValueError as e:
        raise ValueError(f"{function}: {e}") from None
    if not isinstance(found, kind):
        raise ValueError(f"{function}: the line is that of another result")
    return found


class Record:
    """Result of a measurement, equal on all ranks. Times are in seconds, of one iteration.

    `print(record)` writes a table of one row; `repr(record)` is one line. Records can be pickled.
    """

    def __init__(self, native: _sonde.Record, confidence: float = 0.95) -> None:
        """Records are made by `sonde.run`, `sonde.compare` and `sonde.Record.from_json`."""
        self._native = native
        self._confidence = confidence

    @staticmethod
    def from_json(line: str, confidence: float = 0.95) -> Record:
        """The record of a line of JSON Lines (docs/json.md), with the same values; the inverse of `to_json`.

        `confidence` is that of `interval`, which the line does not have. Raises ValueError for another line.
        """
        return Record(result_of_line("sonde.Record.from_json", line, _sonde.Record), confidence)

    @property
    def name(self) -> str:
        """Name of the measurement."""
        return self._native.name

    @property
    def parameters(self) -> dict[str, str | int | float]:
        """Parameters that distinguish this measurement from others of its name."""
        return self._native.parameters

    @property
    def samples(self) -> numpy.typing.NDArray[numpy.float64]:
        """Time per iteration of the slowest rank, for each sample; read-only. At most 2**20 samples are kept."""
        return self._native.samples

    @property
    def batch(self) -> int:
        """Iterations of a sample."""
        return self._native.batch

    @property
    def ranks(self) -> int:
        """Size of the communicator."""
        return self._native.ranks

    @property
    def initiators(self) -> int:
        """Number of ranks whose times count."""
        return self._native.initiators

    @property
    def bytes(self) -> int:
        """Bytes of an iteration, summed over the initiators."""
        return self._native.bytes

    @property
    def messages(self) -> int:
        """Messages of an iteration, summed over the initiators."""
        return self._native.messages

    @property
    def median(self) -> float:
        """Median of the samples."""
        return self._native.median

    @property
    def interval(self) -> tuple[float, float] | None:
        """Confidence interval of the median, at the confidence of the measurement; None for too few samples."""
        return self._native.interval(self._confidence)

    def percentile(self, q: float) -> float | None:
        """The 100 q-th percentile of the samples, 0 < q < 1: 0.99 is the 99th; None for too few samples."""
        return self._native.percentile(q)

    @property
    def mean(self) -> float:
        """Mean of the samples."""
        return self._native.mean

    @property
    def min(self) -> float:
        """The shortest sample."""
        return self._native.min

    @property
    def max(self) -> float:
        """The longest sample."""
        return self._native.max

    @property
    def stddev(self) -> float:
        """Standard deviation of the samples (n - 1)."""
        return self._native.stddev

    @property
    def first(self) -> float | None:
        """The very first iteration, with connection set-up and page faults; None for batches without a warm-up."""
        return self._native.first

    @property
    def latency(self) -> float:
        """One-way latency: the median over the hops of an iteration."""
        return self._native.latency

    @property
    def bandwidth(self) -> float:
        """Bytes per second of all initiators together, at the median."""
        return self._native.bandwidth

    @property
    def bus_bandwidth(self) -> float:
        """Bus bandwidth of nccl-tests, in bytes per second."""
        return self._native.bus_bandwidth

    @property
    def message_rate(self) -> float:
        """Messages per second of all initiators together, at the median."""
        return self._native.message_rate

    @property
    def flags(self) -> tuple[str, ...]:
        """Warnings, such as "timer_limited" or "correlated"."""
        return tuple(self._native.flags)

    @property
    def stop(self) -> tuple[str, int]:
        """Why the series ended, such as "precision", and its number of samples."""
        return self._native.stop

    @property
    def over_ranks(self) -> tuple[float, float, float]:
        """Minimum, mean and maximum over the initiators of a rank's mean time."""
        return self._native.over_ranks

    @property
    def sample_means(self) -> numpy.typing.NDArray[numpy.float64]:
        """Mean time over the initiators, for each sample; empty without `keep="sample_means"`."""
        return self._native.sample_means

    @property
    def rank_means(self) -> numpy.typing.NDArray[numpy.float64]:
        """Mean time of each rank; empty without `keep="rank_means"`."""
        return self._native.rank_means

    @property
    def rank_samples(self) -> numpy.typing.NDArray[numpy.float64] | None:
        """Times of each rank, a row for each, if they are kept; None on ranks other than 0 without "on_all_ranks"."""
        return self._native.rank_samples

    @property
    def slowest_counts(self) -> tuple[int, ...] | None:
        """Number of samples in which each rank finished last; None on ranks other than 0."""
        counts = self._native.slowest_counts
        return None if counts is None else tuple(counts)

    @property
    def stragglers(self) -> tuple[int, ...]:
        """Ranks that finish last, with a median at least 5 % above the ranks' medians; equal on all ranks.

        Such a rank may have waited for a slow one: a probe's scope around the work finds that (`ScopeRecord.slow_rank`).
        """
        return tuple(self._native.stragglers)

    @property
    def straggler_lags(self) -> tuple[tuple[float, float], ...]:
        """How far each straggler finishes at least after the median rank: in seconds, and as a share of its median."""
        return tuple(self._native.straggler_lags)

    def straggler_texts(self) -> list[str]:
        """A sentence for each straggler: "Rank 3 finished last in 290 of 300 samples, .."; none on ranks other than 0."""
        return self._native.straggler_texts()

    def __repr__(self) -> str:
        return self._native.line()

    def __str__(self) -> str:
        return self._native.table()

    def _repr_html_(self) -> str:
        cells = {
            "name": self.name,
            **self.parameters,
            "median us": _html.microseconds(self.median),
            "interval us": _html.interval(self.interval, 1e6),
            "p99 us": _html.microseconds(self.percentile(0.99)),
            "MB/s": f"{self.bandwidth / 1e6:.2f}",
            "samples": self.stop[1],
            "stopped by": self.stop[0],
            "flags": ", ".join(self.flags) or "-",
        }
        return _html.table([*cells], [[*cells.values()]])

    def to_json(self) -> str:
        """The line of JSON Lines of this record (docs/json.md)."""
        return self._native.json()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each sample: name, parameters, sample, seconds."""
        pandas = importlib.import_module("pandas")
        columns: dict[str, Any] = {"name": self.name, **self.parameters}
        return pandas.DataFrame({**columns, "sample": range(len(self.samples)), "seconds": self.samples})

    def plot(self, ax: Any = None) -> Any:
        """Draw the samples in their order, with the median and its interval, and return the matplotlib axes."""
        axes = ax if ax is not None else importlib.import_module("matplotlib.pyplot").subplots()[1]
        axes.plot(self.samples * 1e6, ".", markersize=3)
        axes.axhline(self.median * 1e6, color="black", linewidth=1)
        if self.interval is not None:
            axes.axhspan(self.interval[0] * 1e6, self.interval[1] * 1e6, alpha=0.2)
        axes.set(title=self.name, xlabel="sample", ylabel="time per iteration (us)")
        return axes
