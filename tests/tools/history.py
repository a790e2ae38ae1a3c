#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Output and exit status of sonde-compare --history."""
import json
import os
import shutil
import unittest

from driver import InFolder, record

LEVELS = 12 * [1000] + 9 * [1200]


def environment(date, **changed):
    return {"type": "environment", "sonde_version": "0.1.0", "compiler": "g++ 12.2.0", "build": "optimized, assertions off",
            "command_line": "./x", "communication_library": "Some MPI 4", "hosts": ["a"], "ranks_per_host": [2],
            "host_of_rank": [0, 0], "bindings": ["0", "1"], **({"date": date} if date else {}), **changed}


class History(InFolder):
    def history(self, *arguments):
        return self.compare("--history", *arguments)

    def night(self, number, nanoseconds, date=True, **changed):
        """A file of two launches; its row of 16 bytes never changes."""
        when = f"2026-05-{number:02}T03:00:00Z" if date else None
        launch = [environment(when, **changed), record("x", nanoseconds + number % 4, bytes=8, link="send"),
                  record("x", 2000 + 3 * (number % 5), bytes=16, link="send")]
        return self.written(f"n{number:02}", "".join(json.dumps(line) + "\n" for line in launch + launch))

    def nights(self, levels=LEVELS, **words):
        return [self.night(i + 1, level, **words) for i, level in enumerate(levels)]

    def test_a_row_that_became_slower_is_named_with_its_night(self):
        files = self.nights()
        self.night(13, 1200, communication_library="Some MPI 5")
        done = self.history(*files)
        self.assertEqual((done.code, done.err), (1, ""), done)
        self.assertEqual(done.out, """\
# nights: 2026-05-01 to 2026-05-21
# Times of an iteration: a night is the median over launches of each launch's median, a level the median of its
# nights. p: rank-sum tests of nights, corrected for all places of changes in all rows.
# x link=send
bytes  nights     first      last  last/first  changes
8          21  1.002 us  1.201 us       1.199  2026-05-13
16         21  2.006 us  2.006 us       1.000  -
since       bytes    before  nights     after  nights  after/before          [95 %]        p  outcome
2026-05-13      8  1.002 us      12  1.201 us       9         1.199  [1.198, 1.201]  <0.0001  slower
since 2026-05-13 (n13): 1 slower, 0 faster
  communication library differs: old Some MPI 4, new Some MPI 5
2 rows, 21 nights: 1 changed, 1 without a change
""")

    def test_a_row_that_became_faster_or_recovered_ends_with_0(self):
        self.assertEqual(self.history(*self.nights(LEVELS[::-1])).code, 0)
        done = self.history(*self.nights(LEVELS + 8 * [1000]))
        self.assertEqual(done.code, 0, done)
        self.assertIn("2026-05-13, 2026-05-22", done.out)

    def test_nights_without_dates_are_in_the_order_given_and_have_the_names_of_their_files(self):
        files = self.nights(date=False)
        self.assertIn("n13: 1 slower, 0 faster", self.history(*files).out)
        self.assertIn("n12: 0 slower, 1 faster", self.history(*files[::-1]).out)
        self.night(1, 1000)
        done = self.history(*files)
        self.assertEqual(done.said, ["sonde-compare: 20 files without a date: the nights are in the order given"])
        self.assertIn("n13: 1 slower, 0 faster", done.out)

    def test_the_effect_and_the_rate_of_false_alarms_decide(self):
        files = self.nights()
        self.assertIn("0 changed", self.history(*files, "--effect", "25").out)
        done = self.history(*files, "--false-alarms", "1e-6")
        self.assertIn("0 changed", done.out)
        self.assertIn("With so few nights no change can be found, whatever was measured: 2 rows need 26 nights.", done.out)

    def test_the_number_of_nights_that_a_single_row_needs_is_said(self):
        files = [self.written(f"n{i}", json.dumps(record("x", 1000 + i, bytes=8)) + "\n") for i in range(3)]
        self.assertIn("whatever was measured: 1 row needs 12 nights.", self.history(*files).out)

    def test_a_page_has_the_tables_and_a_figure_of_each_row_that_changed(self):
        done = self.history(*self.nights(), "--html", "page.html")
        self.assertEqual((done.code, done.err), (1, ""), done)
        page = self.text("page.html")
        for text in ("2 rows, 21 nights: 1 changed", "since 2026-05-13 (n13): 1 slower", "<td>2026-05-13</td>", "[1.198, 1.201]",
                     "<td>21</td><td class=\"number\">2026-05-21</td><td class=\"number\">2</td><td>n21</td>", "</html>"):
            self.assertTrue(text in page, text)
        if shutil.which("gnuplot"):
            self.assertEqual(page.count("<figure>"), 1)
            self.assertTrue("Time of x bytes=8 link=send over the nights. Changes since 2026-05-13 (slower)." in page)
        else:
            self.assertTrue("Without figures: " in page)

    def test_a_page_escapes_what_files_hold(self):
        name = "<b>&"
        for i, level in enumerate(LEVELS):
            self.written(f"n{i:02}", json.dumps(record(name, level, bytes=8)) + "\n")
        self.history(*(f"n{i:02}" for i in range(len(LEVELS))), "--html", "page.html")
        self.assertNotIn("<b>", self.text("page.html"))
        self.assertIn("&lt;b&gt;&amp;", self.text("page.html"))

    def test_nights_may_be_texts_of_a_suite(self):
        files = [self.written(f"n{i:02}.txt", "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n"
                              f"8 {level / 1000 + i % 3 / 100:.2f}\n") for i, level in enumerate(LEVELS)]
        done = self.history(*files)
        self.assertEqual((done.code, done.err), (1, ""), done)
        self.assertIn("# Times of rows as printed", done.out)
        self.assertIn("since n12.txt: 1 slower, 0 faster", done.out)

    def test_a_file_that_is_given_twice_is_one_night(self):
        files = self.nights()
        os.symlink(files[0], f"{self.folder}/good")
        done = self.history("good", *files, f"./{files[1]}")
        self.assertEqual(done.said, ["sonde-compare: n01 is the same file as good, and counts once",
                                     "sonde-compare: ./n02 is the same file as n02, and counts once"])
        self.assertIn("2 rows, 21 nights: ", done.out)
        done = self.history("good", files[0])
        self.assertEqual((done.code, done.out, done.said[1:]), (2, "", ["sonde-compare: --history takes two files or more; see --help"]))

    def test_launches_that_failed_are_reported(self):
        a = self.made("a", launches=2)
        self.launch("-n", "3", "--out", "b", "--", *self.fake(fail=2))
        done = self.history(a, "b")
        self.assertEqual(done.said, ["sonde-compare: b: launch 2 ended with exit status 3; its 1 record counts"], done)

    def test_invalid_input_prints_one_line(self):
        a, b = self.nights(2 * [1000])
        self.written("empty", "")
        self.written("broken", "hello\n")
        self.written("other", json.dumps(record("y", 1000)) + "\n")
        self.written("text", "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n8 1.00\n")
        for words, text in (([], "--history takes two files or more"), ([a], "--history takes two files or more"),
                            ([a, "none"], "cannot read 'none': No such file"), ([a, "empty"], "empty: is empty"),
                            ([a, "broken"], "broken: is neither JSON lines of Sonde nor output of"),
                            ([a, "other"], "no row is in two of these files"),
                            ([a, "text"], "text and n01: a text and JSON Lines"),
                            ([a, b, "--false-alarms", "0"], "--false-alarms '0': takes a probability from 1e-9 to 0.5"),
                            ([a, b, "--effect", "-1"], "takes a percentage from 0 to 1000"), ([a, b, "--html", "n01"], "'n01' is read: what is written needs another file"),
                            ([a, b, "--html", "/no/x"], "cannot write '/no/x'"),
                            ([a, b, "--despite-differences"], "takes no --despite-differences")):
            with self.subTest(words):
                self.assert_one_line(self.history(*words), 2, text)
        for words in (["--html", "x"], ["--false-alarms", "0.1"]):
            with self.subTest(words):
                self.assert_one_line(self.compare(a, b, *words), 2, "are options of --history")
        self.assertEqual(self.text("n01").count("\n"), 6)


if __name__ == "__main__":
    unittest.main(verbosity=2)
