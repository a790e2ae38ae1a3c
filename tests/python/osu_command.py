# SPDX-License-Identifier: BSL-1.0
"""osu_command.py LAUNCHER: the command python3 -m sonde.osu, as a user starts it: its output and exit statuses."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch  # noqa: E402

LAUNCHER = sys.argv.pop(1)


def run(*arguments, ranks=2):
    return launch(LAUNCHER, sys.executable, "-m", "sonde.osu", *arguments, ranks=ranks)


class Command(unittest.TestCase):
    def test_a_table_and_status_0_on_all_ranks(self):
        answer = run("--benchmark", "bcast", "--max", "4", "--iterations", "3", ranks=3)
        self.assertEqual((answer.codes, answer.err), ([0, 0, 0], ""))
        self.assertEqual(answer.lines[:2], ["# OMB Python MPI Bcast Test", "# Size (B)      Latency (us)"])
        self.assertEqual([row[0] for row in answer.rows], ["1", "2", "4"])

    def test_one_line_and_status_1_on_all_ranks(self):
        answer = run("latency", ranks=3)
        self.assertEqual((answer.codes, answer.out), ([1, 1, 1], ""))
        self.assertEqual(answer.err, "This test requires exactly two processes; it was started with 3\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
