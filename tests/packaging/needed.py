# SPDX-License-Identifier: BSL-1.0
"""What the archive of programs may need: needed.py of packaging/archive, on programs that are made for it."""
import os
import subprocess
import sys
import tempfile
import unittest

NEEDED, COMPILER = sys.argv.pop(1), sys.argv.pop(1).split()


class Needed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def link(self, name, text, *options):
        source = os.path.join(self.folder.name, name + ".cpp")
        with open(source, "w") as file:
            file.write(text)
        subprocess.run([*COMPILER, source, "-o", os.path.join(self.folder.name, name), "-L" + self.folder.name, "-Wl,--as-needed",
                        *options], check=True)

    def answer(self):
        return subprocess.run([sys.executable, NEEDED, "--only", "libmpi_abi.so.1", self.folder.name], capture_output=True, text=True)

    def test_the_c_library_and_the_one_that_is_named_are_no_problem(self):
        self.link("libmpi_abi.so", "int MPI_Finalize() { return 0; }", "-shared", "-fPIC", "-Wl,-soname,libmpi_abi.so.1")
        self.link("program", "int MPI_Finalize();\nint main() { return MPI_Finalize(); }", "-lmpi_abi", "-Wl,-rpath,$ORIGIN/../lib")
        done = self.answer()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^2\.[0-9]+\n$")

    def test_other_libraries_and_paths_are_named(self):
        self.link("libmpi.so", "int MPI_Init() { return 0; }", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.40")
        self.link("program", "int MPI_Init();\nint main() { return MPI_Init(); }", "-lmpi", "-Wl,-rpath,/opt/mpi/lib")
        done = self.answer()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("program needs libmpi.so.40, ", done.stderr)
        self.assertIn("/opt/mpi/lib", done.stderr)

    def test_nothing_is_a_problem(self):
        self.assertIn("no program below", self.answer().stderr)


if __name__ == "__main__":
    unittest.main()
