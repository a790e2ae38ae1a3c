#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Results of the IMB programs' driver for benchmarks of a fixed time (driver.cpp)."""
import csv
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch, read  # noqa: E402

LAUNCHER, PROGRAM = os.environ["IMB_MPI_RUN"], os.environ["IMB_DRIVER"]
SMALL = ("-msglog", "2:2")      # 0 and 4 bytes


def run(*arguments, ranks=2, **how):
    return launch(LAUNCHER, PROGRAM, *arguments, ranks=ranks, **how)


def notes(answer):
    return sorted(line for line in answer.err.splitlines() if ": measure" in line)


def below_list(answer):
    """Tables, up to the closing line."""
    at = next(i for i, line in enumerate(answer.lines) if line.startswith("#-") and i > 3)
    return answer.lines[at - 1:answer.lines.index("# All processes entering MPI_Finalize")]


def head(columns, *lines):
    return ["", "#" + "-" * (13 * columns - 1), *lines, "#" + "-" * (13 * columns - 1)]


def titles(*words):
    return "".join(word.rjust(13) for word in words)


def numbers(*texts):
    return "".join(text.rjust(13) for text in texts)


RANGE = ("#bytes", "#repetitions", "t_min[usec]", "t_max[usec]", "t_avg[usec]")


class Tables(unittest.TestCase):
    maxDiff = None

    def test_of_one_group_for_each_number_of_processes(self):
        answer = run("Steady", *SMALL, "-time", "1.03", ranks=3)
        rows = [numbers("0", "21", "50000.00", "50000.00", "50000.00", "0.00"),
                numbers("4", "21", "50000.00", "50000.00", "50000.00", "0.00")]
        self.assertEqual(answer.codes, [0, 0, 0])
        self.assertEqual(below_list(answer), [
            *head(6, "# Benchmarking Steady ", "# #processes = 2 ", "# ( 1 additional process waiting in MPI_Barrier)"),
            titles(*RANGE, "Mbytes/sec"), *rows,
            *head(6, "# Benchmarking Steady ", "# #processes = 3 "), titles(*RANGE, "Mbytes/sec"), *rows, "", ""])

    def test_of_groups_that_begin_together_have_one_count(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = run("Steady", *SMALL, "-time", "1.03", "-multi", "1", "-report", "json=r.json", "-report",
                         "csv=r.csv", ranks=4, folder=folder)
            records = [json.loads(line) for line in read(folder + "/r.json").splitlines()[1:]]
            with open(folder + "/r.csv") as file:
                lines = list(csv.DictReader(file))
        rows = [numbers("0", "0", "11", "50000.00", "50000.00", "50000.00", "0.00"),
                numbers("1", "0", "11", "100000.00", "100000.00", "100000.00", "0.00")]
        self.assertEqual(below_list(answer)[:14], [
            *head(7, "# Benchmarking Multi-Steady ", "# ( 2 groups of 2 processes each running simultaneous ) ",
                  "# Group  0:     0    1", "# ", "# Group  1:     2    3", "# "),
            titles("Group", *RANGE, "Mbytes/sec"), "", *rows, ""])
        self.assertIn("Steady 0 group 0: measure 11 together", notes(answer))
        self.assertIn("Steady 0 group 1: measure 11 together", notes(answer))
        self.assertEqual(len([n for n in notes(answer) if "together" in n]), 4)
        places = ("bytes", "processes", "group", "groups", "repetitions", "mode", "part")
        expected = [[s, 2, g, 2, 11, "only", "pure"] for s in (0, 4) for g in (0, 1)]
        expected += [[s, 4, 0, 1, 21, "only", "pure"] for s in (0, 4)]
        self.assertEqual([[r["parameters"][p] for p in places] for r in records], expected)
        self.assertEqual([r["series_seconds"] for r in records], [[0.05], [0.1]] * 2 + [[0.05]] * 2)
        self.assertEqual([[line[p] for p in places] for line in lines], [[str(v) for v in e] for e in expected])

    def test_of_groups_that_begin_separately_have_separate_counts(self):
        answer = run("Steady", *SMALL, "-time", "1.03", "-multi", "1", "-group_start", "apart", "-npmin", "2", ranks=4)
        counts = [line.split()[:3] for line in below_list(answer) if line.strip()[:1].isdigit()]
        self.assertEqual(counts[:4], [["0", "0", "21"], ["1", "0", "11"], ["0", "4", "21"], ["1", "4", "11"]])
        self.assertFalse([n for n in notes(answer) if "together" in n])

    def test_over_all_groups_have_extremes_and_a_mean(self):
        answer = run("Steady", "Modes", *SMALL, "-time", "1.03", "-multi", "0", "-aggregate_mode", "aggregate", ranks=4)
        self.assertEqual(answer.lines.count(numbers("4", "11", "50000.00", "100000.00", "75000.00", "0.00")), 2)
        self.assertEqual([line for line in answer.lines if "MODE" in line], ["#    MODE: AGGREGATE "])

    def test_have_the_mode_in_their_head_and_modes_in_their_order(self):
        answer = run("Modes", *SMALL, "-iter", "20,40,15", "-msg_pause", "on")
        modes = [line for line in answer.lines if "MODE" in line]
        self.assertEqual(modes, ["#    MODE: NON-AGGREGATE ", "#    MODE: AGGREGATE "])
        rows = [line.split()[:2] for line in below_list(answer) if line.strip()[:1].isdigit()]
        self.assertEqual(rows, [["0", "15"], ["4", "15"], ["0", "20"], ["4", "20"]])
        self.assertIn("Modes 0 group 0 aggregate: measure 10", notes(answer))

    def test_too_few_processes_and_reduced_sizes_are_reported(self):
        answer = run("Modes", "Steady", "-msglog", "4", "-msgsize", "4,100,50", ranks=1)
        self.assertIn("# Cut to 16 by -msglog 4:   100 50", answer.lines)
        self.assertEqual(answer.err.count("Note: 2 sizes are above 2^4 and measured as 16; -msglog MAX raises the limit\n"), 1, answer.err)
        self.assertIn("# !! Benchmark Modes invalid for 1 processes !! ", answer.lines)
        self.assertIn("# #processes = 1 ", answer.lines)


class Counts(unittest.TestCase):
    def of(self, *arguments):
        answer = run("Steady", "-msgsize", "4", *arguments)
        return [line.split(": ")[1] for line in answer.err.splitlines()]

    def test_are_one_an_estimate_a_warm_up_and_the_reported_ones(self):
        self.assertEqual(self.of("-time", "1.03"), ["measure 1", "measure 20", "measure 10", "measure 21"])
        self.assertEqual(self.of("-time", "1.03", "-warm_up", "off"), ["measure 1", "measure 20", "measure 21"])

    def test_that_do_not_follow_from_time_have_a_whole_run_before(self):
        self.assertEqual(self.of("-iter_policy", "off", "-iter", "50"), ["measure 50", "measure 10", "measure 50"])
        self.assertEqual(self.of("-iter_policy", "multiple_np", "-iter", "51"), ["measure 50", "measure 10", "measure 50"])

    def test_of_several_parts_follow_from_the_whole_time_of_a_repetition(self):
        answer = run("Hidden", "-msgsize", "4", "-iter", "20", "-time", "0.1")
        n = int(next(line for line in below_list(answer) if line.strip()[:1].isdigit()).split()[1])
        self.assertLessEqual(n, 11)     # the records' 2 ms would allow 20


class Endings(unittest.TestCase):
    def test_a_size_that_does_not_fit_ends_a_benchmark_and_no_other(self):
        answer = run("Hungry", "Countless", "Steady", "-msglog", "3:3", "-mem", "0.25", ranks=4)
        self.assertEqual(answer.codes, [0] * 4)
        failures = [line for line in answer.lines if "out-of-mem" in line or "int-overflow" in line]
        self.assertEqual(failures, [
            '            8 out-of-mem.; needed X=   0.501 GB; use flag "-mem X" or MAX_MEM_USAGE>=X (IMB_mem_info.h)',
            '            0 int-overflow; The production rank*size caused int overflow; use "-data_type double"'])
        self.assertEqual([line for line in answer.lines if line.startswith("# Benchmarking")],
                         ["# Benchmarking Hungry ", "# Benchmarking Countless "] + ["# Benchmarking Steady "] * 2)

    def test_the_time_of_one_rank_ends_a_benchmark(self):
        answer = run("Late", "Steady", *SMALL, "-time", "1", "-multi", "1", ranks=4)
        self.assertEqual(answer.codes, [0] * 4)
        late = [line for line in answer.lines if "time-out.;" in line]
        self.assertEqual([line[:26] for line in late], [numbers("0", "4"), numbers("1", "4")])
        self.assertEqual([line for line in answer.lines if "# Benchmarking" in line],
                         ["# Benchmarking Multi-Late ", "# Benchmarking Multi-Steady ", "# Benchmarking Steady "])

    def test_wrong_contents_are_a_column_and_an_exit_status(self):
        answer = run("Wrong", "Steady", *SMALL, "-iter", "5", "-check", "on", ranks=3)
        self.assertEqual((answer.codes, answer.err.splitlines()[-1]),
                         ([1] * 3, "Contents were wrong: see the column defects"))
        self.assertIn(titles(*RANGE, "Mbytes/sec", "defects"), answer.lines)
        self.assertIn(numbers("4", "5", "50000.00", "50000.00", "50000.00", "0.00", "0.25"), answer.lines)
        self.assertIn("# All processes entering MPI_Finalize", answer.lines)

    def test_an_exception_keeps_what_was_printed(self):
        with self.assertRaises(AssertionError) as failed:
            run("Fails", *SMALL)
        self.assertIn(numbers("0", "201", "50000.00"), str(failed.exception))
        self.assertIn("sonde: rank 1: the fourth byte", str(failed.exception))

    def test_a_refusal_in_the_middle_is_one_line_and_all_ranks_end(self):
        answer = run("Refuses", *SMALL, ranks=3)
        self.assertEqual((answer.codes, answer.err), ([1] * 3, "No room for four bytes\n"))
        self.assertIn(numbers("0", "201", "50000.00", "50000.00", "50000.00", "0.00"), answer.lines)

    def test_invalid_input_ends_all_before_any_measurement(self):
        for words in (("-map", "1x2"), ("-report", "csv=no/such/folder/r")):
            answer = run("Steady", *words, ranks=3)
            self.assertEqual((answer.codes, answer.out, answer.err.count("\n")), ([1] * 3, "", 1))
            self.assertIn(" ".join(words)[:8], answer.err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
