# SPDX-License-Identifier: BSL-1.0
"""The programs of UPC, with a stand-in for it whose threads are processes of MPI."""
import dataclasses
import os

from driver import LAUNCHER, counts_of
from launching import launch

FOLDER = os.environ["OSU_UPC_PROGRAMS"]


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    title: str
    call: str                    # of UPC, in an iteration
    column: str = "Avg Latency(us)"
    letters: str = "hvfmixMcuGz"
    collective: bool = True
    calls: tuple = (1, 1)        # in an iteration of thread 0 and of the last of 2 threads
    good: str = "Pass"
    wrong: str = "Fail"


def _pair(call):
    return Program(call, f"{call.upper()} Test", call, "Latency (us)", "hvmxicu", False, (1, 0), "passed", "failed")


def _collective(call, title, **more):
    return Program("all_" + call, f"{title} Latency Test", call, **more)


BARRIER = _collective("barrier", "Barrier", letters="hvfmixMGz")
WITH_DATA = [
    _pair("memput"),
    _pair("memget"),
    _collective("broadcast", "Broadcast"),
    _collective("exchange", "Exchange"),
    _collective("gather", "Gather"),
    _collective("gather_all", "GatherAll"),
    _collective("reduce", "Reduce"),
    _collective("scatter", "Scatter"),
]
BY_NAME = {p.name: p for p in [*WITH_DATA, BARRIER]}


def run_upc(program, *arguments, ranks=2, environment=None, **how):
    """The program with a shared heap that has room for its sizes by default, but not for more."""
    environment = {"UPC_SHARED_HEAP_SIZE": "16", **(environment or {})}
    return launch(LAUNCHER, os.path.join(FOLDER, "osu_upc_" + program.name), *arguments, ranks=ranks, environment=environment, **how)


def calls_of(program, *arguments, **how):
    """The calls of each thread that move bytes of the program, and its barriers."""
    return counts_of(lambda counts: run_upc(program, *arguments, environment=counts, **how))
