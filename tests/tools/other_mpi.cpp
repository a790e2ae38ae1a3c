// SPDX-License-Identifier: BSL-1.0

// A library that another MPI implementation could be: the recorder of this one refuses it before it is used.

#include <mpi.h>

#include <cstdio>
#include <cstring>

extern "C" {
// By which the recorder knows the interface of a library: Open MPI's, and MPICH's.
#ifndef OPEN_MPI
char ompi_mpi_comm_world;
#else
char MPIR_Dup_fn;
#endif
int PMPI_Get_library_version(char* version, int* length) {
    std::strcpy(version, "Other MPI 1.0, of a test");
    *length = static_cast<int>(std::strlen(version));
    return MPI_SUCCESS;
}
int PMPI_Init(int*, char***) {
    std::puts("initialized");
    return MPI_SUCCESS;
}
int MPI_Init(int* argc, char*** argv) { return PMPI_Init(argc, argv); }
#if MPI_VERSION >= 4
int MPI_Session_init(MPI_Info, MPI_Errhandler, MPI_Session*) { return PMPI_Init(nullptr, nullptr); }
#else
int MPI_Session_init(void*, void*, void*) { return PMPI_Init(nullptr, nullptr); }
#endif
}
