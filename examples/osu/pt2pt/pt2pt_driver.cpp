// SPDX-License-Identifier: BSL-1.0
#include "osu/pt2pt/pt2pt_driver.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/pt2pt/messages.hpp"
#include "osu/pt2pt/touch_gpu.hpp"
#include "suite/hosts.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/stat/histogram.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <ratio>
#include <span>
#include <vector>

namespace osu {

namespace {

/// The most messages in flight at once.
std::size_t most_in_flight(program const& about, bool fan, options const& asked, sonde::mpi::group const& world) {
    if (!is_rate(about.shows)) return 1;
    auto const peers = fan ? nodes_of(world).size() - 1 : 1;
    return peers * (asked.vary_window ? varied_windows.back() : asked.window);
}

/// Bytes of memory that the largest message of any datatype spans.
std::size_t largest_span(message_layout const& layout, options const& asked) {
    auto most = asked.max_size;
    if (layout.plain()) return most;
    for (auto const& type : types_of(asked)) most = std::max(most, layout.describe(type, asked.max_size).span);
    return most;
}

/// Number of threads of a rank that have buffers.
int buffered_threads(program const& about, options const& asked) {
    if (about.t_means != probes::threads) return 1;
    auto const [senders, receivers] = threads_of(asked);
    return 1 + std::max(senders, receivers); // and the main thread's, which are not used
}

/// Bytes of the requests of a window, of one direction, and of their handles, which links reserve for both directions,
/// and which persistent requests have twice.
double bytes_of_requests(program const& about, bool persistent, std::size_t in_flight) {
    auto const handles = (persistent ? 4.0 : 2.0) * static_cast<double>(sizeof(MPI_Request));
    return is_rate(about.shows) ? (suite::least_memory_of_request + handles) * static_cast<double>(in_flight) : 0;
}

/// Kind of memory of this rank's buffers. The first buffer place is of rank 0 and the ranks on its side.
memory_kind kind_of(bool fan, options const& asked, sonde::mpi::group const& world) {
    if (!asked.placement) return memory_kind::host;
    auto const first = fan ? fan_of(world.rank(), nodes_of(world)).parent : world.rank() < world.size() / 2;
    return first ? asked.placement->source : asked.placement->destination;
}

} // namespace

nodes nodes_of(sonde::mpi::group const& world) {
    auto const name =
        sonde::mpi::detail::text_from<MPI_MAX_PROCESSOR_NAME>(MPI_Get_processor_name, "MPI_Get_processor_name");
    return nodes_of(sonde::all_gather(world, name));
}

side_counts threads_of(options const& asked) {
    if (!asked.several) return {1, 2};
    return {asked.several->senders.value_or(1), asked.several->receivers};
}

pt2pt_driver::pt2pt_driver(invocation const& from, message_traits const& traits)
    : driver{from}, traits_{traits}, kind_{kind_of(traits.fan, options(), world())} {
    auto const in_flight = most_in_flight(about(), traits.fan, options(), world());
    auto const largest = largest_span(layout(), options());
    auto const each =
        host_bytes(largest, in_flight) + bytes_of_requests(about(), traits.persistent, in_flight) + bytes_of_times();
    take_memory(buffered_threads(about(), options()) * each, [&] { allocate(largest, in_flight); });
}

double pt2pt_driver::host_bytes(std::size_t largest, std::size_t in_flight) const {
    auto const own = suite::is_in_host(kind_) ? regions_for(options(), largest, in_flight) : 0;
    // Staged messages have one region of host memory for each message in flight.
    auto const staging = is_staged() ? in_flight : 0;
    return 2 * static_cast<double>(largest + 256) * static_cast<double>(own + staging);
}

void pt2pt_driver::allocate(std::size_t largest, std::size_t in_flight) {
    if constexpr (has_gpu())
        if (is_managed(kind_)) prepare_touch(device_request(options()));
    buffers_.emplace(options(), largest, in_flight, world().rank(), kind_);
    validate_bits_of(*buffers_);
    if constexpr (has_device())
        if (is_staged()) // sent and received messages
            staging_.emplace(2 * in_flight * sonde::host_allocation::stride_of(largest));
}

sonde::record pt2pt_driver::subtract_touch_cost(point const& at, sonde::record found) const {
    if constexpr (has_gpu()) {
        auto const& where = options().placement;
        auto const launches =
            where ? subtracted_launches(about().shows, traits_.initiator_receives, *where, at.window) : std::size_t{0};
        if (launches == 0) return found;
        std::array<double, 1> each{world().rank() == 0 ? launch_time().count() : 0};
        world().all_reduce(each, sonde::reduction::sum); // rank 0's launch time, because OMB prints rank 0's times
        return without_touch_cost(std::move(found), sonde::seconds{each[0]} * launches);
    }
    return found;
}

message_buffers pt2pt_driver::thread_buffers(int rank) {
    message_buffers buffers{options(), largest_span(layout(), options()), 1, rank};
    validate_bits_of(buffers);
    return buffers;
}

void pt2pt_driver::validate_bits_of(message_buffers& buffers) {
    if (bits()) buffers.validate_bits(*bits(), sonde::pair_of(world().rank(), world().size() / 2).peer);
}

namespace {

/// Throws refusal if the nodes have no fans. Collective over the group.
void require_fans(sonde::mpi::group const& world) {
    auto const complaint = complaint_about(nodes_of(world));
    if (!complaint.empty()) throw refusal{complaint};
}

} // namespace

suite::named_program named(program about, message_traits const& traits, std::function<void(pt2pt_driver&)> sweep) {
    if (traits.persistent) about.rotating_refused = "Requests would rotate with their buffers, and be as cold";
    return named(std::move(about), [traits, sweep = std::move(sweep)](invocation const& from) {
        if (traits.fan) require_fans(from.world);
        auto const driver = std::make_shared<pt2pt_driver>(from, traits);
        auto const preamble = traits.preamble == nullptr ? "" : traits.preamble(from.options);
        return prepared_run{driver, preamble, [sweep, driver] { sweep(*driver); }};
    });
}

namespace {

void shorten(std::vector<sonde::seconds>& times, sonde::seconds by) {
    for (auto& t : times) t -= by;
}

/// Each time is the middle of its bucket, as in quantiles.
sonde::histogram shortened(sonde::histogram const& times, sonde::seconds by) {
    using picoseconds = std::chrono::duration<double, std::pico>;
    std::vector<double> counts(sonde::histogram::sums);
    times.write_sums(std::span<double, sonde::histogram::sums>{counts});
    sonde::histogram found;
    for (std::size_t i = 0; i != sonde::histogram::buckets; ++i) {
        auto const time = picoseconds{sonde::detail::log_linear<7, 50>::midpoint(i)} - by;
        for (auto n = counts[i]; n > 0; --n) found.add(time);
    }
    return found;
}

} // namespace

std::size_t subtracted_launches(metric as, bool initiator_receives, buffer_placement const& where, std::size_t window) {
    auto const to_device = where.destination == memory_kind::managed_device;
    auto const sides = std::size_t{where.source == memory_kind::managed_device} + std::size_t{to_device};
    if (as == metric::latency) return sides;
    auto const both_ways = as == metric::bandwidth && initiator_receives;
    return window * (both_ways ? sides : std::size_t{to_device});
}

sonde::record without_touch_cost(sonde::record found, sonde::seconds cost) {
    shorten(found.series, cost);
    shorten(found.sample_means, cost);
    shorten(found.rank_means, cost);
    for (auto& times : found.overflow) times = shortened(times, cost);
    if (found.global) shorten(found.global->series, cost);
    for (auto* const t : {&found.over_ranks.min, &found.over_ranks.mean, &found.over_ranks.max}) *t -= cost;
    return found;
}

} // namespace osu
