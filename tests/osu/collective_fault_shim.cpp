// SPDX-License-Identifier: BSL-1.0
// Preloaded: flips a bit of the last byte that collectives receive, on rank $SONDE_FAULT_RANK alone. Collectives before
// the first reading of the clock, and reductions of doubles, are Sonde's own.
#include "collective_calls.hpp"

#include <cstdlib>
#include <map>

namespace {

struct reception {
    void* data;
    std::size_t bytes;
    bool persistent;
};

std::map<MPI_Request, reception> under_way;
bool armed = false;

void damage(void* data, std::size_t bytes) {
    static int const here = self(MPI_COMM_WORLD);
    static int const there = std::atoi(std::getenv("SONDE_FAULT_RANK"));
    if (armed && bytes != 0 && here == there) static_cast<unsigned char*>(data)[bytes - 1] ^= 0x20;
}
std::size_t others(std::size_t bytes, MPI_Datatype type) { return type == MPI_DOUBLE ? 0 : bytes; }

void complete(MPI_Request request) {
    auto const at = under_way.find(request);
    if (at == under_way.end()) return;
    damage(at->second.data, at->second.bytes);
    if (!at->second.persistent) under_way.erase(at);
}

} // namespace

#define SHIM(name, small, parameters, arguments, data, bytes, type)                                                    \
    extern "C" int MPI_##name(ALL_OF parameters) {                                                                     \
        auto const code = PMPI_##name arguments;                                                                       \
        damage(data, others(bytes, type));                                                                             \
        return code;                                                                                                   \
    }                                                                                                                  \
    extern "C" int MPI_I##small(ALL_OF parameters, MPI_Request* request) {                                             \
        auto const code = PMPI_I##small(ALL_OF arguments, request);                                                    \
        under_way[*request] = {data, others(bytes, type), false};                                                      \
        return code;                                                                                                   \
    }
FOR_EACH_COLLECTIVE(SHIM)

#if SONDE_MPI_PERSISTENT_COLLECTIVES
#define INIT_SHIM(name, small, parameters, arguments, data, bytes, type)                                               \
    extern "C" int INIT_OF(name)(ALL_OF parameters, MPI_Info info, MPI_Request * request) {                            \
        auto const code = OTHER_INIT_OF(name)(ALL_OF arguments, info, request);                                        \
        under_way[*request] = {data, others(bytes, type), true};                                                       \
        return code;                                                                                                   \
    }
FOR_EACH_COLLECTIVE(INIT_SHIM)
#endif

extern "C" {

double MPI_Wtime() {
    armed = true;
    return PMPI_Wtime();
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    auto const which = *request;
    auto const code = PMPI_Wait(request, status);
    complete(which);
    return code;
}
int MPI_Test(MPI_Request* request, int* over, MPI_Status* status) {
    auto const which = *request;
    auto const code = PMPI_Test(request, over, status);
    if (*over != 0) complete(which);
    return code;
}

} // extern "C"
