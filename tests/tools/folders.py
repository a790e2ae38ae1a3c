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


def own_includes(file):
    return [EXAMPLES / name for name in re.findall(r'#include "([^"]+)"', file.read_text())]


def reached_from(file):
    """The file and the headers that it includes, at any depth."""
    found, left = set(), [file]
    while left:
        one = left.pop()
        if one not in found and one.is_file():
            found.add(one)
            left += own_includes(one)
    return found


def text_of(file):
    """The text of a file, with that of its header."""
    return "".join(one.read_text() for one in {file, file.with_suffix(".hpp")} if one.is_file())


def interfaces_of(file):
    """What a reader of another file may have seen of this one: a header itself; of a source its first header, or those of its folder."""
    if file.suffix == ".hpp":
        return {file}
    headers = own_includes(file)
    return {headers[0], *(header for header in headers if header.parent == file.parent)}


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
        walks = re.findall(r"^- `(?:osu_|IMB-)[^:]*: (.*?)\sPrinted\sby\s(.*?)\.$", page, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(walks), 6)
        by_name = {file.name: file for file in files_in(EXAMPLES)}
        for to_clock, prints in walks:
            files, printing = ([by_name[name] for name in re.findall(r"`(\w+\.[ch]pp)`", text)] for text in (to_clock, prints))
            with self.subTest(files[0]):
                self.assertTrue(4 < len(files) <= 12, files)
                self.assertRegex(files[0].read_text(), r"\bint main\(")
                self.assertTrue(any(re.search(r"sonde::(run|measure_overlap)\(", text_of(file)) for file in files), files)
                for i, file in enumerate([*files, *printing][1:], 1):
                    seen = set().union(*(reached_from(other) for other in files if other != file))
                    self.assertTrue(interfaces_of(file) & seen, f"no file of the walk includes {file}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
