# SPDX-License-Identifier: BSL-1.0
"""Hosts in network namespaces, with shaped links to one switch, on which Open MPI starts programs over TCP.

A host has its own network, host name and monotonic clock. Memory, processors, files and the kernel are shared.
"""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import sessions

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = {"ip": "iproute2", "tc": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"}
PAYLOAD = 1448 / 1514  # of a frame of Ethernet, IP and TCP with time stamps
# A burst is what the link lets through at once after a pause. It makes up for a late timer of a kernel that is busy.
SHAPE = "tbf rate {rate}mbit burst {burst} limit {queue}"
PROBE = ("ip link add name probe type veth peer name probed && tc qdisc add dev probe root " + SHAPE.format(rate=1000, burst=262144, queue="16m") +
         " && unshare --net --uts --time --monotonic 1 true")


def skip(reason):
    print(reason)
    sys.exit(77)


def enter_namespace():
    """Start this program again in a network namespace in which it may make others. Ends it with 77 where it may not."""
    if "SWITCH" in os.environ:
        return
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            skip(f"{tool} is not installed; Debian has it in {package}")
    own = ["unshare", "--net"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
    probe = subprocess.run([*own, "sh", "-c", PROBE], capture_output=True, text=True, timeout=20)
    if probe.returncode != 0:
        skip(f"no network of namespaces can be made here: {probe.stderr.strip()}")
    os.execvpe(own[0], [*own, sys.executable, *sys.argv], os.environ | {"SWITCH": "1"})


def run(command):
    subprocess.run(shlex.split(command), check=True, timeout=20)


class Network:
    """Hosts 10.0.0.1, 10.0.0.2, .. whose links take `rate` Mbit/s in each direction, and a burst. A context manager.

    `slow` has the rates of hosts, by their index, whose links are slower. With `second`, hosts have another link of this rate,
    "second" with the addresses 10.1.0.1, .., and a /sys of their own that tells the rates. What exceeds `queue` bytes before a link is lost.
    """

    mpirun = "mpirun"

    def __init__(self, hosts, rate, burst=32768, slow=None, second=None, queue="16m"):
        self.names = [f"10.0.0.{i + 1}" for i in range(hosts)]
        self.keepers = []
        self.second = second
        self.rates = {"link": rate} | ({"second": second} if second else {})
        self.shapes = [SHAPE.format(rate=rate, burst=burst, queue=queue)] * hosts
        for i, slower in (slow or {}).items():
            self.shapes[i] = SHAPE.format(rate=slower, burst=32768, queue=queue)

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        run("ip link add name switch type bridge")
        run("ip link set dev switch up")
        if self.second:
            run("ip link add name switch2 type bridge")
            run("ip link set dev switch2 up")
        for name in self.names:
            self.add_host(name)
        return self

    def __exit__(self, *_):
        for i, keeper in enumerate(self.keepers):
            run(f"ip link delete dev port{i}")  # and its other end
            if self.second:
                run(f"ip link delete dev second{i}")
            keeper.communicate(timeout=20)  # closes its input: the namespaces end with their last process
        run("ip link delete dev switch")
        if self.second:
            run("ip link delete dev switch2")
        shutil.rmtree(self.folder)

    def add_host(self, name):
        i = len(self.keepers)
        # The process that keeps the namespaces ends with this program. Clocks are 1000 s apart.
        mounts = ["--mount"] if self.second else []
        keeper = subprocess.Popen(["unshare", "--net", "--uts", *mounts, "--time", "--monotonic", str(1000 * i), "--fork", "sh", "-c",
                                   f"hostname host-{i + 1} && echo $$ && exec cat"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.keepers.append(keeper)
        process = keeper.stdout.readline().strip()
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(process)
        run(f"ip link add name port{i} type veth peer name link netns {process}")
        run(f"ip link set dev port{i} master switch up")
        run(f"tc qdisc add dev port{i} root {self.shapes[i]}")
        for command in ("ip link set dev lo up", f"ip address add {name}/24 dev link", "ip link set dev link up",
                        f"tc qdisc add dev link root {self.shapes[i]}"):
            self.on(name, command)
        if self.second:
            self.add_second(i, name, process)

    def add_second(self, i, name, process):
        """The second link of a host, and its links in /sys: those of the kernel have neither hardware nor this rate."""
        run(f"ip link add name second{i} type veth peer name second netns {process}")
        run(f"ip link set dev second{i} master switch2 up")
        shape = SHAPE.format(rate=self.second, burst=32768, queue="16m")
        run(f"tc qdisc add dev second{i} root {shape}")
        for command in (f"ip address add {name.replace('10.0', '10.1', 1)}/24 dev second", "ip link set dev second up",
                        f"tc qdisc add dev second root {shape}", "mount -t sysfs sysfs /sys"):
            self.on(name, command)
        self.on(name, "mount -t tmpfs tmpfs /sys/class/net && cd /sys/class/net && mkdir lo && echo 772 > lo/type" + "".join(
            f" && mkdir -p {link}/device && echo {rate} > {link}/speed && echo up > {link}/operstate" for link, rate in self.rates.items()))

    def on(self, name, command, seconds=20, status=0):
        """Standard output of a command on a host, which ends with a status."""
        environment = os.environ | {"HOSTS": self.folder, "TMPDIR": self.folder} | ({"MOUNTS": "1"} if self.second else {})
        return sessions.output_of([f"{HERE}/enter.sh", name, command], seconds, status, env=environment)

    def mpi(self, *command, ranks_per_host=1, seconds=60, eager_limit=65536, status=0, over="10.0.0.0/24"):
        """Output of an MPI program: ranks 0, 1, .. on the first host, and so on. Longer messages wait for their receiver."""
        hosts = ",".join(f"{name}:{ranks_per_host}" for name in self.names)
        ranks = str(len(self.names) * ranks_per_host)
        settings = {"plm": "rsh", "plm_rsh_agent": f"{HERE}/enter.sh", "btl": "self,tcp", "btl_tcp_if_include": over,
                    "oob_tcp_if_include": "10.0.0.0/24", "mpi_yield_when_idle": "1",
                    "btl_tcp_eager_limit": eager_limit, "btl_tcp_rndv_eager_limit": eager_limit}
        words = ["env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", self.mpirun, "--host", hosts, "-n", ranks,
                 "--oversubscribe", "--bind-to", "none", *(w for k, v in settings.items() for w in ("--mca", k, str(v))), *map(str, command)]
        return self.on(self.names[0], shlex.join(words), seconds, status)
