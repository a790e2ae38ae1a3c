// SPDX-License-Identifier: BSL-1.0
// Preloaded: counts calls of one-sided communication, and writes them, at MPI_Finalize, to $SONDE_COUNTS-RANK. With
// $SONDE_FAULT, one bit of every operation's data is flipped: of the data "sent", or of the data "fetched" when the
// next call completes it; or the operation is "lost".
#include "../counted_calls.hpp"

#include <mpi.h>

#include <deque>
#include <vector>

namespace {

std::size_t bytes_of(int n, MPI_Datatype type) {
    int one = 0;
    PMPI_Type_size(type, &one);
    return static_cast<std::size_t>(one) * static_cast<std::size_t>(n);
}

std::deque<std::vector<char>> kept; // MPI reads them until the end of an epoch
std::vector<char*> fetched;         // last bytes of results until then

/// The sent data with one flipped bit of the last byte.
void const* sent(void const* data, int n, MPI_Datatype type) {
    if (!fault("sent") || n == 0) return data;
    auto const* const first = static_cast<char const*>(data);
    auto& copy = kept.emplace_back(first, first + bytes_of(n, type));
    copy.back() ^= 0x20;
    return copy.data();
}

void will_come(void* data, int n, MPI_Datatype type) {
    if (fault("fetched")) fetched.push_back(static_cast<char*>(data) + bytes_of(n, type) - 1);
}

/// Counts an operation, and executes it unless it is to be lost.
template <class F>
int begun(char const* name, F f) {
    ++calls()[name];
    return fault("lost") ? MPI_SUCCESS : f();
}

int completed(char const* name, int code) {
    ++calls()[name];
    for (auto* const byte : fetched) *byte ^= 0x20;
    fetched.clear();
    kept.clear();
    return code;
}

int counted(char const* name, int code) {
    ++calls()[name];
    return code;
}

} // namespace

extern "C" {

int MPI_Put(void const* data, int n, MPI_Datatype type, int to, MPI_Aint at, int m, MPI_Datatype there, MPI_Win w) {
    return begun("Put", [&] { return PMPI_Put(sent(data, n, type), n, type, to, at, m, there, w); });
}
int MPI_Get(void* into, int n, MPI_Datatype type, int from, MPI_Aint at, int m, MPI_Datatype there, MPI_Win w) {
    will_come(into, n, type);
    return begun("Get", [&] { return PMPI_Get(into, n, type, from, at, m, there, w); });
}
int MPI_Accumulate(void const* data, int n, MPI_Datatype type, int to, MPI_Aint at, int m, MPI_Datatype there,
                   MPI_Op op, MPI_Win w) {
    return begun("Accumulate", [&] { return PMPI_Accumulate(sent(data, n, type), n, type, to, at, m, there, op, w); });
}
int MPI_Get_accumulate(void const* data, int n, MPI_Datatype type, void* into, int k, MPI_Datatype back, int to,
                       MPI_Aint at, int m, MPI_Datatype there, MPI_Op op, MPI_Win w) {
    will_come(into, k, back);
    return begun("Get_accumulate", [&] {
        return PMPI_Get_accumulate(sent(data, n, type), n, type, into, k, back, to, at, m, there, op, w);
    });
}
int MPI_Fetch_and_op(void const* data, void* into, MPI_Datatype type, int to, MPI_Aint at, MPI_Op op, MPI_Win w) {
    will_come(into, 1, type);
    return begun("Fetch_and_op", [&] { return PMPI_Fetch_and_op(sent(data, 1, type), into, type, to, at, op, w); });
}
int MPI_Compare_and_swap(void const* data, void const* compared, void* into, MPI_Datatype type, int to, MPI_Aint at,
                         MPI_Win w) {
    will_come(into, 1, type);
    return begun("Compare_and_swap",
                 [&] { return PMPI_Compare_and_swap(sent(data, 1, type), compared, into, type, to, at, w); });
}

int MPI_Win_create(void* memory, MPI_Aint n, int unit, MPI_Info info, MPI_Comm c, MPI_Win* w) {
    return counted("Win_create", PMPI_Win_create(memory, n, unit, info, c, w));
}
int MPI_Win_allocate(MPI_Aint n, int unit, MPI_Info info, MPI_Comm c, void* memory, MPI_Win* w) {
    return counted("Win_allocate", PMPI_Win_allocate(n, unit, info, c, memory, w));
}
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm c, MPI_Win* w) {
    return counted("Win_create_dynamic", PMPI_Win_create_dynamic(info, c, w));
}

int MPI_Win_lock(int type, int to, int assertion, MPI_Win w) {
    auto const* const name = type == MPI_LOCK_SHARED ? "lock shared" : "lock exclusive";
    return counted(name, PMPI_Win_lock(type, to, assertion, w));
}
int MPI_Win_lock_all(int assertion, MPI_Win w) { return counted("lock_all", PMPI_Win_lock_all(assertion, w)); }
int MPI_Win_start(MPI_Group to, int assertion, MPI_Win w) { return counted("start", PMPI_Win_start(to, assertion, w)); }
int MPI_Win_post(MPI_Group by, int assertion, MPI_Win w) { return counted("post", PMPI_Win_post(by, assertion, w)); }
int MPI_Win_wait(MPI_Win w) { return counted("wait", PMPI_Win_wait(w)); }

int MPI_Win_unlock(int to, MPI_Win w) { return completed("unlock", PMPI_Win_unlock(to, w)); }
int MPI_Win_unlock_all(MPI_Win w) { return completed("unlock_all", PMPI_Win_unlock_all(w)); }
int MPI_Win_flush(int to, MPI_Win w) { return completed("flush", PMPI_Win_flush(to, w)); }
int MPI_Win_flush_local(int to, MPI_Win w) { return completed("flush_local", PMPI_Win_flush_local(to, w)); }
int MPI_Win_complete(MPI_Win w) { return completed("complete", PMPI_Win_complete(w)); }
int MPI_Win_fence(int assertion, MPI_Win w) { return completed("fence", PMPI_Win_fence(assertion, w)); }

int MPI_Finalize() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_counts(rank);
    return PMPI_Finalize();
}

} // extern "C"
