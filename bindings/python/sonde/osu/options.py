# SPDX-License-Identifier: BSL-1.0
"""Options of the programs: those of OMB, and those that Sonde adds."""
from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from sonde._sonde import report_endings

from .benchmarks import BENCHMARKS, Benchmark, Kind
from .buffers import MEMORIES
from .refusal import Refusal

LARGE = 8192                 # bytes of the largest message that has the many iterations of a small one
MOST_BYTES = 2**31 - 1       # MPI counts with an int
MOST_ITERATIONS = 10**9
DEFAULT_BUDGET = 0.1         # seconds of a row that ends by its precision


@dataclass(frozen=True)
class Options:
    """What is measured, and how."""

    benchmark: Benchmark
    buffer: str              # name of the memory kind
    pickle: bool             # objects by the lower-case functions of mpi4py
    min: int                 # bytes; the first size is the power of two that is not above
    max: int                 # bytes
    iterations: int | None   # given
    skip: int | None         # given
    until: float | None      # half the interval of the median, as a part of it
    budget: float | None     # seconds of a row
    statistics: bool         # more columns
    reports: tuple[str, ...]  # files

    def sizes(self) -> list[int]:
        """Powers of two, and 0 if that is the minimum."""
        if self.benchmark.kind is Kind.BARRIER:
            return [0]
        powers = [1 << i for i in range(max(self.min.bit_length() - 1, 0), self.max.bit_length())]
        return [0] * (self.min == 0) + powers

    def counts(self, size: int) -> tuple[int, int]:
        """Iterations and warm-up of a size."""
        small, large = self.benchmark.counts
        usual = small if size <= LARGE else large
        if size <= LARGE:
            return _or(self.iterations, usual[0]), _or(self.skip, usual[1])
        return _or(_hundredth(self.iterations), usual[0]), _or(_hundredth(self.skip), usual[1])


def _or(given: int | None, usual: int) -> int:
    return usual if given is None else given


def _hundredth(given: int | None) -> int | None:
    """OMB's number for large messages; no warm-up stays none."""
    return given // 100 + 1 if given else given


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        accepted = " ".join(option for action in self._actions for option in action.option_strings)
        raise Refusal(f"{message[:1].upper()}{message[1:]}; accepted: NAME {accepted}")


def _whole(option: str, least: int, most: int) -> Callable[[str], int]:
    def value(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise Refusal(f"Invalid number [{option} {text}]; accepted: a whole number from {least} to {most}")
        return int(text)
    return value


def _between(option: str, name: str, least: float, most: float) -> Callable[[str], float]:
    def value(text: str) -> float:
        try:
            number = float(text.removesuffix("%") if name == "PERCENT" else text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise Refusal(f"Invalid number [{option} {text}]; accepted: {name} from {least:g} to {most:g}")
        return number
    return value


def _buffer(text: str) -> str:
    if text not in MEMORIES:
        raise Refusal(f"Invalid buffer [--buffer {text}]; accepted: {', '.join(MEMORIES)}")
    return text


def _report(text: str) -> str:
    form, _, path = text.partition("=")
    if not path.endswith(report_endings.get(form, ())):
        accepted = ", ".join(f"{word}=FILE{ending}" for word, endings in report_endings.items() for ending in endings)
        raise Refusal(f"Invalid report [--report {text}]; accepted: {accepted}")
    return path


def _parser() -> _Parser:
    parser = _Parser(prog="python3 -m sonde.osu", add_help=False, allow_abbrev=False, usage="%(prog)s NAME [OPTION...]",
                     description="Measures one of OMB's Python benchmarks: " + ", ".join(BENCHMARKS) + ".")
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="name of the benchmark; a folder and osu_ before it have no effect")
    add("--benchmark", metavar="NAME", help="the same, as for OMB's run.py")
    add("--buffer", type=_buffer, default="bytearray", metavar="KIND", help=", ".join(MEMORIES) + " (bytearray)")
    add("--pickle", action="store_true", help="objects, by the lower-case functions of mpi4py")
    add("--min", type=_whole("--min", 0, MOST_BYTES), metavar="BYTES", help="smallest message; 0: the benchmark's own")
    add("--max", type=_whole("--max", 0, MOST_BYTES), metavar="BYTES", help="largest message")
    add("--iterations", type=_whole("--iterations", 1, MOST_ITERATIONS), metavar="N",
        help=f"iterations; above {LARGE} bytes N / 100 + 1")
    add("--skip", type=_whole("--skip", 0, MOST_ITERATIONS), metavar="N", help="iterations of the warm-up before them")
    add("--until", type=_between("--until", "PERCENT", 0.001, 99), metavar="PERCENT",
        help="end a row when the 95 %% interval of its median is this close to it")
    add("--budget", type=_between("--budget", "SECONDS", 1e-6, 1e6), metavar="SECONDS",
        help=f"end a row after this time (with --until: {DEFAULT_BUDGET})")
    add("--honest", dest="statistics", action="store_true", help="more columns: median, interval, percentile, last rank's mean, quality")
    add("--report", type=_report, action="append", default=[], metavar="FORM=FILE",
        help="records in a file, such as json=FILE.jsonl; may be repeated")
    add("-h", "--help", action="store_true", help="this text")
    return parser


def _benchmark(positional: str | None, option: str | None) -> Benchmark:
    accepted = "accepted: one of " + ", ".join(BENCHMARKS)
    if positional is not None and option is not None:
        raise Refusal(f"Two names [{positional} --benchmark {option}]; {accepted}")
    given = positional if option is None else option
    if given is None:
        raise Refusal(f"No benchmark is named; {accepted}")
    found = BENCHMARKS.get(given.rsplit("/", 1)[-1].removeprefix("osu_"))
    if found is None:
        raise Refusal(f"Invalid benchmark [{given}]; {accepted}")
    return found


def parse(arguments: Sequence[str]) -> Options | str:
    """Options, or the help. Raises Refusal."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.help:
        return parser.format_help()
    benchmark = _benchmark(given.name, given.benchmark)
    least, most = max(given.min or 0, benchmark.min), benchmark.max if given.max is None else given.max
    if least > most:
        raise Refusal(f"No size is from {least} to {most} bytes [--min, --max]; accepted: a maximum that is not below the minimum")
    twice = [path for path in given.report if given.report.count(path) > 1]
    if twice:
        raise Refusal(f"Two reports into one file [--report {twice[0]}]; accepted: a file of its own for each")
    return Options(benchmark, given.buffer, given.pickle, least, most, given.iterations, given.skip,
                   given.until and given.until / 100, given.budget, given.statistics, tuple(given.report))
