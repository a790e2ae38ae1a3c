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
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LATENCY, BANDWIDTH = 10e-6, 1.25e9  # of a message between two hosts: L in seconds, B in bytes/s
DEPTH = 8                           # messages in flight: `depth` of patterns.cpp
FLAGS = "-std=c++20 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fno-gnu-unique".split()
SIMULATED = ["--cfg=network/model:CM02", "--cfg=network/weight-S:0", "--cfg=network/crosstraffic:no",
             "--cfg=smpi/simulate-computation:no", "--log=root.thres:error"]


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
# Lower bounds for any algorithm: the bytes that one rank must send or receive.
BOUNDS = {
    "broadcast": lambda n, p: n / BANDWIDTH,
    "allreduce": lambda n, p: LATENCY + 2 * (p - 1) / p * n / BANDWIDTH,
    "allgather": lambda n, p: (p - 1) * n / BANDWIDTH,
}


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, cwd=TestTruth.folder)
    if done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def simulated(program, ranks, arguments=(), platform=(), wtime="0"):
    """The output of a program on simulated ranks, one on each host."""
    with open(f"{TestTruth.folder}/platform.xml", "w") as file:
        file.write(output(sys.executable, f"{HERE}/platform.py", str(ranks), "5us", "1.25GBps", *platform))
    with open(f"{TestTruth.folder}/hosts", "w") as file:
        file.write("".join(f"host-{i}\n" for i in range(ranks)))
    return output("smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts", *SIMULATED,
                  f"--cfg=smpi/wtime:{wtime}", f"./{program}", *map(str, arguments))


def figures(text):
    """{name: words} of lines "NAME WORD..."."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}


class TestTruth(unittest.TestCase):
    include = model = folder = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for program in ("patterns", "slow_rank", "clocks"):
            output("smpicxx", *FLAGS, f"-I{cls.include}", f"{HERE}/{program}.cpp", "-o", program)
        cls.medians = {ranks: [(name, int(n), float(t)) for name, n, t in map(str.split, lines)]
                       for ranks, lines in ((p, simulated("patterns", p).splitlines()) for p in (2, 4, 8))}

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
            for name, n, median in rows:
                if name in BOUNDS:
                    with self.subTest(name, ranks=ranks, bytes=n):
                        self.assertGreaterEqual(median, BOUNDS[name](n, ranks))
                        self.assertLess(median, 3 * math.log2(ranks) * (4 * LATENCY + BOUNDS[name](n, ranks)))

    def test_a_slow_host_is_named_and_the_mean_of_means_hides_it(self):
        # 8 ranks in 4 pairs; work of 100 us on each, 200 us on host 2.
        usual = figures(simulated("slow_rank", 8, (65536, 1e5)))
        slow = figures(simulated("slow_rank", 8, (65536, 1e5), ("--speed", "2=0.5Gf")))
        self.assertEqual(slow["stragglers"], ["2"])
        self.assertAlmostEqual(float(slow["slowest"][0]) / (202e-6 + 2 * message(65536)), 1, delta=0.01)
        gain = [float(slow[which][0]) / float(usual[which][0]) for which in ("slowest", "mean_of_means")]
        self.assertGreater(gain[0], 1.35)
        self.assertLess(gain[1], 1.15)

    def test_a_slow_link_is_named_by_its_rank(self):
        found = figures(simulated("slow_rank", 8, (65536, 1e5), ("--link", "2=125MBps")))
        self.assertEqual(found["stragglers"], ["2"])
        expected = 101e-6 + 2 * message(65536, bandwidth=BANDWIDTH / 10)
        self.assertAlmostEqual(float(found["slowest"][0]) / expected, 1, delta=0.01)

    def test_clocks_with_an_offset_and_a_drift_are_recovered_within_the_bound(self):
        for ranks in (2, 5, 16):
            found = {name: float(words[0]) for name, words in figures(simulated("clocks", ranks, wtime="1e-7")).items()}
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
        output(self.model, "fit", "osu_latency", "--json", "fit")
        with open(f"{self.folder}/fit") as file:
            found = {p["name"]: p["value"] for p in json.load(file)["parameters"]}
        self.assertAlmostEqual(found["alpha"] / message(0), 1, delta=0.01)
        self.assertAlmostEqual(found["r_inf"] / BANDWIDTH, 1, delta=0.01)


if __name__ == "__main__":
    for tool in ("smpicxx", "smpirun"):
        if shutil.which(tool) is None:
            print(f"{tool} (SimGrid) is not installed")
            sys.exit(77)
    TestTruth.include = os.path.abspath(sys.argv[1])
    TestTruth.model = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1])
