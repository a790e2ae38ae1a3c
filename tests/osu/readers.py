# SPDX-License-Identifier: BSL-1.0
"""Regular expressions by which other projects read the output of OMB, each with the file that has it: they match ours.

ReFrame searches in all lines (re.MULTILINE); Ramble and PerfKitBenchmarker match each line from its beginning, Ramble without
its line feed; excalibur-tests knows titles and converts the words of rows.
"""
import re
import unittest

from driver import run

REFRAME = "reframe-hpc/reframe, hpctestlib/microbenchmarks/mpi/osu.py; EESSI/test-suite has a copy"
REFRAME_TUTORIAL = "reframe-hpc/reframe, examples/tutorial/mpi/osu.py"
RAMBLE = "GoogleCloudPlatform/ramble, applications/osu-micro-benchmarks/application.py"
PERFKIT = "GoogleCloudPlatform/PerfKitBenchmarker, linux_packages/omb.py"
EXCALIBUR = "ukri-excalibur/excalibur-tests, benchmarks/modules/omb.py"

NUMBER = r"[0-9\.]+"
RAMBLE_VERSION = r"# OSU.*Test (?P<ver>v[0-9\.]+)"
RAMBLE_SIZE = r"(?P<msg_size>[0-9.]+)+\s+(?P<fom>[0-9.]+)"


def ramble_row(columns):
    """Of a size and so many figures."""
    return r"\s*[0-9]+" + rf"\s+{NUMBER}" * columns + r"\s*$"


def perfkit_row(columns):
    """The numbers that it expects in each line that is neither empty nor a comment nor has the word Overall."""
    return "COLUMNS", columns


# Program, options, ranks; then the readers' expressions, each of which one line matches.
RUNS = [
    ("osu_latency", "-m 8 -x 10 -i 10 -c", 2, [
        (REFRAME, r"^8.*Pass"), (REFRAME, r"^8\s+(\S+)"), (EXCALIBUR, r"^# OSU MPI Latency Test v\S+$")]),
    ("osu_latency", "-m 8 -x 3 -i 10", 2, [
        (REFRAME_TUTORIAL, r"^8"), (REFRAME_TUTORIAL, r"^8\s+(\S+)"), (PERFKIT, perfkit_row(2)),
        (PERFKIT, r"^(?P<size>\d+)\s+(?P<value>[\d\.]+)\s*$"),
        (RAMBLE, r"#\s+Size\s+Avg Latency\(us\)\s*$"), (RAMBLE, ramble_row(1))]),
    ("osu_bw", "-m 64:64 -i 4 -x 1 -z", 2, [
        (RAMBLE, r"# Size\s+Bandwidth \(MB/s\) P50 Tail BW\(MB/s\) P90 Tail BW\(MB/s\) P99 Tail BW\(MB/s\)\s*$"),
        (RAMBLE, ramble_row(4)), (EXCALIBUR, r"^# OSU MPI Bandwidth Test v\S+$")]),
    ("osu_mbw_mr", "-m 64:64 -i 4 -x 1", 2, [
        (EXCALIBUR, r"^# OSU MPI Multiple Bandwidth / Message Rate Test v\S+$"),
        (PERFKIT, r"# \[ pairs: (?P<pairs>\d+) \] \[ window size: (?P<window_size>\d+) \]"), (PERFKIT, perfkit_row(3)),
        (RAMBLE, r"# Size\s+MB/s\s+Messages/s\s*$"), (RAMBLE, ramble_row(2))]),
    ("osu_allreduce", "-m 8:8 -i 10 -x 1 -z", 2, [
        (EXCALIBUR, r"^# OSU MPI Allreduce Latency Test v\S+$"), (RAMBLE, RAMBLE_VERSION), (RAMBLE, RAMBLE_SIZE),
        (RAMBLE, r"# Datatype: (?P<type>\S+)\."),
        (RAMBLE, r"# Size\s+Avg Latency\(us\)\s+P50 Tail Lat\(us\)\s+P90 Tail Lat\(us\)\s+P99 Tail Lat\(us\)$"),
        (RAMBLE, ramble_row(4))]),
    ("osu_alltoall", "-m 8:8 -i 10 -x 1 -f", 2, [
        (EXCALIBUR, r"^# OSU MPI All-to-All Personalized Exchange Latency Test v\S+$"), (PERFKIT, perfkit_row(5))]),
    ("osu_iallreduce", "-m 8:8 -i 10 -x 1", 2, [
        (RAMBLE, r"#\s+Size\s+Overall\(us\)\s+Compute\(us\)\s+Pure Comm\.\(us\)\s+Overlap\(%\)\s*$"), (RAMBLE, ramble_row(4)),
        (PERFKIT, r"^(?P<size>^\d+)\s+(?P<value>[\d\.]+)\s+(?P<compute>[\d\.]+)\s+(?P<comm>[\d\.]+)\s+(?P<overlap>[\d\.]+)\s*$")]),
    ("osu_barrier", "-i 10 -x 1", 2, [(RAMBLE, r"# Avg Latency\(us\)\s*$"), (RAMBLE, rf"\s*(?P<avg_lat>{NUMBER})\s*$")]),
    ("osu_put_latency", "-m 8:8 -i 10 -x 1", 2, [
        (RAMBLE, r"#\s+Size\s+Latency \(us\)\s*$"), (PERFKIT, r"^# Window creation: (?P<window_creation>.*)"), (PERFKIT, r"^# Synchronization: (?P<sync>.*)"),
        (PERFKIT, perfkit_row(2))]),
    ("osu_latency_mt", "-m 8:8 -i 10 -x 1 -t 2:2", 2, [
        (PERFKIT, r"^# Number of Sender threads: (?P<sender_threads>\d+)"),
        (PERFKIT, r"^# Number of Receiver threads: (?P<receiver_threads>\d+)")]),
    ("osu_init", "", 2, [
        (RAMBLE, rf"nprocs: (?P<nprocs>[0-9]+), min: (?P<min>{NUMBER}) ms, max: (?P<max>{NUMBER}) ms, avg: (?P<avg>{NUMBER}) ms")]),
    ("osu_hello", "", 2, [(RAMBLE, r"This is a test with (?P<nprocs>[0-9]+) processes")]),
]


def lines_of_numbers(lines):
    return [line.split() for line in lines if line and not line.startswith("#") and "Overall" not in line]


def has_match(source, expression, lines):
    if expression[0] == "COLUMNS":
        rows = lines_of_numbers(lines)
        return rows and all(len(row) == expression[1] and all(map(float, row)) for row in rows)
    if source.startswith("reframe-hpc"):
        return re.search(expression, "\n".join(lines), re.MULTILINE)
    return any(re.match(expression, line) for line in lines)


class Readers(unittest.TestCase):
    def test_expressions_of_other_projects_match(self):
        for program, options, ranks, expressions in RUNS:
            answer = run(program, *options.split(), ranks=ranks)
            self.assertEqual(answer.codes, [0] * ranks, answer)
            for source, expression in expressions:
                with self.subTest(f"{program} {options}: {expression}, of {source}"):
                    self.assertTrue(has_match(source, expression, answer.lines), answer.out)

    def test_an_expression_that_no_line_matches_is_seen(self):
        lines = ["# OSU MPI Latency Test v7.4", "8  1.00"]
        self.assertFalse(has_match(REFRAME, r"^8.*Pass", lines))
        self.assertFalse(has_match(RAMBLE, r"OSU", lines))
        self.assertFalse(has_match(PERFKIT, perfkit_row(3), lines))
        self.assertFalse(has_match(PERFKIT, perfkit_row(2), []))
