#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""inline.py PROGRAM

PROGRAM has one file, which includes headers. Prints the functions and variables of Sonde that this file defines and that
are not inline, since two files of a program that include them do not link; exits with 1 if there are any.
"""
import subprocess
import sys

STRONG = "TDBR" # in the output of nm: what is defined once in a program
lines = subprocess.run(["nm", "--demangle", "--defined-only", "--extern-only", sys.argv[1]], capture_output=True, text=True,
                       check=True).stdout.splitlines()
symbols = [line.split(maxsplit=2)[1:] for line in lines]
strong = sorted(name for kind, name in symbols if kind in STRONG and "sonde::" in name)
print("\n".join(f"{name}: is not inline" for name in strong) or "all inline")
sys.exit(1 if strong else 0)
