# SPDX-License-Identifier: BSL-1.0
"""IMB-HALO: lines, grids, threads and MPI calls."""
import csv
import os
import re
import tempfile
import unittest

from counts import counted
from programs import read, run

FEW = ("-repeat", "4", "-warmup", "1")
HEAD = r"# Benchmarking simple_halo \(processes: (\d+); threads: (\d+); dimensions: (\d+)\)"
FIGURE = r"[0-9.]+(?:e[+-]\d+)?"


class Halo(unittest.TestCase):
    def sizes(self, answer, ranks, head):
        """Bytes and messages of the lines, which must have IMB's format."""
        self.assertEqual((answer.codes, answer.err), ([0] * ranks, ""))
        lines = answer.out.split("\n")
        self.assertEqual((lines[0], lines[-1]), ("", ""))
        self.assertEqual(re.fullmatch(HEAD, lines[1]).groups(), head)
        found = [re.fullmatch(rf"(\d+)\(x(\d+)\)\(bytes\) ({FIGURE})\(usec\) ({FIGURE})\(Mb/s\)", line) for line in lines[2:-1]]
        for bytes_, messages, time, bandwidth in (m.groups() for m in found):
            self.assertAlmostEqual(float(bandwidth) * float(time) / (int(bytes_) * int(messages)), 1, delta=1e-4)
        return [m.groups()[:2] for m in found]

    def test_is_a_ring_of_all_ranks_by_default(self):
        self.assertEqual(self.sizes(run("IMB-HALO", *FEW, ranks=3), 3, ("3", "1", "1")),
                         [("4", "4"), ("8", "4"), ("16", "4"), ("32", "4")])

    def test_has_two_messages_both_ways_in_each_dimension(self):
        self.assertEqual(self.sizes(run("IMB-HALO", *FEW, "-topo", "1.1", "-count", "3", ranks=4), 4, ("4", "1", "2")), [("12", "8")])
        self.assertEqual(self.sizes(run("IMB-HALO", *FEW, "-topo", "2.1", "-datatype", "char", "-count", "3,5000000", ranks=2), 2,
                                    ("2", "1", "2")), [("3", "4"), ("5000000", "4")])

    def test_leaves_ranks_idle_that_the_grid_has_no_place_for(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = run("IMB-HALO", *FEW, "-topo", "2.1", "-count", "1", "-report", "csv=rows", ranks=3, folder=folder)
            self.assertEqual(self.sizes(answer, 3, ("2", "1", "2")), [("4", "4")])
            rows = list(csv.DictReader(read(os.path.join(folder, "rows")).splitlines()))
        self.assertEqual([(r["ranks"], r["initiators"]) for r in rows], [("3", "2")])

    def test_shares_the_elements_among_the_threads(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = run("IMB-HALO", *FEW, "-topo", "2", "-thread_level", "multiple", "-count", "1,7", "-report", "csv=rows",
                         folder=folder, environment={"OMP_NUM_THREADS": "2"})
            self.assertEqual(self.sizes(answer, 2, ("2", "1", "1")), [("4", "4"), ("28", "4")])
            rows = list(csv.DictReader(read(os.path.join(folder, "rows")).splitlines()))
        self.assertEqual([(r["bytes"], r["threads"], r["initiators"], r["total_bytes"]) for r in rows],
                         [("4", "1", "2", "16"), ("28", "2", "4", "112")])


class Calls(unittest.TestCase):
    def test_are_those_of_the_suite(self):
        calls = ("MPI_Isend:MPI_INT", "MPI_Irecv:MPI_INT", "MPI_Waitall")
        for topology, ranks, active, dimensions in (("2.2", 4, 4, 2), ("2.1", 3, 2, 1)):
            for rank in range(ranks):
                _, found = counted("IMB-HALO", "-topo", topology, "-count", "1,8", "-repeat", "10", "-warmup", "3", ranks=ranks,
                                   rank=rank)
                iterations = 2 * 13 if rank < active else 0     # of two sizes
                with self.subTest(topology=topology, rank=rank):
                    self.assertEqual([found.get(call, 0) for call in calls],
                                     [2 * dimensions * iterations] * 2 + [iterations])
                    self.assertEqual(found.get("MPI_Barrier"), 1)       # at the start
