# SPDX-License-Identifier: BSL-1.0
"""-mem_alloc_type of IMB-MPI1, with a runtime of CUDA or HIP that needs no device, and with OpenACC on its device or on the
host. What a build does not have is refused in one line."""
import dataclasses
import json
import os
import re
import tempfile
import unittest

from programs import MPI1, read, run, tables

FAKE = os.environ.get("IMB_FAKE_GPU")
GPU = os.environ.get("IMB_GPU", "cuda")
OPENACC = "IMB_OPENACC" in os.environ
SETTING = "FAKE_HIP_" if GPU == "rocm" else "FAKE_CUDA_"
ALLOCATIONS = {"device": "cudaMalloc ", GPU: "cudaMalloc ", "host": "cudaHostAlloc ", "pinned": "cudaHostAlloc ",
               "shared": "cudaMallocManaged ", "managed": "cudaMallocManaged "}
ON_HOST = "Note: the host is OpenACC's device, and its memory is the host's\n"
UNKNOWN = (r"Note: this MPI library does not say whether it takes addresses of a device \[.*\]; if the first message crashes, "
           r"accepted: .* with a library that is ROCm-aware\n")
NAMES = [b.name for b in MPI1]
SMALL = ("-msglog", "3:4", "-iter", "3", "-iter_policy", "off", "-check", "on")


def run_with(kind, *arguments, ranks=2, aware=True, **settings):
    """Runs with the fake runtime and its settings; `aware`: the MPI library accepts device addresses."""
    settings = {"devices": "4", "readable": "1" if aware else "0", **settings}
    environment = {"LD_PRELOAD": ":".join([FAKE, *([os.environ["IMB_AWARE_SHIM"]] if aware else [])]),
                   **{SETTING + name.upper(): value for name, value in settings.items()}}
    answer = run("IMB-MPI1", "-mem_alloc_type", kind, *arguments, ranks=ranks, environment=environment)
    # MPI libraries that do not say whether they take addresses of ROCm are trusted, with a note.
    return dataclasses.replace(answer, err=re.sub(UNKNOWN, "", answer.err)) if GPU == "rocm" else answer


class Checked(unittest.TestCase):
    def refused(self, answer, because, ranks=2):
        self.assertEqual((answer.codes, answer.out), ([1] * ranks, ""), answer.err)
        self.assertEqual(answer.err.count("\n"), 1, answer.err)
        self.assertIn(because, answer.err)


    def all_are_right(self, answer, ranks, err=""):
        self.assertEqual((answer.codes, answer.err), ([0] * ranks, err))
        found = tables(answer)
        self.assertEqual({t.benchmark for t in found}, set(NAMES))
        for table in found:
            self.assertEqual(len(table.rows), 1 if table.benchmark == "Barrier" else 3)
            if table.benchmark != "Barrier":
                self.assertEqual({row[-1] for row in table.rows}, {"0.00"}, table)


@unittest.skipUnless(FAKE, "built without CUDA and HIP")
class WithGpu(Checked):
    def test_every_benchmark_is_right_in_each_kind_of_memory(self):
        for kind, ranks in (("device", 2), ("device", 3), ("host", 2), ("shared", 4)):
            with self.subTest(kind, ranks=ranks):
                self.all_are_right(run_with(kind, *SMALL, *NAMES, ranks=ranks), ranks)

    def test_off_cache_and_types_with_gaps_are_right_in_device_memory(self):
        answer = run_with("device", *SMALL, "-off_cache", "1", "-contig_type", "resize_vec", "-data_type", "int",
                          "Exchange", "Biband", "Alltoall", "Reduce_scatter")
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
        self.assertEqual({row[-1] for table in tables(answer) for row in table.rows}, {"0.00"})

    def test_each_word_allocates_its_kind_and_no_other(self):
        for kind, call in ALLOCATIONS.items():
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                answer = run_with(kind, *SMALL, "PingPong", log=f"{folder}/%p")
                self.assertEqual(answer.codes, [0, 0], answer)
                for log in (read(os.path.join(folder, f)) for f in os.listdir(folder)):
                    log = log.replace("hipHostMalloc", "cudaHostAlloc").replace("hip", "cuda")
                    for other in set(ALLOCATIONS.values()):
                        self.assertEqual(other in log, other == call, log)

    def test_host_memory_needs_no_device(self):
        answer = run_with("cpu", *SMALL, "PingPong", devices="0")
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))

    def test_reports_have_the_kind_and_the_devices(self):
        with tempfile.TemporaryDirectory() as folder:
            run_with("managed", *SMALL, "-report", f"json={folder}/rows", "PingPong")
            lines = [json.loads(line) for line in read(f"{folder}/rows").splitlines()]
            self.assertEqual(len(lines[0]["devices"]), 2)
            self.assertEqual({line["parameters"]["memory"] for line in lines[1:]}, {"shared"})

    def test_exhausted_device_memory_ends_the_benchmark_and_keeps_its_rows(self):
        answer = run_with("device", "-msglog", "10:13", "-iter", "3", "PingPong", "PingPing", memory="10000")
        self.assertEqual(answer.codes, [0, 0], answer)
        self.assertEqual([len(t.rows) for t in tables(answer)], [4, 4])
        self.assertEqual(answer.out.count("out-of-mem."), 2)

    def test_a_missing_device_and_a_library_without_device_support_are_refused(self):
        self.refused(run_with("shared", "PingPong", devices="0"), f"there is no {'HIP' if GPU == 'rocm' else 'CUDA'} device")
        if GPU == "cuda":  # MPI libraries that do not say whether they take addresses of ROCm are trusted
            self.refused(run_with("device", "PingPong", aware=False, ranks=3),
                         "This MPI library takes no addresses of a device [-mem_alloc_type]; accepted: cpu, host, shared", 3)

    def test_ranks_that_share_a_device_are_warned(self):
        answer = run_with("host", *SMALL, "PingPong", devices="1")
        self.assertRegex(answer.err, r"^Warning: 2 ranks of a host share a device, and disturb each other\n$")


@unittest.skipUnless(OPENACC, "built without OpenACC")
class WithOpenAcc(Checked):
    def test_every_benchmark_is_right_in_its_memory(self):
        for kind in ("openacc",) if FAKE else ("openacc", "device"):
            for ranks in (2, 3, 4):
                with self.subTest(kind, ranks=ranks):
                    answer = run("IMB-MPI1", "-mem_alloc_type", kind, *SMALL, *NAMES, ranks=ranks)
                    self.all_are_right(answer, ranks, answer.err and ON_HOST)

    def test_reports_have_the_kind_and_the_devices(self):
        with tempfile.TemporaryDirectory() as folder:
            run("IMB-MPI1", "-mem_alloc_type", "openacc", *SMALL, "-report", f"json={folder}/rows", "PingPong")
            lines = [json.loads(line) for line in read(f"{folder}/rows").splitlines()]
            self.assertRegex(" ".join(lines[0]["devices"]), r"^(.*, by OpenACC ?){2}$")
            self.assertEqual({line["parameters"]["memory"] for line in lines[1:]}, {"device"})

    def test_an_absent_device_is_refused(self):
        self.refused(run("IMB-MPI1", "-mem_alloc_type", "openacc", "PingPong", ranks=3, environment={"ACC_DEVICE_TYPE": "abacus"}),
                     "No device [-mem_alloc_type]: there is no OpenACC device of the type in ACC_DEVICE_TYPE, abacus; accepted: -mem_alloc_type cpu", 3)


class NotBuilt(Checked):
    def test_memory_of_what_is_not_built_is_refused(self):
        for kind, name, built in (("cuda", "CUDA", FAKE and GPU == "cuda"), ("rocm", "ROCm", FAKE and GPU == "rocm"),
                                  ("openacc", "OpenACC", OPENACC)):
            if not built:
                self.refused(run("IMB-MPI1", "-mem_alloc_type", kind, "PingPong"),
                             f"{name} Support Not Enabled [-mem_alloc_type]; accepted: cpu, and all kinds in a build that finds")


@unittest.skipIf(FAKE, "built with CUDA or HIP")
class WithoutGpu(Checked):
    def test_its_memory_is_refused(self):
        for kind in set(ALLOCATIONS) - ({"device"} if OPENACC else set()):
            self.refused(run("IMB-MPI1", "-mem_alloc_type", kind, "PingPong"),
                         "CUDA Support Not Enabled [-mem_alloc_type]; accepted: cpu, and all kinds in a build")


class Options(Checked):
    def test_only_mpi1_has_it(self):
        self.refused(run("IMB-NBC", "-mem_alloc_type", "cpu", "Ibcast"), "-mem_alloc_type")

    def test_unknown_kinds_are_refused(self):
        self.refused(run("IMB-MPI1", "-mem_alloc_type", "gpu", "PingPong"),
                     "accepted: cpu, device, host, shared, cuda, pinned, managed, rocm, openacc")
