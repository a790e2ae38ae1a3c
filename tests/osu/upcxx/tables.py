# SPDX-License-Identifier: BSL-1.0
"""Programs of UPC++: the text on stdout, which is OMB's but for the figures, their options, and what they refuse."""
import functools
import unittest

from driver import at_once
from library_checks import check_built, check_options, check_refused, check_table, check_that_copies_are_one_sample
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
    def test_each_program_has_omb_s_title_columns_and_a_row_for_each_size(self):
        for program, answer in at_once(lambda p: run_upcxx(p, "-m", "8", "-i", "5", "-x", "1"), ALL):
            with self.subTest(program.name):
                check_table(self, "UPC++", program, answer, (1, 2, 4, 8))

    def test_pairs_are_counted(self):
        program = BY_NAME["async_copy_put"]
        check_table(self, "UPC++", program, run_upcxx(program, "-m", "4:8", "-i", "5", "-x", "1", "-c", ranks=4), (4, 8), ("passed",))

    def test_full_columns_are_the_shortest_and_longest_mean_and_the_iterations(self):
        row, = run_upcxx(BY_NAME["allgather"], "-f", "-m", "8:8", "-i", "20", ranks=3).rows
        self.assertEqual((len(row), row[0], row[4]), (5, "8", "20"))
        self.assertTrue(float(row[2]) <= float(row[1]) <= float(row[3]), row)

    def test_copies_of_a_size_are_one_sample_and_with_until_several(self):
        check_that_copies_are_one_sample(self, functools.partial(run_upcxx, BY_NAME["async_copy_get"]))


class Options(unittest.TestCase):
    def test_each_program_lists_its_options(self):
        check_options(self, "osu_upcxx_", ALL, run_upcxx)

    def test_all_programs_are_built(self):
        check_built(self, "osu_upcxx_", BY_NAME, FOLDER)

    def test_what_cannot_be_measured_is_refused_in_one_line_by_all_ranks(self):
        check_refused(self, BY_NAME, REFUSED, run_upcxx)
