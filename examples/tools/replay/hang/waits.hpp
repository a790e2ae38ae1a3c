// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/rank_state.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tools::replay {

/// A reason why a rank does not go on: what other ranks have to do.
struct rank_wait {
    enum class kind : unsigned char { collective, receive, send };

    kind what = kind::collective;
    shown_call call{};        // the call, or the request, that waits
    std::vector<int> ranks{}; // that have not come; of a message the partner
};

/// Who waits for whom, from the states of ranks of one job.
class wait_graph {
public:
    explicit wait_graph(std::vector<rank_state> const& states);

    rank_state const* state(int rank) const;
    std::vector<rank_wait> const& waits(int rank) const;
    /// True if the rank has begun the collective of this number, or a later one.
    bool has_come(int rank, shown_call const& collective) const;
    /// Of messages like this one: how many more halves the partner made than this rank made of its own, by the last
    /// messages of both.
    std::ptrdiff_t surplus(rank_state const& s, shown_call const& call, bool sends) const;
    /// True if `from` cannot go on before `to` does.
    bool depends_on(int from, int to) const;
    /// Ranks each of which waits for the next one, and the last one for the first: waits of one kind alone.
    std::vector<std::vector<int>> cycles() const;

private:
    void find_waits(rank_state const& s);
    void add_waits(rank_state const& s, shown_call const& call);
    bool is_matched(rank_state const& s, shown_call const& call, bool sends) const;
    std::optional<int> next_of_kind(int rank, bool is_collective) const;
    std::vector<int> cycle_from(int first, bool is_collective) const;

    std::map<int, rank_state const*> states_;
    std::map<int, std::vector<rank_wait>> waits_;
};

/// The rank stands in a call, or polls.
inline bool waits_in_call(rank_state const& s) {
    return s.activity == rank_activity::in_call || s.activity == rank_activity::polls;
}

} // namespace tools::replay
