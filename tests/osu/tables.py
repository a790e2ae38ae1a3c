# SPDX-License-Identifier: BSL-1.0
"""The text on stdout, line by line, in the format that readers of OMB's output expect."""
import unittest

from driver import ALL, BY_NAME, is_row, run, statistics_titles, title_line

QUICK = ("-i", "3", "-x", "1")


class Tables(unittest.TestCase):
    def check(self, program, answer, types, sizes, columns, texts=()):
        """All of the output: preamble, then for each type its lines; columns include those of the texts."""
        self.assertEqual(answer.codes, [0] * program.ranks, answer)
        lines = answer.lines
        self.assertEqual(lines[:len(program.preamble)], program.preamble)
        at = len(program.preamble)
        for kind in types:
            self.assertEqual(lines[at], f"# Datatype: {kind}.")
            self.assertEqual(lines[at + 1], title_line(columns))
            at += 2
            for size in sizes(kind):
                self.assertTrue(is_row(lines[at], size, len(columns) - len(texts), texts), f"{size}: '{lines[at]}'")
                at += 1
        self.assertEqual(lines[at:], [])

    def test_each_program_prints_its_preamble_its_titles_and_a_row_for_each_size(self):
        for program in ALL:
            with self.subTest(program.name):
                answer = run(program.name, *QUICK, "-m", "8", ranks=program.ranks)
                self.check(program, answer, ["MPI_CHAR"], lambda kind: [1, 2, 4, 8], program.columns)

    def test_sizes_go_from_1_to_4194304_by_default(self):
        for name in ("osu_latency", "osu_bw", "osu_mbw_mr"):
            with self.subTest(name):
                answer = run(name, "-i", "1", "-x", "0", *(() if name == "osu_latency" else ("-W", "1")))
                self.assertEqual([int(row[0]) for row in answer.rows], [2 ** k for k in range(23)])

    def test_sizes_double_from_any_first_one(self):
        self.assertEqual([row[0] for row in run("osu_bw", *QUICK, "-m3:100").rows], ["3", "6", "12", "24", "48", "96"])

    def test_all_types_have_lines_of_their_own_and_no_size_below_an_element(self):
        program = BY_NAME["osu_bw"]
        sizes = {"MPI_CHAR": [1, 2, 4, 8], "MPI_INT": [4, 8], "MPI_FLOAT": [4, 8]}
        answer = run("osu_bw", *QUICK, "-m", "8", "-T", "ALL")
        self.check(program, answer, sizes, sizes.get, program.columns)

    def test_types_come_in_the_order_given(self):
        answer = run("osu_latency", *QUICK, "-m", "4", "-T", "mpi_float", "--type=MPI_CHAR")
        kinds = [line for line in answer.lines if "Datatype" in line]
        self.assertEqual(kinds, ["# Datatype: MPI_FLOAT.", "# Datatype: MPI_CHAR."])

    def test_validation_has_a_column(self):
        for program in ALL:
            with self.subTest(program.name):
                answer = run(program.name, *QUICK, "-m", "4:8", "-c", "-u", "1", ranks=program.ranks)
                columns = (*program.columns, "Validation")
                self.check(program, answer, ["MPI_CHAR"], lambda kind: [4, 8], columns, ("Pass",))

    def test_percentiles_have_columns_in_the_order_given(self):
        for name in ("osu_multi_lat", "osu_bibw"):
            program = BY_NAME[name]
            for given, percents in (("-z", (50, 90, 99)), ("-z9,50,1", (9, 50, 1)), ("--tail-lat=0,75", (0, 75))):
                with self.subTest(f"{name} {given}"):
                    answer = run(name, *QUICK, "-m", "2", given, ranks=program.ranks)
                    columns = (*program.columns, *(f"P{p}{program.tail}" for p in percents))
                    self.check(program, answer, ["MPI_CHAR"], lambda kind: [1, 2], columns)

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
        answer = run("osu_mbw_mr", *QUICK, "-m", "2", "-R", "0", "-p", "1", ranks=4)
        self.check(BY_NAME["osu_mbw_mr"], answer, ["MPI_CHAR"], lambda kind: [1, 2], ("MB/s",))

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
