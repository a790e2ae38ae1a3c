# SPDX-License-Identifier: BSL-1.0
"""The programs of collectives of OMB 7.4, written from its documentation and output, not from the table of the C++
programs."""
import dataclasses
import os

import driver

ALL_HAVE = "hvfmixMaGPIz"
DATA, IN_PLACE, ROOT = "cuDT", "l", "k"
SUMS = "cuTl"
DEVICE = "dr"  # those of neighborhood collectives are on the host

# Name, title, letters in addition to the common ones; titles of the nonblocking form if they are not "Non-blocking "
# and this.
KINDS = [
    ("allgather", "Allgather", DATA + IN_PLACE),
    ("allgatherv", "Allgatherv", DATA + IN_PLACE),
    ("allreduce", "Allreduce", SUMS),
    ("alltoall", "All-to-All Personalized Exchange", DATA + IN_PLACE),
    ("alltoallv", "All-to-Allv Personalized Exchange", DATA + IN_PLACE),
    ("alltoallw", "All-to-Allw Personalized Exchange", DATA + IN_PLACE),
    ("barrier", "Barrier", "u"),
    ("bcast", "Broadcast", DATA),
    ("gather", "Gather", DATA + IN_PLACE + ROOT),
    ("gatherv", "Gatherv", DATA + IN_PLACE + ROOT),
    ("reduce", "Reduce", SUMS + ROOT),
    ("reduce_scatter", "Reduce_scatter", SUMS),
    ("reduce_scatter_block", "Reduce_scatter_block", SUMS),
    ("scan", "Scan", SUMS),      # not in OMB
    ("exscan", "Exscan", SUMS),  # not in OMB
    ("scatter", "Scatter", DATA + IN_PLACE + ROOT),
    ("scatterv", "Scatterv", DATA + IN_PLACE + ROOT),
]
NEIGHBORS = [
    ("neighbor_allgather", "Neighborhood Allgather"),
    ("neighbor_allgatherv", "Neighborhood Allgatherv"),
    ("neighbor_alltoall", "Neighborhood Alltoall"),
    ("neighbor_alltoallv", "Neighborhood All-to-Allv"),
    ("neighbor_alltoallw", "All-to-Allw Personalized Exchange"),
]
NONBLOCKING_TITLES = {
    "alltoall": "Non-blocking All-to-All",
    "bcast": "Non-Blocking Broadcast",
    "neighbor_alltoallv": "Non-blocking Neighborhood Alltoallv",
    "neighbor_alltoallw": "Non-blocking Neighborhood Alltoallw",
}
USUAL = (1000, 100, 100, 10)
NONBLOCKING_COUNTS = {"barrier": (100, 10, 100, 10), "gatherv": (1000, 10, 100, 10), "scatterv": (1000, 10, 100, 10)}

LATENCY = ("Avg Latency(us)",)
FULL = ("Avg Latency(us)", "Min Latency(us)", "Max Latency(us)")  # and "Iterations", 12 wide
OVERLAP = ("Overall(us)", "Compute(us)", "Pure Comm.(us)", "Overlap(%)")
FULL_OVERLAP = ("Overall(us)", "Compute(us)", "Coll. Init(us)", "MPI_Test(us)", "MPI_Wait(us)", "Pure Comm.(us)",
                "Min Comm.(us)", "Max Comm.(us)", "Overlap(%)")


@dataclasses.dataclass(frozen=True)
class Collective:
    kind: str
    family: str     # "blocking", "nonblocking" or "persistent"
    title: str
    letters: str
    counts: tuple = USUAL

    @property
    def name(self):
        return {"blocking": "osu_{}", "nonblocking": "osu_i{}", "persistent": "osu_{}_persistent"}[self.family].format(self.kind)

    @property
    def checks(self):
        return "c" in self.letters

    @property
    def sized(self):
        return self.kind != "barrier"

    @property
    def neighbors(self):
        return self.kind.startswith("neighbor")

    def columns(self, full):
        if self.family == "nonblocking":
            return FULL_OVERLAP if full else OVERLAP
        return FULL if full else LATENCY

    def preamble(self):
        lines = ["", f"# OSU MPI {self.title} Latency Test v7.4"]
        return lines + ["# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait", ""] * (self.family == "nonblocking")


def _family(family, kinds):
    for kind, title, letters in kinds:
        letters = ALL_HAVE + letters + DEVICE * ("N" not in letters)
        if family == "blocking":
            yield Collective(kind, family, title, letters)
        elif family == "nonblocking":
            letters = (letters if kind != "barrier" else ALL_HAVE + DEVICE) + "t"
            yield Collective(kind, family, NONBLOCKING_TITLES.get(kind, "Non-blocking " + title), letters,
                             NONBLOCKING_COUNTS.get(kind, USUAL))
        elif kind not in ("reduce_scatter_block", "scan", "exscan"):
            yield Collective(kind, family, title + " Persistent", letters.replace(ROOT, ""))


_NEAR = [(kind, title, DATA + "N") for kind, title in NEIGHBORS]
ALL = [*_family("blocking", KINDS + _NEAR), *_family("nonblocking", KINDS + _NEAR), *_family("persistent", KINDS)]
BUILT = [c for c in ALL if os.path.exists(os.path.join(driver.PROGRAMS, c.name))]
BY_NAME = {c.name: c for c in ALL}
