#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""wrappers.py TABLE OUTPUT

Writes the definitions of the functions of calls.txt: MPI_X and PMPI_X for C, mpi_x_ and the names of mpi_f08 in Open MPI and
MPICH for Fortran. A function of Fortran notes where it was called and calls the library's, which calls the one of C.
"""
import re
import sys

ROW = re.compile(r"([\w| ]+)\((.*)\)")


def rows(table):
    """(section, name, parameters, before, after) of each function, and lines of the preprocessor as they are."""
    section = ""
    lines = iter(line for line in table.splitlines() if line and not line.startswith("# "))
    for line in lines:
        if line.startswith("#"):
            yield line
        elif line.startswith("["):
            section = line.strip("[]")
        else:
            names, parameters = ROW.fullmatch(line).groups()
            before, _, after = ("" if section == "counted" else next(lines)).partition(";")
            for name in names.split("|"):
                yield section, name.strip(), parameters, before.strip(), after.strip()


def with_forms(all_rows):
    """The rows, and the nonblocking and the persistent form of collectives."""
    persistent = []
    for row in all_rows:
        yield row
        if row[0] == "collectives":
            _, name, parameters, before, _ = row
            yield "calls", f"I{name.lower()}", f"{parameters}, MPI_Request* request", before, "starts(*request)"
            persistent.append(("calls", f"{name}_init", f"{parameters}, MPI_Info info, MPI_Request* request", before, "keeps(*request)"))
    yield "#if MPI_VERSION >= 4"
    yield from persistent
    yield "#endif"


def arguments(parameters):
    return [re.search(r"(\w+)\)?(?:\[\d*\])*$", one)[1] for one in parameters.split(", ")]


def described(chain):
    return f"        d.{chain};\n" if chain else ""


def recorded(name, parameters, before, after):
    given = ", ".join(arguments(parameters))
    return f"""
namespace tools::replay {{
static int traced_{name}(void const* return_address, decltype(PMPI_{name})* library, {parameters}) {{
    call_description d{{call_{name}, return_address}};
    if (d.is_recorded()) {{
{described(before)}        d.begin();
        int const code = library({given});
        d.end();
{described(after)}        return code;
    }}
    return library({given});
}}
}}
extern "C" SONDE_ENTRY_POINT int MPI_{name}({parameters}) {{
    static auto* const next = tools::replay::library_function<decltype(PMPI_{name})>("MPI_{name}");
    return tools::replay::traced_{name}(__builtin_return_address(0), next, {given});
}}
extern "C" SONDE_ENTRY_POINT int PMPI_{name}({parameters}) {{
    auto* const library = SONDE_LIBRARY_CALL({name});
    return tools::replay::is_in_fortran() ? tools::replay::traced_{name}(nullptr, library, {given}) : library({given});
}}
""" + "".join(fortran(f"mpi_{name.lower()}_{suffix}", len(arguments(parameters)) + 1) for suffix in ("", "f08_", "f08ts_"))


def fortran(name, count):
    given = ", ".join(f"a{i}" for i in range(count))
    parameters = ", ".join(f"void* a{i}" for i in range(count))
    return f"""extern "C" SONDE_ENTRY_POINT void {name}({parameters}) {{
    static auto* const library = tools::replay::library_function<void({parameters})>("{name}");
    tools::replay::fortran_call const noted{{__builtin_return_address(0)}};
    library({given});
}}
"""


def counted(name, parameters):
    return f"""
extern "C" SONDE_ENTRY_POINT int MPI_{name}({parameters}) {{
    static auto* const next = tools::replay::library_function<decltype(PMPI_{name})>("MPI_{name}");
    tools::replay::counted_call const noted{{"{name}"}};
    return next({", ".join(arguments(parameters))});
}}
"""


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        table = list(with_forms(rows(file.read())))
    text = "// Made from calls.txt by wrappers.py.\n"
    calls = [row if isinstance(row, str) else f"%{row[1]}" for row in table if isinstance(row, str) or row[0] != "counted"]
    lists = {form: "\n".join(one if one.startswith("#") else f"    {form.replace('%', one[1:])}," for one in calls)
             for form in ("call_%", '"%"')}
    text += ("namespace tools::replay {\nenum : std::int32_t {\n" + lists["call_%"] + "\n    call_count\n};\n"
             "static constexpr char const* names_of_calls[] = {\n" + lists['"%"'] + "\n};\n}\n")
    for row in table:
        if isinstance(row, str):
            text += row + "\n"
        elif row[0] == "counted":
            text += counted(row[1], row[2])
        else:
            text += recorded(*row[1:])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(text)


main()
