# SPDX-License-Identifier: BSL-1.0
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load, rmdir
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain


class SondeConan(ConanFile):
    name = "sonde"
    license = "BSL-1.0"
    description = "Header-only C++20 library that measures the communication of an MPI application in its running job"
    topics = ("mpi", "benchmark", "hpc", "performance", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "include", "sonde", "version.hpp"))
        self.version = re.search(r'^#define SONDE_VERSION "(.*)"$', text, re.M)[1]

    def export_sources(self):
        """The sources are those of the checkout that has this recipe."""
        for pattern in ("bindings/*", "drawing/*", "include/*", "packaging/cmake/*", "dependencies/*", "docs/*", "scripts/*", "meson*", "*.md", "LICENSE"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def layout(self):
        basic_layout(self)
        self.cpp.package.resdirs = ["share"]  # Meson's datadir

    def validate(self):
        check_min_cppstd(self, 20)

    def build_requirements(self):
        self.tool_requires("meson/[>=1.0 <2]")

    def generate(self):
        """Nothing is compiled: the headers find MPI and other libraries where an application is compiled."""
        toolchain = MesonToolchain(self)
        toolchain.project_options.update({"examples": "disabled", "tests": "disabled", "mpi": "disabled"})
        toolchain.generate()

    def build(self):
        Meson(self).configure()

    def package(self):
        Meson(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share", "doc"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        """CMake takes the configuration that Sonde installs, which defines sonde::sonde, sonde::mpi and others."""
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "sonde")]
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.set_property("pkg_config_name", "sonde")
