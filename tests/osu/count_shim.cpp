// SPDX-License-Identifier: BSL-1.0
// Preloaded: counts calls of MPI functions through PMPI, and the buffers that MPI_Isend sends, and writes the numbers,
// at MPI_Finalize, to $SONDE_COUNTS-RANK.
#include "collective_calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

namespace {

std::map<std::string, long>& calls() {
    static std::map<std::string, long> counts;
    return counts;
}

std::set<void const*>& sent_buffers() {
    static std::set<void const*> addresses;
    return addresses;
}

void count(char const* name, long n = 1) { calls()[name] += n; }

void write_counts() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto const* const path = std::getenv("SONDE_COUNTS");
    auto* const out =
        path == nullptr ? nullptr : std::fopen((std::string{path} + "-" + std::to_string(rank)).c_str(), "w");
    if (out == nullptr) return;
    for (auto const& [name, n] : calls()) std::fprintf(out, "%s %ld\n", name.c_str(), n);
    std::fprintf(out, "sent_buffers %zu\n", sent_buffers().size());
    std::fclose(out);
}

} // namespace

#define SHIM(name, small, parameters, arguments, data, bytes, type)                                                    \
    extern "C" int MPI_##name(ALL_OF parameters) {                                                                     \
        count("MPI_" #name);                                                                                           \
        return PMPI_##name arguments;                                                                                  \
    }                                                                                                                  \
    extern "C" int MPI_I##small(ALL_OF parameters, MPI_Request* request) {                                             \
        count("MPI_I" #small);                                                                                         \
        return PMPI_I##small(ALL_OF arguments, request);                                                               \
    }
FOR_EACH_COLLECTIVE(SHIM)

extern "C" {

int MPI_Send(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    count("MPI_Send");
    return PMPI_Send(data, n, type, to, tag, comm);
}
int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    count("MPI_Recv");
    return PMPI_Recv(data, n, type, from, tag, comm, status);
}
int MPI_Mrecv(void* data, int n, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    count("MPI_Mrecv");
    return PMPI_Mrecv(data, n, type, message, status);
}
int MPI_Isend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    count("MPI_Isend");
    sent_buffers().insert(data);
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    count("MPI_Irecv");
    return PMPI_Irecv(data, n, type, from, tag, comm, request);
}
int MPI_Send_init(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    count("MPI_Send_init");
    return PMPI_Send_init(data, n, type, to, tag, comm, request);
}
int MPI_Recv_init(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    count("MPI_Recv_init");
    return PMPI_Recv_init(data, n, type, from, tag, comm, request);
}
int MPI_Start(MPI_Request* request) {
    count("MPI_Start");
    return PMPI_Start(request);
}
int MPI_Startall(int n, MPI_Request* requests) {
    count("MPI_Startall");
    count("started_together", n);
    return PMPI_Startall(n, requests);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    count("MPI_Wait");
    return PMPI_Wait(request, status);
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
    count("MPI_Waitall");
    return PMPI_Waitall(n, requests, statuses);
}
int MPI_Barrier(MPI_Comm comm) {
    count("MPI_Barrier");
    return PMPI_Barrier(comm);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    count("MPI_Ibarrier");
    return PMPI_Ibarrier(comm, request);
}
int MPI_Test(MPI_Request* request, int* over, MPI_Status* status) {
    count("MPI_Test");
    return PMPI_Test(request, over, status);
}
int MPI_Finalize() {
    write_counts();
    return PMPI_Finalize();
}

} // extern "C"
