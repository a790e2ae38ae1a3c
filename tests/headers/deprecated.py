#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""deprecated.py INCLUDE_FOLDER

Fails if a header names a function or a constant that MPI has removed or deprecated (MPI 4.1, chapters 16 and 17), but for code that is
compiled only with an MPI library before MPI 4.0, which has no successor: the branch of `#if MPI_VERSION < 4`, or the `#else` of
`#if MPI_VERSION >= 4`. Canceling sends is deprecated, canceling receives is not: MPI_Cancel is allowed where a header says so.
"""
import pathlib
import re
import sys

REMOVED = """Address Attr_delete Attr_get Attr_put COMBINER_HINDEXED_INTEGER COMBINER_HVECTOR_INTEGER COMBINER_STRUCT_INTEGER
    DUP_FN Errhandler_create Errhandler_get Errhandler_set Handler_function Keyval_create Keyval_free LB NULL_COPY_FN NULL_DELETE_FN
    Type_extent Type_hindexed Type_hvector Type_lb Type_struct Type_ub UB""".split()
DEPRECATED = """Info_get Info_get_valuelen Sizeof T_ERR_INVALID_ITEM HOST Type_size_x Type_get_extent_x Type_get_true_extent_x
    Get_elements_x Status_set_elements_x""".split()
NAME = re.compile(r"\bMPI_(" + "|".join(REMOVED + DEPRECATED) + r")\b")
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)")
OLD, NEW = re.compile(r"MPI_VERSION < 4"), re.compile(r"MPI_VERSION >= 4")


def found_in(text):
    """(line number, name) of each name outside of code for old libraries."""
    branches = []  # [is the branch for old libraries alone, is its #else]
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r'//.*|"[^"]*"', "", line)
        if directive := CONDITION.match(line):
            word, condition = directive.groups()
            if word in ("if", "ifdef", "ifndef"):
                branches.append([bool(OLD.match(condition)), bool(NEW.match(condition))])
            elif word == "endif":
                branches.pop()
            else:
                branches[-1][0] = branches[-1][1]
        elif not any(old for old, _ in branches):
            yield from ((number, name) for name in NAME.findall(code))


def main():
    include = pathlib.Path(sys.argv[1])
    assert list(found_in("#if MPI_VERSION >= 4\na\n#else\nMPI_Info_get(x);\n#endif\nMPI_Type_ub(y); // MPI_LB")) == [(6, "Type_ub")]
    bad = [f"{path.relative_to(include)}:{number}: MPI_{name}" for path in sorted(include.rglob("*.hpp"))
           for number, name in found_in(path.read_text())]
    print("\n".join(bad) or "no deprecated names")
    sys.exit(1 if bad else 0)


main()
