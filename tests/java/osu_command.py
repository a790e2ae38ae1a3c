# SPDX-License-Identifier: BSL-1.0
"""osu_command.py LAUNCHER SHIM LIBRARIES JARS FOREIGN_JAR JAVA...: OSU's Java programs as users start them: calls of MPI, counted
through PMPI by the preloaded shim, and mistakes, which are a line and a status other than 0."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch, read  # noqa: E402

LAUNCHER, SHIM, LIBRARIES, JARS, FOREIGN_JAR = sys.argv[1:6]
JAVA = sys.argv[6:]
del sys.argv[1:]

ITERATIONS, WARMUP = 6, 1
# Of a row: the iterations, the warm-up, and one before them; of the warm-up before the first row: ten times as many and a sample.
ROUNDS = ITERATIONS + WARMUP + 1 + 10 * WARMUP + 1
WINDOW = 5
WINDOWS = ITERATIONS + WARMUP + 1 + 10 * WARMUP // WINDOW + 1
COLLECTIVES = {"OSUAllgather": "MPI_Allgather", "OSUAllgatherv": "MPI_Allgatherv", "OSUAlltoall": "MPI_Alltoall",
               "OSUAlltoallv": "MPI_Alltoallv", "OSUBcast": "MPI_Bcast", "OSUGather": "MPI_Gather", "OSUGatherv": "MPI_Gatherv",
               "OSUReduce": "MPI_Reduce", "OSUReduceScatter": "MPI_Reduce_scatter", "OSUScatter": "MPI_Scatter",
               "OSUScatterv": "MPI_Scatterv"}
POINT_TO_POINT = ("MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Waitall")


def run(program, *arguments, ranks=2, jars=JARS, libraries=LIBRARIES, environment=None):
    command = [*JAVA, f"-Djava.library.path={libraries}", "-cp", jars, "org.sonde.osu." + program, *arguments]
    return launch(LAUNCHER, *command, ranks=ranks, environment=environment)


def counted(program, *arguments):
    """Calls of each rank."""
    with tempfile.TemporaryDirectory() as folder:
        answer = run(program, "-m", "8:8", "-i", str(ITERATIONS), "-x", str(WARMUP), *arguments,
                     environment={"LD_PRELOAD": SHIM, "SONDE_COUNTS": os.path.join(folder, "calls")})
        if answer.codes != [0, 0]:
            raise AssertionError(f"{program}: {answer}")
        files = [read(os.path.join(folder, f"calls-{rank}")) for rank in (0, 1)]
    return [{name: int(n) for name, n in map(str.split, text.splitlines())} for text in files]


class Counts(unittest.TestCase):
    def point_to_point(self, program, *arguments):
        return [[calls.get(name, 0) for name in POINT_TO_POINT] for calls in counted(program, "-W", str(WINDOW), *arguments)]

    def test_a_round_trip_is_a_send_and_a_receive(self):
        self.assertEqual(self.point_to_point("OSULatency"), [[ROUNDS, ROUNDS, 0, 0, 0]] * 2)

    def test_a_window_is_acknowledged(self):
        messages = WINDOW * WINDOWS
        for program, memory in (("OSUBandwidth", "buffer"), ("OSUBandwidth", "arrays"), ("OSUBandwidthOMPI", "buffer")):
            with self.subTest(f"{program} {memory}"):
                self.assertEqual(self.point_to_point(program, "-a", memory),
                                 [[0, WINDOWS, messages, 0, WINDOWS], [WINDOWS, 0, 0, messages, WINDOWS]])

    def test_a_window_in_both_directions_is_completed_by_two_calls(self):
        messages = WINDOW * WINDOWS
        for program in ("OSUBiBandwidth", "OSUBiBandwidthOMPI"):
            with self.subTest(program):
                self.assertEqual(self.point_to_point(program), [[0, 0, messages, messages, 2 * WINDOWS]] * 2)

    def test_an_iteration_of_a_collective_is_one_call(self):
        for program, call in COLLECTIVES.items():
            with self.subTest(program):
                others = {"MPI_Bcast", "MPI_Allgather", "MPI_Gather", "MPI_Allgatherv"}  # of the library, before and after
                for calls in counted(program):
                    self.assertEqual({name for name in COLLECTIVES.values() if name in calls} - others, {call} - others)
                    self.assertGreaterEqual(calls[call], ROUNDS)
                    self.assertLess(calls[call], 2 * ROUNDS)

    def test_iterations_add_as_many_calls(self):
        for program, call in (("OSUAllReduce", "MPI_Allreduce"), ("OSUBarrier", "MPI_Barrier")):  # Sonde calls them, too
            few, more = (counted(program, "-i", n) for n in ("2", "9"))
            for rank in (0, 1):
                with self.subTest(f"{program} rank {rank}"):
                    self.assertEqual(more[rank][call] - few[rank][call], 7)


class Command(unittest.TestCase):
    def test_a_table_and_status_0_on_all_ranks(self):
        answer = run("OSUGather", "-m", "4", "-i", "3", "-x", "1", ranks=3)
        self.assertEqual((answer.codes, answer.err), ([0, 0, 0], ""))
        self.assertEqual(answer.lines[:2], ["# OSU Gather Test", "# Size\t\tLat Avg[us]\t\tLat Min[us]\t\tLat Max[us]"])
        self.assertEqual([row[0] for row in answer.rows], ["1", "2", "4"])

    def test_every_program_has_a_class(self):
        answer = run("OMPIHelloWorld", ranks=1)
        self.assertEqual((answer.codes, answer.out), ([0], "Hi from <0>\n"))
        answer = run("HelloWorld", "--version", ranks=1)
        self.assertRegex(answer.out, r"^# # OSU Hello World Test 6.0\n# Sonde [0-9.]+, binding of MPI: Sonde's \(native\), (Open MPI|MPICH) v?[0-9.]+\n$")


class Mistakes(unittest.TestCase):
    def refused(self, line, answer):
        self.assertEqual((set(answer.codes), answer.out), ({1}, ""))
        self.assertRegex(answer.err, f"^{line}\n$")

    def test_numbers_of_ranks(self):
        self.refused("This test requires exactly two processes; it was started with 3", run("OSUBandwidth", ranks=3))
        self.refused("This test requires at least two processes; it was started with 1", run("OSUScatterv", ranks=1))

    def test_libraries_that_are_not_found(self):
        hint = "sonde: run java with -Djava.library.path=FOLDER, where libsonde_{}java.so is"
        self.refused(hint.format(""), run("OSUBcast", libraries="/nowhere"))
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(LIBRARIES, "libsonde_java.so"), os.path.join(folder, "libsonde_java.so"))
            self.refused(hint.format("osu_"), run("OSUBcast", libraries=folder))

    def test_a_jar_of_another_library(self):
        foreign = JARS + os.pathsep + FOREIGN_JAR
        accepted = "; accepted: .*--api native"
        other = r"(Cannot use Open MPI's binding \(.*\)|Sonde has been built for another MPI library than Open MPI's binding: MPICH [0-9.]+)"
        self.refused(other + accepted, run("OSUBcast", jars=foreign))
        self.refused(other + accepted, run("OSUBcast", "--api", "openmpi"))
        answer = run("OSUBcast", "--api", "native", "-m", "1", "-i", "2", "-x", "0", jars=foreign)
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))

    def test_a_heap_that_is_too_small(self):
        self.refused(r"Not enough memory \[-m, -W\]; accepted: what fits, .*", run("OSUBandwidth", "-m", "1073741824", "-W", "2"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
