#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""sonde-replay assess: a poor call site is found, a good one is not blamed, every alternative sends the same data."""
import json
import os
import unittest

from driver import TOOLS
from tracing import Traced
from trials import holds


class Assessing(Traced):
    def assess(self, ranks, *words):
        return self.started(ranks, "assess", *words, record=False, program=f"{TOOLS}/sonde-replay")

    def assessed(self, ranks, *words):
        """The text, and the numbers."""
        done = self.assess(ranks, "--json", "a.json", "--share", "0", *words, "a.trace")
        self.assertEqual(done.code, 0, done)
        (numbers,) = self.lines("a.json")
        return done.out, numbers

    def test_a_poor_exchange_is_first_and_a_good_one_is_not_blamed(self):
        holds(self, lambda _: self.assert_poor_exchange_is_first(), 2, 3)

    def assert_poor_exchange_is_first(self):
        self.recorded(4, "poor", "50")
        text, numbers = self.assessed(4, "--gain", "20")
        poor, *others = numbers["operations"]
        self.assertEqual(sorted({c["call"] for c in poor["calls"]}), ["Recv", "Send", "Ssend"], text)
        self.assertLess(poor["efficiency"], 0.8)
        names = [one["name"] for one in poor["alternatives"]]
        self.assertEqual(names, ["nonblocking messages at once", "persistent requests", "a neighborhood collective", "MPI_Gather + MPI_Scatter", "MPI_Allreduce"])
        self.assertEqual([bool(one["condition"]) for one in poor["alternatives"]], [False] * 4 + [True])
        self.assertIn("\n1. ", text)
        (exchange,) = [o for o in others if len(o["calls"]) == 3]
        self.assertEqual(sorted(c["call"] for c in exchange["calls"]), ["Irecv", "Isend", "Waitall"])
        self.assertEqual((exchange["best"], exchange["efficiency"], exchange["winnable_seconds"]), (None, 1, 0), text)
        self.assert_consistent(numbers, text)

    def assert_consistent(self, numbers, text):
        """The values of JSON follow from each other, and the text has them."""
        won = [o["winnable_seconds"] for o in numbers["operations"]]
        self.assertEqual(won, sorted(won, reverse=True))
        for o in numbers["operations"]:
            library = min(o["application_seconds"], o["alone_seconds"])
            self.assertAlmostEqual(o["waiting_seconds"], o["application_seconds"] - library, 12)
            for one in o["alternatives"]:
                if one["name"] == o["best"]:
                    self.assertAlmostEqual(o["efficiency"], 1 / one["speedup"], 9)
                    self.assertAlmostEqual(o["winnable_seconds"], o["times"] * library * (1 - 1 / one["speedup"]), 12)
                    self.assertGreater(one["speedup_interval"][0], 1 + numbers["gain"])
            if o["bound_seconds"] is not None:
                self.assertAlmostEqual(o["bound_efficiency"], o["bound_seconds"] / o["alone_seconds"], 9)
        self.assertIn(f"{won[0]:.6f} s [", text)

    def test_every_alternative_gives_the_data_of_the_library(self):
        self.recorded(3, "calls", "4")
        _, numbers = self.assessed(3, "-n", "1", "--time", "0.001")
        operations = numbers["operations"]
        self.assertEqual([o["remarks"] for o in operations], [[]] * len(operations))
        ways = {o["calls"][0]["call"]: [one["name"] for one in o["alternatives"]] for o in operations if len(o["calls"]) == 1}
        self.assertEqual(ways["Reduce"], ["MPI_Ireduce + MPI_Wait", "binomial tree over messages", "MPI_Reduce_scatter_block + MPI_Gather"])
        self.assertEqual({name: len(ways[name]) for name in ways},
                         {"Allreduce": 4, "Allgather": 4, "Allgatherv": 4, "Alltoall": 3, "Alltoallv": 3, "Alltoallw": 1, "Barrier": 2, "Bcast": 3, "Exscan": 1,
                          "Gather": 2, "Gatherv": 2, "Neighbor_allgather": 1, "Reduce": 3, "Reduce_scatter": 2, "Reduce_scatter_block": 2, "Scan": 1,
                          "Scatter": 2, "Scatterv": 2})

    def test_a_model_of_a_file_gives_the_bounds(self):
        self.recorded(2, "ring", "20")
        fit = {"type": "fit", "model": "hockney", "residual_rms": 0.01, "from_bytes": 1.0, "to_bytes": 1e6, "table": [], "parameters": [
            {"name": name, "unit": unit, "segment": 0, "value": value, "low": value, "high": value, "status": "determined"}
            for name, unit, value in (("alpha", "s", 1e-6), ("r_inf", "B/s", 1e9))]}
        self.written("fit.json", json.dumps(fit))
        text, numbers = self.assessed(2, "-n", "1", "--time", "0.001", "--model", "fit.json")
        self.assertIn("# Model: hockney, of fit.json\n", text)
        (exchange,) = [o for o in numbers["operations"] if len(o["calls"]) == 3]
        self.assertAlmostEqual(exchange["bound_seconds"], 9e-6, 12)  # 8000 bytes to a neighbor, and as many from one
        self.written("multi.json", json.dumps({**fit, "model": "multi"}))
        self.refused("is a fit of the model multi", "--model", "multi.json", "a.trace")
        self.refused("is not one fit of sonde-model", "--model", "a.trace", "a.trace")

    def refused(self, text, *words):
        done = self.assess(2, *words)
        said = [line for line in done.said if text in line]
        self.assertEqual((done.code != 0, done.out, len(said)), (True, "", 1), done)

    def test_what_cannot_be_assessed_is_refused_in_one_line(self):
        self.recorded(2, "ring", "3")
        for text, words in (("assess takes a trace", ()), ("--share '101': takes a percentage", ("--share", "101", "a.trace")),
                            ("none/a", ("--json", "none/a", "a.trace"))):
            with self.subTest(text):
                self.refused(text, *words)


if __name__ == "__main__":
    if os.environ["TOOLS_REPLAYS"]:
        unittest.main()
