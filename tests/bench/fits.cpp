// SPDX-License-Identifier: BSL-1.0

// The time of a fit of 200 points with errors of 2 %, for each model.

#include "../tools/model/fit_data.hpp"
#include "limit.hpp"

#include "tools/model/regression/hockney_fit.hpp"
#include "tools/model/regression/log_gp_fit.hpp"
#include "tools/model/regression/max_rate_fit.hpp"

#include <sonde/sonde.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {
using namespace sonde::model;
using namespace tools::regression;
using sonde::seconds;

constexpr double noise_of_all = 0.02;

std::vector<tools::model_point<hockney>> three_protocols() {
    piecewise_hockney const m{{{bytes{1}, {seconds{1e-6}, rate{3e9}}},
                               {bytes{8192}, {seconds{3e-6}, rate{8e9}}},
                               {bytes{262144}, {seconds{9e-6}, rate{12e9}}}}};
    noise errors{noise_of_all};
    std::vector<tools::model_point<hockney>> points;
    for (int i = 0; i != 200; ++i) {
        bytes const x{std::round(std::exp2(i * 0.11))};
        points.push_back({x, seconds{errors(m.time(x).count())}});
    }
    return points;
}

std::vector<tools::model_point<multi_ping_pong>> two_pairs() {
    multi_ping_pong const m{bytes{3e5}, rate{1.4e9}, seconds{4e-6}};
    auto sizes = octaves(1 << 15, 1 << 23, 25);
    sizes.resize(200);
    noise errors{noise_of_all};
    return measured(points_of(m, sizes), errors);
}

std::vector<tools::model_point<max_rate>> pairs_of_a_node() {
    max_rate const m{seconds{1.5e-6}, rate{4e9}, rate{22e9}};
    auto sizes = octaves(1, 1 << 22, 1);
    sizes.resize(20);
    noise errors{noise_of_all};
    return measured(points_of(m, sizes, 10), errors);
}

std::vector<tools::model_point<log_gp>> round_trips() {
    log_gp const m{seconds{1e-6}, seconds{3e-7}, seconds{4e-7}, seconds{6e-7}, seconds{1e-10}};
    noise errors{noise_of_all};
    auto measured_of = [&](seconds truth) { return seconds{errors(truth.count())}; };
    std::vector<tools::model_point<log_gp>> points;
    for (int i = 1; i <= 200; ++i) {
        bytes const s{1024 * i};
        auto const wait = m.prtt(1, seconds{0}, s);
        points.push_back({s, 16, wait, measured_of(wait), measured_of(m.prtt(16, seconds{0}, s)),
                          measured_of(m.prtt(16, wait, s)), measured_of(m.receive_overhead),
                          measured_of(m.receive_overhead + 15 * (m.receive_overhead + wait))});
    }
    return points;
}

template <class Point>
int fit_in_time(char const* name, std::vector<Point> const& points) {
    sonde::single_rank alone;
    double residual = 0;
    auto const plan = sonde::plan<>{}.until(sonde::samples{31});
    auto const found = sonde::run(alone, plan, [&] { residual = fit(points).residual_rms; });
    std::printf("%s: %zu points, residuals of %.3g\n", name, points.size(), residual);
    return report(name, 1e3 * sonde::median(found).count(), 10);
}
} // namespace

int main() {
    auto const slow = fit_in_time("ms of a fit of Hockney's model", three_protocols()) +
                      fit_in_time("ms of a fit of the multi-mode ping-pong", two_pairs()) +
                      fit_in_time("ms of a fit of the max-rate model", pairs_of_a_node()) +
                      fit_in_time("ms of a fit of LogGP", round_trips());
    return slow == 0 ? 0 : 1;
}
