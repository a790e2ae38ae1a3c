# SPDX-License-Identifier: BSL-1.0
"""Programs of UPC++: the text on stdout, which is OMB's but for the figures, their options, and what they refuse."""
import json
import os
import re
import tempfile
import unittest

from driver import at_once, honest_titles, is_row, read, title_line
from upcxx.programs import ALL, BY_NAME, FOLDER, run_upcxx

# A program, its arguments, its ranks, its environment, and its line.
REFUSED = [
    ("async_copy_put", "heap", 2, {}, r"^Invalid word \[heap\]; accepted: options, see -h$"),
    ("async_copy_put", "", 1, {}, r"^This test requires at least two processes; it was started with 1$"),
    ("async_copy_get", "", 3, {}, r"^This test requires an even number of processes; it was started with 3$"),
    ("bcast", "", 1, {}, r"^This test requires at least two processes; it was started with 1$"),
    ("gather", "-m 8:8 -M 15", 2, {}, r"^Memory limit smaller than one message \[-M 15\]; accepted: at least 16$"),
    ("async_copy_put", "-z", 2, {}, r"^Invalid option \[-z\]; accepted: -h .* --honest$"),
    ("reduce", "-I", 2, {}, r"^Invalid option \[-I\]; accepted: "),
    ("reduce", "--sync window", 2, {}, r"^Invalid start \[--sync window\]; accepted: none, barrier$"),
    ("alltoall", "", 2, {"UPCXX_SHARED_HEAP_SIZE": "1MB"}, r"^Error allocating host memory \[-m, UPCXX_SHARED_HEAP_SIZE\]; accepted: "),
    ("async_copy_get", "-m 20000000000000", 2, {}, r"^Not enough memory \[-i, -m, UPCXX_SHARED_HEAP_SIZE\]: 2 ranks of a host need "),
]


class Tables(unittest.TestCase):
    def check_rows(self, program, answer, sizes, texts=()):
        self.assertEqual(set(answer.codes), {0}, answer)
        head = [f"# OSU UPC++ {program.title} v7.4"]
        if not program.collective:
            head.append(f"# [ pairs: {len(answer.codes) // 2} ]")
        titles = title_line((program.column, *(["Validation"] if texts else [])))
        self.assertEqual(answer.lines[:len(head) + 1], [*head, titles])
        rows = answer.lines[len(head) + 1:]
        self.assertEqual(len(rows), len(sizes), answer)
        for line, size in zip(rows, sizes):
            self.assertTrue(is_row(line, size, 1, texts), line)

    def test_each_program_has_omb_s_title_columns_and_a_row_for_each_size(self):
        for program, answer in at_once(lambda p: run_upcxx(p, "-m", "8", "-i", "5", "-x", "1"), ALL):
            with self.subTest(program.name):
                self.check_rows(program, answer, (1, 2, 4, 8))

    def test_pairs_are_counted(self):
        program = BY_NAME["async_copy_put"]
        self.check_rows(program, run_upcxx(program, "-m", "4:8", "-i", "5", "-x", "1", "-c", ranks=4), (4, 8), ("passed",))

    def test_full_columns_are_the_shortest_and_longest_mean_and_the_iterations(self):
        row, = run_upcxx(BY_NAME["allgather"], "-f", "-m", "8:8", "-i", "20", ranks=3).rows
        self.assertEqual((len(row), row[0], row[4]), (5, "8", "20"))
        self.assertTrue(float(row[2]) <= float(row[1]) <= float(row[3]), row)

    def test_copies_of_a_size_are_one_sample_and_with_until_several(self):
        def record(*given):
            with tempfile.TemporaryDirectory() as folder:
                answer = run_upcxx(BY_NAME["async_copy_get"], "-m", "8:8", *given, "--report", "json=r", folder=folder)
                self.assertEqual(set(answer.codes), {0}, answer)
                return answer, json.loads(read(f"{folder}/r").splitlines()[1])
        _, one = record("-i", "50")
        self.assertEqual((one["stop"]["samples"], one["batch"], one["parameters"]), (1, 50, {"bytes": 8}))
        answer, several = record("--until", "5%", "--honest")
        self.assertGreaterEqual(several["stop"]["samples"], 6)
        titles, = (line for line in answer.lines if line.startswith("# Size"))
        self.assertTrue(titles.endswith(honest_titles()), titles)


class Options(unittest.TestCase):
    def test_each_program_lists_its_options(self):
        for program, answer in at_once(lambda p: run_upcxx(p, "-h", ranks=1), ALL):
            with self.subTest(program.name):
                self.assertEqual((answer.codes, answer.lines[0]), ([0], f"Usage: osu_upcxx_{program.name} [options]"))
                self.assertEqual(sorted(re.findall(r"^  -(\w), --", answer.out, re.M)), sorted(program.letters))

    def test_all_programs_are_built(self):
        built = {f.removeprefix("osu_upcxx_") for f in os.listdir(FOLDER) if re.fullmatch(r"osu_upcxx_[a-z_]+", f)}
        self.assertEqual(built - {"stand_in"}, set(BY_NAME))

    def test_what_cannot_be_measured_is_refused_in_one_line_by_all_ranks(self):
        def refused(case):
            name, given, ranks, environment, _ = case
            return run_upcxx(BY_NAME[name], *given.split(), ranks=ranks, environment=environment)

        for (name, given, ranks, _, line), answer in at_once(refused, REFUSED):
            with self.subTest(f"{name} {given}"):
                self.assertEqual((answer.codes, answer.out), ([1] * ranks, ""), answer)
                self.assertRegex(answer.err.strip(), line)
                self.assertEqual(len(answer.err.splitlines()), 1, answer)
