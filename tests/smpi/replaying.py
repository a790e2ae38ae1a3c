# SPDX-License-Identifier: BSL-1.0
"""Traces of applications on simulated hosts (SMPI), where times are exact: recording takes no time, and a replay takes the
time of the application."""
import json
import os
import re
import subprocess
import tempfile
import unittest

MPI_RUN, APPLICATION, RECORDED, REPLAY = (os.environ[name] for name in ("MPI_RUN", "APPLICATION", "RECORDED", "REPLAY"))
STEPS = {"halo": 20, "stream": 20, "reductions": 20, "transposes": 12}


class Replaying(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_on(self, ranks, program, *words, **settings):
        environment = {**os.environ, **{f"SONDE_TRACE_{key}": value for key, value in settings.items()}}
        return subprocess.run([MPI_RUN, "-t", "60", "-n", str(ranks), program, *words], capture_output=True, text=True, cwd=self.folder,
                              env=environment, check=False)

    def times_of(self, done):
        """Microseconds of a step, and those in MPI, as the application measures them."""
        self.assertEqual(done.returncode, 0, done)
        return [float(time) for time in done.stdout.split()]

    def replayed(self, ranks):
        """The same of the loop of the last trace."""
        done = self.run_on(ranks, REPLAY, "run", "-n", "4", "sonde.trace")
        self.assertEqual(done.returncode, 0, done)
        (row,) = re.findall(r"(?m)^loop 1 .*$", done.stdout)
        cells = re.split(r"  +", row)
        return float(cells[2]), float(cells[-2])

    def test_recording_takes_no_time_and_a_replay_that_of_the_application(self):
        for ranks in (4, 16, 64):
            for pattern, steps in STEPS.items():
                with self.subTest(pattern, ranks=ranks):
                    own = self.times_of(self.run_on(ranks, RECORDED, pattern, str(steps)))
                    if ranks == 16:
                        self.assertEqual(own, self.times_of(self.run_on(ranks, APPLICATION, pattern, str(steps))))
                    for name, there, here in zip(("step", "MPI"), own, self.replayed(ranks)):
                        self.assertAlmostEqual(here / there, 1, delta=0.01, msg=name)

    def test_checkpoints_are_at_simulated_times_and_take_none(self):
        plain, recorded = (self.run_on(4, RECORDED, "halo", "20", CHECKPOINT=time) for time in ("0", "0.0005"))
        self.assertEqual(self.times_of(recorded), self.times_of(plain))
        self.assertEqual(os.listdir(self.folder), ["sonde.trace"])

    def test_ranks_share_a_program_with_places_in_the_application(self):
        self.times_of(self.run_on(64, RECORDED, "halo", "20"))
        with open(f"{self.folder}/sonde.trace", encoding="utf-8") as file:
            head, program, *ranks, end = map(json.loads, file)
        self.assertEqual((len(ranks), end["lines"]), (64, 66))
        self.assertEqual((head["library"], head["command"].split("/")[-1]), (head["library"], "recorded_application halo 20"))
        self.assertRegex(head["library"], r"^SMPI Version [0-9.]+$")
        self.assertTrue(all(site.startswith("recorded_application+0x") for site in program["sites"]), program["sites"])

    def test_a_job_that_aborts_ends_as_without_the_recorder(self):
        plain, recorded = (self.run_on(4, program, "halo", "20", "abort") for program in (APPLICATION, RECORDED))  # status 0: SMPI ignores it
        self.assertEqual((recorded.returncode, recorded.stdout), (plain.returncode, plain.stdout), recorded)
        done = self.run_on(1, REPLAY, "show", "sonde.trace.rank3")
        self.assertEqual((done.returncode, "# 1 rank of them recorded" in done.stdout), (0, True), done)


if __name__ == "__main__":
    unittest.main()
