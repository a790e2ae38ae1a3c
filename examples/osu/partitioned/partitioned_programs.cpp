// SPDX-License-Identifier: BSL-1.0
// osu_partitioned_latency, osu_partitioned_bw, osu_partitioned_early_bird: messages in partitions of MPI 4.0, which are
// ready at once, or one after the other while the initiator computes.
#include "osu/partitioned/partitioned_programs.hpp"

#include "osu/driver/osu_table.hpp"
#include "osu/driver/plan.hpp"
#include "osu/driver/sizes.hpp"
#include "osu/pt2pt/pt2pt_driver.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/mpi/link_modes.hpp>
#include <sonde/mpi/partitioned.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace osu {

namespace {

int partitions_of(pt2pt_driver const& d) { return static_cast<int>(d.options().partitions); }

/// Half a round trip, of which all partitions are ready at once.
void sweep_latency(pt2pt_driver& d) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    d.each_point([&](point const& at) {
        return d.report(at, d.run(at, ping_pong_plan, [&](auto out, auto in) {
            return sonde::ping_pong{sonde::mpi::partitioned_link<>{d.world(), pair.peer, partitions_of(d)}, pair.role,
                                    out, in};
        }));
    });
}

sonde::mpi::partitioned_message message_from(pt2pt_driver& d, sonde::Buffer auto out, sonde::Buffer auto in) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    return {d.world(), pair.peer, pair.role, partitions_of(d), out, in};
}

/// A message and its acknowledgement.
void sweep_bandwidth(pt2pt_driver& d) {
    d.each_point([&](point const& at) {
        return d.report(at, d.run(at, window_plan, [&](auto out, auto in) { return message_from(d, out, in); }));
    });
}

/// Work of the initiator, as long as the message takes: a partition is ready after each of its parts. The responder
/// waits, as a rank that needs the message does.
sonde::overlap_records measure_beside_work(pt2pt_driver& d, point const& at, sonde::mpi::partitioned_message& message) {
    sonde::calibrated_work work{d.options().partitions};
    auto const duration = [](sonde::record const& communication, int rank) {
        return rank == 0 ? sonde::median(communication) : sonde::seconds{};
    };
    return sonde::measure_overlap(d.world(), plan_of_three_runs(d.plan(window_plan, at.size), d.options()), message,
                                  work, point_of(d.about(), d.options(), at), sonde::overlap_timing::whole, duration);
}

result measure_early_bird(pt2pt_driver& d, message_buffers& buffers, point const& at) {
    return buffers.with(at, [&](auto out, auto in) -> result {
        auto message = message_from(d, out, in);
        auto found = measure_beside_work(d, at, message);
        buffers.end_measuring();
        auto const receives = message.role() == sonde::role::responder;
        if (d.options().check.compares())
            found.both.errors = validate_messages(d.world(), message, buffers, at, d.options(), receives);
        return {std::move(found), std::nullopt};
    });
}

void sweep_early_bird(pt2pt_driver& d) {
    auto buffers = d.thread_buffers(d.world().rank());
    d.each_point([&](point const& at) { return d.report(at, measure_early_bird(d, buffers, at)); });
}

/// A program of two ranks, whose sizes are whole partitions.
suite::named_program partitioned(char const* name, char const* title, metric shows, bool initiator_receives,
                                 void (*sweep)(pt2pt_driver&)) {
    program about{.name = name,
                  .title = title,
                  .moved_by = mpi_library,
                  .accepted = common_options | validation_options | option_name::bit_check | option_name::partitions,
                  .shows = shows};
    return named(std::move(about), [initiator_receives, sweep](invocation from) {
        auto const partitions = from.options.partitions;
        auto& least = from.options.min_size;
        least += (partitions - least % partitions) % partitions; // a size of the range
        from.options = within(std::move(from.options), {.element = partitions});
        auto const d = std::make_shared<pt2pt_driver>(
            from, message_traits{.initiator_receives = initiator_receives, .persistent = true});
        return prepared_run{d, "", [sweep, d, partitions] {
                                d->table().line("# Partitions: " + std::to_string(partitions) + ".");
                                sweep(*d);
                            }};
    });
}

} // namespace

std::vector<suite::named_program> partitioned_programs() {
    return {partitioned("osu_partitioned_latency", "OSU MPI Partitioned Latency Test", metric::latency, true,
                        sweep_latency),
            partitioned("osu_partitioned_bw", "OSU MPI Partitioned Bandwidth Test", metric::bandwidth, false,
                        sweep_bandwidth),
            partitioned("osu_partitioned_early_bird", "OSU MPI Partitioned Early-Bird Test", metric::early_bird, false,
                        sweep_early_bird)};
}

} // namespace osu
