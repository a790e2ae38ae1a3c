// SPDX-License-Identifier: BSL-1.0
#include "rma_calls.hpp"

#include "ledger.hpp"

#include <doctest/doctest.h>

namespace rma_calls {

state& current() {
    static state the_book;
    return the_book;
}

nothing_left::~nothing_left() {
    CHECK(current().windows == 0);
    CHECK(current().groups == 0);
    CHECK(current().infos == 0);
    CHECK(current().locks == 0);
}

namespace {

/// The result of a recorded call; `left` counts objects that such calls create and free.
template <class F>
int noted(char const* name, F call, long* left = nullptr, long change = 0) {
    auto& b = current();
    auto const fallible = change >= 0; // no call fails that frees an object
    ++b.calls[name];
    if (b.lists) b.listed.emplace_back(name);
    if ((b.fails == name && b.after-- == 0) || (fallible && ledger::fails_now(name))) return MPI_ERR_OTHER;
    auto const code = call();
    if (code == MPI_SUCCESS && left != nullptr) *left += change;
    return code;
}

bool counts(MPI_Group g) { return g != MPI_GROUP_EMPTY && g != MPI_GROUP_NULL; }

} // namespace

} // namespace rma_calls

using rma_calls::counts;
using rma_calls::current;
using rma_calls::noted;

// RMA_CALL(name, counter, change, parameters, arguments)
#define RMA_CALL(name, left, change, parameters, arguments)                                                            \
    int MPI_##name parameters {                                                                                        \
        return noted(                                                                                                  \
            #name, [&] { return PMPI_##name arguments; }, left, change);                                               \
    }
#define RMA_WINDOWS &current().windows
#define RMA_LOCKS &current().locks
#define RMA_INFOS &current().infos

RMA_CALL(Win_create, RMA_WINDOWS, 1, (void* p, MPI_Aint n, int unit, MPI_Info i, MPI_Comm c, MPI_Win* w),
         (p, n, unit, i, c, w))
RMA_CALL(Win_allocate, RMA_WINDOWS, 1, (MPI_Aint n, int unit, MPI_Info i, MPI_Comm c, void* p, MPI_Win* w),
         (n, unit, i, c, p, w))
RMA_CALL(Win_allocate_shared, RMA_WINDOWS, 1, (MPI_Aint n, int unit, MPI_Info i, MPI_Comm c, void* p, MPI_Win* w),
         (n, unit, i, c, p, w))
RMA_CALL(Win_create_dynamic, RMA_WINDOWS, 1, (MPI_Info i, MPI_Comm c, MPI_Win* w), (i, c, w))
RMA_CALL(Win_attach, nullptr, 0, (MPI_Win w, void* p, MPI_Aint n), (w, p, n))
RMA_CALL(Win_set_errhandler, nullptr, 0, (MPI_Win w, MPI_Errhandler h), (w, h))
RMA_CALL(Comm_get_info, RMA_INFOS, 1, (MPI_Comm c, MPI_Info* i), (c, i))
RMA_CALL(Win_get_info, RMA_INFOS, 1, (MPI_Win w, MPI_Info* i), (w, i))
RMA_CALL(Win_free, RMA_WINDOWS, -1, (MPI_Win * w), (w))
RMA_CALL(Info_create, RMA_INFOS, 1, (MPI_Info * i), (i))
RMA_CALL(Info_set, nullptr, 0, (MPI_Info i, char const* k, char const* v), (i, k, v))
#if MPI_VERSION >= 4
int MPI_Info_get_string(MPI_Info i, char const* k, int* n, char* v, int* found) {
    return noted("Info_get", [&] { return PMPI_Info_get_string(i, k, n, v, found); });
}
#else
RMA_CALL(Info_get, nullptr, 0, (MPI_Info i, char const* k, int n, char* v, int* found), (i, k, n, v, found))
#endif
RMA_CALL(Info_free, RMA_INFOS, -1, (MPI_Info * i), (i))

int MPI_Win_get_group(MPI_Win w, MPI_Group* g) {
    return noted(
        "Win_get_group", [&] { return PMPI_Win_get_group(w, g); }, &current().groups, 1);
}
RMA_CALL(Comm_group, &current().groups, 1, (MPI_Comm c, MPI_Group* g), (c, g))
int MPI_Group_incl(MPI_Group from, int n, int const* ranks, MPI_Group* g) {
    auto const code = noted("Group_incl", [&] { return PMPI_Group_incl(from, n, ranks, g); });
    if (code == MPI_SUCCESS && counts(*g)) ++current().groups;
    return code;
}
RMA_CALL(Group_free, &current().groups, -1, (MPI_Group * g), (g))

int MPI_Win_fence(int assertion, MPI_Win w) {
    current().assertions.push_back(assertion);
    return noted("Win_fence", [&] { return PMPI_Win_fence(assertion, w); });
}
RMA_CALL(Win_post, nullptr, 0, (MPI_Group g, int assertion, MPI_Win w), (g, assertion, w))
RMA_CALL(Win_start, nullptr, 0, (MPI_Group g, int assertion, MPI_Win w), (g, assertion, w))
RMA_CALL(Win_complete, nullptr, 0, (MPI_Win w), (w))
RMA_CALL(Win_wait, nullptr, 0, (MPI_Win w), (w))
int MPI_Win_lock(int type, int r, int assertion, MPI_Win w) {
    current().locked.emplace_back(r, type);
    return noted(
        "Win_lock", [&] { return PMPI_Win_lock(type, r, assertion, w); }, RMA_LOCKS, 1);
}
RMA_CALL(Win_unlock, RMA_LOCKS, -1, (int r, MPI_Win w), (r, w))
RMA_CALL(Win_lock_all, RMA_LOCKS, 1, (int assertion, MPI_Win w), (assertion, w))
RMA_CALL(Win_unlock_all, RMA_LOCKS, -1, (MPI_Win w), (w))
RMA_CALL(Win_flush, nullptr, 0, (int r, MPI_Win w), (r, w))
RMA_CALL(Win_flush_local, nullptr, 0, (int r, MPI_Win w), (r, w))
RMA_CALL(Win_flush_all, nullptr, 0, (MPI_Win w), (w))
RMA_CALL(Win_flush_local_all, nullptr, 0, (MPI_Win w), (w))

#define RMA_TO int r, MPI_Aint at, int m, MPI_Datatype target_type
#define RMA_TO_ARGUMENTS r, at, m, target_type
#define RMA_FROM void const *p, int n, MPI_Datatype type
RMA_CALL(Put, nullptr, 0, (RMA_FROM, RMA_TO, MPI_Win w), (p, n, type, RMA_TO_ARGUMENTS, w))
RMA_CALL(Get, nullptr, 0, (void* p, int n, MPI_Datatype type, RMA_TO, MPI_Win w), (p, n, type, RMA_TO_ARGUMENTS, w))
RMA_CALL(Accumulate, nullptr, 0, (RMA_FROM, RMA_TO, MPI_Op op, MPI_Win w), (p, n, type, RMA_TO_ARGUMENTS, op, w))
RMA_CALL(Get_accumulate, nullptr, 0, (RMA_FROM, void* in, int k, MPI_Datatype in_type, RMA_TO, MPI_Op op, MPI_Win w),
         (p, n, type, in, k, in_type, RMA_TO_ARGUMENTS, op, w))
RMA_CALL(Fetch_and_op, nullptr, 0,
         (void const* p, void* in, MPI_Datatype type, int r, MPI_Aint at, MPI_Op op, MPI_Win w),
         (p, in, type, r, at, op, w))
RMA_CALL(Compare_and_swap, nullptr, 0,
         (void const* p, void const* expected, void* in, MPI_Datatype type, int r, MPI_Aint at, MPI_Win w),
         (p, expected, in, type, r, at, w))

// Requests are in the other ledger, which records waits.
#define RMA_REQUEST(name, parameters, arguments)                                                                       \
    int MPI_##name parameters {                                                                                        \
        return noted(#name, [&] { return ledger::record_request(PMPI_##name arguments); });                            \
    }
RMA_REQUEST(Rput, (RMA_FROM, RMA_TO, MPI_Win w, MPI_Request* made), (p, n, type, RMA_TO_ARGUMENTS, w, made))
RMA_REQUEST(Rget, (void* p, int n, MPI_Datatype type, RMA_TO, MPI_Win w, MPI_Request* made),
            (p, n, type, RMA_TO_ARGUMENTS, w, made))
RMA_REQUEST(Raccumulate, (RMA_FROM, RMA_TO, MPI_Op op, MPI_Win w, MPI_Request* made),
            (p, n, type, RMA_TO_ARGUMENTS, op, w, made))
RMA_REQUEST(Rget_accumulate,
            (RMA_FROM, void* in, int k, MPI_Datatype in_type, RMA_TO, MPI_Op op, MPI_Win w, MPI_Request* made),
            (p, n, type, in, k, in_type, RMA_TO_ARGUMENTS, op, w, made))
