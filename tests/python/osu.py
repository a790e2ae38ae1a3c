# SPDX-License-Identifier: BSL-1.0
"""The programs of sonde.osu, on 2, 3 or 4 ranks in one launch: their text, calls, contents, options and refusals.

All ranks run all tests in the same order, because each run of a program is collective."""
import contextlib
import dataclasses
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy as np
from mpi4py import MPI

from sonde.osu import buffers, columns, driver, options
from sonde.osu.benchmarks import BENCHMARKS

WORLD = MPI.COMM_WORLD
RANK, RANKS = WORLD.Get_rank(), WORLD.Get_size()

# Of OMB's output: the title, the first size, and 1 for a program that times sums of floats.
TITLES = {"latency": "Latency", "bw": "Bandwidth", "bibw": "Bi-Directional Bandwidth", "multi_lat": "Multi Latency",
          "allgather": "Allgather", "allgatherv": "Allgatherv", "allreduce": "Allreduce", "alltoall": "Alltoall",
          "alltoallv": "Alltoallv", "barrier": "Barrier", "bcast": "Bcast", "gather": "Gather", "gatherv": "Gatherv",
          "reduce": "Reduce", "reduce_scatter": "Reduce_scatter", "scatter": "Scatter", "scatterv": "Scatterv"}
FIRST = {"latency": 0, "multi_lat": 0, "allreduce": 4, "reduce": 4, "reduce_scatter": 4}
LAST = 8  # bytes of the largest message
FEW = ("--max", str(LAST), "--iterations", "3", "--skip", "1")


def runs_here(name):
    return RANKS == 2 or name not in ("latency", "bw", "bibw") and (name != "multi_lat" or RANKS % 2 == 0)


HERE = [name for name in TITLES if runs_here(name)]


def run(*arguments, comm=WORLD):
    """Of the program: the exit status, output and error output of this rank."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = driver.run(arguments, comm)
    return status, out.getvalue(), err.getvalue()


def sizes_of(name, last=LAST):
    if name == "barrier":
        return [0]
    first = FIRST.get(name, 1)
    return [size for size in [0] + [1 << i for i in range(21)] if first <= size <= last]


def head_of(name):
    if name in ("bw", "bibw"):
        return [f"# OMB-Py MPI {TITLES[name]} Test", "# Size (B)  Bandwidth (MB/s)"]
    return [f"# OMB Python MPI {TITLES[name]} Test", "# Size (B)      Latency (us)"]


def masked(text):
    """The text with figures replaced: a figure of any length ends where it would."""
    return re.sub(r" *\d+\.\d\d(?=\s|$)", lambda found: " " * (len(found[0]) - 1) + "#", text)


def table_of(name, last=LAST):
    lines = head_of(name) + [f"{size:<10}{'#':>18}" for size in sizes_of(name, last)]
    return "".join(line + "\n" for line in lines) if RANK == 0 else ""


class Text(unittest.TestCase):
    def test_every_program_prints_the_text_of_omb(self):
        for name in HERE:
            for more in ((), ("--pickle",), ("--buffer", "numpy"), ("--buffer", "numpy", "--pickle")):
                with self.subTest(f"{name} {more}"):
                    status, out, err = run(name, *FEW, *more)
                    self.assertEqual((status, masked(out)), (0, table_of(name)), err)

    def test_the_name_may_be_given_as_for_run_py(self):
        for given in (["--benchmark", "barrier"], ["osu_barrier"], ["--benchmark=collective/osu_barrier"]):
            with self.subTest(given):
                self.assertEqual(masked(run(*given, "--iterations", "2", "--skip", "0")[1]), table_of("barrier"))


UNITS = {"bw": "MB/s", "bibw": "MB/s"}


class Columns(unittest.TestCase):
    def test_statistics_add_the_columns_of_the_other_programs(self):
        for name in HERE:
            unit = f"({UNITS.get(name, 'us')})"
            titles = "".join(f"{title + unit:>18}" for title in ("Median", "95% Low", "95% High", "P99", "Slowest", "t_max", "Max"))
            with self.subTest(name):
                _, out, err = run(name, "--max", "4", "--min", "4", "--iterations", "8", "--honest")
                if RANK == 0:
                    lines = out.splitlines()
                    self.assertEqual(lines[1], head_of(name)[1] + titles + "     Samples   Batch     Ended by                         Flags")
                    self.assertRegex(lines[-1], r"^(4|0) +\d+\.\d\d( +\d+\.\d\d)( +(-|\d+\.\d\d)){2} +-( +\d+\.\d\d){3} +8       1      samples +[-a-z_, ]+$", err)

    def test_the_lower_bound_of_a_rate_is_that_of_the_longest_time(self):
        record = types.SimpleNamespace(interval=(1e-6, 2e-6))
        for name, low, high in (("bcast", 1, 2), ("latency", 0.5, 1), ("bw", 3200, 6400)):
            row = columns.Row(BENCHMARKS[name], 100, record)
            self.assertEqual([row.bound(False), row.bound(True)], [f"{bound:18.2f}" for bound in (low, high)])

    def test_a_bandwidth_counts_the_bytes_of_both_ways(self):
        for name, ways in (("bw", 1), ("bibw", 2)):
            row = columns.Row(BENCHMARKS[name], 1000, None)
            self.assertEqual(row.value(64e-6), f"{1000.0 * ways:18.2f}")
        self.assertEqual(columns.Row(BENCHMARKS["latency"], 8, None).value(3e-6), f"{1.5:18.2f}")
        self.assertEqual(columns.Row(BENCHMARKS["bcast"], 8, None).value(3e-6), f"{3.0:18.2f}")


class Ends(unittest.TestCase):
    def test_thousands_of_iterations_are_samples_of_ten(self):
        for iterations, samples, batch in ((1000, 100, 10), (1005, 1005, 1), (990, 990, 1)):
            if row := self.row_of("--iterations", str(iterations), "--skip", "0"):
                self.assertEqual(row, [str(samples), str(batch), "samples"])

    def row_of(self, *arguments):
        _, out, err = run("bcast", "--max", "1", "--honest", *arguments)
        self.assertEqual(err, "")
        line = out.splitlines()[-1] if RANK == 0 else ""
        return [line[154:166].strip(), line[166:174].strip(), line[174:187].strip()] if line else None

    def test_a_row_ends_by_its_precision_or_its_budget(self):
        if row := self.row_of("--until", "90%", "--budget", "30"):
            self.assertEqual(row[2], "precision")
        if row := self.row_of("--budget", "0.001"):
            self.assertEqual(row[1:], ["1", "time_budget"])

    def test_given_iterations_are_the_most(self):
        if row := self.row_of("--until", "0.001", "--iterations", "7", "--skip", "0"):
            self.assertEqual((row[0], row[2]), ("7", "samples"))
        if row := self.row_of("--budget", "100", "--iterations", "7"):
            self.assertEqual(row, ["7", "1", "samples"])


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = WORLD.bcast(tempfile.mkdtemp() if RANK == 0 else None)

    def tearDown(self):
        WORLD.Barrier()
        if RANK == 0:
            shutil.rmtree(self.folder)

    def test_a_report_has_a_record_of_each_row(self):
        forms = {"json": "jsonl", "csv": "csv", "html": "html", "table": "txt"}
        reports = [f"--report={form}={self.folder}/rows.{ending}" for form, ending in forms.items()]
        name = "multi_lat" if RANKS % 2 == 0 else "allreduce"
        status, _, err = run(name, *FEW, "--buffer", "numpy", *reports)
        self.assertEqual((status, err), (0, ""))
        if RANK == 0:
            self.check_records(name)
            for ending in forms.values():
                self.assertIn(f"osu_{name}", pathlib.Path(self.folder, f"rows.{ending}").read_text())

    def check_records(self, name):
        lines = pathlib.Path(self.folder, "rows.jsonl").read_text().splitlines()
        records = [line for line in map(json.loads, lines) if line["type"] == "record"]
        self.assertEqual([r["parameters"] for r in records], [{"bytes": size, "buffer": "numpy", "pickle": "no"} for size in sizes_of(name)])
        self.assertEqual({(r["initiators"], r["total"]["hops"]) for r in records}, {(RANKS // 2, 2)} if name == "multi_lat" else {(RANKS, 1)})

    def test_a_file_that_cannot_be_written_is_refused(self):
        status, out, err = run("barrier", "--report", "csv=/nowhere/rows.csv")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"^Cannot report \[--report\]: .*/nowhere/rows.csv.*\n$" if RANK == 0 else "^$")

    def test_a_full_disk_ends_all_ranks(self):
        full = pathlib.Path(self.folder, "rows.csv")
        if RANK == 0:
            full.symlink_to("/dev/full")
        WORLD.Barrier()
        status, _, err = run("bcast", *FEW, "--report", f"csv={full}")
        self.assertEqual(status, 1)
        self.assertRegex(err, r"^Cannot report \[--report\]: .*No space left.*\n$" if RANK == 0 else "^$")


class Counting(MPI.Intracomm):
    """A communicator that counts the calls of this rank."""

    calls: dict = {}

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        if name in COUNTED:
            def counted(*arguments):
                Counting.calls[name] = Counting.calls.get(name, 0) + 1
                return found(*arguments)
            return counted
        return found


POINT_TO_POINT = {False: ("Send", "Recv", "Isend", "Irecv"), True: ("send", "recv", "isend", "irecv")}
COLLECTIVES = ("Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Bcast", "Gather", "Gatherv", "Reduce",
               "Reduce_scatter", "Scatter", "Scatterv")
OBJECTS = ("Allgather", "Allreduce", "Alltoall", "Bcast", "Gather", "Reduce", "Scatter")  # have a lower-case function
COUNTED = {*POINT_TO_POINT[False], *POINT_TO_POINT[True], *COLLECTIVES, *(word.lower() for word in OBJECTS)} - {"allgather", "bcast"}


def calls_of(name, rounds, pickle):
    """Calls of this rank for a number of iterations."""
    send, receive, post, post_receive = POINT_TO_POINT[pickle]
    if name in ("latency", "multi_lat"):
        return {send: rounds, receive: rounds}
    if name == "bw":
        return {post: 64 * rounds, receive: rounds} if RANK == 0 else {post_receive: 64 * rounds, send: rounds}
    if name == "bibw":
        return {post: 64 * rounds, post_receive: 64 * rounds}
    if name == "barrier":
        return {}
    word = name.capitalize()
    if not pickle:
        return {word: rounds}
    without_v = word.removesuffix("v") if word in ("Gatherv", "Scatterv") else word
    lower = without_v.lower()
    return {} if lower in ("allgather", "bcast") else {lower: rounds} if without_v in OBJECTS else {word: rounds}


class Calls(unittest.TestCase):
    def test_an_iteration_is_omb_s_calls_and_as_many_as_asked(self):
        for name in HERE:
            for pickle in (False, True):
                with self.subTest(f"{name} pickle={pickle}"):
                    Counting.calls = {}
                    more = ("--pickle",) if pickle else ()
                    status, _, err = run(name, "--min", "4", "--max", "8", "--iterations", "5", "--skip", "2", *more, comm=Counting(WORLD))
                    self.assertEqual(status, 0, err)
                    rounds = (5 + 2 + 1) * 2  # two sizes, with one iteration to validate
                    self.assertEqual(Counting.calls, calls_of(name, rounds, pickle))


class Contents(unittest.TestCase):
    def refused(self, name, *more):
        status, out, err = run(name, *FEW, *more)
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"^Wrong contents: rank \d+ received other bytes than were sent, in a message of \d+ bytes\n$" if RANK == 0 else "^$")

    def test_other_bytes_than_were_sent_end_the_program_before_it_prints(self):
        wrong = {"bytes_of": lambda rank, count: np.full(count, 7, np.uint8),
                 "floats_of": lambda rank, count: np.full(4 * count, 7, np.uint8)}
        with mock.patch.multiple(driver, **wrong):
            for name in HERE:
                if name != "barrier":
                    for more in ((), ("--pickle",)):
                        with self.subTest(f"{name} {more}"):
                            self.refused(name, *more)

    def test_wrong_bytes_on_one_rank_end_all(self):
        sent = driver.bytes_of
        with mock.patch.object(driver, "bytes_of", lambda rank, count: sent(rank, count) + np.uint8(rank == RANKS - 1)):
            self.refused("allgather")

    def refused_with(self, name, iteration):
        with self.subTest(name), mock.patch.dict(BENCHMARKS, {name: dataclasses.replace(BENCHMARKS[name], iteration=iteration)}):
            self.refused(name)

    def test_a_message_that_never_arrives_is_noticed(self):
        for name in HERE:
            if name != "barrier":
                self.refused_with(name, lambda case: lambda: None)
                original = BENCHMARKS[name].iteration
                self.refused_with(name, lambda case: original(case) if case.size != LAST else lambda: None)

    def test_the_block_of_another_rank_is_noticed(self):
        def own_blocks(case):
            case.receives[:case.size * RANKS] = bytes(case.sends[:case.size]) * RANKS
        self.refused_with("allgather", lambda case: lambda: own_blocks(case))

    def test_large_messages_arrive_too(self):
        for name in HERE:
            if name != "barrier":
                with self.subTest(name):
                    status, out, err = run(name, "--min", "16384", "--max", "40000", "--iterations", "100", "--skip", "0")
                    self.assertEqual((status, out.count("\n")), (0, 4 if RANK == 0 else 0), err)


class Refusals(unittest.TestCase):
    def refuse(self, line, *arguments, comm=WORLD):
        with self.subTest(" ".join(arguments)):
            status, out, err = run(*arguments, comm=comm)
            self.assertEqual((status, out), (1, ""), err)
            self.assertRegex(err, f"^{line}\n$" if comm.Get_rank() == 0 else "^$")

    def test_names(self):
        accepted = "accepted: one of latency, bw, .*scatterv"
        self.refuse(rf"No benchmark is named; {accepted}")
        self.refuse(rf"Invalid benchmark \[latencies\]; {accepted}", "latencies")
        self.refuse(rf"Invalid benchmark \[\]; {accepted}", "")
        self.refuse(rf"Two names \[bw --benchmark bw\]; {accepted}", "bw", "--benchmark", "bw")
        self.refuse(r"Invalid buffer \[--buffer torch\]; accepted: bytearray, numpy, cupy, numba, pycuda", "barrier", "--buffer", "torch")

    def test_numbers(self):
        for given in ("--min -1", "--min 1.5", "--max 2147483648", "--max ٣", "--iterations 0", "--iterations 10k", "--skip -3", "--min 4K"):
            self.refuse(rf"Invalid number \[{given}\]; accepted: a whole number from [01] to \d+", "allgather", *given.split())
        self.refuse(r"No size is from 8 to 4 bytes \[--min, --max\]; accepted: .*", "allgather", "--min", "8", "--max", "4")
        self.refuse(r"No size is from 2097152 to 1048576 bytes .*", "allgather", "--min", "2097152")
        self.refuse(r"No size is from 4 to 2 bytes .*", "allreduce", "--max", "2")
        self.refuse(r"No size is from 4 to 2 bytes .*", "allreduce", "--min", "1", "--max", "2")
        for given in ("--until 0", "--until 100", "--until 5%%", "--until nan"):
            self.refuse(rf"Invalid number \[{given}\]; accepted: PERCENT from 0.001 to 99", "allgather", *given.split())
        self.refuse(r"Invalid report \[--report json=a.json\]; accepted: table=FILE.txt, csv=FILE.csv, json=FILE.jsonl, .* plot=FILE.pdf",
                    "barrier", "--report", "json=a.json")
        self.refuse(r"Two reports into one file \[--report a.csv\]; accepted: a file of its own for each",
                    "barrier", "--report", "csv=a.csv", "--report", "csv=a.csv")
        self.refuse(r"Invalid number \[--budget -1\]; accepted: SECONDS from 1e-06 to 1e\+06", "allgather", "--budget", "-1")

    def test_words(self):
        for given, line in ((("--quick",), "Unrecognized arguments: --quick"), (("--iter", "3"), "Unrecognized arguments: --iter 3"),
                            (("more",), "Unrecognized arguments: more"), (("--min",), "Argument --min: expected one argument")):
            self.refuse(rf"{line}; accepted: NAME --benchmark .* --report -h --help", "barrier", *given)

    def test_numbers_of_ranks(self):
        for name in TITLES:
            least = "exactly" if name in ("latency", "bw", "bibw") else "at least"
            self.refuse(f"This test requires {least} two processes; it was started with 1", name, comm=MPI.COMM_SELF)
            if RANKS != 2 and least == "exactly":
                self.refuse(f"This test requires exactly two processes; it was started with {RANKS}", name)
        if RANKS == 3:
            self.refuse("This test requires an even number of processes; it was started with 3", "multi_lat")

    def test_arguments_that_differ_between_ranks(self):
        self.refuse("The ranks have different arguments; accepted: .*", "barrier", *(["--skip", "1"] if RANK == 1 else []))

    def test_modules_that_are_missing(self):
        for kind, module in (("cupy", "cupy"), ("numba", "numba.cuda"), ("pycuda", "pycuda.driver")):
            with mock.patch.dict(sys.modules, {module: None}):
                self.refuse(rf"Cannot import the module of the buffer \[--buffer {kind}\]: .*{module}.*", "barrier", "--buffer", kind)

    def test_memory_that_is_not_there(self):
        with mock.patch.object(buffers.NumpyMemory, "allocate", side_effect=MemoryError if RANK == 1 else None):
            self.refuse(r"Not enough memory \[--max\]; accepted: what fits", "allgather", "--buffer", "numpy")


def device_modules(chosen):
    """Modules with the functions of CuPy, Numba and PyCUDA that are used, whose arrays are in host memory."""
    class Array(np.ndarray):
        def copy_to_host(self):
            return np.array(self)

        get = copy_to_host

    def array_of(content):
        return np.array(content).view(Array)

    class Device:
        def __init__(self, number):
            chosen.append(number)

        use = push = lambda self: None

        def retain_primary_context(self):
            return self

        @staticmethod
        def count():
            return 3

    nothing = types.SimpleNamespace(synchronize=lambda: None)
    runtime = types.SimpleNamespace(getDeviceCount=Device.count, deviceSynchronize=lambda: None)
    return {"cupy": types.SimpleNamespace(cuda=types.SimpleNamespace(Device=Device, runtime=runtime), asarray=array_of, asnumpy=np.array),
            "numba": types.SimpleNamespace(), "pycuda": types.SimpleNamespace(),
            "numba.cuda": types.SimpleNamespace(select_device=chosen.append, gpus=[0, 1, 2], to_device=array_of, synchronize=lambda: None),
            "pycuda.driver": types.SimpleNamespace(init=lambda: None, Device=Device, Context=nothing),
            "pycuda.gpuarray": types.SimpleNamespace(to_gpu=array_of)}


class Devices(unittest.TestCase):
    KINDS = ("cupy", "numba", "pycuda")

    def test_buffers_of_each_kind_are_sent_and_read(self):
        chosen = []
        with mock.patch.dict(sys.modules, device_modules(chosen)), mock.patch.object(buffers, "_takes_device_addresses", lambda: True):
            for kind in self.KINDS:
                for name in HERE:
                    with self.subTest(f"{name} {kind}"):
                        status, _, err = run(name, "--min", "8", *FEW, "--buffer", kind)
                        self.assertEqual((status, err), (0, ""))
        self.assertEqual(set(chosen), {RANK % 3})

    def test_a_library_that_takes_no_device_addresses_refuses_them(self):
        with mock.patch.dict(sys.modules, device_modules([])), mock.patch.object(buffers, "_takes_device_addresses", lambda: RANK != 1):
            for kind in self.KINDS:
                with self.subTest(kind):
                    status, out, err = run("barrier", "--buffer", kind)
                    self.assertEqual((status, out), (1, ""))
                    self.assertEqual(err, f"The MPI library does not take device addresses [--buffer {kind}]; accepted: bytearray, numpy\n" * (RANK == 0))

    def test_objects_that_cannot_be_pickled_are_refused(self):
        modules = device_modules([])
        with mock.patch.dict(sys.modules, modules), mock.patch.object(buffers, "_takes_device_addresses", lambda: True):
            modules["numba.cuda"].to_device = lambda content: (byte for byte in content)
            status, out, err = run("bcast", "--buffer", "numba", "--pickle")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"^Objects of this kind cannot be pickled.* \[--pickle --buffer numba\]: .*generator.*\n$" if RANK == 0 else "^$")


class Options(unittest.TestCase):
    @staticmethod
    def of(*arguments):
        return options.parse(arguments)

    def test_sizes_are_powers_of_two_from_the_one_below_the_minimum(self):
        self.assertEqual(self.of("latency", "--max", "9").sizes(), [0, 1, 2, 4, 8])
        self.assertEqual(self.of("bw", "--min", "3", "--max", "100").sizes(), [2, 4, 8, 16, 32, 64])
        self.assertEqual(self.of("bw", "--min", "0", "--max", "2").sizes(), [1, 2])
        self.assertEqual(self.of("allreduce", "--min", "1", "--max", "8").sizes(), [4, 8])
        self.assertEqual(self.of("latency").sizes()[-1], 1 << 22)
        self.assertEqual(self.of("allgather").sizes()[-1], 1 << 20)
        self.assertEqual(self.of("latency", "--max", "0").sizes(), [0])

    def test_numbers_of_iterations_do_not_depend_on_how_the_name_is_given(self):
        for name in ("bw", "osu_bw", "pt2pt/osu_bw"):
            self.assertEqual([self.of("--benchmark", name).counts(size) for size in (8192, 16384)], [(100, 10), (30, 3)])
        self.assertEqual([self.of("osu_latency").counts(size) for size in (8192, 16384)], [(10000, 1000), (100, 10)])

    def test_given_numbers_of_iterations(self):
        given = self.of("allreduce", "--iterations", "250", "--skip", "50")
        self.assertEqual([given.counts(size) for size in (8192, 16384)], [(250, 50), (3, 1)])
        self.assertEqual([self.of("bw", "--skip", "0").counts(size)[1] for size in (8192, 16384)], [0, 0])

    def test_help_is_printed_once(self):
        status, out, err = run("--help")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, "(?s)^usage: python3 -m sonde.osu NAME .*--benchmark NAME.*--report" if RANK == 0 else "^$")


if __name__ == "__main__":
    failures = io.StringIO()  # of the other ranks, which are shown if there are any
    program = unittest.main(exit=False, testRunner=unittest.TextTestRunner(sys.stderr if RANK == 0 else failures))
    if not program.result.wasSuccessful():
        sys.exit(f"rank {RANK}\n{failures.getvalue()}")
