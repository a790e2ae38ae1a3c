#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""alone.py BUILD_FOLDER SOURCE INCLUDE_FOLDER CLANG

Compiles each header that SOURCE includes by itself, with the options by which the build compiles SOURCE: as a module of
Clang, which sees nothing that is included before it, and is compiled once for all headers that include it. The standard
library is libc++, whose headers are modules, too. Status 77 if it is not installed.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PATHS = {"-I", "-isystem"}


def options(build, source):
    """Folders and definitions of the command that compiles a source of a build, for a command in any folder."""
    commands = json.loads((build / "compile_commands.json").read_text())
    entry = next(c for c in commands if os.path.realpath(os.path.join(c["directory"], c["file"])) == os.path.realpath(source))
    words = iter(shlex.split(entry["command"]))
    for word in words:
        flag = next((f for f in PATHS if word.startswith(f)), None)
        if flag:
            yield flag + os.path.join(entry["directory"], word[len(flag):] or next(words))
        elif word.startswith("-D"):
            yield word


def main():
    build, source, include, clang = map(pathlib.Path, sys.argv[1:])
    command = [clang, "-std=c++20", "-stdlib=libc++", "-fsyntax-only", "-x", "c++"]
    if subprocess.run([*command, "-"], input="#include <chrono>\n", text=True, stderr=subprocess.DEVNULL).returncode != 0:
        print("libc++ is not installed")
        return 77
    headers = sorted(path.relative_to(include) for path in include.glob("sonde/**/*.hpp"))
    modules = "".join(f'module m{i} {{ header "{include / header}" export * }}\n' for i, header in enumerate(headers))
    names = sorted(set(re.findall(r"#include <(sonde/.*)>", source.read_text())))
    with tempfile.TemporaryDirectory() as folder:
        module_map = pathlib.Path(folder) / "module.modulemap"
        module_map.write_text(modules)
        text = "".join(f"#include <{name}>\n" for name in names)
        status = subprocess.run([*command, "-fmodules", f"-fmodules-cache-path={folder}", f"-fmodule-map-file={module_map}",
                                 *options(build, source), "-"], input=text, text=True).returncode
    print(f"{len(names)} headers")
    return status or not names


sys.exit(main())
