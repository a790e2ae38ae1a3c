#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""readme.py ROOT

Fails if README.md has 150 lines or more, or a line of more than 120 characters.
"""
import pathlib
import sys

lines = (pathlib.Path(sys.argv[1]) / "README.md").read_text().splitlines()
faults = [f"README.md has {len(lines)} lines"] if len(lines) >= 150 else []
faults += [f"README.md:{i}: {len(line)} characters" for i, line in enumerate(lines, 1) if len(line) > 120]
print("\n".join(faults) if faults else f"{len(lines)} lines")
sys.exit(1 if faults else 0)
