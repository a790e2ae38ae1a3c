// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/log_gp_fit.hpp"
#include "../../relative_difference.hpp"
#include "log_gp_support.hpp"
#include "tools/model/measure/log_gp_measurement.hpp"
#include "tools/records/model_points.hpp"

#include <sonde/pattern.hpp>
#include <sonde/sim.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using tools::regression::fit;
using tools::regression::fit_result;
using namespace std::chrono_literals;
using sonde::model::log_gp;
using tools::fit_error;
using tools::points_of;
using tools::regression::parameter_status;

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

namespace {

/// The records of 1 B, 1 KiB + 1 B .. in a simulated world.
std::vector<sonde::record> measured(sonde::sim::network_parameters net, std::size_t sizes) {
    std::vector<sonde::record> all;
    sonde::sim::world{2, net}.run([&](sonde::sim::process& self) {
        auto const at = sonde::pair_of(self.rank(), 1);
        auto group = self.group();
        auto const wait = [&self](sonde::seconds d) {
            self.work(sonde::sim::picoseconds{std::llround(d.count() * 1e12)});
        };
        for (std::size_t i = 0; i != sizes; ++i) {
            std::vector<std::byte> memory(1 + 1024 * i), token(1);
            sonde::slice const message{memory};
            tools::model::message_endpoint const messages{self.link(at.peer), at.role, message, message};
            tools::model::token_endpoint const tokens{self.link(at.peer, 1), sonde::slice{token}};
            tools::model::log_gp_measurement const measure{12, messages, tokens, wait};
            auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{1}).timed_by(self.clock());
            auto records = measure(group, plan);
            if (self.rank() == 0) all.insert(all.end(), records.begin(), records.end());
        }
    });
    return all;
}

} // namespace

TEST_CASE("the simulator's LogGP parameters come back from a simulated measurement") {
    auto const found = fit(points_of<log_gp>(measured({1us, 5us, 3us, 2ns}, 8)));
    CHECK(relative_difference(found("L").value, 5e-6) < 1e-6);
    CHECK(relative_difference(found("o_s").value, 1e-6) < 1e-6);
    CHECK(relative_difference(found("o_r").value, 1e-6) < 1e-6);
    CHECK(relative_difference(found("g").value, 3e-6) < 1e-6);
    CHECK(relative_difference(found("G").value, 2e-9) < 1e-6);
    CHECK(found.determined());
}

TEST_CASE("in a simulated world with slow processors, gaps are upper bounds") {
    auto const found = fit(points_of<log_gp>(measured({4us, 5us, 1us, 0ns}, 6)));
    CHECK(relative_difference(found("o_s").value, 4e-6) < 1e-6);
    CHECK(found("g").status == parameter_status::upper_bound);
    CHECK(relative_difference(found("g").value, 4e-6) < 1e-6);
    CHECK(found("G").status == parameter_status::upper_bound);
}

TEST_CASE("five records of a size are a point; a missing or inconsistent record is refused") {
    auto records = measured({1us, 5us, 3us, 2ns}, 3);
    REQUIRE(records.size() == 15);
    std::swap(records[0], records[13]);
    auto const points = points_of<log_gp>(records);
    CHECK(points.size() == 3);
    auto again = records;
    again.insert(again.end(), records.begin(), records.end());
    CHECK(points_of<log_gp>(again).size() == 6);
    for (std::size_t i = 0; i != records.size(); ++i) {
        auto fewer = records;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK_THROWS_AS(points_of<log_gp>(fewer), fit_error);
        for (std::size_t k = 0; k != 4; ++k) {
            auto nameless = records;
            nameless[i].point.parameters[k].name = "other";
            CHECK_THROWS_AS(points_of<log_gp>(nameless), fit_error);
        }
    }
    records[4].point.parameters[2] = {"wait_seconds", 1.0};
    CHECK_THROWS_AS(points_of<log_gp>(records), fit_error);
}
