# SPDX-License-Identifier: BSL-1.0
"""Records of the programs' rows: their parameters, and the figures that rows show."""
import os
import re
import statistics
import subprocess
import unittest

from driver import LAUNCHER, PROGRAMS, run, statistics_titles
from endings import records_of
from programs import BY_NAME, NCCL_FAKES, SHMEM_SHIM, start


def records(name, *arguments, **how):
    return records_of(lambda *more, **folder: start(BY_NAME[name], *arguments, *more, **folder, **how))


class Collectives(unittest.TestCase):
    def test_a_report_distinguishes_roots_placements_and_parts(self):
        _, all_records = records("osu_ireduce", "-i3", "-x1", "-m", "4:4", "-k", "rotate", "-l", "-c")
        usual = {"bytes": 4, "datatype": "MPI_CHAR", "root": "rotating", "buffers": "in place", "work": "matrix"}
        self.assertEqual([r["parameters"] for r in all_records], [{**usual, "part": p} for p in ("communication", "work", "both")])
        self.assertEqual([r["errors"] for r in all_records], [None, None, 0])

    def test_a_report_has_the_topology_of_neighbors(self):
        _, (r,) = records("osu_neighbor_allgather", "-i3", "-x1", "-m", "4:4")
        self.assertEqual(r["parameters"]["neighbors"], "cart:1:1")


class Messages(unittest.TestCase):
    def test_a_fence_latency_is_half_of_an_iteration_and_both_transfers_of_an_exchange_count(self):
        for name, total, hops in (("osu_put_latency", 2 * 64, 2), ("osu_put_bibw", 2 * 3 * 64, 1), ("osu_put_bw", 3 * 64, 1)):
            window = BY_NAME[name].window
            answer, (r,) = records(name, "-i", "8", "-m64:64", "-s", "fence", "-w", "create", *window)
            self.assertEqual((r["total"]["bytes"], r["total"]["hops"]), (total, hops))
            mean = r["over_ranks_seconds"]["mean"]
            self.assertEqual(answer.rows[0][1], f"{mean * 1e6 / 2 if hops == 2 else total / mean / 1e6:.2f}")
            self.assertEqual(r["parameters"], {"bytes": 64, "datatype": "MPI_CHAR", **({"window": 3} if window else {}),
                                               "creation": "create", "synchronization": "fence"})

    def test_the_threads_of_both_sides_are_named(self):
        _, (r,) = records("osu_latency_mt", "-i6", "-x2", "-m", "1", "-t", "2:3")
        self.assertEqual((r["parameters"]["senders"], r["parameters"]["receivers"]), (2, 3))

    def test_bandwidth_is_that_of_all_messages_of_all_ranks_of_a_fan(self):
        for name, initiators in (("osu_bw_fan_in", 2 * 2), ("osu_bw_fan_out", 2)):
            _, (r,) = records(name, "-i", "4", "-W", "3", "-m", "100:100", ranks=6, environment={"FAKE_NODES": "0,1,2,0,1,2"})
            self.assertEqual((r["total"]["bytes"], r["initiators"]), (1200, initiators)) # 2 fans x 2 peers x 3 messages x 100 bytes

    def test_copies_of_a_size_are_one_sample_and_with_until_several(self):
        for name in ("osu_upc_memget", "osu_upcxx_async_copy_get"):
            _, (r,) = records(name, "-m", "8:8", "-i", "50")
            self.assertEqual((r["stop"]["samples"], r["batch"], r["parameters"]), (1, 50, {"bytes": 8}))
            answer, (r,) = records(name, "-m", "8:8", "--until", "5%", "--honest")
            self.assertGreaterEqual(r["stop"]["samples"], 6)
            titles, = (line for line in answer.lines if line.startswith("# Size"))
            self.assertTrue(titles.endswith(statistics_titles()), titles)

    def test_a_report_has_the_start_of_all_ranks_as_one_sample(self):
        for name in ("osu_init", "osu_hello"):
            _, (r,) = records_of(lambda *more, **how: run(name, *more, ranks=3, **how))
            least, mean, most = (r["over_ranks_seconds"][key] for key in ("min", "mean", "max"))
            self.assertEqual((r["name"], r["ranks"], r["series_seconds"]), (name, 3, [most]))
            self.assertTrue(0 < least <= mean <= most)


@unittest.skipUnless(SHMEM_SHIM, "built without OpenSHMEM")
class OpenShmem(unittest.TestCase):
    def test_a_loop_that_omb_times_as_a_whole_has_a_hundred_samples_of_its_iterations(self):
        for given, samples, batch in ((("-i", "200"), 100, 2), (("-i", "7"), 7, 1), (("-i", "200", "-z", "50"), 200, 1),
                                      (("-i", "200", "--budget", "60"), 200, 1)):
            with self.subTest(given):
                _, (r,) = records("osu_oshm_put", "-m", "8:8", *given)
                self.assertEqual((r["stop"]["samples"], r["batch"]), (samples, batch))
                self.assertEqual(r["parameters"], {"bytes": 8, "data": "heap"})

    def test_rates_count_the_transfers_of_all_pairs(self):
        answer, (r,) = records("osu_oshm_get_mr_nb", "-m", "8:8", ranks=2)
        self.assertEqual((r["total"]["messages"], r["total"]["bytes"], r["initiators"]), (500, 4000, 1))
        self.assertAlmostEqual(float(answer.rows[0][1]), 500 / r["over_ranks_seconds"]["mean"], delta=0.01)
        _, (r,) = records("osu_oshm_put_mr", "-m", "8192:8192")
        self.assertEqual((r["total"]["messages"], r["initiators"]), (100, 2))

    def test_atomics_are_shown_per_operation_and_with_statistics_also_completed(self):
        answer, all_records = records("osu_oshm_atomics", "--honest", ranks=2)
        quiet = [r["parameters"]["operation"] for r in all_records if r["parameters"].get("completion") == "quiet"]
        self.assertEqual(quiet, [f"shmem_{kind}_{op}" for kind in ("int", "longlong") for op in ("add", "inc", "set")])
        first = all_records[0]
        line = next(line for line in answer.lines if line.startswith("shmem_int_fadd"))
        mean = first["over_ranks_seconds"]["mean"]
        self.assertEqual(line[20:56], f"{500 / mean / 1e6:18.2f}{mean / 500 * 1e6:18.2f}")
        titles, = (line for line in answer.lines if line.startswith("# Operation"))
        self.assertTrue(titles.endswith(statistics_titles(more=("With quiet(us)",))), titles)

    def test_overlap_has_the_records_of_its_three_runs(self):
        answer, all_records = records("osu_oshm_put_overlap", "-m", "8:8", "-i", "9", "-x", "1", "--honest")
        parts = [(r["parameters"]["part"], r["parameters"]["work"]) for r in all_records]
        self.assertEqual(parts, [(part, work) for work in ("matrix", "spin") for part in ("communication", "work", "both")])
        communication = all_records[0]["over_ranks_seconds"]["mean"] * 1e6
        self.assertEqual(answer.rows[0][4], f"{communication:.2f}")
        times = [statistics.median(r["series_seconds"]) for r in all_records[3:]]
        titles, = (line for line in answer.lines if line.startswith("# Size"))
        row, = (line for line in answer.lines if line.startswith("8"))
        hidden = 100 * (times[0] + times[1] - times[2]) / times[0]
        self.assertEqual(row[titles.index("Hidden(%)") - 9:][:18].strip(), f"{hidden:.2f}")

    def test_records_of_atomics_with_statistics_have_the_same_parameters_as_a_file_of_rows_requires(self):
        _, all_records = records("osu_oshm_atomics", "--honest", ranks=2)
        self.assertEqual({tuple(r["parameters"]) for r in all_records}, {("data", "operation", "completion")})
        self.assertEqual([r["parameters"]["completion"] for r in all_records if r["parameters"]["operation"] == "shmem_int_add"], ["none", "quiet"])


@unittest.skipUnless(NCCL_FAKES, "built without NCCL")
class Nccl(unittest.TestCase):
    def test_managed_memory_and_statistics(self):
        answer = start(BY_NAME["osu_xccl_bw"], "-i3", "-x2", "-u0", "-c", "-m", "8:8", "MD", "MH")
        self.assertIn("# Send Buffer on MANAGED (MD) and Receive Buffer on MANAGED (MH)", answer.lines)
        self.assertEqual([(row[0], row[2]) for row in answer.rows], [("8", "Pass")], answer)
        place_of_work = "gpu" if "OSU_KERNELS" in os.environ else "cpu"  # not used
        answer = start(BY_NAME["osu_xccl_bcast"], "-i3", "-x2", "-u0", "-c", "-m", "8:8", "--honest", "-d", "managed", "-r", place_of_work)
        titles, = (line for line in answer.lines if line.startswith("# Size"))
        self.assertIn("Bus (MB/s)", titles)
        self.assertIn("# OSU NCCL Broadcast Latency Test v7.4", answer.lines)

    def test_a_failure_on_one_rank_ends_all_and_keeps_the_rows_so_far(self):
        preloaded = ":".join([*BY_NAME["osu_xccl_bw"].library.fault_shim, *BY_NAME["osu_xccl_bw"].library.preload])
        ended = subprocess.run([LAUNCHER, "-t", "60", "-n", "3", "env", f"LD_PRELOAD={preloaded}", "FAKE_CUDA_DEVICES=4",
                                "SONDE_NCCL_FAULT=9", f"{PROGRAMS}/osu_xccl_allreduce", "-i", "3", "-x", "1", "-m", "4:16"],
                               capture_output=True, text=True, timeout=80)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("sonde: rank 1: ncclAllReduce: internal error", ended.stderr)
        self.assertEqual(re.findall(r"^\d+", ended.stdout, re.MULTILINE), ["4", "8"], ended)
