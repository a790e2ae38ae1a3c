#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tables.py [--check] ROOT [EXAMPLES]

Writes the tables of the pages that the sources know: between `<!-- table: NAME -->` and `<!-- /table -->`. `headers` is of
include/sonde/, `hooks of CONCEPT` of its list of hooks, `forms of report` of its table; with the folder EXAMPLES of a build,
`osu options` and `imb options` are of the help of its programs. With --check changes nothing, and fails where a page shows
another table.
"""
import collections
import pathlib
import re
import subprocess
import sys
import textwrap

TABLE = re.compile(r"(?<=^<!-- table: )(?P<name>[\w ]+)(?P<open> -->\n)(?P<rows>.*?)(?=^<!-- /table -->$)", re.M | re.S)
OSU = {"osu_pt2pt": "point-to-point", "osu_collective": "collective", "osu_one_sided": "one-sided"}


def reached(include, header, seen):
    """The headers that a header includes, at any depth."""
    for name in re.findall(r"^#include <(sonde/[\w/]+\.hpp)>", (include / header).read_text(), re.M):
        if name not in seen:
            seen.add(name)
            reached(include, name, seen)
    return seen


def headers(root):
    """A line for each topic: its header, and the names of those in its folder; in italics what sonde.hpp or mpi.hpp includes. The
    first line has the topics without a folder."""
    include = root / "include"
    common = reached(include, "sonde/sonde.hpp", {"sonde/sonde.hpp"}) | reached(include, "sonde/mpi.hpp", {"sonde/mpi.hpp"})
    topics = collections.defaultdict(list)
    for path in sorted(include.rglob("*.hpp")):
        name = str(path.relative_to(include))
        parts = name.removeprefix("sonde/").removesuffix(".hpp").split("/")
        shown = "/".join(parts[1:]) or f"`{parts[0]}.hpp`"
        topics[parts[0]].append(f"*{shown}*" if name in common else shown)
    del topics["detail"]
    alone = [found[0] for found in topics.values() if len(found) == 1]
    lines = [f"- {', '.join(alone)}"]
    for topic, found in sorted(topics.items()):
        own, *others = sorted(found, key=lambda text: "`" not in text)
        lines += [f"- {own}, `{topic}/`: {', '.join(others)}"] if others else []
    yield from (textwrap.fill(line, width=158, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) for line in lines)


def forms(root):
    """A row for each form of a report: its endings, its word on a command line, and what it is."""
    text = (root / "include/sonde/report/form.hpp").read_text()
    rows = text[text.index("report_forms{"):text.index("\n};\n", text.index("report_forms{"))].split("report_form_properties{")[1:]
    yield "| ending | word | file |\n|---|---|---|"
    for row in rows:
        word, *endings, what = re.findall(r'"([^"]*)"', row)
        yield f"| {', '.join(f'`{ending}`' for ending in endings)} | `{word}` | {what} |"


HOOK = re.compile(r'hook\(sonde::(\w+), [\w:* ]+, (\w+), \(([^)]*)\), (const)?,((?: *"(?:[^"\\\\]|\\\\.)*")+)')


def hooks(root):
    """{table: a row for each hook of a concept}"""
    found = collections.defaultdict(lambda: ["| optional member | meaning |\n|---|---|"])
    for concept, name, parameters, constness, meaning in HOOK.findall(re.sub(r" *\\\n *", " ", (root / "include/sonde/detail/hooks.inc").read_text())):
        arguments = ", ".join(re.findall(r"(\w+)(?=,|$)", parameters))
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', meaning)).replace('\\"', '"')
        found[f"hooks of {concept}"].append(f"| `{name}({arguments}){' const' if constness else ''}` | {text} |")
    return found


def options_of(program, flag):
    """(option, argument and meaning) of each line of a program's help."""
    shown = subprocess.run([program, flag], stdout=subprocess.PIPE, text=True, timeout=60, check=True).stdout
    for line in shown[shown.index("Options:\n"):].splitlines()[1:]:
        if found := re.match(r" +(-\S+(?:, --?\S+)?(?: \S+)*)  +(.*)", line):
            yield found[1], re.sub(r" ?\(see docs/[^)]*\)|;? see docs/[^;)]*", "", found[2])


def table(families, of_program, flag):
    """The options of programs: {family: programs}."""
    rows = collections.defaultdict(dict)
    for family, names in families.items():
        for program in names:
            for option in options_of(of_program / program, flag):
                rows[option][family] = None
    yield "| option | meaning | programs |\n|---|---|---|"
    for (option, meaning), found in rows.items():
        of = "all" if len(found) == len(families) else ", ".join(found)
        yield "| {} | {} | {} |".format(*(cell.replace("|", "\\|") for cell in (f"`{option}`", meaning, of)))


def osu_options(examples):
    osu = examples / "osu"
    families = {family: (osu / f"{name}.links").read_text().split() for name, family in OSU.items() if (osu / f"{name}.links").exists()}
    return table(families, osu, "--help")


def imb_options(examples):
    names = [name for name in (examples / "imb/imb.links").read_text().split() if name != "IMB-EXAMPLE"]
    return table({name.removeprefix("IMB-"): [name] for name in names}, examples / "imb", "-help")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    root, check = pathlib.Path(arguments[0]), "--check" in sys.argv
    made = {"headers": lambda: headers(root), "forms of report": lambda: forms(root)} | {name: rows.copy for name, rows in hooks(root).items()}
    if len(arguments) > 1:
        examples = pathlib.Path(arguments[1])
        made |= {"osu options": lambda: osu_options(examples), "imb options": lambda: imb_options(examples)}
    used, faults = set(), []
    for page in sorted((root / "docs").rglob("*.md")):
        before = page.read_text()
        after = TABLE.sub(lambda m: m["name"] + m["open"] + ("\n".join(made[m["name"]]()) + "\n" if m["name"] in made else m["rows"]), before)
        used |= {found["name"] for found in TABLE.finditer(before)}
        if after != before and check:
            faults.append(f"{page}: a table is not that of the sources; run scripts/tables.py {' '.join(arguments)}")
        elif after != before:
            page.write_text(after)
    faults += [f"no page shows the table {name}" for name in sorted(made.keys() - used)]
    print("\n".join(faults) if faults else f"{len(made)} tables")
    return 1 if faults else 0


sys.exit(main())
