#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""alone.py PROGRAM [LIBRARY...]

With libraries, which are preloaded, the program succeeds. Without them it prints one line about the missing driver or
device, or succeeds if there is a device.
"""
import os
import subprocess
import sys

program, *libraries = sys.argv[1:]
environment = dict(os.environ, LD_PRELOAD=" ".join(libraries)) if libraries else os.environ
ended = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=400)
print(ended.stdout, ended.stderr, sep="", end="")
lines = ended.stderr.splitlines()
refused = ended.returncode == 2 and len(lines) == 1 and "there is no" in lines[0]
sys.exit(0 if ended.returncode == 0 or (refused and not libraries) else 1)
