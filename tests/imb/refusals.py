# SPDX-License-Identifier: BSL-1.0
"""Invalid input: one line on rank 0, a failure on every rank, no measurement."""
import os
import re
import subprocess
import tempfile
import unittest

from programs import PROGRAMS, read, run


class BadInput(unittest.TestCase):
    def refused(self, name, *arguments, because, ranks=2, folder=None):
        answer = run(name, *arguments, ranks=ranks, folder=folder)
        with self.subTest(arguments=arguments):
            self.assertEqual((answer.codes, answer.out), ([1] * ranks, ""), answer.err)
            self.assertEqual(answer.err.count("\n"), 1, answer.err)
            self.assertIn(because, answer.err)

    def test_each_invalid_input_is_refused_by_all_ranks(self):
        self.refused("IMB-MPI1", "PingPng", because="PingPong")
        self.refused("IMB-MPI1", "-itr", "3", because="-iter", ranks=3)
        self.refused("IMB-MPI1", "-npmin", "0", because="-npmin")
        self.refused("IMB-MPI1", "-map", "3x3", because="-map")
        self.refused("IMB-EXT", "-msglen", "no/such/file", because="no/such/file")
        self.refused("IMB-P2P", "-iter", "x", because="-iter")
        self.refused("IMB-MT", "-barrier", "often", because="-barrier")
        self.refused("IMB-HALO", "-topo", "0", because="-topo: 0; accepted: whole numbers from 1")
        self.refused("IMB-HALO", "-topo", "2.3", because="-topo: 3; accepted: at least 6", ranks=3)
        self.refused("IMB-HALO", "-barrier", "on", because="This program has no option -barrier")

    def test_an_empty_name_is_shown_among_the_others(self):
        for name in ("IMB-MPI1", "IMB-P2P", "IMB-MT"):
            self.refused(name, "PingPong,,Bcast", because="Invalid names of benchmarks: PingPong,,Bcast; accepted: names with commas")

    def test_sizes_that_no_host_has_the_memory_for(self):
        self.refused("IMB-P2P", "PingPong", "-msglog", "45:45", because="Not enough memory [-msglog, -msglen, -msgsz]: 2 ranks")
        self.refused("IMB-MT", "UniBandMT", "-count", "2147483647", "-window_size", "1000000",
                     because="Not enough memory [-count, -window_size, -thread_level]: 3 ranks", ranks=3)

    def test_a_report_that_cannot_be_written(self):
        self.refused("IMB-MPI1", "-report", "json=no/such/folder/file", because="no/such/folder")

    def test_a_directory_that_cannot_be_written(self):
        self.refused("IMB-IO", "S_Write_Indv", "-dir", "no/such/folder", because="no/such/folder")

    def test_an_existing_file_is_not_overwritten(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "IMB_out")
            with open(path, "w") as file:
                file.write("precious")
            self.refused("IMB-IO", "P_Write_Indv", "-iter", "2", "-msglog", "2", because="IMB_out", folder=folder)
            self.assertEqual((read(path), os.listdir(folder)), ("precious", ["IMB_out"]))


class Help(unittest.TestCase):
    def test_may_have_two_dashes(self):
        for name in ("IMB-MPI1", "IMB-P2P", "IMB-MT", "IMB-HALO"):
            answers = [run(name, word) for word in ("-help", "--help", "-h")]
            with self.subTest(name):
                self.assertEqual([(a.codes, a.err) for a in answers], [([0, 0], "")] * 3)
                self.assertEqual({a.out for a in answers}, {answers[0].out})


    def test_is_printed_once_by_processes_that_their_launcher_does_not_connect(self):
        """As in a shell of `srun -n 2 --pty`, where a measurement is refused."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_COMM_WORLD", "PMI", "SLURM_", "FLUX_", "PALS_", "JSM_"))}
        for words, status, heard in ((["-h"], 0, ["Usage: ", ""]), (["PingPong"], 1, ["", ""])):
            answers = [subprocess.run([f"{PROGRAMS}/IMB-MPI1", *words], capture_output=True, text=True, timeout=400,
                                      env=clean | {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": rank}) for rank in "01"]
            self.assertEqual([a.returncode for a in answers], [status] * 2, answers)
            self.assertEqual([a.stdout[:len("Usage: ")] for a in answers], heard, answers)

    def test_of_a_benchmark_is_that_of_its_program(self):
        answers = [run("IMB-MPI1", *words) for words in (["-help"], ["-h", "PingPong"], ["-help", "bcast"])]
        self.assertEqual([(a.codes, a.err) for a in answers], [([0, 0], "")] * 3)
        self.assertEqual({a.out for a in answers}, {answers[0].out})


class Lists(unittest.TestCase):
    def test_are_printed_whatever_is_to_be_run(self):
        for name in ("IMB-MPI1", "IMB-P2P", "IMB-MT"):
            answer = run(name, "-list", "PingPng")
            with self.subTest(name):
                self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
                self.assertIn("PingPong", answer.out)


class Programs(unittest.TestCase):
    def test_are_links_to_one_executable(self):
        names = run("imb", "--programs", ranks=1).out.split()
        self.assertEqual(sorted(names), sorted(n for n in os.listdir(PROGRAMS) if re.fullmatch("IMB-[A-Z0-9]+", n)))
        for name in names:
            self.assertEqual(os.readlink(os.path.join(PROGRAMS, name)), "imb")

    def test_have_a_name_as_the_first_argument_without_a_link(self):
        self.assertEqual(run("imb", "IMB-EXAMPLE", "-help", ranks=1), run("IMB-EXAMPLE", "-help", ranks=1))
        self.assertRegex(run("imb", "-h", ranks=1).out, "^Usage: .*imb PROGRAM .*--programs prints\n$")
        for arguments, line in ((["IMB-EXAMPEL"], r"No program \[IMB-EXAMPEL\]"), ([], "A program is missing")):
            answer = run("imb", *arguments, ranks=3)
            self.assertEqual((answer.codes, answer.out), ([1] * 3, ""))
            self.assertEqual(len(re.findall(line + "; accepted: the names that .*imb --programs prints", answer.err)), 1)


class FilesOfIO(unittest.TestCase):
    def test_are_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = run("IMB-IO", "S_Write_Indv", "C_Read_Shared", "Open_Close", "-iter", "2,1,2", "-msglog", "2",
                         folder=folder)
            self.assertEqual((answer.codes, os.listdir(folder)), ([0, 0], []), answer.err)
