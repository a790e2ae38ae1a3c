# SPDX-License-Identifier: BSL-1.0
"""Commands that end with everything that they started."""
import os
import signal
import subprocess


def output_of(command, seconds, status=0, **options):
    """Standard output of a command, which ends with a status, and within some seconds."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **options)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        out, err = rest_of(process)
        raise AssertionError(f"{command}: not ended after {seconds} s\n{out}{err}") from None
    if process.returncode != status:
        raise AssertionError(f"{command}: status {process.returncode}\n{out}{err}")
    return out


def rest_of(process):
    """Output of a session until its end. A launcher that takes SIGTERM ends its ranks on other hosts."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate(timeout=10)
