# SPDX-License-Identifier: BSL-1.0
"""Ends of a row (--until, --budget, -i), and starts of ranks (--sync), in records and in MPI calls."""
import json
import tempfile
import unittest

from driver import counted, read, run


def records_of(run_with):
    """The answer of `run_with(arguments..., folder=)`, and the records of its rows."""
    with tempfile.TemporaryDirectory() as folder:
        answer = run_with("--report", "json=r", folder=folder)
        assert set(answer.codes) == {0}, answer
        found = [json.loads(line) for line in read(f"{folder}/r").splitlines()][1:]
        assert found, answer
        return answer, found


def records(name, *arguments, ranks=2):
    return records_of(lambda *more, **how: run(name, *arguments, *more, ranks=ranks, **how))[1]


class Endings(unittest.TestCase):
    def test_a_row_ends_with_its_budget(self):
        for r in records("osu_latency", "-m", "2", "--budget", "1e-6"):
            self.assertEqual(r["stop"]["reason"], "time_budget")
            self.assertLess(r["stop"]["samples"], 100)

    def test_a_row_ends_at_its_precision(self):
        for name, ranks in (("osu_latency", 2), ("osu_bw", 2), ("osu_allreduce", 3), ("osu_put_latency", 2), ("osu_mbw_mr", 4)):
            # A hundredth of the budget, after which 14 slow samples may suffice, is longer than any launch.
            for r in records(name, "-m", "8:8", "--until", "99", "--budget", "1e5", ranks=ranks):
                self.assertEqual(r["stop"]["reason"], "precision", name)
                self.assertGreaterEqual(r["stop"]["samples"], 47, name)

    def test_a_precision_beyond_the_clock_ends_a_row_after_a_hundredth_of_its_budget(self):
        r, = records("osu_latency", "-m", "1:1", "--until", "0.001", "--budget", "10")
        self.assertEqual(r["stop"]["reason"], "unreachable")
        self.assertGreater(r["stop"]["samples"], 6)

    def test_a_precision_may_have_its_unit(self):
        r, = records("osu_latency", "-m", "8:8", "--until", "99%", "--budget", "30")
        self.assertEqual(r["stop"]["reason"], "precision")

    def test_i_limits_the_samples_of_until(self):
        r, = records("osu_latency", "-m", "1:1", "--until", "0.001", "--budget", "60", "-i", "7")
        self.assertEqual(r["stop"], {"reason": "samples", "samples": 7})
        self.assertEqual(counted("osu_latency", "-m", "1:1", "-i", "7", "-x", "2", "--budget", "60")[0]["MPI_Send"], 9)

    def test_a_row_of_until_has_the_six_samples_of_an_interval(self):
        r, = records("osu_latency", "-m", "1:1", "--until", "1", "--budget", "1e-6")
        self.assertEqual(r["stop"], {"reason": "samples", "samples": 6})
        r, = records("osu_latency", "-m", "1:1", "--until", "1", "--budget", "1e-6", "-i", "3")
        self.assertEqual(r["stop"], {"reason": "samples", "samples": 3})

    def test_threads_share_the_samples(self):
        r, = records("osu_latency_mt", "-t", "2:2", "-m", "1:1", "-i", "9", "--budget", "60")
        self.assertEqual(r["stop"], {"reason": "samples", "samples": 5})

    def test_samples_without_a_barrier_are_long_enough_for_the_clock(self):
        for sync in ((), ("--sync", "none")):
            r, = records("osu_latency", "-m", "1:1", "--until", "99", *sync)
            least = max(20 * r["clock_seconds"]["bias"], 100 * r["clock_seconds"]["resolution"])
            self.assertGreater(r["batch"] * r["over_ranks_seconds"]["mean"], 0.5 * least, sync)

    def test_samples_after_a_barrier_are_single_iterations(self):
        r, = records("osu_latency", "-m", "1:1", "--until", "99", "--sync", "barrier")
        self.assertEqual(r["batch"], 1)


class Starts(unittest.TestCase):
    SOME = ("-m", "1:1", "-i", "6", "-x", "2")

    def calls(self, sync, name="osu_latency", ranks=2):
        return counted(name, *self.SOME, *(("--sync", sync) if sync else ()), ranks=ranks)

    def test_each_has_its_calls_before_each_iteration_and_no_more(self):
        usual = self.calls(None)[0]["MPI_Barrier"]
        for sync, barriers in (("none", usual - 2), ("barrier", usual - 2 + 8), ("dissemination", usual - 2)):
            self.assertEqual([c["MPI_Barrier"] for c in self.calls(sync)], [barriers] * 2, sync)

    def test_a_synchronized_start_gives_times_by_a_global_clock(self):
        for name, ranks in (("osu_latency", 2), ("osu_allreduce", 3)):
            r, = records(name, *self.SOME, "--sync", "window", ranks=ranks)
            self.assertEqual(len(r["global"]["series_seconds"]), 6)
            self.assertEqual(r["stop"]["samples"], 6)
            self.assertIn("T_glob(us)", run(name, *self.SOME, "--sync", "window", "--honest", ranks=ranks).out)

    def test_without_a_synchronized_start_there_are_no_global_times(self):
        self.assertNotIn("global", records("osu_latency", *self.SOME, "--sync", "dissemination")[0])

    def test_threads_may_have_barriers(self):
        self.assertEqual(run("osu_latency_mt", *self.SOME, "--sync", "barrier").codes, [0, 0])
