#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""osu_bw_fan_in and osu_bw_fan_out: their text, their exchanges by rank, and refused input, on simulated nodes."""
import os
import tempfile
import unittest

from driver import is_row, read, run, title_line

IN, OUT = "osu_bw_fan_in", "osu_bw_fan_out"
QUICK = ("-i", "4", "-x", "2", "-W", "3")
BLOCK, ROUND_ROBIN, MIRRORED = "0,0,1,1", "0,1,0,1", "0,1,1,0"


def placed(nodes, **more):
    return {"LD_PRELOAD": os.environ["OSU_NODES_SHIM"], "FAKE_NODES": nodes, **more}


def fan(name, nodes, *arguments, **more):
    return run(name, *arguments, ranks=len(nodes.split(",")), environment=placed(nodes), **more)


def traffic(name, nodes, *arguments):
    """Of each rank: {(call, peer, tag): count}."""
    ranks = len(nodes.split(","))
    with tempfile.TemporaryDirectory() as folder:
        settings = placed(nodes, SONDE_TRAFFIC=folder + "/rank")
        settings["LD_PRELOAD"] += ":" + os.environ["OSU_TRAFFIC_SHIM"]
        answer = run(name, *arguments, ranks=ranks, environment=settings)
        assert answer.codes == [0] * ranks, answer
        found = []
        for rank in range(ranks):
            lines = [line.split() for line in read(f"{folder}/rank-{rank}").splitlines()]
            found.append({(call, int(peer), int(tag)): int(n) for _, call, peer, tag, n in lines})
        return found


class Text(unittest.TestCase):
    def test_bandwidth_is_called_a_latency(self):
        for name in (IN, OUT):
            for nodes in (BLOCK, ROUND_ROBIN, MIRRORED):
                with self.subTest(f"{name} {nodes}"):
                    answer = fan(name, nodes, *QUICK, "-m", "4", "-z50,90", "-b", "multiple")
                    self.assertEqual(answer.codes, [0] * 4, answer)
                    titles = title_line(("Avg Latency(us)", "P50 Tail Lat(us)", "P90 Tail Lat(us)"))
                    self.assertEqual(answer.lines[:4], ["", "# OSU MPI Bandwidth Test v7.4", "# Datatype: MPI_CHAR.", titles])
                    self.assertEqual(len(answer.lines), 4 + 3)
                    for line, size in zip(answer.lines[4:], (1, 2, 4)):
                        self.assertTrue(is_row(line, size, 3), line)

    def test_bandwidth_is_that_of_all_messages_of_all_ranks(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, initiators in ((IN, 2 * 2), (OUT, 2)):
                answer = fan(name, "0,1,2,0,1,2", "-i", "4", "-W", "3", "-m", "100:100", "--report", f"json={folder}/{name}")
                self.assertEqual(answer.codes, [0] * 6, answer)
                record = read(f"{folder}/{name}").splitlines()[1]
                self.assertRegex(record, r'"bytes": ?1200(\.0)?\b')  # 2 fans x 2 peers x 3 messages x 100 bytes
                self.assertRegex(record, rf'"initiators": ?{initiators}\b')


class Exchanges(unittest.TestCase):
    def check(self, name, nodes, fans):
        """fans: {parent: children}. Every parent and child exchanges a window with each of its peers."""
        iterations, window = 6, 3
        found = traffic(name, nodes, *QUICK, "-m", "1")
        peers = {rank: list(ranks) for rank, ranks in fans.items()}
        peers.update({child: [parent] for parent, children in fans.items() for child in children})
        for rank, calls in enumerate(found):
            sends = (rank in fans) == (name == OUT)
            expected = {}
            for peer in peers[rank]:
                expected["isend" if sends else "irecv", peer, 100] = iterations * window
                expected["recv" if sends else "send", peer, 101] = iterations
            self.assertEqual(calls, expected, f"rank {rank} of {name} on {nodes}")

    def test_the_kth_rank_of_every_node_goes_with_the_kth_of_the_first(self):
        for name in (IN, OUT):
            self.check(name, BLOCK, {0: [2], 1: [3]})
            self.check(name, ROUND_ROBIN, {0: [1], 2: [3]})
            self.check(name, MIRRORED, {0: [1], 3: [2]})
            self.check(name, "0,1,2", {0: [1, 2]})
            self.check(name, "0,1,2,2,1,0", {0: [1, 2], 5: [4, 3]})

    def test_windows_of_more_than_a_thousand_requests_work(self):
        for name in (IN, OUT):
            answer = fan(name, "0,1,2", "-i", "2", "-x", "0", "-W", "1500", "-m", "8:8", "-b", "multiple")
            self.assertEqual(answer.codes, [0] * 3, answer)

    def test_counts_are_100_and_10_up_to_8192_bytes_and_20_and_2_above(self):
        for size, count in ((8192, 110), (8193, 22)):
            child = traffic(IN, "0,1", "-m", f"{size}:{size}")[1]
            self.assertEqual(child, {("isend", 0, 100): 64 * count, ("recv", 0, 101): count})


class Refusals(unittest.TestCase):
    def refused(self, answer, pattern):
        self.assertEqual(set(answer.codes), {1})
        self.assertEqual(answer.out, "")
        self.assertRegex(answer.err, rf"\A{pattern}\n\Z")

    def test_one_node_is_refused(self):
        for name in (IN, OUT):
            self.refused(fan(name, "0,0,0"), "Please run this benchmark on more than 1 node")
            self.refused(run(name, ranks=2), "Please run this benchmark on more than 1 node")

    def test_nodes_of_different_sizes_are_refused(self):
        for nodes in ("0,1,1", "0,0,1", "0,1,0,2"):
            with self.subTest(nodes):
                self.refused(fan(IN, nodes), "Please run this benchmark with same ppn for all nodes")

    @unittest.skipUnless(os.environ.get("OSU_GPU") == "cuda", "built without CUDA")
    def test_options_that_stand_for_a_device_are_accepted(self):
        answer = fan(IN, BLOCK, "D", "D")
        self.refused(answer, r"This MPI library takes no addresses of a device \[D D\]; accepted: H H, .*")

    @unittest.skipUnless("OSU_OPENACC" in os.environ, "built without OpenACC")
    def test_buffers_may_be_memory_of_openacc(self):
        for name in (IN, OUT):
            answer = fan(name, BLOCK, "-m", "8:8", "-i", "3", "-x", "1", "-d", "openacc", "D", "D")
            self.assertEqual((answer.codes, answer.lines[1]), ([0] * 4, "# OSU MPI-OPENACC Bandwidth Test v7.4"), answer)

    def test_one_rank_is_refused(self):
        self.refused(run(OUT, ranks=1), "This test requires at least two processes.*")

    def test_help_and_version_need_no_nodes(self):
        for name in (IN, OUT):
            for ranks in (1, 2):
                answer = run(name, "-h", ranks=ranks)
                self.assertEqual((answer.codes, answer.lines[0]), ([0] * ranks, f"Usage: {name} [options] [SRC DST]"))
            self.assertEqual(run(name, "-v").out, "# OSU MPI Bandwidth Test v7.4\n")

    def test_bad_options_are_named_before_the_nodes(self):
        self.refused(run(IN, "-m", "8:4"), r"Invalid Message Size.*\[-m 8:4\].*")
        self.refused(run(IN, "-W", "0"), r"Invalid Window Size \[-W 0\]; accepted: .*")
        for letter in ("c", "u1", "t1", "p1", "V", "R1"):
            with self.subTest(letter):
                self.refused(run(OUT, f"-{letter}"), "Invalid option .*")


if __name__ == "__main__":
    unittest.main(verbosity=2)
