#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Measurements, results and files of sonde-map; refusals on all ranks; a rank that stops."""
import csv
import os
import re
import signal
import subprocess
import time
import unittest

from driver import Answer, InFolder, TOOLS

MPI_RUN = os.environ["TOOLS_MPI_RUN"]
QUICK = ("--samples", "6", "--window", "4")
NUMBERED = 'echo $$ > pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec "$@"'


class Map(InFolder):
    def map(self, ranks, *words):
        command = [MPI_RUN, "-t", "60", "-n", str(ranks), f"{TOOLS}/sonde-map", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=100)
        return Answer(done.returncode, done.stdout, done.stderr)

    def pairs(self, ranks, *words):
        """Result, and (metric, bytes, from, to) of the pairs in the file."""
        done = self.map(ranks, "--per", "rank", "--factor", "1000", "--json", "a.json", *QUICK, *words)
        self.assertEqual(done.code, 0, done)
        environment, *lines, result = self.lines("a.json")
        os.remove(f"{self.folder}/a.json")
        self.assertEqual((environment["type"], environment["ranks_per_host"]), ("environment", [ranks]))
        self.assertGreaterEqual(result.pop("stolen_seconds", 0), 0)
        self.assertEqual(result, {"type": "verdict", "suspects": 0, "status": 0})
        number = {place: int(re.match(r"rank (\d+) ", place)[1]) for line in lines for place in (line["from"], line["to"])}
        for pair in lines:
            self.assertEqual(pair["type"], "pair")
            bytes_moved = 2 * pair["bytes"] if pair["metric"] == "latency" else 4 * pair["bytes"]
            value = pair["median_seconds"] / 2 * 1e6 if pair["metric"] == "latency" else bytes_moved / pair["median_seconds"] / 1e6
            self.assertAlmostEqual(pair["value"] / value, 1, delta=1e-9)
            low, high = pair.get("interval_seconds", (pair["median_seconds"],) * 2)  # none of six samples that depend on each other
            self.assertTrue(low <= pair["median_seconds"] <= high, pair)
        return done, sorted((p["metric"], p["bytes"], number[p["from"]], number[p["to"]]) for p in lines)

    def every(self, ranks, *tasks):
        return sorted((metric, size, a, b) for metric, size in tasks for a in range(ranks) for b in range(ranks) if a != b)

    def test_every_pair_is_measured_once_in_each_direction(self):
        for ranks in (2, 3, 4):
            for mode in ("apart", "together"):
                with self.subTest(ranks=ranks, mode=mode):
                    done, pairs = self.pairs(ranks, "--mode", mode, "--latency", "1,64", "--bandwidth", "8K")
                    self.assertEqual(pairs, self.every(ranks, ("latency", 1), ("latency", 64), ("bandwidth", 8192)))
                    self.assertIn("Nothing is slower than most." if ranks > 3 else "Nothing is named.", done.out)
                    self.assertEqual("# More ranks than processors" in done.out, ranks > len(os.sched_getaffinity(0)))
            with self.subTest(ranks=ranks, mode="ring"):
                self.assertEqual(self.pairs(ranks, "--mode", "ring", "--bandwidth", "8K")[1], self.every(ranks, ("bandwidth", 8192)))

    def bits(self, ranks, fault, *words):
        """Result and line of a map whose messages of 104 bytes have a wrong bit where the fault says."""
        settings = [f"{name}={value}" for name, value in fault.items()]
        command = ["env", *settings, MPI_RUN, "-t", "60", "-n", str(ranks), f"{TOOLS}/sonde-map", "--per", "rank", "--factor", "1000", "--samples", "6",
                   "--latency", "104", "--bandwidth", "none", "--check-bits", "300", "--json", "a.json", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=100)
        *_, bits, verdict = self.lines("a.json")
        os.remove(f"{self.folder}/a.json")
        self.assertEqual((bits["type"], bits["messages"]), ("bits", 300 * ranks * (ranks - 1)), done)
        self.assertEqual((done.returncode, verdict["status"], bits["wrong"] != 0), (int(bool(fault)), int(bool(fault)), bool(fault)), done)
        return done, bits

    def test_right_bits_are_all_compared(self):
        done, bits = self.bits(3, {})
        self.assertEqual((bits["words"], done.stdout.splitlines()[1]), ([], "No wrong bit in 1800 messages."))

    @unittest.skipUnless("TOOLS_FAULT_SHIM" in os.environ, "built without tests/osu")
    def test_the_link_or_rank_of_wrong_bits_is_named(self):
        preloaded = ":".join(filter(None, (os.environ.get("LD_PRELOAD"), os.environ["TOOLS_FAULT_SHIM"])))
        usual = {"LD_PRELOAD": preloaded, "SONDE_FAULT": "last", "SONDE_FAULT_BYTES": "104", "SONDE_FAULT_ONE_IN": "20"}
        place = r"rank {} \(\S+\)"
        for fault, named in (({"SENDER": "2"}, "messages from " + place.format(2)), ({"RECEIVER": "1"}, "messages to " + place.format(1)),
                             ({"SENDER": "0", "RECEIVER": "3"}, f"the link from {place.format(0)} to {place.format(3)}"),
                             ({}, "no common link, rank or host")):
            with self.subTest(named):
                done, bits = self.bits(4, {**usual, **{"SONDE_FAULT_" + name: value for name, value in fault.items()}})
                self.assertRegex(bits["text"], rf"^Wrong bits in {bits['wrong']} of 3600 messages, on \d+ of 12 pairs of sender and receiver: {named}$")
                self.assertIn(bits["text"] + ".\n", done.stdout)
                self.assertRegex(bits["words"][0], rf"^{place.format('.')} to {place.format('.')}, round \d+, byte 96: wrong bits 0x2000000000000000$")
        done = subprocess.run(["env", *(f"{name}={value}" for name, value in usual.items()), MPI_RUN, "-t", "60", "-n", "2", f"{TOOLS}/sonde-map", "--per", "rank",
                               "--samples", "6", "--latency", "104", "--bandwidth", "none", "--check-bits", "--nagios"], capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stdout[:23]), (2, "CRITICAL - 2 ranks, Wro"), done)

    def test_a_budget_and_a_precision_end_a_pair(self):
        for words in (("--budget", "0.5"), ("--until", "20", "--time", "0.01")):
            done = self.map(3, "--per", "rank", "--factor", "1000", "--bandwidth", "none", *words)
            self.assertEqual((done.code, "latency of 8 bytes" in done.out), (0, True), done)

    def test_what_is_worse_than_expected_is_named_in_all_files(self):
        done = self.map(3, "--per", "rank", "--expect", "latency=1e-6", "--expect", "bandwidth=1e12", "--json", "a.json", "--csv", "a.csv",
                        "--html", "a.html", *QUICK, "--bandwidth", "4K")
        self.assertEqual(done.code, 1, done)
        self.assertTrue(done.out.splitlines()[1].startswith("Worse than --expect by latency of 8 bytes, 1e-06 us:"), done.out)
        for a in range(3):
            for b in range(3):
                if a != b:
                    self.assertEqual(len(re.findall(rf"^  rank {a} \(.*\) -> rank {b} \(.*\): [\d.]+$", done.out, re.MULTILINE)), 2)
        *_, result = lines = self.lines("a.json")
        result.pop("stolen_seconds", None)
        self.assertIn("<h2>Environment</h2>", self.text("a.html"))
        self.assertEqual(result, {"type": "verdict", "suspects": 12, "status": 1})
        self.assertEqual(sum(line["type"] == "suspect" for line in lines), 12)
        pairs = {(p["metric"], p["from"], p["to"]): p["value"] for p in lines if p["type"] == "pair"}
        matrices = [list(csv.reader(part.splitlines())) for part in self.text("a.csv").split("\n\n")]
        for metric, (head, *rows) in zip(("latency", "bandwidth"), matrices, strict=True):
            self.assertTrue(head[0].startswith(metric))
            for row in rows:
                for to, value in zip(head[1:], row[1:], strict=True):
                    self.assertEqual(pairs.get((metric, row[0], to)), float(value) if value else None)
                    self.assertLessEqual(sum(map(str.isdigit, value)), 16)  # 15, and the zero of 0.123
        page = self.text("a.html")
        self.assertEqual(page.count("<title>rank"), 2 * 12 * 2 // 2)  # two drawings of six cells for each of two maps
        self.assertIn('<div class="alarm">Worse than --expect', page)

    def test_nagios_prints_one_line_and_its_status(self):
        words = ("--nagios", "--per", "rank", "--factor", "1000", "--latency", "8", "--bandwidth", "4K", *QUICK)
        done = self.map(3, *words, "--json", "a.json")
        self.assertEqual(done.code, 0, done)
        self.assertRegex(done.out, r"\AOK - 3 ranks, nothing is slower than most \| 'latency_8'=[\d.]+us 'bandwidth_MBps_4096'=[\d.]+\n\Z")
        self.assertEqual(self.lines("a.json")[-1]["status"], 0)
        done = self.map(3, *words, "--expect", "latency=1e-6", "--expect", "bandwidth=1")
        self.assertEqual(done.code, 2, done)
        self.assertRegex(done.out, r"\ACRITICAL - 3 ranks, rank 0 \(.*\) -> rank 1 \(.*\): latency of 8 bytes is [\d.]+ us, expected 1e-06; and 5 more "
                                   r"\| 'latency_8'=[\d.]+us;;1e-06 'bandwidth_MBps_4096'=[\d.]+;;1:\n\Z")
        for words, text in ((("--nagios",), "all 3 ranks are on one node"), (("--nagios", "--per", "socket"), "takes one of node, rank"),
                            ((*words, "--csv", "/dev/full"), "/dev/full")):
            with self.subTest(words):
                done = self.map(3, *words)
                self.assertEqual((done.code, done.out.count("\n")), (3, 1), done)
                self.assertTrue(done.out.startswith("UNKNOWN - sonde-map: ") and text in done.out, done)
                self.assertNotIn("sonde-map: ", done.err)

    def test_bad_input_is_refused_on_all_ranks(self):
        self.written("full", "something\n")
        for words, text in (((), "all 3 ranks are on one node: --per rank"),
                            (("--per", "socket"), "--per 'socket': takes one of node, rank"),
                            (("--mode", "all"), "--mode 'all': takes one of apart, together, ring"),
                            (("--mode", "ring", "--latency", "8"), "--latency: in a ring only bandwidth is measured"),
                            (("--latency", "none", "--bandwidth", "none"), "nothing is left to measure"),
                            (("--expect", "speed=3"), "--expect 'speed=3': takes latency=US or bandwidth=MB/S"),
                            (("--expect", "latency=1", "--latency", "none"), "--expect latency: no latency is measured"),
                            (("--samples", "6", "--budget", "3"), "--samples is instead of"),
                            (("--bandwidth", "-3"), "--bandwidth -3: "),
                            (("--latency", "8,,1K"), "--latency 8,,1K: '' is no size"),
                            (("--csv", ""), "--csv '' is empty"),
                            (("--latency", ""), "--latency '' is empty"),
                            (("--per", "rank", "--json", "full"), "'full' exists"),
                            (("--per", "rank", "--csv", "none/a"), "cannot write 'none/a'"),
                            (("--per", "rank", "--plot", "a.gif"), "not 'a.gif'"),
                            (("--per", "rank", "--bandwidth", "1024G"), "no memory for 16 messages")):
            with self.subTest(words):
                done = self.map(3, *words)
                self.assertEqual(done.code, 2, done)
                said = [line for line in done.said if line.startswith("sonde-map: ")]
                self.assertEqual(len(said), 1, done)
                self.assertIn(text, said[0])
                self.assertNotIn("metric", done.out)
        self.assertIn("2 ranks of a host need", self.map(2, "--per", "rank", "--bandwidth", "1G", "--window", "4096").err)
        alone = self.map(1)
        self.assertEqual((alone.code, "takes at least 2 ranks" in alone.err), (2, True), alone)

    def test_tasks_of_srun_that_are_each_alone_say_so_once(self):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_COMM_WORLD", "PMI", "SLURM_"))}
        step = {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "3"}
        done = [subprocess.run([f"{TOOLS}/sonde-map"], capture_output=True, text=True, timeout=400, env={**clean, **step, "SLURM_PROCID": str(rank)})
                for rank in range(3)]
        self.assertEqual([(d.returncode, d.stdout) for d in done], [(2, "")] * 3, done)
        said = [line for d in done for line in d.stderr.splitlines() if "alone" in line or "takes at least" in line]
        self.assertEqual(len(said), 1, done)
        self.assertTrue(said[0].startswith("srun started 3 processes of a program that is built with "), said)

    def test_a_file_that_cannot_be_written_is_status_2(self):
        for option in ("--csv", "--html", "--json"):
            with self.subTest(option):
                done = self.map(2, "--per", "rank", "--factor", "1000", *QUICK, "--bandwidth", "none", option, "/dev/full")
                self.assertEqual((done.code, sum("sonde-map: " in line and "/dev/full" in line for line in done.said)), (2, 1), done)

    def stopped_in_round_2(self, ranks, *words):
        """What sonde-map says when rank 2 stops after the first round."""
        command = [MPI_RUN, "-t", "60", "-n", str(ranks), "sh", "-c", NUMBERED, "sh", f"{TOOLS}/sonde-map", "--per", "rank", "--json", "a.json",
                   "--bandwidth", "none", "--until", "0.0001", "--time-limit", "2", *words]
        job = subprocess.Popen(command, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (job.kill(), job.communicate()) if job.returncode is None else None)
        end = time.monotonic() + 30
        while not os.path.exists(f"{self.folder}/a.json") or '"pair"' not in self.text("a.json"):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        with open(f"{self.folder}/pid.2") as file:
            os.kill(int(file.read()), signal.SIGSTOP)
        _, err = job.communicate(timeout=50)
        self.assertNotIn(job.returncode, (0, 1), err)
        self.assertGreater(sum(line["type"] == "pair" for line in self.lines("a.json")), 0)
        return err

    def test_a_rank_that_stops_ends_the_job_and_the_rounds_before_are_kept(self):
        err = self.stopped_in_round_2(4, "--latency", "1:4K", "--time", "0.2")
        self.assertRegex(err, r"sonde-map: rank \d \(.*\) (and rank \d \(.*\) did not finish within 2|waited for the other pairs for 10) s; the rounds before")

    def test_a_rank_that_stops_while_it_is_idle_ends_the_job(self):
        err = self.stopped_in_round_2(3, "--mode", "together", "--latency", "1", "--time", "0.5")  # rank 2 has no partner in round 2
        self.assertRegex(err, r"sonde-map: rank [01] \(.*\) waited for the other pairs for 6 s; the rounds before")


if __name__ == "__main__":
    unittest.main()
