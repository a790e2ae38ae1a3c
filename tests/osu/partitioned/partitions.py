# SPDX-License-Identifier: BSL-1.0
"""The programs osu_partitioned_*: tables, contents, numbers of partitions, records."""
import json
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "launcher"))
from launching import launch  # noqa: E402

FEW = ("-u0", "-i3", "-x1")
PROGRAMS = {"latency": ("Partitioned Latency", ["Avg Latency(us)"]), "bw": ("Partitioned Bandwidth", ["Bandwidth (MB/s)"]),
            "early_bird": ("Partitioned Early-Bird", ["Overall(us)", "Compute(us)", "Pure Comm.(us)", "Early-bird(%)"])}


def start(name, *arguments, ranks=2):
    return launch(os.environ["OSU_MPI_RUN"], os.path.join(os.environ["OSU_PROGRAMS"], "osu_partitioned_" + name), *arguments, ranks=ranks)


class Partitions(unittest.TestCase):
    def test_tables_have_whole_partitions_and_right_contents(self):
        for name, (title, columns) in PROGRAMS.items():
            for arguments, partitions, sizes in ((("-m", "16"), 8, ["8", "16"]), (("-m", "100000:250000", "--partitions", "3"), 3, ["100002", "200004"])):
                with self.subTest(name, partitions=partitions):
                    answer = start(name, *FEW, "-c", *arguments)
                    self.assertEqual(set(answer.codes), {0}, answer)
                    self.assertEqual(answer.lines[1].rsplit(" v", 1)[0], f"# OSU MPI {title} Test")
                    self.assertEqual(answer.lines[2], f"# Partitions: {partitions}.")
                    self.assertEqual(re.split("  +", answer.lines[4]), ["# Size", *columns, "Validation"])
                    self.assertEqual({row[-1] for row in answer.rows}, {"Pass"})
                    self.assertEqual([row[0] for row in answer.rows], sizes)

    def test_a_record_has_the_message_and_the_three_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.jsonl")
            answer = start("early_bird", *FEW, "-m", "64:64", "--honest", "--report", f"json={path}")
            self.assertEqual(set(answer.codes), {0}, answer)
            with open(path) as file:
                records = [record for record in map(json.loads, file) if record["type"] == "record"]
        self.assertEqual([record["parameters"]["part"] for record in records], ["communication", "work", "both"])
        self.assertEqual({record["parameters"]["partitions"] for record in records}, {8})
        self.assertEqual({record["total"]["bytes"] for record in records if record["parameters"]["part"] != "work"}, {64})

    def test_what_cannot_be_measured_is_refused(self):
        for arguments, text in ((("-m", "4"), "No element has room [-m]; accepted: a MAX of at least 8"),
                                (("-m", "8:8", "--partitions", "3"), "No element has room [-m]; accepted: a MAX of at least 9"),
                                (("--partitions", "0"), "Invalid Number of Partitions [--partitions 0]"),
                                (("-T", "mpi_int"), "Invalid option [-T]; accepted: ")):
            answer = start("bw", *arguments)
            self.assertIn(text, answer.err)
            self.assertNotIn(0, answer.codes)


if __name__ == "__main__":
    unittest.main()
