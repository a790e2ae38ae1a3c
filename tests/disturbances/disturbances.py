#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What programs on two ranks print and report while they are disturbed: a stopped rank, a busy core, a killed rank, a
full disk, a closed pipe.

usage: disturbances.py MPI_RUN FOLDER_OF_PROGRAMS Results|Times
"""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from trials import holds

MPI_RUN = sys.argv.pop(1)
PROGRAMS = sys.argv.pop(1)
LIMIT = 40  # seconds of a program
# Two rows of 1 s, whatever a ping-pong takes, without a warm-up. Latency is half of a ping-pong. Sizes so large that
# nearly all of the time is in samples.
SIZES = [524288, 1048576]
ROWS = ["osu/osu_latency", "-m", "524288:1048576", "-x", "0", "-i", "100000000", "--budget", "1", "--honest"]
# A rank writes its process number, and a write beyond a file's limit fails without a signal.
RANK = "trap '' XFSZ; echo $$ > pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}.new; mv pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}.new " \
       "pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec \"$@\""
# 5 ms of every 100 on the processor of the argument.
BUSY = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
while True:
    begin = time.monotonic()
    while time.monotonic() < begin + 0.005: pass
    time.sleep(0.095)
"""


class Disturbed(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def start(self, program, *arguments, by=("sh", "-c", RANK, "sh"), **options):
        command = [MPI_RUN, "-t", str(LIMIT), "-n", "2", *by, f"{PROGRAMS}/{program}", *arguments]
        job = subprocess.Popen(command, cwd=self.folder, text=True, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options)
        self.addCleanup(lambda: (job.terminate(), job.communicate()) if job.returncode is None else None)
        return job

    def end(self, job):
        """The rest of the output, and stderr."""
        out, err = job.communicate(timeout=LIMIT + 20)
        self.assertNotIn("its limit", err)
        return out, err

    def read_to_row(self, job):
        """The lines to the first row. When they are returned, its record is reported, and the second row is measured."""
        lines = []
        while not lines or not lines[-1][:1].isdigit():
            lines.append(job.stdout.readline())
            if not lines[-1]:
                self.fail(f"no row:\n{''.join(lines)}\n{job.communicate()[1]}")
        deadline = time.monotonic() + LIMIT
        while len(self.report()) < 2 and time.monotonic() < deadline:  # an environment or a title, and a record
            time.sleep(0.01)
        time.sleep(0.2)
        return "".join(lines)

    def process(self, rank):
        with open(f"{self.folder}/pid.{rank}") as file:
            return int(file.read())

    def report(self):
        """The complete lines of the report."""
        with open(f"{self.folder}/report") as file:
            return [line for line in file if line.endswith("\n")]

    def records(self):
        return [record for record in map(json.loads, self.report()) if record["type"] == "record"]

    def rows(self, text):
        """{bytes: {title: figure}} of a table with a title above two or more blanks, as OMB aligns it."""
        title = next(line for line in text.splitlines() if line.startswith("# Size"))
        titles = re.split(r"\s{2,}", title[2:].strip())
        found = {}
        for line in text.splitlines():
            if line[:1].isdigit():
                self.assertEqual(len(line.split()), len(titles), line)
                found[int(line.split()[0])] = dict(zip(titles, line.split()))
        return found

    def assert_both_rows(self, text, records):
        """Both rows, with the same number of samples in table and report. The second one."""
        rows = self.rows(text)
        self.assertEqual((list(rows), [r["parameters"]["bytes"] for r in records]), (SIZES, SIZES))
        self.assertEqual([int(row["Samples"]) for row in rows.values()], [r["stop"]["samples"] for r in records])
        return rows[SIZES[1]]

class Results(Disturbed):
    def test_a_killed_rank_ends_the_job_with_what_was_measured(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                job = self.start(*ROWS, "--report", "json=report")
                begun = self.read_to_row(job)
                killed = time.monotonic()
                os.kill(self.process(rank), signal.SIGKILL)
                rest, _ = self.end(job)
                self.assertNotEqual(job.returncode, 0)
                self.assertLess(time.monotonic() - killed, 15)
                self.assertEqual(list(self.rows(begun + rest)), SIZES[:1])
                self.assertEqual([r["parameters"]["bytes"] for r in self.records()], SIZES[:1])

    def test_a_disk_that_is_full_in_the_middle_of_a_report_keeps_the_lines_before_and_the_table_and_the_status_says_it(self):
        for form in ("json", "csv"):
            with self.subTest(form):
                job = self.start("osu/osu_latency", "-m", "8:64", "-x", "0", "-i", "1000000", "--budget", "1", "--report", f"{form}=report")
                begun = self.read_to_row(job)
                before = self.report()
                # For this process alone the disk has no more room than for some bytes.
                resource.prlimit(self.process(0), resource.RLIMIT_FSIZE, 2 * (len("".join(before)) + 20,))
                rest, err = self.end(job)
                self.assertNotEqual(job.returncode, 0)
                self.assertIn(f"Cannot report [--report {form}=report]: File too large", err)
                self.assertEqual(self.report(), before)
                self.assertEqual(list(self.rows(begun + rest)), [8, 16, 32, 64])

    def test_an_output_that_cannot_be_written_ends_the_job_with_a_reason(self):
        # The launcher reads the output of ranks: each has a full disk of its own.
        particles = [("embed/particles", "--particles", "301", "--steps", "47")]  # needs Boost.MPI
        for program, *arguments in (("osu/osu_latency", "-m", "8", "-i", "10"), ("imb/IMB-MPI1", "PingPong", "-msglog", "3", "-iter", "10"),
                                    ("osu/osu_latency", "--help"), ("embed/heat", "--grid", "61x47", "--steps", "60"),
                                    ("embed/tasks", "--picture", "61x47", "--block", "20", "--limit", "500"),
                                    *(particles if os.path.exists(f"{PROGRAMS}/embed/particles") else [])):
            with self.subTest(program, arguments=arguments):
                job = self.start(program, *arguments, by=("sh", "-c", 'exec "$@" > /dev/full', "sh"))
                out, err = self.end(job)
                self.assertNotEqual(job.returncode, 0)
                self.assertEqual(out, "")
                self.assertRegex(err, "sonde: rank 0: cannot write .*: No space left on device")

    def test_a_reader_that_ends_after_one_line_loses_no_report_and_the_status_says_it(self):
        job = self.start(*ROWS, "--report", "json=report")
        head = subprocess.run(["head", "-n", "3"], stdin=job.stdout, capture_output=True, text=True, timeout=LIMIT)
        self.assertIn("# OSU MPI Latency Test", head.stdout)
        job.stdout.close()
        job.stdout = None
        self.assertIn("mpi_run: the output cannot be written\n", self.end(job)[1])
        self.assertNotEqual(job.returncode, 0)
        self.assertEqual([r["parameters"]["bytes"] for r in self.records()], SIZES)

    def test_a_launcher_whose_output_cannot_be_written_ends_with_a_line(self):
        for closed, said in ((">/dev/full", "cannot be written"), (">&-", "is closed")):
            with self.subTest(closed):
                command = [MPI_RUN, "-t", str(LIMIT), "-n", "2", f"{PROGRAMS}/osu/osu_latency", "-m", "8", "-i", "10"]
                job = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", *command], cwd=self.folder, capture_output=True,
                                     text=True, timeout=LIMIT + 20)
                self.assertIn(f"mpi_run: the output {said}\n", job.stderr)
                self.assertNotEqual(job.returncode, 0)


class Times(Disturbed):
    def row_with_a_stop(self, rank):
        """The second row, during which the rank stops for a second."""
        job = self.start(*ROWS, "--report", "json=report")
        begun = self.read_to_row(job)
        os.kill(self.process(rank), signal.SIGSTOP)
        time.sleep(1)
        os.kill(self.process(rank), signal.SIGCONT)
        rest, err = self.end(job)
        self.assertEqual((job.returncode, err), (0, ""))
        return self.assert_both_rows(begun + rest, self.records())

    def test_a_rank_that_stops_for_a_second_is_in_the_maximum_and_not_in_the_median(self):
        def trial(i):  # of both ranks by turns
            second = 1e6 / 2
            row = self.row_with_a_stop(i % 2)
            self.assertGreaterEqual(float(row["Max(us)"]), second)
            self.assertLess(float(row["Median(us)"]), 0.1 * second)
            self.assertGreater(int(row["Outliers"]), 0)
            # All of that second is in the mean.
            self.assertGreater(float(row["Slowest(us)"]) * int(row["Samples"]), second)

        holds(self, trial, 3, 4)  # a rank that stops between two samples is in none

    def test_a_core_that_is_busy_for_a_twentieth_is_in_the_outliers_and_not_in_the_median(self):
        holds(self, lambda _: self.beside_a_busy_core(), 2, 3)

    def beside_a_busy_core(self):
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            self.skipTest("takes two cores")
        pinned = 'exec taskset -c $(eval "set -- $CORES; shift ${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; echo \\$1") "$@"'
        busy = subprocess.Popen([sys.executable, "-c", BUSY, str(cores[0])])
        self.addCleanup(lambda: (busy.kill(), busy.wait()))
        job = self.start(*ROWS, "--report", "json=report", by=("sh", "-c", pinned, "sh"),
                         env=os.environ | {"CORES": f"{cores[0]} {cores[1]}"})
        out, err = self.end(job)
        self.assertEqual((job.returncode, err, busy.poll()), (0, "", None))
        row = self.assert_both_rows(out, self.records())
        self.assertGreater(float(row["Max(us)"]), 500 + float(row["Median(us)"]))
        self.assertGreater(int(row["Outliers"]), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
