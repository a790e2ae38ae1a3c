#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""job_names.py ROOT

Fails if docs/json.md does not name the launchers and resource managers of the library's tables in their order, or the
environment variables that are recorded, or if docs/mpi_libraries.md lacks a variable by which a launcher is recognized.
"""
import pathlib
import re
import sys


def faults(root):
    launchers = re.findall(r'^    \{"([^"]+)", "(\w+)", (?:"(\w+)"|nullptr), ', (root / "include/sonde/measure/launcher.hpp").read_text(), re.M)
    system = (root / "include/sonde/measure/system.hpp").read_text()
    jobs = re.findall(r'\{"(\w+)", "(\w+)"\}', system[system.index("recorded_environment_variables[]"):].partition(";")[0])
    settings = [name for table in ("recorded_array_variables[]", "recorded_transport_variables[]")
                for name in re.findall(r'"(\w+)"', system[system.index(table):].partition(";")[0])]
    if len(launchers) < 8 or len(jobs) < 4 or len(settings) < 7:
        yield "the tables are not found"
    json = (root / "docs/json.md").read_text()
    sentence = re.search(r"^Launchers are (.*?)\.", json, re.M | re.S)[1]
    for named, names in ((re.findall(r'`"([^"]+)"`', sentence), [name for name, *_ in launchers]),
                         (re.findall(r'`"(\w+)"`', re.search(r"^\| `resource_manager`.*$", json, re.M)[0]), [manager for _, manager in jobs])):
        if named != names:
            yield f"docs/json.md has {named}, the table {names}"
    yield from (f"docs/json.md lacks {name}" for name in [variable for variable, _ in jobs] + settings if f"`{name}`" not in json)
    page = (root / "docs/mpi_libraries.md").read_text()
    yield from (f"docs/mpi_libraries.md lacks {name}" for _, *variables in launchers for name in variables if name and f"`{name}`" not in page)


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "the pages have the names of the tables")
sys.exit(1 if found else 0)
