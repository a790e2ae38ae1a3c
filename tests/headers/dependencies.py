#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""dependencies.py [--list] INCLUDE_FOLDER

Fails if a header includes, itself or through a header of Sonde, a library that its folder does not allow.
With --list prints the headers instead, as they are included.
"""
import pathlib
import re
import sys

# The standard library's headers have neither folder nor extension; these do, and belong to the system.
SYSTEM = {"bits/chrono.h", "dirent.h", "pthread.h", "sched.h", "signal.h", "spawn.h", "sys/wait.h", "time.h", "unistd.h"}
ALLOWED = {
    "mpi/": {"mpi.h", "mpi-ext.h"},
    "c/": {"mpi.h", "mpi-ext.h", "stddef.h", "stdint.h", "nlohmann/json.hpp", "nlohmann/json_fwd.hpp"},
    "boost/": {"mpi.h", "mpi-ext.h", "boost/mpi/communicator.hpp", "boost/mpi/datatype.hpp",
               "boost/mpi/packed_iarchive.hpp", "boost/mpi/packed_oarchive.hpp", "boost/mpi/request.hpp",
               "boost/mpi/skeleton_and_content.hpp", "boost/shared_ptr.hpp"},
    "cuda/": {"cuda_runtime_api.h"},
    "hip/": {"hip/hip_runtime_api.h"},
    "nccl/": {"nccl.h", "cuda_runtime_api.h", "rccl/rccl.h", "rccl.h", "hip/hip_runtime_api.h"},
    "openacc/": {"openacc.h"},
    "shmem/": {"shmem.h"},
    "upcxx/": {"upcxx/upcxx.hpp"},
    "hwloc/": {"hwloc.h"},
    "memory/": {"sys/mman.h"},
    "json/": {"nlohmann/json.hpp", "nlohmann/json_fwd.hpp"},
    "model/fit/": {"Eigen/Core", "Eigen/LU", "Eigen/SVD", "boost/math/distributions/students_t.hpp",
                   "boost/math/special_functions/beta.hpp", "boost/math/special_functions/binomial.hpp"},
}


def included_by(root, header):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', (root / header).read_text(), re.M)


def reached(root, header):
    seen, todo = set(), [header]
    while todo:
        for name in included_by(root, todo.pop()):
            if name not in seen:
                seen.add(name)
                if name.startswith("sonde/"):
                    todo.append(name)
    return seen


def allowed(header):
    """Of a folder x/, and of the header x.hpp beside it."""
    return SYSTEM.union(*(names for folder, names in ALLOWED.items()
                          if header.startswith("sonde/" + folder) or header == f"sonde/{folder[:-1]}.hpp"))


def faults(root, header):
    for name in sorted(reached(root, header)):
        if name.startswith("sonde/"):
            if not (root / name).is_file():
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
