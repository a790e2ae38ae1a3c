// SPDX-License-Identifier: BSL-1.0
// Messages that NCCL moves between two ranks: osu_xccl_latency, osu_xccl_bw, osu_xccl_bibw.
#include "osu/driver/buffer_places.hpp"
#include "osu/driver/launch.hpp"
#include "osu/programs.hpp"
#include "osu/pt2pt/driver.hpp"
#include "osu/xccl/connection.hpp"

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

/// Driver of messages between two ranks that NCCL connects.
class pair_driver : public pt2pt_driver {
public:
    /// Throws refusal, on all ranks, if memory is exhausted or NCCL cannot connect the ranks. Collective over the
    /// group.
    explicit pair_driver(invocation const& from)
        : pt2pt_driver{from}, reply_{reply_of_each(world())}, connection_{world()} {}

    sonde::pairing pairing() { return sonde::pair_of(world().rank(), 1); }
    sonde::nccl::queue<polling> queue() { return connection_.queue(); }
    /// The buffer of the reply to a window.
    sonde::opaque_slice reply() const { return reply_.single({1, 1}); }

private:
    /// Allocated before the ranks are connected: no rank waits for one whose memory is exhausted.
    static buffer reply_of_each(sonde::mpi::group const& world) {
        std::optional<buffer> reply;
        together(world, [&] { reply.emplace(1, memory_kind::device); });
        return std::move(*reply);
    }

    buffer reply_;
    connection connection_; // destroyed before the memory that NCCL uses
};

/// Link whose messages of a window are separate operations, as in OMB's osu_xccl_bw: no group joins them.
class separate_operations_link : sonde::nccl::stream_ordered_link<polling> {
    using enqueued = stream_ordered_link;

public:
    using enqueued::recv_buffer;
    using enqueued::send_buffer;
    using enqueued::stream_ordered_link;

    void isend(sonde::nccl::message const& m) { enqueued::send(m); }
    void irecv(sonde::nccl::message const& m) { enqueued::recv(m); }
    void wait_all() { enqueued::complete(); }
    void complete() {} // a window leaves nothing pending
};

/// Link of the reply to a window. It is never waited for: the next window is enqueued behind it, as in OMB.
class unwaited_link : sonde::nccl::stream_ordered_link<polling> {
    using enqueued = stream_ordered_link;

public:
    using enqueued::recv;
    using enqueued::recv_buffer;
    using enqueued::send;
    using enqueued::send_buffer;
    using enqueued::stream_ordered_link;

    void complete() {}
};

// The measurements get the addresses of the buffers, because NCCL takes managed memory where it is: only NCCL is timed.

/// Half a round trip: send, wait, receive, wait.
sonde::record measure_latency(pair_driver& d, point const& at) {
    sweep_plan const plan{.iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = before_each_size};
    auto const pair = d.pairing();
    return d.run(at, plan, [&](auto out, auto in) {
        return sonde::ping_pong{sonde::nccl::link{d.queue(), pair.peer}, pair.role, out, in};
    });
}

/// A window of sends, each a separate operation that is waited for; then a reply of one byte that is not waited for.
sonde::record measure_bandwidth(pair_driver& d, point const& at) {
    sweep_plan const plan{.iterations = 100, .warmup = 10, .large = {20, 2}, .synchronize = start::none};
    auto const pair = d.pairing();
    return d.run(at, plan, [&](auto out, auto in) {
        separate_operations_link link{d.queue(), pair.peer};
        unwaited_link back{d.queue(), pair.peer};
        return sonde::stream{
            std::move(link), pair.role, at.window, out, in, std::move(back), d.reply(), sonde::overlapping_receives};
    });
}

/// A window of sends and receives, all one operation that is waited for.
sonde::record measure_both_directions(pair_driver& d, point const& at) {
    sweep_plan const plan{.iterations = 100, .warmup = 10, .large = {20, 2}, .synchronize = before_each_size};
    auto const pair = d.pairing();
    return d.run(at, plan, [&](auto out, auto in) {
        sonde::nccl::link link{d.queue(), pair.peer};
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

constexpr auto nccl_latency_options = latency_options - option_name::derived_datatype - option_name::papi;
constexpr auto nccl_bandwidth_options = bandwidth_options - option_name::derived_datatype - option_name::papi;

// OMB accepts -D, too, and then prints a title without values; NCCL has no derived datatypes.
constexpr pair_program pair_programs[] = {
    {"latency", "Latency", nccl_latency_options, metric::latency, 0, true, measure_latency},
    {"bw", "Bandwidth", nccl_bandwidth_options, metric::bandwidth, 1, false, measure_bandwidth},
    {"bibw", "Bi-Directional Bandwidth", nccl_bandwidth_options, metric::bandwidth, 1, true, measure_both_directions}};

program program_of(pair_program const& row) {
    return {.name = std::string{"osu_xccl_"} + row.name,
            .title = std::string{"OSU "} + xccl_name + " " + row.title + " Test",
            .accepted = row.accepted,
            .shows = row.shows,
            .smallest = row.smallest,
            .initiator_receives = row.initiator_receives,
            .moved_by = data_library::nccl};
}

/// The line that replaces the title.
std::string placement_line(program const& about, buffer_placement where) {
    return "# Send Buffer on " + place_label(about, where.source) + " and Receive Buffer on " +
           place_label(about, where.destination);
}

} // namespace

} // namespace osu::xccl

int osu::run_xccl_pair(int argc, char** argv, char const* name) {
    using namespace xccl;
    auto const named = [&](pair_program const& p) { return p.name == std::string_view{name}; };
    auto const* const found = std::find_if(std::begin(pair_programs), std::end(pair_programs), named);
    if (found == std::end(pair_programs)) throw std::invalid_argument{std::string{"osu_xccl: no program "} + name};
    auto const& row = *found;
    auto const about = program_of(row);
    return launch(argc, argv, about, [&](invocation from) {
        from.options.types.clear(); // messages are bytes for any -T
        auto const d = std::make_shared<pair_driver>(from);
        auto const sweep = [&row, d] {
            d->each_point([&](point const& at) { return d->report(at, row.measure(*d, at)); });
        };
        return prepared_run{d, placement_line(about, from.options.placement.value()), sweep};
    });
}
