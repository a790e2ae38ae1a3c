#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""recipes.py ROOT

Reads the recipes in packaging/ with small replacements of Spack and EasyBuild, and fails if
- an option of the build that a recipe sets is not in meson_options.txt, or does not have that value;
- a recipe that builds programs leaves an option to chance;
- a recipe names a folder of the suites' programs in which none is installed;
- a recipe that names tools does not name those of examples/programs.txt;
- a condition of Spack's recipe names no variant, or the recipe lacks the compiler of a language;
- a file of Debian's package, or a package in the image, does not go with debian/control;
- a package of Debian has programs without their man pages and completions.
"""
import contextlib
import fnmatch
import itertools
import pathlib
import re
import sys
import types

root = pathlib.Path(sys.argv[1])
FOR_TESTS = {"hwloc"}  # a library that only tests use
ROWS = [line.split() for line in (root / "examples/programs.txt").read_text().splitlines() if line[0] != "#"]
PACKAGES = {"sonde-benchmarks", "sonde-tools"}
TOOLS = {name for row in ROWS if row[0] == "tools" for name in row[2:]}


def meson_options():
    """Name, values of each option; no values for texts."""
    text = (root / "meson_options.txt").read_text()
    values = {"feature": ("enabled", "disabled", "auto"), "boolean": ("true", "false"), "string": ()}
    return {name: values[kind] for name, kind in re.findall(r"^option\('(\w+)', type: '(\w+)'", text, re.M)}


OPTIONS = meson_options()
FEATURES = {name for name, values in OPTIONS.items() if "auto" in values} - FOR_TESTS


def option_faults(recipe, arguments, programs=True):
    """The faults of arguments -Dname=value in a list or a text."""
    given = dict(re.findall(r"-D(\w+)=(\S*)", " ".join(arguments) if isinstance(arguments, list) else arguments))
    for name, value in given.items():
        if name not in OPTIONS:
            yield f"{recipe}: -D{name} is no option of the build"
        elif OPTIONS[name] and value not in OPTIONS[name]:
            yield f"{recipe}: -D{name} cannot be {value}"
    yield from (f"{recipe} leaves {name} to chance" for name in sorted(FEATURES - set(given)) if programs)


def suite_folders():
    """The folders below libexec/sonde with programs of the suites, and their parents."""
    folders = {row[1] for row in ROWS if row[0] != "tools"}
    return folders | {str(parent) for folder in folders for parent in pathlib.Path(folder).parents}


def folder_faults(recipe, paths):
    """The faults of paths below libexec/sonde, of folders or programs."""
    known = suite_folders()
    for path in paths:
        below = pathlib.PurePath(path).relative_to("libexec/sonde")
        if str(below.parent if below.name.startswith(("osu_", "IMB-")) else below) not in known:
            yield f"{recipe}: {path} is not installed"


def tool_faults(recipe, text):
    named = set(re.findall(r"\bsonde-[a-z]+", text)) - PACKAGES
    yield from (f"{recipe} and examples/programs.txt differ in {tool}" for tool in sorted(named ^ TOOLS))


class Spec:
    """A concrete spec of Spack: its variants, and a prefix for each dependency."""

    def __init__(self, variants):
        self.variants = variants

    def satisfies(self, variant):
        return variant[1:] in self.variants

    def __getitem__(self, dependency):
        return types.SimpleNamespace(prefix=Prefix("/opt/" + dependency), mpicxx="mpicxx")


class Prefix(str):
    """A folder of Spack, whose attributes are paths below it."""

    def __getattr__(self, name):
        return Prefix(f"{self}/{name}")


class Started:
    """A program that a test of Spack starts."""

    def __init__(self, path, called):
        self.path, self.called = path, called

    def add_default_env(self, name, value):
        self.called.append(("environment", (name,), {}))

    def __call__(self, *words):
        self.called.append(("start", (pathlib.Path(self.path), *words), {}))


def spack_package():
    """The class of the recipe, and the directives that its body calls: name, arguments, keywords."""
    called = []

    def directive(name):
        return lambda *arguments, **keywords: called.append((name, arguments, keywords))

    @contextlib.contextmanager
    def when(condition):
        called.append(("when", (), {"when": condition}))
        yield

    names = {name: directive(name) for name in ("license", "version", "variant", "depends_on", "conflicts", "requires")}
    names |= {"cache_extra_test_sources": lambda package, paths: called.append(("keep", tuple(paths), {})), "SkipTest": AssertionError,
              "run_after": lambda phase: lambda method: method, "Executable": lambda path: Started(path, called)}
    package = types.ModuleType("spack.package")
    package.__dict__.update(names, when=when, join_path=lambda *parts: "/".join(map(str, parts)))
    meson = types.ModuleType("meson")
    meson.MesonPackage = type("MesonPackage", (), {})
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
    for part in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[part] = types.ModuleType(part)
    sys.modules["spack_repo.builtin.build_systems.meson"] = meson
    scope = {}
    exec(compile((root / "packaging/spack/package.py").read_text(), "package.py", "exec"), scope)
    return scope["Sonde"], called


def spack_faults():
    recipe, called = spack_package()
    variants = {arguments[0] for name, arguments, _ in called if name == "variant"}
    dependencies = {arguments[0] for name, arguments, _ in called if name == "depends_on"}
    for name, arguments, keywords in called:
        conditions = [keywords.get("when", "")] + (list(arguments) if name in ("conflicts", "requires") else [])
        for named in re.findall(r"(?<!\w)[+~](\w+)", " ".join(conditions)):
            if named not in variants:
                yield f"package.py: {name} names the variant {named}, which there is not"
    for size in range(len(variants) + 1):
        for chosen in itertools.combinations(sorted(variants), size):
            package = recipe()
            package.spec = Spec(chosen)
            given = package.meson_args()
            yield from option_faults("package.py", given)
            yield from (f"package.py has no compiler for {language}" for language in ("c", "fortran")
                        if f"-D{language}=enabled" in given and language not in dependencies)


def spack_smoke_faults():
    """Faults of the recipe's tests: they start the smoke test, which the installation keeps, with each of its parts."""
    recipe, called = spack_package()
    package = recipe()
    package.spec, package.prefix = Spec(("tools", "suites")), "/opt/sonde"
    package.test_suite = types.SimpleNamespace(current_test_cache_dir=root)
    package.keep_smoke_test()
    tests = [name for name in vars(recipe) if name.startswith("test_")]
    for name in tests:
        getattr(package, name)()
    script = root / "packaging/smoke/smoke_test.sh"
    parts = re.search(r"^    (\w+(?: \| \w+)+)\) \$part", script.read_text(), re.M)[1].split(" | ")
    started = [arguments for name, arguments, _ in called if name == "start"]
    if started != [(script, "/opt/sonde", part) for part in parts] or tests != ["test_" + part for part in parts]:
        yield f"package.py starts {started}, and the parts of the smoke test are {parts}"
    if ("keep", ("packaging/smoke",), {}) not in called:
        yield "package.py does not keep the smoke test"
    variables = {arguments[0] for name, arguments, _ in called if name == "environment"}
    yield from (f"package.py sets {name}, which the smoke test does not read" for name in variables if f"${{{name}:-" not in script.read_text())


def easybuild_faults(file):
    scope = {}
    exec(compile(file.read_text(), file.name, "exec"), scope)
    tool = scope["toolchain"]
    if file.name != f"{scope['name']}-{scope['version']}-{tool['name']}-{tool['version']}.eb":
        yield f"{file.name} is not called like its contents"
    if not {"Meson", "Ninja"} <= {name for name, _ in scope["builddependencies"]}:
        yield f"{file.name}: MesonNinja needs Meson and Ninja"
    yield from option_faults(file.name, scope["configopts"])
    named = [*itertools.chain(*scope["sanity_check_paths"].values()), *itertools.chain(*scope.get("modextrapaths", {}).values())]
    yield from tool_faults(file.name, " ".join(path for path in named if path.startswith("bin/")))
    yield from folder_faults(file.name, [path for path in named if path.startswith("libexec/")])


def parts_left_out(paths):
    """The programs of a package whose man pages or completions are in another one."""
    for program in (path.removeprefix("usr/bin/") for path in paths if path.startswith("usr/bin/")):
        for part in (f"usr/share/man/man1/{program}.1", f"usr/share/bash-completion/completions/{program}"):
            if not any(fnmatch.fnmatchcase(part, path) for path in paths):
                yield program, part


def debian_faults():
    folder = root / "packaging/debian"
    control = (folder / "control").read_text()
    packages = re.findall(r"^Package: (\S+)$", control, re.M)
    files = {file.stem for file in folder.glob("*.install")}
    yield from (f"debian/{name}.install and debian/control do not agree" for name in sorted(files ^ set(packages)))
    for file in sorted(folder.glob("*.install")):
        yield from (f"debian/{file.name} has {program}, but not its {part}" for program, part in parts_left_out(file.read_text().split()))
    for name in re.findall(r"^Tests: (\S+)$", (folder / "tests/control").read_text(), re.M):
        if not (folder / "tests" / name).is_file():
            yield f"debian/tests/{name} is not there"
    programs, headers = re.findall(r"^PROGRAMS := ((?:.*\\\n)*.*)", (folder / "rules").read_text(), re.M)
    yield from option_faults("debian/rules", programs + " -Dtests=disabled")
    yield from option_faults("debian/rules", headers, programs=False)
    built_with = set(re.findall(r"[\w.+-]+", re.sub(r"\([^)]*\)|Build-Depends(-Arch)?:", "", control.partition("Build-Depends:")[2]
                                                      .partition("Standards-Version")[0])))
    image = (root / "packaging/apptainer/sonde.def").read_text()
    installed = set(re.search(r"--no-install-recommends install((?:.*\\\n)*.*)", image)[1].replace("\\", "").split())
    yield from (f"{name} is in one of sonde.def and debian/control"
                for name in sorted(built_with ^ installed ^ {"debhelper-compat"}))
    yield from tool_faults("debian/control", control)
    yield from option_faults("sonde.def", image)
    yield from folder_faults("sonde.def", re.findall(r"libexec/sonde[\w/-]*", image))


def faults():
    yield from spack_faults()
    yield from spack_smoke_faults()
    for file in sorted((root / "packaging/easybuild").glob("*.eb")):
        yield from easybuild_faults(file)
    yield from debian_faults()
    yield from option_faults("portfile.cmake", (root / "packaging/vcpkg/sonde/portfile.cmake").read_text(), programs=False)


found = list(dict.fromkeys(faults()))
print("\n".join(found) if found else "the recipes go with the build")
sys.exit(1 if found else 0)
