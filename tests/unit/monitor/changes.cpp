// SPDX-License-Identifier: BSL-1.0
#include "../stat/step_series.hpp"

#include <sonde/monitor/changes.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace {

using sonde::seconds;

/// A watch of one scope on one rank, with 100 passes in each interval of 10 s.
struct watched {
    sonde::change_watch watch{seconds{10}, 0.01, 0.2};
    std::vector<sonde::rank_counters> ranks{{.rank = 3, .scopes = {{.name = "work"}}}};
    std::vector<sonde::scope_change> told;

    void interval(double mean) {
        auto& scope = ranks[0].scopes[0];
        scope.passes += 100;
        scope.time += seconds{100 * mean};
        for (auto& c : watch.update(ranks)) told.push_back(std::move(c));
    }
    void intervals(std::vector<double> const& means, double factor) {
        for (auto const m : means) interval(factor * m);
    }
};

} // namespace

TEST_CASE("monitor: a scope that becomes 30 % slower and stays so is told once, with its rank and both times") {
    for (auto const& noise : {step_series::normal, step_series::heavy_tailed, step_series::correlated}) {
        CAPTURE(noise.name);
        watched w;
        w.intervals(step_series::times(noise, 100, 1), 1);
        CHECK(w.told.empty());
        CHECK(w.watch.ratio("work") == 1);
        w.intervals(step_series::times(noise, 30, 2), 1.3);
        REQUIRE(w.told.size() == 1);
        w.intervals(step_series::times(noise, 300, 3), 1.3);
        CHECK(w.told.size() == 1);
        CHECK(w.told[0].rank == 3);
        CHECK(w.told[0].scope == "work");
        CHECK(w.told[0].intervals <= 30);
        CHECK(std::fabs(w.told[0].before.count() / 1e-4 - 1) < 0.03);
        CHECK(std::fabs(w.told[0].after / w.told[0].before - 1.3) < 0.04);
        CHECK(std::fabs(w.watch.ratio("work") - 1.3) < 0.04);
    }
}

TEST_CASE("monitor: a slow change that has ended can be told again") {
    watched w;
    for (std::size_t i = 0; i != 2; ++i) {
        w.intervals(step_series::times(step_series::normal, 120, 1), 1);
        CHECK(w.told.size() == i);
        CHECK(w.watch.ratio("work") == 1);
        w.intervals(step_series::times(step_series::normal, 120, 2), 1.5);
        CHECK(w.told.size() == i + 1);
    }
}

TEST_CASE("monitor: a change below the threshold, a burst and a scope without passes are not told") {
    watched w;
    w.intervals(step_series::times(step_series::normal, 100, 1), 1);
    w.intervals(step_series::times(step_series::normal, 100, 2), 1.1);
    CHECK(w.told.empty());
    watched burst;
    burst.intervals(step_series::times(step_series::normal, 100, 1), 1);
    burst.intervals(step_series::times(step_series::normal, 4, 2), 3);
    burst.intervals(step_series::times(step_series::normal, 100, 3), 1);
    CHECK(burst.told.empty());
    for (int i = 0; i != 100; ++i) CHECK(burst.watch.update(burst.ranks).empty());
}

namespace {

/// How often the scope of 26 % scatter is told that has these times, the first of `scopes`; the others do not change.
std::size_t told_of(std::vector<double> const& times, sonde::change_watch watch, std::size_t scopes = 1) {
    std::vector<sonde::rank_counters> ranks{{.scopes = std::vector<sonde::scope_counters>(scopes)}};
    for (std::size_t i = 0; i != scopes; ++i) ranks[0].scopes[i].name = std::to_string(i);
    std::size_t told = 0;
    for (auto const t : times) {
        for (auto& s : ranks[0].scopes) s.passes += 100;
        ranks[0].scopes[0].time += seconds{100 * t};
        told += watch.update(ranks).size();
    }
    return told;
}

std::vector<double> widely_scattered(step_series::noise const& noise, std::size_t n, int seed) {
    auto all = step_series::times(noise, n, seed);
    for (auto& t : all) t += 12 * (t - 1e-4);
    return all;
}

/// Of 20 scopes that become 1.5 times as slow, too little to be told of each, those that are told.
std::size_t told_of_changes(sonde::change_watch const& watch, std::size_t scopes = 1) {
    std::size_t told = 0;
    for (int seed = 0; seed != 20; ++seed) {
        auto times = widely_scattered(step_series::normal, 96, seed);
        for (std::size_t i = 60; i != times.size(); ++i) times[i] *= 1.5;
        told += told_of(times, watch, scopes);
    }
    return told;
}

} // namespace

// Of 2,000 intervals of 10 s each, at the highest rate that a search can have, 3 alarms are expected at most.
TEST_CASE("monitor: healthy scopes are told at most at the stated rate, whatever the noise") {
    for (auto const phi : {0., 0.7}) {
        CAPTURE(phi);
        auto const times = widely_scattered({"", step_series::skewed, phi}, 2000, 1);
        CHECK(told_of(times, {seconds{10}, 0.6, 0.2}) <= 1);
    }
}

TEST_CASE("monitor: the rate is an hour's, of all searches and of all scopes together") {
    auto const told = told_of_changes({seconds{10}, 0.06, 0.2});
    CHECK(told == 12);
    CHECK(told_of_changes({seconds{100}, 0.006, 0.2}) == told);
    CHECK(told_of_changes({seconds{10}, 0.6, 0.2}, 10) == told);
    CHECK(told_of_changes({seconds{10}, 0.6, 0.2}) == 15);
    CHECK(told_of_changes({seconds{10}, 0.006, 0.2}) == 5);
}
