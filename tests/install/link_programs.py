#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The links by which an executable runs its programs: link_programs.py in examples/install/."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples/install/link_programs.py"


class Links(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def linked(self, programs, *words):
        """The run of the script for an executable with these programs, and the links that are then beside it."""
        executable = self.folder / "suite"
        executable.write_text(f"#!/bin/sh\n[ $1 = --programs ] && printf '%s\\n' {programs}\n")
        executable.chmod(0o755)
        done = subprocess.run([SCRIPT, self.folder / "suite.links", executable, *words], capture_output=True, text=True)
        return done, sorted(path.name for path in self.folder.iterdir() if path.is_symlink() and path.resolve() == executable.resolve())

    def test_each_program_has_a_link_and_one_that_is_no_program_any_more_has_none(self):
        done, links = self.linked("b a", "a", "b")
        self.assertEqual((done.returncode, done.stderr, links), (0, "", ["a", "b"]))
        self.assertEqual((self.folder / "suite.links").read_text(), "b\na\n")
        self.assertEqual(self.linked("b c", "b", "c")[1], ["b", "c"])

    def test_the_build_stops_where_the_list_has_other_programs_than_the_executable(self):
        for names in (["a", "c"], ["a"], ["a", "b", "c"]):
            done, links = self.linked("a b", *names)
            differing = " ".join(sorted({"a", "b"} ^ set(names)))
            self.assertEqual((done.returncode, links), (1, []))
            self.assertEqual(done.stderr, f"examples/programs.txt and suite --programs differ: {differing}\n")

    def test_a_library_is_asked_by_its_launcher(self):
        done, links = self.linked("a", "a", "--by", "env")
        self.assertEqual((done.returncode, links), (0, ["a"]))


unittest.main(verbosity=2)
