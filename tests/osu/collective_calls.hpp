// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collective/operations.hpp>

#include <mpi.h>

#include <cstddef>

// X(name, small, (parameters), (arguments), receive buffer, received bytes, type) for every collective of the programs:
// `name` as in MPI_Allgather, `small` as in MPI_Iallgather.
#define TO_BLOCKS void const *out, int n, MPI_Datatype t, void *in, int m, MPI_Datatype u
#define TO_VARIED void const *out, int n, MPI_Datatype t, void *in, int const *ms, int const *at, MPI_Datatype u
#define VARIED_TO_VARIED                                                                                               \
    void const *out, int const *ns, int const *from, MPI_Datatype t, void *in, int const *ms, int const *at,           \
        MPI_Datatype u
#define TYPED_TO_TYPED(Offset)                                                                                         \
    void const *out, int const *ns, Offset const *from, MPI_Datatype const *ts, void *in, int const *ms,               \
        Offset const *at, MPI_Datatype const *us

#define FOR_EACH_COLLECTIVE(X)                                                                                         \
    X(Allgather, allgather, (TO_BLOCKS, MPI_Comm comm), (out, n, t, in, m, u, comm), in, equal(m, u, ranks(comm)), u)  \
    X(Allgatherv, allgatherv, (TO_VARIED, MPI_Comm comm), (out, n, t, in, ms, at, u, comm), in,                        \
      varied(ms, at, u, ranks(comm)), u)                                                                               \
    X(Allreduce, allreduce, (void const* out, void* in, int n, MPI_Datatype u, MPI_Op op, MPI_Comm comm),              \
      (out, in, n, u, op, comm), in, op == MPI_SUM ? equal(n, u, 1) : 0, u)                                            \
    X(Alltoall, alltoall, (TO_BLOCKS, MPI_Comm comm), (out, n, t, in, m, u, comm), in, equal(m, u, ranks(comm)), u)    \
    X(Alltoallv, alltoallv, (VARIED_TO_VARIED, MPI_Comm comm), (out, ns, from, t, in, ms, at, u, comm), in,            \
      varied(ms, at, u, ranks(comm)), u)                                                                               \
    X(Alltoallw, alltoallw, (TYPED_TO_TYPED(int), MPI_Comm comm), (out, ns, from, ts, in, ms, at, us, comm), in,       \
      typed(ms, at, us, ranks(comm)), us[0])                                                                           \
    X(Bcast, bcast, (void* in, int n, MPI_Datatype u, int root, MPI_Comm comm), (in, n, u, root, comm), in,            \
      root == self(comm) ? 0 : equal(n, u, 1), u)                                                                      \
    X(Gather, gather, (TO_BLOCKS, int root, MPI_Comm comm), (out, n, t, in, m, u, root, comm), in,                     \
      root == self(comm) ? equal(m, u, ranks(comm)) : 0, u)                                                            \
    X(Gatherv, gatherv, (TO_VARIED, int root, MPI_Comm comm), (out, n, t, in, ms, at, u, root, comm), in,              \
      root == self(comm) ? varied(ms, at, u, ranks(comm)) : 0, u)                                                      \
    X(Reduce, reduce, (void const* out, void* in, int n, MPI_Datatype u, MPI_Op op, int root, MPI_Comm comm),          \
      (out, in, n, u, op, root, comm), in, root == self(comm) ? equal(n, u, 1) : 0, u)                                 \
    X(Reduce_scatter, reduce_scatter,                                                                                  \
      (void const* out, void* in, int const* ms, MPI_Datatype u, MPI_Op op, MPI_Comm comm),                            \
      (out, in, ms, u, op, comm), in, equal(ms[self(comm)], u, 1), u)                                                  \
    X(Reduce_scatter_block, reduce_scatter_block,                                                                      \
      (void const* out, void* in, int n, MPI_Datatype u, MPI_Op op, MPI_Comm comm), (out, in, n, u, op, comm), in,     \
      equal(n, u, 1), u)                                                                                               \
    X(Scan, scan, (void const* out, void* in, int n, MPI_Datatype u, MPI_Op op, MPI_Comm comm),                        \
      (out, in, n, u, op, comm), in, equal(n, u, 1), u)                                                                \
    X(Exscan, exscan, (void const* out, void* in, int n, MPI_Datatype u, MPI_Op op, MPI_Comm comm),                    \
      (out, in, n, u, op, comm), in, self(comm) == 0 ? 0 : equal(n, u, 1), u)                                          \
    X(Scatter, scatter, (TO_BLOCKS, int root, MPI_Comm comm), (out, n, t, in, m, u, root, comm), in, equal(m, u, 1),   \
      u)                                                                                                               \
    X(Scatterv, scatterv,                                                                                              \
      (void const* out, int const* ns, int const* from, MPI_Datatype t, void* in, int m, MPI_Datatype u, int root,     \
       MPI_Comm comm),                                                                                                 \
      (out, ns, from, t, in, m, u, root, comm), in, equal(m, u, 1), u)                                                 \
    X(Neighbor_allgather, neighbor_allgather, (TO_BLOCKS, MPI_Comm comm), (out, n, t, in, m, u, comm), in,             \
      equal(m, u, sources(comm)), u)                                                                                   \
    X(Neighbor_allgatherv, neighbor_allgatherv, (TO_VARIED, MPI_Comm comm), (out, n, t, in, ms, at, u, comm), in,      \
      varied(ms, at, u, sources(comm)), u)                                                                             \
    X(Neighbor_alltoall, neighbor_alltoall, (TO_BLOCKS, MPI_Comm comm), (out, n, t, in, m, u, comm), in,               \
      equal(m, u, sources(comm)), u)                                                                                   \
    X(Neighbor_alltoallv, neighbor_alltoallv, (VARIED_TO_VARIED, MPI_Comm comm),                                       \
      (out, ns, from, t, in, ms, at, u, comm), in, varied(ms, at, u, sources(comm)), u)                                \
    X(Neighbor_alltoallw, neighbor_alltoallw, (TYPED_TO_TYPED(MPI_Aint), MPI_Comm comm),                               \
      (out, ns, from, ts, in, ms, at, us, comm), in, typed(ms, at, us, sources(comm)), us[0])

#define ALL_OF(...) __VA_ARGS__

// The alternative of the function that makes a persistent request. A program that was built with Open MPI 4 may run
// with 5.
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define OF_EITHER(name, ...)                                                                                           \
    extern "C" __attribute__((weak)) decltype(MPIX_##name##_init) PMPIX_##name##_init, PMPI_##name##_init;
FOR_EACH_COLLECTIVE(OF_EITHER)
#define OTHER_INIT_OF(name) (PMPI_##name##_init != nullptr ? PMPI_##name##_init : PMPIX_##name##_init)
#else
#define OTHER_INIT_OF(name) PMPI_##name##_init
#endif

namespace {

inline int self(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}
inline int ranks(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}
inline int sources(MPI_Comm comm) {
    int in = 0, out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    return in;
}
inline std::size_t equal(int count, MPI_Datatype type, int blocks) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return static_cast<std::size_t>(bytes) * static_cast<std::size_t>(count) * static_cast<std::size_t>(blocks);
}
/// Bytes up to the end of the last block.
inline std::size_t varied(int const* counts, int const* at, MPI_Datatype type, int blocks) {
    return blocks == 0 ? 0 : equal(at[blocks - 1] + counts[blocks - 1], type, 1);
}
template <class Offset>
std::size_t typed(int const* counts, Offset const* at, MPI_Datatype const* types, int blocks) {
    return blocks == 0 ? 0 : static_cast<std::size_t>(at[blocks - 1]) + equal(counts[blocks - 1], types[blocks - 1], 1);
}

} // namespace
