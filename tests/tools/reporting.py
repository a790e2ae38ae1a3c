#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Reports and exit status of sonde-report for files of JSON Lines."""
import json
import shutil
import unittest

from driver import InFolder, record, tool


def comparison(*records, gain=0.0):
    return {"type": "comparison", "criterion": {"gain": gain, "confidence": 0.95}, "alternatives": [{"record": r} for r in records]}


TWO_WAYS = comparison(record("blocking", 8000, bytes=8), record("persistent", 4000, bytes=8))


class Reporting(InFolder):
    def report(self, *arguments):
        return tool("sonde-report", *arguments, folder=self.folder)

    def written(self, name, *lines, end=""):
        return super().written(name, "".join(json.dumps(line) + "\n" for line in lines) + end)

    def test_records_and_comparisons_are_a_table_without_options(self):
        done = self.report(self.written("a", record("ping_pong", 1000, bytes=8), TWO_WAYS))
        self.assertEqual((done.code, done.err), (0, ""), done)
        self.assertEqual([line.split()[:3] for line in done.out.splitlines()[:2]],
                         [["name", "bytes", "median"], ["ping_pong", "8", "1.000"]])
        self.assertEqual(done.out.splitlines()[3:], ["alternative           median us  speed-up  95 % interval  outcome",
                                                     "blocking (bytes 8)        8.000     1.000              -  (base)",
                                                     "persistent (bytes 8)      4.000     2.000   2.000..2.000  faster"])

    def test_scopes_alone_are_reported(self):
        scope = {"type": "scope", "name": "halo", "parent": None, "depth": 0, "passes": 3, "ranks": 2,
                 "totals_seconds": {"min": 0.25, "mean": 0.5, "max": 0.75}, "enclosing_seconds": 2.0, "slowest": 1, "imbalance": 1.5, "bytes": 48.0,
                 "times": {"buckets": [[8, 1.0], [16, 1.0], [32, 1.0]], "sum": 56.0, "max": 32.0, "min": 8.0}, "reference": None}
        done = self.report(self.written("a", {"type": "scopes", "scopes": [scope]}))
        self.assertEqual((done.code, done.err), (0, ""), done)
        self.assertEqual([line.split()[:2] for line in done.out.splitlines()], [["scope", "passes"], ["halo", "3"]])

    def test_reports_are_those_of_the_program_that_measured(self):
        self.assertEqual(self.launch("-n", "1", "--out", "a", "--", *self.fake()).code, 0)
        done = self.report("a", "--csv", "a.csv", "--table", "a.txt", "--html", "a.html")
        self.assertEqual((done.code, done.out, done.err), (0, "", ""), done)
        self.assertEqual([line.split(",")[:2] for line in self.text("a.csv").splitlines()],
                         [["name", "bytes"], ["fake", "8"], ["fake", "16"], ["fake", "24"]])
        self.assertEqual(self.text("a.txt"), self.report("a").out)
        page = self.text("a.html")
        self.assertIn("<h2>fake</h2>", page)
        self.assertIn("<dt>Communication library</dt><dd>Fake 1</dd>", page)
        self.assertNotIn("--report", page)  # the launched command, without what the launcher added
        self.assertIn("</html>", page)

    def test_gauges_for_monitoring_have_the_library_of_the_runs(self):
        self.assertEqual(self.launch("-n", "1", "--out", "a", "--", *self.fake()).code, 0)
        done = self.report("a", "--openmetrics", "a.prom")
        self.assertEqual((done.code, done.out, done.err), (0, "", ""), done)
        self.assertEqual([line.split("}")[0] for line in self.text("a.prom").splitlines() if line.startswith("sonde_samples")],
                         [f'sonde_samples{{test="fake",ranks="2",library="Fake 1",bytes="{n}"' for n in (8, 16, 24)])

    def test_a_comparison_is_judged_by_the_criterion_of_the_file(self):
        ways = comparison(record("a", 1000), record("b", 900), gain=0.2)
        self.assertIn("undecided", self.report(self.written("a", ways)).out)
        ways["criterion"]["gain"] = 0.1
        self.assertIn("faster", self.report(self.written("a", ways)).out)
        self.report("a", "--csv", "a.csv", "--html", "a.html")
        self.assertIn(",faster,0.1,0.95", self.text("a.csv"))
        self.assertIn("<h2>Comparison with a</h2>", self.text("a.html"))

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_a_plot_has_the_records_of_comparisons(self):
        more = comparison(record("blocking", 9000, bytes=16), record("persistent", 5000, bytes=16))
        done = self.report(self.written("a", TWO_WAYS, more), "--plot", "a.svg", "--html", "a.html")
        self.assertEqual((done.code, done.err), (0, ""), done)
        for text in ("blocking", "persistent", "latency (us)"):
            self.assertIn(text, self.text("a.svg"))
        self.assertEqual(self.text("a.html").count("<svg"), 2)

    def test_files_with_other_points_are_one_table(self):
        done = self.report(self.written("a", record("x", 1000, bytes=8)), self.written("b", record("x", 1000, bytes=16)))
        self.assertEqual(len(done.out.splitlines()), 3, done)
        self.assertNotIn("run", done.out)

    def test_files_with_equal_points_are_told_apart_by_the_run(self):
        a, b = self.written("a", record("x", 1000, bytes=8)), self.written("b", record("x", 2000, bytes=8), TWO_WAYS)
        done = self.report(a, b)
        self.assertEqual([line.split()[:4] for line in done.out.splitlines()[:3]],
                         [["name", "bytes", "run", "median"], ["x", "8", "a", "1.000"], ["x", "8", "b", "2.000"]])
        self.assertIn("persistent (bytes 8, run b)", done.out)

    def test_launches_of_a_file_are_told_apart_by_their_numbers(self):
        self.assertEqual(self.launch("-n", "2", "--out", "a", "--", *self.fake()).code, 0)
        done = self.report("a")
        self.assertEqual([line.split()[2] for line in done.out.splitlines()], ["run"] + 3 * ["a#1"] + 3 * ["a#2"])
        page = self.report("a", "--html", "a.html")
        self.assertEqual((page.code, page.err), (0, ""))
        self.assertIn("<dt>Communication library</dt>", self.text("a.html"))

    def test_a_page_of_launches_of_several_days_has_their_environment_and_the_first_date(self):
        self.assertEqual(self.launch("-n", "1", "--out", "one", "--", *self.fake()).code, 0)
        for name, day, job, stolen in (("a", "30", "7", 0.25), ("b", "31", "7", 0.5), ("c", "31", "8", 0.0)):
            launch, where, *records = self.lines("one")
            where |= {"date": f"2026-01-{day}T08:05:00Z", "job": {"resource_manager": "Slurm", "id": job}}
            self.written(name, launch, where, *({**r, "stolen_seconds": stolen} for r in records))
        for names, text in ((("a", "b"), "<dt>Job</dt><dd>Slurm 7</dd>"), (("a", "b", "c"), None)):
            done = self.report(*names, "--html", "x.html")
            self.assertEqual((done.code, done.err), (0, ""))
            page = self.text("x.html")
            self.assertIn("<dt>Date</dt><dd>2026-01-30T08:05:00Z</dd>", page)
            self.assertIn("<dt>Stolen CPU time</dt><dd>0.75 s</dd>", page)
            self.assertIn(text, page) if text else self.assertNotIn("<dt>Job</dt>", page)

    def test_a_page_of_different_environments_has_none_and_says_so(self):
        for name, library in (("a", "One"), ("b", "Two")):
            self.assertEqual(self.launch("-n", "1", "--out", name, "--", *self.fake(library=library)).code, 0)
        done = self.report("a", "b", "--html", "x.html")
        self.assertEqual((done.code, done.err), (0, "sonde-report: the runs have different environments; the report has none\n"))
        self.assertNotIn("<dt>Communication library</dt>", self.text("x.html"))

    def test_a_cut_last_line_is_reported_and_the_others_are_kept(self):
        done = self.report(self.written("a", record("x", 1000), end=json.dumps(TWO_WAYS)[:200]))
        self.assertEqual((done.code, done.said), (0, ["sonde-report: a:2: the last record is cut: left out"]), done)
        self.assertEqual(len(done.out.splitlines()), 2)

    def test_invalid_input_prints_one_line_and_writes_nothing(self):
        a = self.written("a", record("x", 1000))
        self.written("cut", end=json.dumps(record("x", 1000))[:200])
        self.written("empty")
        self.written("environment", {"type": "launch", "launch": 1, "command": "x", "outcome": "exit status 0", "wall_seconds": 1.0})
        self.written("strange", {"type": "dance"})
        self.written("log", end="# OSU MPI Latency Test v7.4\n")
        for words, text in (([], "takes files of JSON Lines"), (["none"], "cannot read 'none': No such file"),
                            (["empty"], "empty: is empty"), (["environment"], "environment: holds no record"),
                            (["strange"], "strange: holds no record; strange:1: is JSON, but no record"), (["cut"], "cut: holds no record; cut:1: the last record is cut"),
                            (["log"], "log: holds no record; log:1: is no line of JSON"),
                            ([a, "--json", "x"], "--json"), ([a, "--csv", ""], "--csv '' is empty"), ([a, "--csv"], "--csv"),
                            ([a, "--csv", "./a"], "'./a' is read: what is written needs another file"),
                            ([a, "--csv", "x", "--table", "x"], "'x' is written twice: each output needs a file of its own"),
                            ([a, "--csv", "/no/x"], "cannot write '/no/x'"),
                            ([a, "--plot", "x.txt"], "a picture's file ends in"),
                            ([a, "--loud"], "--loud"), ([a, ""], "'' is empty")):
            with self.subTest(words):
                self.assert_one_line(self.report(*words), 2, text)
        self.assertEqual(len(self.lines("a")), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
