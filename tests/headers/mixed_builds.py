#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Files of one program that are compiled in different ways each record their own build, in any order of linking.

usage: mixed_builds.py INCLUDE_FOLDER COMPILER [FLAG...]
"""
import os
import subprocess
import sys
import tempfile

FILE = """#include <sonde/measure/environment.hpp>
std::string NAME() { return sonde::local_environment().build; }
"""
MAIN = """#include <cstdio>
#include <string>
std::string fast();
std::string slow();
int main() { std::printf("%s; %s", fast().c_str(), slow().c_str()); }
"""
BUILDS = {"fast": ["-O2", "-DNDEBUG", "-DNAME=fast"], "slow": ["-O0", "-UNDEBUG", "-DNAME=slow"], "main": []}
EXPECTED = "optimized, assertions off; not optimized, assertions on"


def main():
    include, *compiler = sys.argv[1:]
    include = os.path.abspath(include)
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in BUILDS.items():
            subprocess.run([*compiler, "-x", "c++", "-std=c++20", f"-I{include}", *flags, "-c", "-o", f"{name}.o", "-"],
                           input=MAIN if name == "main" else FILE, text=True, cwd=folder, check=True)
        for order in (["fast.o", "slow.o"], ["slow.o", "fast.o"]):
            subprocess.run([*compiler, "main.o", *order, "-o", "program"], cwd=folder, check=True)
            found = subprocess.run(["./program"], cwd=folder, check=True, capture_output=True, text=True).stdout
            print(f"{' '.join(order)}: {found}")
            if found != EXPECTED:
                sys.exit(f"expected: {EXPECTED}")


main()
