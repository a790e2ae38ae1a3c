# SPDX-License-Identifier: BSL-1.0
"""Messages by rank, thread and tag, of programs with several threads, processes or nodes."""
import os
import tempfile
import unittest

from driver import read, run
from programs import BY_NAME, counted, start

IN, OUT = "osu_bw_fan_in", "osu_bw_fan_out"
BLOCK, ROUND_ROBIN, MIRRORED = "0,0,1,1", "0,1,0,1", "0,1,1,0"


def traffic(name, *arguments, **how):
    """Of each rank, of each thread: {(call, peer, tag): count}."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"SONDE_TRAFFIC": folder + "/rank", **how.pop("environment", {})}
        answer = start(BY_NAME[name], *arguments, shim=[os.environ["OSU_TRAFFIC_SHIM"]], environment=environment, **how)
        assert set(answer.codes) == {0}, answer
        ranks = []
        for rank in range(len(answer.codes)):
            threads = {}
            for line in read(f"{folder}/rank-{rank}").splitlines():  # written by MPI_Finalize
                thread, call, peer, tag, count = line.split()
                threads.setdefault(thread, {})[call, int(peer), int(tag)] = int(count)
            ranks.append(list(threads.values()))
        return ranks


def in_turn(threads, others, rounds_of_iterations, peer):
    """The messages of every thread of a side: iteration i is thread i mod threads', its tag i mod lcm."""
    period = next(n for n in range(1, threads * others + 1) if n % threads == 0 and n % others == 0)
    all_threads = []
    for thread in range(threads):
        counts = {}
        for i in range(thread, rounds_of_iterations, threads):
            for call in ("send", "recv"):
                counts[call, peer, i % period] = counts.get((call, peer, i % period), 0) + 1
        all_threads.append(counts)
    return all_threads


def ordered(threads):
    return sorted(sorted(t.items()) for t in threads)


class Threads(unittest.TestCase):
    def test_one_sender_marks_messages_with_1_and_answers_with_2_and_receivers_share_them_evenly(self):
        (sender,), receivers = traffic("osu_latency_mt", "-i", "20", "-x", "4", "-m", "1", "-t", "1:3")
        self.assertEqual(sender, {("send", 1, 1): 24, ("recv", 1, 2): 24})
        self.assertEqual(receivers, [{("recv", 0, 1): 8, ("send", 0, 2): 8}] * 3)

    def test_several_senders_mark_both_ways_with_the_iteration(self):
        for senders, receivers in ((2, 2), (2, 3), (3, 2), (3, 1)):
            with self.subTest(f"{senders}:{receivers}"):
                sent, received = traffic("osu_latency_mt", "-i", "12", "-x", "6", "-m", "1", "-t", f"{senders}:{receivers}")
                self.assertEqual(ordered(sent), ordered(in_turn(senders, receivers, 18, 1)))
                self.assertEqual(ordered(received), ordered(in_turn(receivers, senders, 18, 0)))

    def test_iterations_that_do_not_divide_are_rounded_up_to_whole_rounds(self):
        sent, _ = traffic("osu_latency_mt", "-i", "10", "-x", "1", "-m", "1", "-t", "3:1")
        self.assertEqual(ordered(sent), ordered(in_turn(3, 1, 3 * (4 + 1), 1)))

    def test_iterations_are_10000_and_100_up_to_8192_bytes_and_1000_and_10_above(self):
        (sender,), _ = traffic("osu_latency_mt", "-m", "8192:16384", "-t", "1")
        self.assertEqual(sender, {("send", 1, 1): 10100 + 1010, ("recv", 1, 2): 10100 + 1010})


class Processes(unittest.TestCase):
    def test_both_sides_fork_what_they_announce(self):
        """Processes are forked, sleep for two seconds, end well and are reaped before MPI ends; the parent alone finalizes MPI."""
        for given, expected in (((), (2, 2)), (("-t", "1:3"), (1, 3)), (("-t", "4"), (0, 4))):
            with self.subTest(given), tempfile.TemporaryDirectory() as folder:
                answer = start(BY_NAME["osu_latency_mp"], "-i6", "-x2", "-m", "1", *given, environment={"SONDE_FORKS": folder + "/rank"})
                self.assertEqual(answer.codes, [0, 0], answer)
                for rank, children in enumerate(expected):
                    lines = read(f"{folder}/rank-{rank}").splitlines()
                    self.assertEqual(sorted(lines), sorted(["fork 1", "sleep 2", "exited 0"] * children + ["finalize 1"]))
                    self.assertEqual(lines[-1], "finalize 1")

    def test_nothing_is_on_stderr_while_they_sleep(self):
        answer = run("osu_latency_mp", "-i6", "-x2", "-m", "8")
        self.assertEqual((answer.codes, answer.err, len(answer.rows)), ([0, 0], "", 4))

    def test_a_barrier_precedes_every_exchange(self):
        few, many = (counted(BY_NAME["osu_latency_mp"], "-m", "2", "-i", str(i), "-x", "3", "-t", "1")[1] for i in (10, 30))
        for rank in range(2):
            for call in ("MPI_Send", "MPI_Barrier"):
                self.assertEqual(many[rank][call] - few[rank][call], 2 * 20, call)


class Fans(unittest.TestCase):
    def check(self, name, nodes, fans):
        """fans: {parent: children}. Every parent and child exchanges a window with each of its peers."""
        iterations, window = 6, 3
        found = traffic(name, "-i4", "-x2", "-W3", "-m", "1", ranks=len(nodes.split(",")), environment={"FAKE_NODES": nodes})
        peers = {rank: list(ranks) for rank, ranks in fans.items()}
        peers.update({child: [parent] for parent, children in fans.items() for child in children})
        for rank, (calls,) in enumerate(found):
            sends = (rank in fans) == (name == OUT)
            expected = {}
            for peer in peers[rank]:
                expected["isend" if sends else "irecv", peer, 100] = iterations * window
                expected["recv" if sends else "send", peer, 101] = iterations
            self.assertEqual(calls, expected, f"rank {rank} of {name} on {nodes}")

    def test_the_kth_rank_of_every_node_goes_with_the_kth_of_the_first(self):
        for name in (IN, OUT):
            self.check(name, BLOCK, {0: [2], 1: [3]})
            self.check(name, ROUND_ROBIN, {0: [1], 2: [3]})
            self.check(name, MIRRORED, {0: [1], 3: [2]})
            self.check(name, "0,1,2", {0: [1, 2]})
            self.check(name, "0,1,2,2,1,0", {0: [1, 2], 5: [4, 3]})

    def test_windows_of_more_than_a_thousand_requests_work(self):
        for name in (IN, OUT):
            answer = start(BY_NAME[name], "-i", "2", "-x", "0", "-W", "1500", "-m", "8:8", "-b", "multiple", ranks=3, environment={"FAKE_NODES": "0,1,2"})
            self.assertEqual(answer.codes, [0] * 3, answer)

    def test_iterations_are_100_and_10_up_to_8192_bytes_and_20_and_2_above(self):
        (child,) = traffic(IN, "-m", "8192:16384", ranks=2, environment={"FAKE_NODES": "0,1"})[1]
        self.assertEqual(child, {("isend", 0, 100): 64 * 132, ("recv", 0, 101): 132})
