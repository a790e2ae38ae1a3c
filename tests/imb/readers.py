# SPDX-License-Identifier: BSL-1.0
"""Regular expressions by which other projects read the output of IMB, each with the file that has it: they match ours.

All match each line from its beginning; PerfKitBenchmarker removes blanks at both ends first.
"""
import functools
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch  # noqa: E402

LAUNCHER, PROGRAMS = os.environ["IMB_MPI_RUN"], os.environ["IMB_PROGRAMS"]

RAMBLE = "GoogleCloudPlatform/ramble, applications/intel-mpi-benchmarks/application.py"
PERFKIT = "GoogleCloudPlatform/PerfKitBenchmarker, linux_packages/mpi.py"
EXCALIBUR = "ukri-excalibur/excalibur-tests, benchmarks/modules/imb.py"

COUNTS = r"^\s+(?P<bytes>\d+)\s+(?P<repetitions>\d+)"
FIGURE = r"\s+\d+\.\d+"

# Program and options, ranks; then the readers' expressions, each of which one line matches.
RUNS = [
    ("IMB-MPI1 PingPong -msglog 3:4 -iter 10", 2, [
        (RAMBLE, COUNTS + FIGURE * 2 + "$"), (RAMBLE, r".*?All processes entering MPI_Finalize"),
        (PERFKIT, r"^# Benchmarking (.*)"), (PERFKIT, r"# #processes = (?P<processes>\d+)"), (PERFKIT, r".*#repetitions.*usec"),
        (EXCALIBUR, r"^# Benchmarking PingPong"), (EXCALIBUR, r"^# #processes = 2\s*$")]),
    ("IMB-MPI1 Uniband -msglog 3:4 -iter 10 -npmin 2", 2, [  # a whole number of messages per second
        (EXCALIBUR, r"^# Benchmarking Uniband"), (EXCALIBUR, COUNTS + FIGURE + r"\s+\d+\s*$")]),
    ("IMB-MPI1 Allreduce Exchange -msglog 3:4 -iter 10 -npmin 2", 2, [
        (RAMBLE, COUNTS + FIGURE * 3 + "$"), (RAMBLE, COUNTS + FIGURE * 4 + "$")]),
    ("IMB-MPI1 PingPong -msglog 3:4 -iter 10 -multi 0 -map 2x2", 4, [
        (PERFKIT, r".*?(?P<groups>\d+) groups of (?P<processes>\d+) processes"), (PERFKIT, r"# Group\s+(\d+):\s+(.*)")]),
    ("IMB-RMA Unidir_put -msglog 3:4 -iter 10", 2, [(PERFKIT, r"#\s+MODE: (\S+)")]),
]


@functools.lru_cache(maxsize=None)
def measured(words, ranks):
    program, *options = words.split()
    return launch(LAUNCHER, os.path.join(PROGRAMS, program), *options, ranks=ranks)


def has_match(source, expression, lines):
    return any(re.match(expression, line.strip() if source == PERFKIT else line) for line in lines)


class Readers(unittest.TestCase):
    def test_expressions_of_other_projects_match(self):
        for words, ranks, expressions in RUNS:
            answer = measured(words, ranks)
            self.assertEqual(answer.codes, [0] * ranks, answer)
            for source, expression in expressions:
                with self.subTest(f"{words}: {expression}, of {source}"):
                    self.assertTrue(has_match(source, expression, answer.lines), answer.out)

    def test_the_lines_after_a_head_are_rows_up_to_an_empty_line(self):
        """excalibur-tests reads on from the number of processes: comments, the line of titles, rows, an empty line."""
        for (words, ranks, _), kinds in zip(RUNS, ((int, int, float, float), (int, int, float, int))):
            lines = iter(measured(words, ranks).lines)
            next(line for line in lines if line.startswith("# Benchmarking "))
            self.assertTrue(next(lines).startswith("# #processes = "))
            self.assertIn("#repetitions", next(line for line in lines if not line.startswith("#")))
            rows = []
            while (line := next(lines).strip()) != "":
                rows.append([kind(word) for kind, word in zip(kinds, line.split(), strict=True)])
            self.assertEqual([row[0] for row in rows], [0, 8, 16])
