# SPDX-License-Identifier: BSL-1.0
"""Each rank's numbers of MPI calls, seen through PMPI: of every program, size by size."""
import unittest

from driver import ALL, counted

# Barriers before the warm-up and before the first sample of a size, and before the end, in addition to the exchanges.
BARRIERS = 3


def exchanges_of(program, calls):
    """The number of windows (or messages one way) in which a rank took part, from its calls."""
    window, both = program.window, "bibw" in program.name
    if program.name == "osu_latency_persistent":
        return calls["MPI_Start"] / 2
    if "persistent" in program.name:
        return calls["started_together"] / window / (2 if both else 1)
    if window == 1:
        return calls["MPI_Send"]
    return (calls.get("MPI_Isend", 0) + calls.get("MPI_Irecv", 0)) / window / (2 if both else 1)


class Counts(unittest.TestCase):
    def check(self, program, calls, exchanges):
        each = program.name in ("osu_multi_lat", "osu_mbw_mr")
        for rank, c in enumerate(calls):
            self.assertEqual(exchanges_of(program, c), exchanges, f"rank {rank}: {c}")
            self.assertEqual(c["MPI_Barrier"], exchanges + 1 if each else BARRIERS, f"rank {rank}: {c}")

    def test_each_program_has_its_counts_up_to_8192_bytes_and_above(self):
        for program in ALL:
            iterations, warmup, large_iterations, large_warmup = program.counts
            for size, exchanges in ((8192, iterations + warmup), (8193, large_iterations + large_warmup)):
                with self.subTest(f"{program.name} {size}"):
                    calls = counted(program.name, "-m", f"{size}:{size}", ranks=program.ranks)
                    self.check(program, calls, exchanges)

    def test_counts_go_back_for_the_small_sizes_of_the_next_type(self):
        calls = counted("osu_bw", "-m", "8192:16384", "-T", "all", "-W", "1")
        self.assertEqual(calls[0]["MPI_Isend"], 3 * (110 + 22))

    def test_i_and_x_set_the_counts_of_all_sizes(self):
        calls = counted("osu_latency", "-m", "8192:16384", "-i", "7", "-x", "2")
        self.assertEqual([c["MPI_Send"] for c in calls], [18, 18])

    def test_a_warm_up_of_0_makes_no_iterations(self):
        self.assertEqual(counted("osu_latency", "-m", "1", "-i", "1", "-x", "0")[0]["MPI_Send"], 1)

    def test_the_window_is_that_of_W_and_one_token_answers_it(self):
        sender, receiver = counted("osu_bw", "-m", "4:4", "-i", "5", "-x", "1", "--window-size=3", "-t", "9")
        self.assertEqual((sender["MPI_Isend"], sender["MPI_Recv"], sender["MPI_Waitall"]), (18, 6, 6))
        self.assertEqual((receiver["MPI_Irecv"], receiver["MPI_Send"], receiver["MPI_Waitall"]), (18, 6, 6))

    def test_varied_windows_are_1_to_128(self):
        sender = counted("osu_mbw_mr", "-m", "1", "-i", "1", "-x", "0", "-V", "-W", "3")[0]
        self.assertEqual(sender["MPI_Isend"], 255)

    def test_persistent_requests_are_made_once_a_size(self):
        calls = counted("osu_bibw_persistent", "-m", "2", "-i", "3", "-x", "1", "-W", "5")
        for c in calls:
            self.assertEqual((c["MPI_Send_init"], c["MPI_Recv_init"], c["MPI_Startall"]), (10, 10, 8))

    def test_a_checked_repetition_follows_u_unchecked_ones_after_the_measurement(self):
        for u, repetitions in (("0", 1), ("3", 4)):
            calls = counted("osu_latency", "-m", "1", "-i", "6", "-x", "2", "-c", "-u", u)
            self.assertEqual([c["MPI_Send"] for c in calls], [8 + 6 * repetitions] * 2)

    def test_contents_are_checked_ten_times_at_most(self):
        self.assertEqual(counted("osu_latency", "-m", "1", "-i", "50", "-x", "0", "-c")[0]["MPI_Send"], 50 + 10 * 6)
