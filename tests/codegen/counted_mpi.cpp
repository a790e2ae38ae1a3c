// SPDX-License-Identifier: BSL-1.0

// Counts the MPI functions that Sonde's headers call between the beginning and the end of a measurement, through the
// profiling interface; `git grep -hoE 'MPI_[A-Z][a-z_]+\(' include` lists them.

#include "counted.hpp"

#include <mpi.h>

namespace {

/// Counts one call; the library's own allocations during the call do not count.
struct call {
    long allocations = so_far.allocations;
    call() { ++so_far.mpi_calls; }
    ~call() { so_far.allocations = allocations; }
};

} // namespace

#define COUNTED(name, parameters, arguments)                                                                           \
    int MPI_##name parameters {                                                                                        \
        call const counted;                                                                                            \
        return PMPI_##name arguments;                                                                                  \
    }

extern "C" {

COUNTED(Allreduce, (void const* s, void* r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, r, n, t, o, c))
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Bcast, (void* b, int n, MPI_Datatype t, int r, MPI_Comm c), (b, n, t, r, c))
COUNTED(Cancel, (MPI_Request * r), (r))
COUNTED(Comm_rank, (MPI_Comm c, int* r), (c, r))
COUNTED(Comm_size, (MPI_Comm c, int* s), (c, s))
COUNTED(Irecv, (void* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r), (b, n, t, p, g, c, r))
COUNTED(Isend, (void const* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r), (b, n, t, p, g, c, r))
COUNTED(Recv, (void* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Status* s), (b, n, t, p, g, c, s))
COUNTED(Recv_init, (void* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r), (b, n, t, p, g, c, r))
COUNTED(Request_free, (MPI_Request * r), (r))
COUNTED(Send, (void const* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c), (b, n, t, p, g, c))
COUNTED(Send_init, (void const* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r),
        (b, n, t, p, g, c, r))
COUNTED(Sendrecv,
        (void const* b, int n, MPI_Datatype t, int p, int g, void* b2, int n2, MPI_Datatype t2, int p2, int g2,
         MPI_Comm c, MPI_Status* s),
        (b, n, t, p, g, b2, n2, t2, p2, g2, c, s))
COUNTED(Ssend, (void const* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c), (b, n, t, p, g, c))
COUNTED(Start, (MPI_Request * r), (r))
COUNTED(Startall, (int n, MPI_Request* r), (n, r))
COUNTED(Type_get_extent, (MPI_Datatype t, MPI_Aint* l, MPI_Aint* e), (t, l, e))
COUNTED(Wait, (MPI_Request * r, MPI_Status* s), (r, s))
COUNTED(Waitall, (int n, MPI_Request* r, MPI_Status* s), (n, r, s))

double MPI_Wtime() {
    call const counted;
    return PMPI_Wtime();
}

} // extern "C"
