#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""needed.py --only LIBRARY PATH...

Checks the programs and libraries below each PATH: beside the C library they need only LIBRARY, and they have no path of a
library but $ORIGIN. Prints the version of glibc that they need; each file with another need is an error.
"""
import os
import re
import subprocess
import sys

C_LIBRARY = re.compile(r"(lib(c|m|dl|pthread|rt)\.so\.\d|ld-linux.*)$")


def binaries(path):
    names = [path] if os.path.isfile(path) else (os.path.join(folder, name) for folder, _, files in os.walk(path) for name in files)
    for name in names:
        if not os.path.islink(name):
            with open(name, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield name


def problems(name, only):
    """What the file needs and must not, and the versions of glibc that it needs."""
    text = subprocess.run(["objdump", "-p", name], capture_output=True, text=True, check=True).stdout
    found = [library for library in re.findall(r"NEEDED +(\S+)", text) if library != only and not C_LIBRARY.match(library)]
    found += [path for path in re.findall(r"R(?:UN)?PATH +(\S+)", text) if not path.startswith("$ORIGIN")]
    return found, re.findall(r"GLIBC_([0-9.]+)", text)


def main(only, paths):
    versions, errors, count = {"0"}, [], 0
    for path in paths:
        for name in binaries(path):
            count += 1
            found, needed = problems(name, only)
            errors += [f"{name} needs {', '.join(found)}"] if found else []
            versions.update(needed)
    if errors or not count:
        sys.exit("\n".join(errors) or f"no program below {' '.join(paths)}")
    print(max(versions, key=lambda version: [int(part) for part in version.split(".")]))


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] != "--only":
        sys.exit(__doc__)
    main(sys.argv[2], sys.argv[3:])
