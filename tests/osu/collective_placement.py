# SPDX-License-Identifier: BSL-1.0
"""Collectives: buffers on a device and in managed memory, device work, and refused input; with a runtime of CUDA or HIP
that needs no device, and with OpenACC. What a build does not have is refused in one line."""
import os
import shutil
import tempfile
import unittest

from driver import read
from placement import FAKE, GPU, ON_HOST, OPENACC, SUFFIX, Checked, logs_of, on_device, openacc, openacc_allocations
from programs import BY_NAME, COLLECTIVE_PROGRAMS

QUICK = ("-i", "3", "-x", "1", "-u", "1", "-m", "4:8", "-c")
KERNELS = "OSU_KERNELS" in os.environ
FAULT_SHIM = os.environ["OSU_COLLECTIVE_FAULT_SHIM"]


class Tables(Checked):
    def passes(self, name, answer, suffix, ranks):
        """The table as on the host except for the title, with right contents in both rows."""
        self.assertEqual(answer.codes, [0] * ranks, answer)
        program = BY_NAME[name]
        preamble = [*program.before, f"# {program.title} v7.4".replace("OSU MPI", "OSU MPI" + suffix), *program.after]
        self.assertEqual(answer.lines[:len(preamble)], preamble)
        self.assertEqual([(row[0], row[-1]) for row in answer.rows], [("4", "Pass"), ("8", "Pass")], answer)


@unittest.skipUnless(FAKE, "built without CUDA and HIP")
class WithGpu(Tables):
    def test_buffers_on_a_device_and_in_managed_memory_pass(self):
        for name, given, suffix, ranks in (("osu_allreduce", f"-d {GPU}", SUFFIX, 3), ("osu_alltoall", "D D", SUFFIX, 4),
                                           ("osu_bcast", "-d managed", "", 2), ("osu_igatherv", "M M", "-MANAGED", 3),
                                           ("osu_allreduce_persistent", f"-d {GPU}", SUFFIX, 2)):
            if BY_NAME[name].exists:
                with self.subTest(f"{name} {given}"):
                    answer = on_device(name, *QUICK, *given.split(), aware="managed" not in given and "M" not in given,
                                       ranks=ranks, devices="4")
                    self.passes(name, answer, suffix, ranks)
                    self.assertEqual(answer.err, "")

    def test_both_buffers_have_the_given_placement_and_no_other_memory_is_used(self):
        with tempfile.TemporaryDirectory() as folder:
            on_device("osu_alltoallv", "-i", "1", "-x", "0", "-m", "1024:1024", "-d", GPU, aware=True, log=f"{folder}/%p")
            for calls in logs_of(folder):
                self.assertEqual([line for line in calls.splitlines() if line.startswith("cudaMalloc")], ["cudaMalloc 2048"] * 2)

    def test_records_have_the_placement_of_buffers_also_on_the_host(self):
        for given, where in (("-d managed", "M"), (f"D D -d {GPU}", "D"), ("H H", "H")):
            with self.subTest(given), tempfile.TemporaryDirectory() as folder:
                on_device("osu_bcast", *QUICK, *given.split(), "--report", f"json={folder}/rows", aware=True)
                self.assertIn(f'"from":"{where}","to":"{where}"', read(f"{folder}/rows"))

    @unittest.skipUnless(KERNELS, "no kernel is built")
    def test_work_on_a_device_is_a_kernel_an_iteration(self):
        # 1 + 3 iterations of work alone, and 1 + 3 with the collective; at least five to calibrate its duration.
        for given, suffix, work in ((f"-d {GPU} -r gpu -t 2", SUFFIX, "kernel"), ("-r both --honest", "", "kernel and matrix")):
            with self.subTest(given), tempfile.TemporaryDirectory() as folder:
                answer = on_device("osu_iallreduce", *QUICK, *given.split(), "--report", f"json={folder}/rows", aware=True, ranks=2,
                                   log=f"{folder}/%p.log")
                self.passes_work(answer, suffix)
                for log in logs_of(folder, ".log"):
                    self.assertGreaterEqual(log.count("cudaLaunchKernel"), 2 * (4 + 4 + 5))
                self.assertIn(f'"work":"{work}"', read(f"{folder}/rows"))
                self.assertEqual('"from":"D","to":"D"' in read(f"{folder}/rows"), "-d" in given)

    @unittest.skipUnless(KERNELS and shutil.which("gnuplot"), "no kernel is built, or gnuplot is not installed")
    def test_a_graph_is_drawn_wherever_the_work_is_done(self):
        for work in ("gpu", "both"):
            answer = on_device("osu_iallreduce", *QUICK, "-r", work, "-G", "tty", aware=True, ranks=2)
            self.assertEqual(answer.codes, [0, 0], answer)
            self.assertIn("latency (us)", answer.out)

    def passes_work(self, answer, suffix):
        self.assertEqual((answer.codes, answer.lines[1]), ([0, 0], f"# OSU MPI{suffix} Non-blocking Allreduce Latency Test v7.4"), answer)
        self.assertEqual([row[5] for row in answer.rows], ["Pass", "Pass"])

    def test_a_flipped_byte_on_the_device_is_found(self):
        for name in ("osu_allreduce", "osu_iallreduce"):
            answer = on_device(name, *QUICK, "-d", GPU, aware=True, shim=FAULT_SHIM, ranks=3, devices="3",
                               SONDE_FAULT_RANK="2", SONDE_FAULT="last", SONDE_FAULT_FROM="1")
            self.assertEqual((answer.codes, [row[-1] for row in answer.rows]), ([1] * 3, ["Fail"]), answer)

    def test_impossible_requests_print_one_line_on_any_number_of_ranks(self):
        unaware = r"This MPI library takes no addresses of a device \[-d cuda\]; accepted: H H, .*"
        for ranks in (2, 3, 4):
            if GPU == "cuda":  # MPI libraries that do not say whether they take addresses of ROCm are trusted
                self.refused(on_device("osu_allreduce", "-d", "cuda", ranks=ranks), unaware, ranks)
            short = on_device("osu_alltoall", "-d", GPU, aware=True, ranks=ranks, devices=str(ranks), memory="1000000")
            self.refused(short, r"Error allocating device memory \[-m, -W\]: .*; accepted: sizes that fit", ranks)
        self.refused(on_device("osu_bcast", "-d", "managed", memory="1000000"), r"Error allocating managed memory .*")
        self.refused(on_device("osu_iallreduce", "-r", "gpu", devices="0"), r"No device \[-r gpu\]: .*; accepted: H H")
        self.refused(on_device("osu_bcast", "D", "H"), r"Buffers of a collective are of one kind \[D H\]; accepted: H H, D D or M M")
        if not KERNELS:
            self.refused(on_device("osu_iallreduce", "-r", "gpu"), r"(CUDA|ROCm) kernels are not built in \[-r gpu\]; accepted: -r cpu")


@unittest.skipUnless(OPENACC, "built without OpenACC")
class WithOpenAcc(Tables):
    def test_every_collective_passes(self):
        ranks = 2
        for collective in COLLECTIVE_PROGRAMS:
            if collective.exists and collective.takes("d") and collective.sizes == "sizes":
                with self.subTest(collective.name, ranks=ranks):
                    answer = openacc(collective.name, *QUICK, ranks=ranks)
                    self.passes(collective.name, answer, "-OPENACC", ranks)
                    self.assertIn(answer.err, ("", ON_HOST))
                ranks = ranks % 4 + 1 if ranks < 4 else 2

    def test_both_buffers_are_its_memory(self):
        found = openacc_allocations("osu_alltoallv", "-i", "1", "-x", "0", "-m", "1024:1024")
        self.assertEqual(found, [2048] * 4)

    def test_both_words_are_its_memory(self):
        self.passes("osu_bcast", openacc("osu_bcast", *QUICK, "D", "D", ranks=3), "-OPENACC", 3)

    def test_a_flipped_byte_is_found(self):
        for name in ("osu_allreduce", "osu_iallreduce"):
            fault = {"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT_RANK": "2", "SONDE_FAULT": "last", "SONDE_FAULT_FROM": "1"}
            answer = openacc(name, *QUICK, ranks=3, environment=fault)
            self.assertEqual((answer.codes, [row[-1] for row in answer.rows]), ([1] * 3, ["Fail"]), answer)

    def test_impossible_requests_print_one_line_on_any_number_of_ranks(self):
        for ranks in (2, 3, 4):
            self.refused(openacc("osu_bcast", ranks=ranks, environment={"ACC_DEVICE_TYPE": "abacus"}), r"No device \[-d openacc\]: .*", ranks)
            self.refused(openacc("osu_bcast", "M", "M", ranks=ranks), r"Buffers of a collective are where -d says \[M M\]; accepted: .*", ranks)
        self.refused(openacc("osu_iallreduce", "-r", "gpu"), r"OpenACC kernels are not built in \[-r gpu\]; accepted: -r cpu")
