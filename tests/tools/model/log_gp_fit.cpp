// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"
#include "log_gp_support.hpp"

#include "tools/model/regression/log_gp_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using tools::regression::fit;
using tools::regression::fit_result;

namespace {

/// The largest relative error of a segment's five parameters.
double largest_error(log_gp const& truth, fit_result<piecewise_log_gp> const& found, std::size_t segment = 0) {
    auto const off = [&](char const* name, seconds t) {
        return relative_difference(found(name, segment).value, t.count());
    };
    return std::max({off("L", truth.latency), off("o_s", truth.send_overhead), off("o_r", truth.receive_overhead),
                     off("g", truth.gap), off("G", truth.gap_per_byte)});
}

} // namespace

TEST_CASE("a LogGP model comes back from its own times") {
    auto const found = fit(series_of(eager, 64));
    CHECK(largest_error(eager, found) < 1e-6);
    CHECK(relative_difference(found.model.time(100'000).count(), eager.time(100'000).count()) < 1e-6);
    CHECK(found.determined());
    CHECK(found.points == 64);
    CHECK(found.from == bytes{1});
    CHECK(found.to == bytes{1 + 63 * 1024});
    CHECK(found.residual_rms < 1e-9);
    CHECK(found.note.empty());
}

TEST_CASE("a LogGP model comes back from three sizes, and from widely spaced sizes in any order") {
    CHECK(largest_error(eager, fit(series_of(eager, 3))) < 1e-6);
    std::vector<tools::model_point<log_gp>> points;
    for (auto const size : {1 << 22, 1, 1 << 10, 1 << 16, 1 << 14, 1 << 20})
        points.push_back(round_trips_of(eager, size));
    CHECK(largest_error(eager, fit(points)) < 1e-6);
}

TEST_CASE("a protocol change of the library is a breakpoint, and each side is a LogGP model") {
    auto const found = fit(series_of(eager, 64, 1024, rendezvous, 30));
    REQUIRE(found.model.segments.size() == 2);
    CHECK(found("breakpoint", 1).value == 1 + 30 * 1024);
    CHECK(found("breakpoint", 1).low == 1 + 29 * 1024);
    CHECK(largest_error(eager, found) < 1e-6);
    CHECK(largest_error(rendezvous, found, 1) < 1e-6);
    CHECK(relative_difference(found.model.interval(1 + 10 * 1024).count(), eager.interval(1 + 10 * 1024).count()) <
          1e-6);
    CHECK(relative_difference(found.model.interval(1 + 30 * 1024).count(), rendezvous.interval(1 + 30 * 1024).count()) <
          1e-6);
}

TEST_CASE("a size far above the line is left out at any position, and counted") {
    for (std::size_t const i : {0U, 1U, 5U, 10U, 29U, 30U, 31U, 62U, 63U}) {
        auto points = series_of(eager, 64, 1024, rendezvous, 30);
        points[i].prtt_n *= 3;
        auto const found = fit(points);
        CAPTURE(i);
        CHECK(found.model.segments.size() == 2);
        CHECK(found.points == 63);
        CHECK(found("g").value == doctest::Approx(3e-6).epsilon(1e-6));
        CHECK(relative_difference(found("G", 1).value, 1e-10) < 1e-6);
        CHECK(found.note == "1 outlier left out: " + std::to_string(1 + 1024 * i) + " B");
    }
}

TEST_CASE("overheads that grow with the size are lines, and L follows from them") {
    auto copying = eager;
    copying.send_overhead_per_byte = seconds{1.5e-10};
    copying.receive_overhead_per_byte = seconds{0.7e-10};
    copying.gap_per_byte = seconds{4e-10};
    auto const found = fit(series_of(copying, 64));
    CHECK(found.determined());
    CHECK(relative_difference(found("o_s").value, 1e-6) < 1e-6);
    CHECK(relative_difference(found("o_s per byte").value, 1.5e-10) < 1e-6);
    CHECK(relative_difference(found("o_r per byte").value, 0.7e-10) < 1e-6);
    CHECK(relative_difference(found("L").value, 5e-6) < 1e-6);
    CHECK(found.residual_rms < 1e-6);
    for (auto const size : {1, 1000, 64 * 1024})
        CHECK(relative_difference(found.model.time(size).count(), copying.time(size).count()) < 1e-6);
    CHECK_THROWS_AS(fit(series_of(eager, 64))("o_s per byte"), std::out_of_range);
}

TEST_CASE("growing overheads are reported at the smallest size of their range") {
    auto copying = rendezvous;
    copying.send_overhead_per_byte = seconds{0.5e-10};
    copying.reference_size = bytes{1 + 30 * 1024};
    auto const found = fit(series_of(eager, 64, 1024, copying, 30));
    REQUIRE(found.model.segments.size() == 2);
    CHECK(relative_difference(found("o_s", 1).value, 1.5e-6) < 1e-6);
    CHECK(relative_difference(found("o_s per byte", 1).value, 0.5e-10) < 1e-6);
    CHECK(relative_difference(found.model.time(60 * 1024).count(), copying.time(60 * 1024).count()) < 1e-6);
}

TEST_CASE("a breakpoint before the last four sizes is found") {
    auto later = eager;
    later.gap = seconds{9e-6};
    auto const found = fit(series_of(eager, 64, 1024, later, 60));
    REQUIRE(found.model.segments.size() == 2);
    CHECK(relative_difference(found("g").value, 3e-6) < 1e-6);
    CHECK(relative_difference(found("G").value, 2e-10) < 1e-6);
    CHECK(relative_difference(found("g", 1).value, 9e-6) < 1e-6);
}
