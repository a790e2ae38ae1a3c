# SPDX-License-Identifier: BSL-1.0
"""Programs of UPC++: each rank's numbers of calls, which are OMB's."""
import unittest

from driver import at_once
from upcxx.programs import ALL, BY_NAME, calls_of


class Counts(unittest.TestCase):
    def test_an_iteration_has_the_calls_of_the_program(self):
        for program, ranks in at_once(lambda p: calls_of(p, "-i", "5", "-x", "2", "-m", "8:8"), ALL):
            with self.subTest(program.name):
                self.assertEqual(tuple(calls.get(program.call, 0) for calls in ranks), tuple(7 * n for n in program.calls))

    def test_each_program_has_its_counts_up_to_8192_bytes_and_above(self):
        for name, expected in (("async_copy_put", 11_000 + 110), ("reduce", 1_200 + 110)):
            calls = calls_of(BY_NAME[name], "-m", "8192:16384")
            self.assertEqual(calls[0][BY_NAME[name].call], expected)

    def test_a_collective_has_a_barrier_before_each_iteration_and_copies_one_after_all(self):
        def barriers(of):
            name, iterations = of
            return [c["barrier"] for c in calls_of(BY_NAME[name], "-m", "8:8", "-x", "2", "-i", str(iterations))]

        names = ("async_copy_put", "async_copy_get", "bcast", "gather")
        found = dict(at_once(barriers, [(name, i) for name in names for i in (3, 9)]))
        for name, more in (("async_copy_put", 0), ("async_copy_get", 0), ("bcast", 6), ("gather", 12)):
            with self.subTest(name):
                self.assertEqual(found[name, 9], [n + more for n in found[name, 3]])

    def test_contents_are_checked_after_the_measurement_ten_times_at_most(self):
        for i, rounds in ((4, 4), (50, 10)):
            calls = calls_of(BY_NAME["async_copy_get"], "-m", "1:1", "-i", str(i), "-x", "2", "-c", "-u", "3")
            self.assertEqual(calls[0]["rget"], i + 2 + 4 * rounds)
