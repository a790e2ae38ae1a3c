# SPDX-License-Identifier: BSL-1.0
"""The IMB programs' benchmarks, process numbers and columns; runs them and reads their tables."""
import dataclasses
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch, read  # noqa: E402,F401

LAUNCHER = os.environ["IMB_MPI_RUN"]
PROGRAMS = os.environ["IMB_PROGRAMS"]
COUNT_SHIM = os.environ["IMB_COUNT_SHIM"]

RANGE = ["t_min[usec]", "t_max[usec]", "t_avg[usec]"]
SIZED = ["#bytes", "#repetitions"]
OVERLAP = ["t_ovrl[usec]", "t_pure[usec]", "t_CPU[usec]", "overlap[%]"]
COLUMNS = {
    "single": SIZED + ["t[usec]", "Mbytes/sec"],
    "rate": SIZED + ["Mbytes/sec", "Msg/sec"],
    "parallel": SIZED + RANGE + ["Mbytes/sec"],
    "collective": SIZED + RANGE,
    "sync": ["#repetitions"] + RANGE,
    "sync overlap": ["#repetitions"] + OVERLAP,
    "overlap": SIZED + OVERLAP,
    "passive overlap": SIZED + ["t_pure[usec]", "t_ovrl[usec]"]}

BOTH = ("AGGREGATE", "NON-AGGREGATE")
AGGREGATE = ("AGGREGATE",)


@dataclasses.dataclass(frozen=True)
class Benchmark:
    name: str
    layout: str
    processes: str = "series"   # "series", "even", "two", "one"
    modes: tuple = (None,)
    default: bool = True
    reduces: bool = False       # sizes are multiples of a float
    sizes: int = 0              # 0: the requested number


def rows(layout, names, **more):
    return [Benchmark(name, layout, **more) for name in names.split()]


def reducing(benchmarks, *names):
    return [dataclasses.replace(b, reduces=True) if b.name.startswith(names) else b for b in benchmarks]


MPI1 = (rows("single", "PingPong", processes="two") +
        rows("single", "PingPongSpecificSource PingPongAnySource", processes="two", default=False) +
        rows("single", "PingPing", processes="two") +
        rows("single", "PingPingSpecificSource PingPingAnySource", processes="two", default=False) +
        rows("parallel", "Sendrecv Exchange") +
        rows("rate", "Uniband Biband", processes="even", default=False) +
        reducing(rows("collective", "Allreduce Reduce Reduce_local Reduce_scatter Reduce_scatter_block Allgather Allgatherv "
                      "Gather Gatherv Scatter Scatterv Alltoall Alltoallv Bcast"), "Allreduce", "Reduce") +
        rows("sync", "Barrier"))

EXT = (rows("collective", "Window", reduces=True) +
       rows("single", "Unidir_Get Unidir_Put Bidir_Get Bidir_Put", processes="two", modes=BOTH, reduces=True) +
       rows("collective", "Accumulate", modes=BOTH, reduces=True))

FLIPPED = tuple(reversed(BOTH))
RMA = (rows("single", "Unidir_put Bidir_put Unidir_get Bidir_get Put_local", processes="two", modes=FLIPPED) +
       rows("single", "Get_local", processes="two", modes=FLIPPED, default=False) +
       rows("single", "Put_all_local One_put_all") + rows("collective", "All_put_all") + rows("single", "One_get_all") +
       rows("single", "Get_all_local", default=False) + rows("collective", "All_get_all Exchange_put Exchange_get") +
       rows("single", "Accumulate Get_accumulate", processes="two", modes=FLIPPED, reduces=True) +
       rows("single", "Fetch_and_op Compare_and_swap", processes="two", modes=FLIPPED, reduces=True, sizes=1) +
       rows("passive overlap", "Truly_passive_put", processes="two"))

COLLECTIVES = ("bcast allgather allgatherv gather gatherv scatter scatterv alltoall alltoallv reduce reduce_scatter "
               "allreduce").split()
NBC = (reducing(rows("overlap", " ".join("I" + c for c in COLLECTIVES)), "Ireduce", "Iallreduce") +
       rows("sync overlap", "Ibarrier") +
       reducing(rows("collective", " ".join(f"I{c}_pure" for c in COLLECTIVES), default=False), "Ireduce", "Iallreduce") +
       rows("sync", "Ibarrier_pure", default=False))
PERSISTENT = [c.capitalize() + "_persist" for c in COLLECTIVES]
MPI4 = (reducing([Benchmark(n, "overlap", default=n != "Allgather_persist") for n in PERSISTENT], "Reduce", "Allreduce") +
        rows("sync overlap", "Barrier_persist") +
        reducing(rows("collective", " ".join(n + "_pure" for n in PERSISTENT), default=False), "Reduce", "Allreduce") +
        rows("sync", "Barrier_persist_pure", default=False))


def io():
    found = []
    for access in ("Write", "Read"):
        for kind, ways in (("S", "Indv Expl"), ("P", "Indv Shared Priv Expl"), ("C", "Indv Shared Expl")):
            processes = "one" if kind == "S" else "series"
            for way in ways.split():
                modes = BOTH if access == "Write" else AGGREGATE
                layout = "single" if kind == "S" else "parallel"
                found += [Benchmark(f"{kind}_{access}_{way}", layout, processes, modes),
                          Benchmark(f"{kind}_I{access}_{way}", "overlap", processes, AGGREGATE)]
    return found + rows("sync", "Open_Close")


SUITE = {"IMB-MPI1": MPI1, "IMB-EXT": EXT, "IMB-RMA": RMA, "IMB-NBC": NBC, "IMB-MPI4": MPI4, "IMB-IO": io()}
THERE = [name for name in SUITE if os.path.exists(os.path.join(PROGRAMS, name))]


def series(processes, world, least=2):
    """The numbers of processes of a benchmark."""
    if processes in ("one", "two"):
        return [{"one": 1, "two": 2}[processes]]
    if processes == "even":
        world -= world % 2
    found, n = [], min(world, least)
    while n < world:
        found.append(n)
        n *= 2
    return found + [world]


@dataclasses.dataclass
class Table:
    benchmark: str
    processes: int
    mode: str
    titles: list
    rows: list      # of texts


def tables(answer):
    """Every table of a program's output, in order."""
    found = []
    for line in answer.lines:
        if match := re.fullmatch(r"# Benchmarking (?:Multi-)?(\w+) ", line):
            found.append(Table(match[1], 0, None, [], []))
        elif match := re.fullmatch(r"# #processes = (\d+) ", line):
            found[-1].processes = int(match[1])
        elif match := re.fullmatch(r"# \( (\d+) groups of (\d+) processes each running simultaneous \) ", line):
            found[-1].processes = int(match[2])
        elif match := re.fullmatch(r"#    MODE: ([A-Z-]+) ", line):
            if found[-1].rows:      # the head of the second mode lacks the name
                found.append(dataclasses.replace(found[-1], titles=[], rows=[]))
            found[-1].mode = match[1]
        elif "[usec]" in line or "Msg/sec" in line:
            found[-1].titles = line.split()
        elif re.fullmatch(r"( +-?\d+(\.\d+)?)+", line):
            found[-1].rows.append(line.split())
    return found


def run(name, *arguments, **how):
    return launch(LAUNCHER, os.path.join(PROGRAMS, name), *arguments, **how)
