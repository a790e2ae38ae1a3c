# SPDX-License-Identifier: BSL-1.0
"""Validation of collectives: a wrong byte on one rank is found in every collective; refused input."""
import os
import tempfile
import unittest

from collectives import BUILT, BY_NAME
from driver import read, run

QUICK = ("-i", "2", "-x", "1")
AT_ROOT = ("gather", "gatherv", "reduce")


def damaged(name, *arguments, rank=2, ranks=3, folder=None, how="last", since=1):
    shim = {"LD_PRELOAD": os.environ["OSU_COLLECTIVE_FAULT_SHIM"], "SONDE_FAULT_RANK": str(rank), "SONDE_FAULT": how,
            "SONDE_FAULT_FROM": str(since)}
    return run(name, *QUICK, *arguments, ranks=ranks, environment=shim, folder=folder)


class Contents(unittest.TestCase):
    def test_a_flipped_bit_on_one_rank_fails_every_collective_on_all(self):
        others = ("osu_iallreduce", "osu_ialltoallw", "osu_ineighbor_allgatherv", "osu_reduce_scatter_persistent", "osu_bcast_persistent")
        for c in BUILT:
            if c.checks and (c.family == "blocking" or c.name in others):
                with self.subTest(c.name):
                    answer = damaged(c.name, "-c", "-u", "1", "-m32:64", rank=0 if c.kind in AT_ROOT else 2)
                    self.assertEqual(answer.codes, [1] * 3, answer)
                    self.assertEqual([(row[0], row[-1]) for row in answer.rows], [("32", "Fail")])
                    self.assertRegex(answer.lines[-1], rf"^DATA VALIDATION ERROR: \S*{c.name} exited with status 1 on message size 32\.$")

    def test_a_lost_last_operation_is_found_although_earlier_ones_left_the_same_contents(self):
        # 1 + 4 measured (with work another 5), 4 rounds of 6 for validation.
        for name, calls in (("osu_alltoallv", 29), ("osu_iallgather", 34), ("osu_scatter_persistent", 29)):
            if BY_NAME[name] in BUILT:
                with self.subTest(name):
                    given = ("-c", "-m4:4", "-i4", "-x1")
                    self.assertEqual(damaged(name, *given, how="lost", since=calls).codes, [1] * 3)
                    self.assertEqual(damaged(name, *given, how="lost", since=calls + 1).codes, [0] * 3)

    def test_every_type_is_right_in_place_and_out_of_place_with_any_root_on_several_numbers_of_ranks(self):
        for ranks, given, names in ((2, ["-l"], ("osu_gather", "osu_ireduce")),
                                    (3, ["-k", "rotate", "-l"], ("osu_gather", "osu_iscatterv", "osu_reduce", "osu_ireduce")),
                                    (5, ["-k", "fixed:4"], ("osu_iscatterv", "osu_reduce", "osu_igatherv"))):
            for name in names:
                with self.subTest(f"{name} {given} {ranks}"):
                    answer = run(name, *QUICK, "-i", "5", "-c", "-u", "2", "-m4:64", "-T", "all", *given, ranks=ranks)
                    self.assertEqual([row[-1] for row in answer.rows], ["Pass"] * 15, answer)
        for name, ranks in (("osu_allgatherv", 5), ("osu_alltoallw", 2), ("osu_allreduce", 5), ("osu_ireduce_scatter_block", 2),
                            ("osu_reduce_scatter", 5), ("osu_scan", 5), ("osu_iscan", 2), ("osu_exscan", 5), ("osu_iexscan", 3)):
            with self.subTest(f"{name} in place {ranks}"):
                answer = run(name, *QUICK, "-c", "-l", "-m1:64", "-T", "all", ranks=ranks)
                self.assertEqual([row[-1] for row in answer.rows], ["Pass"] * 17, answer)

    def test_data_are_validated_at_the_rotating_root(self):
        # Only on rank 1 a byte is wrong: in the one of three validated calls of which it is the root.
        answer = damaged("osu_reduce", "-c", "-u0", "-m4:4", "-i3", "-x0", "-k", "rotate", rank=1)
        self.assertEqual((answer.codes, answer.rows[0][-1]), ([1] * 3, "Fail"))
        answer = damaged("osu_reduce", "-c", "-u0", "-m4:4", "-i1", "-x0", "-k", "rotate", rank=1)
        self.assertEqual((answer.codes, answer.rows[0][-1]), ([0] * 3, "Pass"))

    def test_the_destination_of_an_edge_receives_and_its_source_does_not(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/edges", "w") as file:
                file.write("0,1\n")
            for rank, code in ((0, 0), (1, 1)):
                answer = damaged("osu_neighbor_alltoall", "-c", "-m4:4", "-N", "graph:edges", rank=rank, ranks=2, folder=folder)
                self.assertEqual(answer.codes, [code] * 2, answer)

    def test_wrong_elements_are_listed_by_the_rank_that_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            damaged("osu_allgather", "-clog:wrong", "-m8:8", "-T", "mpi_int", rank=1, folder=folder)
            self.assertEqual(os.listdir(f"{folder}/wrong"), ["log-1.log"])
            lines = read(f"{folder}/wrong/log-1.log").splitlines()
            # Two rounds; element 5 of the region is the second of rank 2.
            value = 7 * 2 + 31 * 2
            self.assertEqual(lines[:3], ["Size: 8, Iteration:0, Datatype: MPI_INT", f"{'Position':<10}{'Expected':>18}{'Actual':>18}",
                                         f"{5:<10}{value:>18}{value ^ 0x20000000:>18}"])
            self.assertEqual(len(lines), 2 * 3)


class Refusals(unittest.TestCase):
    def test_bad_input_is_one_line_on_all_ranks_before_anything_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("absent", "0,1\n1,3\n"), ("bad", "0,1\n1;0\n"), ("empty", "# none\n")):
                with open(f"{folder}/{name}", "w") as file:
                    file.write(text)
            for given, line in (
                    ("osu_gather -k fixed:3", r"^Root rank cannot be more than number of processes \[-k fixed:3\]; accepted: rotate, and fixed:0 to fixed:2$"),
                    ("osu_ireduce -k fixed", r"^Invalid root rank \[-k fixed\]; accepted: rotate, or fixed:R"),
                    ("osu_scatter -k fixed:-1", r"^Invalid root rank \[-k fixed:-1\]; accepted: "),
                    ("osu_bcast -k rotate", r"^Invalid option \[-k\]; accepted: "),
                    ("osu_allreduce -D cont", r"^Invalid option \[-D\]; accepted: "),
                    ("osu_barrier -c", r"^Invalid option \[-c\]; accepted: "),
                    ("osu_iallgather -t x", r"^Invalid Number of Probes \[-t x\]; accepted: "),
                    ("osu_allgather -a 0", r"^Invalid Device Array Size \[-a 0\]; accepted: "),
                    ("osu_allgather -M 1k", r"^Invalid Memory Limit \[-M 1k\]; accepted: "),
                    ("osu_reduce -m 2097152:4194304 -M 1048576", r"^Memory limit smaller than one message \[-M 1048576\].*accepted: "),
                    ("osu_allgather -m 1:4294967296 -M 99999999999", r"^Too many elements \[-m\]: .*4294967296 elements.*; accepted: "),
                    ("osu_ialltoallv -m 1:1073741824 -M 99999999999", r"^Too many elements \[-m\]: .*; accepted: "),
                    ("osu_neighbor_allgather -N cart:1:2", r"^Radius too large \[-N cart:1:2\].*accepted: a radius of at most 1$"),
                    ("osu_neighbor_alltoallw -N cart:2:1", r"^Radius too large \[-N cart:2:1\].*accepted: more ranks or fewer dimensions$"),
                    ("osu_ineighbor_alltoall -N cart:1", r"^Invalid topology \[-N cart:1\]; accepted: graph:FILE, or cart:"),
                    ("osu_neighbor_allgather -N ring:1:1", r"^Invalid topology \[-N ring:1:1\]; accepted: "),
                    ("osu_neighbor_allgather -N graph:/nowhere", r"^Cannot read the file .* \[-N graph:/nowhere\]; accepted: "),
                    ("osu_neighbor_allgatherv -N graph:absent", r"^Number of processes is less than graph nodes: there is no rank 3 of 3 \[-N graph:absent\]"),
                    ("osu_ineighbor_allgather -N graph:bad", r"^Line 2 is no edge \[-N graph:bad\]; accepted: "),
                    ("osu_neighbor_alltoallv -N graph:empty", r"^There is no edge \[-N graph:empty\]; accepted: ")):
                with self.subTest(given):
                    answer = run(*given.split(), ranks=3, folder=folder)
                    self.assertEqual(answer.codes, [1] * 3, answer)
                    self.assertEqual((answer.out, len(answer.err.splitlines())), ("", 1), answer)
                    self.assertRegex(answer.err, line)

    def test_one_rank_is_too_few(self):
        answer = run("osu_ibarrier", ranks=1)
        self.assertEqual((answer.codes, answer.err), ([1], "This test requires at least two processes; it was started with 1\n"))
