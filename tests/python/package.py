#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""package.py PROMISE ROOT MPI_RUN

Checks of the package sonde, which PYTHONPATH has:
- types: mypy --strict accepts the package and the example;
- names: every public name has a description;
- alarm: a callable that raises while the other ranks wait in it ends the job, and its exception is on stderr;
- plots: records are drawn by matplotlib;
- notebook: the notebook of the page runs;
- pip: pip installs the package alone, without a network.
Exits with 77 if a program or module that the check needs is not installed.
"""

import importlib.util
import inspect
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

promise, root, mpi_run = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
FAILING = """
from mpi4py import MPI
import sonde

def fails():
    if MPI.COMM_WORLD.rank == 1:
        raise KeyError("missing")
    MPI.COMM_WORLD.Barrier()

sonde.run(MPI.COMM_WORLD, fails)
"""
INSTALLED = """
import sonde, sys
from mpi4py import MPI
assert sonde.__file__.startswith(sys.argv[1]), sonde.__file__
assert sonde.run(MPI.COMM_SELF, lambda: None, samples=3).stop == ("samples", 3)
print(sonde.__version__)
"""


def require(*modules):
    for module in modules:
        if importlib.util.find_spec(module) is None:
            print(f"{module} is not installed")
            sys.exit(77)


def run(*command, **options):
    done = subprocess.run([*map(str, command)], text=True, capture_output=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def types():
    require("mypy")
    with tempfile.TemporaryDirectory() as cache:
        check = (sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache)
        environment = {**os.environ, "MYPYPATH": os.environ["PYTHONPATH"]}
        print(run(*check, "-p", "sonde", env=environment), run(*check, root / "examples/python/halo.py", env=environment))


def names():
    import sonde

    public = {name: getattr(sonde, name) for name in sonde.__all__ if name != "__version__"}
    public |= {f"patterns.{name}": getattr(sonde.patterns, name) for name in sonde.patterns.__all__}
    for owner, value in [*public.items()]:
        if inspect.isclass(value):
            public |= {f"{owner}.{name}": member for name, member in vars(value).items() if not name.startswith("_")}
    missing = [name for name, value in public.items() if not (inspect.getdoc(value) or "").strip()]
    if missing or len(public) < 60:
        sys.exit(f"{len(public)} names; without a description: {missing}")


def alarm():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "failing.py")
        program.write_text(FAILING)
        command = [mpi_run, "-n", "3", sys.executable, program]
        done = subprocess.run(command, text=True, capture_output=True, env={**os.environ, "SONDE_WATCHDOG": "1"})
    said = "sonde: rank 1: KeyError: 'missing'; the other ranks wait in their callables for this rank, so the job ends"
    if done.returncode == 0 or said not in done.stderr:
        sys.exit(f"status {done.returncode}\n{done.stdout}{done.stderr}")


def plots():
    require("matplotlib")
    import matplotlib
    from mpi4py import MPI

    import sonde

    matplotlib.use("Agg")
    record = sonde.run(MPI.COMM_SELF, lambda: None, name="nothing", samples=9)
    axes = record.plot()
    assert axes.get_title() == "nothing" and (axes.lines[0].get_ydata() == record.samples * 1e6).all()
    assert record.plot(axes) is axes


def notebook():
    require("nbclient", "nbformat", "ipykernel", "pandas", "matplotlib")
    import nbclient
    import nbformat

    pages = nbformat.read(root / "docs/python.ipynb", as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        nbclient.NotebookClient(pages, timeout=100, resources={"metadata": {"path": folder}}).execute()


def pip():
    require("pip", "mesonpy", "tomllib")
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text())
    missing = {*project["project"]["dependencies"]} - {*project["build-system"]["requires"]}  # meson.build imports them
    assert not missing, f"a build in isolation lacks {missing}"
    with tempfile.TemporaryDirectory() as folder:
        source, prefix = pathlib.Path(folder, "source"), pathlib.Path(folder, "prefix")
        for part in ("bindings", "packaging/cmake", "dependencies", "docs/site", "drawing", "include", "scripts"):
            shutil.copytree(root / part, source / part)
        for part in ("LICENSE", "docs/python.md", "meson.build", "meson_options.txt", "pyproject.toml"):
            shutil.copy(root / part, source / part)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        install = (sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--prefix", prefix)
        once = f"--config-settings=builddir={folder}/build"  # meson-python 0.12 would compile for the metadata, too
        run(*install, once, "--config-settings=setup-args=-Doptimization=0", source, env=environment)
        (package,) = (path.parent for path in prefix.rglob("sonde/__init__.py"))
        run_installed = (sys.executable, "-c", INSTALLED, package)
        version = run(*run_installed, env={**environment, "PYTHONPATH": package.parent}).strip()
        assert version == run(root / "scripts/version.sh").strip(), version
        (metadata,) = prefix.rglob("METADATA")
        assert "\nLicense: BSL-1.0\n" in metadata.read_text() and (package / "LICENSE").is_file()
        others = [path for path in prefix.rglob("*") if path.is_file() and package.parent not in path.parents]
        assert not others, others


{f.__name__: f for f in (types, names, alarm, plots, notebook, pip)}[promise]()
