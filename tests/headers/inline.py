#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""inline.py PROGRAM

PROGRAM has one file, which includes headers. Prints the functions and variables of Sonde that this file defines and that
are not inline, since two files of a program that include them do not link; exits with 1 if there are any.
"""
import subprocess
import sys

STRONG = "TDBR" # in the output of nm: what is defined once in a program
symbols = [line.split(maxsplit=2)[1:] for line in
           subprocess.run(["nm", "--demangle", "--defined-only", "--extern-only", sys.argv[1]], capture_output=True, text=True,
                          check=True).stdout.splitlines()]
own = [(kind, name) for kind, name in symbols if "sonde::" in name]
strong = sorted(name for kind, name in own if kind in STRONG)
print("\n".join(f"{name}: is not inline" for name in strong) if strong else f"{len(own)} symbols of Sonde, all inline")
sys.exit(1 if strong or not own else 0)
