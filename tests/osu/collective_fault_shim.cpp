// SPDX-License-Identifier: BSL-1.0
// Preloaded: damages data received by collectives on rank $SONDE_FAULT_RANK alone, from call number $SONDE_FAULT_FROM
// on (1 is the first). $SONDE_FAULT selects the fault: a bit of the last byte is flipped, or all data are lost, so that
// the buffer keeps its contents. Collectives before the first reading of the clock, reductions of doubles and
// broadcasts of unsigned characters are Sonde's own.
#include "collective_calls.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

bool armed = false;

struct reception {
    unsigned char* data;
    std::size_t bytes;
    bool persistent = false;
    std::vector<unsigned char> before{};
    bool counts = false;

    void start() {
        before.assign(data, data + bytes);
        counts = armed && bytes != 0;
    }
};

std::map<MPI_Request, reception> pending;

reception of(void* data, std::size_t bytes, MPI_Datatype type, bool persistent = false) {
    auto const is_own = type == MPI_DOUBLE || type == MPI_UNSIGNED_CHAR;
    return {static_cast<unsigned char*>(data), is_own ? 0 : bytes, persistent};
}

void damage(reception const& r) {
    static int const here = self(MPI_COMM_WORLD);
    static int const there = std::atoi(std::getenv("SONDE_FAULT_RANK"));
    static long left = std::atol(std::getenv("SONDE_FAULT_FROM"));
    if (!r.counts || here != there || --left > 0) return;
    if (std::string{std::getenv("SONDE_FAULT")} == "lost") std::memcpy(r.data, r.before.data(), r.bytes);
    else r.data[r.bytes - 1] ^= 0x20;
}

void complete(MPI_Request request) {
    auto const at = pending.find(request);
    if (at == pending.end()) return;
    damage(at->second);
    if (!at->second.persistent) pending.erase(at);
}

} // namespace

#define SHIM(name, small, parameters, arguments, data, bytes, type)                                                    \
    extern "C" int MPI_##name(ALL_OF parameters) {                                                                     \
        auto r = of(data, bytes, type);                                                                                \
        r.start();                                                                                                     \
        auto const code = PMPI_##name arguments;                                                                       \
        damage(r);                                                                                                     \
        return code;                                                                                                   \
    }                                                                                                                  \
    extern "C" int MPI_I##small(ALL_OF parameters, MPI_Request* request) {                                             \
        auto r = of(data, bytes, type);                                                                                \
        r.start();                                                                                                     \
        auto const code = PMPI_I##small(ALL_OF arguments, request);                                                    \
        pending[*request] = r;                                                                                         \
        return code;                                                                                                   \
    }
FOR_EACH_COLLECTIVE(SHIM)

#if SONDE_MPI_PERSISTENT_COLLECTIVES
#define INIT_SHIM(name, small, parameters, arguments, data, bytes, type)                                               \
    extern "C" int MPI_##name##_init(ALL_OF parameters, MPI_Info info, MPI_Request* request) {                         \
        auto const code = OTHER_INIT_OF(name)(ALL_OF arguments, info, request);                                        \
        pending[*request] = of(data, bytes, type, true);                                                               \
        return code;                                                                                                   \
    }
FOR_EACH_COLLECTIVE(INIT_SHIM)
#endif

extern "C" {

double MPI_Wtime() {
    armed = true;
    return PMPI_Wtime();
}
int MPI_Start(MPI_Request* request) {
    if (auto const at = pending.find(*request); at != pending.end()) at->second.start();
    return PMPI_Start(request);
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
