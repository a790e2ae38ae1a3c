#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""symbols.py PROGRAM...

Fails if a program without device code defines or needs a symbol of CUDA, HIP, NCCL or RCCL, or needs one of their libraries to
start.
"""
import re
import shutil
import subprocess
import sys

FOREIGN = re.compile(r"\b(_*cuda[A-Z]|_*hip[A-Z]|nccl[A-Z]|pnccl)\w*")
LIBRARY = re.compile(r"NEEDED.*\[(lib(?:cuda|nccl|amdhip|rccl)[^\]]*)\]")


def printed(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=400).stdout


def faults(program):
    symbols = {found[0] for found in FOREIGN.finditer(printed("nm", program))}
    libraries = set(LIBRARY.findall(printed("readelf", "-d", program)))
    return sorted(symbols | libraries)


if not shutil.which("nm") or not shutil.which("readelf"):
    print("skipped: nm and readelf are not installed")
    sys.exit(77)
found = {program: faults(program) for program in sys.argv[1:]}
for program, names in found.items():
    print(program, ", ".join(names) if names else "none")
sys.exit(1 if any(found.values()) or not found else 0)
