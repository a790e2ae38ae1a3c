#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Traces of valid programs whose calls fail, hang or are made in unusual ways: the program runs as without libsonde-trace, and
what is not recorded is said."""
import glob
import os
import shutil
import signal
import subprocess
import time
import unittest

from tracing import LIBRARY, MPI_RUN, TRACED, Traced, expanded

FAULTS, OF_OTHER_MPI = (os.environ[name] for name in ("TOOLS_TRACED_FAULTS", "TOOLS_OF_OTHER_MPI"))
SPAWNS = os.environ["TOOLS_MPI_VERSION"] < "4"  # Open MPI's


class Faults(Traced):
    def run_of(self, ranks, what, **settings):
        """The lines of the trace of a program that answers as without the recorder."""
        plain, traced = (self.started(ranks, what, record=record, program=FAULTS, **settings) for record in (False, True))
        self.assertEqual((traced.code, traced.out), (plain.code, plain.out), traced)
        self.assertEqual((traced.code, traced.err.count("libsonde-trace")), (0, 0), traced)
        return self.lines("a.trace")

    def names(self, lines, rank):
        return [name for name, _ in self.calls(lines, rank)[0]]

    def test_calls_that_fail_are_counted_and_read_no_result(self):
        lines = self.run_of(3, "failing_calls")
        self.assertEqual(self.names(lines, 0), ["Comm_dup", "Barrier"])
        failed = self.calls(lines, 0)[2]["not_recorded"]
        self.assertEqual((failed["Send that failed"], sum(failed.values())), (3, 12))
        self.assertIn("# 9 calls of MPI_Send that failed counted, not recorded\n", self.show("a.trace").out)

    def test_collectives_of_an_intercommunicator_read_what_is_significant(self):
        lines = self.run_of(4, "intercommunicator")
        kinds = ("Gatherv", "Scatterv", "Bcast", "Reduce")
        roots = [[one.get("root", "-") for name, one in self.calls(lines, rank)[0] if name in kinds] for rank in range(4)]
        self.assertEqual(roots, [["-"] * 4] * 2 + [[0] * 4] * 2)
        gathers = [dict(self.calls(lines, rank)[0])["Gatherv"] for rank in range(4)]
        self.assertEqual(["counts" in one for one in gathers], [True, False, False, False])
        self.assertEqual(["count" in one for one in gathers], [False, False, True, True])

    def test_communicators_have_the_same_names_on_all_ranks(self):
        lines = self.recorded(4, "topologies", program=FAULTS)
        names = [self.calls(lines, rank)[2]["communicators"] for rank in range(4)]
        self.assertEqual(names, [["0-3", "0-3#1", "0-3#2", "0-3#3", "0-3#4"]] * 4)  # the second ring has the name of the first

    def test_requests_that_are_completed_outside_of_the_marks_are_forgotten(self):
        lines = self.recorded(2, "marks", program=FAULTS, MARKS="1")
        for rank in range(2):
            self.assertEqual(self.names(lines, rank), ["Irecv", "Isend", "Irecv", "Isend", "Waitall"] * 50)
        (program,) = [line for line in lines if line["type"] == "program"]
        self.assertEqual([one.get("passes") for one in program["body"]], [50])

    def test_error_handlers_may_throw_and_jump(self):
        lines = self.run_of(2, "handlers")
        self.assertEqual(self.names(lines, 1), ["Barrier"] * 6)
        self.assertEqual(self.calls(lines, 1)[2]["not_recorded"], {"Send that failed": 6})

    def test_a_program_that_hangs_leaves_a_file_of_each_rank(self):
        command = [MPI_RUN, "-t", "60", "-n", "3", "env", f"LD_PRELOAD={LIBRARY}", "SONDE_TRACE_CHECKPOINT=0.1", "SONDE_TRACE_OUTPUT=a.trace", FAULTS, "hang"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as started:
            try:
                lines = self.hanging_lines(time.monotonic() + 40)
            finally:
                os.killpg(started.pid, signal.SIGTERM)  # the launcher ends its ranks, which write into the folder meanwhile
                started.communicate(timeout=60)
        self.assertEqual([names for names, _ in lines], [["Barrier"] * 5 + ["Recv"], ["Barrier"] * 5 + ["Iprobe"], ["Barrier"] * 5])
        self.assertGreater(sum(lines[1][1]["polls"].values()), 1)
        self.assertEqual(self.show(*sorted(os.path.basename(path) for path in glob.glob(f"{self.folder}/a.trace.rank*"))).code, 0)

    def hanging_lines(self, end):
        """Names of the calls and the line of each rank, when all files are there and have more than three seconds."""
        while time.monotonic() < end:
            time.sleep(0.1)
            if len(glob.glob(f"{self.folder}/a.trace.rank?")) < 3:
                continue
            found = []
            for rank in range(3):
                _, program, line, _ = self.lines(f"a.trace.rank{rank}")
                found.append(([one["call"] for one in expanded(program["body"])], line))
            if all(line["seconds"][1] > 3 for _, line in found):
                return found
        self.fail(f"no files of all ranks: {os.listdir(self.folder)}")

    def test_a_process_may_end_while_its_threads_call_MPI(self):
        for _ in range(2):
            done = self.started(1, "leave_threads", program=FAULTS)
            self.assertNotRegex(done.err, "(?i)segmentation|exited on signal")
            self.assertEqual([os.path.basename(path) for path in glob.glob(f"{self.folder}/*")], ["a.trace.rank0"], done)
            self.assertEqual(self.show("a.trace.rank0").code, 0)

    def test_tables_take_no_more_memory_than_the_setting(self):
        lines = self.recorded(1, "many", program=FAULTS, MEMORY="16K")
        line = self.calls(lines, 0)[2]
        self.assertGreater(line["dropped"], 0)
        self.assertLess(len(line["communicators"]), 100)
        lines = self.recorded(1, "many", program=FAULTS)
        self.assertEqual((self.calls(lines, 0)[2]["dropped"], len(self.calls(lines, 0)[2]["communicators"])), (0, 202))

    def test_the_heap_of_the_application_is_as_without_the_recorder(self):
        self.run_of(1, "heap")

    def test_the_end_of_a_program_is_recorded(self):
        lines = self.recorded(3, "late", program=FAULTS)
        for rank in range(3):
            program, line = self.calls(lines, rank)[1:]
            self.assertEqual([one["call"] for one in program["body"]], ["Barrier", "Finalize"])
            self.assertEqual(line["polls"], {"1": 7})
            self.assertGreater(line["think" if rank == 2 else "call"][1], 0.1)  # of 0.2 s

    def test_calls_through_an_own_function_of_the_application_are_recorded(self):
        lines = self.recorded(2, "own_function", program=FAULTS)
        self.assertEqual(self.names(lines, 1), ["Exscan"])

    def test_the_output_is_in_the_folder_where_the_program_starts(self):
        self.recorded(2, "folder", program=FAULTS)
        self.assertEqual(os.listdir(self.folder), ["a.trace"])

    def test_what_an_earlier_job_left_is_replaced(self):
        for name in ("a.trace.rank0", "a.trace.draft.rank1", "a.trace.spawned1"):
            self.written(name, "earlier")
        self.recorded(2, "own_function", program=FAULTS)
        self.assertEqual(os.listdir(self.folder), ["a.trace"])

    @unittest.skipUnless(SPAWNS, "MPICH's launcher spawns nothing on a single host of this kind")
    def test_ranks_that_are_spawned_have_a_file_of_their_own(self):
        command = [MPI_RUN, "-t", "60", "-x", f"LD_PRELOAD={LIBRARY}", "-x", "SONDE_TRACE_OUTPUT=a.trace", "--mca", "btl", "self,vader,tcp", "-n", "1", FAULTS, "spawn"]
        for _ in range(2):
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=100)
            self.assertEqual((done.returncode, sorted(os.listdir(self.folder))), (0, ["a.trace", "a.trace.spawned1"]), done)
        self.assertEqual(self.calls(self.lines("a.trace"), 0)[2]["not_recorded"], {"Comm_spawn": 1})
        self.assertEqual(self.names(self.lines("a.trace.spawned1"), 0), ["Barrier"] * 9)

    def test_a_program_of_another_MPI_library_ends_with_a_line_that_names_both(self):
        for program in OF_OTHER_MPI.split(os.pathsep):
            with self.subTest(program):
                done = subprocess.run([program], env={**os.environ, "LD_PRELOAD": LIBRARY}, capture_output=True, text=True, timeout=400)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
                self.assertRegex(done.stderr, r"^libsonde-trace: this recorder is built for \S.* and the program calls Other MPI 1.0 \(.*other_mpi\.")

    def preloaded(self, command, environment):
        return subprocess.run(command, env={**environment, "LD_PRELOAD": LIBRARY}, capture_output=True, text=True, cwd=self.folder, timeout=100)

    def test_a_program_of_another_installed_library_ends_with_a_line_and_one_of_the_own_interface_runs(self):
        self.written("other.c", "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }\n")
        compilers = {family: shutil.which(name) for family, name in (("Open MPI's ABI", "mpicc.openmpi"), ("MPICH's ABI", "mpicc.mpich"))}
        if not all(compilers.values()):
            self.skipTest("Debian's Open MPI and MPICH are not both installed")
        ran = []
        for family, compiler in compilers.items():
            with self.subTest(family):
                subprocess.run([compiler, "other.c", "-o", "other"], check=True, cwd=self.folder)
                done = self.preloaded([f"{self.folder}/other"], os.environ)
                if done.returncode == 0:
                    ran.append(family)
                    self.assertEqual((done.stderr, os.path.exists(f"{self.folder}/sonde.trace")), ("", True))
                    continue
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done)
                self.assertRegex(done.stderr, "^libsonde-trace: this recorder is built for .* ABI, and the program calls .* "
                                              f"by {family}: preload the recorder for that one\n")
        self.assertLess(len(ran), 2)

    def test_processes_that_a_launcher_left_alone_say_so(self):
        alone = {key: value for key, value in os.environ.items() if not key.startswith(("OMPI_", "PMIX_", "PMI_"))}
        done = self.preloaded([TRACED, "ring", "2"], {**alone, "PMI_RANK": "0", "PMI_SIZE": "3"})
        self.assertRegex(done.stderr, r"^libsonde-trace: \S.* started 3 processes of a program that is built with \S.*: each is alone, "
                                      r".*; the trace is that of one process\n$")

    def test_a_program_that_looks_functions_up_says_that_nothing_is_recorded(self):
        done = self.started(2, "looked_up", program=FAULTS)
        self.assertEqual((done.code, sum("nothing is recorded" in line for line in done.said), os.listdir(self.folder)), (0, 1, []), done)


if __name__ == "__main__":
    unittest.main()
