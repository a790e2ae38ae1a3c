# SPDX-License-Identifier: BSL-1.0
"""osu_command.py LAUNCHER SHIM LIBRARIES JARS CHECKS_JAR FOREIGN_JAR JAVA...: OSU's Java programs as users start them: calls of MPI, counted
through PMPI by the preloaded shim, and mistakes, which are a line and a status other than 0."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch, read  # noqa: E402

LAUNCHER, SHIM, LIBRARIES, JARS, CHECKS_JAR, FOREIGN_JAR = sys.argv[1:7]
JAVA = sys.argv[7:]
del sys.argv[1:]


def java(name, *arguments, ranks=2, jars=JARS, libraries=LIBRARIES, environment=None):
    command = [*JAVA, f"-Djava.library.path={libraries}", "-cp", jars, "org.sonde.osu." + name, *arguments]
    return launch(LAUNCHER, *command, ranks=ranks, environment=environment)


def counted(iterations):
    """Calls of each rank in all programs together. A row has a warm-up of one iteration, and windows have 5 messages."""
    with tempfile.TemporaryDirectory() as folder:
        answer = java("OsuChecks", "native", folder, str(iterations), jars=JARS + os.pathsep + CHECKS_JAR,
                      environment={"LD_PRELOAD": SHIM, "SONDE_COUNTS": os.path.join(folder, "calls")})
        if answer.codes != [0, 0]:
            raise AssertionError(answer)
        files = [read(os.path.join(folder, f"calls-{rank}")) for rank in (0, 1)]
    return [{name: int(n) for name, n in map(str.split, text.splitlines())} for text in files]


# Calls of an iteration of all programs: each collective is that of one program, messages are those of five.
EACH = {name: 1 for name in ("MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Barrier", "MPI_Bcast",
                             "MPI_Gather", "MPI_Gatherv", "MPI_Reduce", "MPI_Reduce_scatter", "MPI_Scatter", "MPI_Scatterv")}
PROGRAMS = 2 + 2  # with a window in one direction, in both directions
SENDER = {"MPI_Send": 1, "MPI_Recv": 1 + 2, "MPI_Isend": 5 * PROGRAMS, "MPI_Irecv": 5 * 2, "MPI_Waitall": 2 + 2 * 2}
RECEIVER = {"MPI_Send": 1 + 2, "MPI_Recv": 1, "MPI_Isend": 5 * 2, "MPI_Irecv": 5 * PROGRAMS, "MPI_Waitall": 2 + 2 * 2}
OF_SONDE = ("MPI_Allreduce", "MPI_Barrier", "MPI_Bcast", "MPI_Allgather", "MPI_Gather")  # calls of the library, too


class Counts(unittest.TestCase):
    def test_calls_are_those_of_omb_and_as_many_as_asked(self):
        few, more = counted(4), counted(7)
        for rank, messages in enumerate((SENDER, RECEIVER)):
            expected = {**EACH, **messages}
            with self.subTest(f"rank {rank}"):
                self.assertEqual({name: more[rank][name] - few[rank][name] for name in expected}, {name: 3 * n for name, n in expected.items()})
                # Before the 4 iterations: one to find mistakes, a warm-up of one; before the first row ten times as many and a sample.
                once = {name: few[rank][name] for name in EACH if name not in OF_SONDE}
                self.assertEqual(set(once.values()), {4 + 1 + 1 + 10 + 1})
                # As many messages, in windows.
                self.assertEqual(few[rank]["MPI_Waitall"], messages["MPI_Waitall"] * (4 + 1 + 1 + 2 + 1))


class Command(unittest.TestCase):
    def test_a_table_and_status_0_on_all_ranks(self):
        answer = java("OSUGather", "-m", "4", "-i", "3", "-x", "1", ranks=3)
        self.assertEqual((answer.codes, answer.err), ([0, 0, 0], ""))
        self.assertEqual(answer.lines[:2], ["# OSU Gather Test", "# Size\t\tLat Avg[us]\t\tLat Min[us]\t\tLat Max[us]"])
        self.assertEqual([row[0] for row in answer.rows], ["1", "2", "4"])

    def test_a_line_of_each_rank_and_versions(self):
        answer = java("OMPIHelloWorld", ranks=1)
        self.assertEqual((answer.codes, answer.out), ([0], "Hi from <0>\n"))
        answer = java("HelloWorld", "--version", ranks=1)
        self.assertRegex(answer.out, r"^# # OSU Hello World Test 6.0\n# Sonde [0-9.]+, binding of MPI: Sonde's \(native\), (Open MPI|MPICH) v?[0-9.]+\n$")


class Mistakes(unittest.TestCase):
    def refused(self, line, answer):
        self.assertEqual((set(answer.codes), answer.out), ({1}, ""))
        self.assertRegex(answer.err, f"^{line}\n$")

    def test_libraries_that_are_not_found(self):
        hint = "sonde: run java with -Djava.library.path=FOLDER, where libsonde_{}java.so is"
        self.refused(hint.format(""), java("OSUBcast", libraries="/nowhere"))
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(LIBRARIES, "libsonde_java.so"), os.path.join(folder, "libsonde_java.so"))
            self.refused(hint.format("osu_"), java("OSUBcast", libraries=folder))

    def test_a_jar_of_another_library(self):
        foreign = JARS + os.pathsep + FOREIGN_JAR
        accepted = "; accepted: .*--api native"
        other = r"(Cannot use Open MPI's binding \(.*\)|Sonde has been built for another MPI library than Open MPI's binding: MPICH [0-9.]+)"
        self.refused(other + accepted, java("OSUBcast", jars=foreign))
        self.refused(other + accepted, java("OSUBcast", "--api", "openmpi"))
        answer = java("OSUBcast", "--api", "native", "-m", "1", "-i", "2", "-x", "0", jars=foreign)
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
