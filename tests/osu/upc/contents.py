# SPDX-License-Identifier: BSL-1.0
"""Programs of UPC: contents that are right, wrong or missing."""
import os
import tempfile
import unittest

from driver import at_once, read
from library_checks import check_damaged, check_table
from upc.programs import BY_NAME, WITH_DATA, run_upc

QUICK = ("-c", "-u", "1", "-i", "3", "-x", "1")


class Contents(unittest.TestCase):
    def test_every_program_delivers_its_data(self):
        cases = [(p, 3 if p.collective else 4) for p in WITH_DATA]
        for (program, ranks), answer in at_once(lambda c: run_upc(c[0], *QUICK, "-m", "4:8", ranks=c[1]), cases):
            with self.subTest(f"{program.name} {ranks}"):
                check_table(self, "UPC", program, answer, (4, 8), (program.good,))

    def test_large_blocks_are_compared(self):
        row, = run_upc(BY_NAME["all_exchange"], *QUICK, "-m", "65536:65536", ranks=4).rows
        self.assertEqual(row[-1], "Pass")


class Faults(unittest.TestCase):
    def test_a_wrong_bit_and_a_lost_operation_are_found(self):
        cases = [(BY_NAME[name], how) for name in ("memput", "memget", "all_gather", "all_reduce") for how in ("flipped", "lost")]
        check_damaged(self, "osu_upc_", cases, lambda program, **how: run_upc(program, *QUICK, "-m", "4:4", **how))

    def test_wrong_elements_are_listed_by_the_rank_that_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            run_upc(BY_NAME["memput"], "-i2", "-m", "4:4", "-clog:wrong", environment={"SONDE_FAULT": "flipped"}, folder=folder)
            self.assertEqual(os.listdir(f"{folder}/wrong"), ["log-1.log"])
            self.assertEqual(read(f"{folder}/wrong/log-1.log").splitlines()[0], "Size: 4, Iteration:0, Datatype: MPI_CHAR")
