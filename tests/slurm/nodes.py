# SPDX-License-Identifier: BSL-1.0
"""Nodes of a cluster on this machine: each has its own network, host name, processes, /tmp and /dev/shm.

All of them live in namespaces of the test program, whose end ends their processes and removes their networks and files.
"""
import os
import shutil
import signal
import subprocess
import sys

import sessions

SHARED = "/run"  # of all nodes, gone with the test program; what the machine has there is hidden
ENTERED = "SONDE_TEST_NODES"
OWN = ["unshare", "--net", "--ipc", "--uts", "--pid", "--mount", "--mount-proc", "--fork", "--kill-child"]
PROBE = "ip link add name probe type veth peer name probed && ip link add name switch type bridge && mount -t tmpfs tmpfs /run"


def skip(reason):
    print(reason)
    sys.exit(77)


def enter_namespaces(packages):
    """Start this program again in its own namespaces. Ends it with 77 where that is not allowed, or a program is missing.

    `packages` has the Debian package of each program.
    """
    if os.environ.pop(ENTERED, None):
        run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", SHARED)
        # The first process of a namespace is not ended by signals that it does not handle.
        # unittest goes on to the next test after any exception but KeyboardInterrupt.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        return
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if os.geteuid() != 0:
        skip("nodes of a cluster need root")
    for program, package in ({"ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"} | packages).items():
        if shutil.which(program) is None:
            skip(f"{program} is not installed; Debian has it in {package}")
    probe = subprocess.run([*OWN, "sh", "-c", PROBE], capture_output=True, text=True, timeout=20)
    if probe.returncode != 0:
        skip(f"no nodes can be made of namespaces here: {probe.stderr.strip()}")
    os.execvpe(OWN[0], [*OWN, sys.executable, *sys.argv], os.environ | {ENTERED: "yes"})


def run(*command):
    subprocess.run(command, check=True, timeout=20)


def share(folder, name):
    """Show a folder to all nodes that are made from now on, also one below /tmp. Returns its path there."""
    path = f"{SHARED}/{name}"
    os.makedirs(path)
    run("mount", "--bind", folder, path)
    return path


class Node:
    """A node with a link to the switch. Its processes end with its first one."""

    # A new /sys has the node's own network, from which UCX knows it, but no control groups, which Slurm asks for.
    START = """
mount -t tmpfs tmpfs /tmp && mount -t tmpfs tmpfs /dev/shm
mkdir -p {shared}/cgroup && mount --rbind /sys/fs/cgroup {shared}/cgroup && mount -t sysfs sysfs /sys && mount --rbind {shared}/cgroup /sys/fs/cgroup
hostname {name} && ip link set dev lo up && echo ready && read line
ip address add {address}/24 dev link && ip link set dev link up && echo linked && exec cat
"""

    def __init__(self, name, address):
        self.name, self.address = name, address
        start = self.START.format(name=name, address=address, shared=SHARED)
        self.keeper = subprocess.Popen([*OWN, "sh", "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer("ready")
        with open(f"/proc/{self.keeper.pid}/task/{self.keeper.pid}/children") as file:
            self.first = file.read().split()[0]
        run("ip", "link", "add", "name", f"to-{name}", "type", "veth", "peer", "name", "link", "netns", self.first)
        run("ip", "link", "set", "dev", f"to-{name}", "master", "switch", "up")
        self.keeper.stdin.write("\n")
        self.keeper.stdin.flush()
        self.answer("linked")

    def answer(self, expected):
        line = self.keeper.stdout.readline().strip()
        if line != expected:
            raise RuntimeError(f"{self.name}: {line or 'ended'} instead of {expected}")

    def start(self, *command, **options):
        """A process on the node."""
        return subprocess.Popen([*self.entrance(), *command], **options)

    def call(self, *command, seconds=60):
        """Standard output of a command on the node that ends with 0."""
        return sessions.output_of([*self.entrance(), *command], seconds)

    def entrance(self):
        """The beginning of a command on the node."""
        return ["nsenter", f"--target={self.first}", "--net", "--ipc", "--uts", "--pid", "--mount"]

    def die(self):
        """End as a machine without power does: its peers are not told."""
        run("ip", "link", "delete", "dev", f"to-{self.name}")
        self.keeper.kill()
        self.keeper.communicate(timeout=20)


def make_switch(name, addresses):
    """Connect this host, under one of the names of `addresses`, which all hosts know from now on."""
    with open(f"{SHARED}/hosts", "w") as file:
        file.write("127.0.0.1 localhost\n" + "".join(f"{address} {host}\n" for host, address in addresses.items()))
    run("mount", "--bind", f"{SHARED}/hosts", "/etc/hosts")
    run("hostname", name)
    run("ip", "link", "set", "dev", "lo", "up")
    run("ip", "link", "add", "name", "switch", "type", "bridge")
    run("ip", "address", "add", f"{addresses[name]}/24", "dev", "switch")
    run("ip", "link", "set", "dev", "switch", "up")
