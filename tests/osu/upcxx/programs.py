# SPDX-License-Identifier: BSL-1.0
"""The programs of UPC++, with a stand-in for it whose ranks are processes of MPI."""
import dataclasses
import os

from driver import LAUNCHER, counts_of
from launching import launch

FOLDER = os.environ["OSU_UPCXX_PROGRAMS"]


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    title: str
    column: str
    letters: str
    collective: bool
    call: str                    # of UPC++, in an iteration
    calls: tuple                 # its number in an iteration of rank 0 and of the last of 2 ranks
    good: str = "Pass"
    wrong: str = "Fail"


def _copy(name, title, call):
    return Program(f"async_copy_{name}", f"Async Copy ({title}) Test", "Latency (us)", "hvmxicu", False, call, (1, 0), "passed", "failed")


def _collective(name, title, call, calls):
    return Program(name, f"{title} Latency Test", "Avg Latency(us)", "hvfmixMcuGz", True, call, calls)


ALL = [
    _copy("put", "Put", "rput"),
    _copy("get", "Get", "rget"),
    _collective("allgather", "AllGather", "rput", (2, 2)),
    _collective("alltoall", "AlltoAll", "rput", (2, 2)),
    _collective("bcast", "Broadcast", "broadcast", (1, 1)),
    _collective("gather", "Gather", "rput", (1, 1)),
    _collective("reduce", "Reduce", "reduce_one", (1, 1)),
    _collective("scatter", "Scatter", "rput", (2, 0)),
]
BY_NAME = {p.name: p for p in ALL}


def run_upcxx(program, *arguments, ranks=2, **how):
    return launch(LAUNCHER, os.path.join(FOLDER, "osu_upcxx_" + program.name), *arguments, ranks=ranks, **how)


def calls_of(program, *arguments, **how):
    """The calls of each rank that move bytes, and the barriers."""
    return counts_of(lambda counts: run_upcxx(program, *arguments, environment=counts, **how))
