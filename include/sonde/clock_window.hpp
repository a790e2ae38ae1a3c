// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/global_clock.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/group.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// Ranks start at one global time: a barrier, then rank 0 names a start a little ahead, and everyone spins until it
/// (Round-Time: Hunold, Carpen-Amarie 2018).
///
/// A `Synchronizer` with a `window()`: itself, which says
///
///     w.begin(group)      collective: where ranks have different clocks, and a second has passed since they were
///                         compared, they are compared anew
///     w.valid()           was this rank in time for the sample just begun? If not, the sample does not count
///     w.global(t)         a reading of the clock, `since_epoch`, as global time
///     w.check(group)      collective: the largest distance of a rank's global time from rank 0's, measured anew
///     w.bound()           how wrong any rank's global time was at most from when clocks were compared to the check; a
///                         difference of two ranks' times, by twice that; infinite before a check
///
/// The plan's clock must be the same kind of clock.
template <Clock C, Courier M>
class clock_window {
public:
    using clock_type = C;

    /// See `global_clock`. Collective over the group.
    template <Group G>
    clock_window(G& group, C clock, M courier, std::string const& domain, sync_effort effort = {})
        : clock_{group, std::move(clock), std::move(courier), domain, effort} {
        measure_slack(group);
    }

    template <Group G>
    void operator()(G& group, std::size_t) {
        group.barrier();
        auto const said = name_start(group);
        slack_ = said.anybody_was_late ? 1.5 * slack_ : 0.9 * slack_ > least_slack_ ? 0.9 * slack_ : least_slack_;
        late_ = clock_.now() > said.start;
        while (clock_.now() < said.start) {
        }
    }

    clock_window* window() { return this; }
    template <Group G>
    void begin(G& group) {
        if (clock_.shared()) return;
        // Rank 0's global time counts from when clocks were compared.
        std::array<double, 1> old{clock_.now() > seconds{1} ? 1.0 : 0.0};
        sonde::share(group, old);
        if (old[0] == 0) return;
        clock_.synchronize();
        bound_ = unknown;
    }
    bool valid() const { return !late_; }
    seconds global(seconds reading) const { return clock_.at(reading); }
    seconds bound() const { return bound_; }
    template <Group G>
    seconds check(G& group) {
        auto const found = clock_.check(group);
        bound_ = found.bound;
        return found.distance;
    }

    /// How far ahead rank 0 puts the next start. Half as much again after somebody was late, which all hear with the
    /// start after that, and a tenth less after all were in time, so that it grows where one start in five is missed;
    /// never less than at first: 3 times what it takes to name a start (median of 11, of the slowest rank), and the
    /// error of the global clock.
    seconds slack() const { return slack_; }
    global_time const& model() const { return clock_.model(); }

private:
    struct word {
        seconds start;
        bool anybody_was_late; // for the start before
    };

    template <Group G>
    word name_start(G& group) {
        auto const start = clock_.now() + slack_;
        std::array<double, 2> told{group.rank() == 0 ? start.count() : 0, late_ ? 1.0 : 0.0};
        group.all_reduce(told, reduction::sum);
        return {seconds{told[0]}, told[1] != 0};
    }

    template <Group G>
    void measure_slack(G& group) {
        std::vector<seconds> takes;
        for (int i = 0; i != 11; ++i) {
            group.barrier();
            auto const begin = clock_.now();
            name_start(group);
            takes.push_back(clock_.now() - begin);
        }
        std::array<double, 2> slowest{median(detail::from(takes)).count(), clock_.model().error.count()};
        group.all_reduce(slowest, reduction::max);
        least_slack_ = slack_ = seconds{3 * slowest[0] + slowest[1]};
    }

    static constexpr seconds unknown{std::numeric_limits<double>::infinity()};

    global_clock<C, M> clock_;
    seconds bound_ = clock_.shared() ? seconds{} : unknown;
    seconds slack_{};
    seconds least_slack_{};
    bool late_ = false;
};

} // namespace sonde
