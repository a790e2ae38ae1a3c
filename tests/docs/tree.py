#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tree.py ROOT

Fails if a folder of include/sonde/ has no header of its name beside it, but for detail/.
"""
import pathlib
import sys

include = pathlib.Path(sys.argv[1]) / "include/sonde"
folders = sorted(path.name for path in include.iterdir() if path.is_dir())
found = [f"{name}/ has no {name}.hpp beside it" for name in folders if name != "detail" and not (include / f"{name}.hpp").exists()]
print("\n".join(found) if found else f"{len(folders)} folders")
sys.exit(1 if found or not folders else 0)
