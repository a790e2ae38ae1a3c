# SPDX-License-Identifier: BSL-1.0
"""Batch scripts of the pages."""
import os
import pathlib
import re

from cluster import FOLDER, wait_for
from jobs import SMALL, Jobs, lines_of

# The pages' jobs measure for minutes. Programs of these names pass options for seconds.
SHORT = {
    "osu/osu_latency": 'exec {program} "$@" -m 8:64 -i 20 -x 2',
    "osu/osu_allreduce": 'exec {program} "$@" -m 8:64 -i 20 -x 2',
    "tools/sonde-map": 'exec {program} "$@" --samples 6',
    "tools/sonde-launch": '[ "$1 $2" = "-n 10" ] && shift 2 && exec {program} -n 3 "$@"',
    "tools/sonde-compare": 'exec {program} "$@"',
}


class Batch(Jobs):
    def short_programs(self):
        """Folder of programs that end in seconds, below the home that the pages name."""
        folder = self.folder / "sonde/build/examples"
        for name, text in SHORT.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#!/bin/sh\n" + text.format(program=self.program(name)) + "\n")
            path.chmod(0o755)
        return folder

    def page(self, name):
        return (pathlib.Path(self.root) / "docs/operators" / name).read_text()

    def test_the_script_of_the_page_measures_two_nodes(self):
        self.short_programs()
        solver = self.folder / "solver"
        solver.write_text("#!/bin/sh\necho solved by $SLURM_PROCID\n")
        solver.chmod(0o755)
        job = self.batch(self.page("slurm.sh"), HOME=str(self.folder))
        self.assertEqual(self.ended(job), "COMPLETED", self.output(job))
        self.assertIn("solved by 1", self.output(job))
        for name in ("latency", "allreduce"):
            self.assertEqual(self.assert_reports(f"{name}.jsonl", "srun")["job"]["id"], str(job))
        self.assertEqual(len([line for line in lines_of("allreduce-launches.jsonl") if line["type"] == "launch"]), 3)
        self.assertIn("n2", (self.folder / "map.html").read_text())
        self.assertIn("Nothing is named", self.output(job))

    def test_the_job_of_every_night_compares_with_the_good_night(self):
        programs = self.short_programs()
        results = self.folder / "results"
        (results / "first").mkdir(parents=True)
        (results / "good").symlink_to("first")
        first = self.batch(f"exec {programs}/tools/sonde-launch -n 10 --out {results}/first/allreduce.jsonl -- srun {programs}/osu/osu_allreduce")
        self.assertEqual(self.ended(first), "COMPLETED", self.output(first))
        page = self.page("nightly.sh")
        self.assertEqual(page.count("--expect latency=5 --expect bandwidth=10000"), 1)
        environment = {"SONDE_RESULTS": str(results), "SONDE_METRICS": str(self.folder),
                       "PATH": f"{programs}/osu:{programs}/tools:{os.environ['PATH']}"}

        # One night everything is as good as the contract says, the other night it is not.
        good = self.batch(page.replace("latency=5", "latency=1e6").replace("bandwidth=10000", "bandwidth=1e-3"), **environment)
        state = self.ended(good)
        night, = (folder for folder in results.glob("2*"))
        compared = (night / "compare.txt").read_text()
        self.assertEqual(state, "FAILED" if re.search(r"\bslower$", compared, re.MULTILINE) else "COMPLETED", compared + self.output(good))
        self.assertIn("osu_allreduce", compared)
        self.assert_reports(night / "allreduce.jsonl", "srun")
        self.assertIn('ranks="2"', (self.folder / "sonde.prom").read_text())
        self.assertTrue((results / "history.html").exists())

    def test_a_pair_that_is_worse_than_expected_fails_the_job(self):
        job = self.batch(f"exec srun {self.program('tools/sonde-map')} --quick --samples 6 --nagios --expect latency=0.01")
        self.assertEqual(self.ended(job), "FAILED")
        self.assertRegex(self.output(job), r"^CRITICAL - 2 nodes, n[12] -> n[12]: latency of 8 bytes is")

    def test_a_prolog_drains_the_node_that_is_worse_than_expected(self):
        def is_drained():  # or will be, after the jobs that run on it
            return self.slurm.states()["n1"].startswith("drain")

        logged = FOLDER / "logged"
        for latency, said in (("1e6", ""), ("0.0001", "CRITICAL - 4 ranks")):
            logged.write_text("")
            logged.chmod(0o666)
            page = self.page("prolog.sh").replace("latency=2", f"latency={latency}").replace("bandwidth=2000", "bandwidth=1e-3")
            page = page.replace("budget 4", "budget 0.2")
            (FOLDER / "page.sh").write_text(page.replace("logger ", f"echo >> {logged} "))
            self.slurm.set_prolog(f"export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 PATH={self.program('tools')}:$PATH\n"
                                  f"exec bash {FOLDER}/page.sh")
            job = self.batch("exec srun true", "--nodes=1", "--nodelist=n1")
            if said:
                wait_for(is_drained, 60, "n1 that is drained")
            else:
                self.assertEqual(self.ended(job), "COMPLETED", self.output(job))
                self.assertFalse(is_drained())
            self.assertIn(said, logged.read_text())
            self.assertNotIn("no result", logged.read_text())
            self.slurm.set_prolog("exit 0")
            self.slurm.command("scancel", str(job), status=None)
        self.slurm.command("scontrol", "update", "nodename=n1", "state=resume")
        self.assertFalse(is_drained())

    def test_each_job_of_an_array_has_its_own_number_and_that_of_its_task(self):
        job = self.batch(f"srun {self.program('osu/osu_latency')} {' '.join(SMALL)} --report json=$SLURM_ARRAY_TASK_ID.jsonl", "--array=1-3")
        wait_for(lambda: self.slurm.command("squeue", "--noheader", f"--job={job}") == "", 120, f"end of array {job}")
        jobs = [self.assert_reports(f"{i}.jsonl", "srun")["job"] for i in (1, 2, 3)]
        self.assertEqual([one["array_task"] for one in jobs], [f"{job}_{i}" for i in (1, 2, 3)])
        self.assertEqual(len({one["id"] for one in jobs}), 3)
