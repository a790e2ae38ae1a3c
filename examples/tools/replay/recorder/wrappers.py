#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""wrappers.py TABLE OUTPUT, wrappers.py --names TABLE

Writes the definitions of the functions of calls.txt: MPI_X and PMPI_X for C, mpi_x_ and the names of mpi_f08 in Open MPI and
MPICH for Fortran. A function of Fortran notes where it was called and calls the library's, which calls the one of C.
An application or a tool that has an MPI_X of its own calls PMPI_X in it, so that both are recorded, each call once. --names
prints the functions of C that are defined where the header has them, without MPI_, each with its section of the table.
"""
import re
import sys

# Of these entry_points.cpp defines MPI_X, which calls traced_X.
WRAPPED = ("Comm_create_from_group",)
# That entry_points.cpp defines and the page of a rank names.
OTHER_CALLS = ("Finalize", "Comm_free", "Comm_disconnect", "Win_free")

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
            before, _, after = ("" if section == "counted" else next(lines)).rpartition(";")
            for name in names.split("|"):
                yield section, name.strip(), parameters, before.strip(), after.strip()


def with_forms(all_rows):
    """The rows, and the nonblocking and the persistent form of collectives."""
    persistent = []
    for row in all_rows:
        yield row
        if row[0] == "collectives":
            _, name, parameters, before, after = row
            yield "forms", f"I{name.lower()}", f"{parameters}, MPI_Request* request", before, f"{after}.starts(*request)"
            persistent.append(("forms", f"{name}_init", f"{parameters}, MPI_Info info, MPI_Request* request", before, f"{after}.keeps(*request)"))
    yield "#ifdef HAS_MPI_Barrier_init"
    yield from persistent
    yield "#endif"


def large(parameters):
    """The parameters of the form for large counts: the same ones if there is no such form."""
    if "MPI_Datatype" not in parameters and "disp_unit" not in parameters:
        return parameters.replace("int* size", "MPI_Count* size")
    parameters = re.sub(r"\bint (\w*count)\b", r"MPI_Count \1", parameters)
    parameters = re.sub(r"\bint const (\w*counts\[\])", r"MPI_Count const \1", parameters)
    return re.sub(r"\bint (const \w*displs\[\]|disp_unit)", r"MPI_Aint \1", parameters)


def arguments(parameters):
    return [re.search(r"(\w+)\)?(?:\[\d*\])*$", one)[1] for one in parameters.split(", ") if one]


# Of those of a group the others call nothing, or there is no communicator yet.
NOT_OF_A_COMMUNICATOR = ("Comm_create_group", "Comm_create_from_group")
ANNOUNCED = {"on", "on_window", "at", "to", "from", "root", "sends", "receives", "sends_with_root", "sends_to_root", "receives_from_root", "reduces"}


def announced(section, name, before, after):
    """What is known before the call: its roles, and the arguments that need no table."""
    roles = []
    if section in ("collectives", "forms") or name == "Win_fence" or re.search(r"made|becomes", after) and name not in NOT_OF_A_COMMUNICATOR:
        roles.append("collective_role")
    if "completed(" in after:
        roles.append("any_request_role")
    known = [f"with({' | '.join(roles)})"] if roles else []
    known += [f"{member}({given})" for member, given in re.findall(r"(\w+)\(([^()]*)\)", after) if member in ANNOUNCED]
    known += [f"names({given})" for given in re.findall(r"remembers\(([^()]*)\)", before)]
    return f"    d.announced().{'.'.join(known)};\n" if known else ""


def noted(chain):
    return f"    d.{chain};\n" if chain else ""


def described(chain):
    """What is read after the call: nothing behind `found`, if it found nothing."""
    found, rest = re.fullmatch(r"(found\([^)]*\))?\.?(.*)", chain).groups()
    condition = f"d.succeeded(code) && d.{found}" if found else "d.succeeded(code)"
    return f"    if ({condition}) d.{rest};\n"


def both_names(name, parameters, traced):
    """MPI_X, which calls that of a library that is loaded later, and PMPI_X."""
    return "".join(f"""extern "C" SONDE_ENTRY_POINT int {prefix}{name}({parameters}) {{
    static auto* const next = tools::replay::library_function<decltype(PMPI_{name})>("{prefix}{name}");
    return tools::replay::{traced}({", ".join(["__builtin_return_address(0)", "next", *arguments(parameters)])});
}}
""" for prefix in ("MPI_", "PMPI_"))


def recorded(section, name, parameters, before, after, call):
    given = ", ".join(arguments(parameters))
    tracked = re.search(r"completes?d?\(|frees\(|made\w*\(|becomes\(|opens\(|closes\(", before + after)
    return f"""
namespace tools::replay {{
static int traced_{name}({", ".join(filter(None, ["void const* return_address", f"decltype(PMPI_{name})* library", parameters]))}) {{
    call_description d{{call_{call}, return_address, {"true" if tracked else "false"}}};
    if (!d.is_recorded()) return library({given});
{noted(before)}{announced(section, call, before, after)}    d.begin();
    int const code = library({given});
{described(after)}    return code;
}}
}}
""" + (both_names(name, parameters, f"traced_{name}") if name not in WRAPPED else "")


def fortran_names(name, parameters):
    """Of all arguments and the error; behind them are the lengths of texts."""
    count = len(arguments(parameters)) + 1 + parameters.count("char const*")
    return "".join(fortran(f"mpi_{name.lower()}_{suffix}", count) for suffix in ("", "f08_", "f08ts_"))


def fortran(name, count):
    given = ", ".join(f"a{i}" for i in range(count))
    parameters = ", ".join(f"void* a{i}" for i in range(count))
    return f"""extern "C" SONDE_ENTRY_POINT void {name}({parameters}) {{
    static auto* const library = tools::replay::library_function<void({parameters})>("{name}");
    tools::replay::fortran_call const noted{{__builtin_return_address(0)}};
    library({given});
}}
"""


def counted(name, parameters, call):
    """A communicator that the call makes is the last one of its arguments."""
    given = arguments(parameters)
    comm = ".on(comm)" if "comm" in given else ""
    made = [one for one in given if re.fullmatch(r"new(inter)?comm|intercomm", one) and f"MPI_Comm* {one}" in parameters]
    named = f"    if (code == MPI_SUCCESS) noted.made(*{made[0]});\n" if made else ""
    return f"""
namespace tools::replay {{
static int traced_{name}(void const* return_address, decltype(PMPI_{name})* library, {parameters}) {{
    counted_call const noted{{announced_call{{call_{call}}}{comm}, "{call}", return_address}};
    int const code = library({", ".join(given)});
{named}    return code;
}}
}}
""" + both_names(name, parameters, f"traced_{name}")


def definitions(row):
    """The functions of a row, and those for large counts."""
    section, name, parameters, before, after = row
    text = ""
    for form, its_parameters in forms(name, parameters):
        one = counted(form, its_parameters, name) if section == "counted" else recorded(section, form, its_parameters, before, after, name)
        text += one if form == name else f"#ifdef HAS_MPI_Send_c{one}#endif\n"
    return text + (fortran_names(name, parameters) if section != "counted" else "")


def forms(name, parameters):
    """The function, and that for large counts if there is one: names and parameters."""
    return [(name, parameters)] + ([(f"{name}_c", large(parameters))] if large(parameters) != parameters else [])


def print_names(table):
    for section, name, parameters, _, _ in (row for row in table if not isinstance(row, str)):
        for form, _ in forms(name, parameters):
            print(form, section)


def main():
    with open(sys.argv[-1] if sys.argv[1] == "--names" else sys.argv[1], encoding="utf-8") as file:
        table = list(with_forms(rows(file.read())))
    if sys.argv[1] == "--names":
        return print_names(table)
    text = "// Made from calls.txt by wrappers.py.\n"
    calls = [row if isinstance(row, str) else f"%{row[1]}" for row in table] + ["%" + name for name in OTHER_CALLS]
    lists = {form: "\n".join(one if one.startswith("#") else f"    {form.replace('%', one[1:])}," for one in calls)
             for form in ("call_%", '"%"')}
    text += ("namespace tools::replay {\nenum : std::int32_t {\n" + lists["call_%"] + "\n    call_count\n};\n"
             "static constexpr char const* names_of_calls[] = {\n" + lists['"%"'] + "\n};\n}\n")
    text += "".join(row + "\n" if isinstance(row, str) else definitions(row) for row in table) + fortran_names("finalize", "")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(text)


main()
