# SPDX-License-Identifier: BSL-1.0
"""Programs of UPC++: contents that are right, wrong or missing."""
import os
import tempfile
import unittest

from driver import at_once, read
from library_checks import check_damaged
from upcxx.programs import ALL, BY_NAME, run_upcxx

QUICK = ("-c", "-u", "1", "-i", "3", "-x", "1")


class Contents(unittest.TestCase):
    def test_every_program_delivers_its_data(self):
        cases = [(p, ranks) for p in ALL for ranks in ((2, 3) if p.collective else (2, 4))]
        for (program, ranks), answer in at_once(lambda c: run_upcxx(c[0], *QUICK, "-m", "4:8", ranks=c[1]), cases):
            with self.subTest(f"{program.name} {ranks}"):
                self.assertEqual(answer.codes, [0] * ranks, answer)
                self.assertEqual([(r[0], r[-1]) for r in answer.rows], [("4", program.good), ("8", program.good)], answer)

    def test_large_blocks_are_compared(self):
        row, = run_upcxx(BY_NAME["alltoall"], *QUICK, "-m", "65536:65536").rows
        self.assertEqual(row[-1], "Pass")


class Faults(unittest.TestCase):
    def test_every_program_finds_a_wrong_bit_and_a_lost_operation(self):
        cases = [(p, how) for p in ALL for how in ("flipped", "lost")]
        check_damaged(self, "osu_upcxx_", cases, lambda program, **how: run_upcxx(program, *QUICK, "-m", "4:8", **how))

    def test_wrong_elements_are_listed_by_the_rank_that_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            run_upcxx(BY_NAME["async_copy_put"], "-i2", "-m", "8:8", "-clog:wrong", environment={"SONDE_FAULT": "flipped"}, folder=folder)
            self.assertEqual(os.listdir(f"{folder}/wrong"), ["log-1.log"])
            lines = read(f"{folder}/wrong/log-1.log").splitlines()
            self.assertEqual(lines[0], "Size: 8, Iteration:0, Datatype: MPI_CHAR")
