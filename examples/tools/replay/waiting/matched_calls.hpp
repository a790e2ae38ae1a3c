// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/pass_calls.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tools::replay {

/// Why a call waits for another rank, in the words of Scalasca: D. Bohme et al., Identifying the root causes of wait
/// states in large-scale parallel applications, ICPP 2010.
enum class wait_pattern {
    late_sender,
    late_receiver,
    wait_at_barrier,
    wait_at_nxn,
    late_broadcast, // of a collective with a root that sends
    early_reduce,   // of the root of a collective that receives
    early_scan
};
constexpr std::size_t wait_patterns = 7;

/// "late sender".
char const* name_of(wait_pattern pattern);

using calls_of_all = std::vector<std::vector<pass_call>>;

/// A rank's call that starts a message or a collective.
struct started_call {
    int rank = 0;
    std::size_t call = 0;
    step const* what = nullptr;
};

/// Waiting of one rank for another one.
struct wait_for {
    started_call who;
    int other = 0;
    wait_pattern pattern{};
};

/// Calls in sets that are united step by step.
class call_sets {
public:
    explicit call_sets(calls_of_all const& calls);

    std::size_t of(int rank, std::size_t call) { return root(begin_[static_cast<std::size_t>(rank)] + call); }
    void unite(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }

private:
    std::size_t root(std::size_t i);

    std::vector<std::size_t> begin_, parent_;
};

/// The calls of a pass that wait for each other, in sets: messages are matched in the order in which both sides start
/// them, and collectives in that of their communicator.
class matched_calls {
public:
    matched_calls(trace const& t, calls_of_all const& calls);

    call_sets sets;
    std::vector<wait_for> waits{};     // for one rank
    std::vector<wait_for> await_all{}; // for all ranks

private:
    using message_key = std::tuple<std::string, int, int, std::int32_t>; // communicator, from, to, tag

    void unite_parts(std::size_t rank, std::size_t call);
    void add(started_call const& s);
    int source_of(started_call const& s, communicator const& in) const;
    void match_messages();
    void match(started_call const& send, started_call const& receive);
    void match(std::vector<started_call> const& collective);
    communicator const& communicator_of(started_call const& s) const;
    std::size_t set_of(started_call const& s) { return sets.of(s.rank, s.call); }

    trace const& trace_;
    calls_of_all const& calls_;
    std::map<message_key, std::vector<started_call>> sent_, received_;
    std::map<std::pair<std::string, std::size_t>, std::vector<started_call>> collectives_; // communicator, number
    std::map<std::pair<std::string, int>, std::size_t> numbers_;
};

} // namespace tools::replay
