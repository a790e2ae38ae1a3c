# SPDX-License-Identifier: BSL-1.0
"""Validation: a wrong byte and a lost message are found at any position."""
import os
import tempfile
import unittest

from driver import ALL, BY_NAME, FAULT_SHIM, read, run

QUICK = ("-i", "4", "-x", "1", "-W", "2")


def quick(program):
    return QUICK if program.window > 1 else QUICK[:4]


def damaged(program, how, *arguments, since=1, folder=None):
    shim = {"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT": how, "SONDE_FAULT_FROM": str(since)}
    return run(program.name, *quick(program), *arguments, ranks=program.ranks, environment=shim, folder=folder)


class Contents(unittest.TestCase):
    def expect_failure(self, program, answer, sizes):
        """Rows up to the first wrong one, the line at the end, exit status 1 on every rank."""
        self.assertEqual(answer.codes, [1] * program.ranks, answer)
        states = [row[1 + len(program.columns)] for row in answer.rows]
        self.assertEqual([row[0] for row in answer.rows], [str(s) for s in sizes])
        self.assertEqual(states, ["Pass"] * (len(sizes) - 1) + ["Fail"])
        self.assertRegex(answer.lines[-1], rf"^DATA VALIDATION ERROR: \S*{program.name} exited with status 1 "
                                           rf"on message size {sizes[-1]}\.$")

    def test_a_flipped_bit_fails_every_program_on_all_ranks(self):
        for program in ALL:
            with self.subTest(program.name):
                self.expect_failure(program, damaged(program, "last", "-c", "-m4:16"), [4])

    def test_a_lost_message_fails_every_program(self):
        # 1 + 4 exchanges measured, 4 rounds of 6 for validation; those before the last left the right contents in the
        # buffer.
        for program in ALL:
            last = 29 * (2 if program.window > 1 else 1)
            with self.subTest(program.name):
                self.expect_failure(program, damaged(program, "lost", "-c", "-m4:4", "-b", "multiple", since=last), [4])

    def test_every_byte_of_every_type_is_checked(self):
        for kind in ("mpi_int", "mpi_float"):
            for how in ("first", "middle", "last"):
                with self.subTest(f"{kind} {how}"):
                    answer = damaged(BY_NAME["osu_latency"], how, "-c", "-m48:48", "-T", kind)
                    self.expect_failure(BY_NAME["osu_latency"], answer, [48])

    def test_a_fault_after_the_last_message_has_no_effect(self):
        for program, last in ((BY_NAME["osu_latency"], 29), (BY_NAME["osu_bw"], 58)):
            self.assertEqual(damaged(program, "last", "-c", "-m4:4", since=last + 1).codes, [0, 0])

    def test_rows_before_the_fault_pass_and_later_types_continue(self):
        program = BY_NAME["osu_latency"]
        # 5 measured and 4 x 6 for validation, each way, a size: the fault begins with the third size.
        answer = damaged(program, "last", "-c", "-m4:16", since=59)
        self.expect_failure(program, answer, [4, 8, 16])
        rows = damaged(program, "last", "-c", "-m4:16", "-T", "all").rows
        self.assertEqual([(row[0], row[2]) for row in rows], [("4", "Fail")] * 3)

    def test_without_validation_errors_are_not_reported(self):
        answer = damaged(BY_NAME["osu_latency"], "last", "-m4:8")
        self.assertEqual((answer.codes, len(answer.rows)), ([0, 0], 2))

    def test_wrong_elements_are_listed_by_the_rank_that_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            damaged(BY_NAME["osu_bw"], "last", "-clog:wrong", "-m8:8", "-T", "mpi_int", folder=folder)
            self.assertEqual(os.listdir(f"{folder}/wrong"), ["log-1.log"])  # rank 0 received none
            lines = read(f"{folder}/wrong/log-1.log").splitlines()
            self.assertEqual(len(lines), 3 * 4)
            self.assertEqual(lines[0], "Size: 8, Iteration:0, Datatype: MPI_INT")
            self.assertEqual(lines[1], f"{'Position':<10}{'Expected':>18}{'Actual':>18}")
            self.assertEqual(lines[2], f"{1:<10}{220:>18}{220 ^ 0x20000000:>18}")

    def test_no_log_is_written_without_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("osu_bw", *QUICK, "-m8", "-clog", folder=folder).codes, [0, 0])
            self.assertEqual(os.listdir(folder), [])

    def test_large_and_odd_sizes_pass(self):
        for program in (BY_NAME["osu_bibw"], BY_NAME["osu_latency_persistent"]):
            with self.subTest(program.name):
                answer = run(program.name, *quick(program), "-m", "777:200000", "-c", "-T", "all", "-b", "multiple")
                self.assertEqual(answer.codes, [0, 0], answer)
                self.assertEqual({row[2] for row in answer.rows}, {"Pass"})
