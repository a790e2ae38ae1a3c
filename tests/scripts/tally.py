#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The sum of test logs that scripts/tally.py prints. TALLY: its path."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


def tally(*tests, arguments=(), further=()):
    """Status and lines for a build folder with these tests, (result, suites, output), and with further logs, (file, result)."""
    with tempfile.TemporaryDirectory() as folder:
        logs = pathlib.Path(folder) / "meson-logs"
        logs.mkdir()
        lines = [json.dumps({"name": f"sonde:{suites} / {i}", "result": result, "stdout": said})
                 for i, (result, suites, said) in enumerate(tests)]
        if tests:
            (logs / "testlog.json").write_text("\n".join(lines))
        for name, result in further:
            (logs / name).write_text(json.dumps({"name": "of it", "result": result, "stdout": ""}))
        answer = subprocess.run([sys.executable, os.environ["TALLY"], *arguments, folder], stdout=subprocess.PIPE, text=True, timeout=30)
        return answer.returncode, answer.stdout.replace(folder, "FOLDER").splitlines()


class Tally(unittest.TestCase):
    def test_what_is_skipped_is_named_with_its_reason(self):
        self.assertEqual(tally(("OK", "unit", ""), ("SKIP", "gpu", "a\nno device"), arguments=("--skipped", "no kernel")),
                         (0, ["skipped: no kernel", "FOLDER: skipped: sonde:gpu / 1: no device", "1 passed, 0 failed, 2 skipped"]))

    def test_a_failure_is_shown_and_fails(self):
        self.assertEqual(tally(("FAIL", "unit", "why"), ("TIMEOUT", "mpi+quick", ""), ("EXPECTEDFAIL", "unit", "")),
                         (1, ["FOLDER: FAIL: sonde:unit / 0", "    why", "FOLDER: TIMEOUT: sonde:mpi+quick / 1", "    no output", "1 passed, 2 failed, 0 skipped"]))

    def test_a_failure_of_real_times_counts(self):
        self.assertEqual(tally(("FAIL", "network+real_time", "late"), ("OK", "real_time", "")),
                         (1, ["FOLDER: FAIL: sonde:network+real_time / 0", "    late", "1 passed, 1 failed, 0 skipped"]))

    def test_tests_with_a_further_library_count_and_are_named_with_it(self):
        self.assertEqual(tally(("OK", "unit", ""), further=[("intel.json", "FAIL"), ("mpich.json", "OK")]),
                         (1, ["FOLDER with intel: FAIL: of it", "    no output", "2 passed, 1 failed, 0 skipped"]))

    def test_a_folder_without_a_log_is_a_failure(self):
        self.assertEqual(tally()[0], 1)
        self.assertEqual(tally()[1][-1], "0 passed, 1 failed, 0 skipped")


unittest.main(verbosity=2)
