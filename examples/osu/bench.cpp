// SPDX-License-Identifier: BSL-1.0
#include "bench.hpp"

#include "sides.hpp"
#include "sweeps.hpp"
#include "world_nodes.hpp"

#include <algorithm>

namespace osu {

namespace {

/// Messages under way together, at most.
std::size_t regions_of(program const& about, options const& asked, sonde::mpi::group const& world) {
    if (!is_rate(about.shows)) return 1;
    auto const peers = about.needs == ranks::several_nodes ? nodes_of(world).size() - 1 : 1;
    return peers * (asked.vary_window ? varied_windows.back() : asked.window);
}

/// The bytes of the longest message that any size of any type spans.
std::size_t longest(message_layout const& layout, options const& asked) {
    auto most = asked.max_size;
    if (layout.plain()) return most;
    for (auto const& type : types_of(asked)) most = std::max(most, layout.describe(type, asked.max_size).span);
    return most;
}

/// Threads of a rank that need memory, at most.
int threads_of(program const& about, options const& asked) {
    if (about.t_means != probes::threads) return 1;
    auto const crew = crew_of(asked, thread_crew, thread_crew.senders);
    return 1 + std::max(crew.senders, crew.receivers); // beside the main thread's, which is not used
}

} // namespace

bench::bench(given const& g) : stage{g} {
    auto const regions = regions_of(about(), asked(), world());
    auto const largest = longest(layout(), asked());
    auto const messages =
        2 * static_cast<double>(largest + 256) * static_cast<double>(asked().buffers_apart ? regions : 1);
    take_memory(threads_of(about(), asked()) * (messages + bytes_of_times()),
                [&] { data_.emplace(asked(), largest, regions, world().rank()); });
}

payload bench::another_payload(int rank) const { return {asked(), longest(layout(), asked()), 1, rank}; }

} // namespace osu
