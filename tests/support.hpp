// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim.hpp>
#include <sonde/sonde.hpp>

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace unit {

using namespace std::chrono_literals;
using sonde::role;
using sonde::sim::network_parameters;
using sonde::sim::process;

/// LogGP networks: of o and L, of o, L and G, and of all parameters, in the order o, L, g, G.
inline constexpr network_parameters latency_network{1us, 5us, 0us, 0ns};
inline constexpr network_parameters bandwidth_network{1us, 5us, 0us, 1ns};
inline constexpr network_parameters log_gp_network{1us, 5us, 3us, 2ns};

/// Whole nanoseconds, for exact comparisons of times.
inline long long ns(sonde::seconds t) { return std::llround(t.count() * 1e9); }

/// Of a time that must be present.
inline long long ns(std::same_as<std::optional<sonde::seconds>> auto const& t) { return ns(t.value()); }

inline std::vector<long long> ns(std::vector<sonde::seconds> const& times) {
    std::vector<long long> all;
    for (auto const t : times) all.push_back(ns(t));
    return all;
}

/// By their digits: with -ffast-math compilers convert whole nanoseconds by a factor of 1e-9, which is rounded.
inline std::vector<sonde::seconds> of_ns(std::vector<long long> const& times) {
    std::vector<sonde::seconds> all;
    for (auto const t : times) all.emplace_back(std::strtod((std::to_string(t) + "e-9").c_str(), nullptr));
    return all;
}

/// A group of one rank that counts its operations.
struct counting_group : sonde::single_rank {
    std::size_t barriers = 0;
    std::size_t reductions = 0;
    std::size_t broadcasts = 0;

    void barrier() { ++barriers; }
    void all_reduce(std::span<double>, sonde::reduction) { ++reductions; }
    void broadcast(std::span<std::byte>, int) { ++broadcasts; }
};

/// One rank in virtual time. The plan has no warm-up and no synchronization, unless a test adds them.
struct one_rank {
    counting_group group;
    sonde::sim::virtual_time time;
    sonde::sim::manual_clock clock{time};

    auto plan(std::size_t samples) const {
        return sonde::plan<>{}.warmup(0).until(sonde::samples{samples}).synchronized(sonde::no_sync{}).timed_by(clock);
    }
};

/// The results of f(process&) on each rank of a simulated world.
template <class F>
auto on_ranks(int ranks, network_parameters net, F f) {
    using result_type = decltype(f(std::declval<process&>()));
    static_assert(!std::is_same_v<result_type, bool>, "ranks would write into one word at once");
    std::vector<result_type> results(static_cast<std::size_t>(ranks));
    sonde::sim::world{ranks, net}.run([&](process& self) { results[static_cast<std::size_t>(self.rank())] = f(self); });
    return results;
}

/// What each rank catches in f(process&); "" for a rank without an exception.
template <class F>
std::vector<std::string> caught_on_ranks(int ranks, F f) {
    return on_ranks(ranks, {}, [&](process& self) -> std::string {
        try {
            f(self);
        } catch (std::exception const& e) {
            return e.what();
        }
        return {};
    });
}

/// A rank's work in a pattern: the given times of its iterations, repeated.
struct working {
    process* self;
    sonde::role who;
    std::vector<std::chrono::nanoseconds> durations;
    sonde::traffic moved{};
    std::size_t i = 0;

    void operator()() { self->work(durations[i++ % durations.size()]); }
    sonde::role role() const { return who; }
    sonde::traffic traffic() const { return moved; }
};

} // namespace unit
