// SPDX-License-Identifier: BSL-1.0
#include "log_gp_support.hpp"
#include "support.hpp"

#include <sonde/model/fit/log_gp.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using sonde::model::fit;
using sonde::model::fitted;

namespace {

/// How far the five parameters of a segment are from the truth, at most.
double apart_from(log_gp const& truth, fitted<piecewise_log_gp> const& found, std::size_t segment = 0) {
    auto const off = [&](char const* name, seconds t) { return apart(found(name, segment).value, t.count()); };
    return std::max({off("L", truth.latency), off("o_s", truth.send_overhead), off("o_r", truth.receive_overhead),
                     off("g", truth.gap), off("G", truth.gap_per_byte)});
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
        CHECK(found.note == "1 size far above those beside left out: " + std::to_string(1 + 1024 * i) + " B");
    }
}
