// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "collective_table.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <set>

/// What a test's program asked the MPI library for, through MPI's profiling interface: functions called MPI_... are
/// ours, note the call, and call PMPI_... Tests themselves call PMPI_... directly, so that what is noted is Sonde's
/// alone.
namespace ledger {

enum class call : unsigned char {
    init,
    send,
    ssend,
    recv,
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
    comm_dup,
    comm_split_type,
    cart_create,
    dist_graph_create_adjacent,
#define LEDGER_CALLS(name, ...) name, i##name, name##_init,
    LEDGER_COLLECTIVES(LEDGER_CALLS)
#undef LEDGER_CALLS
        count_
};

struct book {
    std::array<std::size_t, static_cast<std::size_t>(call::count_)> calls{};
    std::size_t astray = 0;             // calls on communicators that no call noted here made, or not any more
    std::set<MPI_Comm> communicators{}; // made and not freed
    std::set<MPI_Datatype> datatypes{}; // made and not freed
    std::set<MPI_Request> persistent{}; // made and not freed
    std::size_t under_way = 0;          // requests of non-blocking calls, not yet completed nor freed
    bool gives_up = false;              // the next MPI_Waitall fails in the second, with those behind it under way
    std::byte* spoils = nullptr;        // one bit of this the next blocking collective changes when it is over

    std::size_t operator[](call which) const { return calls[static_cast<std::size_t>(which)]; }
    std::size_t all() const {
        std::size_t sum = 0;
        for (auto const n : calls) sum += n;
        return sum;
    }
    bool is_clear() const {
        return astray == 0 && communicators.empty() && datatypes.empty() && persistent.empty() && under_way == 0 &&
               (*this)[call::init] == 0;
    }
};

/// The book of this process.
book& open();

void note(call which);
void note(call which, MPI_Comm on);

/// A non-blocking call answered this.
int begun(int code);

/// A call that makes a handle answered this.
template <class Handle>
int noted(int code, Handle const* made, std::set<Handle>& into) {
    if (code == MPI_SUCCESS) into.insert(*made);
    return code;
}

/// How often this process has called operator new.
std::size_t allocations();

} // namespace ledger
