# SPDX-License-Identifier: BSL-1.0
"""Each rank's numbers of calls that options change, and those of ranks that synchronize; what each program calls is in tables.py."""
import collections
import unittest

from driver import at_once, counted
from programs import BUILT, BY_NAME, CREATED, MESSAGE_PROGRAMS, ROWS_OF_ATOMICS, SHMEM_SHIM
from programs import counted as answer_and_calls


def calls_of(name, *arguments, **more):
    return answer_and_calls(BY_NAME[name], *arguments, **more)[1]


class AllLibraries(unittest.TestCase):
    def test_contents_are_checked_after_the_measurement_ten_times_at_most(self):
        for name, call in (("osu_latency", "MPI_Send"), ("osu_get_latency", "Get"), ("osu_scatterv", "MPI_Scatterv"), ("osu_oshm_get", "shmem_getmem"),
                           ("osu_upc_memget", "memget"), ("osu_upcxx_async_copy_get", "rget")):
            program = BY_NAME.get(name)
            for i, rounds in ((4, 4), (50, 10)) if program in BUILT else ():
                calls = calls_of(name, "-m", "1:1", "-i", str(i), "-x", "2", "-c", *["-u", "3"] * program.repeats)
                self.assertEqual(calls[0][call], i + 2 + rounds * (4 if program.repeats else 1), name)

    def test_ranks_of_collectives_are_synchronized_before_each_iteration_and_those_of_copies_before_each_size(self):
        def barriers(case):
            name, barrier, _, iterations = case
            return [c[barrier] for c in calls_of(name, "-m", "4:4", "-x", "2", "-i", str(iterations), ranks=2)]

        cases = [(name, barrier, more, i) for name, barrier, more in (
            ("osu_oshm_put", "shmem_barrier_all", 0), ("osu_oshm_reduce", "shmem_barrier_all", 6), ("osu_upc_memput", "barrier", 0),
            ("osu_upc_all_broadcast", "barrier", 6), ("osu_upcxx_async_copy_put", "barrier", 0), ("osu_upcxx_async_copy_get", "barrier", 0),
            ("osu_upcxx_bcast", "barrier", 6), ("osu_upcxx_gather", "barrier", 12)) if BY_NAME.get(name) in BUILT for i in (3, 9)]
        found = dict(at_once(barriers, cases))
        for name, barrier, more, i in cases:
            with self.subTest(name):
                self.assertEqual(found[name, barrier, more, 9], [n + more for n in found[name, barrier, more, 3]])


class Messages(unittest.TestCase):
    def test_ranks_of_messages_are_synchronized_before_each_size_and_those_of_pairs_before_each_iteration(self):
        """Before the warm-up and the first sample of a size, and before the end."""
        for program in [p for p in MESSAGE_PROGRAMS if p.counts and p.name != "osu_latency_mp"]:
            with self.subTest(program.name):
                each = program.name in ("osu_multi_lat", "osu_mbw_mr")
                self.assertEqual([c["MPI_Barrier"] for c in calls_of(program.name, "-m8:8", "-i6", "-x2")], [8 + 1 if each else 3] * program.ranks)

    def test_sizes_above_8192_bytes_have_fewer_iterations(self):
        for size, messages in ((8192, 10100), (8193, 1010)):
            self.assertEqual([c["MPI_Send"] for c in calls_of("osu_latency", "-m", f"{size}:{size}")], [messages] * 2)

    def test_counts_go_back_for_the_small_sizes_of_the_next_type(self):
        calls = counted("osu_bw", "-m", "8192:16384", "-T", "all", "-W", "1")
        self.assertEqual(calls[0]["MPI_Isend"], 3 * (110 + 22))

    def test_i_and_x_set_the_counts_of_all_sizes(self):
        calls = counted("osu_latency", "-m", "8192:16384", "-i", "7", "-x", "2")
        self.assertEqual([c["MPI_Send"] for c in calls], [18, 18])

    def test_a_warm_up_of_0_makes_no_iterations(self):
        self.assertEqual(counted("osu_latency", "-m", "1", "-i", "1", "-x", "0")[0]["MPI_Send"], 1)

    def test_the_window_is_that_of_W_and_one_token_answers_it(self):
        sender, receiver = counted("osu_bw", "-m", "4:4", "-i", "5", "-x", "1", "--window-size=3", "-t", "9")
        self.assertEqual((sender["MPI_Isend"], sender["MPI_Recv"], sender["MPI_Waitall"]), (18, 6, 6))
        self.assertEqual((receiver["MPI_Irecv"], receiver["MPI_Send"], receiver["MPI_Waitall"]), (18, 6, 6))

    def test_varied_windows_are_1_to_128(self):
        sender = counted("osu_mbw_mr", "-m", "1", "-i", "1", "-x", "0", "-V", "-W", "3")[0]
        self.assertEqual(sender["MPI_Isend"], 255)

    def test_persistent_requests_are_made_once_a_size(self):
        calls = counted("osu_bibw_persistent", "-m", "2", "-i", "3", "-x", "1", "-W", "5")
        for c in calls:
            self.assertEqual((c["MPI_Send_init"], c["MPI_Recv_init"], c["MPI_Startall"]), (10, 10, 8))

    def test_a_checked_repetition_follows_u_unchecked_ones_after_the_measurement(self):
        for u, repetitions in (("0", 1), ("3", 4)):
            calls = counted("osu_latency", "-m", "1", "-i", "6", "-x", "2", "-c", "-u", u)
            self.assertEqual([c["MPI_Send"] for c in calls], [8 + 6 * repetitions] * 2)


class Collectives(unittest.TestCase):
    def one(self, name, *arguments, ranks=3):
        calls = counted(name, *arguments, ranks=ranks)
        self.assertEqual(len({tuple(sorted(c.items())) for c in calls}), 1, calls)
        return calls[0]

    def test_blocking_programs_have_a_barrier_before_each_call_and_one_before_the_end(self):
        for size, n in ((8192, 1100), (8193, 110)):
            calls = self.one("osu_allgatherv", "-m", f"{size}:{size}")
            self.assertEqual((calls["MPI_Allgatherv"], calls["MPI_Barrier"]), (n, n + 1))
        calls = self.one("osu_neighbor_alltoallv", "-m", "4:4", "-i", "7", "-x", "2")
        self.assertEqual(calls["MPI_Neighbor_alltoallv"], 9)

    def test_a_barrier_program_has_no_other_barrier(self):
        self.assertEqual(self.one("osu_barrier")["MPI_Barrier"], 1100 + 2 + 1)

    def test_non_blocking_programs_measure_the_call_alone_the_work_alone_and_both(self):
        calls = self.one("osu_ialltoall", "-m", "4:4", "-i", "20", "-x", "3", "-t", "4")
        self.assertEqual([calls[f"MPI_{what}"] for what in ("Ialltoall", "Wait", "Test", "Barrier")], [46, 46, 92, 70])
        self.assertEqual(self.one("osu_igatherv", "-m", "64:64", ranks=2)["MPI_Igatherv"], 2 * 1010)

    def test_a_non_blocking_barrier_has_barriers_only_for_the_work(self):
        calls = self.one("osu_ibarrier", ranks=2)
        self.assertEqual((calls["MPI_Ibarrier"], calls["MPI_Barrier"]), (2 * 110, 2 + 2 * 110 + 1))

    @unittest.skipUnless(BY_NAME["osu_reduce_persistent"].exists, "the MPI library has no persistent collectives")
    def test_persistent_programs_start_and_wait(self):
        calls = self.one("osu_reduce_persistent", "-m", "4:4", "-i", "20", "-x", "3")
        self.assertEqual([calls[f"MPI_{what}"] for what in ("Start", "Wait", "Barrier")], [23, 23, 24])


def window_of(how, sizes=1):
    """Each rank's calls for its windows: one for each size, which it fills under a lock of its own part."""
    return collections.Counter({CREATED[how].removeprefix("MPI_"): sizes, "lock exclusive": sizes, "unlock": sizes})


class OneSided(unittest.TestCase):
    def test_an_iteration_has_the_calls_of_its_synchronization(self):
        # 2 untimed and 5 timed iterations; by rank if they differ.
        n = 7
        both = {"Put": n, "start": n, "complete": n, "post": n, "wait": n}
        for name, sync, origin, target in (
                ("osu_put_latency", "lock", {"Put": n, "lock shared": n, "unlock": n}, {}),
                ("osu_put_latency", "flush", {"Put": n, "lock shared": 1, "flush": n, "unlock": 1}, {}),
                ("osu_put_latency", "flush_local", {"Put": n, "lock shared": 1, "flush_local": n, "unlock": 1}, {}),
                ("osu_put_latency", "lock_all", {"Put": n, "lock_all": n, "unlock_all": n}, {}),
                ("osu_put_latency", "pscw", both, both),
                ("osu_put_latency", "fence", {"Put": n, "fence": 3 * n}, {"Put": n, "fence": 3 * n}),
                ("osu_put_bw", "pscw", {"Put": 3 * n, "start": n, "complete": n}, {"post": n, "wait": n}),
                ("osu_put_bw", "fence", {"Put": 3 * n, "fence": 2 * n}, {"fence": 2 * n}),
                ("osu_put_bw", "flush", {"Put": 3 * n, "lock shared": 1, "flush": n, "unlock": 1}, {}),
                ("osu_put_bibw", "pscw", {**both, "Put": 3 * n}, {**both, "Put": 3 * n}),
                ("osu_get_acc_latency", "flush", {"Get_accumulate": n, "lock exclusive": 1, "flush": n, "unlock": 1}, {}),
                ("osu_cas_latency", "lock", {"Compare_and_swap": n, "lock exclusive": n, "unlock": n}, {}),
                ("osu_fop_latency", "flush", {"Fetch_and_op": n, "lock shared": 1, "flush": n, "unlock": 1}, {})):
            with self.subTest(f"{name} {sync}"):
                calls = calls_of(name, "-i5", "-x2", "-m8:8", "-s", sync, *BY_NAME[name].window)
                window = window_of("create" if name == "osu_get_acc_latency" else "allocate")
                self.assertEqual(calls, [window + collections.Counter(side) for side in (origin, target)])

    def test_each_size_has_a_window_of_the_requested_type(self):
        for name, sizes in (("osu_put_latency", 3), ("osu_get_acc_latency", 3), ("osu_fop_latency", 1)):
            for how in [None, *CREATED]:
                with self.subTest(f"{name} {how}"):
                    calls = calls_of(name, "-i1", "-x0", "-m1:4", "-s", "fence", *(["-w", how] if how else []))
                    window = window_of(how or ("create" if name == "osu_get_acc_latency" else "allocate"), sizes)
                    for side in calls:
                        self.assertEqual({call: n for call, n in side.items() if call in window or "Win_" in call}, window)

    def test_accumulates_under_locks_warm_up_longer_above_8192_bytes(self):
        self.assertEqual(calls_of("osu_acc_latency", "-m", "8192:16384", "-s", "lock")[0]["Accumulate"], 10100 + 2000)
        self.assertEqual(calls_of("osu_acc_latency", "-m", "16384:16384", "-s", "lock", "-x3")[0]["Accumulate"], 1003)


def without_barriers(calls):
    return {call: n for call, n in calls.items() if call != "shmem_barrier_all"}


@unittest.skipUnless(SHMEM_SHIM, "built without OpenSHMEM")
class OpenShmem(unittest.TestCase):
    def test_overlap_measures_puts_that_return_at_once_and_puts_that_do_not(self):
        origin, target = calls_of("osu_oshm_put_overlap", "-i", "5", "-x", "2", "-m", "8:8")
        self.assertEqual((without_barriers(origin), without_barriers(target)), ({"shmem_putmem": 7, "shmem_putmem_nbi": 7, "shmem_quiet": 14}, {}))

    def test_rates_are_of_500_transfers_below_8192_bytes_and_50_from_there_on_completed_together(self):
        for name, call in (("put_mr", "shmem_putmem"), ("put_mr_nb", "shmem_putmem_nbi"), ("get_mr_nb", "shmem_getmem_nbi")):
            with self.subTest(name):
                expected = {"shmem_putmem": 50, "shmem_quiet": 3}  # the warm-up: 50 puts of the largest size
                expected[call] = expected.get(call, 0) + 550
                self.assertEqual([without_barriers(c) for c in calls_of("osu_oshm_" + name, "-m", "4096:8192")], [expected, expected, {}, {}])

    def test_atomics_are_500_of_each_operation_after_500_puts(self):
        origin, target = calls_of("osu_oshm_atomics", ranks=2)
        names = {"fadd": "fetch_add", "finc": "fetch_inc", "cswap": "compare_swap"}
        operations = [row.rsplit("_", 1) for row in ROWS_OF_ATOMICS]
        expected = {f"{kind}_atomic_{names.get(op, op)}": 500 for kind, op in operations}
        expected["shmem_putmem"] = 500
        found = without_barriers(origin)
        if "shmem_int_atomic_compare_swap" not in found:  # a library that does not survive it
            del expected["shmem_int_atomic_compare_swap"]
        self.assertEqual((found, without_barriers(target)), (expected, {}))
