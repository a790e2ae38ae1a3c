// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/global_clock.hpp>
#include <sonde/group.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/time.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// Synchronizer by which all ranks start a sample at one global time: after a barrier, rank 0 broadcasts a start time
/// in the near future, and every rank spins until then (Round-Time: Hunold, Carpen-Amarie 2018).
///
/// It is its own global clock (see `Synchronizer`): a record gets times from the first rank's begin to the last rank's
/// end, and a sample that a rank begins late is redone. The plan's clock must be of the same type and domain as C.
template <Clock C, ControlChannel M>
class synchronized_start {
public:
    /// See `global_clock`. Collective over the group.
    synchronized_start(Group auto& group, C clock, M channel, std::string const& domain,
                       clock_sync_options options = {})
        : clock_{group, std::move(clock), std::move(channel), domain, options} {
        std::vector<seconds> times;
        for (int i = 0; i != 11; ++i) {
            group.barrier();
            auto const begin = clock_.now();
            broadcast_start(group);
            times.push_back(clock_.now() - begin);
        }
        std::array<double, 2> slowest{median(detail::as_span(times)).count(), clock_.model().error.count()};
        group.all_reduce(slowest, reduction::max);
        min_slack_ = slack_ = seconds{3 * slowest[0] + slowest[1]};
    }

    void operator()(Group auto& group, std::size_t) {
        group.barrier();
        auto const [start, previous_was_late] = broadcast_start(group);
        adapt_slack(previous_was_late);
        late_ = clock_.now() > start;
        if (!wait_until(start)) late_ = true;
    }

    synchronized_start* global_clock() { return this; }

    /// Synchronize different clocks if the last time was over a second ago. Collective over the group.
    void synchronize(Group auto& group) {
        if (clock_.shared()) return;
        // Rank 0's global time counts from the last synchronization.
        std::array<double, 1> expired{clock_.now() > seconds{1} ? 1.0 : 0.0};
        sonde::broadcast(group, expired);
        if (expired[0] == 0) return;
        clock_.synchronize();
        error_bound_ = unknown;
    }
    /// True if this rank reached the last start in time.
    bool on_time() const { return !late_; }
    /// Global time of a reading of the clock (`since_epoch`).
    seconds to_global(seconds reading) const { return clock_.to_global(reading); }
    /// Upper bound of the error of any rank's global time from the synchronization of the clocks to the last
    /// `measure_deviation`, infinite before that.
    seconds error_bound() const { return error_bound_; }
    /// Largest deviation of a rank's global time from rank 0's, measured now. Collective over the group.
    seconds measure_deviation(Group auto& group) {
        auto const found = clock_.measure_deviation(group);
        error_bound_ = found.error_bound;
        return found.max;
    }

    /// How far in the future rank 0 sets the next start: at first, and at least, 3 times the time of broadcasting a
    /// start (median of 11, of the slowest rank) plus the error of the global clock. It grows by half after a start
    /// with a late rank, and shrinks by a tenth after one without: on balance it grows if one start in five is missed.
    seconds slack() const { return slack_; }
    clock_model const& model() const { return clock_.model(); }

private:
    void adapt_slack(bool was_late) {
        constexpr seconds longest{1}; // a clock at fault misses every start
        auto const longer = 1.5 * slack_, shorter = 0.9 * slack_;
        if (was_late) slack_ = longer < longest ? longer : slack_;
        else slack_ = shorter > min_slack_ ? shorter : min_slack_;
    }
    /// Spin until a global time. False if the clock goes back, or stands still for 2^22 readings: then
    /// no start is in time, and the run ends as soon as it has missed 1000 of them.
    bool wait_until(seconds start) {
        std::size_t unchanged = 0;
        for (auto latest = clock_.now(); latest < start && !stands_still_;) {
            auto const now = clock_.now();
            if (now < latest) return false;
            unchanged = latest < now ? 0 : unchanged + 1;
            stands_still_ = unchanged >> 22 != 0;
            latest = now;
        }
        return !stands_still_;
    }
    /// The next start, and whether any rank was late for the previous one.
    std::pair<seconds, bool> broadcast_start(Group auto& group) {
        auto const start = clock_.now() + slack_;
        std::array<double, 2> values{group.rank() == 0 ? start.count() : 0, late_ ? 1.0 : 0.0};
        group.all_reduce(values, reduction::sum);
        return {seconds{values[0]}, values[1] != 0};
    }

    static constexpr seconds unknown{std::numeric_limits<double>::infinity()};

    sonde::global_clock<C, M> clock_;
    seconds error_bound_ = clock_.shared() ? seconds{} : unknown;
    seconds slack_{};
    seconds min_slack_{};
    bool late_ = false;
    bool stands_still_ = false;
};

} // namespace sonde
