# SPDX-License-Identifier: BSL-1.0
"""Programs of OpenSHMEM: contents that are right, wrong or missing."""
import os
import tempfile
import unittest

from driver import at_once, read
from openshmem.programs import ALL, BY_NAME, ROWS_OF_ATOMICS, SHIM, run_oshm

QUICK = ("-c", "-u", "1", "-i", "3", "-x", "1")
CHECKED = [p for p in ALL if p.faults]


def given(program):
    return QUICK if program.name == "atomics" else (*QUICK, "-m", "4:8")


def outcomes(program):
    return ("Pass", "Fail") if program.collective else ("passed", "failed")


class Contents(unittest.TestCase):
    def test_every_program_delivers_its_data(self):
        cases = [(p, ranks) for p in CHECKED for ranks in ((2,) if p.ranks == 2 else (2, 4))]
        for (program, ranks), answer in at_once(lambda c: run_oshm(c[0], *given(c[0]), ranks=c[1]), cases):
            with self.subTest(f"{program.name} {ranks}"):
                self.assertEqual(answer.codes, [0] * ranks, answer)
                if program.name == "atomics":
                    found = [line.split()[-1] for line in answer.lines if line.startswith("shmem_")]
                    self.assertEqual(len(found), len(ROWS_OF_ATOMICS))
                    self.assertLessEqual(set(found), {"passed", "-"})
                    self.assertLessEqual(found.count("-"), 1)
                else:
                    self.assertEqual([(r[0], r[-1]) for r in answer.rows], [(s, outcomes(program)[0]) for s in ("4", "8")], answer)

    def test_large_blocks_of_all_elements_are_compared(self):
        for program in (BY_NAME["reduce"], BY_NAME["get_mr_nb"]):
            row, = run_oshm(program, *QUICK, "-m", "65536:65536").rows
            self.assertEqual(row[-1], outcomes(program)[0])


class Faults(unittest.TestCase):
    def test_every_program_finds_a_wrong_bit_and_a_lost_operation(self):
        cases = [(p, how) for p in CHECKED for how in p.faults]

        def damaged(case):
            return run_oshm(case[0], *given(case[0]), environment={"LD_PRELOAD": SHIM, "SONDE_FAULT": case[1]})

        for (program, how), answer in at_once(damaged, cases):
            with self.subTest(f"{program.name} {how}"):
                self.assertEqual(answer.codes, [1] * program.ranks, answer)
                row, last = answer.lines[-2:]
                self.assertEqual(row.split()[-1], outcomes(program)[1])
                self.assertRegex(last, rf"^DATA VALIDATION ERROR: \S*osu_oshm_{program.name} exited with status 1 on message size ")

    def test_wrong_elements_are_listed_by_the_pe_that_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {"LD_PRELOAD": SHIM, "SONDE_FAULT": "sent"}
            run_oshm(BY_NAME["put"], "-i2", "-m", "8:8", "-clog:wrong", environment=environment, folder=folder)
            self.assertEqual(os.listdir(f"{folder}/wrong"), ["log-1.log"])
            lines = read(f"{folder}/wrong/log-1.log").splitlines()
            self.assertEqual((len(lines), lines[0]), (6, "Size: 8, Iteration:0, Datatype: MPI_CHAR"))

    def test_without_validation_errors_are_not_reported(self):
        answer = run_oshm(BY_NAME["put"], "-i2", "-m", "1:1", environment={"LD_PRELOAD": SHIM, "SONDE_FAULT": "lost"})
        self.assertEqual((answer.codes, len(answer.rows[0])), ([0, 0], 2))
