#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""launchers.py ROOT

Fails if a page, a script for users or a program's text names the launcher of the tests, which has a transport and a
time limit of its own, or if a script for users chooses a transport.
"""
import pathlib
import re
import sys

LAUNCHER = re.compile(r"\bmpi_run\b")
TRANSPORT = re.compile(r"OMPI_MCA|--?mca\b|MPIR_CVAR|vader|single_copy|UCX_|FI_PROVIDER|I_MPI_FABRICS")
SCRIPTS = ["demo.sh", "gpu.sh", "start.sh"]


def main():
    root = pathlib.Path(sys.argv[1])
    texts = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "scripts" / name for name in SCRIPTS),
             *(file for folder in ("examples", "include") for file in (root / folder).rglob("*.?pp"))]
    faults = [f"{file}:{i}: names the launcher of the tests" for file in texts
              for i, line in enumerate(file.read_text().splitlines(), 1) if LAUNCHER.search(line)]
    for name in SCRIPTS:
        lines = (root / "scripts" / name).read_text().splitlines()
        faults += [f"scripts/{name}:{i}: chooses a transport" for i, line in enumerate(lines, 1) if TRANSPORT.search(line)]
    print("\n".join(faults) if faults else f"{len(texts)} files")
    return 1 if faults else 0


sys.exit(main())
