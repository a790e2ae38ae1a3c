#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Each function of MPI has a class in the recorder's tables, and the recorder has those that it records: compared with every
mpi_abi.h and mpi.h that is found."""
import glob
import json
import os
import re
import subprocess
import unittest

FOLDER, LIBRARY = (os.environ[name] for name in ("TOOLS_RECORDER_FOLDER", "TOOLS_TRACE_LIBRARY"))
BUILD = os.environ.get("MESON_BUILD_ROOT", ".")
# Debian's libraries, and those that scripts/test.sh installs by scripts/mpi_wheels.sh, which have MPI 5.0.
PLACES = ("/usr/include/*/mpich", "/usr/lib/*/openmpi/include", f"{BUILD}/../build-libraries/*/include", f"{BUILD}/../build*/wheels/*/include")


def own_headers():
    """The folders of this build's mpi.h that its compiler is given."""
    with open(f"{BUILD}/compile_commands.json", encoding="utf-8") as file:
        (command,) = {one["command"] for one in json.load(file) if one["file"].endswith("tests/tools/traced.cpp")}
    given = [word.lstrip() for word in re.findall(r"(?<=-isystem)\s*\S+|(?<= -I)\S+", command)]
    return [path for path in given if os.path.exists(f"{path}/mpi.h")]


def functions_in(folder):
    """Names without MPI_ of the functions that a header and the files beside it declare; none if it is not there."""
    found = set()
    for path in glob.glob(f"{folder}/mpi*.h"):
        with open(path, encoding="utf-8", errors="replace") as file:
            found |= set(re.findall(r"\bPMPI_(?!Sizeof_)([A-Z]\w*[a-z]\w*)\s*\(", file.read()))
    return found


def names_of(table):
    """Class of each name of other_calls.txt."""
    with open(f"{FOLDER}/{table}", encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    found, section = {}, ""
    for line in lines:
        if line.startswith("["):
            section = line.strip("[]")
            continue
        for name in line.split():
            assert name not in found, f"{name} has two classes"
            found[name] = section
    return found


def recorded_names():
    """Class of each function for which wrappers.py makes a definition."""
    text = subprocess.run(["python3", f"{FOLDER}/wrappers.py", "--names", f"{FOLDER}/calls.txt"], capture_output=True, text=True, check=True).stdout
    return dict(line.split() for line in text.splitlines())


RECORDED, OTHERS = recorded_names(), names_of("other_calls.txt")


def class_of(name):
    return RECORDED.get(name) or OTHERS.get(name) or OTHERS.get(name.removesuffix("_c"))


class Classes(unittest.TestCase):
    def headers(self, *names):
        found = [path for place in PLACES if place for path in glob.glob(place) if any(os.path.exists(f"{path}/{name}") for name in names)]
        return found or self.skipTest(f"no {' and no '.join(names)} is found")

    def test_no_function_has_two_classes(self):
        self.assertEqual(set(RECORDED) & set(OTHERS), set())

    def test_every_function_of_each_header_has_a_class(self):
        for folder in self.headers("mpi.h", "mpi_abi.h"):
            with self.subTest(folder):
                functions = functions_in(folder)
                self.assertGreater(len(functions), 300)
                self.assertEqual(sorted(name for name in functions if class_of(name) is None), [])

    def test_the_tables_have_no_function_that_MPI_5_does_not_have(self):
        for folder in self.headers("mpi_abi.h"):
            with self.subTest(folder):
                with open(f"{folder}/mpi_abi.h", encoding="utf-8") as file:
                    functions = set(re.findall(r"\bPMPI_(\w+)\s*\(", file.read()))
                listed = {name for name, section in {**RECORDED, **OTHERS}.items() if section != "not in the ABI"}
                self.assertEqual(sorted(listed - functions), [])

    def test_the_recorder_has_each_function_that_it_records_and_the_header_has(self):
        exported = set(re.findall(r" T MPI_(\w+)", subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout))
        functions = set()
        for folder in own_headers():
            functions |= functions_in(folder)
        if not functions:
            self.skipTest("the folder of this library's mpi.h is not known")
        self.assertEqual(sorted(name for name in functions if (name in RECORDED or OTHERS.get(name) == "own") and name not in exported), [])


if __name__ == "__main__":
    unittest.main()
