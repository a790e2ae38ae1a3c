# SPDX-License-Identifier: BSL-1.0
"""Nodes that are reached by ssh, as in small clusters without a resource manager: keys, port and daemons of the test."""
import pathlib
import subprocess
import time

import nodes

PACKAGES = {"sshd": "openssh-server", "ssh": "openssh-client", "ssh-keygen": "openssh-client"}
FOLDER = pathlib.Path(nodes.SHARED) / "ssh"
PORT = 2222
DAEMON = f"""\
Port {PORT}
HostKey {FOLDER}/host
AuthorizedKeysFile {FOLDER}/user.pub
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile none
"""
# Nothing of the user's own settings and hosts.
CLIENT = f"""\
#!/bin/sh
exec /usr/bin/ssh -F none -p {PORT} -i {FOLDER}/user -o UserKnownHostsFile={FOLDER}/known_hosts -o GlobalKnownHostsFile=none \\
    -o BatchMode=yes -o ConnectTimeout=5 "$@"
"""


def start_daemons(all_nodes):
    """Path of a client that reaches the nodes from each other by name."""
    FOLDER.mkdir(mode=0o700)
    (pathlib.Path(nodes.SHARED) / "sshd").mkdir(exist_ok=True)  # sshd's own, empty
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", FOLDER / key], check=True, timeout=20)
    host = (FOLDER / "host.pub").read_text()
    (FOLDER / "known_hosts").write_text("".join(f"[{node.name}]:{PORT},[{node.address}]:{PORT} {host}" for node in all_nodes))
    (FOLDER / "sshd_config").write_text(DAEMON)
    client = FOLDER / "ssh"
    client.write_text(CLIENT)
    client.chmod(0o755)
    for node in all_nodes:
        node.start("/usr/sbin/sshd", "-D", "-f", FOLDER / "sshd_config", "-E", FOLDER / f"{node.name}.log")
    wait_for_all(all_nodes)
    return str(client)


def wait_for_all(all_nodes):
    end = time.monotonic() + 20
    while any("listening" not in log_of(node) for node in all_nodes):
        if time.monotonic() > end:
            raise AssertionError("sshd does not start: " + " ".join(map(log_of, all_nodes)))
        time.sleep(0.02)


def log_of(node):
    path = FOLDER / f"{node.name}.log"
    return path.read_text() if path.exists() else ""
