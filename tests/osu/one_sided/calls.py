# SPDX-License-Identifier: BSL-1.0
"""One-sided programs: each rank's numbers of calls, and errors found by -c."""
import collections
import os
import tempfile
import unittest

from driver import read, run
from one_sided.programs import ALL, BY_NAME, CREATED

SHIM = os.environ["OSU_ONE_SIDED_SHIM"]


def calls_of(name, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        answer = run(name, *arguments, environment={"LD_PRELOAD": SHIM, "SONDE_COUNTS": folder + "/rank"})
        assert answer.codes == [0, 0], answer
        return [{name: int(n) for name, n in (line.rsplit(" ", 1) for line in read(f"{folder}/rank-{rank}").splitlines())}
                for rank in (0, 1)]


def window_of(how, sizes=1):
    """Each rank's calls for its windows: one for each size, which it fills under a lock of its own part."""
    return collections.Counter({CREATED[how].removeprefix("MPI_"): sizes, "lock exclusive": sizes, "unlock": sizes})


class Counts(unittest.TestCase):
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
                window = ["-W3"] if BY_NAME[name].bandwidth else []
                calls = calls_of(name, "-i5", "-x2", "-m8:8", "-s", sync, *window)
                window = window_of(BY_NAME[name].defaults[0])
                self.assertEqual(calls, [window + collections.Counter(side) for side in (origin, target)])

    def test_each_size_has_a_window_of_the_requested_type(self):
        for name, sizes in (("osu_put_latency", 3), ("osu_get_acc_latency", 3), ("osu_fop_latency", 1)):
            for how in [None, *CREATED]:
                with self.subTest(f"{name} {how}"):
                    calls = calls_of(name, "-i1", "-x0", "-m1:4", "-s", "fence", *(["-w", how] if how else []))
                    window = window_of(how or BY_NAME[name].defaults[0], sizes)
                    for side in calls:
                        self.assertEqual({call: n for call, n in side.items() if call in window or "Win_" in call}, window)

    def test_each_program_has_its_counts_up_to_8192_bytes_and_above(self):
        for program in ALL:
            small, large = (110 * 64, 22 * 64) if program.bandwidth else (10100, 1010)
            with self.subTest(program.name):
                origin, target = calls_of(program.name, "-m", "8192:16384")
                self.assertEqual(origin[program.call], small + (0 if program.one_element else large))
                self.assertEqual(target.get(program.call, 0), origin[program.call] if program.name == "osu_put_bibw" else 0)

    def test_accumulates_under_locks_warm_up_longer_above_8192_bytes(self):
        self.assertEqual(calls_of("osu_acc_latency", "-m", "8192:16384", "-s", "lock")[0]["Accumulate"], 10100 + 2000)
        self.assertEqual(calls_of("osu_acc_latency", "-m", "16384:16384", "-s", "lock", "-x3")[0]["Accumulate"], 1003)

    def test_contents_are_checked_after_the_measurement_ten_times_at_most(self):
        for i, checked in ((4, 4), (50, 10)):
            self.assertEqual(calls_of("osu_get_latency", "-m1", f"-i{i}", "-x2", "-c")[0]["Get"], i + 2 + checked)


class Faults(unittest.TestCase):
    def expect_failure(self, program, how, *arguments):
        environment = {"LD_PRELOAD": SHIM, "SONDE_FAULT": how}
        answer = run(program.name, "-i4", "-x1", "-m4:8", "-c", *arguments, environment=environment)
        self.assertEqual(answer.codes, [1, 1], answer)
        self.assertTrue(answer.rows and all(row[2] == "failed" for row in answer.rows), answer)
        self.assertRegex(answer.lines[-1], rf"^DATA VALIDATION ERROR: \S*{program.name} exited with status 1 on message size ")
        return answer

    def test_every_program_finds_a_wrong_bit_in_sent_and_fetched_data(self):
        for program in ALL:
            for how in program.faults:
                with self.subTest(f"{program.name} {how}"):
                    self.expect_failure(program, how)

    def test_every_program_finds_a_lost_transfer(self):
        for program in ALL:
            with self.subTest(program.name):
                self.expect_failure(program, "lost", "-s", program.other[1])

    def test_the_summary_has_each_ranks_result(self):
        lines = self.expect_failure(BY_NAME["osu_acc_latency"], "sent").lines
        at = lines.index("Atomic Data Validation results for Rank=1:")
        self.assertEqual(lines[at - 2:at], ["-" * 43] * 2)
        self.assertEqual(lines[at + 1:at + 4], ["FAILED: MPI_SUM on MPI_CHAR had 8 of 8 tests fail data validation.",
                                                "\t\tFirst failure at trial 0, last failure at trial 7.",
                                                "FAILED: 1 of the 1 combinations of ops and datatypes tested failed."])

    def test_wrong_elements_are_listed_by_the_rank_that_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {"LD_PRELOAD": SHIM, "SONDE_FAULT": "sent"}
            run("osu_fop_latency", "-i2", "-x0", "-T", "mpi_int", "-clog:wrong", environment=environment, folder=folder)
            self.assertEqual(os.listdir(f"{folder}/wrong"), ["log-1.log"])
            lines = read(f"{folder}/wrong/log-1.log").splitlines()
            self.assertEqual((len(lines), lines[0]), (6, "Size: 4, Iteration:0, Datatype: MPI_INT"))

    def test_without_validation_errors_are_not_reported(self):
        answer = run("osu_put_latency", "-i2", "-m1", environment={"LD_PRELOAD": SHIM, "SONDE_FAULT": "lost"})
        self.assertEqual((answer.codes, len(answer.rows[0])), ([0, 0], 2))
