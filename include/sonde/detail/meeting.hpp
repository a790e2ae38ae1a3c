// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/crew.hpp>
#include <sonde/group.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::detail {

/// Where the threads of a crew meet, again and again: everyone brings something, the last to come makes one result of
/// it all, everyone leaves with that.
template <class T>
class meeting {
public:
    explicit meeting(std::size_t members) : brought_(members) {}

    /// `conclude(std::vector<T> const&) -> T` is called once a round, by the last to come, on what all brought in the
    /// order of members; it may communicate, since nobody else runs meanwhile. Throws peer_failed after `give_up`, and
    /// on the last to come what `conclude` throws.
    template <class Conclude>
    T attend(std::size_t member, T mine, Conclude conclude) {
        std::unique_lock lock{mutex_};
        if (given_up_) throw peer_failed{};
        brought_[member] = std::move(mine);
        if (++present_ == brought_.size()) end_round(conclude(std::as_const(brought_)));
        else wait_for_end_of_round(lock);
        return result_;
    }
    void give_up() {
        std::lock_guard const lock{mutex_};
        given_up_ = true;
        changed_.notify_all();
    }

private:
    // Nobody can end the next round before all have taken this result: the last to leave has to come there first.
    void end_round(T result) {
        result_ = std::move(result);
        present_ = 0;
        ++round_;
        changed_.notify_all();
    }
    void wait_for_end_of_round(std::unique_lock<std::mutex>& lock) {
        auto const round = round_;
        changed_.wait(lock, [&] { return given_up_ || round_ != round; });
        if (round_ == round) throw peer_failed{};
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<T> brought_;
    T result_{};
    std::size_t present_ = 0;
    std::size_t round_ = 0;
    bool given_up_ = false;
};

inline double combined(double a, double b, reduction how) {
    if (how == reduction::sum) return a + b;
    return (how == reduction::min) == (b < a) ? b : a;
}

/// into[i] = into[i] and from[i], combined. Throws std::logic_error where they are not equally long.
inline void combine_into(std::vector<double>& into, std::vector<double> const& from, reduction how) {
    if (into.size() != from.size()) throw std::logic_error{"sonde: members of a group are in different collectives"};
    for (std::size_t i = 0; i != into.size(); ++i) into[i] = combined(into[i], from[i], how);
}

} // namespace sonde::detail
