// SPDX-License-Identifier: BSL-1.0
// Preloaded: counts messages by thread, call, peer and tag, and writes "THREAD CALL PEER TAG COUNT" lines, at
// MPI_Finalize, to $SONDE_TRAFFIC-RANK. Threads are numbered by their first message.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace {

std::mutex mutex;
std::map<std::tuple<int, std::string, int, int>, long> counts;
int threads = 0;

void count(char const* call, int peer, int tag) {
    thread_local int self = -1;
    std::lock_guard const lock{mutex};
    if (self < 0) self = threads++;
    ++counts[{self, call, peer, tag}];
}

void write_counts() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string const path = std::getenv("SONDE_TRAFFIC");
    auto* const out = std::fopen((path + "-" + std::to_string(rank)).c_str(), "w");
    if (out == nullptr) return;
    for (auto const& [key, n] : counts) {
        auto const& [thread, call, peer, tag] = key;
        std::fprintf(out, "%d %s %d %d %ld\n", thread, call.c_str(), peer, tag, n);
    }
    std::fclose(out);
}

} // namespace

extern "C" {

int MPI_Send(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    count("send", to, tag);
    return PMPI_Send(data, n, type, to, tag, comm);
}
int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    count("recv", from, tag);
    return PMPI_Recv(data, n, type, from, tag, comm, status);
}
int MPI_Isend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    count("isend", to, tag);
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    count("irecv", from, tag);
    return PMPI_Irecv(data, n, type, from, tag, comm, request);
}
int MPI_Finalize() {
    write_counts();
    return PMPI_Finalize();
}

} // extern "C"
