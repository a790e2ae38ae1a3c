# SPDX-License-Identifier: BSL-1.0
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Sonde(MesonPackage):
    """Header-only C++20 library that measures the communication of an MPI application in its running job, tools for maps,
    comparisons and models of communication, and the programs of the OSU Micro-Benchmarks and Intel MPI Benchmarks."""

    homepage = "file:///path/to/sonde/README.md"  # /path/to/sonde: the clone, as packaging/README.md says
    git = "file:///path/to/sonde"

    license("BSL-1.0", checked_by="The Sonde developers")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("tools", default=True, description="Install the tools: sonde-map and others")
    variant("suites", default=True, description="Install the programs of the OSU and Intel MPI benchmarks")
    variant("boost_mpi", default=False, when="+suites", description="Send objects by Boost.MPI: osu_latency --payload")
    variant("cuda", default=False, description="Programs with memory of CUDA devices")
    variant("rocm", default=False, description="Programs with memory of ROCm devices")
    variant("nccl", default=False, when="+suites", description="Programs of NCCL, or of RCCL with +rocm")
    variant("shmem", default=False, when="+suites", description="Programs of OpenSHMEM, with that of Open MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type=("build", "test"))
    depends_on("cmake@3.16:", type="test")
    depends_on("mpi@3.1:")
    for programs in ("+tools", "+suites"):
        with when(programs):
            depends_on("help2man", type="build")
            depends_on("boost@1.74: +program_options")
            depends_on("nlohmann-json@3.11:")
    depends_on("eigen@3.4:", type="build", when="+tools")
    depends_on("boost@1.74: +mpi +serialization", when="+boost_mpi")
    depends_on("cuda", when="+cuda")
    depends_on("hip", when="+rocm")
    depends_on("nccl", when="+nccl +cuda")
    depends_on("rccl", when="+nccl +rocm")
    depends_on("openmpi +openshmem", when="+shmem")

    conflicts("+cuda", when="+rocm", msg="a program has one of the two runtimes")
    requires("+cuda", "+rocm", policy="one_of", when="+nccl", msg="NCCL needs +cuda, and RCCL +rocm")
    conflicts("%gcc@:11", msg="Sonde needs C++20: g++ 12 or later")
    conflicts("%clang@:13", msg="Sonde needs C++20: clang++ 14 or later")

    @run_after("install")
    def keep_smoke_test(self):
        cache_extra_test_sources(self, ["packaging/smoke"])

    def test_headers(self):
        """pkg-config and CMake find the headers, and an application measures"""
        self.run_smoke_test("headers")

    def test_tools(self):
        """the tools start, and read a log"""
        self.run_smoke_test("tools")

    def test_suites(self):
        """the OSU and IMB programs measure on two ranks"""
        self.run_smoke_test("suites")

    def run_smoke_test(self, part):
        if part != "headers" and not self.spec.satisfies("+" + part):
            raise SkipTest(f"installed without +{part}")
        program = Executable(join_path(self.test_suite.current_test_cache_dir, "packaging", "smoke", "smoke_test.sh"))
        program.add_default_env("MPICXX", self.spec["mpi"].mpicxx)
        program.add_default_env("MPIRUN", self.spec["mpi"].prefix.bin.mpirun)
        program(self.prefix, part)

    def meson_args(self):
        """The options of meson_options.txt; nothing is found by chance."""
        spec = self.spec

        def feature(name, variant):
            return f"-D{name}={'enabled' if spec.satisfies(variant) else 'disabled'}"

        programs = spec.satisfies("+tools") or spec.satisfies("+suites")
        args = [f"-D{name}={'enabled' if programs else 'disabled'}" for name in ("examples", "man_pages", "boost", "json")]
        args += [f"-D{name}=disabled" for name in ("tests", "fortran", "java", "python", "oneccl", "openacc", "upc", "upcxx")]
        args += ["-Dc=enabled", "-Dmpi=enabled", f"-Dmpi_prefix={spec['mpi'].prefix}"]
        args += [feature("install_tools", "+tools"), feature("eigen", "+tools"), feature("install_suites", "+suites")]
        args += [feature("cuda", "+cuda"), feature("hip", "+rocm"), feature("nccl", "+nccl"), feature("shmem", "+shmem")]
        if spec.satisfies("+cuda"):
            args.append(f"-Dtoolkit_path={spec['cuda'].prefix}")
        if spec.satisfies("+rocm"):
            args.append(f"-Drocm_path={spec['hip'].prefix}")
        return args
