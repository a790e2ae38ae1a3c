// SPDX-License-Identifier: BSL-1.0
// osu_latency between the threads of two ranks, which take the iterations in turn.
#include "osu/pt2pt/latency_mt.hpp"

#include "osu/pt2pt/pt2pt_driver.hpp"
#include "osu/pt2pt/turns.hpp"

#include <sonde/group/threads.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace osu {

namespace {

std::string thread_lines(options const& asked) {
    auto const [senders, receivers] = threads_of(asked);
    return "# Number of Sender threads: " + std::to_string(senders) +
           " \n# Number of Receiver threads: " + std::to_string(receivers);
}

/// Validate the exchanges of one thread. Every iteration has its own contents, which the threads of both sides know by
/// its number, for any numbers of threads. Returns the number of wrong elements of all threads. Collective over the
/// group.
template <sonde::Group G, sonde::Pattern P>
std::size_t validate_turns(G& group, turn_pattern<P>& pattern, message_buffers& buffers, point const& at,
                           options const& asked) {
    std::size_t wrong = 0;
    auto const turn = [&](std::size_t iteration, P& exchange) {
        buffers.write_sent(at, iteration);
        for (std::size_t i = 0; i != asked.check.warmup; ++i) exchange();
        buffers.clear_received(at);
        exchange();
        wrong += buffers.count_wrong(at, iteration);
    };
    auto checked = [&] { pattern.each(turn); };
    auto const nothing = [](std::size_t) {};
    auto const found = [&](std::size_t) { return std::exchange(wrong, 0); };
    return sonde::validate(group, checked, nothing, found, check_rounds(asked));
}

/// Size sweep of one thread. Thread 0 of each rank prints the table.
void sweep_thread(pt2pt_driver& d, auto& me, sonde::pairing pair) {
    auto const [senders, receivers] = threads_of(d.options());
    auto plan = ping_pong_plan;
    plan.senders = senders;
    auto buffers = d.thread_buffers(me.rank());
    turn_schedule const schedule{senders, receivers, pair.role, me.thread()};
    auto const run = [&](point const& at) {
        auto const pattern = [&](auto out, auto in) {
            return turn_pattern{schedule, [&](tag_pair t) {
                                    auto const tags = pair.role == sonde::role::initiator
                                                          ? sonde::mpi::tags{t.data, t.reply}
                                                          : sonde::mpi::tags{t.reply, t.data};
                                    sonde::mpi::link const link{d.world(), pair.peer, tags, at.elements()};
                                    return sonde::ping_pong{link, pair.role, out, in};
                                }};
        };
        auto const validate = [&](auto& turns, bool) { return validate_turns(me, turns, buffers, at, d.options()); };
        return measure(me, {d.about(), d.options(), buffers, at, true}, d.plan(plan, at.size), pattern, validate);
    };
    for (auto const& type : d.types()) {
        if (me.thread() == 0) d.begin_table(type);
        d.each_size(type, [&, senders = senders, receivers = receivers](point const& at) {
            auto found = run(at);
            found.point.parameters.emplace_back("senders", senders);
            found.point.parameters.emplace_back("receivers", receivers);
            if (me.thread() == 0) d.report(at, found);
            return found.errors.value_or(0) == 0;
        });
    }
}

/// All threads of this rank. One that throws ends the job, because the others would wait for it.
void sweep_threads(pt2pt_driver& d) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    auto const [senders, receivers] = threads_of(d.options());
    sonde::thread_team team{d.world(), pair.role == sonde::role::initiator ? senders : receivers};
    team.run([&](auto& me) { sonde::mpi::abort_on_exception(d.world().comm(), [&] { sweep_thread(d, me, pair); }); });
}

} // namespace

suite::named_program multi_threaded_program() {
    return named({.name = "osu_latency_mt",
                  .title = "OSU MPI Multi-threaded Latency Test",
                  .moved_by = mpi_library,
                  .accepted = (common_options | validation_options | datatype_options | option_name::test_calls) -
                              option_set{option_name::witness},
                  .smallest = 0,
                  .t_means = probes::threads},
                 {.preamble = thread_lines}, sweep_threads);
}

} // namespace osu
