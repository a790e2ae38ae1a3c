// SPDX-License-Identifier: BSL-1.0
#include "nth_call.hpp"

#include <sonde/mpi/collective/operation.hpp>

#include <mpi.h>

using nth_call::current;

nth_call::state& nth_call::current() {
    static state the_one;
    return the_one;
}

namespace {

/// The result of a call, or MPI_ERR_OTHER if it is the one to fail; a success changes the number of objects of a kind.
template <class F>
int noted(char const* name, F call, char const* kind = "", long change = 0) {
    auto& s = current();
    if (s.until_failure >= 0 && s.until_failure-- == 0) {
        s.reported.emplace_back(name);
        return MPI_ERR_OTHER;
    }
    auto const code = call();
    if (code == MPI_SUCCESS && change != 0) s.left[kind] += change;
    return code;
}

/// Frees an object; it never fails.
template <class F>
int freed(F call, char const* kind) {
    --current().left[kind];
    return call();
}

/// A call that moves data.
template <class F>
int moved(int count, MPI_Datatype type, F call) {
    if (!current().dry) return call();
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    current().lengths.push_back(count < 0 ? static_cast<std::size_t>(-1)
                                          : static_cast<std::size_t>(count) * static_cast<std::size_t>(size));
    return MPI_SUCCESS;
}

bool is_predefined(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

} // namespace

// MAKES(kind, name, parameters, arguments), READS(name, ...), FREES(kind, name, ...)
#define MAKES(kind, name, parameters, arguments)                                                                       \
    int MPI_##name parameters {                                                                                        \
        return noted(                                                                                                  \
            #name, [&] { return PMPI_##name arguments; }, kind, 1);                                                    \
    }
#define READS(name, parameters, arguments)                                                                             \
    int MPI_##name parameters {                                                                                        \
        return noted(#name, [&] { return PMPI_##name arguments; });                                                    \
    }
#define FREES(kind, name, parameters, arguments)                                                                       \
    int MPI_##name parameters {                                                                                        \
        return freed([&] { return PMPI_##name arguments; }, kind);                                                     \
    }

MAKES("communicators", Comm_dup, (MPI_Comm c, MPI_Comm* made), (c, made))
MAKES("communicators", Comm_dup_with_info, (MPI_Comm c, MPI_Info i, MPI_Comm* made), (c, i, made))
MAKES("communicators", Comm_split_type, (MPI_Comm c, int t, int k, MPI_Info i, MPI_Comm* made), (c, t, k, i, made))
MAKES("communicators", Cart_create, (MPI_Comm c, int n, int const* e, int const* p, int r, MPI_Comm* made),
      (c, n, e, p, r, made))
MAKES("communicators", Dist_graph_create_adjacent,
      (MPI_Comm c, int m, int const* s, int const* v, int n, int const* d, int const* w, MPI_Info i, int r,
       MPI_Comm* made),
      (c, m, s, v, n, d, w, i, r, made))
FREES("communicators", Comm_free, (MPI_Comm * c), (c))
READS(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))
READS(Comm_rank, (MPI_Comm c, int* r), (c, r))
READS(Comm_size, (MPI_Comm c, int* n), (c, n))
READS(Comm_test_inter, (MPI_Comm c, int* i), (c, i))
MAKES("infos", Comm_get_info, (MPI_Comm c, MPI_Info* made), (c, made))

MAKES("infos", Info_create, (MPI_Info * made), (made))
READS(Info_set, (MPI_Info i, char const* k, char const* v), (i, k, v))
#if MPI_VERSION >= 4
READS(Info_get_string, (MPI_Info i, char const* k, int* n, char* v, int* found), (i, k, n, v, found))
#else
READS(Info_get, (MPI_Info i, char const* k, int n, char* v, int* found), (i, k, n, v, found))
#endif
FREES("infos", Info_free, (MPI_Info * i), (i))

MAKES("datatypes", Type_contiguous, (int n, MPI_Datatype t, MPI_Datatype* made), (n, t, made))
MAKES("datatypes", Type_create_struct,
      (int n, int const* l, MPI_Aint const* d, MPI_Datatype const* t, MPI_Datatype* made), (n, l, d, t, made))
MAKES("datatypes", Type_create_hindexed, (int n, int const* l, MPI_Aint const* d, MPI_Datatype t, MPI_Datatype* made),
      (n, l, d, t, made))
MAKES("datatypes", Type_create_resized, (MPI_Datatype t, MPI_Aint l, MPI_Aint e, MPI_Datatype* made), (t, l, e, made))
MAKES("datatypes", Type_create_subarray,
      (int n, int const* e, int const* l, int const* s, int o, MPI_Datatype t, MPI_Datatype* made),
      (n, e, l, s, o, t, made))
READS(Type_commit, (MPI_Datatype * t), (t))
READS(Type_get_extent, (MPI_Datatype t, MPI_Aint* l, MPI_Aint* e), (t, l, e))
FREES("datatypes", Type_free, (MPI_Datatype * t), (t))
int MPI_Type_get_contents(MPI_Datatype t, int i, int a, int n, int* integers, MPI_Aint* addresses,
                          MPI_Datatype* parts) {
    auto const code =
        noted("Type_get_contents", [&] { return PMPI_Type_get_contents(t, i, a, n, integers, addresses, parts); });
    if (code == MPI_SUCCESS)
        for (int part = 0; part != n; ++part) current().left["datatypes"] += !is_predefined(parts[part]);
    return code;
}

MAKES("requests", Send_init, (void const* p, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request* made),
      (p, n, t, r, g, c, made))
MAKES("requests", Recv_init, (void* p, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request* made),
      (p, n, t, r, g, c, made))
#if MPI_VERSION >= 4
MAKES("requests", Bcast_init, (void* p, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Info i, MPI_Request* made),
      (p, n, t, r, c, i, made))
#elif SONDE_MPI_PERSISTENT_COLLECTIVES
int MPIX_Bcast_init(void* p, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Info i, MPI_Request* made) {
    return noted(
        "Bcast_init", [&] { return PMPIX_Bcast_init(p, n, t, r, c, i, made); }, "requests", 1);
}
#endif
FREES("requests", Request_free, (MPI_Request * r), (r))

MAKES("windows", Win_create, (void* p, MPI_Aint n, int u, MPI_Info i, MPI_Comm c, MPI_Win* made), (p, n, u, i, c, made))
MAKES("windows", Win_allocate, (MPI_Aint n, int u, MPI_Info i, MPI_Comm c, void* p, MPI_Win* made),
      (n, u, i, c, p, made))
MAKES("windows", Win_allocate_shared, (MPI_Aint n, int u, MPI_Info i, MPI_Comm c, void* p, MPI_Win* made),
      (n, u, i, c, p, made))
MAKES("windows", Win_create_dynamic, (MPI_Info i, MPI_Comm c, MPI_Win* made), (i, c, made))
READS(Win_attach, (MPI_Win w, void* p, MPI_Aint n), (w, p, n))
READS(Win_set_errhandler, (MPI_Win w, MPI_Errhandler h), (w, h))
FREES("windows", Win_free, (MPI_Win * w), (w))
MAKES("infos", Win_get_info, (MPI_Win w, MPI_Info* made), (w, made))
MAKES("groups", Win_get_group, (MPI_Win w, MPI_Group* made), (w, made))
MAKES("groups", Group_incl, (MPI_Group g, int n, int const* r, MPI_Group* made), (g, n, r, made))
READS(Group_size, (MPI_Group g, int* n), (g, n))
FREES("groups", Group_free, (MPI_Group * g), (g))
MAKES("locks", Win_lock, (int t, int r, int a, MPI_Win w), (t, r, a, w))
FREES("locks", Win_unlock, (int r, MPI_Win w), (r, w))
MAKES("locks", Win_lock_all, (int a, MPI_Win w), (a, w))
FREES("locks", Win_unlock_all, (MPI_Win w), (w))

MAKES("files", File_open, (MPI_Comm c, char const* p, int m, MPI_Info i, MPI_File* made), (c, p, m, i, made))
FREES("files", File_close, (MPI_File * f), (f))
MAKES("error handlers", File_get_errhandler, (MPI_File f, MPI_Errhandler* made), (f, made))
READS(File_set_errhandler, (MPI_File f, MPI_Errhandler h), (f, h))
FREES("error handlers", Errhandler_free, (MPI_Errhandler * h), (h))

int MPI_Allreduce(void const* out, void* in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return moved(n, type, [&] { return PMPI_Allreduce(out, in, n, type, op, comm); });
}
int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
    return moved(n, type, [&] { return PMPI_Bcast(data, n, type, root, comm); });
}
int MPI_Gather(void const* out, int m, MPI_Datatype sent, void* in, int n, MPI_Datatype received, int root,
               MPI_Comm comm) {
    return moved(m, sent, [&] { return PMPI_Gather(out, m, sent, in, n, received, root, comm); });
}
int MPI_Send(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return moved(n, type, [&] { return PMPI_Send(data, n, type, to, tag, comm); });
}
int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    return moved(n, type, [&] { return PMPI_Recv(data, n, type, from, tag, comm, status); });
}
