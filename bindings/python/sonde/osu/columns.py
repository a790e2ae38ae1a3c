# SPDX-License-Identifier: BSL-1.0
"""The figures of a row: OMB's, and those of `--honest`, with the titles and widths of the C++ programs."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sonde import Record

from .benchmarks import Benchmark, Kind
from .calls import WINDOW


@dataclass(frozen=True)
class Row:
    """A measured size."""

    benchmark: Benchmark
    size: int
    record: Record

    def value(self, iteration: float | None) -> str:
        """Microseconds of a message or operation, or MB/s, by the seconds of an iteration; 18 wide."""
        if iteration is None:
            return f"{'-':>18}"
        if not self.benchmark.is_window:
            return f"{1e6 * iteration / self.benchmark.hops:18.2f}"
        ways = 2 if self.benchmark.kind is Kind.BOTH_WAYS else 1
        return f"{1e-6 * self.size * WINDOW * ways / iteration:18.2f}"

    def bound(self, of_longest: bool) -> str:
        """A bound of the median's 95 % interval. The lower bound of a rate is that of the longest time."""
        interval = self.record.interval
        return self.value(interval[of_longest != self.benchmark.is_window] if interval else None)


@dataclass(frozen=True)
class Column:
    """A title, and the text below it; both in the width of the column."""

    title: str
    text: Callable[[Row], str]


def _right(title: str, width: int, text: Callable[[Record], object]) -> Column:
    return Column(f"{title:>{width}}", lambda row: f" {text(row.record)!s:>{width - 1}}")


def _statistics(unit: str) -> list[Column]:
    def value(title: str, text: Callable[[Row], str]) -> Column:
        return Column(f"{title + unit:>18}", text)
    return [
        value("Median", lambda row: row.value(row.record.median)),
        value("95% Low", lambda row: row.bound(False)),
        value("95% High", lambda row: row.bound(True)),
        value("P99", lambda row: row.value(row.record.percentile(0.99))),
        value("Slowest", lambda row: row.value(row.record.mean)),
        value("t_max", lambda row: row.value(row.record.over_ranks[2])),
        value("Max", lambda row: row.value(row.record.max)),
        _right("Samples", 12, lambda record: record.stop[1]),
        _right("Batch", 8, lambda record: record.batch),
        _right("Ended by", 13, lambda record: record.stop[0]),
        _right("Flags", 30, lambda record: ", ".join(record.flags) or "-"),
    ]


def columns_of(benchmark: Benchmark, statistics: bool) -> list[Column]:
    """OMB's column, the mean over the samples and the ranks whose times count, and those of `--honest`."""
    title, unit = ("Bandwidth (MB/s)", "(MB/s)") if benchmark.is_window else ("Latency (us)", "(us)")
    return [Column(f"{title:>18}", lambda row: row.value(row.record.over_ranks[1]))] + (_statistics(unit) if statistics else [])
