// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace made {

inline sonde::seconds ns(double count) { return std::chrono::duration<double, std::nano>{count}; }

inline std::vector<sonde::seconds> times(std::vector<double> const& nanoseconds) {
    std::vector<sonde::seconds> all;
    for (auto const t : nanoseconds) all.push_back(ns(t));
    return all;
}

/// A record of that size with these samples.
inline sonde::record row(std::size_t bytes, std::vector<double> const& nanoseconds, double resolution = 1) {
    sonde::record r;
    r.point = {"exchange", {{"bytes", bytes}, {"link", "send"}}};
    r.series = times(nanoseconds);
    r.clock_properties.resolution = ns(resolution);
    return r;
}

/// A launch for each median, of one row with this size.
inline std::vector<sonde::run_file> launches(std::vector<double> const& medians, std::size_t bytes = 8) {
    std::vector<sonde::run_file> runs;
    for (auto const m : medians) runs.push_back({{}, {}, {row(bytes, {m})}});
    return runs;
}

inline sonde::environment environment() {
    sonde::environment e;
    e.compiler = "g++ 12.2.0";
    e.build = "optimized, assertions off";
    e.command_line = "./exchange";
    e.communication_library = "Some MPI 4";
    e.hosts = {"a", "b"};
    e.ranks_per_host = {1, 1};
    e.bindings = {"0", "0"};
    return e;
}

inline std::vector<sonde::run_file> run_in(sonde::environment const& e) { return {{{}, e, {row(8, {100})}}}; }

/// Lognormal times with that median and spread, the same in every run of the test.
class noise {
public:
    explicit noise(unsigned seed) : bits_{seed} {}

    std::vector<double> operator()(std::size_t n, double median, double sigma) {
        std::lognormal_distribution<double> draw{std::log(median), sigma};
        std::vector<double> all;
        while (all.size() != n) all.push_back(draw(bits_));
        return all;
    }

private:
    std::mt19937_64 bits_;
};

} // namespace made
