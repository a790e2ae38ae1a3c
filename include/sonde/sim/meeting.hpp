// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/sim/manual_clock.hpp>
#include <sonde/sim/network.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

namespace sonde::sim::detail {

/// Where all ranks of a world meet: a collective leaves everyone at the time of the latest, with the values combined in
/// the order of ranks.
class meeting {
public:
    explicit meeting(std::size_t ranks) : brought_(ranks) {}

    /// Bring this rank's time and values; take the latest time, and the combined values.
    void attend(std::size_t rank, picoseconds& now, std::span<double> values, reduction how) {
        std::unique_lock lock{mutex_};
        brought_[rank] = {now, {values.begin(), values.end()}};
        auto const round = round_;
        if (++present_ == brought_.size()) conclude(how);
        else changed_.wait(lock, [&] { return failed_ || round_ != round; });
        if (round_ == round) throw peer_failed{};
        now = result_.now;
        std::copy(result_.values.begin(), result_.values.end(), values.begin());
    }
    void fail() {
        std::lock_guard const lock{mutex_};
        failed_ = true;
        changed_.notify_all();
    }

private:
    struct contribution {
        picoseconds now{};
        std::vector<double> values{};
    };

    static double combined(double a, double b, reduction how) {
        return how == reduction::sum ? a + b : how == reduction::min ? std::min(a, b) : std::max(a, b);
    }

    // Nobody can bring anything to the next round before all have taken this result: the last to leave this round has
    // to arrive there first.
    void conclude(reduction how) {
        result_ = brought_.front();
        for (std::size_t rank = 1; rank != brought_.size(); ++rank) {
            result_.now = std::max(result_.now, brought_[rank].now);
            for (std::size_t i = 0; i != result_.values.size(); ++i)
                result_.values[i] = combined(result_.values[i], brought_[rank].values[i], how);
        }
        present_ = 0;
        ++round_;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<contribution> brought_;
    contribution result_;
    std::size_t present_ = 0;
    std::size_t round_ = 0;
    bool failed_ = false;
};

} // namespace sonde::sim::detail
