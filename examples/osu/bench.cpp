// SPDX-License-Identifier: BSL-1.0
#include "bench.hpp"

#include "asked_cache.hpp"
#include "launches.hpp"
#include "sides.hpp"
#include "sweeps.hpp"
#include "words.hpp"
#include "world_nodes.hpp"

#include <algorithm>
#include <array>

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

/// Rank 0 and those on its side have what the first word says, the others what the second does.
placement placement_of(program const& about, options const& asked, sonde::mpi::group const& world) {
    if (!asked.words) return placement::host;
    auto const first = about.needs == ranks::several_nodes ? seat_of(world.rank(), nodes_of(world)).parent
                                                           : world.rank() < world.size() / 2;
    return first ? asked.words->source : asked.words->destination;
}

} // namespace

bench::bench(given const& g) : stage{g}, here_{placement_of(about(), asked(), world())} {
    auto const regions = regions_of(about(), asked(), world());
    auto const largest = longest(layout(), asked());
    auto const messages = bytes_of_messages(largest, regions);
    take_memory(threads_of(about(), asked()) * (messages + bytes_of_times()), [&] { take(largest, regions); });
}

double bench::bytes_of_messages(std::size_t largest, std::size_t regions) const {
    auto const on_device = here_ == placement::device;
    // Beside a device, the host has what messages are staged in, if they are: a place for each of a window.
    auto const of_host = !on_device ? regions_for(asked(), largest, regions) : stages_here() ? regions : 0;
    return 2 * static_cast<double>(largest + 256) * static_cast<double>(of_host);
}

void bench::take(std::size_t largest, std::size_t regions) {
    if constexpr (has_cuda())
        if (is_managed(here_)) prepare_touch(device_wish(asked()));
    data_.emplace(asked(), largest, regions, world().rank(), here_);
    if constexpr (has_cuda()) {
        if (stages_here()) // of each of a window what is sent and what is received
            room_.emplace(2 * regions * sonde::host_allocation::stride_of(largest));
    }
}

sonde::record bench::without_launches(spot const& at, sonde::record found) const {
    if constexpr (has_cuda()) {
        auto const launches = asked().words ? launches_taken_off(about(), *asked().words, at.window) : std::size_t{0};
        if (launches == 0) return found;
        std::array<double, 1> each{world().rank() == 0 ? least_launch().count() : 0};
        world().all_reduce(each, sonde::reduction::sum); // that of rank 0, whose time OMB prints
        return shortened(std::move(found), sonde::seconds{each[0]} * launches);
    }
    return found;
}

payload bench::another_payload(int rank) const { return {asked(), longest(layout(), asked()), 1, rank}; }

} // namespace osu
