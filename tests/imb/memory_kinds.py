# SPDX-License-Identifier: BSL-1.0
"""-mem_alloc_type of IMB-MPI1, with a CUDA runtime that needs no device. Without CUDA it is refused in one line."""
import json
import os
import tempfile
import unittest

from programs import MPI1, read, run, tables

FAKE = os.environ.get("IMB_FAKE_CUDA")
ALLOCATIONS = {"device": "cudaMalloc ", "cuda": "cudaMalloc ", "host": "cudaHostAlloc ", "pinned": "cudaHostAlloc ",
               "shared": "cudaMallocManaged ", "managed": "cudaMallocManaged "}
SMALL = ("-msglog", "3:4", "-iter", "3", "-iter_policy", "off", "-check", "on")


def run_with(kind, *arguments, ranks=2, aware=True, **settings):
    """Runs with the fake CUDA runtime; `aware`: the MPI library accepts device addresses."""
    environment = {"LD_PRELOAD": ":".join([FAKE, *([os.environ["IMB_AWARE_SHIM"]] if aware else [])]),
                   "FAKE_CUDA_DEVICES": "4", "FAKE_CUDA_READABLE": "1" if aware else "0", **settings}
    return run("IMB-MPI1", "-mem_alloc_type", kind, *arguments, ranks=ranks, environment=environment)


class Checked(unittest.TestCase):
    def refused(self, answer, because, ranks=2):
        self.assertEqual((answer.codes, answer.out), ([1] * ranks, ""), answer.err)
        self.assertEqual(answer.err.count("\n"), 1, answer.err)
        self.assertIn(because, answer.err)


@unittest.skipUnless(FAKE, "built without CUDA")
class WithCuda(Checked):
    def test_every_benchmark_is_right_in_each_kind_of_memory(self):
        names = [b.name for b in MPI1]
        for kind, ranks in (("device", 2), ("device", 3), ("host", 2), ("shared", 4)):
            with self.subTest(kind, ranks=ranks):
                answer = run_with(kind, *SMALL, *names, ranks=ranks)
                self.assertEqual((answer.codes, answer.err), ([0] * ranks, ""))
                found = tables(answer)
                self.assertEqual({t.benchmark for t in found}, set(names))
                for table in found:
                    self.assertEqual(len(table.rows), 1 if table.benchmark == "Barrier" else 3)
                    if table.benchmark != "Barrier":
                        self.assertEqual({row[-1] for row in table.rows}, {"0.00"}, table)

    def test_off_cache_and_types_with_gaps_are_right_in_device_memory(self):
        answer = run_with("device", *SMALL, "-off_cache", "1", "-contig_type", "resize_vec", "-data_type", "int",
                          "Exchange", "Biband", "Alltoall", "Reduce_scatter")
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
        self.assertEqual({row[-1] for table in tables(answer) for row in table.rows}, {"0.00"})

    def test_each_word_allocates_its_kind_and_no_other(self):
        for kind, call in ALLOCATIONS.items():
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                answer = run_with(kind, *SMALL, "PingPong", FAKE_CUDA_LOG=f"{folder}/%p")
                self.assertEqual(answer.codes, [0, 0], answer)
                for log in (read(os.path.join(folder, f)) for f in os.listdir(folder)):
                    for other in set(ALLOCATIONS.values()):
                        self.assertEqual(other in log, other == call, log)

    def test_host_memory_needs_no_device(self):
        answer = run_with("cpu", *SMALL, "PingPong", FAKE_CUDA_DEVICES="0")
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))

    def test_reports_have_the_kind_and_the_devices(self):
        with tempfile.TemporaryDirectory() as folder:
            run_with("managed", *SMALL, "-report", f"json={folder}/rows", "PingPong")
            lines = [json.loads(line) for line in read(f"{folder}/rows").splitlines()]
            self.assertEqual(len(lines[0]["devices"]), 2)
            self.assertEqual({line["parameters"]["memory"] for line in lines[1:]}, {"shared"})

    def test_exhausted_device_memory_ends_the_benchmark_and_keeps_its_rows(self):
        answer = run_with("device", "-msglog", "10:13", "-iter", "3", "PingPong", "PingPing", FAKE_CUDA_MEMORY="10000")
        self.assertEqual(answer.codes, [0, 0], answer)
        self.assertEqual([len(t.rows) for t in tables(answer)], [4, 4])
        self.assertEqual(answer.out.count("out-of-mem."), 2)

    def test_a_missing_device_and_a_library_without_device_support_are_refused(self):
        self.refused(run_with("shared", "PingPong", FAKE_CUDA_DEVICES="0"), "there is no CUDA device")
        self.refused(run_with("device", "PingPong", aware=False, ranks=3),
                     "This MPI library takes no addresses of a device [-mem_alloc_type]; accepted: cpu, host, shared", 3)

    def test_ranks_that_share_a_device_are_warned(self):
        answer = run_with("host", *SMALL, "PingPong", FAKE_CUDA_DEVICES="1")
        self.assertRegex(answer.err, r"^Warning: 2 ranks of a host share a device, and disturb each other\n$")


@unittest.skipIf(FAKE, "built with CUDA")
class WithoutCuda(Checked):
    def test_its_memory_is_refused(self):
        for kind in ALLOCATIONS:
            self.refused(run("IMB-MPI1", "-mem_alloc_type", kind, "PingPong"),
                         "CUDA Support Not Enabled [-mem_alloc_type]; accepted: cpu, and all kinds in a build")


class Options(Checked):
    def test_only_mpi1_has_it(self):
        self.refused(run("IMB-NBC", "-mem_alloc_type", "cpu", "Ibcast"), "-mem_alloc_type")

    def test_unknown_kinds_are_refused(self):
        self.refused(run("IMB-MPI1", "-mem_alloc_type", "gpu", "PingPong"),
                     "accepted: cpu, device, host, shared, cuda, pinned, managed")
