// SPDX-License-Identifier: BSL-1.0
#include "onesided_trace.hpp"

#include <mpi.h>

// The linker prefers these to the MPI library's own, which are also available as PMPI_...

namespace {

template <class... P, class... A>
int seen(char letter, int (*function)(P...), A... arguments) {
    trace::calls += letter;
    return function(arguments...);
}
template <class... P, class O, class... A>
int moved(char letter, MPI_Aint target, int (*function)(P...), O* origin, A... arguments) {
    trace::calls += letter;
    trace::transfers.push_back({static_cast<std::byte const*>(static_cast<void const*>(origin)), target});
    return trace::forgets ? MPI_SUCCESS : function(origin, arguments...);
}

} // namespace

extern "C" {

int MPI_Put(void const* p, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Win w) {
    return moved('p', d, PMPI_Put, p, n, t, r, d, m, u, w);
}
int MPI_Get(void* p, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Win w) {
    return moved('g', d, PMPI_Get, p, n, t, r, d, m, u, w);
}
int MPI_Accumulate(void const* p, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Op o,
                   MPI_Win w) {
    return moved('a', d, PMPI_Accumulate, p, n, t, r, d, m, u, o, w);
}
int MPI_Get_accumulate(void const* p, int n, MPI_Datatype t, void* q, int k, MPI_Datatype s, int r, MPI_Aint d, int m,
                       MPI_Datatype u, MPI_Op o, MPI_Win w) {
    return moved('m', d, PMPI_Get_accumulate, p, n, t, q, k, s, r, d, m, u, o, w);
}
int MPI_Fetch_and_op(void const* p, void* q, MPI_Datatype t, int r, MPI_Aint d, MPI_Op o, MPI_Win w) {
    return moved('o', d, PMPI_Fetch_and_op, p, q, t, r, d, o, w);
}
int MPI_Compare_and_swap(void const* p, void const* e, void* q, MPI_Datatype t, int r, MPI_Aint d, MPI_Win w) {
    return moved('c', d, PMPI_Compare_and_swap, p, e, q, t, r, d, w);
}
int MPI_Win_fence(int a, MPI_Win w) { return seen('f', PMPI_Win_fence, a, w); }
int MPI_Win_flush(int r, MPI_Win w) { return seen('F', PMPI_Win_flush, r, w); }
int MPI_Win_flush_local(int r, MPI_Win w) { return seen('l', PMPI_Win_flush_local, r, w); }
int MPI_Win_flush_all(MPI_Win w) { return seen('A', PMPI_Win_flush_all, w); }
int MPI_Win_flush_local_all(MPI_Win w) { return seen('B', PMPI_Win_flush_local_all, w); }
int MPI_Win_lock(int type, int r, int a, MPI_Win w) { return seen('L', PMPI_Win_lock, type, r, a, w); }
int MPI_Win_unlock(int r, MPI_Win w) { return seen('U', PMPI_Win_unlock, r, w); }
int MPI_Win_lock_all(int a, MPI_Win w) { return seen('K', PMPI_Win_lock_all, a, w); }
int MPI_Win_unlock_all(MPI_Win w) { return seen('V', PMPI_Win_unlock_all, w); }
int MPI_Win_create(void* p, MPI_Aint n, int unit, MPI_Info i, MPI_Comm c, MPI_Win* w) {
    return seen('C', PMPI_Win_create, p, n, unit, i, c, w);
}
int MPI_Win_free(MPI_Win* w) { return seen('X', PMPI_Win_free, w); }
int MPI_Barrier(MPI_Comm c) { return seen('b', PMPI_Barrier, c); }
double MPI_Wtime() {
    trace::calls += 't';
    return PMPI_Wtime();
}

} // extern "C"
