#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Launches, output and files of sonde-launch."""
import glob
import os
import re
import signal
import subprocess
import time
import unittest

from driver import TOOLS, InFolder, read, tool


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def is_running(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Launching(InFolder):
    def test_every_launch_is_collected_with_its_number_and_environment(self):
        done = self.launch("-n", "6", "--out", "a", "--", *self.fake())
        self.assertEqual((done.code, done.out), (0, ""), done)
        lines = self.lines("a")
        self.assertEqual([l["type"] for l in lines], (["launch", "environment"] + ["record"] * 3) * 6)
        self.assertEqual([l["launch"] for l in lines if "launch" in l], [k for k in range(1, 7) for _ in range(4)])
        self.assertEqual(lines[0]["command"], " ".join(self.fake()))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a"])

    def test_ten_launches_are_the_default(self):
        self.launch("--out", "a", "--", *self.fake())
        self.assertEqual(self.lines("a")[-1]["launch"], 10)

    def test_fewer_than_six_launches_are_reported_to_have_no_interval(self):
        done = self.launch("-n", "5", "--out", "a", "--", *self.fake())
        self.assertIn("too few for a 95 % interval", done.said[0])
        self.assertNotIn("too few", self.launch("-n", "1", "--append", "--out", "a", "--", *self.fake()).err)

    def test_a_launcher_of_an_allocation_is_started_with_its_options_and_the_report(self):
        """Launchers that print their words, and start the program, which is the first word that is no option."""
        for words in ("mpirun -n 2 --bind-to core", "mpiexec -n 2 --ppn 1", "srun --mpi=pmix --ntasks=2", "flux run --nodes=2 -o pmi=pmix",
                      "jsrun -n 2 -r 1 -a 1"):
            with self.subTest(words):
                launcher, *options = words.split()
                self.written(launcher, '#!/bin/sh\necho "$0 $*"\nwhile [ ! -x "$1" ]; do shift; done\nexec "$@"\n')
                os.chmod(f"{self.folder}/{launcher}", 0o755)
                path = {"PATH": f"{self.folder}:{os.environ['PATH']}", "SLURM_JOB_ID": "7", "SLURM_NTASKS": "2"}
                command = [f"{TOOLS}/sonde-launch", "-n", "2", "--verbose", "--out", "a", "--", launcher, *options, *self.fake()]
                done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=400, env={**os.environ, **path})
                self.assertEqual(done.returncode, 0, done)
                said = [line for line in done.stdout.splitlines() if line.startswith(f"{self.folder}/{launcher} ")]
                part = re.escape(os.path.realpath(f"{self.folder}/a")) + r"\.\w{6}/records"
                started = re.escape(" ".join([*options, *self.fake(), "--report", "json="])) + part
                self.assertEqual([bool(re.fullmatch(started, line.split(" ", 1)[1])) for line in said], [True] * 2, said)
                self.assertEqual([l["launch"] for l in self.lines("a") if l["type"] == "launch"], [1, 2])
                os.remove(f"{self.folder}/a")

    def test_output_is_shown_on_request_or_if_the_launch_fails(self):
        self.assertNotIn("measuring", self.launch("-n", "1", "--out", "a", "--", *self.fake()).err)
        self.assertEqual(self.launch("-n", "2", "--verbose", "--out", "b", "--", *self.fake()).out, "measuring\n" * 2)
        self.assertIn("measuring\nout of luck\n", self.launch("-n", "1", "--out", "c", "--", *self.fake(fail=1)).err)

    def test_a_failed_launch_keeps_its_rows_and_the_others_continue(self):
        done = self.launch("-n", "3", "--out", "a", "--", *self.fake(fail=2))
        self.assertEqual(done.code, 1, done)
        self.assertRegex(done.err, r"(?m)^launch 2 of 3 failed with exit status 3 after \d\.\d s; 1 record kept$")
        lines = self.lines("a")
        self.assertEqual([l["launch"] for l in lines if l["type"] == "record"], [1, 1, 1, 2, 3, 3, 3])
        self.assertEqual([l["outcome"] for l in lines if l["type"] == "launch"], ["exit status 0", "exit status 3", "exit status 0"])

    def test_after_a_failed_first_launch_no_other_is_tried(self):
        done = self.launch("-n", "6", "--out", "a", "--", *self.fake(fail=1))
        self.assertEqual(done.code, 1)
        self.assertEqual(len(self.lines("a")), 3)

    def test_a_missing_program_prints_one_line(self):
        self.assert_one_line(self.launch("-n", "6", "--out", "a", "--", "./none"), 2, "cannot start './none': No such file")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_program_without_records_fails_with_advice(self):
        done = self.launch("-n", "6", "--out", "a", "--", "true")
        self.assertEqual((done.code, len(done.said)), (1, 1), done)
        self.assertIn("{json}", done.err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_number_of_a_launch_counts_starts(self):
        script = 'n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n; [ $n = 1 ] || exec "$0" json="$1"'
        words = ["--out", "a", "--", "sh", "-c", script, self.fake()[0], "{json}"]
        self.assertEqual(self.launch("-n", "3", *words).code, 1)
        self.assertEqual([l["launch"] for l in self.lines("a") if l["type"] == "launch"], [1, 3])
        self.launch("-n", "1", "--append", *words)
        self.assertEqual([l["launch"] for l in self.lines("a") if l["type"] == "launch"], [1, 3, 4])

    def test_a_device_as_output_is_not_read(self):
        done = self.launch("-n", "1", "--out", "/dev/full", "--", *self.fake())
        self.assertEqual(done.code, 2, done)
        self.assertIn("cannot write '/dev/full': No space left on device", done.err)

    def test_a_signal_that_ends_a_launch_is_named(self):
        done = self.launch("-n", "6", "--out", "a", "--", "sh", "-c", "kill -9 $$")
        self.assertEqual(done.code, 1)
        self.assertIn("failed with signal 9", done.err)

    def test_a_launch_that_takes_too_long_is_ended_with_all_its_processes(self):
        script = 'sleep 300 & echo $! > child; exec "$0" hang=2 json="$1"'
        done = self.launch("-n", "3", "--timeout", "2", "--out", "a", "--", "sh", "-c", script, self.fake()[0], "{json}")
        self.assertEqual(done.code, 1, done)
        self.assertIn("launch 2 of 3 failed with a time-out", done.err)
        self.assertEqual([l["launch"] for l in self.lines("a") if l["type"] == "record"], [1, 1, 1, 2, 3, 3, 3])

    def test_processes_left_by_a_timed_out_launch_are_ended(self):
        script = "sleep 300 & echo $! > child; wait"
        self.launch("-n", "1", "--timeout", "0.3", "--out", "a", "--", "sh", "-c", script)
        with open(f"{self.folder}/child") as file:
            child = int(file.read())
        self.assertTrue(wait_for(lambda: not is_running(child)))

    def test_an_interrupt_keeps_the_collected_launches(self):
        command = [f"{TOOLS}/sonde-launch", "-n", "9", "--out", "a", "--", *self.fake(hang=3)]
        process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertTrue(wait_for(lambda: os.path.exists(f"{self.folder}/a") and self.text("a").count("\n") == 10 and
                                 [read(part).count("\n") for part in glob.glob(f"{self.folder}/a.*/records")] == [2]))
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 130)
        self.assertIn("launch 3 of 9 failed with an interrupt", said)
        self.assertEqual([l["launch"] for l in self.lines("a") if l["type"] == "record"], [1, 1, 1, 2, 2, 2, 3])
        self.assertEqual(os.listdir(self.folder), ["a"])

    def test_two_calls_that_append_to_a_file_keep_their_launches_apart(self):
        self.made("a", launches=1, time=1000)
        both = [subprocess.Popen([f"{TOOLS}/sonde-launch", "-n", "6", "--append", "--out", "a", "--", *self.fake(time=unit)], cwd=self.folder,
                                 stderr=subprocess.PIPE, text=True) for unit in (1000, 9000000)]
        self.assertEqual([(process.communicate(timeout=400), process.returncode)[1] for process in both], [0, 0])
        times, commands = [], []
        for line in self.lines("a"):
            if line["type"] == "launch":
                times.append([])
                commands.append(line["command"])
            elif line["type"] == "record":
                times[-1].append(line["series_seconds"][0] > 1e-3)
        self.assertEqual(times, [["time=9000000" in command] * 3 for command in commands])
        self.assertEqual(len(times), 13)

    def test_launches_are_appended_to_a_file_only_on_request(self):
        self.made("a", launches=2)
        self.assert_one_line(self.launch("-n", "1", "--out", "a", "--", *self.fake()), 2, "'a' exists; --append adds to it")
        self.launch("-n", "2", "--append", "--out", "a", "--", *self.fake())
        self.assertEqual([l["launch"] for l in self.lines("a") if l["type"] == "launch"], [1, 2, 3, 4])

    def test_nothing_is_appended_to_a_file_that_is_not_of_records(self):
        for text in ("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n1   2.00\n", "my notes\n", "\0"):
            with self.subTest(text):
                self.written("log", text)
                self.assert_one_line(self.launch("-n", "6", "--append", "--out", "log", "--", *self.fake()), 2, "cannot append to")
                self.assertEqual(self.text("log"), text)
                self.assertEqual(os.listdir(self.folder), ["log"])

    def test_launches_follow_a_line_that_was_cut(self):
        self.made("a", launches=2)
        whole = self.text("a")
        self.written("a", whole[:-20])
        self.launch("-n", "2", "--append", "--out", "a", "--", *self.fake())
        lines = self.text("a").splitlines()
        self.assertEqual(lines[:10], whole[:-20].splitlines())
        self.assertTrue(all(line.startswith('{"type":"') and line.endswith("}") for line in lines[10:]), lines)
        self.assertEqual(len(lines), 20)

    def test_unbound_ranks_are_reported_once(self):
        said = self.launch("-n", "6", "--out", "a", "--", *self.fake(binding="0-3")).said
        self.assertEqual([line for line in said if "rank 0 on 0-3" in line], [said[1]])

    def test_an_invalid_command_line_prints_one_line_and_starts_nothing(self):
        for words, text in ((["--out", "a"], "no program"), (["--", "true"], "no file for the records"),
                            (["-n", "0", "--out", "a", "--", "true"], "takes a whole number from 1 to"), (["-n", "4K", "--out", "a", "--", "true"], "4K"),
                            (["--timeout", "-1", "--out", "a", "--", "true"], "takes seconds from 1e-3 to"),
                            (["--out", "", "--", "true"], "--out '' is empty"), (["--outt", "a", "--", "true"], "--outt"), (["--out", "a", "true"], "'true' is no option"),
                            (["--out", "none/a", "--", "true"], "cannot write 'none/a': No such file")):
            with self.subTest(words):
                self.assert_one_line(self.launch(*words), 2, text)
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_help_of_each_tool_names_every_option(self):
        for name, options in (("launch", "--launches --out --append --timeout --verbose {json}"),
                              ("compare", "--effect --despite-differences --history --false-alarms --html OLD NEW FILE... Exit"),
                              ("report", "--csv --html --openmetrics --plot --table FILE... Exit")):
            with self.subTest(name):
                done = tool("sonde-" + name, "--help", folder=self.folder)
                self.assertEqual((done.code, done.err, [option for option in options.split() if option not in done.out]), (0, "", []))


if __name__ == "__main__":
    unittest.main(verbosity=2)
