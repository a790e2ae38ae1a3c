#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What `meson install` installs of the programs: names, folders, man pages, completions; it runs where it is moved to."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["BUILD"])
ROWS = [line.split() for line in (ROOT / "examples/programs.txt").read_text().splitlines() if line[0] != "#"]
TOOLS = [name for row in ROWS if row[0] == "tools" for name in row[2:]]
OTHER_MPICC = shutil.which({"ompi-cxx": "mpicc.mpich", "mpich": "mpicc.openmpi"}.get(os.environ["MPI_PACKAGE"], ""))
FOLDERS = {"osu/mpi/pt2pt": "osu_latency", "osu/mpi/pt2pt/persistent": "osu_bw_persistent", "osu/mpi/pt2pt/partitioned": "osu_partitioned_bw",
           "osu/mpi/congestion": "osu_bw_fan_in",
           "osu/mpi/collective": "osu_iallreduce", "osu/mpi/one-sided": "osu_put_latency", "osu/mpi/startup": "osu_init",
           "osu/openshmem": "osu_oshm_put", "osu/xccl/pt2pt": "osu_xccl_bw", "osu/xccl/collective": "osu_xccl_allreduce", "imb": "IMB-MPI1"}


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=100, **more)


def options():
    known = json.loads(run("meson", "introspect", "--buildoptions", str(BUILD)).stdout)
    return {option["name"]: option["value"] for option in known}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        staged, cls.tree = pathlib.Path(cls.folder.name, "staged"), pathlib.Path(cls.folder.name, "moved")
        installed = run("meson", "install", "-C", str(BUILD), "--no-rebuild", "--destdir", str(staged))
        assert installed.returncode == 0, installed.stdout + installed.stderr
        cls.options = options()
        cls.version = json.loads(run("meson", "introspect", "--projectinfo", str(BUILD)).stdout)["version"]
        os.rename(f"{staged}{cls.options['prefix']}", cls.tree)
        cls.outside = [path for path in staged.rglob("*") if not path.is_dir()]
        cls.libexec = cls.tree / cls.options["libexecdir"] / "sonde"
        cls.names = sorted(name for stamp in (BUILD / "examples").glob("*/*.links") for name in stamp.read_text().split())

    def test_everything_is_below_the_prefix_and_every_link_leads_to_a_file(self):
        self.assertEqual(self.outside, [])
        for path in self.tree.rglob("*"):
            self.assertTrue(path.exists(), f"{path} is a link to {os.readlink(path) if path.is_symlink() else ''}")
            if path.is_symlink():
                self.assertIn(self.tree.resolve(), path.resolve().parents, path)

    def test_every_program_is_on_the_path_and_in_the_folder_of_its_suite(self):
        self.assertEqual(sorted(path.name for path in (self.tree / "bin").iterdir()), sorted(self.names + TOOLS))
        in_folders = [path.name for path in self.libexec.rglob("*") if path.is_symlink()]
        self.assertEqual(sorted(in_folders), self.names)
        for folder, name in FOLDERS.items():
            if name in self.names:
                self.assertTrue((self.libexec / folder / name).is_symlink(), (folder, name))

    def test_every_program_has_a_target_of_its_name(self):
        targets = json.loads(run("meson", "introspect", "--targets", str(BUILD)).stdout)
        below = f"{ROOT}/examples/"
        built = {target["name"] for target in targets if target["type"] == "executable" and target["defined_in"].startswith(below)}
        names = ["libsonde-trace.so", *self.names, *sorted(built - {"bench_staged_cuda"} - {row[0] for row in ROWS})]
        self.assertLess({"osu_latency", "IMB-MPI1", "sonde-map", "heat"}, set(names))
        asked = run("ninja", "-C", str(BUILD), "-t", "query", *names)
        found = sum(asked.stdout.count(f"  input: {rule}\n") for rule in ("phony", "CUSTOM_COMMAND"))
        self.assertEqual((asked.returncode, found), (0, len(names)), asked)
        executables = [target["name"] for target in targets if target["type"] in ("executable", "run", "alias")]
        self.assertEqual([name for name in names if executables.count(name) > 1], [], "ambiguous for meson compile")
        self.assertIn("examples/tools/libsonde-trace.so\n", run("ninja", "-C", str(BUILD), "-t", "query", "programs").stdout)

    def test_programs_run_where_they_were_moved_to(self):
        for path in (self.tree / "bin/osu_latency", self.libexec / "osu/mpi/pt2pt/osu_latency"):
            done = run(os.environ["MPI_RUN"], "-t", "60", "-n", "2", str(path), "-m", "8:8", "-i", "10", "-x", "1")
            self.assertIn("# OSU MPI Latency Test", done.stdout, done)
            self.assertEqual((done.returncode, done.stdout.splitlines()[-1].split()[0]), (0, "8"), done)
        done = run(os.environ["MPI_RUN"], "-t", "60", "-n", "2", str(self.tree / "bin/IMB-MPI1"), "-iter", "10", "-msglog", "3:3", "PingPong")
        self.assertIn("# Benchmarking PingPong", done.stdout, done)
        for tool in TOOLS:
            done = run(str(self.tree / "bin" / tool), "--version")
            self.assertEqual((done.returncode, done.stdout), (0, f"{tool} (Sonde) {self.version}\n"), done)

    def test_get_local_rank_gives_a_program_the_rank_of_its_launcher(self):
        script = str(self.libexec / "osu/get_local_rank")
        clean = {name: value for name, value in os.environ.items() if "RANK" not in name and "LOCALID" not in name}
        for variables, rank in (({"OMPI_COMM_WORLD_LOCAL_RANK": "3", "SLURM_LOCALID": "0"}, "3"), ({"SLURM_LOCALID": "2", "LOCAL_RANK": "7"}, "2"),
                                ({"MPI_LOCALRANKID": "1"}, "1"), ({"LOCAL_RANK": "7"}, "7")):
            done = subprocess.run([script, "sh", "-c", 'echo "$LOCAL_RANK $1"', "sh", "a b"], env=clean | variables, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{rank} a b\n", ""), variables)
        done = run(script)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", "usage: get_local_rank PROGRAM [ARGUMENT...]\n"))

    def smoke_test(self, *words):
        compiler = {"ompi-cxx": "mpicxx.openmpi", "mpich": "mpicxx.mpich"}.get(os.environ["MPI_PACKAGE"], "mpicxx")
        return run(str(ROOT / "packaging/smoke/smoke_test.sh"), *words, env=os.environ | {
            "PKG_CONFIG": f"pkg-config --define-variable=prefix={self.tree}", "MPICXX": compiler, "MPIRUN": os.environ["MPI_RUN"] + " -t 60"})

    def test_the_smoke_test_of_packagers_tries_every_part(self):
        done = self.smoke_test(str(self.tree))
        named = [line.removeprefix("works: ") for line in done.stdout.splitlines()]
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertEqual(named, ["pkg-config", "an application by pkg-config", "its measurement", "CMake", "an application by CMake", "its measurement",
                                 *TOOLS, "a comparison", "osu_latency", "IMB-MPI1"])

    def test_the_smoke_test_names_what_does_not_work(self):
        for part, line in (("headers", "failed: pkg-config: "), ("tools", "failed: sonde-[*]: "), ("suites", "failed: osu_latency: ")):
            done = self.smoke_test("/nowhere", part)
            self.assertEqual(done.returncode, 1, done)
            self.assertRegex(done.stdout.splitlines()[-1], f"^{line}")
        self.assertEqual(self.smoke_test("/nowhere", "docs").returncode, 2)

    @unittest.skipUnless(os.environ["CC"], "libsonde is not built, or the MPI library has no package of pkg-config")
    def test_an_application_in_c_finds_libsonde(self):
        libraries = self.tree / self.options["libdir"]
        ring = self.tree / "ring"
        flags = []
        for words in ([f"--define-variable=prefix={self.tree}", "sonde-c"], [os.environ["MPI_PACKAGE"]]):  # only the first was moved
            found = run("pkg-config", "--cflags", "--libs", *words, env={**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")})
            self.assertEqual(found.returncode, 0, found)
            flags += found.stdout.split()
        done = run(*os.environ["CC"].split(), "-std=c11", "examples/c/ring.c", "-o", str(ring), *flags, f"-Wl,-rpath,{libraries}", cwd=ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        done = run(os.environ["MPI_RUN"], "-t", "60", "-n", "2", str(ring))
        self.assertEqual((done.returncode, done.stdout.splitlines()[0].split()[0]), (0, "name"), done)

    @unittest.skipUnless(os.environ["CC"] and OTHER_MPICC, "there is no libsonde, or no second MPI library")
    def test_a_program_with_another_mpi_library_than_libsonde_is_refused(self):
        libraries, ring = self.tree / self.options["libdir"], self.tree / "other_ring"
        flags = [f"-I{self.tree}/include", f"-L{libraries}", "-lsonde", f"-Wl,-rpath,{libraries}"]
        done = run(OTHER_MPICC, "-std=c11", "examples/c/ring.c", "-o", str(ring), *flags, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done) # MPICH's header makes warnings
        done = run(str(ring))
        self.assertIn("sonde: libsonde was built with ", done.stderr)
        self.assertIn(": link it with the library of libsonde", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    @unittest.skipUnless(os.environ["CC"] and OTHER_MPICC and shutil.which("cmake"), "there is no libsonde, no second MPI library, or no CMake")
    def test_cmake_refuses_another_mpi_library_than_that_of_libsonde(self):
        project = self.tree / "other_project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.16)\nproject(ring LANGUAGES C)\n"
                                                "find_package(sonde REQUIRED COMPONENTS c)\n")
        words = ["-S", ".", "-B", "built", f"-DCMAKE_PREFIX_PATH={self.tree}"]
        done = run("cmake", *words, f"-DMPI_C_COMPILER={OTHER_MPICC}", cwd=project)
        self.assertRegex(" ".join(done.stderr.split()), r"libsonde\.so was built with libmpi\S*, and CMake finds .*: set MPI_C_COMPILER")
        self.assertNotEqual(done.returncode, 0)

    def measures_in_fortran(self, program):
        done = run(os.environ["MPI_RUN"], "-t", "60", "-n", "2", str(program))
        self.assertEqual((done.returncode, done.stdout.splitlines()[0].split()[0]), (0, "ring:"), done)

    @unittest.skipUnless(os.environ["MPIFORT"], "there is no MPI library for Fortran")
    def test_an_application_in_fortran_compiles_the_installed_module_by_the_line_of_the_page(self):
        page = (ROOT / "docs/fortran.md").read_text()
        (line,) = [one for one in page.splitlines() if one.startswith("mpifort ") and "pkg-config" in one]
        line = line.replace("mpifort", os.environ["MPIFORT"], 1).replace("pkg-config", f"pkg-config --define-variable=prefix={self.tree}")
        shutil.copy(ROOT / "examples/fortran/ring.f90", self.tree / "solver.f90")
        packages = str(self.tree / self.options["libdir"] / "pkgconfig")
        done = run("sh", "-c", line, cwd=self.tree, env={**os.environ, "PKG_CONFIG_PATH": packages})
        self.assertEqual(done.returncode, 0, done)
        self.measures_in_fortran(self.tree / "solver")

    @unittest.skipUnless(os.environ["MPIFORT"] and shutil.which("cmake"), "there is no MPI library for Fortran, or no CMake")
    def test_cmake_compiles_the_installed_module(self):
        project = self.tree / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(ring LANGUAGES C Fortran)\nfind_package(MPI REQUIRED COMPONENTS Fortran)\n"
            f"find_package(sonde REQUIRED COMPONENTS fortran)\nadd_executable(ring {ROOT}/examples/fortran/ring.f90)\n"
            "target_link_libraries(ring PRIVATE sonde::fortran MPI::MPI_Fortran)\n")
        wrappers = [f"-DMPI_{name}_COMPILER={os.environ['MPIFORT'].replace('mpifort', wrapper)}"
                    for name, wrapper in {"C": "mpicc", "Fortran": "mpifort"}.items()]
        for words in (["-S", ".", "-B", "built", f"-DCMAKE_PREFIX_PATH={self.tree}", *wrappers], ["--build", "built"]):
            done = run("cmake", *words, cwd=project)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.measures_in_fortran(project / "built/ring")

    @unittest.skipUnless(os.environ["JAVA"], "the Java package is not built")
    def test_an_application_in_java_finds_the_package(self):
        java = pathlib.Path(os.environ["JAVA"])
        jar = self.tree / self.options["datadir"] / "java/sonde.jar"
        done = run(str(java.parent / "javac"), "-cp", str(jar), "-d", str(self.tree), str(ROOT / "examples/java/Plate.java"))
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), done)
        done = run(os.environ["MPI_RUN"], "-t", "60", "-n", "2", str(java), f"-Djava.library.path={self.tree / self.options['libdir']}",
                   "-cp", f"{jar}:{self.tree}", "Plate")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0].split()[0]), (0, "name"), done)

    @unittest.skipUnless(os.environ["JAVA"], "the Java package is not built")
    def test_the_programs_in_java_run(self):
        jars = self.tree / self.options["datadir"] / "java"
        done = run(os.environ["MPI_RUN"], "-t", "60", "-n", "2", os.environ["JAVA"], f"-Djava.library.path={self.tree / self.options['libdir']}",
                   "-cp", f"{jars}/sonde.jar:{jars}/sonde-osu.jar", "org.sonde.osu.OSUGather", "-m", "8:8", "-i", "2", "-x", "0", "-c")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "# OSU Gather Test"), done)

    @unittest.skipUnless(os.environ["MAN_PAGES"], "help2man is not installed")
    def test_every_program_has_a_man_page(self):
        pages = {path.stem: path.read_text() for path in (self.tree / self.options["mandir"] / "man1").iterdir()}
        self.assertEqual(sorted(pages), sorted(self.names + TOOLS))
        named = {"osu_latency": "OSU MPI Latency Test", "IMB-RMA": "component RMA of the Intel MPI Benchmarks, measured by Sonde",
                 "sonde-map": "measures latency and bandwidth between all pairs of nodes"}
        for name, text in pages.items():
            self.assertIn(f'\n.TH {name.upper()} "1" ', text)
            self.assertIn("\n.SH OPTIONS\n" if name not in ("sonde-model", "sonde-replay") else "\n.SH DESCRIPTION\n", text)
        for name, text in named.items():
            self.assertIn(f"{name} \\- {text}\n", pages[name])
        self.assertIn("\\fB\\-m\\fR, \\fB\\-\\-message\\-size\\fR", pages["osu_latency"])

    def completions(self):
        return self.tree / self.options["datadir"] / "bash-completion/completions"

    def test_tools_and_suites_have_a_file_of_completions_each(self):
        files = {path.name: os.readlink(path) for path in self.completions().iterdir() if path.is_symlink()}
        self.assertEqual(files, {**dict.fromkeys(TOOLS, "sonde"), **dict.fromkeys(self.names, "osu-imb")})

    def completed(self, *words):
        place = self.completions() / words[0]
        script = f'. "{place}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sonde "$1"; printf "%s\\n" "${{COMPREPLY[@]}}"; complete -p {words[0]}'
        done = run("bash", "-c", script, "bash", *words, env={**os.environ, "PATH": f"{self.tree / 'bin'}:{os.environ['PATH']}"})
        *found, registered = done.stdout.splitlines()
        self.assertEqual(registered, f"complete -o default -F _sonde {words[0]}", done)
        return found

    def test_bash_completes_options_commands_and_benchmarks(self):
        self.assertEqual(self.completed("osu_latency", "--val"), ["--validation", "--validation-warmup"])
        self.assertEqual(self.completed("sonde-map", "--lat"), ["--latency"])
        self.assertEqual(self.completed("sonde-model", "p"), ["predict"])
        self.assertEqual(self.completed("sonde-replay", "a"), ["assess"])
        self.assertEqual(self.completed("sonde-replay", ""), ["show", "run", "assess", "hang", "--help", "--version"])
        self.assertEqual(self.completed("sonde-model", "fit", "--mod"), ["--model"])
        self.assertEqual(self.completed("IMB-MPI1", "-msgl"), ["-msglen", "-msglog"])
        self.assertIn("PingPong", self.completed("IMB-MPI1", "Ping"))


if __name__ == "__main__":
    unittest.main()
