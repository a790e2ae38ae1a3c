#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""No folder of programs uses a variable of the build that only another folder sets: their order does not matter."""
import pathlib
import re
import sys
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1))


def without_texts(build):
    return re.sub(r"'''.*?'''|'(\\.|[^'\\\n])*'|#[^\n]*", "", build, flags=re.DOTALL)


def set_in(build):
    assigned = re.findall(r"^\s*(\w+)\s*\+?=[^=]", build, re.MULTILINE)
    loops = re.findall(r"^\s*foreach\s+([^:\n]+):", build, re.MULTILINE)
    return set(assigned) | {name.strip() for names in loops for name in names.split(",")}


def used_in(build):
    return set(re.findall(r"(?<![.\w])[A-Za-z_]\w*\b(?!\s*[:(]|\s*\+?=[^=])", build))


class Folders(unittest.TestCase):
    def test_stand_alone(self):
        builds = {file.parent.name: without_texts(file.read_text()) for file in FOLDER.glob("*/meson.build")}
        self.assertGreater(len(builds), 4)
        above = set_in(without_texts((FOLDER / "meson.build").read_text()))
        for one, build in builds.items():
            for other in builds.keys() - {one}:
                with self.subTest(f"{one}/meson.build uses what {other}/meson.build sets"):
                    self.assertEqual(used_in(build) & set_in(builds[other]) - set_in(build) - above, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
