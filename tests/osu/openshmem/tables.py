# SPDX-License-Identifier: BSL-1.0
"""Programs of OpenSHMEM: the text on stdout, which is OMB's but for the figures, and the options of each."""
import json
import os
import re
import statistics
import tempfile
import unittest

from driver import PROGRAMS, at_once, is_row, read, run, statistics_titles, title_line
from openshmem.programs import ALL, BY_NAME, ROWS_OF_ATOMICS, run_oshm

SKIPPED = "shmem_int_cswap"  # in libraries that do not survive it


def is_value(cell):
    return re.fullmatch(r" *\d+\.\d\d", cell) is not None


class Tables(unittest.TestCase):
    def check_head(self, program, answer, titles):
        self.assertEqual(set(answer.codes), {0}, answer)
        head = [f"# OSU OpenSHMEM {program.title} v7.4", *program.preamble, titles]
        self.assertEqual(answer.lines[:len(head)], head)
        return answer.lines[len(head):]

    def check_rows(self, program, answer, sizes, figures, texts=()):
        lines = self.check_head(program, answer, title_line(program.columns))
        self.assertEqual(len(lines), len(sizes), answer)
        for line, size in zip(lines, sizes):
            self.assertTrue(is_row(line, size, figures, texts), line)

    def test_each_program_with_sizes_has_omb_s_title_columns_and_a_row_for_each_size(self):
        sized = [p for p in ALL if p.name not in ("put_overlap", "atomics", "barrier")]
        for program, answer in at_once(lambda p: run_oshm(p, "-m", "16", "-i", "5", "-x", "1"), sized):
            with self.subTest(program.name):
                self.check_rows(program, answer, [s for s in (1, 2, 4, 8, 16) if s >= program.smallest], 1)

    def test_data_may_be_in_global_arrays(self):
        programs = [BY_NAME[name] for name in ("get", "put_mr", "put_overlap")]
        for program, answer in at_once(lambda p: run_oshm(p, "global", "-m", "4:8", "-i", "5", "-x", "1", "-c"), programs):
            with self.subTest(program.name):
                self.assertEqual(set(answer.codes), {0}, answer)
                self.assertEqual([(row[0], row[-1]) for row in answer.rows], [("4", "passed"), ("8", "passed")])

    def test_overlap_has_values_that_are_a_character_narrower_than_their_titles(self):
        program = BY_NAME["put_overlap"]
        lines = self.check_head(program, run_oshm(program, "-m", "2", "-i", "5", "-x", "1"), title_line(program.columns))
        for line, size in zip(lines, (1, 2)):
            cells = [line[at:at + 17] for at in range(10, len(line), 17)]
            self.assertEqual((line[:10], len(cells)), (f"{size:<10}", 5))
            self.assertTrue(all(map(is_value, cells)), line)
        self.assertEqual(len(lines), 2)

    def test_atomics_have_a_row_for_each_operation(self):
        program = BY_NAME["atomics"]
        titles = f"{'# Operation':<20}{'Million ops/s':>18}{'Latency (us)':>18}"
        lines = self.check_head(program, run_oshm(program), titles)
        self.assertEqual([line[:20].rstrip() for line in lines], ROWS_OF_ATOMICS)
        for line in lines:
            skipped = line.startswith(SKIPPED + " ") and line[20:] == f"{'-':>18}" * 2
            self.assertTrue(skipped or (len(line) == 56 and is_value(line[20:38]) and is_value(line[38:])), line)

    def test_a_barrier_has_a_row_without_a_size(self):
        program = BY_NAME["barrier"]
        for given, titles, form in (((), "# Avg Latency(us)", r" *\d+\.\d\d"),
                                    (("-f", "-i", "7"), f"# Avg Latency(us){'Min Latency(us)':>18}{'Max Latency(us)':>18}{'Iterations':>12}",
                                     r" *\d+\.\d\d( +\d+\.\d\d){2} +7")):
            line, = self.check_head(program, run_oshm(program, *given), titles)
            self.assertRegex(line, f"^{form}$")
            self.assertEqual(len(line), len(titles))

    def test_full_columns_are_the_shortest_and_longest_mean_and_the_iterations(self):
        row, = run_oshm(BY_NAME["fcollect"], "-f", "-m", "8:8", "-i", "20").rows
        self.assertEqual((len(row), row[0], row[4]), (5, "8", "20"))
        self.assertTrue(float(row[2]) <= float(row[1]) <= float(row[3]), row)

    def test_sizes_are_multiples_of_four_bytes_from_min_to_max_and_within_the_limit(self):
        def sizes(*given):
            return [row[0] for row in run_oshm(BY_NAME["collect"], *given, "-i", "1", "-x", "0", ranks=2).rows]
        self.assertEqual(sizes("-m", "6:16"), ["4", "8", "16"])
        self.assertEqual(sizes("-m", "16:64", "-M", "64"), ["16", "32"])


class Records(unittest.TestCase):
    def records(self, program, *arguments, **how):
        with tempfile.TemporaryDirectory() as folder:
            answer = run_oshm(program, *arguments, "--report", "json=r", folder=folder, **how)
            self.assertEqual(set(answer.codes), {0}, answer)
            return answer, [json.loads(line) for line in read(f"{folder}/r").splitlines()][1:]

    def test_a_loop_that_omb_times_as_a_whole_has_a_hundred_samples_of_its_iterations(self):
        for given, samples, batch in ((("-i", "200"), 100, 2), (("-i", "7"), 7, 1), (("-i", "200", "-z", "50"), 200, 1),
                                      (("-i", "200", "--budget", "60"), 200, 1)):
            with self.subTest(given):
                _, (r,) = self.records(BY_NAME["put"], "-m", "8:8", *given)
                self.assertEqual((r["stop"]["samples"], r["batch"]), (samples, batch))
                self.assertEqual(r["parameters"], {"bytes": 8, "data": "heap"})

    def test_rates_count_the_transfers_of_all_pairs(self):
        answer, (r,) = self.records(BY_NAME["get_mr_nb"], "-m", "8:8", ranks=2)
        self.assertEqual((r["total"]["messages"], r["total"]["bytes"], r["initiators"]), (500, 4000, 1))
        self.assertAlmostEqual(float(answer.rows[0][1]), 500 / r["over_ranks_seconds"]["mean"], delta=0.01)
        _, (r,) = self.records(BY_NAME["put_mr"], "-m", "8192:8192")
        self.assertEqual((r["total"]["messages"], r["initiators"]), (100, 2))

    def test_atomics_are_shown_per_operation_and_with_statistics_also_completed(self):
        answer, all_records = self.records(BY_NAME["atomics"], "--honest", ranks=2)
        quiet = [r["parameters"]["operation"] for r in all_records if r["parameters"].get("completion") == "quiet"]
        self.assertEqual(quiet, [f"shmem_{kind}_{op}" for kind in ("int", "longlong") for op in ("add", "inc", "set")])
        first = all_records[0]
        line = next(line for line in answer.lines if line.startswith("shmem_int_fadd"))
        mean = first["over_ranks_seconds"]["mean"]
        self.assertEqual(line[20:56], f"{500 / mean / 1e6:18.2f}{mean / 500 * 1e6:18.2f}")
        titles, = (line for line in answer.lines if line.startswith("# Operation"))
        self.assertTrue(titles.endswith(statistics_titles(more=("With quiet(us)",))), titles)

    def test_records_of_atomics_with_statistics_have_the_same_parameters_as_a_file_of_rows_requires(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = run_oshm(BY_NAME["atomics"], "--honest", "--report", "csv=r", folder=folder, ranks=2)
            self.assertEqual(set(answer.codes), {0}, answer)
            rows = [line.split(",")[1:4] for line in read(f"{folder}/r").splitlines()]
        self.assertEqual(rows[0], ["data", "operation", "completion"])
        self.assertEqual([row[2] for row in rows if row[1] == "shmem_int_add"], ["none", "quiet"])

    def test_overlap_has_the_records_of_its_three_runs(self):
        answer, all_records = self.records(BY_NAME["put_overlap"], "-m", "8:8", "-i", "9", "-x", "1", "--honest")
        parts = [(r["parameters"]["part"], r["parameters"]["work"]) for r in all_records]
        self.assertEqual(parts, [(part, work) for work in ("matrix", "spin") for part in ("communication", "work", "both")])
        communication = all_records[0]["over_ranks_seconds"]["mean"] * 1e6
        self.assertEqual(answer.rows[0][4], f"{communication:.2f}")
        times = [statistics.median(r["series_seconds"]) for r in all_records[3:]]
        titles, = (line for line in answer.lines if line.startswith("# Size"))
        row, = (line for line in answer.lines if line.startswith("8"))
        hidden = 100 * (times[0] + times[1] - times[2]) / times[0]
        self.assertEqual(row[titles.index("Hidden(%)") - 9:][:18].strip(), f"{hidden:.2f}")


class Options(unittest.TestCase):
    def test_each_program_lists_its_options_and_its_word(self):
        for program, answer in at_once(lambda p: run("osu_oshm_" + p.name, "-h", ranks=1), ALL):
            with self.subTest(program.name):
                word = "" if program.collective else " <heap|global>"
                self.assertEqual((answer.codes, answer.lines[0]), ([0], f"Usage: osu_oshm_{program.name}{word} [options]"))
                self.assertEqual(sorted(re.findall(r"^  -(\w), --", answer.out, re.M)), sorted(program.letters))

    def test_v_prints_the_title(self):
        answer = run("osu_oshm_reduce", "-v")
        self.assertEqual((answer.codes, answer.out), ([0, 0], "# OSU OpenSHMEM Reduce Latency Test v7.4\n"))

    def test_all_programs_are_built(self):
        built = {f.removeprefix("osu_oshm_") for f in os.listdir(PROGRAMS) if re.fullmatch(r"osu_oshm_[a-z_]+", f)}
        self.assertEqual(built, set(BY_NAME))
