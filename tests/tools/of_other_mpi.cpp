// SPDX-License-Identifier: BSL-1.0

// A program of another MPI library, which calls its function INITIALIZE with the arguments of MPI_Init.

extern "C" int INITIALIZE(int* argc, char*** argv);

int main(int argc, char** argv) { return INITIALIZE(&argc, &argv); }
