# SPDX-License-Identifier: BSL-1.0
"""Programs of UPC: each thread's numbers of calls, which are OMB's. The sizes are no multiples of 8 bytes, which the
stand-in takes for data of Sonde's group."""
import unittest

from driver import at_once
from upc.programs import BARRIER, BY_NAME, WITH_DATA, calls_of


class Counts(unittest.TestCase):
    def test_an_iteration_has_the_calls_of_the_program(self):
        for program, threads in at_once(lambda p: calls_of(p, "-i", "5", "-x", "2", "-m", "4:4"), WITH_DATA):
            with self.subTest(program.name):
                self.assertEqual([calls.get(program.call, 0) for calls in threads], [7 * n for n in program.calls])
                self.assertEqual([calls.get("fence", 0) for calls in threads], [7, 0] if program.call == "memput" else [0, 0])

    def test_each_program_has_its_counts_up_to_8192_bytes_and_above(self):
        for name, expected in (("memput", 11_000 + 110), ("all_gather_all", 1_200 + 110)):
            calls = calls_of(BY_NAME[name], "-m", "8190:16380")
            self.assertEqual(calls[0][BY_NAME[name].call], expected)
        most, fewer = (calls_of(BARRIER, *given)[0]["barrier"] for given in ((), ("-i", "900", "-x", "1")))
        self.assertEqual(most - fewer, 1_010 - 901)

    def test_a_collective_has_a_barrier_before_each_iteration_and_copies_have_one_for_all(self):
        def barriers(of):
            name, iterations = of
            return [c["barrier"] for c in calls_of(BY_NAME[name], "-m", "4:4", "-x", "2", "-i", str(iterations))]

        names = ("memput", "all_broadcast")
        found = dict(at_once(barriers, [(name, i) for name in names for i in (3, 9)]))
        for name, more in (("memput", 0), ("all_broadcast", 6)):
            with self.subTest(name):
                self.assertEqual(found[name, 9], [n + more for n in found[name, 3]])

    def test_contents_are_checked_after_the_measurement_ten_times_at_most(self):
        for i, rounds in ((4, 4), (50, 10)):
            calls = calls_of(BY_NAME["memget"], "-m", "1:1", "-i", str(i), "-x", "2", "-c", "-u", "3")
            self.assertEqual(calls[0]["memget"], i + 2 + 4 * rounds)
