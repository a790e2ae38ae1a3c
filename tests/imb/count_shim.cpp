// SPDX-License-Identifier: BSL-1.0
// Preloaded: counts calls of MPI functions through PMPI and writes them, at MPI_Finalize, to $SONDE_COUNTS-RANK. A call
// with a datatype is counted with the datatype's name, which separates Sonde's own reductions from the measured ones;
// of MPI_Alloc_mem, the bytes are counted.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

std::map<std::string, long> counts;

void count(char const* call, MPI_Datatype type = MPI_DATATYPE_NULL) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (type != MPI_DATATYPE_NULL) MPI_Type_get_name(type, name, &length);
    ++counts[length == 0 ? std::string{call} : std::string{call} + ":" + name];
}

} // namespace

extern "C" {

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* start) {
    counts["MPI_Alloc_mem:bytes"] += bytes;
    return PMPI_Alloc_mem(bytes, info, start);
}
int MPI_Send(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    count("MPI_Send", type);
    return PMPI_Send(data, n, type, to, tag, comm);
}
int MPI_Isend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    count("MPI_Isend", type);
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    count("MPI_Irecv", type);
    return PMPI_Irecv(data, n, type, from, tag, comm, request);
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
    count("MPI_Waitall");
    return PMPI_Waitall(n, requests, statuses);
}
int MPI_Barrier(MPI_Comm comm) {
    count("MPI_Barrier");
    return PMPI_Barrier(comm);
}
int MPI_Sendrecv(void const* out, int sent, MPI_Datatype sent_type, int to, int tag, void* in, int received,
                 MPI_Datatype received_type, int from, int received_tag, MPI_Comm comm, MPI_Status* status) {
    count("MPI_Sendrecv", sent_type);
    return PMPI_Sendrecv(out, sent, sent_type, to, tag, in, received, received_type, from, received_tag, comm, status);
}
int MPI_Allreduce(void const* out, void* in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    count("MPI_Allreduce", type);
    return PMPI_Allreduce(out, in, n, type, op, comm);
}
int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
    count("MPI_Bcast", type);
    return PMPI_Bcast(data, n, type, root, comm);
}
int MPI_Put(void const* data, int n, MPI_Datatype type, int to, MPI_Aint at, int m, MPI_Datatype type_there,
            MPI_Win win) {
    count("MPI_Put", type);
    return PMPI_Put(data, n, type, to, at, m, type_there, win);
}
int MPI_Win_fence(int assertion, MPI_Win win) {
    count("MPI_Win_fence");
    return PMPI_Win_fence(assertion, win);
}
int MPI_File_write(MPI_File file, void const* data, int n, MPI_Datatype type, MPI_Status* status) {
    count("MPI_File_write", type);
    return PMPI_File_write(file, data, n, type, status);
}
int MPI_File_sync(MPI_File file) {
    count("MPI_File_sync");
    return PMPI_File_sync(file);
}
int MPI_Finalize() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (auto const* const path = std::getenv("SONDE_COUNTS"); path != nullptr)
        if (auto* const out = std::fopen((std::string{path} + "-" + std::to_string(rank)).c_str(), "w");
            out != nullptr) {
            for (auto const& [name, n] : counts) std::fprintf(out, "%s %ld\n", name.c_str(), n);
            std::fclose(out);
        }
    return PMPI_Finalize();
}

} // extern "C"
