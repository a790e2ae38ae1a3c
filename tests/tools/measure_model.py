#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Measurements, output and files of sonde-model; refusals on all ranks."""
import os
import re
import subprocess
import unittest

from driver import Answer, InFolder, TOOLS

MPI_RUN = os.environ["TOOLS_MPI_RUN"]
STATUS = '"$0" "$@"; echo "status $?"'


class MeasureModel(InFolder):
    def measure(self, ranks, *words, by=()):
        command = [MPI_RUN, "-t", "60", "-n", str(ranks), *by, f"{TOOLS}/sonde-model", "measure", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=100)
        return Answer(done.returncode, done.stdout, done.stderr)

    def measured(self, ranks, model, *words):
        """The program's result, and the records in the file."""
        done = self.measure(ranks, "--model", model, "--out", "a.json", "--warmup", "2", "--samples", "3", *words)
        self.assertEqual(done.code, 0, done)
        self.assertEqual(done.out.splitlines()[-1], "then: sonde-model fit a.json")
        environment, *records = self.lines("a.json")
        self.assertEqual((environment["type"], environment["ranks_per_host"]), ("environment", [ranks]))
        self.assertIn(f"--model {model}", environment["command_line"])
        return done, records

    def assert_pairs(self, record, pairs, size):
        self.assertEqual((record["ranks"], record["initiators"], record["stop"]), (2 * pairs, pairs, {"reason": "samples", "samples": 3}))
        self.assertEqual((record["total"]["bytes"], record["total"]["messages"]), (2.0 * pairs * size, 2.0 * pairs))
        self.assertEqual(len(record["series_seconds"]), 3)

    def assert_skew(self, record):
        """The entry skews of every sample."""
        self.assertEqual(len(record["global"]["entry_skews_seconds"]), 3)

    def test_hockney_measures_ping_pongs_of_one_pair_over_sizes(self):
        done, records = self.measured(3, "hockney", "--sizes", "64:256", "--per-octave", "2", "--iterations", "5")
        self.assertIn("# Ping-pong of one pair: ranks 0-1 on one node\n# 1 rank is in no pair and sleeps.\n", done.out)
        self.assertEqual([(r["name"], r["parameters"]) for r in records],
                         [("ping_pong", {"bytes": b}) for b in (64, 91, 128, 181, 256)])
        for r in records:
            self.assert_pairs(r, 1, r["parameters"]["bytes"])
            self.assertEqual(r["batch"], 5)

    def test_multi_measures_two_pairs_that_begin_together(self):
        done, records = self.measured(4, "multi", "--sizes", "4M,8M")
        self.assertIn("does not apply", done.out)
        self.assertEqual([(r["name"], r["parameters"], r["batch"]) for r in records],
                         [("multi_ping_pong", {"bytes": b, "start": "common"}, n) for b, n in ((4 << 20, 10), (8 << 20, 5))])
        for r in records:
            self.assert_pairs(r, 2, r["parameters"]["bytes"])
            self.assert_skew(r)

    def test_multi_apart_adds_the_bandwidths_of_pairs_that_begin_independently(self):
        done, records = self.measured(4, "multi", "--start", "apart", "--sizes", "4K", "--iterations", "20")
        self.assertIn("# Pairs begin together only before the warm-up", done.out)
        self.assertEqual([(r["parameters"], r["batch"]) for r in records], [({"bytes": 4096, "start": "apart"}, 20)])
        self.assert_pairs(records[0], 2, 4096)
        self.assert_skew(records[0])

    def test_max_rate_measures_a_growing_number_of_pairs(self):
        done, records = self.measured(4, "max-rate", "--sizes", "1K,2K")
        self.assertIn("memory, and no network interface", done.out)
        self.assertEqual([(r["name"], r["parameters"]) for r in records],
                         [("max_rate", {"bytes": b, "pairs": k}) for b in (1024, 2048) for k in (1, 2)])
        for r in records:
            self.assert_pairs(r, r["parameters"]["pairs"], r["parameters"]["bytes"])
            self.assert_skew(r)

    def test_loggp_measures_five_round_trips_a_size(self):
        _, records = self.measured(2, "loggp", "--sizes", "1K:2K:1K", "--messages", "4")
        self.assertEqual([(r["name"], r["parameters"]["bytes"], r["parameters"]["messages"], r["parameters"]["side"]) for r in records],
                         [("round_trips", b, n, side) for b in (1024, 2048)
                          for n, side in ((1, "send"), (4, "send"), (4, "send"), (1, "receive"), (4, "receive"))])

    def test_a_point_ends_at_its_time_limit_and_without_a_file_there_is_advice(self):
        done = self.measure(2, "--model", "hockney", "--sizes", "8", "--time", "0.02", "--precision", "1e-6")
        self.assertEqual(done.code, 0, done)
        self.assertRegex(done.out, r"(?m)^ping_pong +8 .* time_budget ")
        self.assertEqual(done.out.splitlines()[-2:], ["# Less precise than --precision 1e-06 when their time was over: 8 bytes",
                                                      "then: again with --out FILE, for sonde-model fit FILE"])

    def test_an_impossible_measurement_prints_one_line_with_status_2_of_every_rank(self):
        self.written("full.json", "{}\n")
        for ranks, words, said in (
                (3, ["--model", "multi"], "takes 4 ranks, all on one node, or half of them on rank 0's and half on another; here: 3 on 1 node"),
                (1, ["--model", "hockney"], "takes 2 ranks"),
                (2, ["--model", "none"], "--model 'none': takes one of hockney, multi, max-rate, loggp"),
                (2, ["--model", "hockney", "--sizes", "512G"], "--sizes: 2 ranks of a host need 2199023 MB, it has "),
                (2, ["--model", "hockney", "--out", "none/a.json"], "cannot write 'none/a.json': No such file or directory"),
                (2, ["--model", "hockney", "--out", "full.json"], "'full.json' exists: remove it, or name another")):
            with self.subTest(words):
                done = self.measure(ranks, *words, by=["sh", "-c", STATUS])
                self.assertEqual((done.code, done.out), (0, "status 2\n" * ranks), done)
                self.assertEqual(len(done.said), 1, done)
                self.assertTrue(done.err.startswith(f"sonde-model measure: {said}"), done)
        self.assertEqual((os.listdir(self.folder), self.text("full.json")), (["full.json"], "{}\n"))

    def test_a_file_that_cannot_take_records_ends_all_ranks(self):
        done = self.measure(2, "--model", "hockney", "--out", "/dev/full", "--sizes", "8", "--samples", "3")
        self.assertNotEqual(done.code, 0)
        self.assertIn("cannot write '/dev/full'", done.err)

    def test_the_help_names_every_option_once_on_any_number_of_ranks(self):
        done = self.measure(2, "--help")
        self.assertEqual((done.code, done.err), (0, ""))
        for option in ("model", "out", "sizes", "per-octave", "samples", "precision", "time", "warmup", "iterations", "start", "pairs", "messages"):
            self.assertEqual(len(re.findall(rf"(?m)^  (?:-\w, )?--{option}\b", done.out)), 1, option)


if __name__ == "__main__":
    unittest.main(verbosity=2)
