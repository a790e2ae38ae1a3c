// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"

#include "tools/model/measure/log_gp_measurement.hpp"
#include "tools/model/regression/log_gp_fit.hpp"
#include "tools/records/model_points.hpp"

#include <sonde/pattern.hpp>
#include <sonde/sim.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using sonde::model::log_gp;
using tools::fit_error;
using tools::points_of;
using tools::regression::fit;
using tools::regression::parameter_status;

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
