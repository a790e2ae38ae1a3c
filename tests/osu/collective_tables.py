# SPDX-License-Identifier: BSL-1.0
"""The programs of collectives: their list, their text on stdout, and their numbers of MPI calls."""
import os
import re
import subprocess
import tempfile
import unittest

from collectives import ALL, ALL_HAVE, BUILT, BY_NAME
from driver import LONG, counted, read, run, statistics_titles, title_line

QUICK = ("-i", "3", "-x", "1")


def number(width=18):
    return rf"(?=.{{{width}}}) *\d+\.\d\d"


class Tables(unittest.TestCase):
    def test_there_are_the_programs_of_omb_and_scans_with_omb_s_titles_options_and_counts(self):
        lines = subprocess.run([os.environ["OSU_LIST"]], capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
        expected = [f"{c.name}\tOSU MPI {c.title} Latency Test\t{''.join(sorted(c.letters))}\t{' '.join(map(str, c.counts))}" for c in ALL]
        self.assertEqual(sorted(lines), sorted(expected))

    def test_all_programs_that_the_mpi_library_supports_are_built(self):
        missing = {c.family for c in ALL} - {c.family for c in BUILT}
        self.assertLessEqual(missing, {"persistent"})
        self.assertEqual(set(BUILT), {c for c in ALL if c.family not in missing})

    def expect(self, c, answer, ranks, sizes, full, checked, tails):
        self.assertEqual(answer.codes, [0] * ranks, answer)
        lines = answer.lines
        if c.neighbors:
            self.assertRegex("\n".join(lines[:2]), rf"^Dimensions size = {ranks} \nTime took to create topology graph:\d+\.\d\d us\.$")
            lines = lines[2:]
        preamble = c.preamble() + ["# Datatype: MPI_CHAR."] * c.sized
        self.assertEqual(lines[:len(preamble)], preamble)
        titles, *rows = lines[len(preamble):]
        columns = c.columns(full)
        extra = (["Validation"] if checked else []) + [f"P{p} Tail Lat(us)" for p in tails]
        first = 18 if c.sized else len("# " + columns[0])
        head = title_line(columns[:1]) if c.sized else "# " + columns[0]
        iterations = full and c.family != "nonblocking"
        self.assertEqual(titles, head + "".join(f"{t:>18}" for t in columns[1:]) + "  Iterations" * iterations +
                         "".join(f"{t:>18}" for t in extra))
        self.assertEqual(len(rows), len(sizes) if c.sized else 1)
        for size, row in zip(sizes, rows):
            self.assertRegex(row, "^" + (f"{size:<10}" if c.sized else "") + number(first) + f"({number()}){{{len(columns) - 1}}}" +
                             f"{3:12}" * iterations + "              Pass" * checked + f"({number()}){{{len(tails)}}}$")

    def test_each_prints_its_preamble_its_titles_and_a_row_for_each_size_with_right_contents(self):
        for c in BUILT:
            with self.subTest(c.name):
                given = ["-f", "-z9,99"] + (["-m", "4:64"] if c.sized else []) + (["-c", "-u", "1"] if c.checks else [])
                self.expect(c, run(c.name, *QUICK, *given, ranks=3), 3, [4, 8, 16, 32, 64], True, c.checks, (9, 99))

    def test_without_f_there_are_fewer_columns(self):
        for name in ("osu_scatterv", "osu_barrier", "osu_ibarrier", "osu_iallreduce", "osu_bcast_persistent", "osu_ineighbor_alltoall"):
            c = BY_NAME[name]
            if c in BUILT:
                with self.subTest(name):
                    self.expect(c, run(name, *QUICK, "-m", "4", ranks=5), 5, [1, 2, 4], False, False, ())

    def test_help_lists_the_options_of_one_program_of_each_family(self):
        for name in ("osu_reduce", "osu_ibarrier", "osu_ineighbor_alltoallw", "osu_gather_persistent"):
            c = BY_NAME[name]
            if c in BUILT:
                listed = dict(re.findall(r"^  -(\w), --(\S+) ", run(name, "-h", ranks=1).out, re.M))
                self.assertEqual(listed, {letter: LONG[letter] for letter in c.letters})
        self.assertEqual(run("osu_iscatter", "-v", ranks=2).out, "# OSU MPI Non-blocking Scatter Latency Test v7.4\n")

    def test_sizes_end_at_a_mebibyte_or_where_the_memory_limit_does(self):
        answer = run("osu_reduce_scatter", "-i", "1", "-x", "0", ranks=2)
        self.assertEqual([int(row[0]) for row in answer.rows], [2 ** k for k in range(21)])
        # One block for each rank: a third of the limit; one vector: all of it.
        answer = run("osu_alltoall", "-i", "1", "-x", "0", "-m", "131072:", "-M", "1048576", ranks=3)
        self.assertEqual([int(row[0]) for row in answer.rows], [131072, 262144])
        self.assertEqual(answer.err, "Warning! Limiting max message size to: 349525. Increase -M, --mem-limit for higher message sizes.\n")
        answer = run("osu_bcast", "-i", "1", "-x", "0", "-m", "524288:4194304", "-M", "5", ranks=3)
        self.assertEqual([int(row[0]) for row in answer.rows], [524288, 1048576])
        self.assertEqual(answer.err.splitlines()[0], "Requested memory limit too low, using [1048576] instead.")

    def test_derived_types_have_a_column_of_a_blocks_bytes(self):
        for name in ("osu_alltoallw", "osu_igather", "osu_neighbor_allgatherv"):
            answer = run(name, *QUICK, "-m4:16", "-D", "vect:4:2", "-a", "64", ranks=3)
            self.assertEqual([(int(row[0]), int(row[-1])) for row in answer.rows], [(4, 2), (8, 4), (16, 8)], answer)

    def test_columns_of_statistics_add_the_bus_bandwidth_or_the_overlap(self):
        answer = run("osu_allreduce", "-i", "20", "-m", "1024:1024", "--honest", "--report", "json=/dev/null", ranks=3)
        self.assertEqual(answer.lines[3], title_line(("Avg Latency(us)",)) + statistics_titles(more=("Bus (MB/s)",)))
        median, bus = (float(answer.rows[0][at]) for at in (2, 9))
        self.assertAlmostEqual(bus / (1024 / median * 2 * 2 / 3), 1, delta=0.001 + 0.005 / median + 0.006 / bus)
        columns = BY_NAME["osu_ialltoall"].columns(False)
        answer = run("osu_ialltoall", "-i", "20", "-m", "1024:1024", "--honest", "-t", "3", ranks=3)
        self.assertEqual(answer.lines[5], title_line(columns) + statistics_titles(more=("Hidden(%)",)))
        self.assertRegex(answer.rows[0][1 + len(columns) + 7], r"^-?\d+\.\d\d$")

    def test_a_file_of_edges_defines_the_neighbors(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/edges", "w") as file:
                file.write("# source, destination\n0,1\n\n1, 0\n 2,0\n0,2\n1,0\n")
            for name in ("osu_neighbor_alltoallv", "osu_ineighbor_allgather"):
                answer = run(name, *QUICK, "-m2:8", "-c", "-N", "graph:edges", ranks=3, folder=folder)
                self.assertRegex(answer.lines[0], "^Time took to create topology graph:")
                self.assertEqual([row[-1] for row in answer.rows], ["Pass"] * 3, answer)

    def test_a_grid_may_have_two_dimensions(self):
        answer = run("osu_neighbor_alltoall", *QUICK, "-m2:8", "-c", "--nhbr=cart:2:1", ranks=9, seconds=100)
        self.assertEqual(answer.lines[0], "Dimensions size = 3 3 ")
        self.assertEqual([row[-1] for row in answer.rows], ["Pass"] * 3, answer)


class Records(unittest.TestCase):
    def test_a_report_distinguishes_roots_placements_and_parts(self):
        import json
        with tempfile.TemporaryDirectory() as folder:
            run("osu_ireduce", *QUICK, "-m", "4:4", "-k", "rotate", "-l", "-c", "--report", "json=a", ranks=3, folder=folder)
            records = [json.loads(line) for line in read(f"{folder}/a").splitlines()[1:]]
        usual = {"bytes": 4, "datatype": "MPI_CHAR", "root": "rotating", "buffers": "in place", "work": "matrix"}
        self.assertEqual([r["parameters"] for r in records], [{**usual, "part": p} for p in ("communication", "work", "both")])
        self.assertEqual([r["errors"] for r in records], [None, None, 0])

    def test_a_report_has_the_topology_of_neighbors(self):
        import json
        with tempfile.TemporaryDirectory() as folder:
            run("osu_neighbor_allgather", *QUICK, "-m", "4:4", "--report", "json=a", ranks=3, folder=folder)
            record = json.loads(read(f"{folder}/a").splitlines()[1])
        self.assertEqual(record["parameters"]["neighbors"], "cart:1:1")


class Counts(unittest.TestCase):
    def one(self, name, *arguments, ranks=3):
        calls = counted(name, *arguments, ranks=ranks)
        self.assertEqual(len({tuple(sorted(c.items())) for c in calls}), 1, calls)
        return calls[0]

    def test_blocking_programs_have_a_barrier_before_each_call_and_one_before_the_end(self):
        for size, n in ((8192, 1100), (8193, 110)):
            calls = self.one("osu_allgatherv", "-m", f"{size}:{size}")
            self.assertEqual((calls["MPI_Allgatherv"], calls["MPI_Barrier"]), (n, n + 1))
        calls = self.one("osu_neighbor_alltoallv", "-m", "4:4", "-i", "7", "-x", "2")
        self.assertEqual(calls["MPI_Neighbor_alltoallv"], 9)

    def test_a_barrier_program_has_no_other_barrier(self):
        self.assertEqual(self.one("osu_barrier")["MPI_Barrier"], 1100 + 2 + 1)

    def test_a_checked_call_follows_u_unchecked_ones_after_the_measurement(self):
        self.assertEqual(self.one("osu_scatterv", "-m4:4", "-i6", "-x2", "-c", "-u3")["MPI_Scatterv"], 8 + 6 * 4)

    def test_non_blocking_programs_measure_the_call_alone_the_work_alone_and_both(self):
        calls = self.one("osu_ialltoall", "-m", "4:4", "-i", "20", "-x", "3", "-t", "4")
        self.assertEqual([calls[f"MPI_{what}"] for what in ("Ialltoall", "Wait", "Test", "Barrier")], [46, 46, 92, 70])
        self.assertEqual(self.one("osu_igatherv", "-m", "64:64", ranks=2)["MPI_Igatherv"], 2 * 1010)

    def test_a_non_blocking_barrier_has_barriers_only_for_the_work(self):
        calls = self.one("osu_ibarrier", ranks=2)
        self.assertEqual((calls["MPI_Ibarrier"], calls["MPI_Barrier"]), (2 * 110, 2 + 2 * 110 + 1))

    @unittest.skipUnless(BY_NAME["osu_reduce_persistent"] in BUILT, "the MPI library has no persistent collectives")
    def test_persistent_programs_start_and_wait(self):
        calls = self.one("osu_reduce_persistent", "-m", "4:4", "-i", "20", "-x", "3")
        self.assertEqual([calls[f"MPI_{what}"] for what in ("Start", "Wait", "Barrier")], [23, 23, 24])
