# SPDX-License-Identifier: BSL-1.0
"""Input that cannot be measured, of programs of all libraries: one line from rank 0 with the option and the accepted values, exit status 1 on all
ranks, no row. Values that the command line alone refuses are in words.cpp."""
import os
import subprocess
import tempfile
import unittest

from driver import LAUNCHER, PROGRAMS, at_once, read, run
from placement import FAKE, GPU, OPENACC
from programs import BUILT, BY_NAME, start

TWO = r"This test requires exactly two processes; it was started with {}"
SOME = r"This test requires at least two processes; it was started with 1"
EVEN = r"This test requires an even number of processes; it was started with 3"
MEMORY = r"Not enough memory \[-m, -W, -t, -i\]: "
SMALL_HOST = {"LD_PRELOAD": os.environ["OSU_SMALL_HOST"], "HOST_MEMORY_PAGES": str((13 << 20) // os.sysconf("SC_PAGESIZE"))}
GATHER = f"-m {2 << 20}:{2 << 20} -M {8 << 20} -i 1 -x 0"

# Files of blocks and of edges.
FILES = {"three": "1, 2\nthree\n", "none": "# only\n", "overlapping": "0,4\n2,4\n", "absent": "0,1\n1,3\n", "bad": "0,1\n1;0\n"}

# A program and its arguments; its line; its ranks, and its environment.
REFUSED = [
    # Numbers of ranks.
    *((name, SOME, 1) for name in ("multi_lat", "mbw_mr", "ibarrier", "bw_fan_out", "oshm_put_mr heap", "oshm_fcollect", "upc_memput", "upc_all_barrier",
                                   "upcxx_async_copy_put", "upcxx_bcast", "xccl_allreduce")),
    *((name, TWO.format(1), 1) for name in ("latency", "put_latency", "latency_mt", "latency_mp", "oshm_get heap", "xccl_bw")),
     ("bibw", TWO.format(3), 3), ("bw_persistent", TWO.format(4), 4), ("put_latency", TWO.format(3), 3),
    ("latency_mt", TWO.format(3), 3), ("latency_mp", TWO.format(3), 3), ("multi_lat", EVEN, 3), ("oshm_put_overlap heap", TWO.format(3), 3),
    ("oshm_get_mr_nb heap", EVEN, 3), ("oshm_atomics heap", EVEN, 3), ("upc_memget", EVEN, 3), ("upcxx_async_copy_get", EVEN, 3),
    # Options of each kind of program. That words.cpp refuses a value is told once.
    *((f"bw {given}", rf".* \[{given}\]; accepted: .*", 3) for given in ("--quick", "-i 0", "-z 50,101")),
    ("latency -m0", r"No size holds an element \[-m 0:0\]; accepted: a size of at least 1"),
    ("bw -m 2:3 -T mpi_int", r"No size holds an element \[-m 2:3\]; accepted: a size of at least 4"),
    ("latency -D indx:/nowhere", r"Cannot read the file .* \[-D indx:/nowhere\]; accepted: .*"),
    ("bw -D indx:three", r"Line 2 is no block \[-D indx:three\]; accepted: .*"),
    ("bw -D indx:none", r"There is no block \[-D indx:none\]; accepted: .*"),
    ("bw -D indx:overlapping", r"Blocks overlap \[-D indx:overlapping\]; accepted: .*"),
    ("latency_mt --sync window", r"Invalid start \[--sync window\]; accepted: none, barrier"),
    ("latency_mt --cache warm", r"Invalid option \[--cache\]; accepted: .*"),
    ("latency -D cont --check-bits", r"Bits between the blocks of a datatype are not sent \[--check-bits -D\]; accepted: one of the two"),
    ("latency -clog --check-bits 5", r"Wrong bits are on stdout \[--check-bits -clog\]; accepted: .*"),
    ("latency --cache rotating --check-bits", r"Contents of buffers that rotate are not checked \[--cache rotating --check-bits\]; accepted: .*"),
    *((f"{name} --check-bits", r"Invalid option \[--check-bits\]; accepted: .*") for name in ("latency_mt", "bw_fan_out", "put_latency", "barrier")),
    ("latency_persistent --cache rotating", r".* \[--cache [^\n]*\]; accepted: warm, flushed"),
    ("latency_mt -t 128", r"Invalid Number of Threads \[-t 128\]; accepted: .*127.*"),
    ("latency_mp -t 0:2", r"Invalid Number of Processes \[-t 0:2\]; accepted: .*127.*"),
    ("bw_fan_out -c", r"Invalid option \[-c\]; accepted: .*"),
    *((f"latency_mt -{letter} 1", rf"Invalid option .*-{letter}.*") for letter in "WbRVpP"),
    *((f"bw_fan_out -{letter}", r"Invalid option .*") for letter in ("c", "u1", "t1", "p1", "V", "R1")),
    ("gather -k fixed:3", r"Root rank cannot be more than number of processes \[-k fixed:3\]; accepted: rotate, and fixed:0 to fixed:2", 3),
    ("reduce -m 2097152:4194304 -M 1048576", r"Memory limit smaller than one message \[-M 1048576\].*accepted: .*", 3),
    ("allgather -m 1:1000000000000000 -M 9000000000000000000", r"(Too many elements \[-m\]: .*562949953421312 elements.*; accepted|Not enough memory).*", 3),
    ("ialltoallv -m 1:1000000000000000 -M 9000000000000000000", r"(Too many elements \[-m\]: .*; accepted: .*|Not enough memory .*)", 3),
    ("neighbor_allgather -N cart:1:2", r"Radius too large \[-N cart:1:2\].*accepted: a radius of at most 1", 3),
    ("neighbor_alltoallw -N cart:2:1", r"Radius too large \[-N cart:2:1\].*accepted: more ranks or fewer dimensions", 3),
    ("neighbor_allgather -N graph:/nowhere", r"Cannot read the file .* \[-N graph:/nowhere\]; accepted: .*", 3),
    ("neighbor_allgatherv -N graph:absent", r"Number of processes is less than graph nodes: there is no rank 3 of 3 \[-N graph:absent\].*", 3),
    ("ineighbor_allgather -N graph:bad", r"Line 2 is no edge \[-N graph:bad\]; accepted: .*", 3),
    ("neighbor_alltoallv -N graph:none", r"There is no edge \[-N graph:none\]; accepted: .*", 3),
    ("put_bibw -s lock_all", r"Invalid option or invalid argument \[-s lock_all\]; accepted: pscw, fence"),
    ("cas_latency -T mpi_float", r"Invalid datatype \[-T mpi_float\]; accepted: mpi_char, mpi_int or all"),
    ("put_latency -T mpi_int", r"Invalid option \[-T\]; accepted: -h .* --report --until --budget --sync --honest --witness --expect-device"),
    ("get_latency -m 4:3000000000000000", r"(Too many elements \[-m 3000000000000000\]; accepted: sizes up to 2147483647|Not enough memory .*)"), # MPI 3, MPI 4
    ("hello -I", r"Invalid option \[-I\]; accepted: -h -v --report"),
    *((f"oshm_put{given}", r"Invalid arguments\. Usage: osu_oshm_put <heap\|global>") for given in ("", " heaps", " heap global")),
    ("oshm_reduce heap", r"Invalid word \[heap\]; accepted: options, see -h"),
    ("upc_memput heap", r"Invalid word \[heap\]; accepted: options, see -h"),
    ("upcxx_async_copy_put heap", r"Invalid word \[heap\]; accepted: options, see -h"),
    ("oshm_put heap -W 3", r"Invalid option \[-W\]; accepted: -h .* --honest --witness --expect-device"),
    ("oshm_barrier --sync window", r"Invalid start \[--sync window\]; accepted: none, barrier"),
    ("oshm_fcollect -m 9000000000 -M 90000000000", r"Too many elements \[-m 9000000000\]; accepted: sizes up to 8589934588"),
    ("oshm_reduce -m 2:3", r"No element has room \[-m\]; accepted: a MAX of at least 4"),
    ("oshm_collect -m 16:64 -M 15", r"Memory limit smaller than one message \[-M 15\]; accepted: at least 32"),
    ("upc_memget -z", r"Invalid option \[-z\]; accepted: -h .* --honest --witness --expect-device"),
    ("upc_all_reduce --sync window", r"Invalid start \[--sync window\]; accepted: none, barrier"),
    ("upc_all_gather -m 8:8 -M 15", r"Memory limit smaller than one message \[-M 15\]; accepted: at least 16"),
    ("upcxx_async_copy_put -z", r"Invalid option \[-z\]; accepted: -h .* --honest --witness --expect-device"),
    ("upcxx_reduce --sync window", r"Invalid start \[--sync window\]; accepted: none, barrier"),
    ("upcxx_gather -m 8:8 -M 15", r"Memory limit smaller than one message \[-M 15\]; accepted: at least 16"),
    ("xccl_latency H D", r"NCCL takes no pageable memory of the host \[H\]; accepted beside options: two of D, MH, MD"),
    ("xccl_bw D D --staged", r"Invalid option \[--staged\]; accepted: .*"),
    ("xccl_bw -D cont", r"Invalid option \[-D\]; accepted: .*"),
    ("xccl_reduce -m 1:3", r"No element has room \[-m\]; accepted: a MAX of at least 4"),
    # Objects of Boost.MPI.
    ("latency --payload text", rf"Invalid payload \[--payload text\]; accepted: bytes{', object, content, datatype' * ('OSU_BOOST_MPI' in os.environ)}"),
    ("bw --payload object", r"Invalid option \[--payload\]; accepted: .*"),
    *((f"latency --payload content {more}", r"Objects are one at a time, of characters, in ordinary memory \[--payload content\]; accepted: .*")
      for more in ("-D cont", "-T all", "-b multiple", "--cache rotating", "D H") if "OSU_BOOST_MPI" in os.environ),
    *((f"latency --payload {kind}", rf"This build has no Boost.MPI for its MPI library \[--payload {kind}\]; accepted: .*")
      for kind in ("object", "content", "datatype") if "OSU_BOOST_MPI" not in os.environ),
    *((f"latency --beside {load}", rf"Invalid load \[--beside {load}\]; accepted: alltoall or incast, .*")
      for load in ("ring", "incast:0", "incast:2147483648", "alltoall:", "alltoall:1:1")),
    *((f"bw --beside incast {more}", r"The devices carry the load, too \[--beside --\S+\]; accepted: one of the two")
      for more in ("--witness", "--expect-device lo")),
    ("multi_lat --beside incast", r"Invalid option \[--beside\]; accepted: .*"),
    # Threads and nodes.
    ("latency_mt", r".*MPI_THREAD_MULTIPLE.*", 2, {"LD_PRELOAD": os.environ["OSU_FEW_THREADS"]}),
    *((name, "Please run this benchmark on more than 1 node", 3, {"FAKE_NODES": "0,0,0"}) for name in ("bw_fan_in", "bw_fan_out")),
    *(("bw_fan_in", "Please run this benchmark with same ppn for all nodes", len(nodes.split(",")), {"FAKE_NODES": nodes})
      for nodes in ("0,1,1", "0,0,1", "0,1,0,2")),
    *(("bw_fan_in D D", r"This MPI library takes no addresses of a device \[D D\]; accepted: H H, .*", 4) for _ in range(GPU == "cuda")),
    ("bw_fan_in -m 8:4", r"Invalid Message Size.*\[-m 8:4\].*"), # before the nodes
    # Memory.
    ("latency -m 1:1000000000000000", MEMORY + ".* accepted: what fits"),
    ("bw -W 1000000 -b multiple", MEMORY + ".*"),
    ("put_bw -W 1000000", MEMORY + ".*"),
    (f"latency_mt -m {1 << 35} -t 127:127", "Not enough memory .*"),
    *((f"latency --beside {load}:{4 << 20}", rf"Not enough memory \[--beside\]: 4 ranks of a host need {need} MB, it has 14; .*", 4, SMALL_HOST)
      for load, need in (("alltoall", 25), ("incast", 17))),
    (f"gather {GATHER} -k rotate", MEMORY + "3 ranks of a host need 25 MB, it has 14; accepted: what fits", 3, SMALL_HOST),
    ("oshm_put global -m 2097152", r"The global arrays have 2097152 bytes, these sizes need 4194304 \[-m 2097152\]; accepted: heap, .*"),
    ("oshm_put heap", r"The symmetric heap is too small \[SHMEM_SYMMETRIC_SIZE=5\.5M\]: osu_oshm_put needs 6291456 bytes for these sizes; accepted: .*", 2,
     {"SHMEM_SYMMETRIC_SIZE": "5.5M"}),
    ("oshm_put_mr heap", r"The symmetric heap is too small \[SMA_SYMMETRIC_SIZE=100M\]: .* 213909504 .*", 4, {"SMA_SYMMETRIC_SIZE": "100M"}),
    ("oshm_put heap", r"Invalid size of the symmetric heap \[SHMEM_SYMMETRIC_SIZE=much\]; accepted: a number of bytes, with K, M, G or T", 2,
     {"SHMEM_SYMMETRIC_SIZE": "much"}),
    ("oshm_put heap -m 20000000000000", r"Not enough memory \[-m, -i, SHMEM_SYMMETRIC_SIZE\]: 2 ranks of a host need 80000008 MB, .*"),
    ("oshm_put heap -m 8", r"Not enough memory \[-m, -i, SHMEM_SYMMETRIC_SIZE\]: 2 ranks of a host need .*", 2, {"SHMEM_SYMMETRIC_SIZE": "10T"}),
    ("oshm_put heap -m 8", r"Two sizes of the symmetric heap \[SHMEM_SYMMETRIC_SIZE, SHMEM_SYMMETRIC_HEAP_SIZE\]; accepted: one of them, or equal sizes", 2,
     {"SHMEM_SYMMETRIC_SIZE": "64M", "SHMEM_SYMMETRIC_HEAP_SIZE": "1G"}),
    ("oshm_get_mr_nb heap -m 9000000000000000000", r"More memory than has addresses \[-m 9000000000000000000\]; accepted: smaller sizes"),
    ("upc_all_exchange -m 2097152", r"The shared heap is too small \[UPC_SHARED_HEAP_SIZE=16\]: osu_upc_all_exchange needs \d+ bytes .*", 4),
    ("upc_memput", r"The shared heap is too small \[UPC_SHARED_HEAP_SIZE=0.01GB\]: osu_upc_memput needs .*", 2, {"UPC_SHARED_HEAP_SIZE": "0.01GB"}),
    ("upc_memput", r"Invalid size of the shared heap \[UPC_SHARED_HEAP_SIZE=16 pages\]; accepted: .*", 2, {"UPC_SHARED_HEAP_SIZE": "16 pages"}),
    ("upc_all_scatter -m 8", r"Error allocating host memory \[-m, UPC_SHARED_HEAP_SIZE\]; accepted: .*", 2, {"SONDE_FAULT": "full"}),
    ("upc_memput", r"Thread 0 of 1 of UPC is rank 0 of 2 of MPI; accepted: UPC for a network .*", 2, {"SONDE_FAULT": "apart"}),
    ("upc_memget -m 20000000000000", r"Not enough memory \[-i, -m\]: 2 ranks of a host need .*"),
    ("upcxx_alltoall", r"Error allocating host memory \[-m, UPCXX_SHARED_HEAP_SIZE\]; accepted: .*", 2, {"UPCXX_SHARED_HEAP_SIZE": "1MB"}),
    ("upcxx_async_copy_get -m 20000000000000", r"Not enough memory \[-i, -m, UPCXX_SHARED_HEAP_SIZE\]: 2 ranks of a host need .*"),
    # Files.
    *((f"latency --report {form}=/nowhere/file", rf"Cannot report \[--report {form}=/nowhere/file\]: .*; accepted: a file that can be written")
      for form in ("table", "csv", "json")),
    ("latency --report plot=a.txt", r"Cannot report \[--report plot=a\.txt\]: a picture's file ends in \.svg, \.png or \.pdf: not 'a\.txt'"),
    ("latency --report csv=/tmp/one --report json=/tmp/one", r"Two reports into one file \[--report json=/tmp/one\]; accepted: a FILE of its own for each"),
    ("latency -clog:/nowhere/log", r"Cannot write to /nowhere \[-c log:/nowhere/log\]; accepted: .*"),
    ("latency -clog", r"Directory already exists\. \[-c log:validation_output\]; accepted: .*"),
    ("oshm_put heap -c log:/no/such/place", r"Cannot write to /no/such .*"),
    # Devices: of a build with none, of NCCL's ranks, and where there is never any.
    *((given, rf"CUDA Support Not Enabled \[{given.split(' ', 1)[1]}\]; accepted: H H, .*") for given in
      ("latency H MD", "latency -d cuda", "mbw_mr MD MH", "put_bw -d cuda", "allreduce -d cuda", "iallreduce -r both",
       *(() if OPENACC else ("latency D D", "latency D H --staged", "put_bw D H", "alltoall D D"))) if not FAKE),
    *(("latency -d managed", r"CUDA Managed Memory Support Not Enabled \[-d managed\]; .*") for _ in range(not FAKE)),
    *((f"bw -d {word} {places}", rf"{name} Support Not Enabled \[{places or '-d ' + word}\]; accepted: H H, and all of it in a build that finds {found}")
      for word, name, built, found in (("cuda", "CUDA", GPU == "cuda", "the CUDA toolkit"), ("rocm", "ROCm", GPU == "rocm", "HIP"),
                                       ("openacc", "OpenACC", OPENACC, "OpenACC")) for places in ("", "D D") if not built),
    ("xccl_reduce", r"NCCL cannot connect the ranks: rank 0: ncclCommInitRank: NCCL needs a device for each rank: .*; accepted: ranks with a device each", 3,
     {"FAKE_CUDA_DEVICES": "1"}),
    ("xccl_reduce", r"No device \[-d cuda\]: .*there is no CUDA device.*; accepted: ranks with a device each", 3, {"FAKE_CUDA_DEVICES": "0"}),
    ("xccl_bcast", r"No device \[-d cuda\]: .*is newer than the driver.*", 3, {"FAKE_CUDA_DRIVER": "old"}),
    *(("xccl_bw", r"Error allocating device memory \[-m, -W\]: .*; accepted: sizes that fit", 2, {"FAKE_CUDA_FAIL": f"cudaMalloc:{nth}@1"})
      for nth in (1, 3)), # a send buffer, and the answer to a window: the other rank does not wait
    ("neighbor_alltoall D D", r"Benchmark Does Not Support Accelerator Transfers \[D\]; accepted beside options: H H", 3),
    ("allreduce D D --staged", r"Invalid option \[--staged\]; accepted: .*", 3),
]
STARTUP = ("osu_hello", "osu_init") # have no row, because nothing is measured


class Refusals(unittest.TestCase):
    def test_one_line_of_rank_0_and_status_1_of_all(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/validation_output")
            for name, text in FILES.items():
                with open(f"{folder}/{name}", "w") as file:
                    file.write(text)

            def refused(case):
                words, _, ranks, environment = (*case, *(2, {})[len(case) - 2:])
                name, *given = words.split()
                how = {"ranks": ranks, "environment": environment, "folder": folder}
                if "osu_" + name in STARTUP:
                    return run("osu_" + name, *given, **how)
                return start(BY_NAME["osu_" + name], *given, word=(), **how)

            cases = [case for case in REFUSED if "osu_" + case[0].split()[0] in (*STARTUP, *(p.name for p in BUILT))]
            for case, answer in at_once(refused, cases):
                with self.subTest(case[0], environment=case[3:]):
                    self.assertEqual((answer.codes, answer.out), ([1] * (*case, 2)[2], ""), answer)
                    self.assertRegex(answer.err, rf"\A{case[1]}\n\Z")

    def test_a_host_that_has_the_memory_runs(self):
        """A root has a block for each rank, every rank has one to send: 12 MiB of a gather of 2 MiB on 3 ranks."""
        answer = run("osu_gather", *GATHER.split(), ranks=3, environment=SMALL_HOST)
        self.assertEqual((answer.codes, answer.err, len(answer.rows)), ([0] * 3, "", 1))

    def test_objects_may_be_in_ordinary_memory(self):
        for given in ("--payload bytes", *(["--payload object -T mpi_char H H"] if "OSU_BOOST_MPI" in os.environ else [])):
            self.assertEqual(run("osu_latency", "-i7", "-x2", "-m4:8", *given.split()).codes, [0, 0])


class Launches(unittest.TestCase):
    SRUN = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "3", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "3", "SLURM_PROCID": "{rank}"}

    def test_a_launcher_of_another_library_is_named(self):
        with open(LAUNCHER) as file:
            other, variables = (r"mpirun \(Open MPI\)", "OMPI_COMM_WORLD") if "mpich" in file.read() else (r"mpiexec \(Hydra\)", "PMI")
        for rank, line in (("0", rf"^{other} started 4 processes of a program that is built with \S.*: "
                                 r"each is alone, with (no PMI|PMIx?, which does not connect this library); start it by the launcher of its own library$"),
                           ("1", "^$")):
            answer = run("osu_latency", ranks=1, environment={f"{variables}_SIZE": "4", f"{variables}_RANK": rank, "MPI_LOCALNRANKS": "4"})
            self.assertEqual(answer.codes, [1])
            self.assertEqual(answer.out, "")
            self.assertRegex(answer.err.strip(), line)

    def singletons(self, program, variables, words=("-i", "2", "-x", "0", "-m", "8:8")):
        """Three processes that are each alone in their world, as a launcher without a PMI starts them: statuses, and all that they print."""
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("OMPI_COMM_WORLD", "PMI", "SLURM_", "FLUX_", "PALS_", "JSM_"))}
        done = [subprocess.run([f"{PROGRAMS}/{program}", *words], capture_output=True, text=True, timeout=400,
                               env={**clean, **{name: value.format(rank=rank) for name, value in variables.items()}})
                for rank in range(3)]
        return [d.returncode for d in done], "".join(d.stdout for d in done), "".join(d.stderr for d in done)

    def test_processes_that_a_launcher_does_not_connect_say_so_once(self):
        for variables, line in ((self.SRUN, r"srun started 3 .*: each is alone, with no PMI; try srun --mpi=pmix or --mpi=pmi2 \(srun --mpi=list .*"),
                                ({"FLUX_JOB_SIZE": "3", "FLUX_TASK_RANK": "{rank}"}, r"flux run started 3 .*: each is alone, with no PMI; .*"),
                                ({"PALS_RANKID": "{rank}", "PMI_SIZE": "3", "PMI_RANK": "{rank}"}, r"mpiexec \(PALS\) started 3 .*"),
                                ({"JSM_NAMESPACE_SIZE": "3", "JSM_NAMESPACE_RANK": "{rank}"}, r"jsrun started 3 .*")):
            for program in ("osu_latency", "osu_init"):
                with self.subTest(f"{program} {line}"):
                    codes, out, err = self.singletons(program, variables, words=[])
                    self.assertEqual((codes, out), ([1, 1, 1], ""), err)
                    said = [text for text in err.splitlines() if "started" in text]
                    self.assertEqual(len(said), 1, err)
                    self.assertRegex(said[0], f"^{line}$")

    def test_processes_that_a_launcher_does_not_connect_have_help_and_refused_options_once(self):
        pals = {"PALS_RANKID": "{rank}"} # which tells no number of processes
        for variables in (self.SRUN, pals):
            codes, out, err = self.singletons("osu_latency", variables, ["--version"])
            self.assertEqual((codes, out.count("\n"), err), ([0, 0, 0], 1, ""), out)
            codes, out, err = self.singletons("osu_latency", variables, ["--quick"])
            self.assertEqual((codes, out, err.count("Invalid option [--quick]")), ([1, 1, 1], "", 1), err)

    def test_help_needs_no_mpi(self):
        without = {"OMPI_MCA_pml": "none", "MPIR_CVAR_DEBUG_SUMMARY": "none"}
        self.assertNotEqual(self.singletons("osu_init", without, [])[0], [0, 0, 0])
        for words in (["--help"], ["--version"]):
            codes, out, err = self.singletons("osu_init", without, words)
            self.assertEqual((codes, out == "", err), ([0, 0, 0], False, ""))

    def test_a_process_alone_in_an_allocation_of_slurm_is_not_refused_for_it(self):
        salloc = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "3", "SLURM_PROCID": "0", "SLURM_STEP_ID": "4294967290", "SLURM_STEP_NUM_TASKS": "3"}
        codes, _, err = self.singletons("osu_latency", salloc)
        self.assertEqual((codes, err.count("requires exactly two processes; it was started with 1")), ([1, 1, 1], 3), err)
        step = {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "3", "SLURM_PROCID": "1"} # that mpirun started its daemons by
        self.assertEqual(run("osu_init", ranks=1, environment=step).codes, [0])

    def test_memory_that_ulimit_does_not_leave_to_a_rank(self):
        """The requests of a window are counted, whatever the length of a message: 10 GB of 2 * 10^7 messages."""
        for given in (["-W", "1073741823", "-m", "1:1"], ["-W", "20000000", "-m", "1:1"], ["-m", "4294967296:4294967296"]):
            done = subprocess.run(["sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh", LAUNCHER, "-n", "2", f"{PROGRAMS}/osu_bw", *given],
                                  capture_output=True, text=True, timeout=100)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done)
            said = [line for line in done.stderr.splitlines() if line.startswith("Not enough memory")]
            self.assertEqual(len(said), 1, done)
            self.assertRegex(said[0], r"^Not enough memory \[-m, -W, -t, -i\]: a rank needs \d+ MB, ulimit -v leaves it \d+; accepted: what fits$")
            self.assertNotIn("bad_alloc", done.stderr)

    def test_windows_that_do_not_fit_into_dev_shm(self):
        """A /dev/shm of 64 MiB, in a namespace of its own."""
        small = 'mount -t tmpfs -o size=64M tmpfs /dev/shm && "$@"'
        if subprocess.run(["unshare", "-m", "sh", "-c", small, "sh", "true"], capture_output=True).returncode != 0:
            self.skipTest("no permission for a namespace of mounts")
        if "mpich" in read(LAUNCHER):
            self.skipTest("only Open MPI is known to allocate windows in /dev/shm")
        done = subprocess.run(["unshare", "-m", "sh", "-c", small, "sh", LAUNCHER, "-n", "2", f"{PROGRAMS}/osu_put_latency", "-w", "allocate",
                               "-m", "100000000:100000000", "-i", "2", "-x", "0"], capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertRegex(done.stderr, r"(?m)^Not enough memory \[-m, -W\]: 2 ranks of a host need 200 MB, /dev/shm has 67; accepted: what fits$")
