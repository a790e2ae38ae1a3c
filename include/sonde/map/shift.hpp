// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/link.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde {

/// Sends a stream to one rank while another rank sends a stream to the caller (mpiGraph's pattern). An iteration starts
/// `depth` receives and `depth` sends and waits for the sends only, so that a slow sender does not lengthen the samples
/// of its receiver. `finish` waits for the receives; it is called before the next iteration, outside the clock.
///
/// Sends of messages that the library buffers (eager messages) complete before the messages arrive, so use messages
/// above the eager limit. `in` has at least `depth` regions.
template <class L, Buffer Out, Buffer In>
    requires AsyncLink<L, region_of<Out>, region_of<In>>
class shifted_stream {
public:
    template <Buffer From, Buffer To>
    shifted_stream(L to, L from, std::size_t depth, From out, To in)
        : to_{std::move(to)}, from_{std::move(from)}, depth_{depth}, out_{sonde::send_buffer(to_, std::move(out))},
          in_{sonde::recv_buffer(from_,
                                 detail::require_regions(from_, depth, std::move(in), receive_regions::distinct))} {
        sonde::reserve(to_, depth);
        sonde::reserve(from_, depth);
    }

    void operator()() {
        finish();
        for (std::size_t i = 0; i != depth_; ++i) from_.irecv(in_.next());
        for (std::size_t i = 0; i != depth_; ++i) to_.isend(out_.next());
        to_.wait_all();
    }
    void finish() { from_.wait_all(); }
    sonde::traffic traffic() const { return {depth_ * out_.size(), depth_, 1}; }

private:
    L to_, from_;
    std::size_t depth_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To>
shifted_stream(L, L, std::size_t, From, To) -> shifted_stream<L, send_buffer_t<L, From>, recv_buffer_t<L, To>>;

/// Measure a pattern in which all ranks send at once, each to the rank `shift` above it, for all shifts from 1 to
/// P - 1. `make_pattern(to, from)` returns the caller's pattern, such as a `shifted_stream`. The pair `from`, `to` has
/// the time that rank `from` measured. A synchronizer of `plan` is not used, because samples begin with `finish` and a
/// barrier. Collective over the group. The result is equal on every rank that gets it (rank 0, or all ranks with
/// `options.on_all_ranks`). Throws std::invalid_argument on all ranks if the plan or the options differ between ranks.
template <Group G, class Plan, class Make>
[[nodiscard]] pair_map shift_map(G& group, Plan const& plan, Make make_pattern, map_options options = {}) {
    detail::watched_call const watched{group, "shift_map"};
    detail::require_equal(group, plan, options, "shift_map");
    auto const rank = group.rank(), ranks = group.size();
    detail::growing_map map{rank == 0 ? ranks : 0};
    detail::measured_rounds const measured{ranks - 1, options.rounds};
    for (int i = 0; i < measured.count; ++i) {
        auto const shift = measured.at(i) + 1;
        auto pattern = make_pattern((rank + shift) % ranks, (rank - shift + ranks) % ranks);
        auto const start = [&pattern](auto& whole, std::size_t) {
            pattern.finish();
            whole.barrier();
        };
        auto const found = sonde::run(group, plan.synchronized(start).keep({.rank_samples = true}), pattern);
        pattern.finish();
        if (rank != 0) continue;
        for (int from = 0; from < ranks; ++from) {
            auto const times = samples_of(found, from);
            map.set(from, (from + shift) % ranks, detail::summary_of({times.begin(), times.end()}, found));
        }
        detail::work(group, 0);
        if (options.after_round) options.after_round(map.all, i + 1, measured.count);
    }
    detail::expect(group, 0);
    if (options.on_all_ranks) detail::broadcast(group, map.all);
    return std::move(map.all);
}

} // namespace sonde
