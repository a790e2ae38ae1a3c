// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "collective_table.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

/// The MPI calls of a test program, recorded through MPI's profiling interface: the functions MPI_... are defined here,
/// record the call, and call PMPI_... Tests themselves call PMPI_... directly, so that all recorded calls are Sonde's.
namespace ledger {

enum class call : unsigned char {
    init,
    send,
    ssend,
    bsend,
    rsend,
    recv,
    mprobe,
    mrecv,
    sendrecv,
    isend,
    irecv,
    send_init,
    recv_init,
    start,
    startall,
    wait,
    waitall,
    test,
    cancel,
    comm_dup,
    comm_split,
    comm_split_type,
    cart_create,
    dist_graph_create_adjacent,
#define LEDGER_CALLS(name, ...) name, i##name, name##_init,
    LEDGER_COLLECTIVES(LEDGER_CALLS)
#undef LEDGER_CALLS
        count_
};

struct state {
    std::array<std::size_t, static_cast<std::size_t>(call::count_)> calls{};
    std::size_t foreign_calls = 0;      // calls on communicators that no recorded call made, or that were freed
    std::set<MPI_Comm> communicators{}; // created and not freed
    std::set<MPI_Datatype> datatypes{}; // created and not freed
    std::set<MPI_Request> persistent{}; // created and not freed
    long files = 0;                     // opened and not closed
    long error_handlers = 0;            // of files, found and not freed
    std::size_t active_requests = 0;    // requests of nonblocking calls, neither completed nor freed
    bool fail_next_waitall =
        false; // the next MPI_Waitall fails at the second request, and leaves the later ones active

    long until_failure = -1;            // calls that make or read objects before the one that fails; negative: never
    std::vector<std::string> failed{};  // names of calls that failed
    bool dry = false;                   // blocking calls that move data only record their lengths
    std::vector<std::size_t> lengths{}; // of such calls, in bytes; SIZE_MAX for a negative count

    std::size_t operator[](call which) const { return calls[static_cast<std::size_t>(which)]; }
    std::size_t all() const {
        std::size_t sum = 0;
        for (auto const n : calls) sum += n;
        return sum;
    }
    bool is_clear() const {
        return foreign_calls == 0 && communicators.empty() && datatypes.empty() && persistent.empty() &&
               active_requests == 0 && (*this)[call::init] == 0;
    }
};

/// The ledger of this process.
state& current();

void record_call(call which);
void record_call(call which, MPI_Comm on);

/// True if this call, which makes or reads an object, is the one to return MPI_ERR_OTHER without effect.
bool fails_now(char const* name);

/// Records the length of a call that moves data, by the count and the datatype that this rank sends.
int record_length(int n, MPI_Datatype type);
inline int record_length(void const*, int n, MPI_Datatype type, auto...) { return record_length(n, type); }
inline int record_length(void*, int n, MPI_Datatype type, auto...) { return record_length(n, type); }
inline int record_length(void const*, void*, int n, MPI_Datatype type, auto...) { return record_length(n, type); }
inline int record_length(auto...) { return MPI_ERR_OTHER; }

/// Records the result of a nonblocking call.
int record_request(int code);

/// Records the result of a call that creates a handle.
template <class Handle>
int record_handle(int code, Handle const* made, std::set<Handle>& into) {
    if (code == MPI_SUCCESS) into.insert(*made);
    return code;
}

/// The number of this process's calls of operator new.
std::size_t allocations();

} // namespace ledger
