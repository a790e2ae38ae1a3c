// SPDX-License-Identifier: BSL-1.0
#pragma once

// Every collective of MPI once: X(name, Name, parameters, arguments). A row defines the blocking call MPI_Name, the
// nonblocking MPI_Iname, with an additional request, and the persistent MPI_Name_init, with an additional info and
// request.

// clang-format off
#define LEDGER_ALL_TO_ALL(X, name, Name)                                                                               \
    X(name, Name, (void const* out, int m, MPI_Datatype sent, void* in, int n, MPI_Datatype received, MPI_Comm comm),  \
      (out, m, sent, in, n, received, comm))
#define LEDGER_VARIED(X, name, Name)                                                                                   \
    X(name, Name, (void const* out, int m, MPI_Datatype sent, void* in, int const* n, int const* at,                   \
                   MPI_Datatype received, MPI_Comm comm),                                                              \
      (out, m, sent, in, n, at, received, comm))
#define LEDGER_BOTH_VARIED(X, name, Name)                                                                              \
    X(name, Name, (void const* out, int const* m, int const* from, MPI_Datatype sent, void* in, int const* n,          \
                   int const* at, MPI_Datatype received, MPI_Comm comm),                                               \
      (out, m, from, sent, in, n, at, received, comm))
#define LEDGER_BOTH_TYPED(X, name, Name, Displacement)                                                                 \
    X(name, Name, (void const* out, int const* m, Displacement const* from, MPI_Datatype const* sent, void* in,        \
                   int const* n, Displacement const* at, MPI_Datatype const* received, MPI_Comm comm),                 \
      (out, m, from, sent, in, n, at, received, comm))
#define LEDGER_REDUCING(X, name, Name)                                                                                 \
    X(name, Name, (void const* out, void* in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                     \
      (out, in, n, type, op, comm))

#define LEDGER_COLLECTIVES(X)                                                                                          \
    LEDGER_ALL_TO_ALL(X, allgather, Allgather)                                                                         \
    LEDGER_ALL_TO_ALL(X, alltoall, Alltoall)                                                                           \
    LEDGER_ALL_TO_ALL(X, neighbor_allgather, Neighbor_allgather)                                                       \
    LEDGER_ALL_TO_ALL(X, neighbor_alltoall, Neighbor_alltoall)                                                         \
    LEDGER_VARIED(X, allgatherv, Allgatherv)                                                                           \
    LEDGER_VARIED(X, neighbor_allgatherv, Neighbor_allgatherv)                                                         \
    LEDGER_BOTH_VARIED(X, alltoallv, Alltoallv)                                                                        \
    LEDGER_BOTH_VARIED(X, neighbor_alltoallv, Neighbor_alltoallv)                                                      \
    LEDGER_BOTH_TYPED(X, alltoallw, Alltoallw, int)                                                                    \
    LEDGER_BOTH_TYPED(X, neighbor_alltoallw, Neighbor_alltoallw, MPI_Aint)                                             \
    LEDGER_REDUCING(X, allreduce, Allreduce)                                                                           \
    LEDGER_REDUCING(X, exscan, Exscan)                                                                                 \
    LEDGER_REDUCING(X, reduce_scatter_block, Reduce_scatter_block)                                                     \
    LEDGER_REDUCING(X, scan, Scan)                                                                                     \
    X(barrier, Barrier, (MPI_Comm comm), (comm))                                                                       \
    X(bcast, Bcast, (void* in, int n, MPI_Datatype type, int root, MPI_Comm comm), (in, n, type, root, comm))          \
    X(gather, Gather, (void const* out, int m, MPI_Datatype sent, void* in, int n, MPI_Datatype received, int root,    \
                       MPI_Comm comm),                                                                                 \
      (out, m, sent, in, n, received, root, comm))                                                                     \
    X(gatherv, Gatherv, (void const* out, int m, MPI_Datatype sent, void* in, int const* n, int const* at,             \
                         MPI_Datatype received, int root, MPI_Comm comm),                                              \
      (out, m, sent, in, n, at, received, root, comm))                                                                 \
    X(reduce, Reduce, (void const* out, void* in, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),       \
      (out, in, n, type, op, root, comm))                                                                              \
    X(reduce_scatter, Reduce_scatter, (void const* out, void* in, int const* n, MPI_Datatype type, MPI_Op op,          \
                                       MPI_Comm comm),                                                                 \
      (out, in, n, type, op, comm))                                                                                    \
    X(scatter, Scatter, (void const* out, int m, MPI_Datatype sent, void* in, int n, MPI_Datatype received, int root,  \
                         MPI_Comm comm),                                                                               \
      (out, m, sent, in, n, received, root, comm))                                                                     \
    X(scatterv, Scatterv, (void const* out, int const* m, int const* from, MPI_Datatype sent, void* in, int n,         \
                           MPI_Datatype received, int root, MPI_Comm comm),                                            \
      (out, m, from, sent, in, n, received, root, comm))
// clang-format on

/// The list without its parentheses.
#define LEDGER_LIST(...) __VA_ARGS__
