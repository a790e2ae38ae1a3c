#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Files as people have them: logs in the formats of several suites and launchers. Their times are those of exact models,
so the right parameters are known."""
import json
import os
import subprocess
import tempfile
import unittest

TOOLS = os.environ["TOOLS"]
CASES = os.path.dirname(os.path.abspath(__file__))


class Cases(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def run_tool(self, tool, *words):
        return subprocess.run([f"{TOOLS}/{tool}", *words], capture_output=True, text=True, cwd=CASES, timeout=400)

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def fits(self, *words, code=0):
        """The fits of files: name, and value of each parameter."""
        json_file = f"{self.folder}/fit.json"
        done = self.run_tool("sonde-model", "fit", "--json", json_file, *words)
        self.assertEqual(done.returncode, code, done)
        with open(json_file) as file:
            fits = [json.loads(line) for line in file]
        self.remarks = [line for line in done.stdout.splitlines() if ".txt:" in line and "left out" in line]
        return [(f["series"]["name"], {p["name"]: p["value"] for p in f["parameters"]}, f["points"]) for f in fits]

    def assert_near(self, values, within=0.004, **expected):
        for name, value in expected.items():
            self.assertLess(abs(values[name] / value - 1), within, (name, values))

    def assert_only(self, file, alpha=2e-6, r_inf=10e9, **more):
        (_, values, points), = self.fits(file)
        self.assert_near(values, alpha=alpha, r_inf=r_inf)
        return points


class Labels(Cases):
    def test_labels_of_launchers_and_indentation_are_stripped(self):
        for file, points in (("tagged", 24), ("timestamps", 24), ("srun-labels", 24), ("indented", 24), ("pals", 23),
                             ("ghrun", 23), ("journal", 23), ("mail-quote", 23)):
            with self.subTest(file):
                self.assertEqual(self.assert_only(f"omb-{file}.txt"), points)
                self.assertEqual(self.remarks, [])

    def test_lines_of_different_ranks_stay_apart(self):
        first, second = self.fits("omb-two-ranks.txt")
        self.assert_near(first[1], alpha=2e-6, r_inf=10e9)
        self.assert_near(second[1], alpha=6e-6, r_inf=5e9)

    def test_carriage_returns_and_a_byte_order_mark_are_stripped(self):
        self.assert_only("omb-crlf.txt")

    def test_a_byte_order_mark_before_json_is_stripped(self):
        fit = f"{self.folder}/plain.json"
        record = json_records({"MPI_CHAR": (2e-6, 10e9)})
        for name, text in (("mark", b"\xef\xbb\xbf" + record.encode()), ("crlf", record.replace("\n", "\r\n")),
                           ("tagged", "".join(f"[1,0]<stdout>:{line}\n" for line in record.splitlines())),
                           ("pals", "".join(f"node-a.site 0: {line}\n" for line in record.splitlines()))):
            with self.subTest(name):
                self.assert_only(self.write(name, text))
        self.assertFalse(os.path.exists(fit))


class Rows(Cases):
    def test_what_is_no_row_ends_a_table_with_one_remark(self):
        self.assertEqual(self.assert_only("omb-trailer.txt"), 24)
        self.assertEqual(len(self.remarks), 1)
        self.assertIn("omb-trailer.txt:28: ", self.remarks[0])

    def test_words_between_and_behind_rows_are_no_rows(self):
        self.assertEqual(self.assert_only("omb-trailing-words.txt"), 22)
        self.assertEqual(len(self.remarks), 1)

    def test_rows_before_a_cut_are_read(self):
        done = self.run_tool("sonde-model", "fit", "omb-cut.txt")
        self.assertIn("# omb-cut.txt: osu_latency, 1 pair, 11 of 11 sizes", done.stdout)
        self.assertEqual(done.stdout.count("left out"), 1)
        self.assertIn("omb-cut.txt:15: ", done.stdout)

    def test_a_row_of_two_lines_in_one_is_left_out(self):
        self.assertEqual(self.assert_only("omb-glued-rows.txt"), 22)
        self.assertEqual(len(self.remarks), 1)
        self.assertIn("omb-glued-rows.txt:8: ", self.remarks[0])

    def test_an_error_behind_the_titles_of_the_columns_loses_no_row(self):
        self.assertEqual(self.assert_only("omb-glued-header.txt"), 23)
        self.assertEqual(len(self.remarks), 1)
        self.assertIn("omb-glued-header.txt:4: text behind the titles of the columns: left out", self.remarks[0])

    def test_rows_with_defects_are_not_fitted(self):
        self.assertEqual(self.assert_only("imb-defects.txt"), 18)
        self.assertEqual(len(self.remarks), 1)
        self.assertIn("have defects", self.remarks[0])

    def test_the_size_is_the_one_that_is_transmitted(self):
        self.assert_only("omb-derived-latency.txt", r_inf=1e9)
        (_, values, _), = self.fits("omb-derived-datatype.txt")
        self.assert_near(values, alpha=3e-6, R_C=1e9, R_N=4e9)

    def test_a_long_log_has_one_remark_of_a_kind(self):
        done = self.run_tool("sonde-model", "fit", self.write("long.txt", long_log()))
        self.assertEqual(done.returncode, 0, done)
        remarks = [line for line in done.stdout.splitlines() if "left out" in line or "not fitted" in line]
        self.assertLessEqual(len(remarks), 4, remarks)
        self.assertIn("osu_latency, 1 pair, 340 of 340 sizes in 20 tables", done.stdout)


class Tables(Cases):
    def test_other_versions_and_programs_are_right(self):
        for file in ("omb-71-datatype-after-size", "imb41-pingpong", "imb2019-pingpong", "omb-bw-then-latency"):
            with self.subTest(file):
                self.assert_only(f"{file}.txt")

    def test_host_and_device_tables_of_one_title_are_two_series(self):
        first, second = self.fits("omb-host-then-device.txt")
        self.assert_near(first[1], alpha=2e-6, r_inf=10e9)
        self.assert_near(second[1], alpha=12e-6, r_inf=20e9)
        self.assertEqual([f[0] for f in (first, second)], [
            f"OSU MPI-CUDA Latency Test v7.5, datatype MPI_CHAR (omb-host-then-device.txt:{line})" for line in (2, 29)])
        (name, values, _), = self.fits("--table", "2", "omb-host-then-device.txt")
        self.assertEqual(name, second[0])
        self.assertEqual(values, second[1])

    def test_an_empty_message_that_never_reaches_the_device_is_left_out(self):
        done = self.run_tool("sonde-model", "fit", "omb-cuda-zero-row.txt")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("# note: 1 outlier left out: 1.1 us at 0 B\n", done.stdout)
        self.assertIn(", 23 points from 1 B to 4.000 MiB", done.stdout)

    def test_pairs_of_devices_are_series_of_their_own(self):
        found = self.fits("omb-gpu-pairs.txt")
        self.assertEqual([name.split(", ")[1] for name, _, _ in found],
                         [f"heading GPU {k} (omb-gpu-pairs.txt:{line})" for k, line in ((1, 2), (2, 28), (3, 54))])
        for (_, values, points), (alpha, rate) in zip(found, ((2e-6, 10e9), (2.4e-6, 9e9), (2.8e-6, 8.5e9))):
            self.assertEqual(points, 23)
            self.assert_near(values, alpha=alpha, r_inf=rate)

    def test_datatypes_are_series_of_their_own_in_text_and_json(self):
        truth = {"MPI_CHAR": (2e-6, 10e9), "MPI_INT": (2.5e-6, 8e9), "MPI_FLOAT": (3e-6, 5e9)}
        for file in ("omb-type-all.txt", self.write("all.json", json_records(truth))):
            found = self.fits(file)
            self.assertEqual(len(found), 3)
            for (name, values, _), (datatype, (alpha, rate)) in zip(found, truth.items()):
                self.assertIn(datatype, name)
                self.assert_near(values, alpha=alpha, r_inf=rate)

    def test_a_lost_hash_never_mixes(self):
        self.assert_near(self.fits("omb-lost-hash.txt", code=self.status_of("omb-lost-hash.txt"))[0][1], alpha=2e-6, r_inf=10e9)
        done = self.run_tool("sonde-model", "fit", "--list", "omb-lost-hash.txt")
        self.assertIn("(omb-lost-hash.txt:29)", done.stdout)
        (_, values, points), = self.fits("omb-lost-hash-collective.txt")
        self.assertEqual(points, 11)
        self.assert_near(values, within=0.01, alpha=1e-6, r_inf=1e9)

    def status_of(self, file):
        return self.run_tool("sonde-model", "fit", file).returncode

    def test_tables_of_two_libraries_are_two_series(self):
        first, second = self.fits("omb-other-library.txt")
        self.assert_near(first[1], within=0.01, alpha=1e-6, r_inf=1e9)
        self.assert_near(second[1], within=0.01, alpha=1.2e-6, r_inf=1e9 / 1.2)

    def test_rows_behind_another_program_do_not_join(self):
        for file in ("omb-other-comment.txt", "omb-no-title.txt"):
            (_, values, points), = self.fits(file)
            self.assertEqual(points, 11)
            self.assert_near(values, within=0.01, alpha=1e-6, r_inf=1e9)

    def test_nccls_program_is_named_as_nccls(self):
        (name, values, _), = self.fits("omb-nccl-title.txt")
        self.assertIn("OSU NCCL-CUDA Latency Test v7.4", name)
        self.assert_near(values, alpha=20e-6, r_inf=18e9)

    def test_oneccls_program_is_of_its_family(self):
        with open(f"{CASES}/omb-nccl-title.txt") as file:
            text = file.read().replace("NCCL-CUDA", "oneCCL")
        (name, values, _), = self.fits(self.write("oneccl.txt", text))
        self.assertIn("OSU oneCCL Latency Test v7.4", name)
        self.assert_near(values, alpha=20e-6, r_inf=18e9)

    def test_numbers_of_partitions_stay_apart(self):
        def text(partitions, us):
            rows = "".join(f"{2 ** i:<10}{us + 2 ** i / 1000:18.2f}\n" for i in range(3, 23))
            return f"\n# OSU MPI Partitioned Latency Test v7.4\n# Partitions: {partitions}.\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n{rows}"
        found = self.fits(self.write("partitions.txt", text(8, 2) + text(16, 4)))
        self.assertEqual(len(found), 2)
        for (name, values, _), alpha in zip(found, (2e-6, 4e-6)):
            self.assertIn("OSU MPI Partitioned Latency Test v7.4", name)
            self.assert_near(values, within=0.01, alpha=alpha, r_inf=1e9)

    def test_variants_of_a_ping_pong_stay_apart(self):
        for file, second in (("imb-any-source.txt", (5e-6, 8e9)), ("omb-mp.txt", (4e-6, 8e9))):
            found = self.fits(file)
            self.assertEqual(len(found), 2)
            self.assert_near(found[0][1], alpha=2e-6, r_inf=10e9)
            self.assert_near(found[1][1], alpha=second[0], r_inf=second[1])

    def test_both_suites_are_read_from_one_log(self):
        found = self.fits("both-suites.txt")
        self.assert_near(found[0][1], alpha=3e-6, r_inf=5e9)
        self.assert_near(found[1][1], alpha=2e-6, r_inf=10e9)

    def test_a_window_before_version_2021_2_has_64_messages(self):
        (_, values, _), = self.fits(*[f"imb2019-uniband-{n}.txt" for n in (2, 4, 8, 16)])
        self.assert_near(values, alpha=3e-6, R_C=4e9, R_N=12e9)

    def test_tables_that_no_model_describes_are_refused_by_name(self):
        for file, name in (("nccl-tests-all-reduce.txt", "all_reduce_perf of nccl-tests"), ("mpi-graph.txt", "mpiGraph v1.5")):
            done = self.run_tool("sonde-model", "fit", file)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
            self.assertIn(name, done.stderr)
            self.assertIn("no model describes it", done.stderr)

    def test_tables_are_listed(self):
        done = self.run_tool("sonde-model", "fit", "--list", "omb-bw-then-latency.txt")
        self.assertEqual(done.returncode, 0, done)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("not fitted: its text has no window", lines[1])
        self.assertIn("OSU MPI Latency Test v5.8 (omb-bw-then-latency.txt:29)", lines[2])
        self.assertEqual(self.run_tool("sonde-model", "fit", "--table", "3", "omb-bw-then-latency.txt").returncode, 2)

    def test_pictures_and_predictions_follow_the_tables(self):
        self.fits("omb-host-then-device.txt")
        fit = f"{self.folder}/fit.json"
        predict = ["sonde-model", "predict", "--json", "--parameters", fit, "--sizes", "1M"]
        done = self.run_tool(*predict)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("has the fits of tables 1, 2: --table N chooses one", done.stderr)
        done = self.run_tool(*predict, "--table", "2")
        seconds = json.loads(done.stdout)["table"][0]["seconds"]
        self.assertLess(abs(seconds / (12e-6 + 2**20 / 20e9) - 1), 0.004)


class Comparisons(Cases):
    def test_text_is_compared_with_a_repeated_table_as_a_launch(self):
        sizes, slow = [8, 64], {8: 3.0, 64: 3.2}
        def log(times):
            return "".join("# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n" + "".join(
                f"{size:<10}{times[size] * (1 + 0.01 * k):>18.2f}\n" for size in sizes) for k in range(6))
        old, new = self.write("old.txt", log({8: 2.0, 64: 2.1})), self.write("new.txt", log(slow))
        done = self.run_tool("sonde-compare", old, new)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("6 launches", done.stdout)
        self.assertIn("2 rows: 2 slower", done.stdout)
        self.assertEqual(self.run_tool("sonde-compare", old, old).returncode, 0)

    def test_tables_of_one_title_with_other_times_are_launches_of_the_same_rows(self):
        def log(times):
            return "".join("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n" + "".join(
                f"{size:<10}{time:>18.2f}\n" for size in (1, 2, 4)) for time in times)
        old = self.write("old.txt", log([2.0, 2.01] + [12.0 + 0.01 * k for k in range(6)]))
        done = self.run_tool("sonde-compare", old, old)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("8 launches", done.stdout)
        self.assertIn("has other times; both count as launches", done.stdout + done.stderr)

    def test_tables_of_several_numbers_of_ranks_are_no_launches(self):
        done = self.run_tool("sonde-compare", "scaling-old.txt", "scaling-new.txt")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("# old: scaling-old.txt, 1 launch\n", done.stdout)
        self.assertIn("88 rows: 0 slower, 0 faster, 88 undecided", done.stdout)
        self.assertIn("No outcome: a single launch says nothing of the next one. Seen: in 88 of 88 rows the new time is "
                      "longer by 5 % or more, in 0 shorter.\n", done.stdout)
        self.assertIn("scaling-old.txt: OSU MPI Allreduce Latency Test: its 'heading' has several values (-n 2; -n 4; -n 8; "
                      "-n 16; -n 32; -n 64; -n 128; -n 256): each is a series of its own", done.stderr)

    def test_launches_of_several_numbers_of_ranks_are_compared_each_with_its_own(self):
        def log(name, factor):
            text = ""
            for launch in range(6):
                for ranks in (2, 4, 8):
                    time = f"{factor * ranks * (1 + 0.01 * launch):18.2f}"
                    text += {"osu": f"$ mpirun -n {ranks} osu_allreduce # run {launch}\n# OSU MPI Allreduce Latency Test v7.4\n"
                                    f"# Size       Avg Latency(us)\n8         {time}\n",
                             "imb": f"=== {ranks // 2} nodes ===\n# Benchmarking Exchange\n# #processes = 8\n"
                                    f"#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 10 1.00 {time} 1.00\n",
                             "nccl": "# nThread 1 nGpus 1\n# Using devices\n" + "".join(
                                 f"#  Rank {k} Pid 1{launch} on node device {k} [0{k}] GPU\n" for k in range(ranks)) +
                                     "# size count type redop root time algbw busbw #wrong\n"
                                     f"8 2 float sum -1 {time} 0.00 0.00 0\n"}[name]
            return text
        for name in ("osu", "imb", "nccl"):
            with self.subTest(name):
                done = self.run_tool("sonde-compare", self.write("old.txt", log(name, 3)), self.write("new.txt", log(name, 4)))
                self.assertEqual(done.returncode, 1, done)
                self.assertIn("6 launches\n", done.stdout)
                self.assertIn("3 rows: 3 slower", done.stdout)

    def test_a_link_of_nccl_is_none_of_another_device(self):
        def log(devices):
            return "".join("# nThread 1 nGpus 1\n# Using devices\n#  Rank 0 Pid 17 on node device 0 [01] GPU\n"
                           f"#  Rank 1 Pid 18 on node device 1 [{device}] GPU\n"
                           "# size count type redop root time algbw busbw #wrong\n8 2 float sum -1 12.00 0.00 0.00 0\n"
                           for device in devices)
        one = self.write("one.txt", log(["02"]))
        for devices, launches in ((["02", "02"], 2), (["02", "03"], 1)):
            done = self.run_tool("sonde-compare", one, self.write("two.txt", log(devices)))
            self.assertIn(f"two.txt, {launches} launch", done.stdout)
            self.assertEqual("only in new" in done.stdout, launches == 1)

    def test_values_that_differ_by_one_unit_of_the_last_digit_are_undecided(self):
        osu = lambda title, column: lambda v: f"# OSU MPI {title} Test v7.4\n# Size       {column}\n{1:<10}{v:>18}\n"
        formats = {
            "latency": osu("Latency", "Avg Latency(us)"), "bandwidth": osu("Bandwidth", "Bandwidth (MB/s)"),
            "rate": lambda v: "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 1 ] [ window size: 64 ]\n"
                              f"# Size                  MB/s        Messages/s\n1  0.01  {v}\n",
            "imb": lambda v: f"# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n1 10 {v} 0.00\n",
            "uniband": lambda v: "# Benchmarking Uniband\n# #processes = 2\n# window_size = 64\n#bytes #repetitions Mbytes/sec Msg/sec\n"
                                 f"1 10 0.00 {v}\n",
            "nccl": lambda v: "# nThread 1\n# size count type redop root time algbw busbw #wrong\n1 1 float sum -1 "
                              f"{v} 0.00 0.00 0\n",
            "mpi-graph": lambda v: f"START mpiGraph v1.5\nMsgSize\t1\nSend\ta:0\tb:1\na:0 to\t0.00\t{v}\nEND mpiGraph\n"}
        for name, log in formats.items():
            file = lambda v: self.write(f"{name}-{v}", 8 * log(v))
            for old, new in (("0.12", "0.13"), ("0.13", "0.12"), ("0.01", "0.02"), ("2.9", "3.1"), ("12", "13")):
                with self.subTest((name, old, new)):
                    done = self.run_tool("sonde-compare", file(old), file(new))
                    self.assertIn("8 launches", done.stdout)
                    many = (old, new) == ("2.9", "3.1")
                    self.assertIn(f"1 row: {int(many and name in ('latency', 'imb', 'nccl'))} slower, ", done.stdout)
                    self.assertIn(f"{int(not many)} undecided", done.stdout)

    def test_records_among_other_lines_are_compared_and_the_lines_are_told(self):
        lines = json_records({"MPI_CHAR": (2e-6, 10e9)})
        foreign = '{"timestamp":1700000000.1,"name":"init","context":{}}\n'
        path = self.write("mixed.json", foreign + lines + '{"type":"event"}\n')
        for words in (("sonde-compare", path, path), ("sonde-report", path), ("sonde-model", "fit", path)):
            done = self.run_tool(*words)
            self.assertEqual(done.returncode, 0, done)
            self.assertIn("mixed.json:1: is JSON, but no record, comparison, environment, launch, scopes or lateness of Sonde: left out "
                          "(2 lines, of which this is the first)", done.stdout + done.stderr)
        path = self.write("mixed.json", "srun: job 123 queued\n" + lines + "[node1:1234] a warning\n" + lines[:300])
        done = self.run_tool("sonde-compare", path, path)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("21 rows: ", done.stdout)
        told = [line.split("mixed.json", 1)[1] for line in done.stderr.splitlines() if "left out" in line]
        self.assertEqual(told, 2 * [":1: is no line of JSON: left out (2 lines, of which this is the first)",
                                    ":24: the last record is cut: left out"])
        self.assertEqual(self.assert_only(path), 21)

    def test_every_format_is_compared(self):
        for file, count in (("nccl-tests-all-reduce", ""), ("mpi-graph", ""), ("imb2019-pingpong", ""),
                            ("omb-bw-then-latency", ""), ("nccl-pals", "22 rows: "), ("nccl-timestamp", "22 rows: "),
                            ("nccl-cputime", "22 rows: ")):
            with self.subTest(file):
                done = self.run_tool("sonde-compare", f"{file}.txt", f"{file}.txt")
                self.assertEqual(done.returncode, 0, done)
                self.assertIn(f"{count}0 slower, 0 faster", done.stdout)

    def test_thirty_thousand_rows_are_compared_before_the_time_out(self):
        log = "".join(f"# OSU MPI Allreduce {k} Latency Test v7.5\n# Size       Avg Latency(us)\n" +
                      "".join(f"{2**j:<10}{2 + k % 7:>18.2f}\n" for j in range(20)) for k in range(1500))
        path = self.write("large.txt", log)
        self.assertIn("30000 rows: 0 slower, 0 faster, 30000 undecided", self.run_tool("sonde-compare", path, path).stdout)

    def test_cpu_times_of_nccl_are_not_compared_with_times(self):
        done = self.run_tool("sonde-compare", "nccl-cputime.txt", "nccl-timestamp.txt")
        self.assertEqual((done.returncode, done.stdout), (2, ""))


class Refusals(Cases):
    def test_other_files_are_refused_by_one_line(self):
        for text in (b"", b"\n\n", b"PNG\0\1\2", b"size time\n1 2\n", b"{not json\n", "# Size\n".encode("utf-16"),
                     b"# OSU MPI Latency Test v7.4\n", b"# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n",
                     b"# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n1 Fail\n", bytes(range(1, 256))):
            path = self.write("a", text)
            for words in (("sonde-model", "fit", path), ("sonde-compare", path, path)):
                done = subprocess.run([f"{TOOLS}/{words[0]}", *words[1:]], capture_output=True, timeout=400)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1), (text, done))

    def test_names_of_files_cannot_drive_a_terminal(self):
        path = self.write("a.txt", "# OSU MPI \x1b[2JReduce Test v7.4\n# Size       Avg Latency(us)\n1 2.00\n2 2.00\n")
        self.assertNotIn("\x1b", self.run_tool("sonde-model", "fit", "--list", path).stdout)

    def test_labels_and_titles_of_columns_cannot_drive_a_terminal(self):
        osu = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n1 2.00\n2 2.00\n4 2.10\n8 2.20\n16 2.50\n"
        tagged = "".join(f"[1,{rank}]<stdout>:{line}\n" for rank in ("0", "1\x1b[2J") for line in osu.splitlines())
        nccl = "# nThread 1\n# size count ty\x1b[2Jpe time algbw busbw\n8 2 float 2.00 0.00 0.00\n"
        for name, text in (("tagged", tagged), ("nccl", nccl)):
            path = self.write(name, text)
            other = self.write("other", osu + nccl)
            for words in (("sonde-model", "fit", path), ("sonde-model", "fit", "--list", path), ("sonde-compare", path, path),
                          ("sonde-compare", path, other), ("sonde-compare", other, path)):
                with self.subTest((name, words[:2])):
                    done = self.run_tool(*words)
                    self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_texts_of_records_cannot_drive_a_terminal(self):
        attack = "a\x1b[2J\nb\r\x07\x9b"
        lines = [json.loads(line) for line in json_records({"MPI_CHAR": (2e-6, 10e9)}).splitlines()]
        environment = {"type": "environment", "sonde_version": "1", "compiler": "c", "build": "b", "command_line": "c",
                       "communication_library": "MPI", "hosts": ["n"], "ranks_per_host": [2], "host_of_rank": [0, 0],
                       "bindings": ["0", "1"], "control_variables": {}, "devices": ["d"]}
        def file(name, change, change_environment=lambda e: None):
            records, e = json.loads(json.dumps(lines)), json.loads(json.dumps(environment))
            for r in records:
                change(r)
            change_environment(e)
            return self.write(name, "\n".join(json.dumps(x) for x in [e] + records) + "\n")
        plain = file("plain", lambda r: None)
        expected = {words: self.run_tool(*words).stdout.count("\n") for words in (
            ("sonde-model", "fit", plain), ("sonde-model", "fit", "--list", plain), ("sonde-compare", plain, plain))}
        attacked = {
            "name": file("name", lambda r: r.update(name=r["name"] + attack)),
            "value": file("value", lambda r: r["parameters"].update(datatype=attack)),
            "setting": file("setting", lambda r: r["parameters"].update({attack: 1})),
            "command": file("command", lambda r: r["parameters"].update(command=attack)),
            "library": file("library", lambda r: None, lambda e: e.update(communication_library=attack)),
            "device": file("device", lambda r: None, lambda e: e.update(devices=[attack])),
            "host": file("host", lambda r: None, lambda e: e.update(hosts=[attack])),
            "compiler": file("compiler", lambda r: None, lambda e: e.update(compiler=attack))}
        for name, path in attacked.items():
            for words, count in expected.items():
                with self.subTest((name, words[:2])):
                    done = self.run_tool(*[path if word == plain else word for word in words])
                    if name != "name" or words[0] == "sonde-compare":
                        self.assertEqual(done.stdout.count("\n"), count, done)
                    for character in "\x1b\r\x07\x9b":
                        self.assertNotIn(character, done.stdout + done.stderr)
            done = self.run_tool("sonde-compare", "--despite-differences", plain, path)
            for character in "\x1b\r\x07\x9b":
                self.assertNotIn(character, done.stdout + done.stderr)


def json_records(datatypes):
    """Lines of JSON of a ping-pong for each datatype, of exact times."""
    lines = []
    for datatype, (alpha, rate) in datatypes.items():
        for k in range(2, 23):
            seconds = 2 * (alpha + 2**k / rate)
            lines.append(json.dumps({
                "type": "record", "name": "osu_latency", "parameters": {"bytes": 2**k, "datatype": datatype},
                "total": {"bytes": 2.0 * 2**k, "messages": 2.0, "hops": 2.0, "bus_factor": 1.0},
                "ranks": 2, "initiators": 1, "batch": 10, "over_ranks_seconds": {"min": seconds, "mean": seconds, "max": seconds},
                "first_seconds": seconds, "clock_seconds": {"cost": 1e-8, "resolution": 1e-9, "bias": 1e-8},
                "stop": {"reason": "samples", "samples": 3},
                "flags": {"timer_limited": False, "skew_dominated": False, "clock_drift": False},
                "errors": None, "slowest_counts": [3, 0], "series_seconds": [seconds] * 3}))
    return "\n".join(lines) + "\n"


def long_log():
    """Twenty runs of ten programs, with a job's words between them."""
    programs = ["Latency", "Bandwidth", "Bi-Directional Bandwidth", "Allreduce Latency", "Broadcast Latency", "Allgather Latency",
                "Reduce Latency", "Gather Latency", "Scatter Latency", "Alltoall Latency"]
    text = ""
    for run in range(20):
        text += f"job step {run} begins\n"
        for program in programs:
            column = "Bandwidth (MB/s)" if "Bandwidth" in program else "Avg Latency(us)"
            text += f"\n# OSU MPI {program} Test v7.4\n{'# Size':<10}{column:>18}\n"
            text += "".join(f"{2**k:<10}{(2e-6 + 2**k / 10e9) * 1e6:>18.2f}\n" for k in range(17)) + "step done, 12 s\n"
    return text


if __name__ == "__main__":
    unittest.main(verbosity=2)
