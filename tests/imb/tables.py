# SPDX-License-Identifier: BSL-1.0
"""Every benchmark of every program: numbers of processes, modes, columns, sizes, repetitions, and contents."""
import os
import re
import tempfile
import unittest

from programs import COLUMNS, SUITE, THERE, run, series, tables

SMALL = ("-iter", "3,1,2", "-msglog", "3:4", "-time", "9", "-check", "on")
SMALLER = ("-iter", "1,1,1", "-msglog", "3:3", "-time", "9", "-check", "on")   # of IO, whose work takes 10 ms each time
SIZES = ["0", "8", "16"]
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None      # a disk would be waited for


def expected(benchmarks, ranks, least):
    return [(b.name, n, mode) for b in benchmarks for n in series(b.processes, ranks, least) for mode in b.modes]


class EveryBenchmark(unittest.TestCase):
    def check(self, name, ranks):
        """All benchmarks: those that do not run by default are included, before the default list in the suite's order."""
        more = [b for b in SUITE[name] if not b.default]
        benchmarks = more + [b for b in SUITE[name] if b.default]
        included = ("-include", ",".join(b.name for b in more)) if more else ()
        small = SMALLER if name == "IMB-IO" else SMALL
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            answer = run(name, *small, *included, ranks=ranks, folder=folder)
        self.assertEqual((answer.codes, answer.err), ([0] * ranks, ""))
        found = tables(answer)
        self.assertEqual([(t.benchmark, t.processes, t.mode) for t in found],
                         expected(benchmarks, ranks, 1 if name == "IMB-IO" else 2))
        layouts = {b.name: b for b in benchmarks}
        for table in found:
            with self.subTest(benchmark=table.benchmark, processes=table.processes, mode=table.mode):
                self.check_table(layouts[table.benchmark], table)
        self.assertEqual(answer.lines[-4:], ["", "", "# All processes entering MPI_Finalize", ""])

    def check_table(self, of, table):
        checked = of.layout not in ("sync", "sync overlap") and of.name != "Window"
        self.assertEqual(table.titles, COLUMNS[of.layout] + ["defects"] * checked)
        if of.layout.startswith("sync"):
            self.assertEqual(len(table.rows), 1)
            return
        sizes = ["4"] if of.sizes == 1 else SIZES[:2] if of in SUITE["IMB-IO"] else SIZES
        self.assertEqual([row[0] for row in table.rows], sizes)
        self.assertLessEqual({row[1] for row in table.rows}, set("123"))
        if checked:
            self.assertEqual({row[-1] for row in table.rows}, {"0.00"})


def each_program(name, ranks):
    return lambda self: self.check(name, ranks)


for program in THERE:
    for n in (2, 3, 4):
        setattr(EveryBenchmark, f"test_{program}_on_{n}_ranks", each_program(program, n))


class TheDefaultList(unittest.TestCase):
    def test_equals_the_suites(self):
        for name in THERE:
            listed = run(name, "-list", ranks=1).out
            found = re.findall(r"^    (\w+)( \(non-default\))?$", listed, re.MULTILINE)
            with self.subTest(program=name):
                self.assertEqual(sorted(found), sorted((b.name, "" if b.default else " (non-default)") for b in SUITE[name]))
