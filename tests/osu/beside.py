# SPDX-License-Identifier: BSL-1.0
"""Rows of --beside: the exchange alone and beside a load of the other ranks, which ends with the program."""
import csv
import os
import tempfile
import unittest

from driver import run, title_line

QUICK = ("-i", "12", "-x", "2", "-m", "4:8")
SLOWDOWNS = ("Slowdown", "95% Low", "95% High", "P99 Slowdown", "P99 95% Low", "P99 95% High")


def columns(value, unit):
    times = (f"{figure} {where}({unit})" for where in ("alone", "beside") for figure in ("P50", "P99"))
    return (value, *times, *SLOWDOWNS, "Load(MB/s)", "Beside(MB/s)")


class Beside(unittest.TestCase):
    def test_the_columns_of_rows_and_the_load_s_bytes(self):
        all_to_all, incast = ("alltoall", "alltoall of 65536 bytes"), ("incast:100", "incast of 100 bytes")
        for name, value, unit, (load, text) in (("latency", "Avg Latency(us)", "us", all_to_all), ("bw", "Bandwidth (MB/s)", "MB/s", incast),
                                                ("bibw_persistent", "Bandwidth (MB/s)", "MB/s", all_to_all),
                                                ("latency_persistent", "Avg Latency(us)", "us", incast)):
            with self.subTest(name, load=load):
                answer = run(f"osu_{name}", *QUICK, "-c", "--beside", load, ranks=4)
                self.assertEqual((answer.codes, answer.err), ([0] * 4, ""))
                all_columns = columns(value, unit)
                self.assertEqual(answer.lines[2:5], [f"# Beside: {text}.", "# Datatype: MPI_CHAR.",
                                                     title_line((all_columns[0], "Validation", *all_columns[1:]))])
                for row in answer.rows:
                    self.assertEqual((row[2], row[4], row[6], *row[10:13]), ("Pass", *"-----"), row) # too few for P99
                    self.assertTrue(all(float(row[at]) > 0 for at in (1, 3, 5, 7, 13, 14)), row)
                    if row[8] != "-": # rounds are not too correlated
                        self.assertLessEqual(float(row[8]), float(row[7]))
                        self.assertLessEqual(float(row[7]), float(row[9]))

    def test_without_it_other_ranks_are_refused_and_with_it_too_few(self):
        for ranks, words, why in ((4, (), "exactly two processes"), (3, ("--beside", "incast"), "at least four processes with --beside")):
            answer = run("osu_latency", *QUICK, *words, ranks=ranks)
            self.assertEqual((answer.codes, answer.lines), ([1] * ranks, []))
            self.assertIn(why, answer.err)

    def test_a_refusal_of_the_two_ranks_ends_all(self):
        answer = run("osu_latency", *QUICK, "--beside", "incast", "--report", "csv=/nowhere/a", ranks=4)
        self.assertEqual((answer.codes, answer.lines, answer.err.count("\n")), ([1] * 4, [], 1), answer)

    def test_a_row_ends_by_precision_and_records_tell_alone_from_beside(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = run("osu_latency", "-m", "8:8", "--until", "20", "--beside", "incast:1000", "--report", "csv=a", ranks=4, folder=folder)
            self.assertEqual(answer.codes, [0] * 4, answer)
            with open(os.path.join(folder, "a"), newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual([row["beside"] for row in rows], ["nothing", "incast of 1000 bytes"])
        self.assertEqual({row["ranks"] for row in rows}, {"2"})
