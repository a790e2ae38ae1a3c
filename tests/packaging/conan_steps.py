#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""conan_steps.py ROOT

Runs the steps of Conan's recipe with a small replacement of Conan: the exported files are enough to install, nothing is
compiled, and the package has all headers, the license and what CMake needs.
"""
import fnmatch
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types

root = pathlib.Path(sys.argv[1]).resolve()


def copy(_, pattern, src, dst):
    """Conan's: `*` also stands for folders; what git ignores is left out here, as in a clean checkout."""
    listed = subprocess.run(["git", "-C", src, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    files = listed.stdout.splitlines() or [str(f.relative_to(src)) for f in pathlib.Path(src).rglob("*") if f.is_file()]
    for file in files:
        if fnmatch.fnmatch(file, pattern):
            (pathlib.Path(dst) / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(pathlib.Path(src) / file, pathlib.Path(dst) / file)


class Meson:
    def __init__(self, recipe):
        self.recipe = recipe

    def meson(self, *arguments):
        done = subprocess.run(["meson", *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)

    def configure(self):
        options = [f"-D{name}={value}" for name, value in self.recipe.options_of_meson.items()]
        self.meson("setup", self.recipe.build_folder, self.recipe.source_folder, "--prefix", self.recipe.package_folder, *options)

    def install(self):
        compiled = subprocess.run(["ninja", "-C", self.recipe.build_folder, "-t", "commands", "all"], capture_output=True, text=True)
        if "-c" in compiled.stdout.split():
            sys.exit("something is compiled:\n" + compiled.stdout)
        self.meson("install", "-C", self.recipe.build_folder)


class MesonToolchain:
    def __init__(self, recipe):
        self.project_options = recipe.options_of_meson = {"datadir": recipe.cpp.package.resdirs[0]}

    def generate(self):
        pass


def replace_conan():
    modules = {
        "conan": {"ConanFile": type("ConanFile", (), {})},
        "conan.tools": {},
        "conan.tools.build": {"check_min_cppstd": lambda recipe, standard: None},
        "conan.tools.files": {"copy": copy, "load": lambda _, path: pathlib.Path(path).read_text(),
                              "rmdir": lambda _, path: shutil.rmtree(path, ignore_errors=True)},
        "conan.tools.layout": {"basic_layout": lambda recipe: None},
        "conan.tools.meson": {"Meson": Meson, "MesonToolchain": MesonToolchain},
    }
    for name, contents in modules.items():
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__dict__.update(contents)


def packaged(place):
    """The recipe after all of its steps, in the folder of this name."""
    scope = {}
    exec(compile((root / "packaging/conan/conanfile.py").read_text(), "conanfile.py", "exec"), scope)
    recipe = scope["SondeConan"]()
    recipe.recipe_folder = root / "packaging/conan"
    recipe.export_sources_folder = recipe.source_folder = place / "source"
    recipe.build_folder, recipe.package_folder = place / "build", place / "package"
    recipe.cpp = types.SimpleNamespace(package=types.SimpleNamespace())
    recipe.cpp_info = types.SimpleNamespace(set_property=lambda name, value: None)
    for step in ("set_version", "export_sources", "layout", "validate", "generate", "build", "package", "package_info"):
        getattr(recipe, step)()
    return recipe


def faults(recipe):
    package = recipe.package_folder
    headers = [{str(p.relative_to(folder)) for p in folder.rglob("*.?pp")} for folder in (root / "include", package / "include")]
    yield from (f"{name} is not in the package" for name in sorted(headers[0] - headers[1]))
    for file in (package / "licenses/LICENSE", package / recipe.cpp_info.builddirs[0] / "sonde-config.cmake"):
        if not file.is_file():
            yield f"{file.name} is not in the package"
    yield from (f"the package has the folder {folder}" for folder in ("bin", "lib", "libexec") if (package / folder).exists())
    if recipe.version != re.search('"(.*)"', (root / "include/sonde/version.hpp").read_text())[1]:
        yield f"the version is {recipe.version}"


replace_conan()
with tempfile.TemporaryDirectory() as folder:
    found = list(faults(packaged(pathlib.Path(folder))))
print("\n".join(found) if found else "the package has all headers")
sys.exit(1 if found else 0)
