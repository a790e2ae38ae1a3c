# SPDX-License-Identifier: BSL-1.0
"""Every program: its text on stdout, line by line, in the format that readers of OMB's output expect, its numbers of calls, and right contents."""
import dataclasses
import unittest

from driver import at_once, row_of, titles_of
from programs import BUILT, BY_NAME, COLLECTIVE_PROGRAMS, ROWS_OF_ATOMICS, counted, start

I, X, U = 5, 2, 1
SUMMARY = ["-" * 43, "Atomic Data Validation results for Rank={}:", "PASSED: All 1 combinations of ops and datatypes tested passed.", "-" * 43]


def all_columns(program, *letters):
    """The columns with -c, -f and -z9,99, as far as the program takes these options, and the texts below them."""
    columns = program.full if "f" in letters and program.full else program.columns
    return [*columns, *["Validation"] * ("c" in letters), *[f"P{percent}{program.tail}" for percent in (9, 99) if "z" in letters]]


def sizes_of(program, smallest, largest):
    if program.sizes == "operations":
        return ROWS_OF_ATOMICS
    if program.sizes != "sizes":
        return [1] if program.sizes == "element" else [None]
    return [2 ** k for k in range(23) if max(smallest, program.smallest) <= 2 ** k <= largest]


class Tables(unittest.TestCase):
    def check_text(self, program, answer, sizes, letters, iterations):
        self.assertEqual(set(answer.codes), {0}, answer)
        lines = [line for line in answer.lines if line != "#Using NCCL"] # one of each rank, wherever the launcher puts it
        if program.name.startswith(("osu_neighbor", "osu_ineighbor")):
            self.assertRegex("\n".join(lines[:2]), rf"^Dimensions size = {program.ranks} \nTime took to create topology graph:\d+\.\d\d us\.$")
            lines = lines[2:]
        columns = all_columns(program, *letters)
        head = [*program.before, *[f"# {program.title} v7.4"] * bool(program.title), *program.after, titles_of(columns, program.sizes)]
        self.assertEqual(lines[:len(head)], head)
        rows, tail = lines[len(head):len(head) + len(sizes)], lines[len(head) + len(sizes):]
        self.assertEqual(len(rows), len(sizes), answer)
        for row, size in zip(rows, sizes):
            if row == f"{'shmem_int_cswap':<20}" + f"{'-':>18}" * 2: # in a library that does not survive it
                continue
            self.assertRegex(row, row_of(columns, size, program.good, iterations, 18 if "c" in letters else program.width))
        summary = program.sizes == "element" or program.name == "osu_acc_latency"
        self.assertEqual(tail, [line.format(rank) for rank in (0, 1) for line in SUMMARY if rank or program.sizes == "element" or "PASSED" not in line]
                         if summary and "c" in letters else [])

    def check_calls(self, program, calls, sizes, iterations):
        if program.calls is None:
            return
        for rank, found in enumerate(calls):
            expected = {}
            for size, n in zip(sizes, iterations):
                for call, each in program.calls(rank, size).items():
                    expected[call] = expected.get(call, 0) + each * n
            if program.library.logs: # the end of a group is awaited, or else each call but the answer to a window
                expected |= {f"awaited {call}": 1 for call in expected if call == "ncclGroupEnd" or "ncclGroupEnd" not in expected and call.split()[1] != "1"}
            self.assertEqual({call: found.get(call, 0) for call in {*expected, *program.library.own, *(found if program.library.logs else ())}},
                             {**dict.fromkeys(program.library.own, 0), **expected}, f"rank {rank}")

    def test_each_has_omb_s_text_with_all_columns_and_the_calls_of_its_benchmark_and_delivers_its_data(self):
        def run(program):
            letters = [letter for letter in "cfz" if program.takes(letter)]
            given = {"c": ["-c"], "f": ["-f"], "z": ["-z9,99"]}
            more = ["-u", str(U)] if program.takes("u") else []
            sizes = ["-m", "4:8"] if program.takes("m") else []
            return letters, counted(program, "-i", str(I), "-x", str(X), *sizes, *program.window, *more, *sum((given[x] for x in letters), []))

        for program, (letters, (answer, calls)) in at_once(run, BUILT):
            with self.subTest(f"{program.name} {program.ranks}"):
                sizes = sizes_of(program, 4, 8)
                self.check_text(program, answer, sizes, letters, I)
                checked = I * (U + 1 if program.repeats else 1) if "c" in letters else 0
                self.check_calls(program, calls, sizes, [(I + X) * program.runs + checked] * len(sizes))

    def test_collectives_have_fewer_columns_without_f_and_any_number_of_ranks(self):
        for name in ("scatterv", "barrier", "ibarrier", "iallreduce", "bcast_persistent", "ineighbor_alltoall"):
            program = dataclasses.replace(BY_NAME["osu_" + name], ranks=5)
            if program.exists:
                with self.subTest(name):
                    answer = start(program, "-i3", "-x1", *["-m", "4"] * (program.sizes == "sizes"))
                    self.check_text(program, answer, sizes_of(program, 1, 4), (), None)

    def test_each_has_omb_s_columns_and_iterations_without_options(self):
        counting = [p for p in BUILT if p.counts and p not in COLLECTIVE_PROGRAMS]

        def run(program):
            return counted(program, *["-m", program.steps] if program.takes("m") else [], *program.window)

        for program, (answer, calls) in at_once(run, counting):
            with self.subTest(f"{program.name} {program.ranks}"):
                first, _, last = program.steps.partition(":")
                sizes = [int(first), int(last)] if program.sizes == "sizes" else sizes_of(program, 0, 0)
                self.check_text(program, answer, sizes, (), None)
                self.check_calls(program, calls, sizes, [sum(program.counts[:2]) * program.runs, sum(program.counts[2:]) * program.runs])
