# SPDX-License-Identifier: BSL-1.0
"""Prints which binary interface the MPI library of mpi4py has: Open MPI, MPICH (and its family) or ABI; and its version."""
import mpi4py

mpi4py.rc.initialize = False
from mpi4py import MPI  # noqa: E402

version = MPI.Get_library_version().split("\n")[0]
has_abi = hasattr(MPI, "Get_abi_version") and MPI.Get_abi_version()[0] > 0
print(f"{'ABI' if has_abi else 'Open MPI' if version.startswith('Open MPI') else 'MPICH'}: {version}")
