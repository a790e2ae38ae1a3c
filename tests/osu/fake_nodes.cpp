// SPDX-License-Identifier: BSL-1.0
// LD_PRELOAD: simulates several nodes on one machine. FAKE_NODES=0,1,1,0 puts ranks 0 and 3 on one node, 1 and 2 on
// another; the names of nodes descend, so that a sort by name has rank 0 last.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

extern "C" int MPI_Get_processor_name(char* name, int* length) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char const* nodes = std::getenv("FAKE_NODES");
    if (nodes == nullptr) return PMPI_Get_processor_name(name, length);
    long node = 0;
    for (int r = 0; r <= rank; ++r) {
        char* end = nullptr;
        node = std::strtol(nodes, &end, 10);
        nodes = *end == ',' ? end + 1 : end;
    }
    *length = std::snprintf(name, MPI_MAX_PROCESSOR_NAME, "node-%03ld", 999 - node);
    return MPI_SUCCESS;
}
