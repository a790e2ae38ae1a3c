#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""osu_latency_mp: its text, the processes it forks, its exchanges, its checks, and refused input."""
import os
import re
import tempfile
import unittest

import driver
from driver import FAULT_SHIM, counted, is_row, read, title_line

NAME = "osu_latency_mp"
QUICK = ("-i", "6", "-x", "2")


def run(*arguments, environment=None, **more):
    """Like driver.run, but forked processes do not sleep."""
    shim = {"LD_PRELOAD": ":".join([os.environ["OSU_FORK_SHIM"], (environment or {}).get("LD_PRELOAD", "")])}
    return driver.run(*arguments, environment={**(environment or {}), **shim}, **more)


def forked(*arguments):
    """The events of each rank's forked processes."""
    with tempfile.TemporaryDirectory() as folder:
        answer = run(NAME, *QUICK, "-m", "1", *arguments, environment={"SONDE_FORKS": folder + "/rank"})
        assert answer.codes == [0, 0], answer
        return [read(f"{folder}/rank-{rank}").splitlines() for rank in range(2)]


class Text(unittest.TestCase):
    def preamble(self, senders, receivers):
        return [f"# Number of forked processes in sender: {senders}",
                f"# Number of forked processes in receiver: {receivers}", "",
                "# OSU MPI Multi-process Latency Test v7.4", "# Datatype: MPI_CHAR."]

    def test_two_processes_on_each_side_by_default_and_nothing_on_stderr(self):
        answer = driver.run(NAME, *QUICK, "-m", "8")
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
        self.assertEqual(answer.lines[:6], self.preamble(2, 2) + [title_line(("Avg Latency(us)",))])
        self.assertEqual([row[0] for row in answer.rows], ["1", "2", "4", "8"])

    def test_values_are_10_wide(self):
        for line, size in zip(run(NAME, *QUICK, "-m", "8").lines[6:], (1, 2, 4, 8), strict=True):
            self.assertTrue(re.fullmatch(rf"{size} {{9}}(?=.{{10}}$) *\d+\.\d\d", line), line)

    def test_with_validation_values_are_18_wide(self):
        answer = run(NAME, *QUICK, "-m", "2", "-c", "-t", "1:2")
        self.assertEqual(answer.lines[:6], self.preamble(1, 2) + [title_line(("Avg Latency(us)", "Validation"))])
        for line, size in zip(answer.lines[6:], (1, 2), strict=True):
            self.assertTrue(is_row(line, size, 1, ("Pass",)), line)

    def test_further_columns_are_18_wide(self):
        answer = run(NAME, *QUICK, "-m", "1", "-z50,99")
        self.assertEqual(answer.lines[5], title_line(("Avg Latency(us)", "P50 Tail Lat(us)", "P99 Tail Lat(us)")))
        self.assertEqual(len(answer.lines[6]), 10 + 10 + 18 + 18)

    def test_t_with_one_number_forks_on_the_receiving_side_only(self):
        self.assertEqual(run(NAME, *QUICK, "-m", "1", "-t", "3").lines[:5], self.preamble(0, 3))


class Forks(unittest.TestCase):
    def check(self, lines, children):
        """Processes are forked, sleep for two seconds, end well and are reaped before MPI ends; the parent alone
        finalizes MPI."""
        self.assertEqual(sorted(lines), sorted(["fork 1", "sleep 2", "exited 0"] * children + ["finalize 1"]))
        self.assertEqual(lines[-1], "finalize 1")

    def test_both_sides_fork_what_they_announce(self):
        for arguments, expected in (((), (2, 2)), (("-t", "1:3"), (1, 3)), (("-t", "4"), (0, 4))):
            with self.subTest(arguments):
                for lines, children in zip(forked(*arguments), expected):
                    self.check(lines, children)


class Exchanges(unittest.TestCase):
    def test_a_barrier_precedes_every_exchange(self):
        few, many = (counted(NAME, "-m", "2", "-i", str(i), "-x", "3", "-t", "1") for i in (10, 30))
        for rank in range(2):
            self.assertEqual(many[rank]["MPI_Send"] - few[rank]["MPI_Send"], 2 * 20)
            self.assertEqual(many[rank]["MPI_Barrier"] - few[rank]["MPI_Barrier"], 2 * 20)

    def test_counts_are_10000_and_100_up_to_8192_bytes_and_1000_and_10_above(self):
        for size, count in ((8192, 10100), (8193, 1010)):
            calls = counted(NAME, "-m", f"{size}:{size}", "-t", "1")
            self.assertEqual([(c["MPI_Send"], c["MPI_Recv"]) for c in calls], [(count, count)] * 2)


class Contents(unittest.TestCase):
    def test_a_flipped_bit_is_found_on_both_ranks_and_ends_the_type(self):
        shim = {"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT": "last", "SONDE_FAULT_FROM": "1"}
        answer = run(NAME, *QUICK, "-m", "4:8", "-c", "-t", "1", environment=shim)
        self.assertEqual(answer.codes, [1, 1], answer)
        self.assertEqual([row[2] for row in answer.rows], ["Fail"])
        self.assertRegex(answer.lines[-1], r"^DATA VALIDATION ERROR: .*osu_latency_mp exited with status 1 on message size 4\.$")


class Refusals(unittest.TestCase):
    def refused(self, pattern, *arguments, ranks=2):
        answer = run(NAME, *arguments, ranks=ranks)
        self.assertEqual((answer.codes, answer.out), ([1] * ranks, ""))
        self.assertRegex(answer.err, rf"\A{pattern}\n\Z")

    def test_processes_are_1_to_127(self):
        for bad in ("0", "128", "2:0", "0:2", "2:", "1:2:3", "x"):
            with self.subTest(bad):
                self.refused(r"Invalid Number of Processes \[-t .*\]; accepted: .*127.*", "-t", bad)

    def test_two_ranks_are_needed(self):
        for ranks in (1, 3):
            self.refused("This test requires exactly two processes.*", ranks=ranks)


if __name__ == "__main__":
    unittest.main(verbosity=2)
