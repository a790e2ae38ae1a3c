# SPDX-License-Identifier: BSL-1.0
"""All OSU programs, a row each, and the libraries that move their data: written from OMB's documentation and output, not from the tables of the programs."""
import collections
import dataclasses
import os
import re
import tempfile

from driver import COUNT_SHIM, FAULT_SHIM, LAUNCHER, PROGRAMS, read
from launching import launch


@dataclasses.dataclass(frozen=True)
class Library:
    """How its programs are started, how their calls are counted, and how their data are damaged."""
    prefix: str
    folder: str = PROGRAMS
    preload: tuple = ()
    environment: dict = dataclasses.field(default_factory=dict)
    count_shim: tuple = ()
    fault_shim: tuple = ()
    logs: bool = False           # its calls are in a log of their order, NCCL's
    own: tuple = ()              # calls that are the program's own and no others


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    title: str
    letters: str
    columns: tuple               # beside the size, without options
    library: Library
    ranks: int = 2
    word: tuple = ()             # beside options
    before: tuple = ("",)        # lines above the title, and below it
    after: tuple = ()
    full: tuple = ()             # the columns of -f
    sizes: str = "sizes"         # "sizes", "element": a row of one element; "none": a row without a size
    smallest: int = 1
    width: int = 18              # of a figure, without -c
    tail: str = " Tail Lat(us)"
    good: str = "Pass"
    wrong: str = "Fail"
    calls: object = None         # (rank, size) -> the calls of an iteration and their numbers; the window is of 3 messages
    runs: int = 1                # measurements of each size
    repeats: bool = True         # -u: unchecked repetitions before a checked one
    steps: str = "8192:16384"    # sizes with the usual and with fewer iterations
    counts: tuple = ()           # iterations and warm-up of both
    faults: tuple = ()           # a way to damage data, and the first message that is damaged
    receiver: int = 2            # rank whose data are damaged in a collective

    def takes(self, letter):
        return letter in self.letters

    @property
    def exists(self):
        return os.path.exists(os.path.join(self.library.folder, self.name))

    @property
    def window(self):
        return ("-W", "3") if self.takes("W") else ()


LONG = {"h": "help", "v": "version", "m": "message-size", "x": "warmup", "i": "iterations", "t": "num-test-calls",
        "W": "window-size", "b": "buffer-num", "p": "num-pairs", "R": "print-rate", "V": "vary-window",
        "c": "validation", "u": "validation-warmup", "G": "graph", "D": "ddt", "P": "papi", "T": "type",
        "I": "session", "z": "tail-lat", "f": "full", "M": "mem-limit", "a": "array-size", "l": "in-place",
        "k": "root-rank", "N": "nhbr", "d": "accelerator", "r": "cuda-target", "w": "win-options", "s": "sync-option"}
CHARACTERS = ("# Datatype: MPI_CHAR.",)
OVERLAP_LINES = ("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait", "")
AVERAGE = ("Avg Latency(us)",)
FULL = ("Avg Latency(us)", "Min Latency(us)", "Max Latency(us)", "Iterations")
LATENCY = "hvmxidbcuGDPTIz"
BANDWIDTH = "hvmxitWbdcuGDPTIz"
FAN_NODES = "0,0,1,1"


def half_of(first, second, ranks=2):
    """The calls of the lower and of the upper half of the ranks."""
    return lambda rank, size: first if rank < ranks // 2 else second


# Messages between ranks.

MESSAGES = Library("osu_", count_shim=(COUNT_SHIM,), fault_shim=(FAULT_SHIM,),
                   own=("MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Start", "started_together"))
FORKS = dataclasses.replace(MESSAGES, preload=(os.environ["OSU_FORK_SHIM"],))
FANS = dataclasses.replace(MESSAGES, preload=(os.environ["OSU_FAKE_NODES"],), environment={"FAKE_NODES": FAN_NODES})
ONE_EACH = {"MPI_Send": 1, "MPI_Recv": 1}
SENDING, RECEIVING = {"MPI_Isend": 3, "MPI_Recv": 1}, {"MPI_Irecv": 3, "MPI_Send": 1}
BOTH = {"MPI_Isend": 3, "MPI_Irecv": 3}


def _latency(name, title, calls=half_of(ONE_EACH, ONE_EACH), **more):
    given = {"letters": LATENCY, "columns": AVERAGE, "library": MESSAGES, "after": CHARACTERS, "counts": (10000, 100, 1000, 10),
             "faults": (("last", 1), ("lost", 29)), "calls": calls, **more}
    return Program("osu_" + name, f"OSU MPI {title} Test", **given)


def _bandwidth(name, title, calls, **more):
    given = {"letters": BANDWIDTH, "columns": ("Bandwidth (MB/s)",), "tail": " Tail BW(MB/s)", "counts": (100, 10, 20, 2),
             "faults": (("last", 1), ("lost", 29 * 3)), **more}
    return _latency(name, title, calls, **given)


MESSAGE_PROGRAMS = [
    _latency("latency", "Latency"),
    _latency("latency_persistent", "Latency Persistent", half_of({"MPI_Start": 2}, {"MPI_Start": 2})),
    _latency("multi_lat", "Multi Latency", half_of(ONE_EACH, ONE_EACH, 4), ranks=4),
    _bandwidth("bw", "Bandwidth", half_of(SENDING, RECEIVING)),
    _bandwidth("bibw", "Bi-Directional Bandwidth", half_of(BOTH, BOTH)),
    _bandwidth("bw_persistent", "Bandwidth Persistent", half_of({"started_together": 3, "MPI_Recv": 1}, {"started_together": 3, "MPI_Send": 1})),
    _bandwidth("bibw_persistent", "Bi-Directional Bandwidth Persistent", half_of(*[{"started_together": 6}] * 2)),
    _bandwidth("mbw_mr", "Multiple Bandwidth / Message Rate", half_of(SENDING, RECEIVING, 4), letters="pWRximVhvbdcuGDPTIz",
               columns=("MB/s", "Messages/s"), counts=(100, 10, 100, 10), before=(), after=("# [ pairs: 2 ] [ window size: 3 ]", *CHARACTERS), ranks=4),
    _latency("latency_mt", "Multi-threaded Latency", None, letters="hvmxitcuGDTIz", counts=(),
             before=("# Number of Sender threads: 1 ", "# Number of Receiver threads: 2", "")),
    _latency("latency_mp", "Multi-process Latency", letters="hvmxitcuGDPTIz", width=10, library=FORKS,
             before=("# Number of forked processes in sender: 2", "# Number of forked processes in receiver: 2", "")),
    *(_bandwidth(name, "Bandwidth", None, letters="hvmxidWbGDPTIz", columns=AVERAGE, tail=" Tail Lat(us)", ranks=4, library=FANS, counts=(), faults=())
      for name in ("bw_fan_in", "bw_fan_out")),
]

# Collective operations of MPI: name, title, letters in addition to the common ones.
ALL_HAVE = "hvfmixMaGPIz"
DATA, IN_PLACE, ROOT, SUMS = "cuDT", "l", "k", "cuTl"
DEVICE = "dr"  # those of neighborhood collectives are on the host
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
    ("neighbor_allgather", "Neighborhood Allgather", DATA + "N"),
    ("neighbor_allgatherv", "Neighborhood Allgatherv", DATA + "N"),
    ("neighbor_alltoall", "Neighborhood Alltoall", DATA + "N"),
    ("neighbor_alltoallv", "Neighborhood All-to-Allv", DATA + "N"),
    ("neighbor_alltoallw", "All-to-Allw Personalized Exchange", DATA + "N"),
]
NONBLOCKING_TITLES = {
    "alltoall": "Non-blocking All-to-All",
    "bcast": "Non-Blocking Broadcast",
    "neighbor_alltoallv": "Non-blocking Neighborhood Alltoallv",
    "neighbor_alltoallw": "Non-blocking Neighborhood Alltoallw",
}
NONBLOCKING_COUNTS = {"barrier": (100, 10, 100, 10), "gatherv": (1000, 10, 100, 10), "scatterv": (1000, 10, 100, 10)}
USUAL = (1000, 100, 100, 10)
OVERLAP = ("Overall(us)", "Compute(us)", "Pure Comm.(us)", "Overlap(%)")
FULL_OVERLAP = ("Overall(us)", "Compute(us)", "Coll. Init(us)", "MPI_Test(us)", "MPI_Wait(us)", "Pure Comm.(us)",
                "Min Comm.(us)", "Max Comm.(us)", "Overlap(%)")
OF_SONDE = ("allgather", "allreduce", "barrier", "bcast", "gather")  # the library calls them, too
AT_ROOT = ("gather", "gatherv", "reduce")
FURTHER_FAULTS = {**dict.fromkeys(("osu_iallreduce", "osu_ialltoallw", "osu_ineighbor_allgatherv", "osu_reduce_scatter_persistent"), (("last", 1),)),
                  "osu_bcast_persistent": (("last", 1), ("lost", 29)), "osu_alltoallv": (("lost", 29),), "osu_iallgather": (("lost", 34),)}
COLLECTIVES = Library("osu_", count_shim=(COUNT_SHIM,), fault_shim=(os.environ["OSU_COLLECTIVE_FAULT_SHIM"],))


def _collective(kind, title, letters, family):
    def calls(call):
        return lambda rank, size: {call: 1}

    sized, checks = kind != "barrier", "c" in letters
    letters = ALL_HAVE + letters + DEVICE * ("N" not in letters)
    more = {"faults": (("last", 1),) * (checks and family == "blocking"), "calls": None if kind in OF_SONDE else calls("MPI_" + kind.capitalize())}
    name, columns, full, counts, after = "osu_" + kind, AVERAGE, FULL, USUAL, ()
    if family == "nonblocking":
        letters = (letters if sized else ALL_HAVE + DEVICE) + "t"
        name, title = "osu_i" + kind, NONBLOCKING_TITLES.get(kind, "Non-blocking " + title)
        columns, full, counts, after = OVERLAP, FULL_OVERLAP, NONBLOCKING_COUNTS.get(kind, USUAL), OVERLAP_LINES
        more |= {"runs": 2, "calls": calls("MPI_I" + kind)}
    elif family == "persistent":
        name, title, letters = f"osu_{kind}_persistent", title + " Persistent", letters.replace(ROOT, "")
        more |= {"calls": calls("MPI_Start")}
    more["faults"] += FURTHER_FAULTS.get(name, ())
    return Program(name, f"OSU MPI {title} Latency Test", letters, columns, COLLECTIVES, ranks=3, after=after + CHARACTERS * sized, full=full,
                   sizes="sizes" if sized else "none", counts=counts, receiver=0 if kind in AT_ROOT else 2, **more)


COLLECTIVE_PROGRAMS = [_collective(*kind, family) for family in ("blocking", "nonblocking") for kind in KINDS] + \
    [_collective(*kind, "persistent") for kind in KINDS if "N" not in kind[2] and kind[0] not in ("reduce_scatter_block", "scan", "exscan")]

# One-sided transfers of MPI.

CREATED = {"create": "MPI_Win_create", "allocate": "MPI_Win_allocate", "dynamic": "MPI_Win_create_dynamic"}
SYNCHRONIZED = {"lock": "MPI_Win_lock/unlock", "flush": "MPI_Win_flush", "flush_local": "MPI_Win_flush_local",
                "lock_all": "MPI_Win_lock_all/unlock_all", "pscw": "MPI_Win_post/start/complete/wait", "fence": "MPI_Win_fence"}
WINDOWS = Library("osu_", count_shim=(os.environ["OSU_ONE_SIDED_SHIM"],), fault_shim=(os.environ["OSU_ONE_SIDED_SHIM"],),
                  own=("Put", "Get", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap"))


def windows_of(creation, synchronization, shows_type=True, kind="MPI_CHAR"):
    """The lines below the title of a one-sided program."""
    return (f"# Window creation: {CREATED[creation]}", f"# Synchronization: {SYNCHRONIZED[synchronization]}", *(f"# Datatype: {kind}.",) * shows_type)


def _one_sided(name, title, call, faults, defaults=("allocate", "flush"), typed=False, element=False):
    rate = name.endswith("bw")
    each = {call: 3 if rate else 1}
    return Program("osu_" + name, f"OSU MPI_{call} {title} Test", "wshvmxidcGIzP" + "W" * rate + "T" * typed,
                   ("Bandwidth (MB/s)" if rate else "Latency (us)",), WINDOWS, before=(), after=windows_of(*defaults, call != "Get_accumulate"),
                   sizes="element" if element else "sizes", tail=" Tail BW(MB/s)" if rate else " Tail Lat(us)", good="passed", wrong="failed",
                   calls=half_of(each, each if name == "put_bibw" else {}), repeats=False,
                   counts=(100, 10, 20, 2) if rate else (10000, 100, 1000, 10), faults=tuple((how, 1) for how in (*faults, "lost")))


ONE_SIDED_PROGRAMS = [
    _one_sided("put_latency", "Latency", "Put", ("sent",)),
    _one_sided("get_latency", "latency", "Get", ("fetched",)),
    _one_sided("acc_latency", "latency", "Accumulate", ("sent",), typed=True),
    _one_sided("get_acc_latency", "latency", "Get_accumulate", ("sent", "fetched"), ("create", "lock")),
    _one_sided("fop_latency", "latency", "Fetch_and_op", ("sent", "fetched"), typed=True, element=True),
    _one_sided("cas_latency", "latency", "Compare_and_swap", ("sent", "fetched"), typed=True, element=True),
    _one_sided("put_bw", "Bandwidth", "Put", ("sent",)),
    _one_sided("get_bw", "Bandwidth", "Get", ("fetched",)),
    _one_sided("put_bibw", "Bi-directional Bandwidth", "Put", ("sent",), ("allocate", "pscw")),
]

# Of OpenSHMEM, UPC and UPC++.

PAIR = {"before": (), "good": "passed", "wrong": "failed"}
PGAS_COLLECTIVE = {"before": (), "columns": AVERAGE, "full": FULL, "counts": (1000, 200, 100, 10)}
SHMEM_SHIM = os.environ.get("OSU_OPENSHMEM_SHIM")
SHMEM = Library("osu_oshm_", count_shim=(SHMEM_SHIM,), fault_shim=(SHMEM_SHIM,), own=("shmem_putmem", "shmem_getmem", "shmem_putmem_nbi", "shmem_getmem_nbi"))


def _shmem(name, title, functions, faults, **more):
    """A row of a pair; functions: that PE 0 calls in an iteration."""
    rate = name.endswith(("mr", "mr_nb"))
    quiet = {"shmem_quiet": len(functions)} if name != "get" else {}
    return Program("osu_oshm_" + name, f"OSU OpenSHMEM {title}", **{
        "letters": "hvmxicu" + "Gz" * (not rate), "columns": ("Messages/s",) if rate else ("Latency (us)",), "library": SHMEM,
        "ranks": 4 if rate else 2, "word": ("heap",), "counts": () if rate else (10000, 1000, 100, 0),
        "calls": None if rate else half_of({**{call: 1 for call in functions}, **quiet}, {}), "faults": tuple((how, 1) for how in faults), **PAIR, **more})


def _shmem_collective(name, title, call, **more):
    return Program("osu_oshm_" + name, f"OSU OpenSHMEM {title} Latency Test", library=SHMEM, ranks=3, smallest=4, steps="32768:65536", **{
        "letters": "hvfmixMcuGz", "calls": lambda rank, size: {call: 1}, "faults": (("received", 1), ("lost", 1)), **PGAS_COLLECTIVE, **more})


OPERATIONS = ("fadd", "finc", "add", "inc", "cswap", "swap", "set", "fetch")
ROWS_OF_ATOMICS = [f"shmem_{kind}_{operation}" for kind in ("int", "longlong") for operation in OPERATIONS]
SHMEM_PROGRAMS = [
    _shmem("put", "Put Test", ["shmem_putmem"], ("sent", "lost")),
    _shmem("put_nb", "Put_nbi Test", ["shmem_putmem_nbi"], ("sent", "lost")),
    _shmem("get", "Get Test", ["shmem_getmem"], ("received", "lost")),
    _shmem("get_nb", "Get Test", ["shmem_getmem_nbi"], ("received", "lost")),
    _shmem("put_mr", "Put Message Rate Test", ["shmem_putmem"], ("sent", "lost")),
    _shmem("put_mr_nb", "Put_nb Message Rate Test", ["shmem_putmem_nbi"], ("sent", "lost")),
    _shmem("get_mr_nb", "Get_nb Message Rate Test", ["shmem_getmem_nbi"], ("received", "lost")),
    _shmem("put_overlap", "Put_nbi Test", ["shmem_putmem", "shmem_putmem_nbi"], ("sent", "lost"), letters="hvmxicu", width=17, after=OVERLAP_LINES,
           columns=("Compute(us)", "Coll. Init(us)", "MPI_Wait(us)", "Pure Comm.(us)", "Overlap(%)"), counts=(), calls=None),
    _shmem("atomics", "Atomic Operation Rate Test", [], ("sent", "received", "lost"), letters="hvxicu", columns=("Million ops/s", "Latency (us)"),
           ranks=4, sizes="operations", counts=(), calls=None),
    _shmem_collective("barrier", "Barrier", "shmem_barrier", letters="hvfmixMGz", sizes="none", faults=(), counts=(100, 10, 0, 0)),
    _shmem_collective("broadcast", "Broadcast", "shmem_broadcast32"),
    _shmem_collective("collect", "Collect", "shmem_collect32"),
    _shmem_collective("fcollect", "FCollect", "shmem_fcollect32"),
    _shmem_collective("reduce", "Reduce", "shmem_float_sum_to_all"),
] if SHMEM_SHIM else []

# Stand-ins, which count calls and damage data, for UPC and UPC++: their processes are of MPI.
UPC = Library("osu_upc_", os.environ["OSU_UPC_PROGRAMS"], environment={"UPC_SHARED_HEAP_SIZE": "16"}) # room for the sizes by default, not for more
UPCXX = Library("osu_upcxx_", os.environ["OSU_UPCXX_PROGRAMS"])


def _counted(size):
    """The stand-in for UPC takes whole doubles for data of Sonde's group."""
    return size % 8 != 0


def _copies(library, title, call, name, fence=False):
    """Two pairs that copy."""
    def calls(rank, size):
        return {} if rank > 1 else {call: _counted(size) or library is UPCXX, **({"fence": 1} if fence else {})}
    return Program(library.prefix + name, title, "hvmxicu", ("Latency (us)",), library, ranks=4, after=("# [ pairs: 2 ]",), steps="8190:16380",
                   calls=calls, counts=(10000, 1000, 100, 10), faults=(("flipped", 1), ("lost", 1)), **PAIR)


def _pgas_collective(library, name, title, call, numbers, **more):
    """numbers: of calls of the first and of the last of two ranks."""
    return Program(library.prefix + name, title, library=library, steps="8190:16380", **{
        "letters": "hvfmixMcuGz", "calls": lambda rank, size: {call: numbers[rank] * (_counted(size) or library is UPCXX)},
        "faults": (("flipped", 1), ("lost", 1)), **PGAS_COLLECTIVE, **more})


def _upc(call, title, **more):
    return _pgas_collective(UPC, "all_" + call, f"OSU UPC {title} Latency Test", call, (1, 1), **more)


def _upcxx(name, title, call, numbers):
    return _pgas_collective(UPCXX, name, f"OSU UPC++ {title} Latency Test", call, numbers)


UPC_PROGRAMS = [
    _copies(UPC, "OSU UPC MEMPUT Test", "memput", "memput", True),
    _copies(UPC, "OSU UPC MEMGET Test", "memget", "memget"),
    _upc("barrier", "Barrier", letters="hvfmixMGz", sizes="none", faults=(), calls=None),
    _upc("broadcast", "Broadcast"),
    _upc("exchange", "Exchange"),
    _upc("gather", "Gather"),
    _upc("gather_all", "GatherAll"),
    _upc("reduce", "Reduce"),
    _upc("scatter", "Scatter"),
]
UPCXX_PROGRAMS = [
    _copies(UPCXX, "OSU UPC++ Async Copy (Put) Test", "rput", "async_copy_put"),
    _copies(UPCXX, "OSU UPC++ Async Copy (Get) Test", "rget", "async_copy_get"),
    _upcxx("allgather", "AllGather", "rput", (2, 2)),
    _upcxx("alltoall", "AlltoAll", "rput", (2, 2)),
    _upcxx("bcast", "Broadcast", "broadcast", (1, 1)),
    _upcxx("gather", "Gather", "rput", (1, 1)),
    _upcxx("reduce", "Reduce", "reduce_one", (1, 1)),
    _upcxx("scatter", "Scatter", "rput", (2, 0)),
]

# Of NCCL, with an NCCL and a CUDA runtime that need no device. Calls are with bytes, peer and group.
NCCL_FAKES = os.environ.get("OSU_FAKE_NCCL")
NCCL = Library("osu_xccl_", preload=(NCCL_FAKES, os.environ.get("OSU_FAKE_GPU")), environment={"FAKE_CUDA_DEVICES": "4"}, logs=True,
               fault_shim=(os.environ.get("OSU_NCCL_FAULT_SHIM"),))
GROUPED = {"ncclGroupStart": 1, "ncclGroupEnd": 1}
NCCL_PAIR = {"before": ("# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)",), "letters": "hvmxidbcuGTIz", "title": ""}


def _nccl(name, value, calls, counts, **more):
    return Program("osu_xccl_" + name, columns=(value,), library=NCCL, calls=calls, counts=counts, **{**NCCL_PAIR, **more})


def _nccl_collective(name, title, calls, floats=False, ranks=2, faults=()):
    return _nccl(name, AVERAGE[0], calls, USUAL, title=f"OSU NCCL-CUDA {title} Latency Test", before=("",),
                 letters="hvfmixdrMacuGIz" + "T" * (name == "alltoall"), full=FULL, smallest=4 if floats else 1,
                 ranks=ranks, steps="32768:65536" if floats else "8192:16384", faults=faults)


def _alltoall(ranks):
    def calls(rank, size):
        return {**{f"{call} {size} {peer} 1": 1 for call in ("ncclSend", "ncclRecv") for peer in range(ranks)}, **GROUPED}
    return _nccl_collective("alltoall", "All-to-All Personalized Exchange", calls, ranks=ranks)


def _reduce_scatter(ranks):
    return _nccl_collective("reduce_scatter", "Reduce_scatter", lambda rank, size: {f"ncclReduceScatter {size // 4 // ranks * 4} 1": 1}, True, ranks)


NCCL_PROGRAMS = [
    _nccl("latency", "Latency (us)", lambda rank, size: {f"ncclSend {size} {1 - rank} 1": 1, f"ncclRecv {size} {1 - rank} 1": 1}, (10000, 100, 1000, 10)),
    _nccl("bw", "Bandwidth (MB/s)", lambda rank, size: {f"ncclRecv {size} 0 1": 3, "ncclSend 1 0 1": 1} if rank else
          {f"ncclSend {size} 1 1": 3, "ncclRecv 1 1 1": 1}, (100, 10, 20, 2), letters="hvmxitdWbcuGTIz", tail=" Tail BW(MB/s)"),
    _nccl("bibw", "Bandwidth (MB/s)", lambda rank, size: {f"ncclSend {size} {1 - rank} 1": 3, f"ncclRecv {size} {1 - rank} 1": 3, **GROUPED},
          (100, 10, 20, 2), letters="hvmxitdWbcuGTIz", tail=" Tail BW(MB/s)"),
    _nccl_collective("allgather", "Allgather", lambda rank, size: {f"ncclAllGather {size} 1": 1}),
    _nccl_collective("allreduce", "Allreduce", lambda rank, size: {f"ncclAllReduce {size} 1": 1}, True, faults=(("last", 1),)),
    _nccl_collective("bcast", "Broadcast", lambda rank, size: {f"ncclBroadcast {size} 0 1": 1}),
    _nccl_collective("reduce", "Reduce", lambda rank, size: {f"ncclReduce {size} 0 1": 1}, True),
    *(_alltoall(ranks) for ranks in (2, 4)),
    *(_reduce_scatter(ranks) for ranks in (2, 3)),
] if NCCL_FAKES else []

ALL = MESSAGE_PROGRAMS + COLLECTIVE_PROGRAMS + ONE_SIDED_PROGRAMS + SHMEM_PROGRAMS + UPC_PROGRAMS + UPCXX_PROGRAMS + NCCL_PROGRAMS
BUILT = [p for p in ALL if p.exists] # an MPI library may have no persistent collectives
BY_NAME = {p.name: p for p in ALL}


def start(program, *arguments, shim=(), word=None, ranks=None, environment=None, **how):
    """The program's answer on its usual number of ranks, with its usual word."""
    library = program.library
    settings = {**library.environment, **(environment or {})}
    if preload := ":".join([*shim, *([settings["LD_PRELOAD"]] if "LD_PRELOAD" in settings else []), *library.preload]):
        settings["LD_PRELOAD"] = preload
    given = program.word if word is None else word
    return launch(LAUNCHER, os.path.join(library.folder, program.name), *given, *arguments, ranks=ranks or program.ranks, environment=settings, **how)


def damaged(program, how, since, *arguments, receiver=None, settings=(), **more):
    """The answer of the program whose data are damaged from a message on."""
    settings = {**dict(settings), "SONDE_FAULT": how, "SONDE_NCCL_FAULT": how, "SONDE_FAULT_FROM": str(since), 
                "SONDE_FAULT_RANK": str(program.receiver if receiver is None else receiver)}
    return start(program, *arguments, shim=program.library.fault_shim, environment=settings, **more)


def counted(program, *arguments, **more):
    """The answer, and each rank's numbers of calls: [{"MPI_Send": 10}, ...]."""
    logs = program.library.logs
    with tempfile.TemporaryDirectory() as folder:
        settings = {"FAKE_CUDA_LOG": f"{folder}/%p"} if logs else {"SONDE_COUNTS": f"{folder}/rank"}
        answer = start(program, *arguments, shim=program.library.count_shim, environment=settings, **more)
        assert set(answer.codes) == {0}, answer
        texts = [read(os.path.join(folder, f)) for f in sorted(os.listdir(folder))]
    if not logs:
        return answer, [{call: int(n) for call, n in (line.rsplit(" ", 1) for line in text.splitlines())} for text in texts]
    calls = r"(?m)^nccl(?!Comm|GetUnique).*$"
    by_rank = sorted((text for text in texts if "ncclComm" in text), key=lambda text: int(re.search(r"ncclCommInitRank \d+ (\d+)", text)[1]))
    awaited = [{f"awaited {call}": 1 for call in re.findall(calls + r"(?=\ncudaStreamQuery)", text)} for text in by_rank]
    return answer, [collections.Counter(re.findall(calls, text)) | waits for text, waits in zip(by_rank, awaited)]
