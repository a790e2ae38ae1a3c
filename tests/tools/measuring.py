#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The tools with a program that measures."""
import os
import unittest

from driver import InFolder


class Measuring(InFolder):
    def test_launches_of_an_osu_program_are_collected_and_compared(self):
        command = [os.environ["TOOLS_MPI_RUN"], "-n", "2", os.environ["TOOLS_OSU_LATENCY"], "-m", "1:8", "-i", "50", "-x", "5"]
        done = self.launch("-n", "3", "--timeout", "100", "--out", "a", "--", *command)
        self.assertEqual(done.code, 0, done)
        self.assertEqual([l["parameters"]["bytes"] for l in self.lines("a") if l["type"] == "record"], [1, 2, 4, 8] * 3)
        compared = self.compare("a", "a")
        self.assertEqual(compared.code, 0, compared)
        self.assertIn("# osu_latency", compared.out)
        self.assertIn("4 rows: 0 slower, 0 faster, 4 undecided", compared.out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
