#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Measurements on simulated clusters whose latency and bandwidth are known (SimGrid's SMPI), against arithmetic.

usage: truth.py INCLUDE_FOLDER [SONDE_MODEL]

A message of n bytes takes L + (n + 16) / B: L is twice the latency of a link, B its bandwidth, and SMPI adds 16 bytes to
every message. Computation takes no time, but where a program asks for it; reading MPI_Wtime takes none either.
"""
import json
import math
import os
import shutil
import sys
import tempfile
import unittest

from cluster import Cluster, figures

LATENCY, BANDWIDTH = 10e-6, 1.25e9  # of a message between two hosts: L in seconds, B in bytes/s
DEPTH = 8                           # messages in flight: `depth` of patterns.cpp
EAGER = 65536                       # bytes from which on a send of SMPI waits for its receive


def message(n, count=1, latency=LATENCY, bandwidth=BANDWIDTH):
    """Seconds until `count` messages of n bytes, sent together over one link, have arrived."""
    return latency + count * (n + 16) / bandwidth


# The time of one iteration of each pattern. A get of SMPI is one message: it has no request.
EXACT = {
    "ping_pong": lambda n: 2 * message(n),
    "stream": lambda n: message(n, DEPTH) + message(1),  # and the acknowledgement
    "bidirectional": lambda n: message(n, DEPTH),        # links are full-duplex
    "exchange": message,
    "halo": lambda n: message(n, 2),                     # both messages of a rank share its link
    "put_lock": message,
    "get_lock": message,
}
# Ranks share the variables of a program that has no variable of its own for each rank; copies take 5 times as long.
SHARED = ("--cfg=smpi/privatization:no",)
# Lower bounds for any algorithm: the bytes that one rank must send or receive.
BOUNDS = {
    "broadcast": lambda n, p: n / BANDWIDTH,
    "allreduce": lambda n, p: LATENCY + 2 * (p - 1) / p * n / BANDWIDTH,
    "allgather": lambda n, p: (p - 1) * n / BANDWIDTH,
}


class TestTruth(unittest.TestCase):
    include = model = folder = cluster = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.cluster = Cluster(cls.folder, cls.include)
        for program in ("patterns", "slow_rank", "late_rank", "clocks", "collectives", "pairs", "scale", "map", "beside"):
            cls.cluster.compile(program)
        cls.medians = {ranks: [(name, int(n), float(t)) for name, n, t in map(str.split, lines)]
                       for ranks, lines in ((p, cls.cluster.simulated("patterns", p).splitlines()) for p in (2, 4, 8))}

    def test_each_pattern_takes_its_analytic_time(self):
        for ranks, rows in self.medians.items():
            seen = set()
            for name, n, median in rows:
                if name not in EXACT:
                    continue
                seen.add(name)
                with self.subTest(name, ranks=ranks, bytes=n):
                    self.assertAlmostEqual(median / EXACT[name](n), 1, delta=1e-9)
            self.assertEqual(seen, set(EXACT))

    def test_the_bandwidth_of_transfers_between_fences_is_that_of_the_link(self):
        # A fence of SMPI is barriers, of which some run while the transfer does: the difference of two sizes is exact.
        for ranks, rows in self.medians.items():
            for name in ("put_fence", "get_fence"):
                times = {n: t for row, n, t in rows if row == name}
                small, large = sorted(times)[-2:]
                with self.subTest(name, ranks=ranks):
                    self.assertAlmostEqual((times[large] - times[small]) * BANDWIDTH / (large - small), 1, delta=1e-9)

    def test_no_collective_is_faster_than_its_bytes_allow(self):
        for ranks, rows in self.medians.items():
            self.assertLessEqual(set(BOUNDS), {row[0] for row in rows})
            for name, n, median in rows:
                if name in BOUNDS:
                    with self.subTest(name, ranks=ranks, bytes=n):
                        self.assertGreaterEqual(median, BOUNDS[name](n, ranks))
                        self.assertLess(median, 3 * math.log2(ranks) * (4 * LATENCY + BOUNDS[name](n, ranks)))

    def test_a_slow_host_is_named_and_the_mean_of_means_hides_it(self):
        # 8 ranks in 4 pairs; work of 100 us on each, 200 us on host 2.
        usual = figures(self.cluster.simulated("slow_rank", 8, (65536, 1e5)))
        slow = figures(self.cluster.simulated("slow_rank", 8, (65536, 1e5), ("--speed", "2=0.5Gf")))
        self.assertEqual(slow["stragglers"], ["2"])
        self.assertAlmostEqual(float(slow["slowest"][0]) / (202e-6 + 2 * message(65536)), 1, delta=0.01)
        gain = [float(slow[which][0]) / float(usual[which][0]) for which in ("slowest", "mean_of_means")]
        self.assertGreater(gain[0], 1.35)
        self.assertLess(gain[1], 1.15)

    def test_a_slow_link_is_named_by_its_rank(self):
        found = figures(self.cluster.simulated("slow_rank", 8, (65536, 1e5), ("--link", "2=125MBps")))
        self.assertEqual(found["stragglers"], ["2"])
        expected = 101e-6 + 2 * message(65536, bandwidth=BANDWIDTH / 10)
        self.assertAlmostEqual(float(found["slowest"][0]) / expected, 1, delta=0.01)

    def test_who_made_ranks_wait_is_named_with_its_steps_and_nobody_else(self):
        for ranks, seeds in ((4, 40), (16, 8), (64, 2)):
            for shape in ("line", "all"):
                for kind, steps in (("always", "199 1 199"), ("tenth", "20 9 199"), ("site", "200 0 199")):
                    with self.subTest(kind, ranks=ranks, shape=shape):
                        for seed, words in self.late_ranks(kind, shape, ranks, seeds).items():
                            name = "e1" if kind == "site" else "e0"
                            self.assertEqual(" ".join(words), f"late {seed % ranks} {name} {steps}", seed)
                for seed, words in self.late_ranks("moving", shape, ranks, seeds).items():
                    self.assertEqual(words, [], (seed, ranks, shape))
            for seed, words in self.late_ranks("two", "all", ranks, seeds).items():
                self.assertEqual({int(r) for r in words[1::6]}, {seed % ranks, (seed + ranks // 2) % ranks}, seed)

    def test_nobody_is_late_in_healthy_loops_and_a_slow_link_is_seen(self):
        named = [words for shape in ("line", "all") for words in self.late_ranks("none", shape, 4, 100).values() if words]
        self.assertLessEqual(len(named), 2)
        for words in self.late_ranks("none", "line", 16, 5, ("--link", "5=12MBps")).values():
            self.assertEqual(words, ["slow", "4", "slow", "5", "slow", "6"])  # host 5 and its neighbors

    def test_waiting_and_transfer_are_those_of_arithmetic(self):
        # Rank 1 of 4 is 300 us late in each of 199 steps: the other ranks wait, but for the noise of 5 % of 1 ms.
        for seed, words in self.lateness("always", "all", 4, 4).items():
            self.assertAlmostEqual(float(words[1]) / (3 * 199 * 300e-6), 1, delta=0.05)

    def late_ranks(self, *given):
        """{seed: words of the late ranks and of slow transfers}."""
        return {seed: words[6:] for seed, words in self.lateness(*given).items()}

    def lateness(self, kind, shape, ranks, seeds, platform=()):
        lines = self.cluster.simulated("late_rank", ranks, (kind, shape, seeds), platform, options=SHARED).splitlines()
        self.assertEqual(len(lines), seeds)
        return {int(line.split()[0]): line.split()[1:] for line in lines}

    def test_a_map_names_the_slow_host_or_link_and_nothing_else(self):
        # Of 64 hosts with noise of 5 %: a host's link at half its bandwidth, also in one direction only.
        for platform, expected in ((("--link", "5=625MBps"), "rank 5 both"), (("--uplink", "5=625MBps"), "rank 5 from"),
                                   (("--downlink", "5=625MBps"), "rank 5 to"), (("--route", "3-9=416MBps"), "pair 3 9 both")):
            with self.subTest(platform):
                found = self.suspects(64, 100, 0, platform)
                self.assertEqual([seed for seed, named in found.items() if named != [expected]], [])
        self.assertLessEqual(sum(named != [] for named in self.suspects(64, 20, 0).values()), 1)

    def test_a_quick_map_names_the_slow_host(self):
        # 10 of the 255 rounds between 256 hosts: 5 P pairs.
        found = self.suspects(256, 100, 10, ("--link", "77=625MBps"))
        self.assertGreaterEqual(sum(named == ["rank 77 both"] for named in found.values()), 98)
        self.assertTrue(all("rank 77 both" in named for named in found.values()))

    def suspects(self, ranks, seeds, rounds, platform=()):
        """{seed: suspects} of a map of all hosts with noise."""
        lines = self.cluster.simulated("map", ranks, (seeds, rounds), platform, options=SHARED).splitlines()
        self.assertEqual(len(lines), seeds)
        return {int(seed): [s.strip() for s in text.split(";") if s.strip()] for seed, text in (line.split(":") for line in lines)}

    def test_clocks_with_an_offset_and_a_drift_are_recovered_within_the_bound(self):
        for ranks in (2, 5, 16):
            found = {name: float(words[0]) for name, words in figures(self.cluster.simulated("clocks", ranks, wtime="1e-7")).items()}
            with self.subTest(ranks=ranks):
                self.assertLess(found["spread"], 2 * found["bound"])
                self.assertLess(found["spread"], 1e-6)  # the offsets are up to 71 s
                self.assertLess(found["deviation"], found["bound"])

    def test_a_fitted_model_has_the_latency_and_the_bandwidth_of_the_platform(self):
        if self.model is None:
            self.skipTest("sonde-model is not built")
        with open(f"{self.folder}/osu_latency", "w") as file:
            file.write("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n")
            file.writelines(f"{n} {1e6 * t / 2:.6f}\n" for name, n, t in self.medians[2] if name == "ping_pong")
        found = self.fit("osu_latency")
        self.assertAlmostEqual(found["alpha"]["value"] / message(0), 1, delta=0.01)
        self.assertAlmostEqual(found["r_inf"]["value"] / BANDWIDTH, 1, delta=0.01)

    def fit(self, file, *options, status=0):
        """The parameters of a model that sonde-model fits, by their names."""
        self.cluster.output(self.model, "fit", file, "--json", "fit", *options, status=status)
        with open(f"{self.folder}/fit") as fit:
            return {p["name"]: p for p in json.load(fit)["parameters"]}

    def test_collectives_that_begin_together_take_the_time_of_their_algorithm(self):
        for ranks in (4, 8):
            rounds, last = int(math.log2(ranks)), ranks - 1
            exact = {"allreduce": lambda n: rounds * message(n),  # recursive doubling
                     "allgather": lambda n: last * message(n),    # a ring
                     "alltoall": lambda n: last * message(n)}     # pairs, one after another
            options = [f"--cfg=smpi/{name}:{algorithm}" for name, algorithm in (
                ("bcast", "binomial_tree"), ("reduce", "binomial"), ("allreduce", "rdb"), ("allgather", "ring"),
                ("alltoall", "pair"))]
            for name, n, median in map(str.split, self.cluster.simulated("collectives", ranks,
                                                                         options=options).splitlines()):
                n, median = int(n), float(median)
                with self.subTest(name, ranks=ranks, bytes=n):
                    if name in exact:
                        expected = exact[name](n)
                    elif n >= EAGER:  # a binomial tree, whose ranks send and receive one message after another
                        expected = rounds * message(n)
                    elif name == "broadcast":  # shorter messages of a rank share its link, on each level fewer
                        expected = sum(message(n, k) for k in range(1, rounds + 1))
                    else:
                        self.assertGreater(median, rounds * message(n) * (1 - 1e-9))
                        self.assertLess(median, sum(message(n, k) for k in range(1, rounds + 1)))
                        continue
                    self.assertAlmostEqual(median / expected, 1, delta=1e-9)

    def test_pairs_on_a_fat_tree_share_the_links_between_its_switches(self):
        # 4 switches with 4 hosts each, below 2 roots: pairs of neighbors have 2 links, others 4, and share 2 of these.
        rows = self.pairs(16, ("1", "8", "4", "8", "8", "8"), ("--fat-tree", "2;4,4;1,2;1,1"))
        for distance, _, n, median in rows:
            links, sharing = (2, 1) if distance == 1 else (4, 2)
            with self.subTest(distance=distance, bytes=n):
                expected = 2 * message(n, sharing, latency=links * LATENCY / 2)
                self.assertAlmostEqual(median / expected, 1, delta=1e-9)
        self.assertEqual({row[0] for row in rows}, {1, 4, 8})

    def test_a_max_rate_model_has_the_bandwidths_of_a_rank_and_of_its_node(self):
        # Two nodes with 4 ranks each: a rank alone has 0.5 GB/s, a node 1.25 GB/s.
        rate = 5e8
        rows = self.pairs(8, ("4", "1", "4", "2", "4", "4"), ("--nodes", "4", "--rank-bandwidth", "500MBps"))
        for _, pairs, n, median in rows:
            with self.subTest(pairs=pairs, bytes=n):
                expected = 2 * message(n, pairs, bandwidth=min(BANDWIDTH, pairs * rate))
                self.assertAlmostEqual(median / expected, 1, delta=1e-9)
        if self.model is None:
            self.skipTest("sonde-model is not built")
        found = self.fit("pairs.jsonl", "--model", "max-rate")
        for name, value in (("alpha", LATENCY), ("R_C", rate), ("R_N", BANDWIDTH)):
            self.assertAlmostEqual(found[name]["value"] / value, 1, delta=0.01, msg=name)

    def test_a_multi_mode_model_of_a_link_without_chunks_says_that_it_cannot_know_the_chunk(self):
        # Messages share a simulated link evenly, which chunks of any size may do that are shorter than the messages.
        rows = self.pairs(8, ("4", "2"), ("--nodes", "4", "--rank-bandwidth", "1.25GBps"))
        for _, pairs, n, median in rows:
            self.assertAlmostEqual(median / (2 * message(n, pairs)), 1, delta=1e-9)
        if self.model is None:
            self.skipTest("sonde-model is not built")
        found = self.fit("pairs.jsonl", "--model", "multi", status=1)
        self.assertEqual((found["C"]["status"], found["B_r"]["status"]), ("not determined", "at least"))
        # One ping-pong of messages below the chunk takes 3 x / B_r, of those far above it 4 x / B_r.
        self.assertAlmostEqual(found["B_r"]["value"] / BANDWIDTH, 3 / 4, delta=0.001)

    def test_beside_congestors_an_exchange_has_its_share_of_the_link(self):
        # Two messages of the load are under way in each direction, or of an incast in one: the exchange has a third of the link.
        platform = ("--nodes", "2", "--rank-bandwidth", "100GBps")
        lines = self.cluster.simulated("beside", 4, (1 << 25,), platform).splitlines()
        for kind, n, slowdown, alone, beside in map(str.split, lines):
            n, directions = int(n), {"alltoall": 2, "incast": 1}[kind]
            legs = [message(n, 3)] * directions + [message(n)] * (2 - directions)
            with self.subTest(kind, bytes=n):
                self.assertAlmostEqual(float(slowdown) / (sum(legs) / (2 * message(n))), 1, delta=0.01)
                self.assertAlmostEqual(float(alone) / (directions * BANDWIDTH), 1, delta=0.01)
                self.assertLess(float(beside), 0.99 * float(alone))
        self.assertEqual(len(lines), 4)

    def pairs(self, ranks, arguments, platform):
        """Rows (distance, pairs, bytes, median) of ping-pongs of several pairs at once."""
        if os.path.exists(f"{self.folder}/pairs.jsonl"):
            os.remove(f"{self.folder}/pairs.jsonl")
        lines = self.cluster.simulated("pairs", ranks, ("pairs.jsonl", *arguments), platform).splitlines()
        return [(int(d), int(k), int(n), float(t)) for d, k, n, t in map(str.split, lines)]

    def test_off_rank_0_no_figure_of_a_run_grows_faster_than_the_logarithm_of_the_ranks(self):
        root, most, mean = {}, {}, {}
        for ranks in (16, 64):
            found = figures(self.cluster.simulated("scale", ranks, (f"scale-{ranks}.jsonl",)))
            root[ranks], most[ranks], mean[ranks] = (
                {name: float(words[which]) for name, words in found.items()} for which in range(3))
            rounds, of = math.log2(ranks), most[ranks]
            with self.subTest(ranks=ranks):
                self.assertEqual(of["look_calls"], 2)
                # Sent and received: by the reduction, and by the broadcast on the rank with most ranks below it.
                self.assertEqual(of["look_messages"], 2 * rounds + rounds)
                self.assertEqual(of["barrier_messages"], 2 * rounds)
                self.assertEqual(of["reductions"], of["looks"] + 1 + 3)
                self.assertEqual(of["broadcasts"], of["looks"] + 1)
                self.assertEqual(of["gathers"], 1)
                self.assertLess(mean[ranks]["gather_messages"], 2)
                self.assertLess(mean[ranks]["gather_bytes"], 24 * rounds)
        self.assertEqual(most[16]["looks"], most[64]["looks"])
        for name in ("look_bytes", "reduction_bytes"):
            self.assertEqual(most[64][name] / most[16][name], 6 / 4, name)
        for name in ("heap_bytes", "record_bytes"):
            self.assertEqual(most[64][name], most[16][name], name)
            self.assertGreaterEqual(root[64][name] - root[16][name], 48 * 8, name)


if __name__ == "__main__":
    for tool in ("smpicxx", "smpirun"):
        if shutil.which(tool) is None:
            print(f"{tool} (SimGrid) is not installed")
            sys.exit(77)
    TestTruth.include = os.path.abspath(sys.argv[1])
    TestTruth.model = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1])
