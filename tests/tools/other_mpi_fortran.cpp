// SPDX-License-Identifier: BSL-1.0

// The library with which a program of another MPI library is linked, if it is in Fortran: the MPI library is its own
// dependency, which is loaded after that of a preloaded recorder.

extern "C" int MPI_Init(int* argc, char*** argv);

extern "C" int mpi_init_(int* argc, char*** argv) { return MPI_Init(argc, argv); }
