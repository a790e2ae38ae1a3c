// SPDX-License-Identifier: BSL-1.0
// Messages that NCCL, or another library of its kind, moves between two ranks: osu_xccl_latency, osu_xccl_bw,
// osu_xccl_bibw.
#include "osu/xccl/xccl_pairs.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/pt2pt/pt2pt_driver.hpp"
#include "osu/xccl/xccl_connection.hpp"

#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace osu::xccl {

namespace {

/// Driver of messages between two ranks that the library connects.
class pair_driver : public pt2pt_driver {
public:
    /// Throws refusal, on all ranks, if memory is exhausted or the library cannot connect the ranks. Collective over
    /// the group.
    pair_driver(invocation const& from, bool initiator_receives)
        : pt2pt_driver{from, {.initiator_receives = initiator_receives}}, reply_{reply_of_each(world())},
          connection_{world()} {}

    sonde::pairing pairing() { return sonde::pair_of(world().rank(), 1); }
    decltype(auto) place() { return connection_.place(); }
    /// The buffer of the reply to a window.
    sonde::opaque_slice reply() const { return reply_.single({1, 1}); }

private:
    /// Allocated before the ranks are connected: no rank waits for one whose memory is exhausted.
    static buffer reply_of_each(sonde::mpi::group const& world) {
        std::optional<buffer> reply;
        together(world, [&] { reply.emplace(1, reply_memory); });
        return std::move(*reply);
    }

    buffer reply_;
    connection connection_; // destroyed before the memory that the library uses
};

// The measurements get the addresses of the buffers, because the library takes managed memory where it is: only its
// calls are timed.

/// Half a round trip: send, wait, receive, wait.
sonde::record measure_latency(pair_driver& d, point const& at) {
    auto const pair = d.pairing();
    return d.run(at, ping_pong_plan, [&](auto out, auto in) {
        return sonde::ping_pong{pair_link{d.place(), pair.peer}, pair.role, out, in};
    });
}

/// A window of sends, each a separate operation, which are waited for; then a reply of one byte.
sonde::record measure_bandwidth(pair_driver& d, point const& at) {
    auto plan = window_plan;
    plan.synchronize = start::none;
    auto const pair = d.pairing();
    return d.run(at, plan, [&](auto out, auto in) {
        window_link link{d.place(), pair.peer};
        reply_link back{d.place(), pair.peer};
        return sonde::stream{
            std::move(link), pair.role, at.window, out, in, std::move(back), d.reply(), sonde::overlapping_receives};
    });
}

/// A window of sends and receives, pending together.
sonde::record measure_both_directions(pair_driver& d, point const& at) {
    auto const pair = d.pairing();
    return d.run(at, window_plan, [&](auto out, auto in) {
        pair_link link{d.place(), pair.peer};
        return sonde::bidirectional{
            std::move(link), pair.role, at.window, out, in, sonde::directions::both, sonde::overlapping_receives};
    });
}

/// One program: its description and its measurement.
struct pair_program {
    char const* name;
    char const* title;
    option_set accepted;
    metric shows;
    std::size_t smallest;
    bool initiator_receives;
    sonde::record (*measure)(pair_driver& d, point const& at);
};

constexpr option_set without{option_name::bit_check, option_name::derived_datatype, option_name::papi,
                             option_name::cache, option_name::staged};
constexpr auto xccl_latency_options = latency_options - without;
constexpr auto xccl_bandwidth_options = bandwidth_options - without;

// OMB accepts -D, too, and then prints a title without values; the libraries have no derived datatypes.
constexpr pair_program rows_of_pairs[] = {
    {"latency", "Latency", xccl_latency_options, metric::latency, 0, true, measure_latency},
    {"bw", "Bandwidth", xccl_bandwidth_options, metric::bandwidth, 1, false, measure_bandwidth},
    {"bibw", "Bi-Directional Bandwidth", xccl_bandwidth_options, metric::bandwidth, 1, true, measure_both_directions}};

program program_of(pair_program const& row, std::string const& prefix) {
    return {.name = prefix + row.name,
            .title = std::string{"OSU "} + xccl_library.title + " " + row.title + " Test",
            .moved_by = xccl_library,
            .accepted = row.accepted,
            .shows = row.shows,
            .smallest = row.smallest,
            .style = {.titled = false, .latency_title = "Latency (us)"}};
}

/// The line that replaces the title.
std::string placement_line(program const& about, buffer_placement where) {
    return "# Send Buffer on " + place_label(about, where.source) + " and Receive Buffer on " +
           place_label(about, where.destination);
}

suite::named_program program_with(std::string const& prefix, pair_program const& row) {
    return named(program_of(row, prefix), [&row](invocation from) {
        from.options.types.clear(); // messages are bytes for any -T
        auto const d = std::make_shared<pair_driver>(from, row.initiator_receives);
        auto const sweep = [&row, d] {
            d->each_point([&](point const& at) { return d->report(at, row.measure(*d, at)); });
        };
        return prepared_run{d, placement_line(from.about, from.options.placement.value()), sweep};
    });
}

} // namespace

std::vector<suite::named_program> pair_programs(std::string const& prefix) {
    return suite::programs_of(rows_of_pairs, [&](pair_program const& row) { return program_with(prefix, row); });
}

} // namespace osu::xccl
