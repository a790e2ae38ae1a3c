#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Counts, errors and exit status that scripts/progress.py reports. PROGRESS: its path."""
import os
import re
import subprocess
import sys
import tempfile
import unittest


def progress(script):
    """The exit status, the lines shown without elapsed times, and the log of a shell script."""
    with tempfile.NamedTemporaryFile("r") as log:
        command = [sys.executable, os.environ["PROGRESS"], "stage", log.name, "sh", "-c", script]
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=30)
        return answer.returncode, re.sub(r"[,:] \d+:\d\d", "", answer.stdout).splitlines(), log.read()


class Progress(unittest.TestCase):
    def test_ninjas_steps_are_counted(self):
        said = progress("echo 'ninja: Entering directory'; echo '[1/2] Compiling a'; echo '[2/2] Linking b'")
        self.assertEqual(said[:2], (0, ["stage: built 2/2"]))
        self.assertEqual(said[2], "ninja: Entering directory\n[1/2] Compiling a\n[2/2] Linking b\n")

    def test_an_error_is_shown_from_its_first_line_and_its_status_kept(self):
        said = progress("echo noise; echo '[1/2] Compiling a'; echo 'FAILED: b.o'; echo 'b.cpp:1: error' >&2; exit 3")
        self.assertEqual(said[:2], (3, ["stage: built 1/2, failed with status 3", "FAILED: b.o", "b.cpp:1: error"]))

    def test_a_failed_test_is_named_and_no_output_shown(self):
        said = progress("echo ' 1/10 sonde:unit / a b   OK      0.01s'; echo ' 2/10 sonde:mpi / c   FAIL    0.02s exit status 1';"
                        "echo '10/10 d   TIMEOUT  3.00s   killed'; exit 2")
        self.assertEqual(said[:2], (2, ["stage: FAIL: sonde:mpi / c", "stage: TIMEOUT: d", "stage: tested 10/10, 2 failed"]))

    def test_packages_are_counted_if_their_number_is_known(self):
        said = progress("echo '1 upgraded, 1 newly installed, 0 to remove'; echo 'Get:1 http://x a'; echo 'Get:2 http://x b';"
                        "echo 'Unpacking a (1) ...'; echo 'Unpacking b (1) ...'; echo 'Setting up a (1) ...'")
        self.assertEqual(said[:2], (0, ["stage: fetched 2/2, unpacked 2/2, set up 1/2"]))

    def test_a_signal_is_a_status_as_in_a_shell(self):
        self.assertEqual(progress("kill -TERM $$")[:2], (143, ["stage, failed with status 143"]))


unittest.main()
