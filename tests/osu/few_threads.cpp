// SPDX-License-Identifier: BSL-1.0
// LD_PRELOAD: an MPI library that does not grant MPI_THREAD_MULTIPLE.
#include <mpi.h>

extern "C" int MPI_Init_thread(int* argc, char*** argv, int, int* provided) {
    return PMPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, provided);
}

extern "C" int MPI_Query_thread(int* provided) {
    *provided = MPI_THREAD_SERIALIZED;
    return MPI_SUCCESS;
}
