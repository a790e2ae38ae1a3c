// SPDX-License-Identifier: BSL-1.0
// Preloaded into Open MPI's programs below Slurm: a rank waits for 50 ms after MPI_Init.
//
// By srun with PMIx, a rank may return from MPI_Init while another one is in the first of its two fences there. A
// message that arrives so early ends the other rank with signal 11, in one of 100 to 1000 starts (open-mpi/ompi#12495).
#include <chrono>
#include <dlfcn.h>
#include <thread>

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    using function = int (*)(int*, char***, int, int*);
    auto const init = reinterpret_cast<function>(dlsym(RTLD_NEXT, "PMPI_Init_thread"));
    auto const result = init(argc, argv, required, provided);
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    return result;
}
