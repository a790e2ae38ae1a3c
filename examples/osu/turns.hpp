// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace osu {

/// The tags of an iteration's message and of its answer.
struct marks {
    int data;
    int reply;
};

/// One thread's share of iterations 0, 1, 2 ... that S sender threads on one side and R receiver threads on the other
/// take in turn: sender s has s, s + S ..., receiver r has r, r + R ... In a round every sender has one.
class turns {
public:
    turns(int senders, int receivers, sonde::role who, int index)
        : senders_{senders}, step_{who == sonde::role::initiator ? senders : receivers}, first_{index},
          period_{std::lcm(senders, receivers)}, at_{static_cast<std::size_t>(index)} {}

    /// f(iteration) for those of the next round that are this thread's, in order.
    template <class F>
    void round(F f) {
        end_ += static_cast<std::size_t>(senders_);
        for (; at_ < end_; at_ += static_cast<std::size_t>(step_)) f(at_);
    }

    /// The tags of this thread's first, second ... turn; then from the start again.
    ///
    /// One sender has one message under way: data 1, reply 2, whoever receives. Several mark both with the iteration
    /// modulo lcm(S, R): threads of a side never share a tag, and two iterations that do have the same two threads.
    std::vector<marks> tags() const {
        if (senders_ == 1) return {{1, 2}};
        std::vector<marks> found;
        for (int tag = first_; tag < period_; tag += step_) found.push_back({tag, tag});
        return found;
    }

private:
    int senders_;
    int step_;
    int first_;
    int period_;
    std::size_t at_;
    std::size_t end_ = 0;
};

/// An iteration is a round: this thread's turns of it, each with the next of its exchanges (one for every tag).
template <sonde::Pattern P>
class taking_turns {
public:
    /// `make(marks)` -> pattern: an exchange with these tags.
    template <class Make>
    taking_turns(turns mine, Make make) : turns_{mine} {
        for (auto const tags : mine.tags()) exchanges_.push_back(make(tags));
    }

    void operator()() {
        each([](std::size_t, P& exchange) { exchange(); });
    }
    /// f(iteration, exchange) for every turn of the next round.
    template <class F>
    void each(F f) {
        turns_.round([&](std::size_t iteration) {
            f(iteration, exchanges_[next_]);
            next_ = next_ + 1 == exchanges_.size() ? 0 : next_ + 1;
        });
    }
    sonde::role plays() const { return sonde::plays(exchanges_.front()); }
    sonde::traffic moves() const { return sonde::moves(exchanges_.front()); }

private:
    turns turns_;
    std::vector<P> exchanges_;
    std::size_t next_ = 0;
};
template <class Make>
taking_turns(turns, Make) -> taking_turns<std::invoke_result_t<Make, marks>>;

} // namespace osu
