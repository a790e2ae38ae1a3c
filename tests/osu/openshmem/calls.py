# SPDX-License-Identifier: BSL-1.0
"""Programs of OpenSHMEM: each PE's numbers of calls, which are OMB's."""
import unittest

from driver import at_once
from openshmem.programs import ALL, BY_NAME, ROWS_OF_ATOMICS, calls_of

SMALL_AND_LARGE = {"put": 11_000 + 100, "put_nb": 11_000 + 100, "get": 11_000 + 100, "get_nb": 11_000 + 100,
                   "broadcast": 1_200 + 110, "collect": 1_200 + 110, "fcollect": 1_200 + 110, "reduce": 1_200 + 110}


def without_barriers(calls):
    return {call: n for call, n in calls.items() if call != "shmem_barrier_all"}


class Counts(unittest.TestCase):
    def test_an_iteration_has_one_call_and_its_completion_on_pe_0(self):
        pairs = [p for p in ALL if p.ranks == 2]
        for program, (origin, target) in at_once(lambda p: calls_of(p, "-i", "5", "-x", "2", "-m", "8:8"), pairs):
            with self.subTest(program.name):
                expected = {call: 7 for call in program.calls}
                if program.completes:
                    expected["shmem_quiet"] = 7 * len(program.calls)
                self.assertEqual((without_barriers(origin), without_barriers(target)), (expected, {}))

    def test_each_program_has_its_counts_up_to_8192_bytes_or_elements_and_above(self):
        def counts(name):
            program = BY_NAME[name]
            return calls_of(program, "-m", "32768:65536" if program.collective else "8192:16384", ranks=2)

        for name, calls in at_once(counts, list(SMALL_AND_LARGE)):
            with self.subTest(name):
                program = BY_NAME[name]
                self.assertEqual(calls[0][program.calls[0]], SMALL_AND_LARGE[name])
                self.assertEqual(calls[1].get(program.calls[0], 0), SMALL_AND_LARGE[name] if program.collective else 0)

    def test_rates_are_of_500_transfers_below_8192_bytes_and_50_from_there_on_completed_together(self):
        for program, calls in at_once(lambda p: calls_of(p, "-m", "4096:8192"), [p for p in ALL if p.name.endswith(("mr", "mr_nb"))]):
            with self.subTest(program.name):
                expected = {"shmem_putmem": 50, "shmem_quiet": 3}  # the warm-up: 50 puts of the largest size
                expected[program.calls[0]] = expected.get(program.calls[0], 0) + 550
                self.assertEqual([without_barriers(c) for c in calls], [expected, expected, {}, {}])

    def test_atomics_are_500_of_each_operation_after_500_puts(self):
        origin, target = calls_of(BY_NAME["atomics"], ranks=2)
        names = {"fadd": "fetch_add", "finc": "fetch_inc", "cswap": "compare_swap"}
        operations = [row.rsplit("_", 1) for row in ROWS_OF_ATOMICS]
        expected = {f"{kind}_atomic_{names.get(op, op)}": 500 for kind, op in operations}
        expected["shmem_putmem"] = 500
        found = without_barriers(origin)
        if "shmem_int_atomic_compare_swap" not in found:  # a library that does not survive it
            del expected["shmem_int_atomic_compare_swap"]
        self.assertEqual((found, without_barriers(target)), (expected, {}))

    def test_barriers_are_back_to_back(self):
        for calls in calls_of(BY_NAME["barrier"]):
            self.assertEqual(calls["shmem_barrier"], 110)

    def test_pes_are_synchronized_before_each_size_or_each_collective_by_shmem_barrier_all(self):
        def barriers(of):
            name, iterations = of
            return [c["shmem_barrier_all"] for c in calls_of(BY_NAME[name], "-m", "8:8", "-x", "2", "-i", str(iterations), ranks=2)]

        found = dict(at_once(barriers, [("put", 3), ("put", 9), ("reduce", 3), ("reduce", 9)]))
        self.assertEqual(found["put", 9], found["put", 3])
        self.assertEqual(found["reduce", 9], [n + 6 for n in found["reduce", 3]])

    def test_contents_are_checked_after_the_measurement_ten_times_at_most(self):
        for i, rounds in ((4, 4), (50, 10)):
            calls = calls_of(BY_NAME["get"], "-m", "1:1", "-i", str(i), "-x", "2", "-c", "-u", "3")
            self.assertEqual(calls[0]["shmem_getmem"], i + 2 + 4 * rounds)
