# SPDX-License-Identifier: BSL-1.0
"""What options add to the text of a program, and sizes: of messages, of collectives, of one-sided transfers, of OpenSHMEM and of NCCL."""
import re
import tempfile
import unittest

from driver import is_row, run, statistics_titles, title_line
from programs import BY_NAME, NCCL_FAKES, ONE_SIDED_PROGRAMS, OVERLAP, SHMEM_SHIM, start, windows_of

QUICK = ("-i", "3", "-x", "1")
OTHER_WINDOWS = {
    "put_latency": ("create", "lock_all"), "get_latency": ("dynamic", "fence"), "acc_latency": ("create", "pscw"), "get_acc_latency": ("allocate", "flush"),
    "fop_latency": ("dynamic", "lock"), "cas_latency": ("create", "fence"), "put_bw": ("create", "flush_local"), "get_bw": ("allocate", "pscw"),
    "put_bibw": ("dynamic", "fence")}


class Messages(unittest.TestCase):
    def check(self, name, answer, types, sizes, columns):
        """All of the output: what is above, then for each type its lines."""
        program = BY_NAME[name]
        self.assertEqual(answer.codes, [0] * program.ranks, answer)
        above = [*program.before, f"# {program.title} v7.4", *program.after[:-1]]
        lines = answer.lines
        self.assertEqual(lines[:len(above)], above)
        at = len(above)
        for kind in types:
            self.assertEqual(lines[at:at + 2], [f"# Datatype: {kind}.", title_line(columns)])
            for size, line in zip(sizes(kind), lines[at + 2:]):
                self.assertTrue(is_row(line, size, len(columns)), f"{size}: '{line}'")
            at += 2 + len(sizes(kind))
        self.assertEqual(lines[at:], [])

    def test_sizes_go_from_1_to_4194304_by_default(self):
        for name in ("osu_latency", "osu_bw", "osu_mbw_mr"):
            with self.subTest(name):
                answer = run(name, "-i", "1", "-x", "0", *(() if name == "osu_latency" else ("-W", "1")))
                self.assertEqual([int(row[0]) for row in answer.rows], [2 ** k for k in range(23)])

    def test_sizes_double_from_any_first_one(self):
        self.assertEqual([row[0] for row in run("osu_bw", *QUICK, "-m3:100").rows], ["3", "6", "12", "24", "48", "96"])

    def test_all_types_have_lines_of_their_own_and_no_size_below_an_element(self):
        sizes = {"MPI_CHAR": [1, 2, 4, 8], "MPI_INT": [4, 8], "MPI_FLOAT": [4, 8]}
        self.check("osu_bw", run("osu_bw", *QUICK, "-m", "8", "-T", "ALL"), sizes, sizes.get, ("Bandwidth (MB/s)",))

    def test_types_come_in_the_order_given(self):
        answer = run("osu_latency", *QUICK, "-m", "4", "-T", "mpi_float", "--type=MPI_CHAR")
        kinds = [line for line in answer.lines if "Datatype" in line]
        self.assertEqual(kinds, ["# Datatype: MPI_FLOAT.", "# Datatype: MPI_CHAR."])

    def test_percentiles_have_columns_in_the_order_given(self):
        for name in ("osu_multi_lat", "osu_bibw"):
            program = BY_NAME[name]
            for given, percents in (("-z", (50, 90, 99)), ("-z9,50,1", (9, 50, 1)), ("--tail-lat=0,75", (0, 75))):
                with self.subTest(f"{name} {given}"):
                    self.check(name, start(program, *QUICK, "-m", "2", given), ["MPI_CHAR"], lambda kind: [1, 2],
                               (*program.columns, *(f"P{p}{program.tail}" for p in percents)))

    def test_the_hundredth_percentile_has_a_title_of_19(self):
        answer = run("osu_bw", *QUICK, "-m", "1", "-z99,100")
        self.assertEqual(answer.lines[3], title_line(("Bandwidth (MB/s)", "P99 Tail BW(MB/s)")) + " P100 Tail BW(MB/s)")

    def test_percentiles_are_within_the_samples(self):
        row = run("osu_latency", "-i", "5", "-m", "1", "-z0,1,50,100").rows[0]
        low, one, middle, high = map(float, row[2:])
        self.assertTrue(0 < low == one <= middle <= high)

    def test_percentiles_of_bandwidth_are_those_of_slow_samples(self):
        row = run("osu_bw", "-i", "40", "-m", "4096:4096", "-z0,50,100").rows[0]
        best, middle, worst = map(float, row[2:])
        self.assertTrue(best >= middle >= worst > 0)

    def test_derived_types_have_a_column_of_sent_bytes(self):
        for given, sent in (("cont", [4, 8, 16]), ("vect:4:2", [2, 4, 8]), ("VECTOR:8:3", [0, 3, 6])):
            with self.subTest(given):
                answer = run("osu_latency", *QUICK, "-m4:16", "-D", given)
                self.assertEqual([int(row[-1]) for row in answer.rows], sent)
                self.assertEqual(answer.lines[3], title_line(("Avg Latency(us)", "Transmit Size")))

    def test_the_rate_can_be_left_out(self):
        answer = run("osu_mbw_mr", *QUICK, "-m", "2", "-R", "0", "-p", "1", "-W", "3", ranks=4)
        self.check("osu_mbw_mr", answer, ["MPI_CHAR"], lambda kind: [1, 2], ("MB/s",))

    def test_an_odd_rank_without_partner_stays_idle_and_is_named_on_stderr(self):
        answer = run("osu_mbw_mr", *QUICK, "-m", "2", "-c", ranks=3)
        self.assertEqual(answer.codes, [0, 0, 0])
        self.assertEqual(answer.lines[1], "# [ pairs: 1 ] [ window size: 64 ]")
        self.assertEqual([row[3] for row in answer.rows], ["Pass", "Pass"])
        self.assertRegex(answer.err, r"odd; rank 2 has no partner")

    def test_varied_windows_have_a_table_of_bandwidths_and_one_of_rates(self):
        heading = "#      " + "".join(f"  {2 ** k:>10}" for k in range(8))
        lines = run("osu_mbw_mr", *QUICK, "-m", "2", "-V", ranks=4).lines
        expected = ["# OSU MPI Multiple Bandwidth / Message Rate Test v7.4", "# [ pairs: 2 ] [ window size: varied ]", "",
                    "# Uni-directional Bandwidth (MB/sec)", "# Datatype: MPI_CHAR.", heading, None, None,
                    "", "# Message Rate Profile", heading, None, None]
        self.assertEqual([None if want is None else line for line, want in zip(lines, expected)], expected)
        self.assertEqual(len(lines), len(expected))
        for at, size in ((6, "1"), (7, "2"), (11, "1"), (12, "2")):
            self.assertRegex(lines[at], rf"^{size}      (  (?=.{{10}}) *\d+\.\d\d){{8}}$")

    def test_rates_of_varied_windows_are_those_of_the_bandwidths(self):
        rows = run("osu_mbw_mr", *QUICK, "-m", "1024:1024", "-V").rows
        self.assertEqual([len(row) for row in rows], [9, 9])
        for bandwidth, rate in zip(rows[0][1:], rows[1][1:]):
            self.assertAlmostEqual(float(rate) * 1024e-6, float(bandwidth), delta=0.006)

    def test_statistics_come_last_and_as_wide(self):
        answer = run("osu_latency", "-i", "20", "-m", "2", "--honest", "-c")
        self.assertEqual(answer.lines[3], title_line(("Avg Latency(us)", "Validation")) + statistics_titles())
        for row in answer.rows:
            self.assertEqual(row[6], "-")  # 20 samples do not bound a 99th percentile
            if row[4] == "-":  # withheld
                self.assertIn("correlated", " ".join(row[15:]))
            else:
                self.assertTrue(float(row[4]) <= float(row[3]) <= float(row[5]), row)
            self.assertEqual(row[10:12], ["20", "1"])
            self.assertEqual(row[14], "samples")
        self.assertTrue(all(len(line) >= len(answer.lines[3]) for line in answer.lines[3:]))

    def test_an_interval_of_a_rate_goes_from_low_to_high(self):
        for row in run("osu_mbw_mr", "-i", "300", "-m", "4096:4096", "-W", "2", "--honest").rows:
            if row[4] == "-":  # withheld, with the tail's bound
                self.assertIn("correlated", " ".join(row))
                continue
            middle, low, high, tail = map(float, row[3:7])
            self.assertTrue(0 < tail <= low <= middle <= high, row)

    def test_five_samples_have_no_interval(self):
        row = run("osu_bw", "-i", "5", "-m", "1", "--honest").rows[0]
        self.assertEqual(row[3:6], ["-", "-", "-"])
        self.assertRegex(row[2], r"^\d+\.\d\d$")


class Collectives(unittest.TestCase):
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
        answer = run("osu_ialltoall", "-i", "20", "-m", "1024:1024", "--honest", "-t", "3", ranks=3)
        self.assertEqual(answer.lines[5], title_line(OVERLAP) + statistics_titles(more=("Hidden(%)",)))
        self.assertRegex(answer.rows[0][1 + len(OVERLAP) + 7], r"^-?\d+\.\d\d$")

    def test_a_file_of_edges_defines_the_neighbors(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/edges", "w") as file:
                file.write("# source, destination\n0,1\n\n1, 0\n 2,0\n0,2\n1,0\n")
            for name in ("osu_neighbor_alltoallv", "osu_ineighbor_allgather"):
                answer = run(name, *QUICK, "-m2:8", "-c", "-N", "graph:edges", ranks=3, folder=folder)
                self.assertRegex(answer.lines[0], "^Time took to create topology graph:")
                self.assertEqual([row[-1] for row in answer.rows], ["Pass"] * 3, answer)

    def test_a_grid_may_have_two_dimensions(self):
        answer = run("osu_neighbor_alltoall", *QUICK, "-m2:8", "-c", "--nhbr=cart:2:1", ranks=9)
        self.assertEqual(answer.lines[0], "Dimensions size = 3 3 ")
        self.assertEqual([row[-1] for row in answer.rows], ["Pass"] * 3, answer)

    def test_full_columns_are_the_shortest_and_longest_mean_and_the_iterations(self):
        for name in ("osu_allgather", "osu_oshm_fcollect", "osu_upcxx_allgather"):
            if name in BY_NAME: # there may be no OpenSHMEM
                row, = start(BY_NAME[name], "-f", "-m", "8:8", "-i", "20", ranks=3).rows
                self.assertEqual((len(row), row[0], row[4]), (5, "8", "20"))
                self.assertTrue(float(row[2]) <= float(row[1]) <= float(row[3]), row)

    @unittest.skipUnless(SHMEM_SHIM, "built without OpenSHMEM")
    def test_sizes_of_openshmem_are_multiples_of_four_bytes_from_min_to_max_and_within_the_limit(self):
        for given, sizes in (("-m 6:16", ["4", "8", "16"]), ("-m 16:64 -M 64", ["16", "32"])):
            answer = start(BY_NAME["osu_oshm_collect"], *given.split(), "-i", "1", "-x", "0", ranks=2)
            self.assertEqual([row[0] for row in answer.rows], sizes)

    @unittest.skipUnless(NCCL_FAKES, "built without NCCL")
    def test_messages_of_nccl_may_be_empty(self):
        self.assertEqual([row[0] for row in start(BY_NAME["osu_xccl_latency"], "-m2", "-i3", "-x1").rows], ["0", "1", "2"])

    @unittest.skipUnless(NCCL_FAKES, "built without NCCL")
    def test_a_memory_limit_lowers_the_largest_size_of_nccl(self):
        for name, warning in (("allgather", "Warning! Increase the Max Memory Limit to be able to run up to 1048576 bytes.\n"
                                            "Continuing with max message size of 524288 bytes\n"), ("alltoall", "")):
            answer = start(BY_NAME["osu_xccl_" + name], "-M", "1048577", "-m", "524288:1048576", "-i", "1", "-x", "0", ranks=2)
            self.assertEqual(([row[0] for row in answer.rows], answer.err), (["524288"], warning))


class OneSided(unittest.TestCase):
    def test_windows_and_synchronizations_are_named(self):
        for program in ONE_SIDED_PROGRAMS:
            pair = OTHER_WINDOWS[program.name.removeprefix("osu_")]
            with self.subTest(f"{program.name} {pair}"):
                answer = start(program, *QUICK, "-m8", "-w", pair[0].upper(), f"-s{pair[1]}")
                self.assertEqual(answer.codes, [0, 0], answer)
                self.assertEqual(answer.lines[1:3], list(windows_of(*pair)[:2]))

    def test_atomics_restart_with_each_datatype_and_end_with_each_ranks_result(self):
        for name, kinds, given in (("acc", {"MPI_CHAR": [1, 2, 4], "MPI_INT": [4], "MPI_FLOAT": [4]}, "-T all"),
                                   ("fop", {"MPI_INT": [4], "MPI_CHAR": [1]}, "-T mpi_int -Tmpi_char"), ("cas", {"MPI_CHAR": [1], "MPI_INT": [4]}, "-T all")):
            with self.subTest(name):
                program = BY_NAME[f"osu_{name}_latency"]
                expected = []
                for kind, rows in kinds.items():
                    expected += [f"# {program.title} v7.4", *windows_of("allocate", "flush", kind=kind), title_line(["Latency (us)", "Validation"]), *rows]
                for rank in (0, 1):
                    passed = [f"PASSED: All {len(kinds)} combinations of ops and datatypes tested passed."] * (rank == 1 or name != "acc")
                    expected += ["-" * 43, f"Atomic Data Validation results for Rank={rank}:", *passed, "-" * 43]
                lines = start(program, *QUICK, "-m4", "-c", *given.split()).lines
                self.assertEqual(len(lines), len(expected), lines)
                for line, want in zip(lines, expected):
                    self.assertTrue(line == want or (isinstance(want, int) and is_row(line, want, 1, ("passed",))), f"{line} {want}")

    def test_percentiles_and_statistics_come_last(self):
        answer = run("osu_put_bw", "-i30", "-m1", "-z50,100", "-W2")
        self.assertEqual(answer.lines[4], title_line(["Bandwidth (MB/s)", "P50 Tail BW(MB/s)"]) + " P100 Tail BW(MB/s)")
        answer = run("osu_put_latency", "-i30", "-m1", "-s", "fence", "-c", "-z0,100", "--honest")
        self.assertEqual(answer.lines[4], title_line(["Latency (us)", "Validation", " P0 Tail Lat(us)"])
                         + "  P100 Tail Lat(us)" + statistics_titles())
        row = answer.rows[0]
        least, most, middle = float(row[3]), float(row[4]), float(row[5])
        self.assertTrue(least <= middle <= most and least <= float(row[1]) <= most, row)


class Threads(unittest.TestCase):
    """Of threads and of processes of both sides."""

    def test_t_sets_the_receivers_or_both_sides(self):
        for name, given, senders, receivers in (("mt", "-t 3", 1, 3), ("mt", "--num-test-calls=2:1", 2, 1), ("mp", "-t 3", 0, 3), ("mp", "-t 1:2", 1, 2)):
            lines = start(BY_NAME["osu_latency_" + name], *QUICK, "-m", "2", *given.split()).lines
            said = [re.sub(r"\d+ ?$", "", line) for line in BY_NAME["osu_latency_" + name].before[:2]]
            self.assertEqual([line.rstrip() for line in lines[:2]], [f"{said[0]}{senders}", f"{said[1]}{receivers}"])

    def test_titles_are_printed_once_for_any_number_of_threads(self):
        answer = start(BY_NAME["osu_latency_mt"], *QUICK, "-m", "4", "-t", "2:3", "-c", "-T", "all")
        self.assertEqual([line for line in answer.lines if "Datatype" in line], ["# Datatype: MPI_CHAR.", "# Datatype: MPI_INT.", "# Datatype: MPI_FLOAT."])
        self.assertEqual([line for line in answer.lines if "Size" in line], [title_line(("Avg Latency(us)", "Validation"))] * 3)
        self.assertEqual([row[0] for row in answer.rows], ["1", "2", "4", "4", "4"])

    def test_further_columns_of_processes_are_18_wide(self):
        answer = start(BY_NAME["osu_latency_mp"], *QUICK, "-m", "1", "-z50,99")
        self.assertEqual(answer.lines[5], title_line(("Avg Latency(us)", "P50 Tail Lat(us)", "P99 Tail Lat(us)")))
        self.assertEqual(len(answer.lines[6]), 10 + 10 + 18 + 18)


class Startup(unittest.TestCase):
    def test_help_and_version_end_with_0(self):
        for name, options in (("osu_hello", "-h -v"), ("osu_init", "-h -v -I")):
            for word in ("-h", "--help"):
                answer = run(name, word, ranks=2)
                self.assertEqual((answer.codes, answer.err, answer.lines[0]), ([0, 0], "", f"Usage: {name} [options] [SRC DST]"))
                self.assertEqual(re.findall(r"(?m)^  (-\w), --", answer.out), options.split())
        for name, title in (("osu_hello", "Hello World"), ("osu_init", "Init")):
            for word in ("-v", "--version"):
                answer = run(name, word, ranks=2)
                self.assertEqual((answer.codes, answer.out, answer.err), ([0, 0], f"# OSU MPI {title} Test v7.4\n", ""))

    def test_the_start_time_is_in_whole_milliseconds_and_the_greeting_has_the_number_of_ranks(self):
        for ranks in (1, 3):
            answer = run("osu_init", ranks=ranks)
            self.assertEqual((answer.codes, answer.lines[0]), ([0] * ranks, "# OSU MPI Init Test v7.4"))
            found = re.fullmatch(r"nprocs: (\d+), min: (\d+) ms, max: (\d+) ms, avg: (\d+) ms", answer.lines[1])
            n, least, most, mean = map(int, found.groups())
            self.assertTrue(n == ranks and 0 < least <= mean <= most and len(answer.lines) == 2, answer)
        answer = run("osu_hello", ranks=3)
        self.assertEqual((answer.codes, answer.lines), ([0] * 3, ["# OSU MPI Hello World Test v7.4", "This is a test with 3 processes"]))
