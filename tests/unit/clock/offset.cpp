// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

using namespace unit;
using sonde::clock_model;
using sonde::clock_offset;
using sonde::clock_ping;

namespace {

clock_ping ping(double sent, double remote, double back) { return {seconds{sent}, seconds{remote}, seconds{back}}; }

/// The number of pings with these round trips that a measurement makes with a known quickest one, and the quickest
/// afterwards.
std::pair<std::size_t, double> pings_made(std::vector<double> const& took, std::size_t at_least, std::size_t at_most,
                                          double best) {
    std::size_t made = 0;
    seconds known{best};
    static_cast<void>(sonde::measure_offset([&] { return ping(0, 0, took[made++]); }, at_least, at_most, known));
    return {made, known.count()};
}

/// A line through offsets of 0 with these errors, each of one sign.
sonde::clock_model line_through(std::vector<double> const& times, std::vector<double> const& errors, double sign_after,
                                double pivot) {
    std::vector<clock_offset> offsets;
    for (std::size_t i = 0; i != times.size(); ++i) {
        auto const sign = times[i] > pivot ? sign_after : 1.0;
        offsets.push_back({seconds{times[i]}, seconds{sign * errors[i]}, seconds{errors[i]}});
    }
    return sonde::fit_drift(offsets, seconds{});
}

} // namespace

TEST_CASE("a ping bounds the offset to half of its round trip, for any split of it between the two ways") {
    for (double const there : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        CAPTURE(there);
        sonde::offset_interval where;
        where.add(ping(100, 500 + there * 8, 108)); // the peer is 400 s ahead
        auto const found = where.midpoint();
        CHECK(found.at.count() == 108);
        CHECK(ns(std::chrono::abs(found.value - seconds{400})) <= ns(found.error));
        CHECK(ns(found.error) == 4'012'000'000); // and the maximum drift since
    }
}

TEST_CASE("the offset interval of several pings is their intersection, which may be narrower than the quickest one's") {
    sonde::offset_interval where;
    where.add(ping(0, 1, 8));    // no time there: the offset is -7 to 1
    where.add(ping(10, 19, 20)); // no time back: -1 to 9
    auto const found = where.midpoint();
    CHECK(ns(found.value) == 30'000'000); // the middle of -1 s and 1 s, and the maximum drift within 8 and 12 s
    CHECK(ns(found.error) == 1'030'000'000);
}

TEST_CASE("an offset interval widens by the maximum drift since it was measured") {
    sonde::offset_interval where;
    where.add(ping(0, 0, 0));            // the offset is 0, exactly
    where.add(ping(1000, 1000.9, 2000)); // a drift of 9e-4
    auto const found = where.midpoint();
    CHECK(std::chrono::abs(found.value - seconds{1.8}) <= found.error);
}

TEST_CASE("on an unknown network all pings are made, and the quickest is known afterwards") {
    CHECK(pings_made({5, 4, 3, 4, 5, 6}, 2, 6, 0) == std::pair<std::size_t, double>{6, 3});
}

TEST_CASE("on a known network, the minimum number of pings is enough if the last is quick") {
    CHECK(pings_made({5, 5, 3.2, 3, 3}, 3, 5, 3) == std::pair<std::size_t, double>{3, 3});
    CHECK(pings_made({3, 3, 3, 3, 3}, 3, 5, 3) == std::pair<std::size_t, double>{3, 3});
}

TEST_CASE("on a known network, slow pings are repeated until one is quick, up to the maximum") {
    CHECK(pings_made({5, 5, 5, 3.2, 3}, 2, 5, 3) == std::pair<std::size_t, double>{4, 3});
    CHECK(pings_made({5, 5, 5, 5, 5}, 2, 5, 3) == std::pair<std::size_t, double>{5, 3});
    CHECK(pings_made({5, 2.5, 5, 5, 5}, 2, 5, 3) == std::pair<std::size_t, double>{2, 2.5});
}

TEST_CASE("a preempted ping changes no offset, whichever it is and on whichever way") {
    auto const offset_with = [](std::size_t preempted, seconds there, seconds back) {
        seconds now{}, best{8e-6};
        std::size_t made = 0;
        auto const one = [&] {
            auto const is_preempted = made++ == preempted;
            auto const sent = now, asked = sent + seconds{4e-6} + (is_preempted ? there : seconds{});
            now = asked + seconds{4e-6} + (is_preempted ? back : seconds{});
            return clock_ping{sent, asked + seconds{400}, now}; // the peer is 400 s ahead
        };
        return sonde::measure_offset(one, 8, 100, best);
    };
    auto const quiet = offset_with(100, {}, {});
    for (std::size_t preempted = 0; preempted != 8; ++preempted)
        for (auto const& [there, back] : {std::pair{8ms, 0ms}, std::pair{0ms, 8ms}}) {
            CAPTURE(preempted);
            auto const found = offset_with(preempted, there, back);
            CHECK(ns(found.value) == ns(quiet.value));
            CHECK(ns(found.error) == ns(quiet.error));
        }
}

TEST_CASE("a line through exact offsets is that line, at readings relative to the origin") {
    constexpr double drift = 0.0009765625; // exact in binary
    std::vector<clock_offset> offsets;
    for (int s = 0; s != 8; ++s) offsets.push_back({seconds(s), seconds{64 + s * drift}, seconds{1}});
    auto const line = sonde::fit_drift(offsets, seconds{1000});
    CHECK(line.slope == drift);
    CHECK(line.intercept.count() == 64);
    CHECK(line.to_global(seconds{1010}).count() == 10 + 64 + 10 * drift);
    CHECK(line.error.count() == 1);
    CHECK(line.from.count() == 3.5 + 64 + 3.5 * drift); // the mean of the times, as global time
}

TEST_CASE("a slope that no clock has is cut") {
    for (double const sign : {1.0, -1.0}) {
        auto const line =
            sonde::fit_drift({{seconds{0}, seconds{}, seconds{1}}, {seconds{2}, seconds{sign}, seconds{1}}}, seconds{});
        CHECK(line.slope == sign * sonde::max_drift);
        CHECK(line.to_global(seconds{1}) == seconds{1 + sign * 0.5}); // the mean is as before
    }
}

TEST_CASE("global times are within their bounds where messages wait for milliseconds, as on crowded cores") {
    std::mt19937 draw{7};
    double t = 0; // what both clocks show
    clock_model model;
    auto const pass = [&] { t += (draw() % 4 == 0 ? 1e-6 : 1e-9) * static_cast<double>(draw() % 8000); };
    auto const offset_to = [&](auto now) {
        seconds unknown{};
        auto const exchange = [&] {
            clock_ping p{now(), {}, {}};
            pass();
            p.remote = seconds{t};
            pass();
            p.received = now();
            return p;
        };
        return sonde::measure_offset(exchange, 3, 5, unknown);
    };
    auto const global = [&] { return model.to_global(seconds{t}); };
    auto const is_within = [&] {
        return ns(std::chrono::abs(global() - seconds{t})) <= ns(model.error_bound(global()));
    };
    for (int trial = 0; trial != 20'000; ++trial) {
        CAPTURE(trial);
        t = 0;
        std::vector<clock_offset> offsets(4);
        for (auto& o : offsets) o = offset_to([&] { return seconds{t}; });
        model = sonde::fit_drift(offsets, seconds{});
        REQUIRE(is_within());
        auto found = offset_to(global);
        model = sonde::detail::renew(model, found.at, std::chrono::abs(found.value) + found.error);
        REQUIRE(is_within());
        pass();
        found = offset_to(global);
        model = sonde::detail::tighten(model, found.at, std::chrono::abs(found.value) + found.error);
        REQUIRE(is_within());
    }
}

TEST_CASE("a less certain offset has less weight") {
    auto const line = sonde::fit_drift({{seconds{0}, seconds{0}, seconds{1e-6}},
                                        {seconds{0}, seconds{1}, seconds{1e-3}},
                                        {seconds{1}, seconds{0}, seconds{1e-6}},
                                        {seconds{1}, seconds{1}, seconds{1e-3}}},
                                       seconds{});
    CHECK(line.intercept.count() < 2e-6);
    CHECK(line.error.count() < 2e-6);
}

TEST_CASE("a line's error bound is reached by the worst errors, and never exceeded") {
    std::vector<double> const times{0, 1000, 2000, 3000, 4000, 5000, 6000}, errors{0.5, 0.25, 1, 0.5, 0.125, 0.25, 2};
    auto const all_ahead = line_through(times, errors, 1, 0);
    auto const middle = (all_ahead.from - all_ahead.intercept) / (1 + all_ahead.slope);
    for (double const pivot : {-1.0, 500.0, 1500.0, 2500.0, 3500.0, 4500.0, 5500.0}) {
        auto const line = line_through(times, errors, -1, pivot);
        for (double const s : {-9000.0, 0.0, 3000.0, 9000.0, 90000.0}) {
            CAPTURE(pivot);
            CAPTURE(s);
            auto const off = std::chrono::abs(line.to_global(seconds{s}) - seconds{s});
            CHECK(off <= line.error_bound(line.to_global(seconds{s})) * (1 + 1e-12));
        }
    }
    CHECK(ns(all_ahead.to_global(middle) - middle) == ns(all_ahead.error));
    double largest = 0; // errors of one sign before the mean and of the other after it change the slope most
    for (double const pivot : {500.0, 1500.0, 2500.0, 3500.0}) {
        auto const line = line_through(times, errors, -1, pivot);
        largest = std::max(largest, -line.slope / (line.error_growth * (1 + line.slope)));
    }
    CHECK(largest > 0.999);
}

TEST_CASE("one offset bounds the drift only by max_drift") {
    auto const line = sonde::fit_drift({{seconds{5}, seconds{3}, seconds{0.5}}}, seconds{});
    CHECK(line.slope == 0);
    CHECK(line.error.count() == 0.5);
    CHECK(line.error_growth == sonde::max_drift);
    CHECK(line.error_bound(line.to_global(seconds{105})).count() == 0.5 + 100 * sonde::max_drift);
    CHECK(line.error_bound(line.to_global(seconds{-95})).count() == 0.5 + 100 * sonde::max_drift);
}

TEST_CASE("errors along a chain of models add up, each at its time") {
    sonde::clock_model own, reference;
    own.error = seconds{2}, own.error_growth = 0.25, own.from = own.to = seconds{100};
    reference.error = seconds{3}, reference.error_growth = 0.5, reference.from = reference.to = seconds{90};
    auto const both = sonde::detail::compose(own, reference);
    CHECK(both.error.count() == 2 * 1.5 + 3 + 0.5 * 10);
    CHECK(both.error_growth == 0.25 * 1.5 + 0.5);
    CHECK(both.from.count() == 100);
}

TEST_CASE("an error known at two times is known between them, and grows outside at the same rate") {
    sonde::clock_model model;
    model.error = seconds{2}, model.error_growth = 0.5, model.from = model.to = seconds{100};
    auto const known = sonde::detail::tighten(model, seconds{200}, seconds{3});
    CHECK(known.error_bound(seconds{100}).count() == 3);
    CHECK(known.error_bound(seconds{200}).count() == 3);
    CHECK(known.error_bound(seconds{300}).count() == 3 + 100 * 0.05);
    CHECK(known.error_bound(seconds{0}).count() == 3 + 100 * 0.05);
    CHECK(sonde::detail::tighten(model, seconds{101}, seconds{3}).error_growth == 0.5); // too short to narrow it
}

TEST_CASE("a smaller error at a later time is the one from then on, and grows no faster than between both times") {
    sonde::clock_model model;
    model.error = seconds{2}, model.error_growth = 0.5, model.from = model.to = seconds{100};
    auto const renewed = sonde::detail::renew(model, seconds{104}, seconds{3});
    CHECK(renewed.error_bound(seconds{104}).count() == 3); // it was 4
    CHECK(renewed.error_bound(seconds{106}).count() == 3 + 2 * 0.5);
    CHECK(renewed.error_bound(seconds{100}).count() == 3 + 4 * 0.5);
    auto const much_later = sonde::detail::renew(model, seconds{150}, seconds{3});
    CHECK(much_later.error_bound(seconds{160}).count() == 3 + 10 * 0.1);
    CHECK(sonde::detail::renew(model, seconds{150}, seconds{28}).error_bound(seconds{101}).count() == 2.5);
    CHECK(sonde::detail::renew(model, seconds{104}, seconds{4}) == model);
    CHECK(sonde::detail::renew(model, seconds{100}, seconds{1}) == model);
}
