// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/event.hpp"

#include <sonde/probe/pass_ring.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tools::replay {

/// What a rank does between two readings of its page.
enum class rank_activity : unsigned char {
    goes_on,  // it ended calls
    in_call,  // the same call at both readings
    polls,    // it ended tests that found nothing, and no other call
    outside,  // no call of MPI was begun
    stopped,  // by a signal, or by a debugger
    has_ended // its process, without MPI_Finalize
};

/// A call as all ranks name it: ranks are those of MPI_COMM_WORLD.
struct shown_call {
    std::string name{};   // without MPI_; empty: none
    std::string object{}; // ranks of the communicator or window, equal on all of them; empty: not known
    bool is_window = false;
    bool is_collective = false;
    bool waits_for_any = false; // of its requests
    std::uint64_t number = 0;   // of a collective on its object, from 1; 0: not known
    std::int32_t to = absent, tag = absent;
    std::int32_t from = absent, recv_tag = absent;
    std::int32_t root = absent;
    std::int64_t count = -1; // elements that it gives or takes; -1: not known
    std::int64_t bytes = -1;
    std::string operation{};
    std::string site{}; // "solver.cpp:88", or "solver+0x2b59"
    std::uint64_t request = 0;
};

/// A scope of a probe of the application, of which a pass is under way. The name has those of enclosing scopes in
/// front.
struct shown_scope {
    std::string name{};
    sonde::scope_kind kind = sonde::scope_kind::part;
    std::uint64_t pass = 0; // its number, from 1
    double seconds = 0;     // since it began
};

/// A rank, from two readings of its page.
struct rank_state {
    int rank = 0, size = 0; // of MPI_COMM_WORLD
    std::string job{}, host{};
    int process = 0;
    rank_activity activity = rank_activity::goes_on;
    std::uint64_t calls = 0;            // between the readings
    double seconds = 0;                 // in the call, polling, or outside of MPI
    double processor = -1;              // share of a core that the process took between the readings; -1: not known
    std::vector<shown_scope> scopes{};  // in which it is: several ones of several threads
    shown_call call{};                  // that is under way, or the last one
    std::vector<shown_call> requests{}; // for which the call waits
    std::uint64_t other_requests = 0;   // of which nothing is known
    std::vector<shown_call> collectives{}, messages{};     // the last ones, the oldest first
    std::map<std::string, std::uint64_t> collectives_on{}; // that are over, by object
};

/// Ranks of MPI_COMM_WORLD, of `size` ranks, that make the calls of an object; empty: not known.
std::vector<int> members_of(std::string const& object, int size);

} // namespace tools::replay
