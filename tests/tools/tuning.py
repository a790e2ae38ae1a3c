#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Races, files and refusals of sonde-tune, on a program whose times depend on its environment."""
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from driver import TOOLS, InFolder, tool

FILES = "OMPI_MCA_mca_base_envar_file_prefix"  # as by `mpirun --tune`
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
        self.assertEqual(sorted(os.listdir(self.folder)), ["coll", "eager", "o"])

    def test_a_slower_setting_stops_early(self):
        done = self.tuned("eager", when=f"{EAGER}=1024:3/3/3,{EAGER}=16384:0.5/0.5/0.5")
        lines = {line.split()[0]: line.split() for line in done.out.splitlines() if line.startswith("btl_vader_eager_limit=")}
        self.assertLess(int(lines["btl_vader_eager_limit=1024"][1]), 6, done)
        self.assertEqual(lines["btl_vader_eager_limit=16384"][1], "6")
        self.assertIn("dropped btl_vader_eager_limit=1024: surely slower", done.err)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_the_picture_has_each_candidate_with_its_result_and_a_cross_where_it_was_dropped(self):
        done = self.tuned("eager", "--plot", "race.svg", when=f"{EAGER}=1024:3/3/3,{EAGER}=16384:0.5/0.5/0.5")
        self.assertEqual(done.code, 0, done)
        texts = re.findall(r"<text>(?:<tspan[^>]*>)?([^<]+)<", self.text("race.svg"))
        for text in ("default", "dropped", "time / default, mean of 3 rows"):
            self.assertIn(text, texts)
        self.assertTrue(any(text.startswith("btl_vader_eager_limit: ") for text in texts), texts)
        legend = [text for text in texts if re.match(r"\d+: ", text)]
        self.assertRegex(" | ".join(legend), r"^1024: [\d.]+ times the fastest \| 65536: [\d.]+ times the fastest \| 16384: faster in 3 of 3 rows$")

    def test_without_gnuplot_a_line_says_so_and_the_settings_are_written(self):
        self.addCleanup(os.environ.__setitem__, "PATH", os.environ["PATH"])
        os.symlink(shutil.which("env"), f"{self.folder}/env")
        os.environ["PATH"] = self.folder
        done = self.tuned("eager", "--out", "o", "--plot", "race.svg", when=f"{EAGER}=16384:0.5/0.5/0.5")
        self.assertEqual(done.code, 0, done)
        self.assertIn("sonde-tune: no picture of the race: ", done.err)
        self.assertIn("btl_vader_eager_limit = 16384", self.text("o"))

    def test_equal_settings_name_nothing_twenty_times(self):
        for seed in range(20):
            done = self.tuned("eager", "--out", "o", "--seed", str(seed), seed=seed)
            self.assertEqual(done.code, 0, done)
            self.assertIn("No setting is surely faster in the race", done.out)
            self.assertNotIn("o", os.listdir(self.folder))

    def test_algorithms_are_chosen_by_size_and_written_as_rules(self):
        by_rules = "OMPI_MCA_coll_tuned_use_dynamic_rules=1:1/0.5/0.4"
        done = self.tuned("coll", "--out", "o", name="osu_allreduce",
                          when=f"{by_rules},{ALLREDUCE}=ring:1.5/0.5/1,{ALLREDUCE}=tree:2/2/0.4,{ALLREDUCE}=linear:2/2/2")
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
        self.assertIn(f"# The environment has {ALLREDUCE}, which goes before this file: unset {ALLREDUCE}\n", self.text("o"))

    def test_check_measures_a_file_against_the_default(self):
        self.written("given", "# by hand\nbtl_vader_eager_limit = 64\n")
        for factors, code, outcomes in (("0.5/0.5/0.5", 0, "3 faster, 0 slower"), ("0.5/1/2", 1, "1 faster, 1 slower"), ("1/1/1", 0, "0 faster, 0 slower")):
            with self.subTest(factors):
                done = self.tune("--check", "given", "-n", "6", "--", *self.fake(noise=0.01, when=f"{EAGER}=64:{factors}"))
                self.assertEqual(done.code, code, done)
                self.assertIn(f"3 rows: {outcomes}", done.out)

    def test_check_launches_with_the_file_itself_and_says_what_it_does_not_change(self):
        """A launcher that lists the control variables of a library which takes 64 and keeps `b`."""
        self.written("given", "btl_vader_eager_limit = 64\nb = 2\n")
        self.list("without", variable("btl_vader_eager_limit", "4096"), variable("b", "1"))
        self.list("with", variable("btl_vader_eager_limit", "64"), variable("b", "1"))
        self.written("launcher", f'#!/bin/sh\n[ "$2" = settings ] || exec "$@"\n[ "${FILES}" ] && cp with "$3" || cp without "$3"\n')
        os.chmod(f"{self.folder}/launcher", 0o755)
        check = ["--check", "given", "-n", "6", "--records", "r", "--", "./launcher", *self.fake(noise=0.01, when=f"{EAGER}=64:0.5/0.5/0.5")]
        done = self.tune(*check)
        self.assertEqual(done.code, 0, done)
        self.assertIn("3 rows: 3 faster, 0 slower", done.out)
        self.assertIn("sonde-tune: b is 1 without the file, too\n", done.err)
        used = [line["command"] for line in self.lines("r") if line["type"] == "launch" and line["command"].startswith("env ")]
        self.assertEqual({command.split()[1] for command in used}, {f"{FILES}={os.path.realpath(self.folder)}/given"})
        os.replace(f"{self.folder}/without", f"{self.folder}/with")
        self.list("without", variable("btl_vader_eager_limit", "4096"), variable("b", "1"))
        self.assert_one_line(self.tune(*check), 2, "given: changes nothing: btl_vader_eager_limit is 4096 without the file, too")
        for name in ("with", "without"):
            self.list(name, variable("c", "1"))
        self.assert_one_line(self.tune(*check), 2, "given: changes nothing: btl_vader_eager_limit is no control variable of the library in this program")

    def test_rules_that_open_mpi_ignores_are_not_measured(self):
        self.written("rules", "1\n0\n1\n2\n3\n0 99 0 0\n1024 99 0 0\n")
        self.assert_one_line(self.tune("--check", "rules", "--", *self.fake()), 2, "rules:7: Open MPI ignores the file without a word")

    def test_a_candidate_that_fails_or_hangs_is_dropped_alone(self):
        done = self.tuned("eager", "--out", "o", "--timeout", "2", "--records", "r",
                          when=f"{EAGER}=1024:1/fail,{EAGER}=16384:hang,{EAGER}=65536:0.5/0.5/0.5")
        self.assertEqual(done.code, 0, done)
        self.assertIn("dropped btl_vader_eager_limit=1024: failed with exit status 4", done.err)
        self.assertIn("dropped btl_vader_eager_limit=16384: failed with a time-out", done.err)
        self.assertEqual(self.text("o").splitlines()[-1], "btl_vader_eager_limit = 65536")
        launches = [line for line in self.lines("r") if line["type"] == "launch"]
        self.assertEqual([l["launch"] for l in launches], list(range(1, len(launches) + 1)))
        self.assertEqual(sum(l["command"].startswith(f"env {EAGER}=65536 ") for l in launches), 6)  # of the race
        self.assertEqual(sum(l["command"].startswith(f"env {FILES}=") for l in launches), 6)  # of the confirmation
        self.assertEqual(sum(not l["command"].startswith("env ") for l in launches), 13)

    def test_two_searches_in_a_folder_are_apart_and_leave_a_file_of_the_user(self):
        for name in ("sonde-tune.rules", "sonde-tune.part"):
            self.written(name, "mine\n")
        command = [f"{TOOLS}/sonde-tune", "--settings", "eager", "-n", "6", "--"]
        when = f"when={EAGER}=16384:0.5/0.5/0.5"
        both = [subprocess.Popen([*command, *self.fake(noise=0.01, time=unit), when], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True) for unit in (1000, 9000000)]
        said = [process.communicate(timeout=400) for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0], said)
        for (out, err), most in zip(said, (10, 40000)):  # us, by three rows and the calls
            times = [float(line.split()[1]) for line in out.splitlines() if re.match(r"bytes=\d+ ", line)]
            self.assertEqual(len(times), 3, err)
            self.assertTrue(most / 20 < min(times) and max(times) < most, out)
        self.assertEqual(sorted(os.listdir(self.folder)), ["coll", "eager", "sonde-tune.part", "sonde-tune.rules"])
        self.assertEqual(self.text("sonde-tune.rules"), "mine\n")

    def test_a_setting_that_may_be_slower_in_a_row_is_not_chosen_and_the_text_says_so(self):
        done = self.tuned("eager", when=f"{EAGER}=16384:0.5/1/2")
        self.assertRegex(done.out, r"btl_vader_eager_limit=16384 .* faster in 1 of 3 rows, maybe slower in 1\n")
        self.assertIn("\nEach setting that is faster in a row may be slower in another: the default settings stay.\n", done.out)
        self.assertNotIn("No setting", done.out)

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
        self.written("bad", "hello\n")
        before = sorted(os.listdir(self.folder))
        for words, text in (([], "no program"), (["--", "./none"], "no such program"), (["-n", "5", "--", *fake], "from 6 to 1000"),
                            (["--what", "all of it", "--", *fake], "one of coll, eager, all"), (["--budget", "0", "--", *fake], "--budget"),
                            (["--alpha", "1", "--", *fake], "--alpha"), (["--out", "none/a", "--", *fake], "cannot write 'none/a'"),
                            (["--out", "bad", "--", *fake], "'bad' exists"), (["--records", "bad", "--", *fake], "cannot append"), (["--check", "none", "--", *fake], "cannot read 'none'"),
                            (["--check", "bad", "--", *fake], "bad:1: is no setting"), (["--check", "a", "--out", "b", "--", *fake], "none of --out"),
                            (["--check", "a", "--plot", "b.svg", "--", *fake], "none of --out, --settings, --plot"), (["--plot", "a.txt", "--", *fake], "ends in .svg, .png or .pdf"),
                            (["--records", "a.svg", "--plot", "./a.svg", "--", *fake], "'./a.svg' is written twice"), (["--settings", "bad", "--", *fake], "bad: is no list"), (["--settings", "none", "--", *fake], "cannot read 'none'"),
                            (["--outt", "a", "--", *fake], "--outt"), (["fast", "--", *fake], "'fast' is no option")):
            with self.subTest(words):
                self.assert_one_line(self.tune(*words), 2, text)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_the_help_names_every_option(self):
        done = self.tune("--help")
        self.assertEqual((done.code, done.err), (0, ""))
        for option in ("--alpha", "--launches", "--budget", "--what", "--collectives", "--out", "--check", "--records", "--plot", "--settings", "--seed", "Exit status"):
            self.assertIn(option, done.out)

    @unittest.skipUnless(os.environ.get("TOOLS_MPIEXEC"), "no Open MPI")
    def test_a_file_is_used_as_it_says_and_leaves_the_files_of_the_user_and_the_system(self):
        """As a user does it: by the launcher of the library, in an environment without the settings of the tests."""
        os.mkdir(f"{self.folder}/.openmpi")
        self.written(".openmpi/mca-params.conf", "btl_self_eager_limit = 1234\n")
        self.tuned("eager", "--out", "o", when=f"{EAGER}=16384:0.5/0.5/0.5")
        found = re.search(r"# To use it: export (\S+)=(\S+), or with Open MPI 4 mpirun (.*)\n", self.text("o"))
        user = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_MCA_")}
        user |= {"HOME": self.folder, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        values = []
        for words, environment in ([], {}), ([], {found[1]: found[2]}), (found[3].split(), {}):
            done = subprocess.run([os.environ["TOOLS_MPIEXEC"], *words, "-n", "2", "--oversubscribe", f"{TOOLS}/sonde-tune", "settings", "list", "pml", "btl", "mtl"],
                                  cwd=self.folder, env=user | environment, capture_output=True, text=True, timeout=400)
            self.assertEqual(done.returncode, 0, done)
            values.append({v["name"]: v["value"] for v in json.loads(self.text("list"))["variables"]})
        self.assertEqual([v["btl_vader_eager_limit"] for v in values], ["4096", "16384", "16384"])
        self.assertEqual([v["btl_self_eager_limit"] for v in values], ["1234"] * 3)
        for name in ("pml", "btl", "mtl"):
            self.assertEqual({v[name] for v in values}, {values[0][name]}, name)


class OfTheLibrary(InFolder):
    """The control variables of the MPI library that runs, which need not be that of the build."""

    # A variable by the library's name, another value than it has, and its name in the environment.
    KNOWN = {"Open MPI": ("coll_tuned_allreduce_algorithm", "ring", "OMPI_MCA_coll_tuned_allreduce_algorithm"),
             "MPICH": ("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "recursive_doubling", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"),
             "Intel": ("I_MPI_ADJUST_ALLREDUCE", "3", "I_MPI_ADJUST_ALLREDUCE")}

    def run_settings(self, *words, **environment):
        return subprocess.run([os.environ["TOOLS_MPI_RUN"], "-t", "60", "-n", "2", f"{TOOLS}/sonde-tune", "settings", *words], cwd=self.folder,
                              env=os.environ | environment, capture_output=True, text=True, timeout=90)

    def settings(self, **environment):
        done = self.run_settings("list", **environment)
        self.assertEqual(done.returncode, 0, done)
        settings = json.loads(self.text("list"))
        return settings, {v["name"]: v for v in settings["variables"]}

    def test_the_library_lists_its_settings_and_takes_another_one_from_the_environment(self):
        settings, before = self.settings()
        self.assertEqual((settings["type"], settings["ranks"], settings["hosts"]), ("settings", 2, 1))
        ((name, value, exported),) = [known for library, known in self.KNOWN.items() if settings["version"].startswith(library)]
        about = before[name]
        self.assertTrue(any(value == word for word, _ in about["words"]) or value in about["description"] or "range: 0-" in about["description"], about)
        _, after = self.settings(**{exported: value, "OMPI_MCA_coll_tuned_use_dynamic_rules": "1"})
        self.assertNotEqual(after[name]["value"], about["value"])

    def test_another_option_is_refused(self):
        done = self.run_settings("-x")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("unrecognised option '-x'; see sonde-tune settings --help", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
