# SPDX-License-Identifier: BSL-1.0
"""File errors on one rank: the program ends with a message on all ranks, and leaves no file."""
import os
import tempfile
import unittest

from programs import run, tables

SHIM = os.environ["IMB_IO_FAULT_SHIM"]


class Failures(unittest.TestCase):
    def fails(self, test, call, *more, rank=1, at=1, ranks=2):
        """Makes the n-th call fail on a rank; returns the program's output."""
        with tempfile.TemporaryDirectory() as folder:
            answer = run("IMB-IO", test, "-npmin", "2", "-iter", "2", "-iter_policy", "off", "-msglog", "4:5",
                         "-dir", folder, *more, ranks=ranks,
                         environment={"LD_PRELOAD": SHIM, "SONDE_IO_FAULT": f"{call} {rank} {at}"})
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual(answer.codes, [1] * ranks)
        about = [line for line in answer.err.split("\n") if call in line]
        self.assertEqual(len(about), 1, answer.err)
        self.assertRegex(about[0], "IMB_out.*: " + call + ": ")
        return [[row[:2] for row in table.rows] for table in tables(answer)]

    def test_a_write(self):
        # sizes 0, 16 and 32 bytes, 2 repetitions each: 4 calls per size, 2 of them for the estimate
        self.assertEqual(self.fails("P_Write_Priv", "MPI_File_write", at=7), [[["0", "2"]]])

    def test_a_write_that_does_not_begin(self):
        self.assertEqual(self.fails("P_IWrite_Expl", "MPI_File_iwrite_at", at=7), [[["0", "2"]]])

    def test_a_collective_write_that_does_not_begin(self):
        self.assertEqual(self.fails("C_IWrite_Indv", "MPI_File_write_all_begin", rank=0, at=7), [[["0", "2"]]])

    def test_an_open(self):
        self.assertEqual(self.fails("P_Write_Expl", "MPI_File_open", at=2), [[["0", "2"]]])

    def test_an_open_of_one_group_again_while_others_wait(self):
        shown = self.fails("P_IWrite_Expl", "MPI_File_open", "-multi", "1", rank=2, at=6, ranks=4)
        self.assertEqual([[row[1] for row in table] for table in shown], [["0", "0"]])
