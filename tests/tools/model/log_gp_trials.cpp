// SPDX-License-Identifier: BSL-1.0
#include "log_gp_support.hpp"

#include "tools/model/regression/log_gp_fit.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

using tools::regression::fit;

namespace {

/// Times with 2 % noise each; the wait is the first one's, noise included.
class noisy {
public:
    tools::model_point<log_gp> operator()(log_gp const& m, bytes s) {
        auto p = round_trips_of(m, s);
        p.prtt_1 *= factor();
        p.wait = p.prtt_1;
        p.prtt_nd = factor() * m.prtt(p.messages, p.wait, s);
        p.receive_n = factor() * (p.receive_1 + (p.messages - 1) * (p.wait + m.receive_overhead));
        p.prtt_n *= factor();
        p.receive_1 *= factor();
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

/// Results of trials with a breakpoint before size number 30, by which g grows to `gap` and nothing else changes.
struct outcome {
    int two_segments = 0, right_place = 0, place_held = 0;
    std::vector<std::map<std::string, int>> held{2};
};

void count(piecewise_log_gp const& truth, outcome& all, tools::regression::fit_result<piecewise_log_gp> const& found) {
    if (found.model.segments.size() != 2) return;
    auto const& b = found("breakpoint", 1);
    auto const at = truth.segments[1].from.count();
    ++all.two_segments;
    all.right_place += b.value == at;
    all.place_held += b.low < at && at <= b.high;
    for (std::size_t segment = 0; segment != 2; ++segment)
        for (auto const& [name, value] : truths_of(truth.segments[segment].model)) {
            auto const& p = found(name, segment);
            all.held[segment][name] += p.low <= value && value <= p.high;
        }
}

outcome trials_of(log_gp const& first, log_gp const& second, int n) {
    noisy measured;
    outcome all;
    piecewise_log_gp const truth{{{bytes{1}, first}, {bytes{1 + 30 * 1024}, second}}};
    for (int trial = 0; trial != n; ++trial) {
        std::vector<tools::model_point<log_gp>> points;
        for (std::size_t i = 0; i != 64; ++i) {
            bytes const size{1 + 1024 * i};
            points.push_back(measured(truth.at(size).model, size));
        }
        count(truth, all, fit(points));
    }
    return all;
}

/// Intervals of 95 % cover the truth in this range of all counted trials.
void check_held(outcome const& all, double least, double most) {
    for (auto const& counts : all.held)
        for (auto const& of_parameter : counts) {
            CAPTURE(of_parameter.first);
            CHECK(of_parameter.second >= least * all.two_segments);
            CHECK(of_parameter.second <= most * all.two_segments);
        }
}

} // namespace

TEST_CASE("with 2 % noise 95 % intervals cover all LogGP parameters of both protocols, and the breakpoint is found") {
    auto const all = trials_of(eager, rendezvous, 1000);
    CHECK(all.right_place >= 990);
    CHECK(all.place_held >= 990);
    check_held(all, 0.93, 0.97);
}

TEST_CASE("a jump of the gap by a tenth of the total time is found, with correct parameters") {
    for (double const gap : {4e-6, 5e-6}) { // instead of 3 us, with 6 us for the bytes
        auto later = eager;
        later.gap = seconds{gap};
        auto const all = trials_of(eager, later, 200);
        CAPTURE(gap);
        CHECK(all.two_segments >= 198);
        CHECK(all.right_place >= 180);
        CHECK(all.place_held >= 190);
        check_held(all, 0.91, 0.99);
    }
}
