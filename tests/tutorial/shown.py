#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Programs of the tutorial print what its pages show, but for the figures, and end well on three ranks.

usage: shown.py MPI_RUN PAGES PROGRAM...

A page shows a command, and its output after it, in a block of its own. Titles of tables, which have several blanks and no digit,
are printed as they are shown; of the other lines the first words are.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

COMMAND = re.compile(r"^```\n\$ (?:ninja -C build tutorial && )?(?:mpirun -n (\d+) )?build/examples/tutorial/(tutorial_\w+)\n(.*?)^```", re.M | re.S)


class Shown(unittest.TestCase):
    def run_on(self, ranks, program):
        """The lines of a program's output, with single blanks."""
        launcher = [self.mpi_run, "-t", "60", "-n", ranks] if ranks else []
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*launcher, program], capture_output=True, text=True, timeout=100, cwd=folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [" ".join(line.split()) for line in done.stdout.splitlines()]

    def check(self, ranks, program, shown):
        printed = self.run_on(ranks, program)
        lines = [line for line in shown.splitlines() if line.strip() not in ("", "...") and not line.startswith("$")]
        self.assertTrue(lines)
        for line in lines:
            if "  " in line and not re.search(r"\d", line):
                self.assertIn(" ".join(line.split()), printed)
        words = {line.split()[0] for line in printed if line}
        self.assertLessEqual({line.split()[0] for line in lines if not line[0].isdigit()}, words)

    def test_programs_print_what_the_pages_show(self):
        self.assertGreater(len(self.shown), 20)
        for ranks, name, shown in self.shown:
            if name in self.programs:
                with self.subTest(f"{name} on {ranks}"):
                    self.check(ranks, self.programs[name], shown)

    def test_programs_end_well_on_three_ranks(self):
        for name in self.programs.keys() - {"tutorial_virtual_time"}:
            with self.subTest(name):
                self.run_on("3", self.programs[name])


if __name__ == "__main__":
    Shown.mpi_run, root, *programs = sys.argv[1:]
    Shown.programs = {pathlib.Path(program).name: str(pathlib.Path(program).resolve()) for program in programs}
    pages = [pathlib.Path(root, "docs/instrument.md"), *sorted(pathlib.Path(root, "docs/tutorial").glob("*.md"))]
    Shown.shown = [found for page in pages if page.name != "errors.md" for found in COMMAND.findall(page.read_text())]
    unittest.main(argv=sys.argv[:1], verbosity=2)
