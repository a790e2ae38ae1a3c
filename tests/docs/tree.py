#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tree.py ROOT

Fails if a folder of include/sonde/ has no header of its name beside it, but for detail/; or if CONTRIBUTING.md does not say
once why a name stands at the top of a clone, or names another one.
"""
import collections
import pathlib
import re
import subprocess
import sys


def include_faults(root):
    folders = sorted(path.name for path in (root / "include/sonde").iterdir() if path.is_dir())
    if not folders:
        yield "include/sonde has no folder"
    yield from (f"{name}/ has no {name}.hpp beside it" for name in folders
                if name != "detail" and not (root / f"include/sonde/{name}.hpp").exists())


def top_faults(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    if listed.returncode != 0: # sources of a release
        return
    there = {name.partition("/")[0] + "/" * ("/" in name) for name in listed.stdout.splitlines()}
    text = (root / "CONTRIBUTING.md").read_text().partition("Beside ")[2].partition("\n\n- ")[0]
    first_cells = " ".join(line.split("|")[1] for line in text.splitlines() if line.startswith("|"))
    named = collections.Counter(re.findall(r"`([^`]*)`", text.partition("\n\n")[0] + first_cells))
    yield from (f"CONTRIBUTING.md does not say why {name} stands at the top" for name in sorted(there - set(named)))
    yield from (f"CONTRIBUTING.md: {name} does not stand at the top" for name in sorted(set(named) - there))
    yield from (f"CONTRIBUTING.md: {name} is named twice" for name, n in named.items() if n > 1)


root = pathlib.Path(sys.argv[1])
found = [*include_faults(root), *top_faults(root)]
print("\n".join(found) if found else "the tree is as the pages say")
sys.exit(1 if found else 0)
