# SPDX-License-Identifier: BSL-1.0
"""The one-sided programs."""
import dataclasses

CREATED = {"create": "MPI_Win_create", "allocate": "MPI_Win_allocate", "dynamic": "MPI_Win_create_dynamic"}
SYNCHRONIZED = {"lock": "MPI_Win_lock/unlock", "flush": "MPI_Win_flush", "flush_local": "MPI_Win_flush_local",
                "lock_all": "MPI_Win_lock_all/unlock_all", "pscw": "MPI_Win_post/start/complete/wait", "fence": "MPI_Win_fence"}


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    title: str
    call: str                     # MPI_...
    other: tuple                  # a window and a synchronization other than the program's own
    faults: tuple                 # its sent and fetched data
    defaults: tuple = ("allocate", "flush")
    typed: bool = False
    bandwidth: bool = False
    one_element: bool = False

    @property
    def letters(self):
        return "wshvmxidcGIzP" + "W" * self.bandwidth + "T" * self.typed

    @property
    def value(self):
        return "Bandwidth (MB/s)" if self.bandwidth else "Latency (us)"

    @property
    def sizes(self):
        return [1] if self.one_element else [1, 2, 4, 8]

    def preamble(self, pair, kind="MPI_CHAR"):
        lines = [f"# OSU {self.title} Test v7.4", f"# Window creation: {CREATED[pair[0]]}",
                 f"# Synchronization: {SYNCHRONIZED[pair[1]]}"]
        return lines + [f"# Datatype: {kind}."] * (self.call != "Get_accumulate")


ALL = [
    Program("osu_put_latency", "MPI_Put Latency", "Put", ("create", "lock_all"), ("sent",)),
    Program("osu_get_latency", "MPI_Get latency", "Get", ("dynamic", "fence"), ("fetched",)),
    Program("osu_acc_latency", "MPI_Accumulate latency", "Accumulate", ("create", "pscw"), ("sent",), typed=True),
    Program("osu_get_acc_latency", "MPI_Get_accumulate latency", "Get_accumulate", ("allocate", "flush"), ("sent", "fetched"),
            defaults=("create", "lock")),
    Program("osu_fop_latency", "MPI_Fetch_and_op latency", "Fetch_and_op", ("dynamic", "lock"), ("sent", "fetched"),
            typed=True, one_element=True),
    Program("osu_cas_latency", "MPI_Compare_and_swap latency", "Compare_and_swap", ("create", "fence"), ("sent", "fetched"),
            typed=True, one_element=True),
    Program("osu_put_bw", "MPI_Put Bandwidth", "Put", ("create", "flush_local"), ("sent",), bandwidth=True),
    Program("osu_get_bw", "MPI_Get Bandwidth", "Get", ("allocate", "pscw"), ("fetched",), bandwidth=True),
    Program("osu_put_bibw", "MPI_Put Bi-directional Bandwidth", "Put", ("dynamic", "fence"), ("sent",),
            defaults=("allocate", "pscw"), bandwidth=True),
]
BY_NAME = {p.name: p for p in ALL}
