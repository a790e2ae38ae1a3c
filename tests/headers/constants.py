#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""constants.py INCLUDE_FOLDER

Fails if a constant at namespace scope is not inline: inline functions that use it would differ between files, which the
standard forbids (one definition rule).
"""
import pathlib
import re
import sys

CONSTANT = re.compile(r"^(?:static )?constexpr [^(={]*(?:=|\{)|^(?:static )?(?:auto|int|double|std::\w+|seconds) const \w+ ?[={]", re.M)

root = pathlib.Path(sys.argv[1])
headers = sorted(root.glob("sonde/**/*.hpp"))
found = [f"{header.relative_to(root)}: {line}" for header in headers
         for line in header.read_text().splitlines() if CONSTANT.match(line)]
print("\n".join(found) if found else f"{len(headers)} headers")
sys.exit(1 if found or not headers else 0)
