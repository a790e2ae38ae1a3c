// SPDX-License-Identifier: BSL-1.0
// Preloaded: counts calls of MPI functions through PMPI, and the buffers that MPI_Isend sends, and writes the numbers,
// at MPI_Finalize, to $SONDE_COUNTS-RANK.
#include "collective_calls.hpp"
#include "counted_calls.hpp"

#include <set>

namespace {

std::set<void const*>& sent_buffers() {
    static std::set<void const*> addresses;
    return addresses;
}

void count(char const* name, long n = 1) { calls()[name] += n; }

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

#define COUNTED(name, parameters, arguments)                                                                           \
    int MPI_##name parameters {                                                                                        \
        count("MPI_" #name);                                                                                           \
        return PMPI_##name arguments;                                                                                  \
    }

extern "C" {

COUNTED(Send, (void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
        (data, n, type, to, tag, comm))
COUNTED(Recv, (void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),
        (data, n, type, from, tag, comm, status))
COUNTED(Mrecv, (void* data, int n, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
        (data, n, type, message, status))
COUNTED(Irecv, (void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
        (data, n, type, from, tag, comm, request))
COUNTED(Send_init, (void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request),
        (data, n, type, to, tag, comm, request))
COUNTED(Recv_init, (void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
        (data, n, type, from, tag, comm, request))
COUNTED(Start, (MPI_Request * request), (request))
COUNTED(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
COUNTED(Waitall, (int n, MPI_Request* requests, MPI_Status* statuses), (n, requests, statuses))
COUNTED(Barrier, (MPI_Comm comm), (comm))
COUNTED(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
COUNTED(Test, (MPI_Request * request, int* over, MPI_Status* status), (request, over, status))

int MPI_Isend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    count("MPI_Isend");
    sent_buffers().insert(data);
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}
int MPI_Startall(int n, MPI_Request* requests) {
    count("MPI_Startall");
    count("started_together", n);
    return PMPI_Startall(n, requests);
}
int MPI_Finalize() {
    count("sent_buffers", static_cast<long>(sent_buffers().size()));
    write_counts(self(MPI_COMM_WORLD));
    return PMPI_Finalize();
}

} // extern "C"
