// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace osu {

/// Tags of the message of an iteration, and of its reply.
struct tag_pair {
    int data;
    int reply;
};

/// Iterations of one thread. S sender threads on one side and R receiver threads on the other take the iterations 0, 1,
/// 2 ... in turn: sender s has s, s + S ..., receiver r has r, r + R ... In a round every sender has one iteration.
class turn_schedule {
public:
    turn_schedule(int senders, int receivers, sonde::role who, int thread)
        : senders_{senders}, step_{who == sonde::role::initiator ? senders : receivers}, first_{thread},
          period_{std::lcm(senders, receivers)}, next_{static_cast<std::size_t>(thread)} {}

    /// Call `f(iteration)` for the iterations of this thread in the next round, in order.
    template <class F>
    void round(F f) {
        end_ += static_cast<std::size_t>(senders_);
        for (; next_ < end_; next_ += static_cast<std::size_t>(step_)) f(next_);
    }

    /// Tags of this thread's first, second ... iteration; then they repeat.
    ///
    /// One sender has one message in flight: tag 1 and reply 2, for every receiver. The tag of several senders is the
    /// iteration modulo lcm(S, R): threads of a side never share a tag, and iterations that share one have the same two
    /// threads.
    std::vector<tag_pair> tags() const {
        if (senders_ == 1) return {{1, 2}};
        std::vector<tag_pair> found;
        for (int tag = first_; tag < period_; tag += step_) found.push_back({tag, tag});
        return found;
    }

private:
    int senders_;
    int step_;
    int first_;
    int period_;
    std::size_t next_;
    std::size_t end_ = 0;
};

/// Pattern of one thread: a call is a round, an exchange for each of the thread's iterations in it.
template <sonde::Pattern P>
class turn_pattern {
public:
    /// `make(tag_pair)` returns an exchange with these tags.
    template <class Make>
    turn_pattern(turn_schedule schedule, Make make) : schedule_{schedule} {
        for (auto const tags : schedule.tags()) exchanges_.push_back(make(tags));
    }

    void operator()() {
        each([](std::size_t, P& exchange) { exchange(); });
    }
    /// Call `f(iteration, exchange)` for the iterations of the next round.
    template <class F>
    void each(F f) {
        schedule_.round([&](std::size_t iteration) {
            f(iteration, exchanges_[next_]);
            next_ = next_ + 1 == exchanges_.size() ? 0 : next_ + 1;
        });
    }
    sonde::role role() const { return sonde::role_of(exchanges_.front()); }
    sonde::traffic traffic() const { return sonde::traffic_of(exchanges_.front()); }

private:
    turn_schedule schedule_;
    std::vector<P> exchanges_;
    std::size_t next_ = 0;
};
template <class Make>
turn_pattern(turn_schedule, Make) -> turn_pattern<std::invoke_result_t<Make, tag_pair>>;

} // namespace osu
