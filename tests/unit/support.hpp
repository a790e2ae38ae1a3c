// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/world.hpp>
#include <sonde/sonde.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace unit {

using namespace std::chrono_literals;
using sonde::role;
using sonde::sim::log_gp;
using sonde::sim::process;

/// Whole nanoseconds: times are compared exactly.
inline long long ns(sonde::seconds t) { return std::llround(t.count() * 1e9); }

inline std::vector<long long> ns(std::vector<sonde::seconds> const& times) {
    std::vector<long long> all;
    for (auto const t : times) all.push_back(ns(t));
    return all;
}

inline std::vector<sonde::seconds> of_ns(std::vector<long long> const& times) {
    std::vector<sonde::seconds> all;
    for (auto const t : times) all.emplace_back(std::chrono::nanoseconds{t});
    return all;
}

/// A group of one that counts what it is asked for.
struct counting_group : sonde::solo {
    std::size_t barriers = 0;
    std::size_t reductions = 0;

    void barrier() { ++barriers; }
    void all_reduce(std::span<double>, sonde::reduction) { ++reductions; }
};

/// One rank in virtual time. The plan has no warm-up and no synchronization: a test adds what it is about.
struct alone {
    counting_group group;
    sonde::sim::virtual_time time;
    sonde::sim::manual_clock clock{time};

    auto plan(std::size_t samples) const {
        return sonde::plan<>{}.warmup(0).until(sonde::samples{samples}).synchronized(sonde::no_sync{}).timed_by(clock);
    }
};

/// What f(process&) answers on each rank of a simulated world.
template <class F>
auto on_ranks(int ranks, log_gp net, F f) {
    using answer = decltype(f(std::declval<process&>()));
    static_assert(!std::is_same_v<answer, bool>, "ranks would write into one word at once");
    std::vector<answer> answers(static_cast<std::size_t>(ranks));
    sonde::sim::world{ranks, net}.run([&](process& self) { answers[static_cast<std::size_t>(self.rank())] = f(self); });
    return answers;
}

/// A rank's work in a pattern: so long in each iteration, again from the start after the last.
struct working {
    process* self;
    role who;
    std::vector<std::chrono::nanoseconds> durations;
    sonde::traffic moved{};
    std::size_t i = 0;

    void operator()() { self->work(durations[i++ % durations.size()]); }
    role plays() const { return who; }
    sonde::traffic moves() const { return moved; }
};

} // namespace unit
