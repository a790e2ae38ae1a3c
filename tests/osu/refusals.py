# SPDX-License-Identifier: BSL-1.0
"""Invalid input: one line from rank 0 with the option and the accepted values, exit status 1 on all ranks, no row."""
import os
import subprocess
import tempfile
import unittest

from driver import ALL, LAUNCHER, PROGRAMS, run


class Refusals(unittest.TestCase):
    def refuse(self, name, arguments, line, ranks=2, **how):
        with self.subTest(f"{name} {' '.join(arguments)} on {ranks}"):
            answer = run(name, *arguments, ranks=ranks, **how)
            self.assertEqual(answer.codes, [1] * ranks, answer)
            self.assertEqual(answer.out, "")
            self.assertEqual(len(answer.err.splitlines()), 1, answer.err)
            self.assertRegex(answer.err, line)

    def test_a_launcher_of_another_library_is_named(self):
        with open(LAUNCHER) as file:
            other, variables = (r"mpirun \(Open MPI\)", "OMPI_COMM_WORLD") if "mpich" in file.read() else (r"mpiexec \(Hydra\)", "PMI")
        for rank, line in (("0", rf"^{other} started 4 processes of a program that is built with \S.*: "
                                 r"each is alone, with (no PMI|PMIx?, which does not connect this library); start it by the launcher of its own library$"), ("1", "^$")):
            answer = run("osu_latency", ranks=1, environment={f"{variables}_SIZE": "4", f"{variables}_RANK": rank, "MPI_LOCALNRANKS": "4"})
            self.assertEqual(answer.codes, [1])
            self.assertEqual(answer.out, "")
            self.assertRegex(answer.err.strip(), line)

    def singletons(self, program, variables, words=("-i", "2", "-x", "0", "-m", "8:8")):
        """Three processes that are each alone in their world, as a launcher without a PMI starts them: statuses, and all that they print."""
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("OMPI_COMM_WORLD", "PMI", "SLURM_", "FLUX_", "PALS_", "JSM_"))}
        done = [subprocess.run([f"{PROGRAMS}/{program}", *words], capture_output=True, text=True, timeout=60,
                               env={**clean, **{name: value.format(rank=rank) for name, value in variables.items()}})
                for rank in range(3)]
        return [d.returncode for d in done], "".join(d.stdout for d in done), "".join(d.stderr for d in done)

    def test_processes_that_a_launcher_does_not_connect_say_so_once(self):
        slurm = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "3", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "3", "SLURM_PROCID": "{rank}"}
        for variables, line in ((slurm, r"srun started 3 .*: each is alone, with no PMI; try srun --mpi=pmix or --mpi=pmi2 \(srun --mpi=list .*"),
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
        slurm = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "3", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "3", "SLURM_PROCID": "{rank}"}
        codes, out, err = self.singletons("osu_latency", slurm, ["--version"])
        self.assertEqual((codes, out.count("\n"), err), ([0, 0, 0], 1, ""), out)
        codes, out, err = self.singletons("osu_latency", slurm, ["--quick"])
        self.assertEqual((codes, out, err.count("Invalid option [--quick]")), ([1, 1, 1], "", 1), err)

    def test_help_needs_no_mpi(self):
        without = {"OMPI_MCA_pml": "none", "MPIR_CVAR_CH4_NETMOD": "none"}
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

    def test_an_option_that_words_cpp_refuses_is_told_once(self):
        for given in ("--quick", "-i 0", "-z 50,101"):
            self.refuse("osu_bw", given.split(), rf"^.* \[{given}\]; accepted: ", ranks=3)

    def test_sizes_of_which_none_holds_an_element(self):
        for name, given, range_, least in (("osu_latency", ["-m", "0:0"], "0:0", 1), ("osu_latency", ["-m0"], "0:0", 1),
                                           ("osu_bw", ["-m", "2:3", "-T", "mpi_int"], "2:3", 4)):
            self.refuse(name, given, rf"^No size holds an element \[-m {range_}\]; accepted: a size of at least {least}$")

    def test_a_file_of_blocks_that_cannot_be_read(self):
        self.refuse("osu_latency", ["-D", "indx:/nowhere"], r"^Cannot read the file .* \[-D indx:/nowhere\]; accepted: ")

    def test_options_of_message_rates(self):
        self.refuse("osu_mbw_mr", ["-R", "2"], r"^Invalid Print Rate \[-R 2\]; accepted: .*0 to 1$")
        self.refuse("osu_mbw_mr", ["-p", "0"], r"^Invalid Number of Pairs \[-p 0\]; accepted: ")
        self.refuse("osu_mbw_mr", ["-V", "--honest"], r"\[-V --honest\]; accepted: ")

    def test_numbers_of_ranks(self):
        for program in ALL:
            if program.ranks == 2:
                continue
            self.refuse(program.name, [], r"^This test requires at least two processes; it was started with 1$", ranks=1)
        for name, ranks in (("osu_latency", 1), ("osu_bibw", 3), ("osu_bw_persistent", 4)):
            self.refuse(name, [], rf"^This test requires exactly two processes; it was started with {ranks}$", ranks=ranks)
        self.refuse("osu_multi_lat", [], r"^This test requires an even number of processes; it was started with 3$", ranks=3)

    def test_exhausted_memory(self):
        self.refuse("osu_latency", ["-m", "1:1000000000000000"], r"^Not enough memory \[-m, -W, -t, -i\]: .* accepted: what fits$")
        self.refuse("osu_bw", ["-W", "1000000", "-b", "multiple"], r"^Not enough memory \[-m, -W, -t, -i\]: ")

    def test_memory_that_the_ranks_of_a_host_need_together(self):
        """A root has a block for each rank, every rank has one to send: 12 MiB of a gather of 2 MiB on 3 ranks."""
        small = {"LD_PRELOAD": os.environ["OSU_HOST_SHIM"], "HOST_MEMORY_PAGES": str((13 << 20) // os.sysconf("SC_PAGESIZE"))}
        gather = ["-m", f"{2 << 20}:{2 << 20}", "-M", str(8 << 20), "-i", "1", "-x", "0"]
        answer = run("osu_gather", *gather, ranks=3, environment=small)
        self.assertEqual((answer.codes, answer.err, len(answer.rows)), ([0] * 3, "", 1))
        self.refuse("osu_gather", [*gather, "-k", "rotate"], r"^Not enough memory \[-m, -W, -t, -i\]: 3 ranks of a host need 25 MB, it has 14; accepted: what fits$",
                    ranks=3, environment=small)

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

    def test_files_that_cannot_be_written(self):
        for form in ("table", "csv", "json"):
            self.refuse("osu_latency", ["--report", f"{form}=/nowhere/file"],
                        rf"^Cannot report \[--report {form}=/nowhere/file\]: .*; accepted: a file that can be written$")

    def test_a_picture_of_an_unknown_format(self):
        self.refuse("osu_latency", ["--report", "plot=a.txt"],
                    r"^Cannot report \[--report plot=a\.txt\]: a picture's file ends in \.svg, \.png or \.pdf: not 'a\.txt'$")

    def test_two_reports_into_one_file(self):
        self.refuse("osu_latency", ["--report", "csv=/tmp/one", "--report", "json=/tmp/one"],
                    r"^Two reports into one file \[--report json=/tmp/one\]; accepted: a FILE of its own for each$")

    def test_a_log_folder_that_cannot_be_made(self):
        self.refuse("osu_latency", ["-clog:/nowhere/log"], r"^Cannot write to /nowhere \[-c log:/nowhere/log\]; accepted: ")

    def test_a_log_folder_that_exists(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/validation_output")
            self.refuse("osu_latency", ["-clog"], r"^Directory already exists\. \[-c log:validation_output\]; accepted: ", folder=folder)

    def test_invalid_blocks(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, line in (("1, 2\nthree\n", "Line 2 is no block"), ("# only\n", "There is no block"), ("0,4\n2,4\n", "Blocks overlap")):
                with open(f"{folder}/blocks", "w") as file:
                    file.write(text)
                self.refuse("osu_bw", ["-D", "indx:blocks"], rf"^{line} \[-D indx:blocks\]; accepted: ", folder=folder)
