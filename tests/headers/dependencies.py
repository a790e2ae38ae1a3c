#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""dependencies.py [--list] INCLUDE_FOLDER

Fails if a header includes, itself or through a header of Sonde, a library that its folder does not allow, or if it does not
include so what it uses of the standard library.
With --list prints the headers instead, as they are included.
"""
import pathlib
import re
import sys

# The standard library's headers have neither folder nor extension; these do, and belong to the system.
SYSTEM = {"bits/chrono.h", "dirent.h", "pthread.h", "sched.h", "signal.h", "time.h", "unistd.h"}
# Headers of the component that a program may have beside the library's headers.
DRAWING = {"sonde/drawing/html.hpp", "sonde/drawing/plot.hpp"}
ALLOWED = {
    "mpi/": {"mpi.h", "mpi-ext.h"},
    "c/": {"mpi.h", "mpi-ext.h", "stddef.h", "stdint.h", "nlohmann/json.hpp", "nlohmann/json_fwd.hpp",
           "fcntl.h", "sys/file.h", "sys/mman.h", "sys/stat.h", *DRAWING},
    "boost/": {"mpi.h", "mpi-ext.h", "boost/mpi/communicator.hpp", "boost/mpi/datatype.hpp",
               "boost/mpi/packed_iarchive.hpp", "boost/mpi/packed_oarchive.hpp", "boost/mpi/request.hpp",
               "boost/mpi/skeleton_and_content.hpp", "boost/shared_ptr.hpp"},
    "cuda/": {"cuda_runtime_api.h"},
    "hip/": {"hip/hip_runtime_api.h"},
    "nccl/": {"nccl.h", "cuda_runtime_api.h", "rccl/rccl.h", "rccl.h", "hip/hip_runtime_api.h"},
    "oneccl/": {"oneapi/ccl.hpp"},
    "openacc/": {"openacc.h"},
    "shmem/": {"shmem.h"},
    "upcxx/": {"upcxx/upcxx.hpp"},
    "hwloc/": {"hwloc.h"},
    "memory/": {"sys/mman.h"},
    "monitor/": {"fcntl.h", "sys/file.h", "sys/mman.h", "sys/stat.h"},
    "json/": {"nlohmann/json.hpp", "nlohmann/json_fwd.hpp"},
    "report/open.hpp": {"nlohmann/json.hpp", "nlohmann/json_fwd.hpp", *DRAWING},
}

# Names of the standard library by the header that has them. The compilers' own headers include many of the others.
STANDARD = {header: re.compile(rf"\bstd::(?:ranges::)?(?:{'|'.join(names.split())})\b") for header, names in {
    "algorithm": "adjacent_find all_of any_of clamp copy copy_n count count_if equal equal_range fill fill_n find find_if for_each "
                 "is_sorted lower_bound max max_element min min_element minmax_element none_of nth_element partition remove_if "
                 "reverse rotate sort stable_sort transform unique upper_bound",
    "array": "array", "atomic": "atomic", "bit": "bit_cast bit_ceil bit_floor bit_width countr_zero endian has_single_bit",
    "charconv": "from_chars to_chars", "chrono": r"chrono::\w+", "cmath": "ceil erf exp fabs floor fmod hypot isfinite isnan log "
                                                                       "log10 log2 lround pow round sqrt trunc",
    "concepts": "constructible_from convertible_to copy_constructible derived_from floating_point integral invocable "
                "move_constructible same_as",
    "condition_variable": "condition_variable", "cstdio": "fopen fputs printf snprintf", "cstdlib": "abort exit free getenv strtod",
    "cstring": "memcmp memcpy memset strlen", "deque": "deque",
    "exception": "current_exception exception exception_ptr make_exception_ptr rethrow_exception uncaught_exceptions",
    "fstream": "ifstream ofstream", "functional": "function greater hash identity invoke less plus", "iterator": "back_inserter next prev",
    "limits": "numeric_limits", "map": "map multimap", "memory": "addressof make_shared make_unique shared_ptr unique_ptr",
    "mutex": "call_once lock_guard mutex scoped_lock unique_lock", "numeric": "accumulate inner_product iota lcm gcd partial_sum",
    "optional": "nullopt optional", "ostream": "ostream", "random": "mt19937 mt19937_64 uniform_int_distribution",
    "set": "multiset set", "source_location": "source_location", "span": "as_bytes as_writable_bytes span",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "domain_error invalid_argument length_error logic_error out_of_range runtime_error",
    "string": "getline stod stoi string to_string", "string_view": "string_view", "thread": "this_thread thread",
    "tuple": "apply get make_tuple tie tuple", "unordered_map": "unordered_map",
    "utility": "as_const cmp_less declval exchange forward in_range move pair swap",
    "variant": "holds_alternative monostate variant visit", "vector": "vector"}.items()}


def included_by(root, header):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', (root / header).read_text(), re.M)


def reached(root, header):
    seen, todo = set(), [header]
    while todo:
        for name in included_by(root, todo.pop()):
            if name not in seen:
                seen.add(name)
                if name.startswith("sonde/") and (root / name).is_file():
                    todo.append(name)
    return seen


def allowed(header):
    """Of a folder x/, and of the header x.hpp beside it."""
    return SYSTEM.union(*(names for folder, names in ALLOWED.items()
                          if header.startswith("sonde/" + folder) or header == f"sonde/{folder[:-1]}.hpp"))


def faults(root, header):
    found = reached(root, header)
    code = re.sub("//.*|\"[^\"\n]*\"", "", (root / header).read_text())
    for name in sorted(STANDARD.keys() - found):
        if used := STANDARD[name].search(code):
            yield f"{header} uses {used[0]} and does not include <{name}>"
    for name in sorted(found):
        if name.startswith("sonde/"):
            if not (root / name).is_file() and name not in allowed(header):
                yield f"{header} reaches {name}, which is not there"
        elif re.search(r"[/.]", name) and name not in allowed(header):
            yield f"{header} reaches {name}"


def main():
    root = pathlib.Path(sys.argv[-1])
    headers = sorted(str(path.relative_to(root)) for path in root.glob("sonde/**/*.hpp"))
    if "--list" in sys.argv:
        print("\n".join(headers))
        return 0
    found = [fault for header in headers for fault in faults(root, header)]
    print("\n".join(found) if found else f"{len(headers)} headers")
    return 1 if found or not headers else 0


sys.exit(main())
