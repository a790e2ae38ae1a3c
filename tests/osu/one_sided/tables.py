# SPDX-License-Identifier: BSL-1.0
"""One-sided programs: the text on stdout, the options of each, and refused input."""
import json
import os
import re
import subprocess
import tempfile
import unittest

from driver import LAUNCHER, PROGRAMS, is_row, read, run, statistics_titles, title_line
from one_sided.programs import ALL, BY_NAME

QUICK = ("-i", "3", "-x", "1")
RULE = "-" * 43


def block(rank, *lines):
    return [RULE, f"Atomic Data Validation results for Rank={rank}:", *lines, RULE]


def passed(n):
    return f"PASSED: All {n} combinations of ops and datatypes tested passed."


class Tables(unittest.TestCase):
    def test_each_program_prints_its_benchmark_its_titles_and_a_row_for_each_size(self):
        for program in ALL:
            for pair, given in ((program.defaults, []), (program.other, ["-w", program.other[0].upper(), f"-s{program.other[1]}"])):
                with self.subTest(f"{program.name} {given}"):
                    answer = run(program.name, *QUICK, "-m8", *given)
                    lines = program.preamble(pair) + [title_line([program.value])]
                    self.assertEqual((answer.codes, answer.lines[:len(lines)]), ([0, 0], lines))
                    rows = answer.lines[len(lines):]
                    self.assertEqual(len(rows), len(program.sizes))
                    for line, size in zip(rows, program.sizes):
                        self.assertTrue(is_row(line, size, 1), line)

    def test_atomics_restart_with_each_datatype_and_end_with_each_ranks_result(self):
        for name, kinds, sizes in (("osu_acc_latency", {"MPI_CHAR": 1, "MPI_INT": 4, "MPI_FLOAT": 4}, (1, 2, 4)),
                                   ("osu_fop_latency", {"MPI_INT": 4, "MPI_CHAR": 1}, (1, 4)),
                                   ("osu_cas_latency", {"MPI_CHAR": 1, "MPI_INT": 4}, (1, 4))):
            with self.subTest(name):
                program = BY_NAME[name]
                given = ["-T", "mpi_int", "-Tmpi_char"] if name == "osu_fop_latency" else ["-T", "all"]
                answer = run(name, *QUICK, "-m4", "-c", *given)
                expected = []
                for kind, least in kinds.items():
                    rows = [least] if program.one_element else [s for s in sizes if s >= least]
                    expected += program.preamble(program.defaults, kind) + [title_line(["Latency (us)", "Validation"])] + rows
                fetches = [passed(len(kinds))] if program.one_element else []
                expected += block(0, *fetches) + block(1, passed(len(kinds)))
                self.assertEqual(len(answer.lines), len(expected), answer)
                for line, want in zip(answer.lines, expected):
                    self.assertTrue(line == want or (isinstance(want, int) and is_row(line, want, 1, ("passed",))), f"{line} {want}")

    def test_other_programs_validate_without_further_lines(self):
        for name, given in (("osu_get_acc_latency", []), ("osu_put_bibw", ["-W", "3"]), ("osu_get_latency", ["-s", "pscw"])):
            answer = run(name, *QUICK, "-m4:8", "-c", *given)
            self.assertEqual([(row[0], row[2]) for row in answer.rows], [("4", "passed"), ("8", "passed")])
            self.assertEqual(answer.lines[-1][:1], "8")

    def test_percentiles_and_statistics_come_last(self):
        answer = run("osu_put_bw", "-i30", "-m1", "-z50,100", "-W2")
        self.assertEqual(answer.lines[4], title_line(["Bandwidth (MB/s)", "P50 Tail BW(MB/s)"]) + " P100 Tail BW(MB/s)")
        answer = run("osu_put_latency", "-i30", "-m1", "-s", "fence", "-c", "-z0,100", "--honest")
        self.assertEqual(answer.lines[4], title_line(["Latency (us)", "Validation", " P0 Tail Lat(us)"])
                         + "  P100 Tail Lat(us)" + statistics_titles())
        row = answer.rows[0]
        least, most, middle = float(row[3]), float(row[4]), float(row[5])
        self.assertTrue(least <= middle <= most and least <= float(row[1]) <= most, row)

    def test_a_fence_latency_is_half_of_an_iteration_and_both_transfers_of_an_exchange_count(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, total, hops in (("osu_put_latency", 2 * 64, 2), ("osu_put_bibw", 2 * 3 * 64, 1), ("osu_put_bw", 3 * 64, 1)):
                window = [] if hops == 2 else ["-W3"]
                answer = run(name, "-i", "8", "-m64:64", "-s", "fence", "-w", "create", *window, "--report", f"json={name}", folder=folder)
                self.assertEqual(answer.codes, [0, 0], answer)
                r = json.loads(read(f"{folder}/{name}").splitlines()[1])
                self.assertEqual((r["total"]["bytes"], r["total"]["hops"]), (total, hops))
                mean = r["over_ranks_seconds"]["mean"]
                shown = mean * 1e6 / 2 if hops == 2 else total / mean / 1e6
                self.assertEqual(answer.rows[0][1], f"{shown:.2f}")
                self.assertEqual(r["parameters"], {"bytes": 64, "datatype": "MPI_CHAR", **({"window": 3} if window else {}),
                                                   "creation": "create", "synchronization": "fence"})


class Options(unittest.TestCase):
    def test_each_program_lists_the_options_of_its_kind(self):
        for name in ("osu_put_latency", "osu_fop_latency", "osu_put_bibw"):
            answer = run(name, "-h", ranks=1)
            self.assertEqual((answer.codes, answer.lines[0]), ([0], f"Usage: {name} [options] [SRC DST]"))
            listed = re.findall(r"^  -(\w), --", answer.out, re.M)
            self.assertEqual(sorted(listed), sorted(BY_NAME[name].letters))

    def test_a_window_of_an_atomic_has_the_given_size_and_room_for_an_element(self):
        self.assertEqual([row[0] for row in run("osu_fop_latency", *QUICK, "-m1", "-T", "mpi_int", "-c").rows], ["4"])


class Refusals(unittest.TestCase):
    def refuse(self, name, given, line, ranks=2):
        with self.subTest(f"{name} {given} {ranks}"):
            answer = run(name, *given.split(), ranks=ranks)
            self.assertEqual((answer.codes, answer.out, len(answer.err.splitlines())), ([1] * ranks, "", 1), answer)
            self.assertRegex(answer.err, line)

    def test_unsupported_values_are_named_with_the_supported_ones(self):
        wrong = "^Invalid option or invalid argument"
        for name, given, line in (
                ("osu_put_latency", "-w shared", rf"{wrong} \[-w shared\]; accepted: create, allocate, dynamic$"),
                ("osu_get_bw", "-s unlock", rf"{wrong} \[-s unlock\]; accepted: lock, flush, flush_local, lock_all, pscw, fence$"),
                ("osu_put_bibw", "-s lock_all", rf"{wrong} \[-s lock_all\]; accepted: pscw, fence$"),
                ("osu_cas_latency", "-T mpi_float", r"^Invalid datatype \[-T mpi_float\]; accepted: mpi_char, mpi_int or all$"),
                ("osu_put_latency", "-T mpi_int", r"^Invalid option \[-T\]; accepted: -h .* --report --until --budget --sync --honest$"),
                ("osu_acc_latency", "-r gpu", r"^Invalid option \[-r\]; accepted: "),
                ("osu_acc_latency", "-c -u 3", r"^Invalid option \[-u\]; accepted: "),
                ("osu_get_latency", "-m 4:3000000000", r"^Too many elements \[-m 3000000000\]; accepted: sizes up to 2147483647$"),
                ("osu_put_bw", "-W 1000000", r"^Not enough memory \[-m, -W, -t, -i\]: "),
                ("osu_hello", "-I", r"^Invalid option \[-I\]; accepted: -h -v --report$"),
                ("osu_init", "-q", r"^Invalid option \[-q\]; accepted: -h -v -I --report$")):
            self.refuse(name, given, line)

    def test_windows_that_do_not_fit_into_dev_shm(self):
        """A /dev/shm of 64 MiB, in a namespace of its own."""
        small = 'mount -t tmpfs -o size=64M tmpfs /dev/shm && "$@"'
        if subprocess.run(["unshare", "-m", "sh", "-c", small, "sh", "true"], capture_output=True).returncode != 0:
            self.skipTest("no permission for a namespace of mounts")
        if "openmpi" not in read(LAUNCHER):
            self.skipTest("only Open MPI is known to allocate windows in /dev/shm")
        done = subprocess.run(["unshare", "-m", "sh", "-c", small, "sh", LAUNCHER, "-n", "2", f"{PROGRAMS}/osu_put_latency", "-w", "allocate",
                               "-m", "100000000:100000000", "-i", "2", "-x", "0"], capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertRegex(done.stderr, r"(?m)^Not enough memory \[-m, -W\]: 2 ranks of a host need 200 MB, /dev/shm has 67; accepted: what fits$")

    def test_two_ranks_are_needed(self):
        for ranks in (1, 3):
            self.refuse("osu_put_latency", "-m1", rf"^This test requires exactly two processes; it was started with {ranks}$", ranks)


class Startup(unittest.TestCase):
    def test_help_and_version_end_with_0(self):
        for name, options in (("osu_hello", "-h -v"), ("osu_init", "-h -v -I")):
            for word in ("-h", "--help"):
                answer = run(name, word, ranks=2)
                self.assertEqual((answer.codes, answer.err, answer.lines[0]), ([0, 0], "", f"Usage: {name} [options] [SRC DST]"))
                self.assertEqual(re.findall(r"(?m)^  (-\w), --", answer.out), options.split())
        for name, title in (("osu_hello", "Hello World"), ("osu_init", "Init")):
            for word in ("-v", "--version"):
                answer = run(name, word, ranks=2)
                self.assertEqual((answer.codes, answer.out, answer.err), ([0, 0], f"# OSU MPI {title} Test v7.4\n", ""))

    def test_the_start_time_is_in_whole_milliseconds_and_the_greeting_has_the_number_of_ranks(self):
        for ranks in (1, 3):
            answer = run("osu_init", ranks=ranks)
            self.assertEqual((answer.codes, answer.lines[0]), ([0] * ranks, "# OSU MPI Init Test v7.4"))
            found = re.fullmatch(r"nprocs: (\d+), min: (\d+) ms, max: (\d+) ms, avg: (\d+) ms", answer.lines[1])
            n, least, most, mean = map(int, found.groups())
            self.assertTrue(n == ranks and 0 < least <= mean <= most and len(answer.lines) == 2, answer)
        answer = run("osu_hello", ranks=3)
        self.assertEqual((answer.codes, answer.lines), ([0] * 3, ["# OSU MPI Hello World Test v7.4", "This is a test with 3 processes"]))

    def test_a_report_has_the_start_of_all_ranks_as_one_sample(self):
        for name in ("osu_init", "osu_hello"):
            with tempfile.TemporaryDirectory() as folder:
                answer = run(name, "--report", f"json={folder}/r", ranks=3)
                self.assertEqual(answer.codes, [0] * 3, answer)
                (record,) = [one for one in map(json.loads, read(f"{folder}/r").splitlines()) if "series_seconds" in one]
            least, mean, most = (record["over_ranks_seconds"][key] for key in ("min", "mean", "max"))
            self.assertEqual((record["name"], record["ranks"], record["series_seconds"]), (name, 3, [most]))
            self.assertTrue(0 < least <= mean <= most)
