#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""folders.py EXAMPLES

The structure of the programs: of the folders of the tools only records/ is used by the others, an application of embed/
has at most five files, suite/ knows neither suite, file names are unique, and docs/design.md leads from `main` of a
program to the clock through at most twelve files.
"""
import collections
import pathlib
import re
import sys
import unittest

EXAMPLES = pathlib.Path(sys.argv.pop(1))


def files_in(folder):
    return [file for file in folder.rglob("*.?pp")]


class Folders(unittest.TestCase):
    def test_of_tools_use_no_other_but_records(self):
        folders = [folder for folder in (EXAMPLES / "tools").iterdir() if folder.is_dir()]
        self.assertGreater(len(folders), 3)
        for folder in folders:
            for file in files_in(folder):
                used = set(re.findall(r'#include "tools/(\w+)/', file.read_text()))
                with self.subTest(file):
                    self.assertEqual(used - {folder.name, "records"}, set())

    def test_of_an_application_have_at_most_five_files_with_its_program(self):
        programs = [file for file in (EXAMPLES / "embed").glob("*.cpp")]
        self.assertGreater(len(programs), 2)
        for program in programs:
            with self.subTest(program.stem):
                self.assertLessEqual(len(files_in(program.with_suffix(""))), 4)

    def test_of_the_suites_are_unknown_to_what_they_share(self):
        for file in files_in(EXAMPLES / "suite"):
            with self.subTest(file):
                self.assertEqual(re.findall(r'#include "((?:osu|imb)/[^"]*)"', file.read_text()), [])

    def test_have_no_two_files_of_one_name(self):
        names = collections.Counter(file.name for file in files_in(EXAMPLES))
        self.assertEqual([name for name, number in names.items() if number > 1], [])

    def test_lead_from_main_to_the_clock_through_at_most_twelve_files(self):
        page = (EXAMPLES.parent / "docs" / "design.md").read_text()
        walks = re.findall(r"^\| `(?:osu_|IMB-)[^|]*\|([^|]*)\|([^|]*)\|$", page, re.MULTILINE)
        self.assertEqual(len(walks), 6)
        names = {file.name for file in files_in(EXAMPLES)}
        for to_clock, prints in walks:
            files, printing = (re.findall(r"`(\w+\.[ch]pp)`", text) for text in (to_clock, prints))
            with self.subTest(files[0]):
                self.assertLessEqual({*files, *printing}, names)
                self.assertTrue(4 < len(files) <= 12, files)


if __name__ == "__main__":
    unittest.main(verbosity=2)
