# SPDX-License-Identifier: BSL-1.0
"""Validation: wrong bits and lost messages are found in every program, at any position, and right contents pass."""
import os
import re
import tempfile
import unittest

from driver import at_once, read, run
from programs import BUILT, BY_NAME, SHMEM_SHIM, damaged, start

CHECKED = [p for p in BUILT if p.faults]


def there(rows):
    """The rows of programs that are built."""
    return [row for row in rows if row[0] in BY_NAME and BY_NAME[row[0]].exists]


# A program, how its data are damaged, further arguments; the ranks that list wrong elements, the number of lines in
# each list, and the first of them.
LISTS = [
    ("osu_bw", "last", "-i4 -x1 -m8:8 -W2 -T mpi_int", [1], 12, "Size: 8, Iteration:0, Datatype: MPI_INT"),
    ("osu_allgather", "last", "-i2 -x1 -m8:8 -T mpi_int", [2], 6, "Size: 8, Iteration:0, Datatype: MPI_INT"),
    ("osu_fop_latency", "sent", "-i2 -x0 -T mpi_int", [1], 6, "Size: 4, Iteration:0, Datatype: MPI_INT"),
    ("osu_oshm_put", "sent", "-i2 -m 8:8", [1], 6, "Size: 8, Iteration:0, Datatype: MPI_CHAR"),
    ("osu_upc_memput", "flipped", "-i2 -m 4:4", [2, 3], 6, "Size: 4, Iteration:0, Datatype: MPI_CHAR"),
    ("osu_upcxx_async_copy_put", "flipped", "-i2 -m 8:8", [2, 3], 6, "Size: 8, Iteration:0, Datatype: MPI_CHAR"),
    ("osu_latency_mt", "last", "-i6 -x2 -m4:4 -t2:2", [0, 1, 2, 3], None, "Size: 4, "), # by thread
]

# A program, its ranks, further arguments, and its number of rows, which pass.
DELIVERED = [
    ("osu_bibw", 2, "-W2 -m777:200000 -T all -b multiple", 9 * 3),
    ("osu_latency_persistent", 2, "-m777:200000 -T all -b multiple", 9 * 3),
    *(("osu_latency_mt", 2, f"-m3:6 -T all -t{crew}", 4) for crew in ("1:1", "1:3", "2:2", "3:2", "4:1")),
    ("osu_get_acc_latency", 2, "-m4:8", 2),
    ("osu_put_bibw", 2, "-m4:8 -W3", 2),
    ("osu_get_latency", 2, "-m4:8 -s pscw", 2),
    ("osu_fop_latency", 2, "-m1 -T mpi_int", 1),
    *((name, 2, "-m4:64 -T all -l", 15) for name in ("osu_gather", "osu_ireduce")),
    *((name, 3, "-m4:64 -T all -k rotate -l", 15) for name in ("osu_gather", "osu_iscatterv", "osu_reduce", "osu_ireduce")),
    *((name, 5, "-m4:64 -T all -k fixed:4", 15) for name in ("osu_iscatterv", "osu_reduce", "osu_igatherv")),
    *((name, ranks, "-m1:64 -T all -l", 17) for name, ranks in (
        ("osu_allgatherv", 5), ("osu_alltoallw", 2), ("osu_allreduce", 5), ("osu_ireduce_scatter_block", 2), ("osu_reduce_scatter", 5), ("osu_scan", 5),
        ("osu_iscan", 2), ("osu_exscan", 5), ("osu_iexscan", 3))),
    *((p.name, ranks, "-m4:8", 2) for p in BUILT if p.name.startswith("osu_oshm_") and p.full and p.faults for ranks in (2, 4)),
    *((p.name, ranks, "-m4:8", 2) for p in BUILT if p.name.startswith("osu_upc") and p.full and p.faults for ranks in (3,)),
    *((name, ranks, "-m65536:65536", 1) for name, ranks in (
        ("osu_oshm_reduce", 3), ("osu_oshm_get_mr_nb", 4), ("osu_upc_all_exchange", 4), ("osu_upcxx_alltoall", 2))),
]


class Contents(unittest.TestCase):
    def check_failure(self, program, answer, sizes):
        """Rows up to the first wrong one, the line at the end, exit status 1 on every rank."""
        self.assertEqual(answer.codes, [1] * program.ranks, answer)
        self.assertEqual([(row[0], row[-1]) for row in answer.rows], [*((size, program.good) for size in sizes[:-1]), (sizes[-1], program.wrong)])
        self.assertRegex(answer.lines[-1], rf"^DATA VALIDATION ERROR: \S*{program.name} exited with status 1 on message size {sizes[-1]}\.$")

    def test_a_flipped_bit_and_a_lost_message_fail_every_program_on_all_ranks(self):
        # 4 measured iterations and a warm-up, 4 rounds of 6 for validation: those before the last left the right contents.
        def run(case):
            program, (how, since) = case
            sizes, buffers = ["-m", "4:4"] * program.takes("m"), ["-b", "multiple"] * (how == "lost" and program.takes("b"))
            more = ["-t1"] * (program.name == "osu_latency_mp")
            return damaged(program, how, since, "-c", "-i4", "-x1", *sizes, *buffers, *more, *program.window)

        cases = [(program, fault) for program in CHECKED for fault in program.faults if program.name != "osu_latency_mt"]
        for (program, (how, _)), answer in at_once(run, cases):
            with self.subTest(f"{program.name} {how}"):
                if program.sizes == "sizes":
                    self.check_failure(program, answer, ["4"])
                else:
                    self.assertEqual(answer.codes, [1] * program.ranks, answer)
                    self.assertIn(program.wrong, [line.split()[-1] for line in answer.lines if line])
                    self.assertRegex(answer.lines[-1], rf"^DATA VALIDATION ERROR: \S*{program.name} exited with status 1 on message size ")

    def test_a_fault_after_the_last_message_has_no_effect(self):
        for name, last in (("osu_latency", 29), ("osu_bw", 87), ("osu_alltoallv", 29), ("osu_iallgather", 34)):
            program = BY_NAME[name]
            answer = damaged(program, "lost", last + 1, "-c", "-i4", "-x1", "-m4:4", *program.window)
            self.assertEqual(answer.codes, [0] * program.ranks, name)

    def test_every_byte_of_every_type_is_checked(self):
        for kind in ("mpi_int", "mpi_float"):
            for how in ("first", "middle", "last"):
                with self.subTest(f"{kind} {how}"):
                    self.check_failure(BY_NAME["osu_latency"], damaged(BY_NAME["osu_latency"], how, 1, "-c", "-i4", "-x1", "-m48:48", "-T", kind), ["48"])

    def test_threads_find_a_flipped_bit(self):
        for crew, how in (("1:2", "first"), ("2:3", "last"), ("3:2", "middle"), ("2:2", "lost")):
            with self.subTest(f"{crew} {how}"):
                program = BY_NAME["osu_latency_mt"]
                self.check_failure(program, damaged(program, how, 1, "-i6", "-x2", "-m4:16", "-t", crew, "-c", "-u1"), ["4"])

    def test_rows_before_the_fault_pass_and_later_types_continue(self):
        program = BY_NAME["osu_latency"]
        # 5 measured and 4 x 6 for validation, each way, a size: the fault begins with the third size.
        self.check_failure(program, damaged(program, "last", 59, "-c", "-i4", "-x1", "-m4:16"), ["4", "8", "16"])
        rows = damaged(program, "last", 1, "-c", "-i4", "-x1", "-m4:16", "-T", "all").rows
        self.assertEqual([(row[0], row[2]) for row in rows], [("4", "Fail")] * 3)

    def test_without_validation_errors_are_not_reported(self):
        for name, how, *_ in there([("osu_latency", "last"), ("osu_latency_mt", "last"), ("osu_put_latency", "lost"), ("osu_oshm_put", "lost")]):
            answer = damaged(BY_NAME[name], how, 1, "-i2", "-m4:8")
            self.assertEqual((answer.codes, [len(row) for row in answer.rows]), ([0, 0], [2, 2]), name)

    def test_data_are_delivered_in_all_sizes_and_types_on_several_numbers_of_ranks(self):
        def run(case):
            name, ranks, given, _ = case
            more = [] if name in ("osu_fop_latency", "osu_get_acc_latency", "osu_put_bibw", "osu_get_latency") else ["-u1"]
            return start(BY_NAME[name], "-c", "-i4", "-x1", *more, *given.split(), ranks=ranks)

        for (name, ranks, given, rows), answer in at_once(run, there(DELIVERED)):
            with self.subTest(f"{name} {ranks} {given}"):
                self.assertEqual((answer.codes, [row[-1] for row in answer.rows]), ([0] * ranks, [BY_NAME[name].good] * rows), answer)

    @unittest.skipUnless(SHMEM_SHIM, "built without OpenSHMEM")
    def test_data_of_openshmem_may_be_in_global_arrays(self):
        for name in ("get", "put_mr", "put_overlap"):
            answer = start(BY_NAME["osu_oshm_" + name], "-m", "4:8", "-i", "5", "-x", "1", "-c", word=["global"])
            self.assertEqual([(row[0], row[-1]) for row in answer.rows], [("4", "passed"), ("8", "passed")], answer)


class Lists(unittest.TestCase):
    def test_wrong_elements_are_listed_by_the_ranks_that_have_them(self):
        for name, how, given, ranks, lines, first in there(LISTS):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                damaged(BY_NAME[name], how, 1, *given.split(), "-clog:wrong", folder=folder)
                self.assertEqual(sorted(os.listdir(f"{folder}/wrong")), [f"log-{rank}.log" for rank in ranks])
                found = read(f"{folder}/wrong/log-{ranks[-1]}.log").splitlines()
                self.assertEqual((found[0][:len(first)], len(found)), (first, lines or len(found)), found)

    def test_a_list_has_the_position_and_both_values(self):
        for name, given, at, value in (("osu_bw", "-W2", 1, 220), ("osu_allgather", "", 5, 7 * 2 + 31 * 2)): # element 5 of a region is the second of rank 2
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                damaged(BY_NAME[name], "last", 1, "-i2", "-x1", "-m8:8", "-T", "mpi_int", "-clog:wrong", *given.split(), folder=folder)
                lines = read(f"{folder}/wrong/{os.listdir(folder + '/wrong')[0]}").splitlines()
                self.assertEqual(lines[1:3], [f"{'Position':<10}{'Expected':>18}{'Actual':>18}", f"{at:<10}{value:>18}{value ^ 0x20000000:>18}"])

    def test_no_list_is_written_without_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(start(BY_NAME["osu_bw"], "-i4", "-x1", "-W2", "-m8", "-clog", folder=folder).codes, [0, 0])
            self.assertEqual(os.listdir(folder), [])

    def test_the_summary_of_atomics_has_each_ranks_result(self):
        lines = damaged(BY_NAME["osu_acc_latency"], "sent", 1, "-i4", "-x1", "-m4:8", "-c").lines
        at = lines.index("Atomic Data Validation results for Rank=1:")
        self.assertEqual(lines[at - 2:at], ["-" * 43] * 2)
        self.assertEqual(lines[at + 1:at + 4], ["FAILED: MPI_SUM on MPI_CHAR had 8 of 8 tests fail data validation.",
                                                "\t\tFirst failure at trial 0, last failure at trial 7.",
                                                "FAILED: 1 of the 1 combinations of ops and datatypes tested failed."])


# A program, its ranks, further arguments, and the line at the end of 20 rounds.
RIGHT = [
    ("osu_latency", 2, "-m4:8", "No wrong bit in 80 messages"),
    ("osu_bw", 2, "-m4:8 -W3 -b multiple", "No wrong bit in 120 messages"),
    ("osu_bibw_persistent", 2, "-m4:4 -W3", "No wrong bit in 40 messages"),
    ("osu_multi_lat", 4, "-m4:4", "No wrong bit in 80 messages"),
    ("osu_alltoallv", 3, "-m4:4 -l -T mpi_int", "No wrong bit in 180 blocks"),
    ("osu_iscatter", 3, "-m4:4 -k rotate", "No wrong bit in 60 blocks"),
    ("osu_reduce", 3, "-m4:4 -T mpi_int", "No wrong bit in 20 sums"), # of the root
    ("osu_reduce_scatter", 3, "-m4:4 -T mpi_int", "No wrong bit in 20 sums"), # of the rank that gets the only element
    ("osu_reduce_scatter", 3, "-m12:12 -T mpi_int", "No wrong bit in 60 sums"),
]


class Bits(unittest.TestCase):
    def test_right_bits_are_counted_and_change_no_other_line(self):
        def run(case):
            name, ranks, given, _ = case
            return [start(BY_NAME[name], "-i4", "-x1", *given.split(), *more, ranks=ranks) for more in ([], ["--check-bits", "20"])]

        for (name, _, given, line), (without, checked) in at_once(run, there(RIGHT)):
            with self.subTest(f"{name} {given}"):
                self.assertEqual((set(checked.codes), checked.lines[-1]), ({0}, "# " + line), checked)
                self.assertEqual([len(line) for line in checked.lines[:-1]], [len(line) for line in without.lines], checked)

    def test_a_wrong_bit_of_some_messages_is_located_in_the_last_byte_of_any_size(self):
        program = BY_NAME["osu_latency"]
        for size in (8, 13):
            answer = damaged(program, "last", 1, "-i4", "-x1", f"-m{size}:{size}", "--check-bits", "200", 
                             settings={"SONDE_FAULT_ONE_IN": "20", "SONDE_FAULT_SENDER": "1"})
            self.assertEqual(answer.codes, [1, 1], answer)
            found = [re.fullmatch(r"# rank 1 to rank 0, round \d+, byte (\d+): wrong bits 0x(\w+)", line) for line in answer.lines]
            last = size - 1
            self.assertEqual({(int(f[1]), int(f[2], 16)) for f in found if f}, {(last // 8 * 8, 0x20 << 8 * (last % 8))}, answer)
            self.assertRegex(answer.lines[-2], r"^# Wrong bits in \d+ of 400 messages, on 1 of 2 pairs of sender and receiver: "
                                               r"too few to name a link, rank or host$")

    def test_the_ranks_of_wrong_blocks_are_listed_after_all_sizes_and_no_part_is_named(self):
        answer = damaged(BY_NAME["osu_alltoall"], "last", 40, "-i20", "-x1", "-m8:16", "--check-bits", "50", receiver=1, ranks=4)
        self.assertEqual((answer.codes, [row[0] for row in answer.rows]), ([1] * 4, ["8", "16"]), answer)
        self.assertRegex(answer.lines[-2], r"^# Wrong bits in \d+ of 1600 blocks, from rank 3 to rank 1; "
                                           r"the library may have passed them through other ranks$")
        self.assertIn("# rank 3 to rank 1, round 18, byte 0: wrong bits 0x2000000000000000", answer.lines)

    def test_wrong_sums_are_located_by_their_receiver(self):
        answer = damaged(BY_NAME["osu_allreduce"], "last", 1, "-i4", "-x1", "-m8:8", "-T", "mpi_int", "--check-bits", "5", receiver=1, ranks=3)
        self.assertEqual((answer.codes, answer.lines[-2]), ([1] * 3, "# Wrong bits in 5 of 15 sums"), answer)
        self.assertIn("# the sum at rank 1, round 0, byte 4: wrong bits 0x0000000020000000", answer.lines)


class RepeatedSums(unittest.TestCase):
    def sums(self, name, ranks, order=None):
        shim = {"LD_PRELOAD": os.environ["OSU_ORDER_SHIM"], "SONDE_ORDER": order} if order else {}
        answer = run(name, "-i4", "-x1", "-m64:128", "-T", "mpi_float", "--check-bits", "10", ranks=ranks, environment=shim)
        self.assertEqual(set(answer.codes), {0}, answer)
        return answer.lines

    def test_sums_of_a_fixed_order_have_the_same_bits(self):
        for name in ("osu_allreduce", "osu_reduce_scatter"):
            self.assertRegex(self.sums(name, 2)[-1], r"^# No wrong bit in 40 sums; sums of rounded numbers have the same bits again in 2 rows$")

    def test_sums_of_another_order_in_each_call_or_on_each_rank_are_told_by_row(self):
        lines = self.sums("osu_allreduce", 4, "call")
        self.assertEqual(lines[-1], "# No wrong bit in 80 sums; sums of rounded numbers differ in 2 of 2 rows")
        for rank in range(4):
            self.assertEqual(len([line for line in lines if re.fullmatch(
                rf"# sums of rounded numbers: rank {rank} has other bits in [1-9] of 10 runs than in the first, from byte \d+ on", line)]), 2, lines)
        lines = self.sums("osu_allreduce", 3, "rank")
        told = [line for line in lines if "other bits" in line]
        self.assertEqual(told, [f"# sums of rounded numbers: rank {rank} has other bits than rank 0" for rank in (1, 2)] * 2)


class Collectives(unittest.TestCase):
    def test_data_are_validated_at_the_rotating_root(self):
        # Only on rank 1 a byte is wrong: in the one of three validated calls of which it is the root.
        program = BY_NAME["osu_reduce"]
        for iterations, code, word in (("-i3", 1, "Fail"), ("-i1", 0, "Pass")):
            answer = damaged(program, "last", 1, "-c", "-u0", "-m4:4", iterations, "-x0", "-k", "rotate", receiver=1)
            self.assertEqual((answer.codes, answer.rows[0][-1]), ([code] * 3, word))

    def test_the_destination_of_an_edge_receives_and_its_source_does_not(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/edges", "w") as file:
                file.write("0,1\n")
            for rank, code in ((0, 0), (1, 1)):
                answer = damaged(BY_NAME["osu_neighbor_alltoall"], "last", 1, "-i2", "-x1", "-c", "-m4:4", "-N", "graph:edges", receiver=rank, ranks=2,
                                 folder=folder)
                self.assertEqual(answer.codes, [code] * 2, answer)
