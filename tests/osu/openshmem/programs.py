# SPDX-License-Identifier: BSL-1.0
"""The programs of OpenSHMEM."""
import dataclasses
import os

from driver import counts_of, run

SHIM = os.environ["OSU_OPENSHMEM_SHIM"]
OPERATIONS = ("fadd", "finc", "add", "inc", "cswap", "swap", "set", "fetch")
ROWS_OF_ATOMICS = [f"shmem_{kind}_{operation}" for kind in ("int", "longlong") for operation in OPERATIONS]
OVERLAP_LINES = ("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait", "")


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    title: str
    columns: tuple
    calls: tuple            # in an iteration of PE 0, without the completion
    faults: tuple           # of its data
    letters: str
    ranks: int = 2
    smallest: int = 1
    collective: bool = False
    preamble: tuple = ()

    @property
    def word(self):
        return [] if self.collective else ["heap"]

    @property
    def completes(self):
        """shmem_quiet ends an iteration."""
        return not self.collective and self.name not in ("get", "atomics")


def _pair(name, title, calls, faults):
    return Program(name, f"{title} Test", ("Latency (us)",), calls, faults, "hvmxicuGz")


def _rate(name, title, call, faults):
    return Program(name, f"{title} Message Rate Test", ("Messages/s",), (call,), faults, "hvmxicu", ranks=4)


def _collective(name, title, call, faults=("received", "lost"), letters="hvfmixMcuGz"):
    return Program(name, f"{title} Latency Test", ("Avg Latency(us)",), (call,), faults, letters, ranks=3, smallest=4,
                   collective=True)


ALL = [
    _pair("put", "Put", ("shmem_putmem",), ("sent", "lost")),
    _pair("put_nb", "Put_nbi", ("shmem_putmem_nbi",), ("sent", "lost")),
    _pair("get", "Get", ("shmem_getmem",), ("received", "lost")),
    _pair("get_nb", "Get", ("shmem_getmem_nbi",), ("received", "lost")),
    _rate("put_mr", "Put", "shmem_putmem", ("sent", "lost")),
    _rate("put_mr_nb", "Put_nb", "shmem_putmem_nbi", ("sent", "lost")),
    _rate("get_mr_nb", "Get_nb", "shmem_getmem_nbi", ("received", "lost")),
    Program("put_overlap", "Put_nbi Test", ("Compute(us)", "Coll. Init(us)", "MPI_Wait(us)", "Pure Comm.(us)", "Overlap(%)"),
            ("shmem_putmem", "shmem_putmem_nbi"), ("sent", "lost"), "hvmxicu", preamble=OVERLAP_LINES),
    Program("atomics", "Atomic Operation Rate Test", ("Million ops/s", "Latency (us)"), (), ("sent", "received", "lost"), "hvxicu",
            ranks=4),
    _collective("barrier", "Barrier", "shmem_barrier", faults=(), letters="hvfmixMGz"),
    _collective("broadcast", "Broadcast", "shmem_broadcast32"),
    _collective("collect", "Collect", "shmem_collect32"),
    _collective("fcollect", "FCollect", "shmem_fcollect32"),
    _collective("reduce", "Reduce", "shmem_float_sum_to_all"),
]
BY_NAME = {p.name: p for p in ALL}


def run_oshm(program, *arguments, ranks=None, **how):
    """The program on as many PEs as it usually has, with the word heap unless the arguments have a word."""
    word = [] if "global" in arguments else program.word
    return run("osu_oshm_" + program.name, *word, *arguments, ranks=ranks or program.ranks, **how)


def calls_of(program, *arguments, **how):
    """The calls of each PE."""
    return counts_of(lambda counts: run_oshm(program, *arguments, environment={"LD_PRELOAD": SHIM, **counts}, **how))
