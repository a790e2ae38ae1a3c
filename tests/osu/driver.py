# SPDX-License-Identifier: BSL-1.0
"""Runs the OSU programs, and checks the format of their output."""
import concurrent.futures
import dataclasses
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch, read  # noqa: E402

LAUNCHER = os.environ["OSU_MPI_RUN"]
PROGRAMS = os.environ["OSU_PROGRAMS"]
COUNT_SHIM = os.environ["OSU_COUNT_SHIM"]
FAULT_SHIM = os.environ["OSU_FAULT_SHIM"]

LATENCY = "hvmxidbcuGDPTIz"
BANDWIDTH = "hvmxitWbdcuGDPTIz"
LONG = {"h": "help", "v": "version", "m": "message-size", "x": "warmup", "i": "iterations", "t": "num-test-calls",
        "W": "window-size", "b": "buffer-num", "p": "num-pairs", "R": "print-rate", "V": "vary-window",
        "c": "validation", "u": "validation-warmup", "G": "graph", "D": "ddt", "P": "papi", "T": "type",
        "I": "session", "z": "tail-lat", "f": "full", "M": "mem-limit", "a": "array-size", "l": "in-place",
        "k": "root-rank", "N": "nhbr", "d": "accelerator", "r": "cuda-target"}


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    title: str
    letters: str
    columns: tuple          # in addition to the size
    counts: tuple           # iterations, warm-up up to 8192 bytes; the same above
    window: int = 1
    blank_line: bool = True
    tail: str = " Tail Lat(us)"
    ranks: int = 2

    @property
    def preamble(self):
        lines = [f"# {self.title} v7.4"]
        if self.name == "osu_mbw_mr":
            lines.append(f"# [ pairs: {self.ranks // 2} ] [ window size: 64 ]")
        return [""] * self.blank_line + lines


def _latency(name, title, **more):
    return Program(name, title, LATENCY, ("Avg Latency(us)",), (10000, 100, 1000, 10), **more)


def _bandwidth(name, title):
    return Program(name, title, BANDWIDTH, ("Bandwidth (MB/s)",), (100, 10, 20, 2), window=64, tail=" Tail BW(MB/s)")


ALL = [
    _latency("osu_latency", "OSU MPI Latency Test"),
    _latency("osu_latency_persistent", "OSU MPI Latency Persistent Test"),
    _latency("osu_multi_lat", "OSU MPI Multi Latency Test", ranks=4),
    _bandwidth("osu_bw", "OSU MPI Bandwidth Test"),
    _bandwidth("osu_bibw", "OSU MPI Bi-Directional Bandwidth Test"),
    _bandwidth("osu_bw_persistent", "OSU MPI Bandwidth Persistent Test"),
    _bandwidth("osu_bibw_persistent", "OSU MPI Bi-Directional Bandwidth Persistent Test"),
    Program("osu_mbw_mr", "OSU MPI Multiple Bandwidth / Message Rate Test", "pWRximVhvbdcuGDPTIz", ("MB/s", "Messages/s"),
            (100, 10, 100, 10), window=64, blank_line=False, tail=" Tail BW(MB/s)", ranks=4),
]
BY_NAME = {p.name: p for p in ALL}


def run(name, *arguments, **how):
    return launch(LAUNCHER, os.path.join(PROGRAMS, name), *arguments, **how)


def counts_of(run):
    """The numbers of calls of each rank of a program that `run(environment)` runs, with what counts them."""
    with tempfile.TemporaryDirectory() as folder:
        answer = run({"SONDE_COUNTS": folder + "/rank"})
        assert set(answer.codes) == {0}, answer
        counts = [read(f"{folder}/rank-{rank}").splitlines() for rank in range(len(answer.codes))]
        return [{call: int(n) for call, n in map(str.split, lines)} for lines in counts]


def at_once(f, items):
    """(item, f(item)) of each, two at a time, since a start of several ranks is mostly waiting."""
    with concurrent.futures.ThreadPoolExecutor(2) as several:
        return list(zip(items, several.map(f, items)))


def counted(name, *arguments, ranks=2):
    """Each rank's numbers of calls by name: [{"MPI_Send": 10}, ...]."""
    return counts_of(lambda counts: run(name, *arguments, ranks=ranks, environment={"LD_PRELOAD": COUNT_SHIM, **counts}))


def title_line(columns):
    return "# Size    " + "".join(f"{title:>18}" for title in columns)


def statistics_titles(unit="us", more=()):
    """The columns of `--honest`, after all others."""
    figures = [f"{figure}({unit})" for figure in ("Median", "95% Low", "95% High", "P99", "Slowest", "t_max", "Max")]
    return "".join(f"{title:>18}" for title in (*figures, *more)) + \
        f"{'Samples':>12}{'Batch':>8}{'Outliers':>10}{'Tau':>8}{'Ended by':>13}{'Flags':>30}"


def is_row(line, size, figures, texts=(), sign=""):
    """The size aligned left in 10, then figures with two decimals and the sign, then texts; each 18 wide."""
    cells = [line[at:at + 18] for at in range(10, len(line), 18)]
    values = [re.fullmatch(rf" *{sign}\d+\.\d\d", c) is not None for c in cells[:figures]]
    rest = [c.strip() for c in cells[figures:]]
    return line[:10] == f"{size:<10}" and len(cells) == figures + len(texts) and all(values) and \
        all(len(c) == 18 for c in cells) and rest == list(texts)


def wait_for(condition, seconds=30):
    """Waits until the condition holds; False after a time-out."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
