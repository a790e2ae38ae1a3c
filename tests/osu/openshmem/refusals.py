# SPDX-License-Identifier: BSL-1.0
"""Programs of OpenSHMEM: one line for input that cannot be measured, and the size of the symmetric heap."""
import unittest

from driver import at_once, run

WORD = r"^Invalid arguments\. Usage: osu_oshm_put <heap\|global>$"

# A program, its arguments, its PEs, its environment, and its line.
REFUSED = [
    ("put", "", 2, {}, WORD),
    ("put", "heaps", 2, {}, WORD),
    ("put", "heap global", 2, {}, WORD),
    ("reduce", "heap", 2, {}, r"^Invalid word \[heap\]; accepted: options, see -h$"),
    ("get", "heap", 1, {}, r"^This test requires exactly two processes; it was started with 1$"),
    ("put_overlap", "heap", 3, {}, r"^This test requires exactly two processes; it was started with 3$"),
    ("put_mr", "heap", 1, {}, r"^This test requires at least two processes; it was started with 1$"),
    ("get_mr_nb", "heap", 3, {}, r"^This test requires an even number of processes; it was started with 3$"),
    ("atomics", "heap", 3, {}, r"^This test requires an even number of processes; it was started with 3$"),
    ("fcollect", "", 1, {}, r"^This test requires at least two processes; it was started with 1$"),
    ("put", "global -m 2097152", 2, {}, r"^The global arrays have 2097152 bytes, these sizes need 4194304 \[-m 2097152\]; accepted: heap, "),
    ("put", "heap", 2, {"SHMEM_SYMMETRIC_SIZE": "5.5M"},
     r"^The symmetric heap is too small \[SHMEM_SYMMETRIC_SIZE=5\.5M\]: osu_oshm_put needs 6291456 bytes for these sizes; accepted: "),
    ("put_mr", "heap", 4, {"SMA_SYMMETRIC_SIZE": "100M"}, r"^The symmetric heap is too small \[SMA_SYMMETRIC_SIZE=100M\]: .* 213909504 "),
    ("put", "heap", 2, {"SHMEM_SYMMETRIC_SIZE": "much"},
     r"^Invalid size of the symmetric heap \[SHMEM_SYMMETRIC_SIZE=much\]; accepted: a number of bytes, with K, M, G or T$"),
    ("put", "heap -m 20000000000000", 2, {}, r"^Not enough memory \[-m, -i, SHMEM_SYMMETRIC_SIZE\]: 2 ranks of a host need 80000008 MB, "),
    ("put", "heap -m 8", 2, {"SHMEM_SYMMETRIC_SIZE": "10T"}, r"^Not enough memory \[-m, -i, SHMEM_SYMMETRIC_SIZE\]: 2 ranks of a host need "),
    ("put", "heap -m 8", 2, {"SHMEM_SYMMETRIC_SIZE": "64M", "SHMEM_SYMMETRIC_HEAP_SIZE": "1G"},
     r"^Two sizes of the symmetric heap \[SHMEM_SYMMETRIC_SIZE, SHMEM_SYMMETRIC_HEAP_SIZE\]; accepted: one of them, or equal sizes$"),
    ("get_mr_nb", "heap -m 9000000000000000000", 2, {}, r"^More memory than has addresses \[-m 9000000000000000000\]; accepted: smaller sizes$"),
    ("fcollect", "-m 9000000000 -M 90000000000", 2, {}, r"^Too many elements \[-m 9000000000\]; accepted: sizes up to 8589934588$"),
    ("reduce", "-m 2:3", 2, {}, r"^No element has room \[-m\]; accepted: a MAX of at least 4$"),
    ("collect", "-m 16:64 -M 15", 2, {}, r"^Memory limit smaller than one message \[-M 15\]; accepted: at least 32$"),
    ("put", "heap -W 3", 2, {}, r"^Invalid option \[-W\]; accepted: -h .* --honest$"),
    ("atomics", "heap -m 8", 2, {}, r"^Invalid option \[-m\]; accepted: "),
    ("broadcast", "-I", 2, {}, r"^Invalid option \[-I\]; accepted: "),
    ("barrier", "--sync window", 2, {}, r"^Invalid start \[--sync window\]; accepted: none, barrier$"),
    ("put", "heap -c log:/no/such/place", 2, {}, r"^Cannot write to /no/such "),
]


class Refusals(unittest.TestCase):
    def test_impossible_requests_print_one_line_and_measure_nothing(self):
        def answer(what):
            name, given, ranks, environment, _ = what
            return run("osu_oshm_" + name, *given.split(), ranks=ranks, environment=environment)

        for (name, given, ranks, _, line), refusal in at_once(answer, REFUSED):
            with self.subTest(f"{name} {given} {ranks}"):
                self.assertEqual((refusal.codes, refusal.out, len(refusal.err.splitlines())), ([1] * ranks, "", 1), refusal)
                self.assertRegex(refusal.err, line)


class Heap(unittest.TestCase):
    def test_the_program_takes_a_heap_for_its_sizes(self):
        # More than the default of Open MPI, 256 MiB; and as much as the user gives, by any name.
        for given, environment in ((["-m", "150000000:150000000"], {}), (["-m", "4:4"], {"SHMEM_SYMMETRIC_SIZE": "4.5m"}),
                                   (["-m", "4:4"], {"SHMEM_SYMMETRIC_HEAP_SIZE": "8388608"}),
                                   (["-m", "4:4"], {"SHMEM_SYMMETRIC_SIZE": "8M", "SHMEM_SYMMETRIC_HEAP_SIZE": "8M"})):
            answer = run("osu_oshm_put", "heap", *given, "-i", "1", environment=environment)
            self.assertEqual((answer.codes, len(answer.rows)), ([0, 0], 1), answer)
