// SPDX-License-Identifier: BSL-1.0
#include "log_gp_support.hpp"

#include <sonde/model/fit/log_gp.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

using sonde::model::fit;

namespace {

constexpr int trials = 1000;

/// Times with 2 % noise each; the wait is the first one's, noise included.
class noisy {
public:
    piecewise_log_gp::point operator()(log_gp const& m, bytes s) {
        auto p = round_trips_of(m, s);
        p.one *= factor();
        p.wait = p.one;
        p.spaced = factor() * m.round_trip(p.messages, p.wait, s);
        p.received_many = factor() * (p.received_one + (p.messages - 1) * (p.wait + m.receive_overhead));
        p.many *= factor();
        p.received_one *= factor();
        return p;
    }

private:
    double factor() { return 1 + 0.02 * normal_(random_); }
    std::mt19937_64 random_{20071};
    std::normal_distribution<double> normal_;
};

using truths = std::map<std::string, double>;

truths truths_of(log_gp const& m) {
    return {{"L", m.latency.count()},
            {"o_s", m.send_overhead.count()},
            {"o_r", m.receive_overhead.count()},
            {"g", m.gap.count()},
            {"G", m.gap_per_byte.count()}};
}

} // namespace

TEST_CASE("with 2 % noise intervals of 95 % hold all LogGP parameters of both protocols, and the break is found") {
    noisy measured;
    int broken = 0;
    std::vector<std::map<std::string, int>> held(2);
    for (int trial = 0; trial != trials; ++trial) {
        std::vector<piecewise_log_gp::point> points;
        for (std::size_t i = 0; i != 64; ++i)
            points.push_back(measured(i < 30 ? eager : rendezvous, bytes{1 + 1024 * i}));
        auto const found = fit(points);
        if (found.model.segments.size() != 2 || found("break", 1).value != 1 + 30 * 1024) continue;
        ++broken;
        for (std::size_t segment = 0; segment != 2; ++segment)
            for (auto const& [name, truth] : truths_of(segment == 0 ? eager : rendezvous)) {
                auto const& p = found(name, segment);
                held[segment][name] += p.low <= truth && truth <= p.high;
            }
    }
    CHECK(broken >= 990);
    for (auto const& counts : held)
        for (auto const& [name, count] : counts) {
            CAPTURE(name);
            CHECK(count >= 0.93 * broken);
            CHECK(count <= 0.97 * broken);
        }
}
