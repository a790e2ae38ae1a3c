# SPDX-License-Identifier: BSL-1.0
"""Objects of Boost.MPI as messages: the option, the calls of each kind, validation."""
import csv
import os
import tempfile
import unittest

from driver import FAULT_SHIM, counted, run

QUICK = ("-i", "7", "-x", "2", "-m", "4:8")
OBJECTS = ("object", "content", "datatype")
has_boost_mpi = unittest.skipUnless("OSU_BOOST_MPI" in os.environ, "this build has no Boost.MPI")


class Objects(unittest.TestCase):
    @has_boost_mpi
    def test_the_head_names_the_payload_and_contents_pass(self):
        for kind in OBJECTS:
            answer = run("osu_latency", *QUICK, "--payload", kind, "-c")
            self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
            self.assertEqual(answer.lines[1:4],
                             ["# OSU MPI Latency Test v7.4", f"# Payload: {kind}.", "# Datatype: MPI_CHAR."])
            self.assertEqual([(row[0], row[2]) for row in answer.rows], [("4", "Pass"), ("8", "Pass")])

    @has_boost_mpi
    def test_each_kind_makes_its_own_calls(self):
        sizes, messages = 2, 7 + 2
        for kind, calls in (("bytes", {"MPI_Send": messages, "MPI_Recv": messages}),
                            ("object", {"MPI_Send": messages, "MPI_Mrecv": messages}),
                            ("content", {"MPI_Send": messages, "MPI_Recv": messages, "MPI_Mrecv": 1, "MPI_Isend": 1}),
                            ("datatype", {"MPI_Send": messages, "MPI_Mrecv": messages})):
            for rank in counted("osu_latency", *QUICK, "--payload", kind):
                with self.subTest(kind):
                    made = {name: rank.get(name, 0) for name in ("MPI_Send", "MPI_Recv", "MPI_Mrecv", "MPI_Isend")}
                    self.assertEqual(made, {name: sizes * calls.get(name, 0) for name in made})

    @has_boost_mpi
    def test_a_damaged_object_fails(self):
        for kind in OBJECTS:
            shim = {"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT": "last", "SONDE_FAULT_FROM": "2"} # the skeleton may be first
            answer = run("osu_latency", *QUICK, "--payload", kind, "-c", environment=shim)
            with self.subTest(kind):
                self.assertEqual(answer.codes, [1, 1], answer)
                self.assertEqual([(row[0], row[2]) for row in answer.rows], [("4", "Fail")])

    @has_boost_mpi
    def test_records_have_the_payload(self):
        with tempfile.TemporaryDirectory() as folder:
            run("osu_latency", *QUICK, "--payload", "object", "--report", "csv=a", folder=folder)
            run("osu_latency", *QUICK, "--report", "csv=b", folder=folder)
            with open(f"{folder}/a", newline="") as file:
                self.assertEqual([row["payload"] for row in csv.DictReader(file)], ["object", "object"])
            with open(f"{folder}/b", newline="") as file:
                self.assertNotIn("payload", next(csv.DictReader(file)))
