# SPDX-License-Identifier: BSL-1.0
"""Cache policies of messages: the option, its effect, and its parameter in every record."""
import csv
import tempfile
import unittest

from driver import counted, run

QUICK = ("-i", "3", "-x", "1", "-m", "8:16")


class Cache(unittest.TestCase):
    def rows(self, name, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            answer = run(name, *QUICK, *arguments, "--report", "csv=a", folder=folder)
            self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
            with open(f"{folder}/a", newline="") as file:
                return list(csv.DictReader(file))

    def test_the_cache_policy_has_a_column_on_request(self):
        for name, more, policy in (("osu_latency", (), "flushed"), ("osu_latency", (), "rotating"), ("osu_latency", (), "warm"),
                                   ("osu_bw", ("-b", "multiple"), "flushed")):
            rows = self.rows(name, "--cache", policy, *more)
            self.assertEqual([(row["bytes"], row["cache"]) for row in rows], [("8", policy), ("16", policy)])
        self.assertNotIn("cache", self.rows("osu_latency")[0])

    def test_after_a_flush_ranks_synchronize_before_each_iteration(self):
        some = ("-i", "30", "-x", "5", "-m", "8:8")
        more = counted("osu_latency", *some, "--cache", "flushed")[0]["MPI_Barrier"] - \
            counted("osu_latency", *some, "--cache", "warm")[0]["MPI_Barrier"]
        self.assertEqual(more, 30 + 5 - 2)
