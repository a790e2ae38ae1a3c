#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""alone.py PROGRAM [LIBRARY...]

With libraries, loaded before all others: the program succeeds. Without: it says in one line that there is no driver or
device; where there is a device, it succeeds, too.
"""
import os
import subprocess
import sys

program, *libraries = sys.argv[1:]
environment = dict(os.environ, LD_PRELOAD=" ".join(libraries)) if libraries else os.environ
ended = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60)
print(ended.stdout, ended.stderr, sep="", end="")
lines = ended.stderr.splitlines()
refused = ended.returncode == 2 and len(lines) == 1 and "there is no" in lines[0]
sys.exit(0 if ended.returncode == 0 or (refused and not libraries) else 1)
