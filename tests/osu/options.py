# SPDX-License-Identifier: BSL-1.0
"""Every syntax of an option, and the options of each program."""
import re
import tempfile
import unittest

from driver import ALL, LONG, counted, run

QUICK = ("-i", "2", "-x", "0", "-W", "2")


class Options(unittest.TestCase):
    def test_each_program_lists_the_options_of_its_kind_and_ends_well(self):
        for program in ALL:
            with self.subTest(program.name):
                answer = run(program.name, "-h", ranks=1)
                self.assertEqual(answer.codes, [0])
                self.assertEqual(answer.lines[0], f"Usage: {program.name} [options] [SRC DST]")
                self.assertIn("Options:", answer.lines)
                listed = dict(re.findall(r"^  -(\w), --(\S+) ", answer.out, re.M))
                self.assertEqual(listed, {letter: LONG[letter] for letter in program.letters})

    def test_the_version_is_the_title(self):
        for given in ("-v", "--version"):
            answer = run("osu_mbw_mr", given, ranks=2)
            self.assertEqual((answer.out, answer.codes), ("# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n", [0, 0]))

    def test_sizes_have_four_syntaxes(self):
        for given, sizes in (("-m4", [1, 2, 4]), ("-m2:4", [2, 4]), ("--message-size=:2", [1, 2]), ("--mess=0:2", [1, 2])):
            with self.subTest(given):
                self.assertEqual([int(row[0]) for row in run("osu_bw", *QUICK, given).rows], sizes)
        rows = run("osu_bw", *QUICK, "-m", "2097152:").rows
        self.assertEqual([int(row[0]) for row in rows], [2097152, 4194304])

    def test_an_optional_argument_may_be_attached_or_separate(self):
        # value, then the columns of -c and -z
        for given, columns in ((["-z"], 4), (["-z50"], 2), (["-z", "50,99"], 3), (["--tail-lat=50,99"], 3),
                               (["--tail-lat", "9"], 2), (["-cz"], None), (["-c", "-z"], 5), (["--validation"], 2),
                               (["-z", "H", "H"], 4), (["-z50", "-c", "H", "H"], 3)):
            with self.subTest(" ".join(given)):
                answer = run("osu_latency", "-i", "2", "-m1", *given)
                if columns is None:
                    self.assertEqual(answer.codes, [1, 1])  # -c takes the rest of its argument
                else:
                    self.assertEqual([len(row) for row in answer.rows], [1 + columns], answer)

    def test_options_after_words_count(self):
        answer = run("osu_latency", "H", "H", "-i", "2", "-m", "2")
        self.assertEqual([row[0] for row in answer.rows], ["1", "2"])

    def test_the_window_may_be_varied_by_letter_and_by_name(self):
        for given in (["-V"], ["--vary-window"], ["--vary-window", "1"], ["-Vz"], ["--vary-window=1"]):
            with self.subTest(" ".join(given)):
                answer = run("osu_mbw_mr", *QUICK, "-m1", *given)
                self.assertIn("# Message Rate Profile", answer.lines, answer)

    def test_the_last_of_two_options_wins(self):
        calls = counted("osu_latency", "-i", "9", "-x", "3", "-m", "1", "-i", "4", "--warmup=1")
        self.assertEqual(calls[0]["MPI_Send"], 5)

    def test_buffers_may_be_single_or_multiple(self):
        for given, buffers in (("single", 1), ("multiple", 3)):
            calls = counted("osu_bibw", *QUICK, "-W3", "-m8:8", f"--buffer-num={given}")
            self.assertEqual([c["sent_buffers"] for c in calls], [buffers] * 2, given)

    def test_an_indexed_type_has_all_its_blocks_and_needs_no_long_message(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("# displacement, length\n2, 10\n\n  20,5\n")
            file.flush()
            answer = run("osu_bw", *QUICK, "-m4", "-Tmpi_int", "--ddt=indx:" + file.name)
            self.assertEqual([row[-1] for row in answer.rows], ["60"], answer)
            self.assertEqual(run("osu_bw", *QUICK, "-m4", "-b", "multiple", "-Dindx:" + file.name).rows[0][-1], "15")
