#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""namespaces.py INCLUDE_FOLDER

Fails if a header opens namespace sonde without the inline namespace of the version, or with that of another version.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
version = (root / "sonde/version.hpp").read_text()
major, minor = (re.search(rf"^#define SONDE_VERSION_{part} (\d+)$", version, re.M)[1] for part in ("MAJOR", "MINOR"))
opened = [(path.relative_to(root), line) for path in sorted(root.glob("sonde/**/*.?pp"))
          for line in re.findall(r"^namespace .*", path.read_text(), re.M) if line.startswith("namespace sonde")]
wanted = re.compile(rf"namespace sonde::inline v{major}_{minor}(::\w+)* \{{")
found = [f"{path}: {line}, not sonde::inline v{major}_{minor}" for path, line in opened if not wanted.fullmatch(line)]
print("\n".join(found) if found else f"{len(opened)} namespaces of version {major}.{minor}")
sys.exit(1 if found or not opened else 0)
