# SPDX-License-Identifier: BSL-1.0
"""The choice of the MPI library when the build is configured: what is found, and errors that name the option."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["SONDE_SOURCE"]


class Choice(unittest.TestCase):
    def configured(self, *options, **environment):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run(["meson", "setup", folder, SOURCE, "-Dcuda=disabled", "-Dexamples=disabled", *options],
                                  capture_output=True, text=True, timeout=100, env={**os.environ, **environment})

    def refused(self, line, *options, **environment):
        with self.subTest(options):
            done = self.configured(*options, **environment)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stdout, line)

    def path_without_mpi(self):
        """A folder with links to all tools of PATH but those of MPI."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for directory in reversed(os.environ["PATH"].split(":")):
            for name in os.listdir(directory) if os.path.isdir(directory) else []:
                if not re.match(r"(mpi|smpi|ompi)", name):
                    link = os.path.join(folder, name)
                    if os.path.lexists(link):
                        os.remove(link)
                    os.symlink(os.path.join(directory, name), link)
        return folder

    def test_a_prefix_without_a_library(self):
        self.refused("-Dmpi_prefix=/nowhere: bin/mpicxx is not there", "-Dmpi_prefix=/nowhere")

    def test_an_unknown_package(self):
        self.refused("-Dmpi_package=no_mpi: pkg-config knows no such package", "-Dmpi_package=no_mpi")

    def test_a_standard_abi_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as prefix:
            refusal = f"-Dmpi_package=abi: %s is not in {prefix}; say with -Dmpi_prefix which folder has it"
            self.refused(refusal % "include/mpi_abi.h", "-Dmpi_package=abi", f"-Dmpi_prefix={prefix}")
            os.mkdir(f"{prefix}/include")
            open(f"{prefix}/include/mpi_abi.h", "w").close()
            self.refused(refusal % "lib/libmpi_abi.so", "-Dmpi_package=abi", f"-Dmpi_prefix={prefix}")

    def test_no_library(self):
        self.refused("-Dmpi=enabled, but no MPI library is found: say which with -Dmpi_package", "-Dmpi=enabled",
                     PKG_CONFIG_LIBDIR="/nowhere", MPICXX="/bin/false", PATH=self.path_without_mpi())

    def test_no_launcher(self):
        self.refused(r"No launcher of MPI programs \(no_launcher\) is found: say which with -Dmpiexec=PATH", "-Dmpiexec=no_launcher",
                     "-Dtests=enabled")

    @unittest.skipUnless(shutil.which("mpirun.openmpi") and shutil.which("mpicxx.mpich"), "needs Open MPI's launcher, and MPICH")
    def test_a_launcher_of_another_library(self):
        self.refused("mpi.h is of MPICH, but .*mpirun.openmpi starts programs of Open MPI: say which launcher with -Dmpiexec",
                     "-Dmpi_package=mpich", "-Dmpiexec=mpirun.openmpi", "-Dtests=enabled")

    @unittest.skipUnless(shutil.which("mpicxx.mpich"), "needs MPICH")
    def test_a_prefix_and_a_wrapper_compiler_say_which(self):
        with tempfile.TemporaryDirectory() as prefix:
            os.mkdir(f"{prefix}/bin")
            os.symlink(shutil.which("mpicxx.mpich"), f"{prefix}/bin/mpicxx")
            os.symlink(shutil.which("mpirun.mpich"), f"{prefix}/bin/mpiexec")
            for done in (self.configured(f"-Dmpi_prefix={prefix}", "-Dtests=enabled"),
                         self.configured("-Dtests=enabled", CXX="mpicxx.mpich")):
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertRegex(done.stdout, r"MPI +: MPICH with MPI 4")


if __name__ == "__main__":
    unittest.main()
