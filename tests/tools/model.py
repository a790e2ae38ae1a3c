#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Results of sonde-model for files: fits, predictions, pictures, and one line for an invalid file."""
import json
import os
import re
import shutil
import subprocess
import unittest

import model_texts as texts
from driver import TOOLS, InFolder, tool


class Modeling(InFolder):
    def model(self, *words):
        return tool("sonde-model", *words, folder=self.folder)

    def fitted(self, *words, code=0):
        """The JSON of a fit of files."""
        done = self.model("fit", "--json", "fit.json", *words)
        self.assertEqual(done.code, code, done)
        with open(f"{self.folder}/fit.json") as file:
            return json.load(file)

    def assert_parameters(self, fit, within, **expected):
        values = {p["name"]: p["value"] for p in fit["parameters"]}
        for name, value in expected.items():
            self.assertLess(abs(values[name] / value - 1), within, (name, values))
        return values


class Fits(Modeling):
    def test_a_ping_pong_of_either_suite_is_hockneys(self):
        time = texts.hockney(2e-6, 10e9)
        for text in (texts.osu_latency(time), texts.imb_ping_pong(time),
                     texts.osu_latency(time, title="OSU MPI-CUDA Latency Persistent Test", column="Latency (us)")):
            fit = self.fitted(self.written("a", text))
            self.assertEqual((fit["model"], fit["points"], fit["determined"]), ("hockney", 23, True))
            self.assert_parameters(fit, 0.002, alpha=2e-6, r_inf=10e9, n_half=20e3)

    def test_two_groups_are_fitted_by_the_multi_mode_model_with_the_sum_of_their_bandwidths(self):
        sizes = [round(2**(k / 4)) for k in range(62, 90)]
        for published in (False, True):
            time = texts.multi(524288, 1.5e9, 3e-6, published)
            for text in (texts.imb_multi_1(time, sizes), texts.imb_multi_0(time, sizes)):
                form = "published" if published else "time-line"
                fit = self.fitted("--form", form, self.written("a", text))
                self.assertEqual((fit["model"], fit["form"]), ("multi", form))
                self.assert_parameters(fit, 0.002, C=524288, B_r=1.5e9, T_l=3e-6)

    def test_different_numbers_of_pairs_are_fitted_by_max_rate_over_files_and_tables(self):
        time = texts.max_rate(5e-6, 2e9, 9e9)
        osu = [self.written(f"{k}", texts.osu_mbw_mr(time, k)) for k in (1, 2, 4, 8, 16)]
        uniband = self.written("uniband", texts.imb_uniband(time, (2, 4, 8, 16, 32), window=32))
        for files in (osu, [uniband]):
            fit = self.fitted(*files)
            self.assertEqual((fit["model"], fit["points"]), ("max-rate", 115))
            self.assert_parameters(fit, 0.002, alpha=5e-6, R_C=2e9, R_N=9e9, k_sat=4.5)

    def test_only_the_given_range_of_sizes_is_fitted(self):
        a = self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9)))
        fit = self.fitted("--from", "1K", "--to", "1M", a)
        self.assertEqual((fit["from_bytes"], fit["to_bytes"], fit["points"]), (1024, 2**20, 11))

    def test_an_undetermined_parameter_ends_with_1_and_has_no_value(self):
        time = texts.max_rate(5e-6, 2e9, 90e9)
        files = [self.written(f"{k}", texts.osu_mbw_mr(time, k)) for k in (1, 2, 4)]
        done = self.model("fit", *files)
        self.assertEqual(done.code, 1, done)
        self.assertIn("sonde-model: R_N: at least this", done.said)
        row = next(line for line in done.out.splitlines() if line.startswith("R_N"))
        self.assertIn(" at least this", row)
        sizes = [round(2**(k / 4)) for k in range(80, 92)]
        fit = self.fitted(self.written("a", texts.imb_multi_1(texts.multi(65536, 1.5e9, 3e-6), sizes)), code=1)
        stand = {p["name"]: (p["status"], p["value"]) for p in fit["parameters"]}
        self.assertEqual(stand["C"], ("not determined", None))
        self.assertFalse(fit["determined"])

    def test_the_text_has_parameters_quality_and_every_size(self):
        done = self.model("fit", self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9))))
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("# a: osu_latency, 1 pair, 23 of 23 sizes", done.out)
        for words in (["parameter", "value", "[95", "%]"], ["1048576", "106.9", "us", "106.9", "us"]):
            self.assertTrue([line for line in done.out.splitlines() if line.split()[:len(words)] == words], (words, done))
        self.assertRegex(done.out, r"\nalpha +(1\.99\d|2\.00\d) us +\[1\.99\d, 2\.00\d\]  determined\n")

    def test_rows_without_measurements_are_reported(self):
        text = texts.imb_ping_pong(texts.hockney(2e-6, 10e9))
        row = next(line for line in text.splitlines() if line.split()[:1] == ["4194304"])
        text = text.replace(row, f"{4194304:13d} out-of-mem.; needed X=   0.100 GB; use flag \"-mem X\"")
        done = self.model("fit", self.written("a", text))
        self.assertEqual(done.code, 0, done)
        self.assertIn("was not measured: out-of-mem.;", done.out)

    def test_a_poor_fit_is_reported_and_predicts_nothing(self):
        a = self.written("a", texts.osu_latency(lambda size: 2e-6 if size.bit_length() % 2 else 80e-6))
        done = self.model("fit", "--json", "fit.json", a)
        self.assertEqual((done.code, len(done.said)), (1, 1), done)
        self.assertIn("the model does not describe these data: residuals ", done.err)
        fit = json.loads(self.text("fit.json"))
        self.assertEqual({row["model_seconds"] for row in fit["table"]}, {None})
        self.assertRegex(done.out, r"(?m)^ +8 +\S+ us +- +- ")
        self.assert_one_line(self.model("predict", "--parameters", "fit.json", "--set", "alpha=1us"), 2,
                             "fit.json: the model does not describe the data")

    def test_a_bounded_parameter_gives_no_model_times(self):
        time = texts.max_rate(5e-6, 2e9, 90e9)
        fit = self.fitted(*[self.written(f"{k}", texts.osu_mbw_mr(time, k)) for k in (1, 2, 4)], code=1)
        self.assertEqual({row["model_seconds"] for row in fit["table"]}, {None})

    def test_a_pipe_is_read_once(self):
        done = subprocess.run([f"{TOOLS}/sonde-model", "fit", "--json", f"{self.folder}/fit.json", "/dev/stdin"], input=self.records(),
                              capture_output=True, text=True, timeout=400)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("# /dev/stdin: multi_ping_pong, 2 pairs, 28 of 28 sizes\n", done.stdout)

    def test_flags_and_a_single_node_of_records_are_remarks(self):
        here = {"type": "environment", "sonde_version": "1", "compiler": "", "build": "", "command_line": "", "communication_library": "",
                "hosts": ["a"], "ranks_per_host": [4], "host_of_rank": [0, 0, 0, 0], "bindings": ["", "", "", ""]}
        done = self.model("fit", self.written("a", json.dumps(here) + "\n" + self.records()))
        self.assertEqual(done.code, 0, done)
        self.assertIn("# a: 28 of 28 records are flagged skew_dominated\n# Both pairs are on one node: ", done.out)
        self.assertNotIn("on one node", self.model("fit", self.written("b", self.records())).out)

    def records(self):
        """Lines of JSON of two pairs with a model's times."""
        time = texts.multi(524288, 1.5e9, 3e-6)
        sizes = [round(2**(k / 4)) for k in range(62, 90)]
        return "".join(self.record("multi_ping_pong", {"bytes": s}, s, time(s, 10) / 10) for s in sizes)

    def record(self, name, parameters, size, seconds):
        """Records of two pairs, 10 repetitions a sample."""
        return json.dumps({
            "type": "record", "name": name, "parameters": parameters, "total": {"bytes": 4.0 * size, "messages": 4.0, "hops": 2.0, "bus_factor": 1.0},
            "ranks": 4, "initiators": 2, "batch": 10, "over_ranks_seconds": {"min": seconds, "mean": seconds, "max": seconds},
            "first_seconds": seconds, "clock_seconds": {"cost": 1e-8, "resolution": 1e-9, "bias": 1e-8},
            "stop": {"reason": "samples", "samples": 3}, "flags": {"timer_limited": False, "skew_dominated": True, "clock_drift": False},
            "errors": None, "slowest_counts": [3, 0, 0, 0], "series_seconds": [seconds] * 3}) + "\n"

    def test_unusable_tables_are_skipped(self):
        text = texts.imb_ping_pong(texts.hockney(2e-6, 10e9)).replace(
            "\n\n# All", "\n# Benchmarking Bcast \n# #processes = 2 \n" +
            texts.titled("#bytes", "#repetitions", "t_min[usec]", "t_max[usec]", "t_avg[usec]") +
            "            1         1000         0.00         0.00         0.00\n\n# All")
        self.assertEqual(self.fitted(self.written("a", text))["points"], 23)


class Refusals(Modeling):
    def refused(self, text, *words):
        done = self.model(*words)
        self.assert_one_line(done, 2, text)

    def test_invalid_files_print_one_line(self):
        time = texts.hockney(2e-6, 10e9)
        osu, imb = texts.osu_latency(time), texts.imb_ping_pong(time)
        last = f"{4194304:<10}"
        groups = texts.imb_multi_1(texts.multi(524288, 1.5e9, 3e-6), [65536, 131072])
        for text, said in (
                ("", "a: is empty"), (" \n\n", "a: is empty"), ("PNG\0\1\2", "a: is no text"),
                ("size time\n1 2\n", "a: is neither JSON lines of Sonde nor output"),
                ("{not json\n", "a:1: "), ('{"type":"environment"}\n', "a:1: "),
                (osu.replace("(us)", "(ms)"), "(a:2): a latency in 'ms'"),
                (osu.replace("# Size ", "# Size (KB) "), "(a:2): a size in 'KB': OMB's is in bytes"),
                (re.sub(r"(\d)\.(\d\d\n)", r"\1,\2", osu), "a:5: is no row of its table: left out (23 lines"),
                (osu.replace("# OSU MPI Latency", "# OSU MPI Bandwidth"), "OSU MPI Bandwidth Test v7.4, datatype MPI_CHAR (a:2): "),
                (texts.osu_mbw_mr(texts.max_rate(5e-6, 2e9, 9e9), 2, unit="MiB/s"), "(a:1): a bandwidth in 'MiB/s'"),
                (imb.replace("t[usec]", "t[msec]"), "no column 't[usec]': missing, or in another unit"),
                (imb.replace("Mbytes/sec", "MiB/sec"), "no column 'Mbytes/sec'"),
                (texts.imb_ping_pong(time, scale=1e9), "contradicts the time"),
                (groups.replace(groups[groups.rindex("            1"):], ""), "ends before all groups")):
            with self.subTest(said):
                self.refused(said, "fit", self.written("a", text))
        self.assertIn(last, osu)

    def test_a_row_that_is_none_is_left_out_and_said(self):
        osu = texts.osu_latency(texts.hockney(2e-6, 10e9))
        first = "1                       2.00\n"
        self.assertIn(first, osu)
        for row, said in (("1                       0.00\n", "a:5: Avg Latency(us): 0.00 is not above zero: left out"),
                          ("1                      -2.00\n", "a:5: Avg Latency(us): -2.00 is not above zero: left out"),
                          ("1                       2,00\n", "a:5: is no row of its table: left out"),
                          ("1\n", "a:5: is no row of its table: left out"),
                          ("1                       2.00              Fail\n", "a:5: is no row of its table: left out")):
            with self.subTest(row):
                done = self.model("fit", self.written("a", osu.replace(first, row)))
                self.assertEqual((done.code, done.err), (0, ""), done)
                self.assertIn(f"# {said}\n", done.out)
                self.assertIn("22 of 22 sizes", done.out)

    def test_too_few_points_are_not_fitted(self):
        self.refused("sonde-model: ", "fit", self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9), sizes=[8])))
        self.refused("sonde-model: ", "fit", "--model", "multi",
                     self.written("b", texts.imb_multi_1(texts.multi(524288, 1.5e9, 3e-6), [65536, 131072])))

    def test_invalid_arguments_print_one_line(self):
        a = self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9)))
        for words, said in (([], "takes measure, fit or predict"), (["dance"], "'dance' is none of measure"),
                            (["fit"], "fit takes files"), (["fit", "none"], "cannot read 'none': No such file"),
                            (["fit", "."], ".: is a folder"), (["fit", "--model", "x", a], "--model 'x': takes one of hockney, multi, max-rate, loggp"),
                            (["fit", "--model", "multi", a], "nothing for the model multi: it takes ping-pongs of two pairs"),
                            (["fit", "--form", "x", a], "--form 'x'"), (["fit", "--from", "1X", a], "'1X' is no size"),
                            (["fit", "--from", "2K", "--to", "1K", a], "--to is below --from"),
                            (["fit", "--from", "1G", a], "no size is in the range"), (["fit", "--loud", a], "--loud"),
                            (["fit", "--plot", "a.gif", a], "none of .svg, .png, .pdf"),
                            (["predict"], "--parameters FILE"), (["predict", "--parameters", a], "a: is no fit of"),
                            (["predict", "--model", "hockney", "--set", "alpha=1us", "--sizes", "1"], "no value of r_inf"),
                            (["predict", "--model", "hockney", "--set", "x=1", "--sizes", "1"], "none of alpha, r_inf"),
                            (["predict", "--model", "hockney", "--set", "alpha=1kg", "--sizes", "1"], "the unit of '1kg'"),
                            (["predict", "--model", "hockney", "--set", "alpha=-1", "--sizes", "1"], "is not above zero"),
                            (["predict", "--model", "hockney", "--pairs", "2", "--sizes", "1"], "--pairs is of the model max-rate")):
            with self.subTest(words):
                self.refused(said, *words)

    def test_other_units_in_a_second_file_are_refused(self):
        time = texts.hockney(2e-6, 10e9)
        a, b = self.written("a", texts.osu_latency(time)), self.written("b", texts.osu_latency(lambda size: time(size) * 1e3))
        self.refused("a and b: times of the same sizes are 1000 times apart: mixed units?", "fit", a, b)
        self.refused("b and a: times of the same sizes are 1000 times apart: mixed units?", "fit", b, a)

    def test_other_units_in_a_second_file_are_listed_and_a_single_table_is_fitted(self):
        time = texts.hockney(2e-6, 10e9)
        a, b = self.written("a", texts.osu_latency(time)), self.written("b", texts.osu_latency(lambda size: time(size) * 1e3))
        c = self.written("c", texts.osu_latency(time, title="OSU MPI-CUDA Latency Test"))
        said = "# a and b: times of the same sizes are 1000 times apart: mixed units?"
        done = self.model("fit", "--list", a, b, c)
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertEqual([line.split()[0] for line in done.out.splitlines()], ["table", "1", "2", "3", "#"])
        self.assertEqual(done.out.splitlines()[-1], said)
        for table, alpha in (("1", 2e-6), ("2", 2e-3)):
            self.assert_parameters(self.fitted("--table", table, a, b, c), 0.002, alpha=alpha)
            self.assertEqual(self.model("fit", "--table", table, a, b, c).out.splitlines().count(said), 1)
        self.assertNotIn("mixed units", self.model("fit", "--table", "3", a, b, c).out)

    def test_a_table_with_an_unknown_number_of_pairs_needs_that_number(self):
        a = self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9), title="OSU MPI Multi Latency Test"))
        self.refused("a: osu_multi_lat does not say of how many pairs", "fit", a)
        self.assertEqual(self.model("fit", "--model", "hockney", a).code, 0)

    def test_input_files_are_not_overwritten(self):
        a = self.written("a.svg", texts.osu_latency(texts.hockney(2e-6, 10e9)))
        before = self.text(a)
        for option in ("--json", "--plot"):
            self.refused("'./a.svg' is read", "fit", a, option, "./a.svg")
        self.assertEqual(self.text(a), before)

    def test_output_that_cannot_be_written_is_reported(self):
        a = self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9)))
        for words in (["fit", f"{self.folder}/{a}"], ["--help"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([f"{TOOLS}/sonde-model", *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=400)
            self.assertEqual((done.returncode, done.stderr), (2, "sonde-model: cannot write the output: No space left on device\n"))

    def test_empty_values_are_refused_by_the_name_of_their_option(self):
        for words in (("fit", "--plot", ""), ("fit", "--from", ""), ("fit", "--json", ""), ("predict", "--parameters", ""), ("predict", "--sizes", "")):
            self.refused(f"{words[1]} '' is empty", *words)
        self.refused("'' is empty", "fit", "")

    def test_json_of_other_programs_is_refused_with_a_message(self):
        for text, said in (('{"a":1}\n', "a: holds no record; a:1: is JSON, but no record"), ('{"type":"record"}\n', "a:1: key 'name' not found")):
            self.refused(f"sonde-model: {said}", "fit", self.written("a", text))
        self.refused("a: is no fit of sonde-model, as fit --json writes it\n", "predict", "--parameters", "a")

    def test_a_write_error_is_reported_after_the_fit(self):
        a = self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9)))
        for words in (["--plot", "/none/a.svg"], ["--json", "/none/a.json"]):
            done = self.model("fit", *words, a)
            self.assertEqual((done.code, len(done.said)), (2, 1), done)
            self.assertIn("/none/a.", done.err)
            self.assertIn("r_inf", done.out)

    def test_without_gnuplot_there_is_a_message_and_the_fit(self):
        a = self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9)))
        path, os.environ["PATH"] = os.environ["PATH"], "/none"
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        done = self.model("fit", "--plot", "a.svg", a)
        self.assertEqual((done.code, len(done.said)), (2, 1), done)
        self.assertIn("gnuplot", done.err)
        self.assertIn("r_inf", done.out)


class Predictions(Modeling):
    def predicted(self, *words, code=0):
        done = self.model("predict", "--json", *words)
        self.assertEqual(done.code, code, done)
        return json.loads(done.out)["table"], done.said

    def test_parameters_give_the_models_times(self):
        rows, said = self.predicted("--model", "multi", "--set", "C=512KiB", "--set", "B_r=1.5GB/s", "--set", "T_l=3us",
                                    "--sizes", "64K:8M", "--per-octave", "1")
        self.assertEqual([f"{1e6 * r['seconds']:.6g}" for r in rows],
                         ["59807.7", "57931.4", "57058.8", "56753.6", "84475.6", "98336.6", "105267", "108732"])
        self.assertEqual(said, [])

    def test_a_fit_is_read_back(self):
        self.fitted(self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9))))
        rows, said = self.predicted("--parameters", "fit.json", "--sizes", "1000,1M")
        for row, expected in zip(rows, (2.1e-6, 106.8576e-6), strict=True):
            self.assertLess(abs(row["seconds"] / expected - 1), 1e-3)
        self.assertEqual(said, [])

    def test_beyond_the_fit_there_is_a_warning(self):
        self.fitted("--to", "64K", self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9))))
        said = self.predicted("--parameters", "fit.json", "--sizes", "64K:256K")[1]
        self.assertEqual(len(said), 1)
        self.assertIn("8 times above 64.00 KiB: beyond what was fitted", said[0])

    def test_between_two_protocols_there_is_a_warning(self):
        eager, rendezvous = texts.hockney(2e-6, 4e9), texts.hockney(20e-6, 10e9)
        text = texts.osu_latency(lambda size: (eager if size < 65536 else rendezvous)(size))
        fit = self.fitted(self.written("a", text))
        self.assertEqual([p["value"] for p in fit["parameters"] if p["name"] == "breakpoint"], [65536])
        rows, said = self.predicted("--parameters", "fit.json", "--sizes", "32K,50000,64K")
        self.assertEqual([round(1e8 * r["seconds"]) for r in rows if r["bytes"] != 50000], [1019, 2655])
        self.assertEqual(len(said), 1)
        self.assertIn("1 time between 32.00 KiB and 64.00 KiB: the protocol changes", said[0])

    def test_each_range_is_set_by_its_number(self):
        eager, rendezvous = texts.hockney(2e-6, 4e9), texts.hockney(20e-6, 10e9)
        self.fitted(self.written("a", texts.osu_latency(lambda size: (eager if size < 65536 else rendezvous)(size))))
        words = ["--parameters", "fit.json", "--sizes", "1M"]
        self.assert_one_line(self.model("predict", *words, "--set", "alpha=1us"), 2, "alpha@1=VALUE .. alpha@2=VALUE")
        self.assert_one_line(self.model("predict", *words, "--set", "alpha@3=1us"), 2, "from 1 to 2")
        rows, said = self.predicted(*words, "--set", "alpha@2=100us")
        self.assertLess(abs(rows[0]["seconds"] / (100e-6 + 2**20 / 10e9) - 1), 1e-3)
        self.assertEqual(said, [])
        rows, said = self.predicted(*words, "--set", "alpha@1=100us")
        self.assertLess(abs(rows[0]["seconds"] / (20e-6 + 2**20 / 10e9) - 1), 1e-3)
        self.assertIn("--set alpha@1=100us: changes nothing", said[0])

    def test_a_range_that_is_not_requested_needs_no_parameters(self):
        eager, rendezvous = texts.hockney(2e-6, 4e9), texts.hockney(20e-6, 10e9)
        fit = self.fitted(self.written("a", texts.osu_latency(lambda size: (eager if size < 65536 else rendezvous)(size))))
        for p in fit["parameters"]:
            if p["name"] == "alpha" and p["segment"] == 1:
                p["status"] = "at most"
        self.written("half.json", json.dumps(fit))
        rows, said = self.predicted("--parameters", "half.json", "--sizes", "8")
        self.assertEqual((round(1e9 * rows[0]["seconds"]), said), (2002, []))
        self.assert_one_line(self.model("predict", "--parameters", "half.json", "--sizes", "1M"), 2,
                             "alpha@2 is at most this: --set alpha@2=VALUE gives one")
        rows, said = self.predicted("--parameters", "half.json", "--sizes", "1M", "--set", "alpha@2=20us")
        self.assertEqual((round(1e7 * rows[0]["seconds"]), said), (1249, []))

    def test_overheads_that_grow_do_so_from_the_smallest_size(self):
        log_gp = [word for text in ("L=1us", "o_s=2us", "o_r=3us", "g=4us", "G=1ns/B", "o_s per byte=1ns/B") for word in ("--set", text)]
        rows, said = self.predicted("--model", "loggp", *log_gp, "--sizes", "1001", "--messages", "1,2")
        self.assertEqual([round(1e9 * r["seconds"]) for r in rows], [8000, 13000])
        self.assertEqual(said, [])

    def test_sizes_have_the_same_syntax_in_all_commands(self):
        multi = ["--model", "multi", "--set", "B_r=1.5GB/s", "--set", "T_l=3us", "--set", "C=512k", "--sizes"]
        rows, _ = self.predicted(*multi, "512K")
        self.assertEqual(f"{1e6 * rows[0]['seconds']:.6g}", "56753.6")
        self.assertEqual([r["bytes"] for r in self.predicted(*multi, "1k:2KiB")[0]], [1024, 1218, 1448, 1722, 2048])
        self.assertEqual([r["bytes"] for r in self.predicted(*multi, "1:9:4")[0]], [1, 5, 9])
        self.assert_one_line(self.model("predict", *multi, "1:1e300"), 2, "'1e300' is no size")

    def test_a_picture_needs_a_size_and_json_an_output_of_its_own(self):
        hockney = ["predict", "--model", "hockney", "--set", "alpha=1us", "--set", "r_inf=1GB/s", "--sizes", "0"]
        done = self.model(*hockney, "--plot", "a.svg")
        self.assertEqual((done.code, done.said), (2, ["sonde-model: --plot: no size above 0, and a picture has no place for another"]))
        self.assert_one_line(self.model(*hockney, "--json", "--terminal"), 2, "--json and a drawing on the terminal")

    def test_an_undetermined_parameter_is_refused_until_it_is_set(self):
        time = texts.max_rate(5e-6, 2e9, 90e9)
        self.fitted(*[self.written(f"{k}", texts.osu_mbw_mr(time, k)) for k in (1, 2, 4)], code=1)
        words = ["--parameters", "fit.json", "--pairs", "8", "--sizes", "1M"]
        self.assert_one_line(self.model("predict", *words), 2, "R_N is at least this: --set R_N=VALUE gives one")
        rows, said = self.predicted(*words, "--set", "R_N=10GB/s")
        self.assertLess(abs(rows[0]["seconds"] / (5e-6 + 8 * 2**20 / 10e9) - 1), 1e-3)
        self.assertIn("of more than 4.000 pairs", said[0])

    def test_collectives_have_lower_bounds(self):
        hockney = ["--model", "hockney", "--set", "alpha=1us", "--set", "r_inf=1GB/s", "--sizes", "1000"]
        collective = json.loads(self.model("predict", "--json", *hockney, "--collective", "barrier", "--processes", "9").out)
        self.assertEqual((collective["collective"], collective["processes"], "form" in collective), ("barrier", 9, False))
        rows, _ = self.predicted(*hockney, "--collective", "alltoall", "--processes", "9")
        self.assertEqual(round(1e9 * rows[0]["seconds"]), 16000)
        rows, _ = self.predicted(*hockney, "--collective", "allreduce", "--processes", "8", "--set", "gamma=1ns/B")
        self.assertEqual(round(1e9 * rows[0]["seconds"]), 8625)


@unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
class Pictures(Modeling):
    def test_the_models_parameters_are_in_the_legend(self):
        done = self.model("fit", "--plot", "a.svg", "--terminal", self.written("a", texts.osu_latency(texts.hockney(2e-6, 10e9))))
        self.assertEqual((done.code, done.err), (0, ""))
        picture = self.text("a.svg")
        legend = r"alpha (1\.99\d|2\.00\d) us, r_inf (9\.9\d+|10\.0\d) GB/s"
        self.assertRegex(picture, legend)
        self.assertRegex(done.out, legend)
        self.assertIn("measured", picture)


if __name__ == "__main__":
    unittest.main(verbosity=2)
