#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Traces of programs with known calls: what libsonde-trace records, and that the program runs as without it."""
import glob
import html
import json
import os
import re
import subprocess
import time
import unittest

from driver import Answer, InFolder, TOOLS, tool

MPI_RUN, LIBRARY, TRACED = (os.environ[name] for name in ("TOOLS_MPI_RUN", "TOOLS_TRACE_LIBRARY", "TOOLS_TRACED"))
FORTRAN = os.environ.get("TOOLS_TRACED_FORTRAN", "")
OTHER = os.path.basename(os.environ.get("SONDE_TEST_MPI", ""))  # a further library


def expanded(body):
    """The calls in their order, with loops unrolled."""
    for one in body:
        if "passes" in one:
            for _ in range(one["passes"]):
                yield from expanded(one["body"])
        else:
            yield one


class Traced(InFolder):
    def command(self, ranks, *words, record=True, program=TRACED, **settings):
        """The launcher's own processes are not traced."""
        preload = [f"LD_PRELOAD={':'.join([LIBRARY, *os.environ.get('LD_PRELOAD', '').split()])}"] if record else []
        settings = [f"SONDE_TRACE_{key}={value}" for key, value in {"OUTPUT": "a.trace", **settings}.items()]
        return [MPI_RUN, "-t", "60", "-n", str(ranks), "env", *preload, *settings, program, *words]

    def started(self, ranks, *words, **settings):
        """The program's answer."""
        done = subprocess.run(self.command(ranks, *words, **settings), capture_output=True, text=True, cwd=self.folder, timeout=100)
        return Answer(done.returncode, done.stdout, done.stderr)

    def recorded(self, ranks, *words, **settings):
        """The lines of the trace of a program that runs as without the recorder."""
        done = self.started(ranks, *words, **settings)
        self.assertEqual(done.code, 0, done)
        self.assertNotIn("libsonde-trace", done.err)
        return self.lines("a.trace")

    def calls(self, lines, rank):
        """(call, event) of a rank in its order but for MPI_Finalize, its program, and the line of the rank."""
        (line,) = [one for one in lines if one["type"] == "rank" and one["rank"] == rank]
        (program,) = [one for one in lines if one["type"] == "program" and one["program"] == line["program"]]
        calls = [(one["call"], one) for one in expanded(program["body"])]
        self.assertNotIn("Finalize", [name for name, _ in calls[:-1]])
        return calls[:-1] if calls[-1][0] == "Finalize" else calls, program, line

    def show(self, *words):
        return tool("sonde-replay", "show", *words, folder=self.folder)


class Tracing(Traced):
    def test_a_ring_is_one_program_whose_size_does_not_depend_on_the_steps(self):
        sizes = []
        for steps in (10, 1000):
            head, program, *ranks, end = self.recorded(4, "ring", str(steps))
            self.assertEqual((head["type"], head["schema"], head["ranks"], end), ("trace", 3, 4, {"type": "end", "lines": 6}))
            loop, last = program["body"]
            self.assertEqual(last, {"call": "Finalize", "site": 4})
            self.assertEqual((loop["passes"], [one["call"] for one in loop["body"]]), (steps, ["Irecv", "Isend", "Waitall", "Allreduce"]))
            receive, send, wait, reduce = loop["body"]
            self.assertEqual((receive["from"], receive["recv_tag"], receive["recv_count"], send["to"], send["tag"], send["count"]), (3, 3, 1000, 1, 3, 1000))
            self.assertEqual((wait["requests"], reduce["count"], program["operations"]), ([2, 1], 1, ["MPI_MAX"]))
            self.assertEqual([(r["rank"], r["program"], r["communicators"], r["dropped"]) for r in ranks], [(n, 0, ["0-3"], 0) for n in range(4)])
            self.assertTrue(all(len(r[key]) == 5 and all(time > 0 for times in r[key][:4] for time in times) for r in ranks for key in ("think", "call")))
            sizes.append(os.path.getsize(f"{self.folder}/a.trace"))
        self.assertLess(abs(sizes[1] / sizes[0] - 1), 0.01)

    def test_calls_that_wait_for_any_request_name_the_first_ones_of_their_series(self):
        sizes = []
        for steps in (10, 1000):
            lines = self.recorded(3, "any", str(steps))
            calls, program, _ = self.calls(lines, 1)
            loop, waits = program["body"][0], [one for name, one in calls if name == "Waitany"]
            self.assertEqual((loop["passes"], {one["count"] for one in waits}, len(waits)), (steps, {1}, 5 * steps))
            self.assertEqual([one.get("requests") for one in waits], [[8, 7, 6, 5]] * (4 * steps) + [[4, 3, 2, 1]] + [None] * (steps - 1))
            sizes.append(os.path.getsize(f"{self.folder}/a.trace"))
        self.assertLess(abs(sizes[1] / sizes[0] - 1), 0.02)

    def test_a_program_runs_as_without_the_recorder(self):
        for what in ("calls", "probes", "threads", "fails", "abort", "leave"):
            with self.subTest(what):
                plain, traced = (self.started(2, what, "1", record=record) for record in (False, True))
                if what == "leave" and OTHER == "intel":  # its launcher has one of two statuses
                    self.assertNotEqual(traced.code, 0)
                elif what == "abort":  # a launcher may lose what a rank printed before it ends the others
                    self.assertEqual(traced.code, plain.code)
                    self.assertLessEqual({traced.out, plain.out}, {"", "abort 1\n"})
                else:
                    self.assertEqual((traced.code, traced.out), (plain.code, plain.out), traced)

    def test_a_monitor_shows_the_calls_while_the_program_runs(self):
        command = self.command(2, "sleep", "400", MONITOR="a.prom,0.02")  # barriers, 5 ms apart
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
            shown = {}
            while program.poll() is None and shown.get("passes", 0) < 20:
                try:
                    with open(f"{self.folder}/a.prom", encoding="utf-8") as file:
                        text = file.read()
                    shown = {key: float(value) for key, value in re.findall(r'sonde_scope_(\w+?)(?:_total)?{job_id="[^"]*",scope="Barrier"} (.*)', text)}
                except FileNotFoundError:
                    time.sleep(0.005)
            self.assertGreaterEqual(shown["passes"], 20)
            self.assertIn('state="running"} 2', text)
            self.assertGreater(shown["seconds"], 0)
            self.assertEqual((program.wait(), program.stderr.read()), (0, ""))
        self.assertEqual(glob.glob(f"{self.folder}/a.prom*"), [])
        self.assertTrue(os.path.exists(f"{self.folder}/a.trace"))

    def test_every_call_is_recorded_in_its_order(self):
        lines = self.recorded(4, "calls", "10")
        self.assert_shown(self.show("a.trace"))
        for rank in range(4):
            calls, program, line = self.calls(lines, rank)
            names = [name for name, _ in calls]
            ring = ["Irecv", "Isend", "Waitall", "Allreduce"] * 10
            collect = ["Recv"] * 9 if rank == 0 else ["Send"] * 3
            halves = ["Comm_split", "Comm_dup", "Allreduce"] * 4
            completions = ["Irecv", "Send", "Wait", "Irecv", "Request_get_status", "Wait", "Irecv", "Irecv", "Send", "Send", "Waitany", "Waitany"]
            collectives = ["Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw",
                           "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan", "Iallreduce", "Wait"]
            persistent = ["Send_init", "Recv_init", *["Startall", "Waitall"] * 6, "Request_free", "Request_free", "Cart_create", *["Neighbor_allgather"] * 5]
            one_sided = ["Win_create", "Win_fence", "Put", "Put", "Put", "Win_fence", "Get", "Win_fence", "Win_lock", "Win_unlock"]
            self.assertEqual(names, ring + collect + halves + completions + collectives + persistent + one_sided)
            self.assertEqual(line["communicators"], ["0-3", "0,2" if rank % 2 == 0 else "1,3", ("0,2" if rank % 2 == 0 else "1,3") + "#1", "0-3#1"])
            halves = [one for name, one in calls if name in ("Comm_split", "Comm_dup")]
            self.assertEqual([one["made"] for one in halves], [1, 2] * 4)
            (column,) = [t for t in program["types"] if t["name"].startswith("vector")]
            self.assertEqual((column["name"], column["size"]), ("vector(3,1,5,MPI_INT)", 12))
            self.assertEqual(sum(line["polls"].values()), 2)
            self.assertEqual(sorted(n for one in line["matched"].values() for _, n in one), [3, 3, 3] if rank == 0 else [])
            by_name = dict(calls)
            self.assertEqual(("recv_count" in by_name["Gather"], "counts" in by_name["Scatterv"]), (rank == 1, rank == 1))
            self.assertNotIn("count", by_name["Allgather"])
            self.assertEqual((by_name["Alltoallv"]["counts"], by_name["Alltoallw"]["counts"]), ([2] * 8, [8] * 8))
            self.assertEqual([by_name[name]["requests"] for name in ("Send_init", "Startall", "Request_get_status")], [[-1], [-1, -2], [1]])
            self.assertEqual(by_name["Cart_create"]["counts"], [2, 3, 1, 3, 1])
            (window,) = line["windows"]
            self.assertEqual((window, by_name["Put"]["to"], by_name["Put"]["count"], by_name["Get"]["recv_count"], by_name["Win_lock"]["to"]),
                             ({"ranks": "0-3", "bytes": 32, "unit": 8, "flavor": "create"}, 1, 1, 1, 1))
            self.assertEqual((by_name["Win_lock"]["mode"], sorted(line["displacements"].values())), ("shared", [[0, 0], [0, 2]]))

    def assert_shown(self, done):
        """What `traced calls 10` is on 4 ranks."""
        self.assertEqual((done.code, done.err), (0, ""), done)
        self.assertEqual((self.show("a.trace", "--json", "a.json", "--html", "a.html").out, len(self.lines("a.json"))), ("", 1))
        (numbers,) = self.lines("a.json")
        rows = {}
        for c in numbers["calls"]:
            rows.setdefault(c["call"], []).append((c["calls"], c["bytes"], c["pairs"]))
        self.assertIn((40, 320000, 4), rows["Isend"])
        self.assertEqual(rows["Comm_split"], [(16, 0, 0)])
        self.assertEqual(rows["Alltoall"], [(4, 128, 0)])  # 4 blocks of 8 bytes
        self.assertEqual(rows["Startall"], [(24, 768, 4)])  # 6 messages of 32 bytes
        self.assertEqual(rows["Neighbor_allgather"], [(20, 320, 0)])  # twice 8 bytes
        self.assertIn("... and ", done.out)
        at = done.out.splitlines().index("Messages")
        matrix = [line.split()[1:] for line in done.out.splitlines()[at + 2:at + 6]]
        ring = 10 + 3 + 6 + 3  # steps, completions, persistent, puts
        self.assertEqual(matrix, [["-", str(ring), "-", "1"], ["4", "-", str(ring), "-"], ["3", "1", "-", str(ring)], [str(ring + 3), "-", "1", "-"]])
        self.assertEqual({(p["from"], p["to"]): p["messages"] for p in numbers["pairs"]},
                         {(a, b): int(n) for a, row in enumerate(matrix) for b, n in enumerate(row) if n != "-"})
        self.assertEqual((sum(s["messages"] for s in numbers["message_sizes"]), numbers["ranks"]), (sum(p["messages"] for p in numbers["pairs"]), 4))
        self.assertAlmostEqual(sum(c["mpi_seconds"] for c in numbers["calls"]) / numbers["mpi_seconds"], 1)
        self.assertAlmostEqual(sum(p["mpi_seconds"] for p in numbers["phases"]) / numbers["mpi_seconds"], 1)
        page = self.text("a.html")
        self.assertEqual((page.count("\u2192"), page.split("<h2>Calls</h2>")[1].count("<td>Isend</td>")), (2 * len(numbers["pairs"]), 1))

    def test_a_call_site_has_the_functions_that_call_it_if_asked_for(self):
        def sites(**settings):
            calls, program, _ = self.calls(self.recorded(2, "marks", "3", **settings), 0)
            return {program["sites"][one["site"]] for name, one in calls if name == "Isend"}
        alone, with_callers = sites(), sites(FRAMES="4")  # the ring is called at three places
        self.assertEqual([site for site in alone if " from " in site], [])
        self.assertEqual(len(with_callers), 3 * len(alone), with_callers)
        self.assertTrue(all(site.split(" from ")[0] in alone and site.count(" from ") <= 3 for site in with_callers), with_callers)

    def test_threads_have_a_line_each(self):
        lines = self.recorded(2, "threads", "5")
        found = sorted((line["rank"], line["thread"]) for line in lines if line["type"] == "rank")
        self.assertEqual(found, [(rank, thread) for rank in range(2) for thread in range(4)])
        programs = {line["program"]: line for line in lines if line["type"] == "program"}
        sendrecvs = sum(name == "Sendrecv" for line in lines if line["type"] == "rank" for name in
                        (one["call"] for one in expanded(programs[line["program"]]["body"])))
        self.assertEqual(sendrecvs, 2 * 2 * 50)
        waits = [one["requests"] for line in lines if line["type"] == "rank" and line["thread"] == 3 for one in programs[line["program"]]["body"]]
        self.assertEqual(waits, [[0], [0]])  # the thread did not start the request

    def test_ranks_windows_and_marks_choose_what_is_recorded(self):
        lines = self.recorded(3, "ring", "4", RANKS="0,2")
        self.assertEqual([line["rank"] for line in lines if line["type"] == "rank"], [0, 2])
        lines = self.recorded(2, "marks", "3", MARKS="1")
        self.assertEqual([name for name, _ in self.calls(lines, 1)[0]], ["Irecv", "Isend", "Waitall", "Allreduce"] * 4)
        self.assertEqual([line for line in self.recorded(2, "ring", "4", WINDOW="1000:") if line["type"] == "rank"], [])
        self.assertEqual(len(self.calls(self.recorded(2, "ring", "4", WINDOW=":1000"), 0)[0]), 16)

    def test_a_rank_that_ends_early_leaves_its_own_file(self):
        self.started(3, "abort", "7")
        files = {os.path.basename(path) for path in glob.glob(f"{self.folder}/*")}
        self.assertEqual(files, {"a.trace.rank2"})
        done = self.show("a.trace.rank2")
        self.assertEqual((done.code, "# 1 rank of them recorded" in done.out), (0, True), done)
        os.remove(f"{self.folder}/a.trace.rank2")
        self.started(3, "leave", "7")  # the launcher may kill the others before they write, or leave a draft
        files = sorted(os.path.basename(path) for path in glob.glob(f"{self.folder}/a.trace.rank?"))
        self.assertTrue(files)
        done = self.show(*files)
        self.assertEqual((done.code, "of them recorded" in done.out), (0, len(files) < 3), done)
        self.assertRegex(done.out, f"(?m)^Isend +{7 * len(files)} ")

    @unittest.skipUnless(OTHER == "openmpi", "a job that survives a rank needs Open MPI 5 below SONDE_TEST_MPI")
    def test_ranks_that_survive_another_leave_their_own_files(self):
        launcher, *words = self.command(3, "survive", "7")
        done = subprocess.run([launcher, "--with-ft", "ulfm", *words[2:]], capture_output=True, text=True, cwd=self.folder, timeout=100)
        self.assertEqual((done.returncode, sorted(os.listdir(self.folder))), (0, ["a.trace.rank0", "a.trace.rank1"]), done)
        self.assertIn("libsonde-trace: a rank has died: the others have the files ", done.stderr)
        self.assertRegex(self.show("a.trace.rank0", "a.trace.rank1").out, "(?m)^Isend +14 ")

    def test_files_of_ranks_are_removed_at_the_end(self):
        self.recorded(2, "ring", "20", CHECKPOINT="0.01")
        self.assertEqual(os.listdir(self.folder), ["a.trace"])

    def test_memory_is_bounded_and_what_is_dropped_is_said(self):
        self.recorded(2, "calls", "1", MEMORY="8K")
        dropped = sum(line.get("dropped", 0) for line in self.lines("a.trace"))
        self.assertGreater(dropped, 0)
        self.assertIn(f"# {dropped} calls are missing: the recorder's memory was full\n", self.show("a.trace").out)

    def test_files_are_recorded_with_their_bytes_and_ranks(self):
        lines = self.recorded(2, "file", "3")
        calls, _, line = self.calls(lines, 1)
        self.assertEqual([name for name, _ in calls], ["File_open"] + ["File_write_at_all", "File_iread_at", "Wait"] * 3 + ["File_close"])
        named = dict(calls)
        self.assertEqual({one["comm"] for name, one in calls if name.startswith("File")}, {line["communicators"].index("0-1")})
        self.assertEqual((named["File_write_at_all"]["count"], named["File_iread_at"]["recv_count"], named["Wait"]["requests"]), (1, 0, [1]))
        self.assertRegex(self.show("a.trace").out, r"(?m)^File_write_at_all +6 +24 +0 ")

    @unittest.skipUnless(FORTRAN and not OTHER, "there is no module mpi_f08 of the MPI library")
    def test_calls_of_fortran_are_recorded_where_they_are_made(self):
        lines = self.recorded(3, program=FORTRAN)
        calls, program, _ = self.calls(lines, 2)
        self.assertEqual([name for name, _ in calls], ["Irecv", "Isend", "Waitall"] * 20 + ["Bcast"] * 7)
        self.assertTrue(all(site.startswith("traced_fortran+") for site in program["sites"]), program["sites"])
        self.assertEqual(len(program["sites"]), 5)

    def test_wrong_settings_end_the_job_before_it_starts(self):
        done = self.started(2, "ring", RANKS="3-1")
        said = [line for line in done.said if line.startswith("libsonde-trace: ")]
        self.assertEqual((done.code != 0, done.out, len(said)), (True, "", 1), done)
        self.assertIn("SONDE_TRACE_RANKS='3-1': takes ranks of MPI_COMM_WORLD", said[0])

        for output in ("none/a.trace", self.folder):
            done = self.started(2, "ring", OUTPUT=output)
            self.assertEqual((done.code != 0, done.out, sum(line.startswith("libsonde-trace: SONDE_TRACE_OUTPUT='") for line in done.said)), (True, "", 1), done)
        done = self.started(2, "ring", RANKS="2")
        self.assertEqual((done.code, done.err), (0, "libsonde-trace: SONDE_TRACE_RANKS: nothing is recorded of a program of 2 ranks\n"), done)

    def test_files_that_cannot_be_written_change_nothing_but_a_line_of_each_rank_and_one_at_the_end(self):
        os.mkdir(f"{self.folder}/there")
        command = self.command(2, "sleep", "200", OUTPUT="there/a.trace", CHECKPOINT="0.001", MONITOR="a.prom,0.02")  # barriers, 5 ms apart
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            while program.poll() is None and not os.path.exists(f"{self.folder}/a.prom"):
                time.sleep(0.005)
            os.rename(f"{self.folder}/there", f"{self.folder}/elsewhere")
            out, err = program.communicate()
        self.assertEqual((program.returncode, out[:6], err.count("libsonde-trace: ")), (0, "sleep ", 3), (out, err))

    def test_what_is_no_trace_is_refused_and_a_cut_one_is_shown(self):
        self.recorded(2, "ring", "3")
        text = self.text("a.trace")
        for name, content, said in (("empty", "", "this is no trace of libsonde-trace"), ("text", "hello\n", "line 1: this is no trace"),
                                    ("other", text.replace('"schema":3', '"schema":1'), "the trace is of schema 1"),
                                    ("twice", text.replace('"rank":1,', '"rank":0,'), "rank 0 is there twice"),
                                    ("place", text.replace('"site":1', '"site":99'), "line 2: a number refers to nothing"),
                                    ("lost", "".join(text.splitlines(True)[:1] + text.splitlines(True)[2:]), "line 2: ")):
            self.written(name, content)
            with self.subTest(name):
                self.assert_one_line(self.show(name), 2, said)
        self.assert_one_line(self.show("absent"), 2, "cannot read 'absent'")
        self.assert_one_line(self.show(), 2, "takes files of libsonde-trace")
        self.assert_one_line(self.show("--csv", "a.csv", "absent"), 2, "--csv")
        self.written("cut", text[:text.index('"rank":1')])
        done = self.show("cut")
        self.assertEqual(done.code, 0, done)
        self.assertIn("# 'cut' is cut after line 3: what was behind it is missing\n", done.out)
        self.assertIn("# 1 rank of them recorded\n", done.out)


class Lateness(Traced):
    """Ranks that work at the same time need the cores."""

    def test_a_late_rank_is_named_with_the_call_before_which_it_works(self):
        self.recorded(4, "late", "48")
        done = self.show("a.trace")
        self.assertRegex(done.out, "Waiting in phase 2, 48 passes\nRanks waited [2-7][0-9][.]. % of the loop .*\nRank 1 caused ([3-9][0-9]|100) % of it: "
                                   "it reached `Waitall at traced[+].*` (9|1[0-9])[.].* ms late in 4[0-9] of 47 steps, "
                                   "because its `work before Irecv at traced[+].*` took [3-9][.]. times the other ranks' median.\n")
        self.show("a.trace", "--json", "a.json", "--html", "a.html")
        (numbers,) = self.lines("a.json")
        (loop,) = numbers["waiting"]["loops"]
        found = loop["lateness"]
        self.assertEqual(([late["rank"] for late in found["late"]], found["clock_error_seconds"], loop["kept_passes"]), ([1], 0, 48))
        self.assertEqual({one["call"]: one["waiting"]["late sender"] > 0 for one in loop["sites"]}, {"Waitall": True, "Allreduce": False})
        self.assertIn(found["sentences"][1], html.unescape(self.text("a.html")))

    def test_clocks_that_differ_are_compared(self):
        if subprocess.run(["unshare", "--time", "true"], capture_output=True).returncode != 0:
            self.skipTest("no namespace of time can be made here")
        script = 'test "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" -lt 2 && exec "$@"; exec unshare --time --monotonic 500 "$@"'
        lines = self.recorded(4, "-c", script, "sh", TRACED, "late", "48", program="sh")
        clocks = [line["clock"] for line in lines if line["type"] == "rank"]  # MPI_Init ends at about the same time on all ranks
        self.assertTrue(all(abs(begin) < 1 for begin, _, _ in clocks), clocks)
        self.assertEqual([error > 0 for _, _, error in clocks], [False, False, True, True])
        self.assertTrue(all(error < 0.01 for _, _, error in clocks), clocks)
        # Ranks that share processors count as alone on theirs, since each clock is that of a host: transfers may be slow.
        self.assertRegex(self.show("a.trace").out, "Rank 1 caused ([3-9][0-9]|100) % of it: .*\n(The exchange `.*` itself takes .*\n)*"
                                                   "Shorter waits than .*, the error of the ranks' clocks")


@unittest.skipUnless(os.environ["TOOLS_REPLAYS"], "sonde-replay is built without MPI")
class Replaying(Traced):
    def replay(self, ranks, *words):
        return self.started(ranks, "run", *words, record=False, program=f"{TOOLS}/sonde-replay")

    def rows(self, done):
        """Cells of the table of phases, by the name of the phase."""
        self.assertEqual(done.code, 0, done)
        lines = [line for line in done.out.splitlines() if not line.startswith("#")]
        self.assertTrue(lines[0].startswith("phase "), done)
        cells = [re.split(r"  +", line) for line in lines[1:]]
        return {name: values for name, *values in cells}

    def test_calls_of_files_are_left_out_and_their_time_passes(self):
        shortest = self.calls(self.recorded(2, "file", "30"), 0)[2]["call"][1][0]  # of 30 MPI_File_write_at_all
        done = self.replay(2, "-n", "5", "a.trace")
        self.assertGreater(sum(float(passes) * float(median) for passes, median, *_ in self.rows(done).values()), 30 * shortest * 1e6)
        for call, n in {"File_open": 2, "File_write_at_all": 60, "File_iread_at": 60, "File_close": 2}.items():
            self.assertIn(f"# {n} calls of MPI_{call} left out\n", done.out)

    def test_a_replay_sends_the_same_messages(self):
        self.recorded(3, "ring", "12")
        os.rename(f"{self.folder}/a.trace", f"{self.folder}/ring.trace")
        for think in ("busy", "0"):
            self.recorded(3, "run", "-n", "6", "-w", "0", "--think", think, "ring.trace", program=f"{TOOLS}/sonde-replay")
            for rank in range(3):
                calls, program, _ = self.calls(self.lines("a.trace"), rank)
                passes = [one for name, one in calls if name in ("Irecv", "Isend", "Waitall")]
                self.assertEqual([one["call"] for one in passes], ["Irecv", "Isend", "Waitall"] * 6)
                self.assertEqual({(one["to"], one["tag"], one["count"], program["types"][one["type"]]["name"]) for one in passes if one["call"] == "Isend"},
                                 {(1, 3, 1000, "MPI_DOUBLE")})
                self.assertEqual({(one["from"], one["recv_tag"], one["recv_count"]) for one in passes if one["call"] == "Irecv"}, {(2, 3, 1000)})

    def test_a_replay_waits_for_any_of_the_same_requests(self):
        original, _, _ = self.calls(self.recorded(3, "any", "8"), 2)
        os.rename(f"{self.folder}/a.trace", f"{self.folder}/any.trace")
        again, _, _ = self.calls(self.recorded(3, "run", "-n", "1", "-w", "0", "--think", "0", "any.trace", program=f"{TOOLS}/sonde-replay"), 2)
        waits = [[one["requests"] for name, one in calls if name == "Waitany" and len(one.get("requests", [])) == 4 and one["requests"][0] == 8]
                 for calls in (original, again)]
        self.assertEqual(waits, [[[8, 7, 6, 5]] * 32] * 2)

    def test_persistent_buffered_and_one_sided_calls_are_replayed(self):
        self.recorded(3, "windows", "5")
        os.rename(f"{self.folder}/a.trace", f"{self.folder}/windows.trace")
        original = self.lines("windows.trace")
        done = self.replay(3, "-n", "3", "windows.trace")
        self.assertEqual(sorted(done.out.count(f"MPI_{name} left out") for name in ("Win_create", "Win_allocate")), [1, 1], done)
        self.assertEqual(done.out.count(" left out\n"), 2, done)
        self.assertEqual([name for name in self.rows(done) if name.startswith("loop")], [f"loop {n}" for n in range(1, 6)], done)
        self.recorded(3, "run", "-n", "5", "-w", "0", "--think", "0", "windows.trace", program=f"{TOOLS}/sonde-replay")
        kinds = ("Bsend", "Startall", "Put", "Accumulate", "Fetch_and_op", "Rget", "Win_flush", "Win_lock", "Win_unlock", "Win_post", "Win_start",
                 "Win_complete", "Win_wait")
        for rank in range(3):
            calls, _, line = self.calls(original, rank)
            again, _, replayed = self.calls(self.lines("a.trace"), rank)
            for kind in kinds:
                with self.subTest(kind):
                    self.assertEqual([self.arguments(one) for name, one in again if name == kind], [self.arguments(one) for name, one in calls if name == kind])
            self.assertEqual(sorted(replayed["displacements"].values()), sorted(line["displacements"].values()))
            self.assertEqual([{**w, "ranks": ""} for w in replayed["windows"]], [{**w, "ranks": ""} for w in line["windows"]])

    @staticmethod
    def arguments(one):
        return {key: value for key, value in one.items() if key in ("to", "tag", "count", "mode") or key == "counts"}

    def test_phases_are_rows_and_records_that_tools_compare(self):
        self.recorded(3, "calls", "500")
        done = self.replay(3, "-n", "8", "--report", "json=a.jsonl", "a.trace")
        rows = self.rows(done)
        self.assertEqual(rows["loop 1"][0], "500")
        self.assertIn("# 3 calls of MPI_Win_create left out\n", done.out)
        self.assertNotIn("MPI_Put", done.out)
        records = [line for line in self.lines("a.jsonl") if line["type"] == "record"]
        self.assertEqual([r["parameters"]["phase"] for r in records], list(rows))
        self.assertEqual((records[0]["name"], records[0]["parameters"]["think"], records[0]["stop"]["samples"]), ("replay", "busy", 8))
        self.assertEqual([(r["total"]["messages"], r["total"]["bytes"]) for r in records if r["parameters"]["phase"] == "loop 1"], [(3, 3 * 8000 + 3 * 8)])
        os.rename(f"{self.folder}/a.jsonl", f"{self.folder}/b.jsonl")
        done = self.launch("-n", "1", "--out", "a.jsonl", "--", MPI_RUN, "-n", "3", f"{TOOLS}/sonde-replay", "run", "-n", "8", "a.trace")
        self.assertEqual(done.code, 0, done)
        self.assertIn("loop 1", self.compare("a.jsonl", "b.jsonl").out)

    def test_what_was_looked_for_from_any_rank_is_looked_for_again(self):
        lines = self.recorded(3, "probes", "20")
        calls, _, line = self.calls(lines, 1)
        self.assertEqual([name for name, _ in calls],
                         ["Send", "Send", "Send", "Send", "Probe", "Recv", "Iprobe", "Recv", "Mprobe", "Mrecv", "Improbe", "Imrecv", "Wait"] * 20)
        looked = {name: (one["from"], one["recv_tag"]) for name, one in calls if "probe" in name.lower()}
        self.assertEqual(looked, {"Probe": ("any", -1), "Iprobe": ("any", 11), "Mprobe": ("any", -1), "Improbe": (2, -1)})
        self.assertEqual(list(line["matched"].values()), [[[0, 20]]] * 4)  # three probes, and a receive
        self.assertEqual(self.rows(self.replay(3, "-n", "5", "a.trace"))["loop 1"][0], "20")

    def test_time_between_calls_is_kept_or_left_out(self):
        self.recorded(2, "sleep", "8")  # 5 ms in each pass
        busy, idle = (float(self.rows(self.replay(2, "-n", "30", "--think", think, "a.trace"))["loop 1"][1]) for think in ("busy", "0"))
        self.assertGreater(busy, 5000)
        self.assertLess(idle, busy - 4000)

    def test_what_cannot_be_replayed_is_refused_in_one_line(self):
        self.recorded(2, "ring", "3")
        self.written("lost", self.text("a.trace").replace('{"type":"end","lines":4}\n', ""))
        for ranks, words, text in ((3, ("a.trace",), "the trace is of 2 ranks, and this job has 3"), (2, (), "run takes a trace"),
                                   (2, ("lost",), "the trace cannot be replayed: 'lost' is cut after line 4"),
                                   (2, ("--think", "1", "a.trace"), "--think '1': takes one of busy, 0"),
                                   (2, ("--report", "json=none/a", "a.trace"), "none/a")):
            with self.subTest(text):
                done = self.replay(ranks, *words)
                said = [line for line in done.said if text in line]
                self.assertEqual((done.code != 0, done.out, len(said)), (True, "", 1), done)


if __name__ == "__main__":
    unittest.main()
