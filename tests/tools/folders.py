#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""folders.py EXAMPLES

Of the folders of the tools only records/ is used by the others, and an application of embed/ has at most five files.
"""
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


if __name__ == "__main__":
    unittest.main(verbosity=2)
