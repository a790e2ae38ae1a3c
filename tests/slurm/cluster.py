# SPDX-License-Identifier: BSL-1.0
"""A Slurm of some nodes of nodes.py, with its own key, configuration and state."""
import os
import pathlib
import re
import subprocess
import time

import nodes

PACKAGES = {"slurmctld": "slurmctld", "slurmd": "slurmd", "srun": "slurm-client", "munged": "munge"}
ADDRESS = "10.213.9.{}"
CONTROLLER = 254
FOLDER = pathlib.Path(nodes.SHARED) / "slurm"

# A node that is gone is down after SlurmdTimeout. The prolog of a job is what a test puts into the file. Jobs share nodes, even if they
# ask for whole ones.
CONFIGURATION = """\
ClusterName=sonde
SlurmctldHost=controller({controller})
AuthType=auth/munge
AuthInfo=socket={folder}/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1
MpiDefault=pmix
ReturnToService=2
SlurmdParameters=config_overrides
SlurmdTimeout={node_timeout}
KillWait=2
MessageTimeout=5
Prolog={folder}/prolog
PrologFlags=Alloc
NodeName={names} NodeAddr={addresses} CPUs=4 RealMemory=1000
PartitionName=first Nodes=n[1-2] Default=YES State=UP OverSubscribe=FORCE:8
PartitionName=last Nodes=n1,n{count} State=UP OverSubscribe=FORCE:8
"""


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s\n{logs()}")
        time.sleep(0.1)  # a command of Slurm takes CPU time, too


def logs():
    """The last lines of the daemons."""
    return "\n".join(f"{path.name}:\n" + "\n".join(path.read_text().splitlines()[-10:]) for path in sorted(FOLDER.glob("*.log")))


class Slurm:
    def __init__(self, count, node_timeout=8):
        addresses = {f"n{i}": ADDRESS.format(i) for i in range(1, count + 1)}
        nodes.make_switch("controller", addresses | {"controller": ADDRESS.format(CONTROLLER)})
        last = f"[1-{count}]"
        (FOLDER / "state").mkdir(parents=True)
        os.environ["SLURM_CONF"] = str(FOLDER / "slurm.conf")
        (FOLDER / "slurm.conf").write_text(CONFIGURATION.format(
            folder=FOLDER, controller=ADDRESS.format(CONTROLLER), names=f"n{last}", addresses=ADDRESS.format(last), count=count, node_timeout=node_timeout))
        (FOLDER / "cgroup.conf").write_text("IgnoreSystemd=yes\n")
        self.set_prolog("exit 0")
        self.start_munge()
        self.daemons = [subprocess.Popen(["slurmctld", "-D"], stderr=subprocess.DEVNULL)]
        self.nodes = {}
        for i in range(1, count + 1):
            self.start_node(i)
        wait_for(lambda: set(self.states().values()) == {"idle"}, 40, "nodes that are idle")

    @staticmethod
    def start_munge():
        key = FOLDER / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        subprocess.run(["munged", f"--key-file={key}", f"--socket={FOLDER}/munge", f"--log-file={FOLDER}/munged.log", f"--pid-file={FOLDER}/munged.pid",
                        f"--seed-file={FOLDER}/munged.seed"], check=True, timeout=20)

    def start_node(self, i):
        node = nodes.Node(f"n{i}", ADDRESS.format(i))
        (FOLDER / f"spool-n{i}").mkdir(exist_ok=True)
        self.daemons.append(node.start("slurmd", "-D", "-N", node.name, stderr=subprocess.DEVNULL))
        self.nodes[node.name] = node

    @staticmethod
    def set_prolog(text):
        path = FOLDER / "new-prolog"
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)
        path.rename(FOLDER / "prolog")

    @staticmethod
    def command(*words, seconds=30, status=0, **options):
        """Output of a command of Slurm, standard error behind it."""
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False, **options)
        if status is not None and done.returncode != status:
            raise AssertionError(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}\n{logs()}")
        return done.stdout + done.stderr

    def states(self):
        """State of each node."""
        done = subprocess.run(["sinfo", "--noheader", "--Node", "--format=%N %T"], capture_output=True, text=True, timeout=20, check=False)
        return dict(line.split() for line in done.stdout.splitlines())

    @staticmethod
    def state_of(job):
        return re.search(r"JobState=(\w+)", Slurm.command("scontrol", "show", "job", str(job)))[1]
