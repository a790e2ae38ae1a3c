// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/call_checks.hpp"

#include "tools/replay/trace/trace_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tools::replay {

namespace {

bool is_listed(std::int32_t id, std::size_t all) { return id < 0 || static_cast<std::size_t>(id) < all; }

/// A list of neighbors is the number of sources, the sources, and the destinations.
void require_neighbors(std::vector<std::int64_t> const& list, communicator const& of) {
    auto const is_rank = [&](std::int64_t d) { return d >= null_partner && (of.world.empty() || d < of.size()); };
    require(list[0] >= 0 && static_cast<std::size_t>(list[0]) < list.size() &&
                std::all_of(list.begin() + 1, list.end(), is_rank),
            "the neighbors of a topology are none of its ranks");
}

/// True if MPI takes the ranks and counts of a call on a communicator.
bool is_valid(step const& s, communicator const& on) {
    auto const& e = s.what;
    auto const is_rank = [&](std::int64_t d) { return on.world.empty() || d < on.size(); };
    auto const is_group = s.call == "Win_start" || s.call == "Win_post";
    auto const is_listed_right = [&](std::int64_t n) { return n >= 0 && (!is_group || is_rank(n)); };
    auto const has_root = e.root == absent || (e.root >= 0 && is_rank(e.root));
    return (e.tag == absent || e.tag >= 0 || e.to == null_partner) && is_rank(e.to) && is_rank(e.from) && has_root &&
           std::all_of(s.counts.begin(), s.counts.end(), is_listed_right);
}

void check_object(step& s, thread_trace const& thread) {
    auto const& e = s.what;
    auto const makes_window = s.call.starts_with("Win_");
    require(is_listed(e.comm, thread.communicators.size()), "a call is on a communicator that is not listed");
    require(is_listed(e.window, thread.windows.size()), "a call is on a window that is not listed");
    require(is_listed(e.made, makes_window ? thread.windows.size() : thread.communicators.size()),
            "a call makes an object that is not listed");
    auto const is_topology = e.made >= 0 && !makes_window && !s.counts.empty();
    if (is_topology) return require_neighbors(s.counts, thread.communicators[static_cast<std::size_t>(e.made)]);
    communicator const none;
    auto const& on = e.window >= 0 ? thread.windows[static_cast<std::size_t>(e.window)].ranks
                     : e.comm >= 0 ? thread.communicators[static_cast<std::size_t>(e.comm)]
                                   : none;
    s.is_invalid = s.is_invalid || !is_valid(s, on);
}

} // namespace

void require_bounded(step const& s, program const& of) {
    auto const is_partitioned = s.call == "Psend_init" || s.call == "Precv_init";
    double listed = 0;
    for (auto const n : s.counts) listed += static_cast<double>(std::abs(n));
    auto const bytes = [&](std::int64_t count, std::int32_t type) {
        auto const size = type == absent ? datatype{} : of.types[static_cast<std::size_t>(type)];
        auto const one = static_cast<double>(std::max({std::int64_t{1}, size.size, std::abs(size.extent)}));
        auto const all = count == absent ? 0 : static_cast<double>(count);
        return one * (is_partitioned ? std::max(all, 1.0) * std::max(listed, 1.0) : all + listed);
    };
    require(bytes(s.what.count, s.what.type) <= static_cast<double>(most_bytes) &&
                bytes(s.what.recv_count, s.what.recv_type) <= static_cast<double>(most_bytes),
            "a call moves more bytes than a machine has");
}

void check_objects(std::vector<step>& body, thread_trace const& thread) {
    for (auto& s : body) {
        check_objects(s.body, thread);
        if (!s.is_loop()) check_object(s, thread);
    }
}

} // namespace tools::replay
