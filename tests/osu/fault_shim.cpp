// SPDX-License-Identifier: BSL-1.0
// Preloaded: damages messages of more than one byte as they arrive, on this rank from the one on that $SONDE_FAULT_FROM
// says (1 is the first). $SONDE_FAULT says how: one bit of the first, middle or last byte is flipped, or the message is
// lost, so that the buffer holds what it held before.
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

struct reception {
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
    bool persistent = false;
    std::vector<unsigned char> before{};

    void start() { before.assign(data, data + bytes); }
};

std::map<MPI_Request, reception> under_way;
long received = 0;

reception of(void* data, int n, MPI_Datatype type, bool persistent = false) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return {static_cast<unsigned char*>(data), static_cast<std::size_t>(bytes) * static_cast<std::size_t>(n),
            persistent};
}

void damage(reception const& r) {
    std::string const how = std::getenv("SONDE_FAULT");
    if (how == "lost") std::memcpy(r.data, r.before.data(), r.bytes);
    else r.data[how == "first" ? 0 : how == "middle" ? r.bytes / 2 : r.bytes - 1] ^= 0x20;
}

bool counts(reception const& r) { return r.bytes > 1 && ++received >= std::atol(std::getenv("SONDE_FAULT_FROM")); }

/// What completes together may share a buffer, which is damaged once: two flips would undo each other.
void complete(std::vector<MPI_Request> const& requests) {
    std::map<unsigned char*, reception> hit;
    for (auto const request : requests) {
        auto const at = under_way.find(request);
        if (at == under_way.end()) continue;
        if (counts(at->second)) hit.emplace(at->second.data, at->second);
        if (!at->second.persistent) under_way.erase(at);
    }
    for (auto const& [data, r] : hit) damage(r);
}

void start(MPI_Request request) {
    if (auto const at = under_way.find(request); at != under_way.end()) at->second.start();
}

} // namespace

extern "C" {

int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    auto r = of(data, n, type);
    r.start();
    auto const code = PMPI_Recv(data, n, type, from, tag, comm, status);
    if (from != MPI_PROC_NULL && counts(r)) damage(r);
    return code;
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    auto r = of(data, n, type);
    r.start();
    auto const code = PMPI_Irecv(data, n, type, from, tag, comm, request);
    under_way[*request] = r;
    return code;
}
int MPI_Recv_init(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    auto const code = PMPI_Recv_init(data, n, type, from, tag, comm, request);
    under_way[*request] = of(data, n, type, true);
    return code;
}
int MPI_Start(MPI_Request* request) {
    start(*request);
    return PMPI_Start(request);
}
int MPI_Startall(int n, MPI_Request* requests) {
    for (int i = 0; i != n; ++i) start(requests[i]);
    return PMPI_Startall(n, requests);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    std::vector<MPI_Request> const one{*request};
    auto const code = PMPI_Wait(request, status);
    complete(one);
    return code;
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
    std::vector<MPI_Request> const all(requests, requests + n);
    auto const code = PMPI_Waitall(n, requests, statuses);
    complete(all);
    return code;
}
int MPI_Request_free(MPI_Request* request) {
    under_way.erase(*request);
    return PMPI_Request_free(request);
}

} // extern "C"
