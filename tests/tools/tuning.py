#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Races, files and refusals of sonde-tune, on a program whose times depend on its environment."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

from driver import TOOLS, InFolder, tool

EAGER, ALLREDUCE = "OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_coll_tuned_allreduce_algorithm"


def variable(name, value, words=()):
    return {"name": name, "value": value, "words": [[word, number] for number, word in enumerate(words)], "description": ""}


class Tuning(InFolder):
    def setUp(self):
        super().setUp()
        self.list("eager", variable("btl_vader_eager_limit", "4096"))
        self.list("coll", variable("coll_tuned_allreduce_algorithm", "ignore", ["ignore", "linear", "ring", "tree"]))

    def list(self, name, *variables):
        """A file of control variables, as `sonde-tune settings` writes it."""
        with open(f"{self.folder}/{name}", "w") as file:
            json.dump({"type": "settings", "version": "Open MPI v4.1.4", "device": "", "ranks": 4, "hosts": 1, "variables": variables}, file)

    def tune(self, *words):
        return tool("sonde-tune", *words, folder=self.folder)

    def tuned(self, settings, *options, **words):
        return self.tune("--settings", settings, "-n", "6", *options, "--", *self.fake(noise=0.01, **words))

    def test_a_faster_setting_is_chosen_confirmed_and_written_with_its_evidence(self):
        done = self.tuned("eager", "--out", "o", when=f"{EAGER}=16384:0.5/0.5/0.5,{EAGER}=1024:3/3/3")
        self.assertEqual(done.code, 0, done)
        file = self.text("o")
        self.assertEqual(file.splitlines()[-1], "btl_vader_eager_limit = 16384")
        self.assertRegex(file, r"(?m)^# sonde-tune \d+\.\d+\.\d+, \d{4}-\d\d-\d\d, Open MPI v4\.1\.4$")
        self.assertIn("6 launches of each side", file)
        self.assertEqual(len(re.findall(r"(?m)^# bytes=\d+: faster, [12]\.\d\d times as fast \[[\d.]+, [\d.]+\], p 0\.00\d\d$", file)), 3)
        self.assertTrue(done.out.endswith(file), done)
        self.assertNotIn("o.rules", os.listdir(self.folder))

    def test_a_slower_setting_stops_early(self):
        done = self.tuned("eager", when=f"{EAGER}=1024:3/3/3,{EAGER}=16384:0.5/0.5/0.5")
        lines = {line.split()[0]: line.split() for line in done.out.splitlines() if line.startswith("btl_vader_eager_limit=")}
        self.assertLess(int(lines["btl_vader_eager_limit=1024"][1]), 6, done)
        self.assertEqual(lines["btl_vader_eager_limit=16384"][1], "6")
        self.assertIn("dropped btl_vader_eager_limit=1024: surely slower", done.err)

    def test_equal_settings_name_nothing_twenty_times(self):
        for seed in range(20):
            done = self.tuned("eager", "--out", "o", "--seed", str(seed), seed=seed)
            self.assertEqual(done.code, 0, done)
            self.assertIn("No setting is surely faster", done.out)
            self.assertNotIn("o", os.listdir(self.folder))

    def test_algorithms_are_chosen_by_size_and_written_as_rules(self):
        rules = f"OMPI_MCA_coll_tuned_dynamic_rules_filename={os.path.realpath(self.folder)}/o.rules"
        done = self.tuned("coll", "--out", "o", name="osu_allreduce",
                          when=f"{ALLREDUCE}=ring:1.5/0.5/1,{ALLREDUCE}=tree:2/2/0.4,{ALLREDUCE}=linear:2/2/2,{rules}:1/0.5/0.4")
        self.assertEqual(done.code, 0, done)
        rules = [line.split("#")[0].split() for line in self.text("o.rules").splitlines()]
        self.assertEqual([" ".join(words) for words in rules if words],
                         ["1", "2", "2", "2", "4", "0 0 0 0", "16 2 0 0", "24 3 0 0", "48 0 0 0", "3", "1", "0 0 0 0"])
        self.assertIn(f"coll_tuned_dynamic_rules_filename = {os.path.realpath(self.folder)}/o.rules\n", self.text("o"))
        self.assertIn("coll_tuned_use_dynamic_rules = 1\n", self.text("o"))

    def test_a_planted_algorithm_is_undone(self):
        self.list("coll", variable("coll_tuned_allreduce_algorithm", "linear", ["ignore", "linear", "ring", "tree"]))
        os.environ[ALLREDUCE] = "linear"
        self.addCleanup(os.environ.pop, ALLREDUCE)
        done = self.tuned("coll", "--out", "o", name="osu_allreduce", when=f"{ALLREDUCE}=linear:2/2/2,{ALLREDUCE}=tree:3/3/3")
        self.assertEqual(self.text("o").splitlines()[-2:],
                         ["coll_tuned_allreduce_algorithm = ignore", "coll_tuned_use_dynamic_rules = 1"], done)
        self.assertEqual(self.tune("--check", "o", "-n", "6", "--", *self.fake(when=f"{ALLREDUCE}=linear:2/2/2")).code, 0)

    def test_check_measures_a_file_against_the_default(self):
        with open(f"{self.folder}/given", "w") as file:
            file.write("# by hand\nbtl_vader_eager_limit = 64\n")
        for factors, code, verdicts in (("0.5/0.5/0.5", 0, "3 faster, 0 slower"), ("0.5/1/2", 1, "1 faster, 1 slower"), ("1/1/1", 0, "0 faster, 0 slower")):
            with self.subTest(factors):
                done = self.tune("--check", "given", "-n", "6", "--", *self.fake(noise=0.01, when=f"{EAGER}=64:{factors}"))
                self.assertEqual(done.code, code, done)
                self.assertIn(f"3 rows: {verdicts}", done.out)

    def test_a_candidate_that_fails_or_hangs_is_dropped_alone(self):
        done = self.tuned("eager", "--out", "o", "--timeout", "2", "--records", "r",
                          when=f"{EAGER}=1024:1/fail,{EAGER}=16384:hang,{EAGER}=65536:0.5/0.5/0.5")
        self.assertEqual(done.code, 0, done)
        self.assertIn("dropped btl_vader_eager_limit=1024: failed with exit status 4", done.err)
        self.assertIn("dropped btl_vader_eager_limit=16384: failed with a time-out", done.err)
        self.assertEqual(self.text("o").splitlines()[-1], "btl_vader_eager_limit = 65536")
        launches = [line for line in self.lines("r") if line["type"] == "launch"]
        self.assertEqual([l["launch"] for l in launches], list(range(1, len(launches) + 1)))
        self.assertEqual(sum(l["command"].startswith(f"env {EAGER}=65536 ") for l in launches), 12)
        self.assertEqual(sum(not l["command"].startswith("env ") for l in launches), 13)

    def test_a_budget_ends_the_race(self):
        done = self.tuned("eager", "--budget", "1", when=f"{EAGER}=16384:0.5/0.5/0.5", noise_="")
        self.assertEqual(done.code, 0, done)
        slow = ["sh", "-c", 'sleep 0.2; exec "$0" json="$1"', self.fake()[0], "{json}"]
        done = self.tune("--settings", "eager", "--budget", "4", "-n", "6", "--", *slow)
        self.assertIn("the budget ends the race after", done.err)

    def launches_in(self, name):
        try:
            return self.text(name).count('"type":"launch"')
        except FileNotFoundError:  # sonde-tune makes the file for a moment, to see that it can
            return 0

    def test_an_interrupt_ends_with_its_status(self):
        command = [f"{TOOLS}/sonde-tune", "--settings", "eager", "--records", "r", "--", *self.fake(hang=3)]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while self.launches_in("r") < 2:
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertIn("interrupted", process.communicate(timeout=30)[1])
        self.assertEqual(process.returncode, 130)

    def test_a_failing_default_ends_the_search(self):
        done = self.tune("--settings", "eager", "--", *self.fake(fail=1))
        self.assertEqual((done.code, done.said[-1]), (2, "sonde-tune: the program failed with the default settings: exit status 3"))
        self.assertIn("out of luck", done.err)
        self.assertIn("{json}", self.tune("--settings", "eager", "--", "true").err)

    def test_an_invalid_command_line_prints_one_line_and_starts_nothing(self):
        fake = self.fake()
        with open(f"{self.folder}/bad", "w") as file:
            file.write("hello\n")
        before = sorted(os.listdir(self.folder))
        for words, text in (([], "no program"), (["--", "./none"], "no such program"), (["-n", "5", "--", *fake], "from 6 to 1000"),
                            (["--what", "all of it", "--", *fake], "one of coll, eager, all"), (["--budget", "0", "--", *fake], "--budget"),
                            (["--alpha", "1", "--", *fake], "--alpha"), (["--out", "none/a", "--", *fake], "cannot write 'none/a'"),
                            (["--records", "bad", "--", *fake], "cannot append"), (["--check", "none", "--", *fake], "cannot read 'none'"),
                            (["--check", "bad", "--", *fake], "bad:1: is no setting"), (["--check", "a", "--out", "b", "--", *fake], "neither --out"),
                            (["--settings", "bad", "--", *fake], "bad: is no list"), (["--settings", "none", "--", *fake], "cannot read 'none'"),
                            (["--outt", "a", "--", *fake], "--outt"), (["fast", "--", *fake], "positional")):
            with self.subTest(words):
                self.assert_one_line(self.tune(*words), 2, text)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_the_help_names_every_option(self):
        done = self.tune("--help")
        self.assertEqual((done.code, done.err), (0, ""))
        for option in ("--alpha", "--launches", "--budget", "--what", "--collectives", "--out", "--check", "--records", "--settings", "--seed", "Exit status"):
            self.assertIn(option, done.out)

    @unittest.skipUnless(os.environ["TOOLS_TUNE_HAS_MPI"], "no MPI")
    def test_the_library_lists_its_settings(self):
        run = [os.environ["TOOLS_MPI_RUN"], "-t", "60", "-n", "2", f"{TOOLS}/sonde-tune", "settings"]
        done = subprocess.run([*run, "list"], cwd=self.folder, capture_output=True, text=True, timeout=90)
        self.assertEqual(done.returncode, 0, done)
        settings = json.loads(self.text("list"))
        self.assertEqual((settings["type"], settings["ranks"], settings["hosts"]), ("settings", 2, 1))
        names = {v["name"]: v for v in settings["variables"]}
        if settings["version"].startswith("Open MPI"):
            self.assertIn(["basic_linear", 1], names["coll_tuned_allreduce_algorithm"]["words"])
        elif settings["version"].startswith("MPICH"):
            self.assertIn("recursive_doubling", names["MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"]["description"])
        done = subprocess.run([*run, "a", "b"], capture_output=True, text=True, timeout=90)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("settings takes at most a file", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
