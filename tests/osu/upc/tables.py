# SPDX-License-Identifier: BSL-1.0
"""Programs of UPC: the text on stdout, which is OMB's but for the figures, their options, and what they refuse."""
import functools
import unittest

from library_checks import check_built, check_options, check_refused, check_table, check_that_copies_are_one_sample
from upc.programs import BARRIER, BY_NAME, FOLDER, run_upc

# A program, its arguments, its ranks, its environment, and its line.
REFUSED = [
    ("memput", "heap", 2, {}, r"^Invalid word \[heap\]; accepted: options, see -h$"),
    ("memput", "", 1, {}, r"^This test requires at least two processes; it was started with 1$"),
    ("memget", "", 3, {}, r"^This test requires an even number of processes; it was started with 3$"),
    ("all_barrier", "", 1, {}, r"^This test requires at least two processes; it was started with 1$"),
    ("all_gather", "-m 8:8 -M 15", 2, {}, r"^Memory limit smaller than one message \[-M 15\]; accepted: at least 16$"),
    ("memget", "-z", 2, {}, r"^Invalid option \[-z\]; accepted: -h .* --honest$"),
    ("all_barrier", "-c", 2, {}, r"^Invalid option \[-c\]; accepted: "),
    ("all_reduce", "--sync window", 2, {}, r"^Invalid start \[--sync window\]; accepted: none, barrier$"),
    ("all_exchange", "-m 2097152", 4, {}, r"^The shared heap is too small \[UPC_SHARED_HEAP_SIZE=16\]: osu_upc_all_exchange needs \d+ bytes "),
    ("memput", "", 2, {"UPC_SHARED_HEAP_SIZE": "0.01GB"}, r"^The shared heap is too small \[UPC_SHARED_HEAP_SIZE=0.01GB\]: osu_upc_memput needs "),
    ("memput", "", 2, {"UPC_SHARED_HEAP_SIZE": "16 pages"}, r"^Invalid size of the shared heap \[UPC_SHARED_HEAP_SIZE=16 pages\]; accepted: "),
    ("all_scatter", "-m 8", 2, {"SONDE_FAULT": "full"}, r"^Error allocating host memory \[-m, UPC_SHARED_HEAP_SIZE\]; accepted: "),
    ("memput", "", 2, {"SONDE_FAULT": "apart"}, r"^Thread 0 of 1 of UPC is rank 0 of 2 of MPI; accepted: UPC for a network "),
    ("memget", "-m 20000000000000", 2, {}, r"^Not enough memory \[-i, -m\]: 2 ranks of a host need "),
]


class Tables(unittest.TestCase):
    def test_a_program_has_omb_s_title_columns_and_a_row_for_each_size(self):
        for name in ("memget", "all_gather_all"): # the others, with -c, are in contents.py
            with self.subTest(name):
                check_table(self, "UPC", BY_NAME[name], run_upc(BY_NAME[name], "-m", "8", "-i", "5", "-x", "1"), (1, 2, 4, 8))

    def test_a_barrier_has_a_row_without_a_size(self):
        title, titles, row = run_upc(BARRIER, "-f", "-i", "7", ranks=3).lines
        self.assertEqual(title, "# OSU UPC Barrier Latency Test v7.4")
        self.assertEqual(titles, f"# Avg Latency(us){'Min Latency(us)':>18}{'Max Latency(us)':>18}{'Iterations':>12}")
        self.assertRegex(row, r"^ *\d+\.\d\d( +\d+\.\d\d){2} +7$")
        self.assertEqual(len(row), len(titles))

    def test_a_loop_of_copies_is_one_sample_and_with_until_several(self):
        check_that_copies_are_one_sample(self, functools.partial(run_upc, BY_NAME["memget"]))


class Options(unittest.TestCase):
    def test_each_program_lists_its_options(self):
        check_options(self, "osu_upc_", [BY_NAME["memput"], BY_NAME["all_scatter"], BARRIER], run_upc)

    def test_all_programs_are_built(self):
        check_built(self, "osu_upc_", BY_NAME, FOLDER)

    def test_what_cannot_be_measured_is_refused_in_one_line_by_all_ranks(self):
        check_refused(self, BY_NAME, REFUSED, run_upc)
