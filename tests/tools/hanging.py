#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""sonde-replay hang of programs of eight ranks with a planted fault: it names the rank and the reason, from outside."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

from driver import TOOLS, InFolder, tool

MPI_RUN, LIBRARY, HANGING = (os.environ[name] for name in ("TOOLS_MPI_RUN", "TOOLS_TRACE_LIBRARY", "TOOLS_HANGING"))


class Hanging(InFolder):
    def started(self, *what):
        """The program, with its pages in this test's folder, or in those of its nodes; its ranks are ended with the test."""
        preload = ":".join([LIBRARY, *os.environ.get("LD_PRELOAD", "").split()])
        command = [MPI_RUN, "-t", "60", "-n", "8", "env", f"LD_PRELOAD={preload}", f"SONDE_TRACE_PAGE={self.folder}", f"SONDE_TRACE_OUTPUT={self.folder}/a.trace", *self.on_nodes("SONDE_TRACE_PAGE=", 4), HANGING, *what]
        started = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, started)
        return started

    def end(self, started):
        for state in [state for node in self.nodes or [self.folder] for state in self.states(node)]:
            try:
                os.kill(state["process"], signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            started.wait(timeout=10)
        except subprocess.TimeoutExpired:
            started.terminate()
            started.wait(timeout=20)

    def setUp(self):
        super().setUp()
        self.nodes = []

    def on_nodes(self, setting, ranks):
        """Words before a command that give each rank the folder of its simulated node, of so many ranks."""
        node = f"$((${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} / {ranks}))"
        return ["sh", "-c", f'{setting}{self.folder}/node{node} exec "$@"', "sh"] if self.nodes else []

    def hang(self, *words):
        return tool("sonde-replay", "hang", "--folder", self.folder, *words, folder=self.folder)

    def states(self, node):
        answer = tool("sonde-replay", "hang", "--folder", node, "--states", "-i", "0.01", folder=self.folder)
        return [json.loads(line) for line in answer.out.splitlines()]

    def answer_with(self, pattern):
        """The answer, as soon as it has a line of this pattern."""
        end = time.monotonic() + 40
        while time.monotonic() < end:
            answer = self.hang("-i", "0.2")
            if re.search(pattern, answer.out, re.MULTILINE):
                return answer
            time.sleep(0.1)
        self.fail(f"{pattern}: {answer}")

    def assert_named(self, what, pattern):
        self.started(what)
        answer = self.answer_with(pattern)
        self.assertEqual((answer.code, answer.err), (1, ""))
        return answer

    def test_a_skipped_collective(self):
        self.assert_named("skipped_collective", r"^Collective no\. 4 of MPI_COMM_WORLD differs: Allreduce on ranks 0-4,6-7 at \S+, but Barrier on rank 5 at ")

    def test_a_collective_that_is_skipped_for_a_message(self):
        self.assert_named("skipped_for_a_message", r"^Rank 5 waits in Recv from rank 2, tag 7, at \S+ for .* s, which rank 2 never sends: it is in the Allreduce$")
        self.answer_with(r"^7 of 8 ranks \(0-4,6-7\) are in Allreduce no\. 4 of MPI_COMM_WORLD at \S+ for .* s or longer, without rank 5$")

    def test_a_collective_that_is_skipped_in_a_loop(self):
        self.assert_named("skipped_in_a_loop", r"^Ranks 0-4,6-7 wait for rank 5, which has called 7 collectives of MPI_COMM_WORLD and not no\. 8: it is in Finalize")

    def test_a_wrong_root(self):
        self.assert_named("wrong_root", r"^Collective no\. 4 of MPI_COMM_WORLD differs: Bcast with root 0 on ranks 0-2,4-7 at \S+, but Bcast with root 3 on rank 3 at ")

    def test_a_wrong_tag(self):
        self.assert_named("wrong_tag", r"^Rank 5 waits in Recv from rank 2, tag 8, .*, which rank 2 never sends: it is in the Barrier; its last message to rank 5 has tag 7")

    def test_unequal_counts(self):
        self.assert_named("unequal_counts", r"^Collective no\. 4 of MPI_COMM_WORLD differs: Bcast of 4,000,000 elements, 16,000,000 bytes on ranks 1-7 at \S+, but Bcast of 1 element, 4 bytes on rank 0 at ")

    def test_a_stopped_process(self):
        self.assert_named("stopped", r"^Rank 4 is stopped by a signal or a debugger")

    def test_an_endless_loop_and_the_states_of_several_nodes(self):
        reason = r"^Ranks 0-5,7 wait for rank 6, which has not been in MPI for .* s and computes \(.* % of a core\), after Allreduce no\. 3 of MPI_COMM_WORLD"
        self.assert_named("endless_loop", reason)
        lines = self.hang("--states").out.splitlines(keepends=True)
        self.assertEqual(len(lines), 8)
        for name, part in (("low", lines[:6]), ("high", lines[6:])):
            self.written(name, "".join(part))
        both, low = (tool("sonde-replay", "hang", *names, folder=self.folder) for names in (("high", "low"), ("low",)))
        self.assertRegex(both.out, "(?m)" + reason)
        self.assertRegex(low.out, r"(?m)^2 of 8 ranks \(6-7\) have no page")

    def test_an_endless_loop_in_a_scope_of_a_probe(self):
        self.assert_named("endless_work", r"^Ranks 0-5,7 wait for rank 6, which has not been in MPI for .* s and computes \(.* % of a core\), in work `step/relax`, pass 3, for .* s, after Allreduce no\. 5 of MPI_COMM_WORLD")
        self.answer_with(r"^7 of 8 ranks \(0-5,7\) are in Allreduce no\. 6 of MPI_COMM_WORLD at \S+ for .* s or longer, without rank 6, in exchange `step/halo`, pass 3, for .* s or longer$")

    def test_two_nodes_whose_launcher_reads_them_while_rank_0_hangs(self):
        self.nodes = ["node0", "node1"]
        for node in self.nodes:
            os.mkdir(f"{self.folder}/{node}")
        self.started("endless_loop", "0")
        reader = ["sh", "-c", '"$0" hang --states -i 0.5 --folder $FOLDER > $FOLDER.states', f"{TOOLS}/sonde-replay"]
        reason = r"(?m)^Ranks 1-7 wait for rank 0, which has not been in MPI for .* s and computes"
        end = time.monotonic() + 60
        answer = None
        while time.monotonic() < end and not (answer and re.search(reason, answer.out)):
            subprocess.run([MPI_RUN, "-n", "2", *self.on_nodes("FOLDER=", 1), *reader], check=True)
            answer = tool("sonde-replay", "hang", "node0.states", "node1.states", folder=self.folder)
        self.assertRegex(answer.out, r"^Job \S+: 8 of 8 ranks on ")
        self.assertRegex(answer.out, reason)

    def test_two_sends(self):
        self.assert_named("two_sends", r"^Ranks 2-3 wait for each other: rank 2 in Send to rank 3, tag 4, at \S+; rank 3 in Send to rank 2, tag 4, at ")

    def test_a_request_that_is_not_completed(self):
        self.assert_named("request", r"^Rank 1 waits in Waitall for Irecv from rank 7, tag 21, at \S+ for .* s, which rank 7 never sends: it is in the Allreduce$")

    def test_a_program_that_goes_on(self):
        self.started("goes_on")
        self.assertEqual(self.answer_with(r"^Job \S+: 8 of 8 ranks on 1 host\nAll of them go on: \S+ to \S+ calls of MPI between the two readings$").code, 0)

    def test_a_program_that_ends_leaves_no_page(self):
        self.assertEqual(self.started("ends").wait(timeout=400), 0)
        self.assertEqual(os.listdir(self.folder), ["a.trace"])
        self.assert_one_line(self.hang(), 2, "no rank of a job of yours runs with libsonde-trace on this node")

    def test_files_that_have_no_states(self):
        self.assert_one_line(self.hang("none"), 2, "cannot read 'none'")
        self.assert_one_line(self.hang(self.written("empty", "")), 2, "no state of a rank")
        self.assert_one_line(self.hang(self.written("other", "{}\n")), 2, "other:1: no state of a rank")


if __name__ == "__main__":
    unittest.main()
