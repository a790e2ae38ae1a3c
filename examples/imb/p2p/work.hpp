// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmarks.hpp"
#include "schedules.hpp"

#include <sonde/pattern.hpp>
#include <sonde/run.hpp>

#include <cstddef>
#include <utility>

namespace imb::p2p {

/// A schedule, done by post. After the warm-up it begins anew.
template <class Post, class Schedule>
class scheduled {
public:
    scheduled(Post by, Schedule fresh, sonde::traffic moved)
        : post_{std::move(by)}, fresh_{fresh}, now_{std::move(fresh)}, moved_{moved} {}

    void operator()() { now_(post_); }
    void complete() { post_.complete(); }
    void after_warmup() { now_ = fresh_; }
    sonde::traffic moves() const { return moved_; }
    Post const& by() const { return post_; }

private:
    Post post_;
    Schedule fresh_;
    Schedule now_;
    sonde::traffic moved_;
};

/// Contents before a repetition that is checked: what is sent, and something else where it is to come.
inline void prepare(stage const& on, std::size_t bytes) {
    auto const me = on.ranks().rank();
    for (auto const message : on.out(bytes))
        for (std::size_t i = 0; i != bytes; ++i) message[i] = content(me, i);
    for (auto const message : on.in(bytes))
        for (std::size_t i = 0; i != bytes; ++i) message[i] = ~content(me, i);
}

/// Bytes that are not what those sent who were heard last.
inline std::size_t wrong_in(stage const& on, std::size_t bytes, register_of_arrivals const& arrivals) {
    auto const where = arrivals.in_place ? on.out(bytes) : on.in(bytes);
    std::size_t wrong = 0;
    for (std::size_t slot = 0; slot != where.size(); ++slot)
        for (std::size_t i = 0; i != bytes && arrivals.heard[slot] >= 0; ++i)
            wrong += where[slot][i] != content(arrivals.heard[slot], i);
    return wrong;
}

template <class Schedule>
work work_of(benchmark const& row, stage const& on, std::size_t bytes, Schedule schedule) {
    sonde::traffic const moved{row.messages * bytes, row.messages, row.hops};
    auto const make = [&on, bytes, schedule, moved] { return scheduled{on.post(bytes), schedule, moved}; };
    auto const measure = [make, &on](plan const& how, sonde::point at) {
        return sonde::run(on.ranks(), how, make(), std::move(at));
    };
    auto const check = [make, &on, bytes, schedule] {
        constexpr std::size_t rounds = 3;
        auto pattern = make();
        auto told = schedule; // the same repetitions on paper
        auto const verify = [&](std::size_t) {
            register_of_arrivals arrivals{on.slots()};
            told(arrivals);
            return wrong_in(on, bytes, arrivals);
        };
        return sonde::validate(
            on.ranks(), pattern, [&](std::size_t) { prepare(on, bytes); }, verify, rounds);
    };
    return {measure, check};
}

} // namespace imb::p2p
