// SPDX-License-Identifier: BSL-1.0

// Fits of times that are equal, of two values, in ticks of a clock, and lightly noisy: every figure is finite, a factor
// of three is found, and nothing where there is none.

#include "fit_data.hpp"
#include "hockney_data.hpp"
#include "log_gp_support.hpp"

#include "tools/model/regression/hockney_fit.hpp"
#include "tools/model/regression/log_gp_fit.hpp"
#include "tools/model/regression/max_rate_fit.hpp"
#include "tools/model/regression/segmented_regression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

using sonde::detail::is_finite;
using sonde::model::hockney;
using sonde::model::max_rate;
using sonde::model::multi_ping_pong;
using sonde::model::rate;
using sonde::model::unlimited;
using tools::regression::fit;

namespace {

struct kind {
    std::string name;
    double tick;     // ns; 0: an exact clock
    double relative; // standard deviation of the noise
    double step;     // added to every second time, relative
};
kind const kinds[] = {{"exact", 0, 0, 0},
                      {"two values", 0, 0, 0.02},
                      {"ticks, no noise", 10, 0, 0},
                      {"ticks, 1 %", 10, 0.01, 0},
                      {"noise, 1 %", 0, 0.01, 0}};

/// Reads times in turn as a clock of this kind does.
class reader {
public:
    explicit reader(kind const& of, unsigned seed = 1) : of_{of}, errors_{of.relative, seed} {}
    seconds operator()(seconds t) {
        auto const exact = errors_(t.count()) * (i_++ % 2 == 0 ? 1 : 1 + of_.step);
        if (of_.tick == 0) return seconds{exact};
        return seconds{1e-9 * of_.tick * std::max(1., std::round(1e9 * exact / of_.tick))};
    }

private:
    kind of_;
    noise errors_;
    std::size_t i_ = 0;
};

/// True if all figures are finite and, if they are determined, in order.
template <class Model>
bool is_sound(tools::regression::fit_result<Model> const& f) {
    bool sound = is_finite(f.residual_rms) && is_finite(f.condition_number);
    for (auto const& p : f.parameters) {
        sound = sound && is_finite(p.value) && is_finite(p.low) && is_finite(p.high);
        if (p.status == tools::regression::parameter_status::determined)
            sound = sound && p.low <= p.value * 1.000001 && p.value <= p.high * 1.000001 && p.high < unlimited;
    }
    return sound && f.note.find("nan") == std::string::npos && f.note.find("inf") == std::string::npos;
}

std::vector<tools::model_point<hockney>> messages(kind const& of, hockney const& truth, double factor_from_16384 = 1) {
    reader read{of};
    std::vector<tools::model_point<hockney>> points;
    for (auto const x : hockney_data::exponents(4, 20, 2)) {
        auto const t = truth.time(bytes{x}) * (x >= 16384 ? factor_from_16384 : 1);
        points.push_back({bytes{x}, read(t), seconds{1e-9 * of.tick / 2}});
    }
    return points;
}

constexpr hockney network{seconds{0.39e-6}, rate{10e9}};
constexpr hockney constant{seconds{0.39e-6}, rate{unlimited}};

} // namespace

TEST_CASE("coarse times: Hockney's model has one range and no outlier, and finite figures") {
    for (auto const& k : kinds) {
        CAPTURE(k.name);
        for (auto const& truth : {network, constant}) {
            auto const found = fit(messages(k, truth));
            CHECK(is_sound(found));
            CHECK(found.model.segments.size() == 1);
            CHECK(found.note.find("outlier") == std::string::npos);
            CHECK(is_finite(found.model.time(4096).count()));
            CHECK(std::fabs(found.model.time(4096) / truth.time(4096) - 1) < 0.05);
        }
    }
}
TEST_CASE("coarse times: a factor of three is a breakpoint in Hockney's model, and of one size an outlier") {
    for (auto const& k : kinds) {
        CAPTURE(k.name);
        auto const found = fit(messages(k, network, 3));
        CHECK(is_sound(found));
        REQUIRE(found.model.segments.size() == 2);
        CHECK(found.model.segments[1].from == bytes{16384});
        auto points = messages(k, network);
        points[10].time *= 3;
        auto const without = fit(points);
        CHECK(without.note.find("1 outlier left out") != std::string::npos);
        CHECK(without.model.segments.size() == 1);
    }
}
TEST_CASE("coarse times: segmented regression without any rounding error given") {
    std::vector<tools::regression::regression_point> level, broken;
    for (int i = 1; i <= 20; ++i) {
        level.push_back({double(i), 1});
        broken.push_back({double(i), i < 11 ? 1. : 3.});
    }
    CHECK(find_segments(tools::regression::segment_costs{level}).size() == 2);
    CHECK(find_segments(tools::regression::segment_costs{broken}) == tools::regression::segment_boundaries{0, 10, 20});
}
TEST_CASE("coarse times: the max-rate model's and the multi-mode model's figures are finite") {
    max_rate const node{seconds{0.39e-6}, rate{2e9}, rate{6e9}};
    multi_ping_pong const link{bytes{65536}, rate{3e9}, seconds{2e-6}};
    for (auto const& k : kinds) {
        CAPTURE(k.name);
        reader read{k};
        auto pairs = points_of(node, octaves(64, 1 << 20, 1), 6);
        auto both = points_of(link, octaves(1024, 1 << 22, 2));
        for (auto& p : pairs) p.time = read(p.time);
        for (auto& p : both) p.time = read(p.time);
        auto const saturated = fit(pairs);
        CHECK(is_sound(saturated));
        CHECK(std::fabs(saturated("k_sat").value - 3) < 0.3); // one process is three times slower than the node
        CHECK(is_sound(fit(both)));
        for (auto& p : pairs) p.time = read(seconds{0.39e-6});
        for (auto& p : both) p.time = read(seconds{0.39e-6});
        CHECK(is_sound(fit(pairs))); // neither the size nor the number of pairs changes the time
        CHECK(is_sound(fit(both)));
    }
}
TEST_CASE("coarse times: LogGP's figures are finite") {
    for (auto const& k : kinds) {
        CAPTURE(k.name);
        reader read{k};
        auto points = series_of(eager, 16);
        for (auto& p : points)
            for (auto* const t : {&p.prtt_1, &p.prtt_n, &p.prtt_nd, &p.receive_1, &p.receive_n}) *t = read(*t);
        auto const found = fit(points);
        CHECK(is_sound(found));
        CHECK(found.model.segments.size() == 1);
    }
}
