# SPDX-License-Identifier: BSL-1.0
"""Sonde's full records in files, pictures, and the files of a killed run."""
import csv
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import unittest

from driver import LAUNCHER, PROGRAMS, read, run, wait_for

QUICK = ("-i", "8", "-x", "1")


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Reports(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def test_three_files_hold_the_records_of_one_run(self):
        answer = run("osu_latency", *QUICK, "-m", "2:4", "-c", "--report", "json=a", "--report=csv=b", "--report", "table=c",
                     folder=self.folder)
        self.assertEqual(answer.codes, [0, 0], answer)
        where, *records = json_lines(read(f"{self.folder}/a"))
        self.assertEqual((where["type"], where["ranks_per_host"]), ("environment", [2]))
        self.assertIn("osu_latency -i 8 -x 1 -m 2:4 -c", where["command_line"])
        self.assertEqual([r["parameters"]["bytes"] for r in records], [2, 4])
        for r, row in zip(records, answer.rows):
            self.assertEqual((r["name"], r["errors"], r["stop"]["samples"], len(r["series_seconds"])), ("osu_latency", 0, 8, 8))
            self.assertEqual(f"{r['over_ranks_seconds']['mean'] * 1e6 / 2:.2f}", row[1])
        with open(f"{self.folder}/b", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(r["rank_mean_seconds"]) for r in rows], [r["over_ranks_seconds"]["mean"] for r in records])
        lines = read(f"{self.folder}/c").splitlines()
        self.assertIn("median us", lines[0])
        self.assertEqual(sum(line.startswith("osu_latency") for line in lines), 2)

    def test_gauges_for_monitoring_replace_the_file_at_the_end(self):
        with open(f"{self.folder}/a.prom", "w") as before:
            before.write("old")
        answer = run("osu_latency", *QUICK, "-m", "2:4", "-c", "--report", "openmetrics=a.prom", "--report", "json=a", folder=self.folder)
        self.assertEqual(answer.codes, [0, 0], answer)
        where, *records = json_lines(read(f"{self.folder}/a"))
        lines = read(f"{self.folder}/a.prom").splitlines()
        self.assertEqual([line for line in lines if line.startswith("sonde_errors")],
                         [f'sonde_errors{{test="osu_latency",ranks="2",library="{lib}",bytes="{n}",datatype="MPI_CHAR",buffers="single"}} 0'
                          for lib in [re.sub(r"\s+", " ", re.split("[,\n]", where["communication_library"])[0])] for n in (2, 4)])
        self.assertEqual([float(line.split()[-1]) for line in lines if line.startswith("sonde_median_seconds")],
                         [statistics.median(r["series_seconds"]) for r in records])
        self.assertEqual(lines[-1], "# EOF")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "a.prom"])

    def test_a_report_that_cannot_be_written_at_the_end_is_a_line_and_status_1(self):
        answer = run("osu_latency", *QUICK, "-m", "2:4", "--report", "html=/dev/full", folder=self.folder)
        self.assertEqual(answer.codes, [1, 1], answer)
        self.assertEqual(answer.err, "Cannot report [--report html=/dev/full]: No space left on device; "
                         "accepted: a file that can be written\n")
        self.assertEqual(len(answer.rows), 2)

    def test_a_picture_that_cannot_be_drawn_at_the_end_is_a_line_and_status_1(self):
        with open(f"{self.folder}/gnuplot", "w") as once: # starts, and draws nothing
            once.write("#!/bin/sh\nif grep -q plot; then exit 3; fi\n")
        os.chmod(f"{self.folder}/gnuplot", 0o755)
        with open(f"{self.folder}/a.svg", "w") as before:
            before.write("a good picture")
        answer = run("osu_latency", *QUICK, "-m", "2:4", "--report", "plot=a.svg", folder=self.folder,
                     environment={"PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(answer.codes, [1, 1], answer)
        self.assertEqual(answer.err, "Cannot report [--report plot=a.svg]: gnuplot failed\n")
        self.assertEqual(read(f"{self.folder}/a.svg"), "a good picture")

    def test_a_page_has_a_row_for_every_size(self):
        answer = run("osu_latency", *QUICK, "-m", "2:64", "--report", "html=a.html", folder=self.folder)
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
        page = read(f"{self.folder}/a.html")
        self.assertEqual(page.count("<tr><td"), 6)
        for text in ("<h2>osu_latency</h2>", "<h3>Ranks</h3>", "<dt>bytes</dt><dd>2, 4, 8, 16, 32, 64</dd>", "html=a.html</code>", "</html>"):
            self.assertIn(text, page)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_one_picture_has_all_sizes(self):
        answer = run("osu_latency", *QUICK, "-m", "2:2048", "--report", "plot=a.svg", folder=self.folder)
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""))
        picture = read(f"{self.folder}/a.svg")
        for text in ("osu_latency", "latency (us)", "bandwidth (MB/s)", "median, 95 % interval", ">1 KiB<", "</svg>"):
            self.assertIn(text, picture)

    def test_a_record_distinguishes_types_windows_and_buffers(self):
        run("osu_mbw_mr", *QUICK, "-m", "4:4", "-T", "all", "-V", "-b", "multiple", "--report", "json=a", folder=self.folder)
        found = [r["parameters"] for r in json_lines(read(f"{self.folder}/a"))[1:]]
        expected = [{"bytes": 4, "datatype": t, "window": 2 ** k, "buffers": "multiple"}
                    for t in ("MPI_CHAR", "MPI_INT", "MPI_FLOAT") for k in range(8)]
        self.assertEqual(found, expected)

    def test_the_printed_bandwidth_is_that_of_the_record(self):
        rows = run("osu_mbw_mr", *QUICK, "-m", "1024:1024", "--report", "json=a", ranks=4, folder=self.folder).rows
        r = json_lines(read(f"{self.folder}/a"))[1]
        self.assertEqual((r["initiators"], r["total"]), (2, {"bytes": 2.0 * 64 * 1024, "messages": 128.0, "hops": 1.0, "bus_factor": 1.0}))
        self.assertEqual(rows[0][1], f"{r['total']['bytes'] / r['over_ranks_seconds']['mean'] / 1e6:.2f}")

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_graphs_are_drawn_as_text_and_into_files(self):
        answer = run("osu_bw", *QUICK, "-m", "2", "-G", "tty,png,pdf", folder=self.folder)
        self.assertEqual(answer.codes, [0, 0], answer)
        self.assertEqual(len(answer.rows), 2)
        self.assertIn("bandwidth (MB/s)", answer.out)
        self.assertEqual(sorted(os.listdir(self.folder)), ["osu_bw-1.png", "osu_bw-2.png", "osu_bw-sizes.pdf", "osu_bw-sizes.png", "osu_bw.pdf"])
        for name, magic in (("osu_bw-1.png", b"\x89PNG"), ("osu_bw.pdf", b"%PDF"), ("osu_bw-sizes.png", b"\x89PNG"),
                            ("osu_bw-sizes.pdf", b"%PDF")):
            with open(f"{self.folder}/{name}", "rb") as file:
                self.assertEqual(file.read(4), magic)

    def test_a_killed_run_leaves_complete_lines(self):
        with open(f"{self.folder}/out", "w") as out:
            command = [LAUNCHER, "-t", "60", "-n", "2", f"{PROGRAMS}/osu_latency", "-i", "500", "--report", f"json={self.folder}/a",
                       "-m", "1:67108864"]
            run_ = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
            self.addCleanup(run_.kill)
            self.assertTrue(wait_for(lambda: read(f"{self.folder}/out").count("\n") > 6))
            run_.send_signal(signal.SIGTERM)
            self.assertNotEqual(run_.wait(30), 0)
        lines = read(f"{self.folder}/out")
        self.assertEqual(lines[-1], "\n")
        rows = [line for line in lines.splitlines() if line[:1].isdigit()]
        records = json_lines(read(f"{self.folder}/a"))[1:]
        self.assertTrue(rows and all(len(row) == 28 for row in rows))
        # The killed launcher may have kept rows back; a record is written after its row.
        self.assertGreaterEqual(len(records) + 1, len(rows))
