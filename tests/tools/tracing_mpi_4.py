#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Traces of calls of MPI 4, also of programs that use sessions without MPI_Init, and their replay."""
import os
import subprocess
import unittest

from driver import Answer, TOOLS
from tracing import MPI_RUN, Traced

PROGRAM = os.environ["TOOLS_TRACED_MPI_4"]
RING = ["Isendrecv", "Isendrecv_replace", "Waitall"]
LARGE = ["Irecv", "Send", "Wait", "Isendrecv", "Wait", "Allgather", "Alltoallv"]
PERSISTENT = ["Startall", "Pready", "Pready_range", "Waitall"]
COMMUNICATORS = ["Comm_idup", "Wait", "Barrier", "Comm_split", "Barrier"]


class Mpi4(Traced):
    def run_of(self, ranks, *words):
        """The lines of the trace of a program that answers as without the recorder."""
        plain, traced = (self.started(ranks, *words, record=record, program=PROGRAM) for record in (False, True))
        self.assertEqual((traced.code, traced.out, traced.err.count("libsonde-trace")), (0, plain.out, 0), traced)
        self.assertIn(words[0], plain.out)
        return self.lines("a.trace")

    def names(self, lines, rank):
        return [name for name, _ in self.calls(lines, rank)[0]]

    def replayed(self, ranks):
        done = subprocess.run([MPI_RUN, "-t", "60", "-n", str(ranks), f"{TOOLS}/sonde-replay", "run", "-n", "3", "a.trace"],
                              capture_output=True, text=True, cwd=self.folder, timeout=100)
        self.assertEqual(done.returncode, 0, done)
        return Answer(done.returncode, done.stdout, done.stderr)

    def test_messages_in_both_directions(self):
        lines = self.run_of(3, "both_directions", "20")
        calls, _, line = self.calls(lines, 2)
        self.assertEqual([name for name, _ in calls], RING * 20)
        both, replaced, wait = (one for _, one in calls[:3])
        self.assertEqual([both[key] for key in ("to", "tag", "count", "from", "recv_tag", "recv_count")], [1, 1, 100, 2, 1, 100])
        self.assertEqual((replaced["count"], replaced["recv_count"], wait["requests"], line["not_recorded"]), (50, 50, [2, 1], {}))
        self.assertRegex(self.show("a.trace").out, r"(?m)^Isendrecv +60 +24000 +3 ")
        self.assertRegex(self.replayed(3).out, r"(?m)^loop 1 +20 ")

    def test_large_counts_are_recorded_as_others_are(self):
        lines = self.run_of(2, "large_counts", "5")
        self.assertEqual(self.names(lines, 1), LARGE * 5)
        calls = dict(self.calls(lines, 1)[0])
        self.assertIn("vector(4,2,2,MPI_INT)", [one["name"] for line in lines for one in line.get("types", ())])
        self.assertEqual((calls["Send"]["count"], calls["Allgather"]["recv_count"], calls["Alltoallv"]["counts"]), (8, 2, [1] * 4))
        self.assertRegex(self.replayed(2).out, r"(?m)^loop 1 +5 ")

    def test_partitioned_messages_and_persistent_collectives(self):
        lines = self.run_of(2, "persistent", "10")
        self.assertEqual(self.names(lines, 0), ["Psend_init", "Precv_init", "Allreduce_init"] + PERSISTENT * 10 + ["Request_free"] * 3)
        calls = dict(self.calls(lines, 0)[0])
        self.assertEqual((calls["Psend_init"]["counts"], calls["Pready_range"]["counts"], calls["Waitall"]["requests"]), ([2], [1, 1], [-1, -2, -3]))
        self.assertRegex(self.replayed(2).out, r"(?m)^loop 1 +10 ")

    def test_a_communicator_that_is_complete_with_a_request(self):
        lines = self.run_of(4, "communicators", "6")
        calls, _, line = self.calls(lines, 3)
        self.assertEqual(([name for name, _ in calls], line["communicators"]), (COMMUNICATORS * 6, ["0-3", "0-3#1", "1,3"]))
        self.assertEqual([one["made"] for name, one in calls if name == "Comm_idup"], [1] * 6)
        replayed = self.replayed(4)
        self.assertRegex(replayed.out, r"(?m)^loop 1 +6 ")
        self.assertRegex(replayed.out + replayed.err, "24 calls? of MPI_Comm_idup")

    def test_a_program_of_sessions_is_recorded_as_one_with_MPI_Init(self):
        for what, body in (("both_directions", RING), ("communicators", COMMUNICATORS)):
            with self.subTest(what):
                lines = self.run_of(4, what, "10", "mpi://WORLD")
                self.assertEqual([self.names(lines, rank) for rank in range(4)], [body * 10] * 4)
                self.assertEqual((lines[0]["ranks"], self.calls(lines, 2)[2]["communicators"][0]), (4, "0-3"))
                self.assertEqual(self.show("a.trace").code, 0)
                self.assertRegex(self.replayed(4).out, r"(?m)^loop 1 +10 ")

    def test_sessions_without_a_communicator_of_all_ranks_say_that_nothing_is_recorded(self):
        done = self.started(2, "both_directions", "0", "mpi://SELF", program=PROGRAM)
        self.assertEqual((done.code, sum("nothing is recorded of MPI sessions" in line for line in done.said), os.listdir(self.folder)), (0, 1, []), done)


if __name__ == "__main__":
    unittest.main()
