// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/global_clock.hpp>
#include <sonde/group.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace sonde::inline v0_1 {

/// Synchronizer by which all ranks start a sample at one global time: after a barrier, rank 0 broadcasts a start time
/// in the near future, and every rank spins until then (Round-Time: Hunold, Carpen-Amarie 2018).
///
/// It is its own global clock (see `Synchronizer`): a record gets times from the first rank's begin to the last rank's
/// end, and a sample that a rank begins late is redone. The plan's clock must have the type C and the same domain as
/// `clock`.
///
/// Copies share the comparison of the clocks and the slack. So the next run of a plan uses the results of the previous
/// run, although each run copies the plan. An object and its copies are for one thread at a time.
///
/// The clocks of the ranks for which it was made are compared by messages between them, so a run over another group
/// throws std::invalid_argument on all ranks of that group. `map` takes it, because its pairs are ranks of the group.
template <Clock C, ControlChannel M>
class synchronized_start {
public:
    /// See `global_clock`. Collective over the group.
    explicit synchronized_start(Group auto& group, C clock = {}, clock_sync_options options = {})
        : synchronized_start{group, sonde::global_clock<C, M>{group, std::move(clock), options}} {}
    synchronized_start(Group auto& group, C clock, M channel, std::string const& domain,
                       clock_sync_options options = {})
        : synchronized_start{group,
                             sonde::global_clock<C, M>{group, std::move(clock), std::move(channel), domain, options}} {}
    /// By a global clock that was made for the group. Collective over the group.
    synchronized_start(Group auto& group, sonde::global_clock<C, M> of)
        : shared_{std::make_shared<state>(std::move(of))} {
        detail::watched_call const watched{group, "synchronized_start"};
        auto& own = *shared_;
        seconds shortest{};
        for (int i = 0; i != 11; ++i) {
            group.barrier();
            auto const begin = own.clock.now();
            broadcast_start(group);
            auto const time = own.clock.now() - begin;
            if (i == 0 || detail::is_shorter(time, shortest)) shortest = time;
        }
        std::array<double, 2> slowest{shortest.count(), own.clock.model().error.count()};
        group.all_reduce(slowest, reduction::max);
        own.min_slack = own.slack = seconds{3 * slowest[0] + slowest[1]};
    }

    void operator()(Group auto& group, std::size_t) {
        group.barrier();
        auto const [start, previous_was_late] = broadcast_start(group);
        adapt_slack(previous_was_late);
        shared_->late = shared_->clock.now() > start;
        if (!wait_until(start)) shared_->late = true;
    }

    synchronized_start* global_clock() { return this; }
    /// A number of the group for which it was made, so that starts that were made for different groups differ.
    std::array<double, 1> parameters() const { return shared_->clock.parameters(); }

    /// Synchronize the clocks if they differ and their last synchronization was over a second ago. Collective over the
    /// group. Throws std::invalid_argument, on all ranks, for another group than the one for which it was made.
    void synchronize(Group auto& group) {
        shared_->clock.require_ranks(group, "sonde::synchronized_start");
        if (shared_->clock.shared()) return;
        // Rank 0's global time counts from the last synchronization.
        bool expired = shared_->clock.now() > seconds{1};
        sonde::broadcast(group, expired);
        if (!expired) return;
        shared_->clock.synchronize();
    }
    /// True if this rank reached the last start in time.
    bool on_time() const { return !shared_->late; }
    /// Global time of a reading of the clock (`since_epoch`).
    seconds to_global(seconds reading) const { return shared_->clock.to_global(reading); }
    /// See `global_clock`. Collective over the group.
    clock_deviation measure_deviation(Group auto& group) { return shared_->clock.measure_deviation(group); }

    /// How far in the future rank 0 sets the next start. The first and smallest value is 3 times the time to broadcast
    /// a start (shortest of 11, of the slowest rank, since it stays the smallest value and disturbances do not) plus
    /// the error of the global clock. The slack grows by half after a start with a late rank (from 0 to 1 us), and
    /// shrinks by a tenth after a start without. On balance it grows if one start in five is missed.
    seconds slack() const { return shared_->slack; }
    /// The model by which readings become global times.
    clock_model const& model() const { return shared_->clock.model(); }

private:
    struct state {
        explicit state(sonde::global_clock<C, M> of) : clock{std::move(of)} {}

        sonde::global_clock<C, M> clock;
        seconds slack{};
        seconds min_slack{};
        bool late = false;
        bool stands_still = false;
    };

    void adapt_slack(bool was_late) {
        constexpr seconds longest{1}; // a clock at fault misses every start
        auto& own = *shared_;
        auto const longer = own.slack > seconds{} ? 1.5 * own.slack : seconds{1e-6}, shorter = 0.9 * own.slack;
        if (was_late) own.slack = longer < longest ? longer : own.slack;
        else own.slack = shorter > own.min_slack ? shorter : own.min_slack;
    }
    /// Spin until a global time. False if the clock goes back, or stands still for 2^22 readings: then
    /// no start is in time, and the run ends as soon as it has missed 1000 of them.
    bool wait_until(seconds start) {
        auto& own = *shared_;
        std::size_t unchanged = 0;
        for (auto latest = own.clock.now(); latest < start && !own.stands_still;) {
            auto const now = own.clock.now();
            if (now < latest) return false;
            unchanged = latest < now ? 0 : unchanged + 1;
            own.stands_still = unchanged >> 22 != 0;
            latest = now;
        }
        return !own.stands_still;
    }
    /// The next start, and whether any rank was late for the previous one.
    std::pair<seconds, bool> broadcast_start(Group auto& group) {
        auto const start = shared_->clock.now() + shared_->slack;
        std::array<double, 2> values{group.rank() == 0 ? start.count() : 0, shared_->late ? 1.0 : 0.0};
        group.all_reduce(values, reduction::sum);
        return {seconds{values[0]}, values[1] != 0};
    }

    std::shared_ptr<state> shared_;
};
template <Group G, Clock C = steady_clock>
synchronized_start(G&, C = {}, clock_sync_options = {})
    -> synchronized_start<C, decltype(sonde::control_channel_of(std::declval<G&>()))>;

} // namespace sonde
