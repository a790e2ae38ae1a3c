#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""osu_latency_mt: its text, the thread and tag of each iteration, its checks, and refused input."""
import os
import tempfile
import unittest

from driver import FAULT_SHIM, is_row, read, run, title_line

NAME = "osu_latency_mt"
QUICK = ("-i", "6", "-x", "2")


def traffic(*arguments):
    """Of each rank, of each thread: {(call, tag): count}."""
    with tempfile.TemporaryDirectory() as folder:
        shim = {"LD_PRELOAD": os.environ["OSU_TRAFFIC_SHIM"], "SONDE_TRAFFIC": folder + "/rank"}
        answer = run(NAME, *arguments, environment=shim)
        assert answer.codes == [0, 0], answer
        ranks = []
        for rank in range(2):
            threads = {}
            for line in read(f"{folder}/rank-{rank}").splitlines():  # written by MPI_Finalize
                thread, call, peer, tag, count = line.split()
                assert int(peer) == 1 - rank, line
                threads.setdefault(thread, {})[call, int(tag)] = int(count)
            ranks.append(list(threads.values()))
        return ranks


def in_turn(threads, others, rounds_of_iterations):
    """The messages of every thread of a side: iteration i is thread i mod threads', its tag i mod lcm."""
    period = next(n for n in range(1, threads * others + 1) if n % threads == 0 and n % others == 0)
    all_threads = []
    for thread in range(threads):
        counts = {}
        for i in range(thread, rounds_of_iterations, threads):
            for call in ("send", "recv"):
                counts[call, i % period] = counts.get((call, i % period), 0) + 1
        all_threads.append(counts)
    return all_threads


def ordered(threads):
    return sorted(sorted(t.items()) for t in threads)


class Text(unittest.TestCase):
    def check(self, answer, senders, receivers, columns, sizes, texts=()):
        self.assertEqual(answer.codes, [0, 0], answer)
        self.assertEqual(answer.lines[:6], [
            f"# Number of Sender threads: {senders} ", f"# Number of Receiver threads: {receivers}", "",
            "# OSU MPI Multi-threaded Latency Test v7.4", "# Datatype: MPI_CHAR.", title_line(columns)])
        self.assertEqual(len(answer.lines), 6 + len(sizes))
        for line, size in zip(answer.lines[6:], sizes):
            self.assertTrue(is_row(line, size, len(columns) - len(texts), texts), line)

    def test_one_sender_and_two_receivers_by_default(self):
        self.check(run(NAME, *QUICK, "-m", "8"), 1, 2, ("Avg Latency(us)",), [1, 2, 4, 8])

    def test_t_sets_the_receivers_or_both_sides(self):
        self.check(run(NAME, *QUICK, "-m", "2", "-t", "3"), 1, 3, ("Avg Latency(us)",), [1, 2])
        self.check(run(NAME, *QUICK, "-m", "2", "--num-test-calls=2:1"), 2, 1, ("Avg Latency(us)",), [1, 2])

    def test_titles_are_printed_once_for_any_number_of_threads(self):
        columns = ("Avg Latency(us)", "Validation", "P50 Tail Lat(us)", "P90 Tail Lat(us)", "P99 Tail Lat(us)")
        answer = run(NAME, *QUICK, "-m", "4", "-t", "2:3", "-c", "-z")
        self.assertEqual(answer.codes, [0, 0], answer)
        self.assertEqual(answer.lines[5], title_line(columns))
        self.assertEqual([line[:1] for line in answer.lines[6:]], ["1", "2", "4"])
        self.assertTrue(all(line[28:46] == "              Pass" and len(line) == 10 + 5 * 18 for line in answer.lines[6:]))

    def test_every_type_has_its_lines(self):
        answer = run(NAME, *QUICK, "-m", "4", "-T", "all", "-t", "2:2")
        self.assertEqual([line for line in answer.lines if "Datatype" in line],
                         ["# Datatype: MPI_CHAR.", "# Datatype: MPI_INT.", "# Datatype: MPI_FLOAT."])
        self.assertEqual([row[0] for row in answer.rows], ["1", "2", "4", "4", "4"])

    def test_records_name_the_threads(self):
        with tempfile.TemporaryDirectory() as folder:
            run(NAME, *QUICK, "-m", "1", "-t", "2:3", "--report", f"csv={folder}/r.csv")
            self.assertRegex(read(f"{folder}/r.csv"), r"senders,.*receivers")


class Iterations(unittest.TestCase):
    def test_one_sender_marks_messages_with_1_and_answers_with_2_and_receivers_share_them_evenly(self):
        (sender,), receivers = traffic("-i", "20", "-x", "4", "-m", "1", "-t", "1:3")
        self.assertEqual(sender, {("send", 1): 24, ("recv", 2): 24})
        self.assertEqual(receivers, [{("recv", 1): 8, ("send", 2): 8}] * 3)

    def test_several_senders_mark_both_ways_with_the_iteration(self):
        for senders, receivers in ((2, 2), (2, 3), (3, 2), (3, 1)):
            with self.subTest(f"{senders}:{receivers}"):
                sent, received = traffic("-i", "12", "-x", "6", "-m", "1", "-t", f"{senders}:{receivers}")
                self.assertEqual(ordered(sent), ordered(in_turn(senders, receivers, 18)))
                self.assertEqual(ordered(received), ordered(in_turn(receivers, senders, 18)))

    def test_iterations_that_do_not_divide_are_rounded_up_to_whole_rounds(self):
        sent, _ = traffic("-i", "10", "-x", "1", "-m", "1", "-t", "3:1")
        self.assertEqual(ordered(sent), ordered(in_turn(3, 1, 3 * (4 + 1))))

    def test_counts_are_10000_and_100_up_to_8192_bytes_and_1000_and_10_above(self):
        for size, count in ((8192, 10100), (8193, 1010)):
            (sender,), _ = traffic("-m", f"{size}:{size}", "-t", "1")
            self.assertEqual(sender, {("send", 1): count, ("recv", 2): count})


class Contents(unittest.TestCase):
    def test_any_numbers_of_threads_are_checked(self):
        for crew in ("1:1", "1:3", "2:2", "3:2", "4:1"):
            with self.subTest(crew):
                answer = run(NAME, *QUICK, "-m", "3:6", "-t", crew, "-c", "-T", "all")
                self.assertEqual(answer.codes, [0, 0], answer)
                self.assertEqual([row[2] for row in answer.rows], ["Pass"] * 4)

    def test_a_flipped_bit_is_found_on_all_ranks_and_ends_the_type(self):
        for crew, how in (("1:2", "first"), ("2:3", "last"), ("3:2", "middle"), ("2:2", "lost")):
            with self.subTest(f"{crew} {how}"):
                shim = {"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT": how, "SONDE_FAULT_FROM": "1"}
                answer = run(NAME, *QUICK, "-m", "4:16", "-t", crew, "-c", "-u", "1", environment=shim)
                self.assertEqual(answer.codes, [1, 1], answer)
                self.assertEqual([row[2] for row in answer.rows], ["Fail"])
                self.assertRegex(answer.lines[-1], r"^DATA VALIDATION ERROR: .*osu_latency_mt exited with status 1 "
                                                   r"on message size 4\.$")

    def test_without_validation_errors_are_not_reported(self):
        shim = {"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT": "last", "SONDE_FAULT_FROM": "1"}
        answer = run(NAME, *QUICK, "-m", "4:8", environment=shim)
        self.assertEqual((answer.codes, len(answer.rows)), ([0, 0], 2))

    def test_wrong_elements_are_listed_by_thread(self):
        shim = {"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT": "last", "SONDE_FAULT_FROM": "1"}
        with tempfile.TemporaryDirectory() as folder:
            run(NAME, *QUICK, "-m", "4:4", "-t", "2:2", "-clog:wrong", environment=shim, folder=folder)
            self.assertEqual(sorted(os.listdir(f"{folder}/wrong")), [f"log-{t}.log" for t in range(4)])


class Refusals(unittest.TestCase):
    def refused(self, pattern, *arguments, ranks=2, **more):
        answer = run(NAME, *arguments, ranks=ranks, **more)
        self.assertEqual(answer.codes, [1] * ranks)
        self.assertEqual(answer.out, "")
        self.assertRegex(answer.err, rf"\A{pattern}\n\Z")

    def test_a_library_without_threads_is_named(self):
        self.refused(".*MPI_THREAD_MULTIPLE.*", environment={"LD_PRELOAD": os.environ["OSU_THREADS_SHIM"]})

    def test_threads_are_1_to_127(self):
        for bad in ("0", "128", "2:0", "0:2", "2:", ":2", "1:2:3", "x", "2x"):
            with self.subTest(bad):
                self.refused(r"Invalid Number of Threads \[-t .*\]; accepted: .*127.*", "-t", bad)

    def test_two_ranks_are_needed(self):
        for ranks in (1, 3):
            self.refused("This test requires exactly two processes.*", ranks=ranks)

    def test_memory_of_all_threads_is_counted(self):
        self.refused("Not enough memory .*", "-m", str(1 << 35), "-t", "127:127")

    def test_options_of_other_programs_are_refused(self):
        for letter in "WbRVpP":
            with self.subTest(letter):
                self.refused(rf"Invalid option .*-{letter}.*", f"-{letter}", "1")


if __name__ == "__main__":
    unittest.main(verbosity=2)
