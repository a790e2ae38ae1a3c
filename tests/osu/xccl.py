# SPDX-License-Identifier: BSL-1.0
"""The programs of NCCL: lines, sizes, calls, refused input; with a CUDA runtime and an NCCL that need no device."""
import concurrent.futures
import dataclasses
import os
import re
import subprocess
import tempfile
import unittest

from driver import LAUNCHER, PROGRAMS, is_row, read, run, title_line

FAKES = os.environ.get("OSU_FAKE_NCCL")
ONCE = ("-i", "3", "-x", "2", "-u", "0", "-c")
CALLS = 3 + 2 + 3  # iterations, warm-up, repetitions of validation
PAIR = ("# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)",)


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    given: str
    preamble: tuple
    value: str
    sizes: tuple
    calls: object           # (rank, size) -> each call, and its number in an iteration
    ranks: int = 2


def _collective(name, title, calls, floats=False, ranks=2):
    return Case(name, "-m 6:16", ("", f"# OSU NCCL-CUDA {title} Latency Test v7.4"), "Avg Latency(us)",
                (4, 8, 16) if floats else (6, 12), calls, ranks)


def _alltoall(ranks):
    def calls(_, size):
        each = {f"{call} {size} {peer} 1": 1 for call in ("ncclSend", "ncclRecv") for peer in range(ranks)}
        return {**each, "ncclGroupStart": 1, "ncclGroupEnd": 1}
    return _collective("alltoall", "All-to-All Personalized Exchange", calls, ranks=ranks)


def _reduce_scatter(ranks):
    return _collective("reduce_scatter", "Reduce_scatter", lambda _, size: {f"ncclReduceScatter {size // 4 // ranks * 4} 1": 1},
                       floats=True, ranks=ranks)


CASES = [
    Case("latency", "-m 2", PAIR, "Latency (us)", (0, 1, 2),
         lambda rank, size: {f"ncclSend {size} {1 - rank} 1": 1, f"ncclRecv {size} {1 - rank} 1": 1}),
    Case("bw", "-m 6:16 -W 3", PAIR, "Bandwidth (MB/s)", (6, 12),
         lambda rank, size: {f"ncclRecv {size} 0 1": 3, "ncclSend 1 0 1": 1} if rank else
                            {f"ncclSend {size} 1 1": 3, "ncclRecv 1 1 1": 1}),
    Case("bibw", "-m 6:16 -W 3", PAIR, "Bandwidth (MB/s)", (6, 12),
         lambda rank, size: {f"ncclSend {size} {1 - rank} 1": 3, f"ncclRecv {size} {1 - rank} 1": 3, "ncclGroupStart": 1,
                             "ncclGroupEnd": 1}),
    _collective("allgather", "Allgather", lambda _, size: {f"ncclAllGather {size} 1": 1}),
    _collective("allreduce", "Allreduce", lambda _, size: {f"ncclAllReduce {size} 1": 1}, floats=True),
    _collective("bcast", "Broadcast", lambda _, size: {f"ncclBroadcast {size} 0 1": 1}),
    _collective("reduce", "Reduce", lambda _, size: {f"ncclReduce {size} 0 1": 1}, floats=True),
    *(_alltoall(ranks) for ranks in (2, 4)),
    *(_reduce_scatter(ranks) for ranks in (2, 3)),
]


# A program, its arguments, its ranks and devices, and its line.
REFUSED = [
    ("reduce", "", {"FAKE_CUDA_DEVICES": "1"}, r"NCCL cannot connect the ranks: rank 0: ncclCommInitRank: NCCL needs a device for each "
                                               r"rank: .*; accepted: ranks with a device each"),
    ("reduce", "", {"FAKE_CUDA_DEVICES": "0"}, r"No device \[-d cuda\]: .*there is no CUDA device.*; accepted: ranks with a device each"),
    ("bcast", "", {"FAKE_CUDA_DRIVER": "old"}, r"No device \[-d cuda\]: .*is newer than the driver.*"),
    ("latency", "H D", {}, r"NCCL takes no pageable memory of the host \[H\]; accepted beside options: two of D, MH, MD"),
    ("bw", "D D --staged", {}, r"Invalid option \[--staged\]; accepted: .*"),
    ("bw", "-D cont", {}, r"Invalid option \[-D\]; accepted: .*"),
    ("reduce", "-m 1:3", {}, r"No element has room \[-m\]; accepted: a MAX of at least 4"),
]


def on_devices(name, *arguments, ranks=2, shim="", **settings):
    preloaded = ":".join([*([shim] if shim else []), FAKES, os.environ["OSU_FAKE_GPU"]])
    return run("osu_xccl_" + name, *arguments, ranks=ranks,
               environment={"LD_PRELOAD": preloaded, "FAKE_CUDA_DEVICES": "4", **settings})


def calls_of(log):
    """The number of each NCCL call in it, without those that create and destroy a communicator."""
    calls = [line for line in log.splitlines() if re.match("nccl(?!Comm|GetUnique)", line)]
    return {call: calls.count(call) for call in calls}


def waited_for(log):
    """The waits that follow such a call."""
    lines = log.splitlines()
    return {call for call, then in zip(lines, lines[1:]) if call.startswith("nccl") and then.startswith("cudaStreamQuery")}


def logged(answer_of):
    """The program's result, and each rank's calls in order."""
    with tempfile.TemporaryDirectory() as folder:
        answer = answer_of(f"{folder}/%p")
        logs = [read(os.path.join(folder, f)) for f in os.listdir(folder)]
        return answer, {int(re.search(r"ncclCommInitRank \d+ (\d+)", log)[1]): log for log in logs if "ncclComm" in log}


def _added(all_calls):
    total = {}
    for calls in all_calls:
        for call, n in calls.items():
            total[call] = total.get(call, 0) + n * CALLS
    return total


def _ends(case, calls):
    """The calls among these that a program waits for: all except those that end a group, and the answer to a window."""
    if "ncclGroupEnd" in calls:
        return {"ncclGroupEnd"}
    return {call for call in calls if case.name != "bw" or not call.split()[1] == "1"}


def at_once(f, items):
    """f of each, several at a time, since a start of several ranks is mostly waiting."""
    with concurrent.futures.ThreadPoolExecutor(4) as several:
        return zip(items, several.map(f, items))


@unittest.skipUnless(FAKES, "built without NCCL")
class WithNccl(unittest.TestCase):
    def refused(self, answer, line, ranks=2):
        """One line, of rank 0; status 1 on all ranks; no measurement."""
        self.assertEqual(answer.codes, [1] * ranks, answer)
        self.assertEqual(answer.out, "")
        self.assertRegex(answer.err, rf"^{line}\n$")

    def test_each_has_omb_s_text_and_the_calls_of_its_benchmark_and_delivers_its_data(self):
        def measured(case):
            return logged(lambda log: on_devices(case.name, *case.given.split(), *ONCE, ranks=case.ranks, FAKE_CUDA_LOG=log))

        for case, (answer, logs) in at_once(measured, CASES):
            with self.subTest(f"{case.name}, {case.ranks} ranks"):
                self.check_lines(case, answer)
                self.check_calls(case, logs)

    def check_lines(self, case, answer):
        self.assertEqual((answer.codes, answer.err), ([0] * case.ranks, ""), answer)
        lines = [line for line in answer.lines if line != "#Using NCCL"]  # a launcher may interleave the ranks' output
        self.assertEqual(len(answer.lines) - len(lines), case.ranks)
        titles = len(case.preamble) + 1
        self.assertEqual(lines[:titles], [*case.preamble, title_line((case.value, "Validation"))])
        self.assertEqual(len(lines) - titles, len(case.sizes))
        for row, size in zip(lines[titles:], case.sizes):
            self.assertTrue(is_row(row, size, 1, ("Pass",)), row)

    def check_calls(self, case, logs):
        for rank in range(case.ranks):
            expected = [case.calls(rank, size) for size in case.sizes]
            self.assertEqual(calls_of(logs[rank]), _added(expected))
            self.assertEqual(waited_for(logs[rank]), set().union(*(_ends(case, calls) for calls in expected)))

    def test_reductions_distinguish_large_sizes_by_their_number_of_floats(self):
        _, logs = logged(lambda log: on_devices("allreduce", "-m", "32768:65536", FAKE_CUDA_LOG=log))
        self.assertEqual(calls_of(logs[0]), {"ncclAllReduce 32768 1": 1000 + 100, "ncclAllReduce 65536 1": 100 + 10})

    def test_managed_memory_and_statistics(self):
        answer = on_devices("bw", *ONCE, "-m", "8:8", "MD", "MH")
        self.assertIn("# Send Buffer on MANAGED (MD) and Receive Buffer on MANAGED (MH)", answer.lines)
        self.assertEqual([(row[0], row[2]) for row in answer.rows], [("8", "Pass")], answer)
        place_of_work = "gpu" if "OSU_KERNELS" in os.environ else "cpu"  # not used
        answer = on_devices("bcast", *ONCE, "-m", "8:8", "--honest", "-d", "managed", "-r", place_of_work)
        titles, = (line for line in answer.lines if line.startswith("# Size"))
        self.assertIn("Bus (MB/s)", titles)
        self.assertIn("# OSU NCCL Broadcast Latency Test v7.4", answer.lines)

    def test_v_shows_a_title_that_point_to_point_programs_lack(self):
        self.assertEqual(on_devices("bibw", "-d", "cuda", "-v").out, "# OSU NCCL-CUDA Bi-Directional Bandwidth Test v7.4\n")

    def test_a_memory_limit_lowers_the_largest_size(self):
        answer = on_devices("allgather", "-M", "1048577", "-m", "524288:1048576", "-i", "1", "-x", "0")
        self.assertEqual([row[0] for row in answer.rows], ["524288"])
        self.assertEqual(answer.err, "Warning! Increase the Max Memory Limit to be able to run up to 1048576 bytes.\n"
                                     "Continuing with max message size of 524288 bytes\n")
        silent = on_devices("alltoall", "-M", "1048577", "-m", "524288:1048576", "-i", "1", "-x", "0")
        self.assertEqual(([row[0] for row in silent.rows], silent.err), (["524288"], ""))

    def test_elements_that_are_not_reduced_are_found(self):
        answer = on_devices("allreduce", *ONCE, "-m", "8:16", ranks=3, shim=os.environ["OSU_NCCL_FAULT_SHIM"],
                            SONDE_NCCL_FAULT="last")
        self.assertEqual((answer.codes, [row[-1] for row in answer.rows]), ([1] * 3, ["Fail"]), answer)

    def test_a_failure_on_one_rank_ends_all_and_keeps_the_rows_so_far(self):
        preloaded = ":".join([os.environ["OSU_NCCL_FAULT_SHIM"], FAKES, os.environ["OSU_FAKE_GPU"]])
        ended = subprocess.run([LAUNCHER, "-t", "60", "-n", "3", "env", f"LD_PRELOAD={preloaded}", "FAKE_CUDA_DEVICES=4",
                                "SONDE_NCCL_FAULT=9", f"{PROGRAMS}/osu_xccl_allreduce", "-i", "3", "-x", "1", "-m", "4:16"],
                               capture_output=True, text=True, timeout=80)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("sonde: rank 1: ncclAllReduce: internal error", ended.stderr)
        self.assertEqual(re.findall(r"^\d+", ended.stdout, re.MULTILINE), ["4", "8"], ended)

    def test_a_rank_without_memory_is_not_waited_for(self):
        for nth in (1, 3):  # its send buffer; its answer to a window
            answer = on_devices("bw", FAKE_CUDA_FAIL=f"cudaMalloc:{nth}@1")
            self.refused(answer, r"Error allocating device memory \[-m, -W\]: .*; accepted: sizes that fit")

    def test_impossible_requests_print_one_line(self):
        def answer(what):
            name, given, settings, _ = what
            return on_devices(name, *given.split(), ranks=3 if settings else 2, **settings)

        for (name, given, settings, line), refusal in at_once(answer, REFUSED):
            with self.subTest(f"{name} {given} {settings}"):
                self.refused(refusal, line, ranks=3 if settings else 2)


class Anywhere(unittest.TestCase):
    def test_programs_of_nccl_are_built_with_nccl_by_both_names(self):
        for prefix in ("osu_xccl_", "osu_nccl_"):
            built = {f.removeprefix(prefix) for f in os.listdir(PROGRAMS) if re.fullmatch(prefix + r"[a-z_]+", f)}
            self.assertEqual(built, {case.name for case in CASES} if FAKES else set())
