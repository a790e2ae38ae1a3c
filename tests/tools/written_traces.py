#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Traces that no recorder wrote: each predefined datatype in each kind of call, and numbers that no program has. Memory that
calls overrun is seen where a sanitizer of addresses runs."""
import copy
import json
import os
import subprocess
import unittest

from driver import Answer, InFolder, TOOLS, read, tool

MPI_RUN, MPI_VERSION = os.environ["TOOLS_MPI_RUN"], int(os.environ["TOOLS_MPI_VERSION"])

# Size and extent on x86-64 and AArch64; the class that decides about operations.
INTEGERS = {"CHAR": 1, "SIGNED_CHAR": 1, "UNSIGNED_CHAR": 1, "SHORT": 2, "UNSIGNED_SHORT": 2, "INT": 4, "UNSIGNED": 4, "LONG": 8, "UNSIGNED_LONG": 8,
            "LONG_LONG_INT": 8, "UNSIGNED_LONG_LONG": 8, "INT8_T": 1, "INT16_T": 2, "INT32_T": 4, "INT64_T": 8, "UINT8_T": 1, "UINT16_T": 2,
            "UINT32_T": 4, "UINT64_T": 8, "AINT": 8, "OFFSET": 8}
NUMBERS = {"FLOAT": 4, "DOUBLE": 8, "LONG_DOUBLE": 16, "C_FLOAT_COMPLEX": 8, "C_DOUBLE_COMPLEX": 16, "C_LONG_DOUBLE_COMPLEX": 32, **INTEGERS}
PAIRS = {"FLOAT_INT": (8, 8), "DOUBLE_INT": (12, 16), "LONG_INT": (12, 16), "2INT": (8, 8), "SHORT_INT": (6, 8), "LONG_DOUBLE_INT": (20, 32)}
DERIVED = {"vector(3,1,5,MPI_INT)": (12, 44), "resized(-8,24,MPI_DOUBLE)": (8, 24), "contiguous(0,MPI_INT)": (0, 0), "struct(2,1,1,0,16,MPI_INT,MPI_CHAR)": (5, 17),
           "hvector(2,1,-16,MPI_DOUBLE)": (16, 24), "resized(0,1,contiguous(4,MPI_CHAR))": (4, 1), "indexed(2,1,2,0,7,MPI_SHORT)": (6, 18),
           "dup(MPI_DOUBLE_INT)": (12, 16), "subarray(2,9,9,2,2,3,3,57,MPI_DOUBLE)": (32, 648), "resized(0,0,MPI_INT)": (4, 0),
           "hindexed(1,3,-4,MPI_INT)": (12, 12), "struct(0)": (0, 0)}
OPERATIONS = ["MPI_SUM", "MPI_MINLOC", "MPI_LAND", "MPI_BXOR", "MPI_REPLACE", "user-defined"]
N = 11  # elements: an odd number, so that memory by size is too small by more than an allocation is padded


def types():
    """(name, size, extent, operation) of each datatype."""
    yield from ((f"MPI_{name}", size, size, "MPI_SUM") for name, size in NUMBERS.items() if name != "CHAR")
    yield from ((f"MPI_{name}", *both, "MPI_MINLOC") for name, both in PAIRS.items())
    yield from (("MPI_C_BOOL", 1, 1, "MPI_LAND"), ("MPI_BYTE", 1, 1, "MPI_BXOR"))
    yield from ((name, *both, "user-defined") for name, both in DERIVED.items())


def calls_of(number, operation, ranks):
    """Calls with all arguments of memory, on `ranks` ranks, in fences of window 0."""
    out, into = {"count": N, "type": number}, {"recv_count": N, "recv_type": number}
    on, whole = {"comm": 0}, {"counts": [N, 1, 0, 2][:ranks]}
    to_each = {"counts": [N] * (2 * ranks)}
    reduction, root = {"operation": OPERATIONS.index(operation)}, {"root": 0}
    to, source = {"to": 1, "tag": 5}, {"from": ranks - 1, "recv_tag": 5}
    window = {"window": 0, "to": 1}
    replace = {"operation": OPERATIONS.index("MPI_REPLACE")}
    yield from (("Sendrecv", on | to | out | source | into), ("Irecv", on | source | into), ("Isend", on | to | out), ("Waitall", {"requests": [2, 1]}),
                ("Bsend", on | to | out), ("Recv", on | {"from": "any", "recv_tag": 5} | into), ("Isend", on | to | out),
                ("Mprobe", on | {"from": "any", "recv_tag": -1}), ("Mrecv", {"recv_count": 1, "recv_type": number}), ("Wait", {"requests": [1]}))
    yield from (("Bcast", on | root | out), ("Allgather", on | out | into), ("Allgather", on | into), ("Alltoall", on | out | into),
                ("Allgatherv", on | {"count": N, "type": number, "recv_type": number, "counts": [N] * ranks}),
                ("Alltoallv", on | {"type": number, "recv_type": number} | to_each), ("Ialltoallv", on | {"recv_type": number, "counts": [N] * ranks}),
                ("Wait", {"requests": [1]}))
    yield from ((name, on | out | reduction | (root if name == "Reduce" else {})) for name in ("Reduce", "Allreduce", "Scan", "Exscan", "Reduce_scatter_block"))
    yield "Reduce_scatter", on | {"type": number} | whole | reduction
    yield from (("Neighbor_alltoall", {"comm": 1} | out | into), ("Neighbor_allgather", {"comm": 1} | out | into),
                ("Neighbor_alltoallv", {"comm": 1, "type": number, "recv_type": number, "counts": [N, 2, *([N, 2] if ranks == 2 else [2, N])]}))
    yield from (("Win_fence", {"window": 0}), ("Put", window | out), ("Get", window | into), ("Accumulate", window | out | replace),
                ("Win_fence", {"window": 0}), ("Get_accumulate", window | out | into | replace), ("Win_fence", {"window": 0}))


def trace(ranks, body, all_types, bytes_of_window=0):
    """The lines of a trace in which all ranks make the same calls."""
    calls = [{"call": name, "site": 0, **arguments} for name, arguments in body]
    cart = {"call": "Cart_create", "site": 0, "comm": 0, "made": 1, "counts": [2, ranks - 1, 1, ranks - 1, 1]}
    program = {"type": "program", "program": 0, "sites": ["a+0x1"], "operations": OPERATIONS,
               "types": [{"name": name, "size": size, "extent": extent} for name, size, extent, _ in all_types], "body": [cart, *calls]}
    lines = [{"type": "trace", "schema": 3, "version": "0.1.0", "ranks": ranks, "library": "MPI", "command": "./a"}, program]
    for rank in range(ranks):
        lines.append({"type": "rank", "program": 0, "rank": rank, "thread": 0, "seconds": [0, 1], "clock": [0, 0, 0], "crowded": False,
                      "communicators": [f"0-{ranks - 1}", f"0-{ranks - 1}#1"], "windows": [{"ranks": f"0-{ranks - 1}", "bytes": bytes_of_window, "unit": 1, "flavor": "create"}], "dropped": 0, "not_recorded": {},
                      "think": [1e-6] * (len(calls) + 1), "call": [1e-6] * (len(calls) + 1), "passes": [], "polls": {}, "matched": {}, "displacements": {}})
    return [*lines, {"type": "end", "lines": len(lines)}]


class WrittenTraces(InFolder):
    def write(self, lines, name="a.trace"):
        self.written(name, "".join(json.dumps(line) + "\n" for line in lines))

    def on_ranks(self, ranks, *words):
        done = subprocess.run([MPI_RUN, "-t", "60", "-n", str(ranks), f"{TOOLS}/sonde-replay", *words], capture_output=True, text=True,
                              cwd=self.folder, timeout=100)
        return Answer(done.returncode, done.stdout, done.stderr)

    def assert_refused(self, done, text):
        self.assertEqual((done.code not in (0, 134, 139), done.out, len([line for line in done.said if text in line])), (True, "", 1), done)

    def test_each_datatype_in_each_call_is_in_its_memory(self):
        all_types = list(types())
        for ranks in (2, 3):
            body = [call for number, (_, _, _, operation) in enumerate(all_types) for call in calls_of(number, operation, ranks)]
            self.write(trace(ranks, body, all_types))
            for words in (("run", "-n", "3", "-w", "0", "--think", "0"), ("assess", "--share", "0", "-n", "1", "--time", "0.001"))[:4 - ranks]:
                with self.subTest((ranks, words[0])):
                    done = self.on_ranks(ranks, *words, "a.trace")
                    self.assertEqual(done.code, 0, done)
                    self.assertNotIn("gives other data", done.out)

    def test_a_window_is_locked_and_fenced_in_one_phase(self):
        on, put = {"window": 0}, ("Put", {"window": 0, "to": 1, "count": N, "type": 0})
        self.write(trace(2, [("Win_fence", on), put, ("Win_fence", on), ("Win_lock_all", on), put, ("Win_unlock_all", on), ("Win_fence", on), put,
                             ("Win_fence", on | {"mode": "nosucceed"})], [("MPI_DOUBLE_INT", 12, 16, "")]))
        lines = self.lines("a.trace")
        for rank in lines[2:4]:  # another window of the same ranks
            rank["windows"].append({**rank["windows"][0], "ranks": "0-1#1", "flavor": "allocate"})
        lines[1]["body"].insert(5, {"passes": 9, "body": [lines[1]["body"].pop(5)]})  # the loop begins and ends with the window locked
        for rank in lines[2:4]:
            rank["passes"] = [{"place": 5, "think": ["000" * 240], "call": ["0Fe" * 240], "first": "0000000Fe" * 240, "end": ["00000" * 240]}]
        self.write(lines)
        done = self.on_ranks(2, "run", "-n", "3", "a.trace")
        self.assertEqual((done.code, [line.split("  ")[0] for line in done.out.splitlines()[-3:]]), (0, ["before loop 1", "loop 1", "after loop 1"]), done)

    def test_a_request_that_is_made_before_its_phase_sends_from_its_memory(self):
        on, many = {"comm": 0}, 5_000_000  # 40 MB: memory that the heap does not keep of an earlier phase
        both = {"requests": [-1, -2]}
        self.write(trace(2, [("Send_init", on | {"to": 1, "tag": 0, "count": many, "type": 0, "requests": [-1]}),
                             ("Recv_init", on | {"from": 1, "recv_tag": 0, "recv_count": many, "recv_type": 0, "requests": [-2]}),
                             ("Startall", both), ("Waitall", both)], [("MPI_DOUBLE", 8, 8, "")]))
        lines = self.lines("a.trace")
        lines[1]["body"][3:] = [{"passes": 9, "body": lines[1]["body"][3:]}]
        for rank in lines[2:4]:
            rank["passes"] = [{"place": 3, "think": ["000" * 240] * 2, "call": ["0Fe" * 240] * 2, "first": "0000000Fe" * 240, "end": ["00000" * 240, "000Fe" * 240]}]
        self.write(lines)
        done = self.on_ranks(2, "run", "-n", "3", "a.trace")
        self.assertEqual((done.code, [line.split("  ")[0] for line in done.out.splitlines()[-1:]]), (0, ["loop 1"]), done)

    def test_receives_that_are_cancelled_and_requests_that_are_never_completed_are_replayed(self):
        on, out, into = {"comm": 0}, {"to": 1, "tag": 0, "count": N, "type": 0}, {"from": 1, "recv_tag": 0, "recv_count": N, "recv_type": 0}
        self.write(trace(2, [("Irecv", on | into), ("Barrier", on), ("Cancel", {"requests": [1]}), ("Wait", {"requests": [1]}),
                             ("Isend", on | out), ("Recv", on | into), ("Irecv", on | into), ("Isend", on | out)], [("MPI_DOUBLE", 8, 8, "")]))
        done = self.on_ranks(2, "run", "-n", "20", "a.trace")
        self.assertEqual((done.code, done.out.splitlines()[-1].split()[0], "# 2 calls of MPI_Cancel left out" in done.out), (0, "all", True), done)

    def test_another_request_than_in_the_recorded_run_may_complete_first(self):
        def sends(tag): return "Isend", {"comm": 0, "to": 1, "tag": tag, "count": N, "type": 0}
        def receives(tag): return "Irecv", {"comm": 0, "from": 1, "recv_tag": tag, "recv_count": N, "recv_type": 0}
        for first, last in ((0, 1), (1, 0)):  # of two messages, of which the other one is sent when one was received
            self.write(trace(2, [receives(0), receives(1), sends(first), ("Waitany", {"requests": [3, 2], "count": 1}), sends(last),
                                 ("Waitsome", {"requests": [4, 3], "count": 1}), ("Waitall", {"requests": [2, 1]})], [("MPI_DOUBLE", 8, 8, "")]))
            done = self.on_ranks(2, "run", "-n", "20", "a.trace")
            self.assertEqual((done.code, done.out.splitlines()[-1].split()[0]), (0, "all"), done)

    @unittest.skipIf(MPI_VERSION < 4, "no functions with large counts")
    def test_more_elements_than_an_int_counts_are_sent_by_functions_with_large_counts(self):
        many, nobody = 2**31 + 5, {"comm": 0, "to": "null", "tag": 0}  # to no process, so that they need no memory
        out, into = {"count": many, "type": 0}, {"from": "null", "recv_tag": 0, "recv_count": many, "recv_type": 0}
        at, both = {"window": 0, "to": "null"}, {"recv_count": many, "recv_type": 0}
        self.write(trace(2, [("Send", nobody | out), ("Recv", {"comm": 0} | into), ("Isend", nobody | out), ("Irecv", {"comm": 0} | into),
                             ("Waitall", {"requests": [2, 1]}), ("Win_fence", {"window": 0}), ("Put", at | out), ("Get", at | both),
                             ("Accumulate", at | out | {"operation": 4}), ("Win_fence", {"window": 0})], [("MPI_BYTE", 1, 1, "")]))
        done = self.on_ranks(2, "run", "-n", "3", "a.trace")
        self.assertEqual((done.code, done.err, done.out.splitlines()[-1].split()[0]), (0, "", "all"), done)

    def changed(self, change, body=(("Barrier", {"comm": 0}), ("Send", {"comm": 0, "to": 1, "tag": 0, "count": 1, "type": 0}),
                                    ("Recv", {"comm": 0, "from": 1, "recv_tag": 0, "recv_count": 1, "recv_type": 0}))):
        lines = copy.deepcopy(trace(2, body, [("MPI_INT", 4, 4, "")]))
        change(lines[1], lines[2])
        self.write(lines)

    def test_numbers_that_no_program_has_are_refused_in_one_line(self):
        def of_type(**values): return lambda program, rank: program["types"][0].update(values)
        def of_call(at, **values): return lambda program, rank: program["body"][at].update(values)
        def of_rank(**values): return lambda program, rank: rank.update(values)
        def loops(program, rank):
            for _ in range(6):
                program["body"] = [{"passes": 10**12, "body": program["body"]}]
        window = {"ranks": "0-1", "bytes": 8, "unit": 1, "flavor": "create"}
        cases = [(of_type(size=2**62), "'size' is no integer from 0 to"), (of_type(size=-4), "'size' is no"), (of_type(size=4.5), "'size' is no"),
                 (of_type(extent=-2**60), "'extent' is no"), (of_call(2, count=2**60), "'count' is no"), (of_call(2, count=2**47), "a call moves more bytes"),
                 (of_call(0, counts=[2**40, 0]), "the neighbors of a topology are none"), (of_call(0, counts=[1, 2, 1]), "the neighbors of a topology"),
                 (of_call(0, counts=[-1]), "the neighbors of a topology"), (of_call(1, counts=[2**50]), "'counts' is no"),
                 (of_call(1, comm=7), "on a communicator that is not listed"), (of_call(1, comm=2**32), "'comm' is no integer"),
                 (of_call(1, site=2**32), "a number refers to nothing"), (of_call(2, to=1.5), "'to or from' is no integer"),
                 (loops, "more passes than there is time for"), (lambda p, r: p.update(body=[{"passes": 2, "body": []}]), "a loop has no call"),
                 (of_rank(think=[1e300] * 4), "a time is not from 0 to"), (of_rank(polls={"9": 1}), "a place is none"), (of_rank(polls={"x": 1}), "a place is none"),
                 (of_rank(displacements={"1": [5, 2]}), "displacements are no range"), (of_rank(windows=[window | {"unit": 0}]), "'unit' is no"),
                 (of_rank(windows=[window | {"bytes": 2**60}]), "'bytes' is no"), (of_rank(windows=[window | {"ranks": "0-1,0"}]), "a window is not of the rank"),
                 (of_rank(seconds=[0, "x"]), "a time is no number"), (of_rank(clock=[1e300, 0, 0]), "a clock is none"),
                 (of_rank(rank=5), "'rank' is no integer from 0 to 1")]
        for change, said in cases:
            with self.subTest(said):
                self.changed(change)
                self.assert_one_line(tool("sonde-replay", "show", "a.trace", folder=self.folder), 2, said)

    def test_a_trace_is_not_overwritten_and_outputs_have_a_file_each(self):
        self.changed(lambda program, rank: None)
        before = read(f"{self.folder}/a.trace")
        cases = [("--html", "./a.trace"), ("--json", f"{self.folder}/a.trace")]
        for words in cases:
            self.assert_one_line(tool("sonde-replay", "show", *words, "a.trace", folder=self.folder), 2, f"'{words[1]}' is read")
        self.assert_refused(self.on_ranks(2, "run", "--report", "json=./a.trace", "a.trace"), "'./a.trace' is read")
        self.assert_refused(self.on_ranks(2, "assess", "--json", "a.trace", "a.trace"), "'a.trace' is read")
        self.assertEqual(read(f"{self.folder}/a.trace"), before)
        self.assert_one_line(tool("sonde-replay", "show", "--json", "b", "--html", "./b", "a.trace", folder=self.folder), 2, "'./b' is written twice")

    def test_what_cannot_be_sent_again_is_refused_on_all_ranks(self):
        def lacks(at, member): return lambda program, rank: program["body"][at].pop(member)
        def other_name(program, rank): rank["communicators"][1] = "0-1#2"
        cases = [(lacks(1, "comm"), "a call of MPI_Barrier has no communicator"), (lacks(2, "comm"), "a call of MPI_Send has no communicator"),
                 (other_name, "1 of 2 ranks have the communicator of ranks 0-1#1"),
                 (lambda p, r: p["body"][1].update(call="Alltoallv", type=0, recv_type=0, counts=[1]), "a call of MPI_Alltoallv does not have a count for each"),
                 (lambda p, r: p["body"][1].update(call="Isend", to=7, tag=0, count=1, type=0), "a call of MPI_Isend has an argument that MPI refuses"),
                 (lambda p, r: p["body"][2].update(count=2**40), "a call has 1099511627776 elements" if MPI_VERSION < 4 else "Not enough memory [TRACE]"),
                 (lambda p, r: r["windows"][0].update(bytes=2**47), "Not enough memory [TRACE]")]
        for change, said in cases:
            with self.subTest(said):
                self.changed(change)
                self.assertEqual(tool("sonde-replay", "show", "a.trace", folder=self.folder).code, 0)
                self.assert_refused(self.on_ranks(2, "run", "a.trace"), said)

    def test_a_call_whose_arguments_mpi_refuses_is_shown_and_left_out(self):
        for wrong in ({"to": -3}, {"to": 99}, {"count": -1}, {"tag": -7}):
            with self.subTest(wrong):
                self.changed(lambda program, rank: program["body"][1].update({"call": "Ssend", "to": 1, "tag": 0, "count": 8, "type": 0} | wrong))
                done = tool("sonde-replay", "show", "a.trace", folder=self.folder)
                self.assertRegex(done.out, r"(?m)^Ssend +2 +0 +0 ")
        self.assertIn("# 2 calls of MPI_Ssend left out\n", self.on_ranks(2, "run", "-n", "3", "a.trace").out)

    def test_texts_of_a_trace_cannot_change_the_terminal(self):
        lines = trace(2, [("Barrier\x1b[2J", {"comm": 0})], [])
        lines[0]["command"] = "./a \x1b]0;title\x07\n# forged"
        lines[1]["sites"] = ["a\x1b[31m+0x1"]
        lines[2]["not_recorded"] = {"File\x9b31m": 1}
        self.write(lines)
        done = tool("sonde-replay", "show", "a.trace", folder=self.folder)
        self.assertEqual((done.code, [c for c in done.out if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160], "\n# forged" in done.out), (0, [], False), done)


if __name__ == "__main__":
    unittest.main()
