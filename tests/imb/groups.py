# SPDX-License-Identifier: BSL-1.0
"""Groups that run at the same time: their tables, and their records in a report."""
import json
import os
import shutil
import tempfile
import unittest

from programs import read, run, tables


class Groups(unittest.TestCase):
    SMALL = ("-iter", "20", "-msglog", "3:4", "-time", "1")

    def test_of_multi_1_have_a_line_each_and_a_record_each(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "records.json")
            picture = os.path.join(folder, "picture.svg")
            drawn = ("-report", "plot=" + picture) if shutil.which("gnuplot") else ()
            answer = run("IMB-MPI1", "PingPong", "-multi", "1", *self.SMALL, "-report", "json=" + path, *drawn, ranks=4)
            records = [json.loads(line) for line in read(path).splitlines()]
            if drawn:
                self.check_picture(read(picture))
        table = tables(answer)[0]
        self.assertIn("# Benchmarking Multi-PingPong ", answer.lines)
        self.assertIn("# ( 2 groups of 2 processes each running simultaneous ) ", answer.lines)
        self.assertEqual(table.titles, ["Group", "#bytes", "#repetitions", "t[usec]", "Mbytes/sec"])
        self.assertEqual([row[:3] for row in table.rows], [[g, s, "20"] for s in ("0", "8", "16") for g in ("0", "1")])
        times = [float(row[3]) for row in table.rows]
        self.check_records([r for r in records if r["type"] == "record"], times)

    def check_picture(self, picture):
        for text in ("PingPong", "group=0", "group=1", "latency (us)", "bandwidth (MB/s)", "without 0"):
            self.assertIn(text, picture)
        for text in ("mode=", "part="):
            self.assertNotIn(text, picture)

    def test_a_page_omits_constant_parameters_and_an_unwritable_path_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            answer = run("IMB-MPI1", "PingPong", *self.SMALL, "--report", "html=" + path)
            page = read(path)
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
        self.assertIn("in all rows processes 2, repetitions 20</caption>", page)
        for text in ("group", "mode", "pure", "P99"):
            self.assertNotIn(text, page[page.index("<section>"):page.index("<h2>Environment")])
        answer = run("IMB-MPI1", "PingPong", *self.SMALL, "-report", "html=/dev/full")
        self.assertEqual((answer.codes, answer.err), ([1, 1], "Cannot report [-report html=/dev/full]: No space left on "
                                                     "device; accepted: a file that can be written\n"))

    def check_records(self, records, times):
        places = [[r["parameters"][key] for key in ("bytes", "group")] for r in records]
        self.assertEqual(places, [[s, g] for s in (0, 8, 16) for g in (0, 1)])
        for record, printed in zip(records, times):
            self.assertEqual(record["batch"], 20)
            self.assertAlmostEqual(record["over_ranks_seconds"]["max"] * 1e6 / 2, printed, delta=0.006)
