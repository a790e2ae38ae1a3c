#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Measurements between hosts with links of 100 Mbit/s, made of namespaces: a network whose bandwidth is known.

usage: network.py MPIRUN FOLDER_OF_PROGRAMS CLOCKS [SONDE_MODEL]

With SONDE_MODEL it is the benchmark, which takes minutes and a quiet machine.
"""
import os
import re
import sys
import tempfile
import unittest

import hosts
from hosts import Network
from trials import holds

LAUNCHES = (1, 3)  # of a program: at least so many of so many are not disturbed by other processes


def rows(text):
    """Numbers of the lines that begin with a number."""
    return [[float(word) for word in line.split()] for line in text.splitlines() if re.fullmatch(r"[\d.\s]+", line) and line.strip()]


def bandwidths(text, column):
    return [row[column] for row in rows(text) if row[0] > 0]


def heat_reference(text):
    """MB/s in each direction of the solver's reference exchange."""
    size = int(re.search(r"halo exchange of this run: (\d+) bytes in 2 messages", text)[1])
    return size / 2 / float(re.search(r"reference: pair by pair +([\d.]+)", text)[1])


class TestNetwork(unittest.TestCase):
    programs = clocks = model = None

    def assert_reached(self, low, high, figures):
        """All figures of a launch are in the range."""
        def launch(_):
            found = figures()
            self.assertTrue(found and all(low <= x <= high for x in found), f"not in {low:g} to {high:g} MB/s: {found}")

        holds(self, launch, *LAUNCHES)


class Figures(TestNetwork):
    def test_osu_bw_has_the_bandwidth_of_the_link(self):
        with Network(2, 100) as network:
            self.assert_reached(11.2, 12.0, lambda: bandwidths(network.mpi(
                f"{self.programs}/osu/osu_bw", "-m", "16384:65536", "-x", "1", "-i", "2"), 1))

    def test_beside_a_second_flow_osu_bw_has_half_of_the_link(self):
        # Ranks 0 and 2 are on one host. The load's messages need no handshake, which would wait behind the other direction's data.
        with Network(2, 1000, 262144) as network:
            def launch(_):
                text = network.mpi("--map-by", "node", f"{self.programs}/osu/osu_bw", "-m", "262144:262144", "-x", "1", "-i", "12",
                                   "--beside", "alltoall:500000", ranks_per_host=2, eager_limit=1 << 20)
                self.assertAlmostEqual(float(text.splitlines()[-1].split()[6]), 2, delta=0.1, msg=text)

            holds(self, launch, *LAUNCHES)

    def test_uniband_has_the_bandwidth_of_the_links_between_its_pairs(self):
        # Of two pairs, each has a link of its own between four hosts; they share one between two hosts.
        for count, ranks_per_host, links in ((2, 2, 1), (4, 1, 2)):
            with self.subTest(hosts=count, ranks_per_host=ranks_per_host), Network(count, 100) as network:
                self.assert_reached(11.2 * links, 12.0 * links, lambda: bandwidths(network.mpi(
                    f"{self.programs}/imb/IMB-MPI1", "Uniband", "-window_size", "64", "-npmin", "4", "-iter", "3", "-msglog", "15:15",
                    ranks_per_host=ranks_per_host), 2))

    def test_the_reference_of_the_solver_has_the_bandwidth_of_the_link_in_both_directions(self):
        # Both ranks send first. Otherwise the answer to one may wait behind the message of the other.
        with Network(2, 100) as network:
            self.assert_reached(11.2, 12.0, lambda: [heat_reference(
                network.mpi(f"{self.programs}/embed/heat", "--grid", "50000x4", "--steps", "40", eager_limit=1 << 20))])

    def test_clocks_of_hosts_are_synchronized_within_the_bound(self):
        # Clocks of hosts are 1000 s apart, which the kernel knows exactly.
        for count, ranks_per_host in ((2, 2), (4, 1)):
            with self.subTest(hosts=count, ranks_per_host=ranks_per_host), Network(count, 1000, 262144) as network:
                def launch(_, network=network, ranks_per_host=ranks_per_host):
                    lines = network.mpi(self.clocks, ranks_per_host=ranks_per_host).splitlines()
                    found = {name: float(value) for name, value in map(str.split, lines)}
                    self.assertGreater(found["error"], 0)
                    self.assertLessEqual(found["error"], found["bound"])
                    self.assertLessEqual(found["deviation"], found["bound"])
                    self.assertLess(found["bound"], 0.05)

                holds(self, launch, 2, 3) # a bound holds on a loaded machine, too

    def test_a_map_names_the_host_with_the_slow_link(self):
        with Network(4, 100, slow={2: 30}) as network:
            def launch(_):
                text = network.mpi(f"{self.programs}/tools/sonde-map", "--latency", "none", "--bandwidth", "64K", "--window", "8",
                                   "--samples", "6", status=1)
                named = re.findall(r"^  (.*)", text.split("\n\n")[0], re.MULTILINE)
                self.assertEqual(len(named), 1, text)
                self.assertRegex(named[0], r"^host-3: messages from it and to it take \S+ times")

            holds(self, launch, *LAUNCHES)


class Models(TestNetwork):
    def test_two_pairs_between_two_hosts_determine_the_bandwidth_of_their_link(self):
        with tempfile.TemporaryDirectory() as folder, Network(2, 100) as network:
            file = f"{folder}/multi.json"
            print(network.mpi(self.model, "measure", "--model", "multi", "--sizes", "8K:1M", "--per-octave", "4", "--samples", "30",
                              "--warmup", "2", "--iterations", "3", "--out", file, ranks_per_host=2, seconds=600))
            fit = network.on(network.names[0], f"{self.model} fit {file} || test $? = 1")
            print(fit)
            self.assertIn("B_r", fit)
            value, low, high = map(float, re.search(r"B_r +([\d.]+) MB/s +\[([\d.]+), ([\d.]+)\] +determined", fit).groups())
            # The burst makes messages faster than the link.
            self.assertTrue(10.5 < low <= value <= high < 16, fit)


if __name__ == "__main__":
    hosts.enter_namespace()
    Network.mpirun, TestNetwork.programs, TestNetwork.clocks, *model = map(os.path.abspath, sys.argv[1:])
    TestNetwork.model = model[0] if model else None
    unittest.main(argv=sys.argv[:1], defaultTest="Models" if model else "Figures", verbosity=2)
