#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Output and exit status of sonde-compare for two files."""
import json
import os
import subprocess
import unittest

from driver import TOOLS, InFolder


class Comparing(InFolder):
    def test_the_same_program_twice_is_undecided(self):
        done = self.compare(self.made("a"), self.made("b"))
        self.assertEqual((done.code, done.err), (0, ""), done)
        self.assertIn("3 rows: 0 slower, 0 faster, 3 undecided", done.out)
        self.assertNotIn("sonde-launch", done.out)

    def test_a_slower_program_ends_with_1_and_a_faster_one_with_0(self):
        a, b = self.made("a"), self.made("b", time=1100)
        done = self.compare(a, b)
        self.assertEqual(done.code, 1, done)
        self.assertIn("3 rows: 3 slower, 0 faster, 0 undecided", done.out)
        row = next(line for line in done.out.splitlines() if line.startswith("8 "))
        self.assertEqual(row.split(), "8 1.004 us [1.001, 1.006] 0.0 % 0.2 % 1.104 us [1.101, 1.106] 0.0 % 0.2 % 1.100 0.0065 slower".split())
        self.assertIn("3 faster", self.compare(b, a).out)
        self.assertEqual([self.compare(*words).code for words in ((b, a), ("--effect", "20", a, b))], [0, 0])

    def test_the_advice_can_be_run_as_it_is_printed(self):
        a, b = self.made("a"), self.made("b", time=1100)
        commands = [line for line in self.compare(a, b).out.splitlines() if line.startswith("  sonde-")]
        path = {**os.environ, "PATH": TOOLS + ":" + os.environ["PATH"]}
        ends = [subprocess.run(c, shell=True, env=path, cwd=self.folder, capture_output=True, timeout=400) for c in commands]
        self.assertEqual([e.returncode for e in ends], [0, 0, 1])
        self.assertIn("# new: b, 18 launches", ends[2].stdout.decode())

    def test_the_advice_for_a_log_never_appends_to_it(self):
        def log(factor):
            return "".join("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n" + "".join(
                f"{size:<10}{factor * (2 + 0.01 * k):>18.2f}\n" for size in (8, 64)) for k in range(6))
        old, new = self.written("old.txt", log(1)), self.written("new.txt", log(2))
        done = self.compare(old, new)
        self.assertEqual(done.code, 1, done)
        self.assertNotIn("sonde-launch", done.out)
        self.assertIn("  new.txt: run its program 12 times or more", done.out)
        self.assertIn("new files", done.out)

    def test_a_command_with_control_characters_is_not_printed(self):
        a, b = self.made("a"), self.made("b", time=1100, note="\x1b[31m\n")
        advice = self.compare(a, b).out.splitlines()[-3:]
        self.assertTrue(advice[-2].endswith("--out b -- COMMAND"), advice)

    def test_alternatives_of_a_comparison_are_rows(self):
        for name, time in (("a", 1000), ("b", 5000)):
            record = self.lines(self.made(name + "1", launches=1, time=time))[2]
            line = {"type": "comparison", "criterion": {"gain": 0, "confidence": 0.95}, "alternatives": [{"record": record}]}
            self.written(name, json.dumps(line) + "\n")
        done = self.compare("a", "b")
        self.assertEqual(done.code, 0, done)
        self.assertIn("1 row: 0 slower, 0 faster, 1 undecided", done.out)
        self.assertIn("# fake bytes=8", done.out)

    def test_environments_that_differ_in_what_matters_are_refused(self):
        a, b = self.made("a"), self.made("b", library="Fake", binding="1", time=1100)
        done = self.compare(a, b)
        self.assertEqual((done.code, done.out), (2, ""), done)
        self.assertEqual(done.said[:2], ["sonde-compare: communication library differs: old Fake 1, new Fake",
                                         "sonde-compare: binding of ranks differs: old 0, new 1"])
        self.assertIn("--despite-differences", done.said[2])
        self.assertEqual(len(done.said), 3)
        despite = self.compare("--despite-differences", a, b)
        self.assertEqual(despite.code, 1)
        self.assertIn("binding of ranks differs", despite.err)
        self.assertIn("  sonde-compare --despite-differences a b", despite.out.splitlines())

    def test_unbound_ranks_are_reported_once_a_file(self):
        done = self.compare(self.made("a", binding="0-3"), self.made("b", binding="0-3"))
        self.assertEqual([line.split(":")[1] for line in done.said], [" a", " b"], done)
        self.assertIn("rank 0 on 0-3", done.said[0])

    def test_rows_of_one_side_are_listed(self):
        done = self.compare(self.made("a"), self.made("b", first=16))
        self.assertEqual([line for line in done.out.splitlines() if line.startswith("only")],
                         ["only in old: fake bytes=8", "only in old: fake bytes=24",
                          "only in new: fake bytes=32", "only in new: fake bytes=48"])

    def test_too_few_launches_for_any_decision_are_reported(self):
        done = self.compare(self.made("a", launches=4), self.made("b", launches=4, time=5000))
        self.assertEqual(done.code, 0)
        self.assertIn("3 rows need 5 launches a side", done.out)

    def test_invalid_input_prints_one_line(self):
        a = self.made("a")
        for name, text in (("empty", ""), ("broken", "hello\n"), ("strange", '{"type":"dance"}\n')):
            self.written(name, text)
        for words, text in (([], "takes two files"), ([a], "takes two files"), ([a, a, a], "takes two files"),
                            ([a, "none"], "cannot read 'none': No such file"), ([a, "empty"], "empty: is empty"),
                            ([a, "broken"], "broken: is neither JSON lines of Sonde nor output of"), ([a, "strange"], "strange: holds no record; strange:1: is JSON, but no record"),
                            ([a, "--effect", "x", a], "'x'"), ([a, "--effect", "-1", a], "takes a percentage from 0 to 1000"),
                            ([a, "--loud", a], "--loud"),
                            ([a, ""], "'' is empty"), ([a, "--effect", "", a], "--effect '' is empty")):
            with self.subTest(words):
                self.assert_one_line(self.compare(*words), 2, text)

    def test_files_without_a_common_row_are_refused(self):
        done = self.compare(self.made("a"), self.made("b", first=1000))
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertEqual(done.said[-1], "sonde-compare: no row of a is in b")


if __name__ == "__main__":
    unittest.main(verbosity=2)
