#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""exported.py FOLDER LIBRARY: the functions that FOLDER/sonde.h declares are the functions in FOLDER/libsonde.map, with
the version in which they came, and those that LIBRARY exports."""
import pathlib
import re
import subprocess
import sys

folder, library = pathlib.Path(sys.argv[1]), sys.argv[2]
declared = set(re.findall(r"^[a-z][^\n;=(]*?\b(sonde_\w+)\(", (folder / "sonde.h").read_text(), re.M))
map_text = (folder / "libsonde.map").read_text()
versions = {name: version for version, names in re.findall(r"^(SONDE_[\d.]+) \{\nglobal:\n(.*?)(?:local:|\})", map_text, re.M | re.S)
            for name in re.findall(r"\w+", names)}
symbols = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
exported = dict(re.findall(r" T (sonde_\w+)@@(SONDE_[\d.]+)", symbols))
others = [line for line in symbols.splitlines() if " A " not in line and not re.search(r" T sonde_\w+@@", line)]
faults = [f"sonde.h declares {name}, which libsonde.map does not have" for name in sorted(declared - versions.keys())]
faults += [f"libsonde.map has {name}, which sonde.h does not declare" for name in sorted(versions.keys() - declared)]
faults += [f"{name} is exported as {exported.get(name)} and not as {version}" for name, version in sorted(versions.items())
           if exported.get(name) != version]
faults += [f"exported, and not a function of sonde.h: {line}" for line in others]
print("\n".join(faults) or f"{len(exported)} functions")
sys.exit(bool(faults))
