// SPDX-License-Identifier: BSL-1.0
#include "log_gp_support.hpp"
#include "support.hpp"

#include <sonde/model/fit/log_gp.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

using sonde::model::cannot_fit;
using sonde::model::fit;
using sonde::model::fitted;
using sonde::model::standing;

namespace {

/// How far the five parameters of a segment are from the truth, at most.
double apart_from(log_gp const& truth, fitted<piecewise_log_gp> const& found, std::size_t segment = 0) {
    auto const off = [&](char const* name, seconds t) { return apart(found(name, segment).value, t.count()); };
    return std::max({off("L", truth.latency), off("o_s", truth.send_overhead), off("o_r", truth.receive_overhead),
                     off("g", truth.gap), off("G", truth.gap_per_byte)});
}

bool says(fitted<piecewise_log_gp> const& found, char const* words) {
    return found.note.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a LogGP model comes back from what it gives") {
    auto const found = fit(series_of(eager, 64));
    CHECK(apart_from(eager, found) < 1e-6);
    CHECK(apart(found.model.time(100'000).count(), eager.time(100'000).count()) < 1e-6);
    CHECK(found.determined());
    CHECK(found.points == 64);
    CHECK(found.from == bytes{1});
    CHECK(found.to == bytes{1 + 63 * 1024});
    CHECK(found.residual_rms < 1e-9);
    CHECK(found.note.empty());
}

TEST_CASE("a LogGP model comes back of three sizes, and from sizes far apart in any order") {
    CHECK(apart_from(eager, fit(series_of(eager, 3))) < 1e-6);
    std::vector<piecewise_log_gp::point> points;
    for (auto const size : {1 << 22, 1, 1 << 10, 1 << 16, 1 << 14, 1 << 20})
        points.push_back(round_trips_of(eager, size));
    CHECK(apart_from(eager, fit(points)) < 1e-6);
}

TEST_CASE("where the library changes its protocol the line breaks, and each side is a LogGP model") {
    auto const found = fit(series_of(eager, 64, 1024, rendezvous, 30));
    REQUIRE(found.model.segments.size() == 2);
    CHECK(found("break", 1).value == 1 + 30 * 1024);
    CHECK(found("break", 1).low == 1 + 29 * 1024);
    CHECK(apart_from(eager, found) < 1e-6);
    CHECK(apart_from(rendezvous, found, 1) < 1e-6);
    CHECK(apart(found.model.interval(1 + 10 * 1024).count(), eager.interval(1 + 10 * 1024).count()) < 1e-6);
    CHECK(apart(found.model.interval(1 + 30 * 1024).count(), rendezvous.interval(1 + 30 * 1024).count()) < 1e-6);
}

TEST_CASE("a size far above the line is left out, wherever it is, and counted") {
    for (std::size_t const i : {0, 1, 5, 10, 29, 30, 31, 62, 63}) {
        auto points = series_of(eager, 64, 1024, rendezvous, 30);
        points[i].many *= 3;
        auto const found = fit(points);
        CAPTURE(i);
        CHECK(found.model.segments.size() == 2);
        CHECK(found.points == 63);
        CHECK(found("g").value == doctest::Approx(3e-6).epsilon(1e-6));
        CHECK(apart(found("G", 1).value, 1e-10) < 1e-6);
        CHECK(found.note == "1 size far above the line left out");
    }
}

TEST_CASE("where a processor limits the interval, g and G are upper bounds, and the note says whose overhead it is") {
    auto slow = eager;
    slow.send_overhead = seconds{80e-6};
    auto const by_sender = fit(series_of(slow, 64));
    CHECK(by_sender("g").stands == standing::upper_bound);
    CHECK(apart(by_sender("g").value, 80e-6) < 1e-6);
    CHECK(by_sender("G").stands == standing::upper_bound);
    CHECK(apart(by_sender("G").value, 80e-6 / (63 * 1024)) < 1e-6);
    CHECK(apart(by_sender("o_s").value, 80e-6) < 1e-6);
    CHECK(apart(by_sender("L").value, 5e-6) < 1e-6);
    CHECK(says(by_sender, "the sender's overhead"));
    slow.send_overhead = eager.send_overhead;
    slow.receive_overhead = seconds{80e-6};
    CHECK(says(fit(series_of(slow, 64)), "the receiver's overhead"));
}

TEST_CASE("where a processor limits the interval of small sizes, g and G are those of larger ones") {
    auto slow = eager;
    slow.send_overhead = seconds{3.3e-6};
    auto const found = fit(series_of(slow, 64, 512));
    REQUIRE(found.model.segments.size() == 1);
    CHECK(apart(found("g").value, 3e-6) < 1e-6);
    CHECK(apart(found("G").value, 2e-10) < 1e-6);
    CHECK(found("g").stands == standing::determined);
    CHECK(says(found, "messages follow each other by the sender's overhead: g and G are of larger ones"));
}

TEST_CASE("a latency that is not above zero is said not to be determined") {
    auto points = series_of(eager, 64);
    for (auto& p : points) p.spaced += 11 * seconds{6e-6};
    auto const found = fit(points);
    CHECK(found("o_s").stands == standing::determined);
    CHECK(found("L").stands == standing::undetermined);
    CHECK(says(found, "L is not above 0"));
}

TEST_CASE("where the wait was shorter than the interval, overheads are upper bounds") {
    auto points = series_of(eager, 64);
    points[3].wait = points[3].interval() * 0.99;
    auto const found = fit(points);
    CHECK(found("o_s").stands == standing::upper_bound);
    CHECK(found("o_r").stands == standing::upper_bound);
    CHECK(found("g").stands == standing::determined);
    CHECK(says(found, "the wait was shorter than the interval at 1 size"));
}

TEST_CASE("of what says nothing of a LogGP model no fit is made") {
    auto const good = series_of(eager, 8);
    CHECK_NOTHROW(fit(good));
    CHECK_THROWS_AS(fit(std::vector<piecewise_log_gp::point>{}), cannot_fit);
    CHECK_THROWS_WITH_AS(fit({good[0], good[1], good[1], good[0]}), "LogGP: needs three sizes at least", cannot_fit);
    auto const refused = [&](auto change) {
        auto points = good;
        change(points[4]);
        CHECK_THROWS_AS(fit(points), cannot_fit);
    };
    refused([](auto& p) { p.size = bytes{0}; });
    refused([](auto& p) { p.messages = 1; });
    refused([](auto& p) { p.one = seconds{0}; });
    refused([](auto& p) { p.many = seconds{-1}; });
    refused([](auto& p) { p.wait = seconds{0}; });
    refused([](auto& p) { p.received_one = seconds{std::numeric_limits<double>::quiet_NaN()}; });
    refused([](auto& p) { p.received_many = seconds{std::numeric_limits<double>::infinity()}; });
}
