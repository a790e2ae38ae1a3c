// SPDX-License-Identifier: BSL-1.0
#include "fit_data.hpp"
#include "trials.hpp"

#include "tools/model/regression/max_rate_fit.hpp"

#include <doctest/doctest.h>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::max_rate;
using sonde::model::rate;
using tools::regression::fit;

namespace {
struct outcome {
    explicit outcome(max_rate const& m)
        : alpha{m.alpha.count()}, process{m.process_rate.count()}, node{m.node_rate.count()},
          saturation{m.saturation()} {}
    trials alpha, process, node, saturation;
    int poor = 0; // fits with a note about their residuals
};

/// A thousand fits with 2 % noise, from 1 pair on, of powers of two from 1 B on.
outcome thousand(max_rate const& m, int pairs = 16, double largest = 1 << 22) {
    outcome all{m};
    noise errors{0.02, 7};
    auto const points = points_of(m, octaves(1, largest, 1), pairs);
    for (int i = 0; i != 1000; ++i) {
        auto const found = fit(measured(points, errors));
        all.alpha.add(found.model.alpha.count(), found("alpha"));
        all.process.add(found.model.process_rate.count(), found("R_C"));
        all.node.add(found.model.node_rate.count(), found("R_N"));
        all.saturation.add(found.model.saturation(), found("k_sat"));
        all.poor += found.residual_rms > 0.1 ? 1 : 0;
    }
    return all;
}

void check_held(trials const& t) {
    CHECK(t.determined() == 1);
    CHECK(t.coverage() > 0.93);
    CHECK(t.coverage() < 0.97);
}
} // namespace

TEST_CASE("2 % noise, 1 to 16 pairs: latency, rates and saturation come back within 1 %, and intervals cover them") {
    auto const found = thousand({seconds{1.5e-6}, rate{4e9}, rate{22e9}});
    INFO("alpha " << found.alpha.scatter() << ", R_C " << found.process.scatter() << ", R_N " << found.node.scatter()
                  << ", k_sat " << found.saturation.scatter());
    for (auto const* t : {&found.alpha, &found.process, &found.node, &found.saturation}) {
        CHECK(t->scatter() < 0.01 / 2); // so that 95 % of them are within 1 %
        CHECK(std::fabs(t->bias()) < 0.0005);
        check_held(*t);
    }
}

TEST_CASE("sizes of at most 16, 64 or 256 B bound both rates, and each bound holds in at least 97.5 % of trials") {
    for (auto const largest : {16.0, 64.0, 256.0}) {
        auto const found = thousand({seconds{1e-6}, rate{1e10}, rate{2e10}}, 4, largest);
        INFO("up to " << largest << " B: R_C " << found.process.coverage() << ", R_N " << found.node.coverage());
        CHECK(found.poor == 0);
        CHECK(found.process.determined() < 0.01);
        CHECK(found.node.determined() < 0.01);
        CHECK(found.process.coverage() > 0.97);
        CHECK(found.node.coverage() > 0.97);
        check_held(found.alpha);
    }
}

TEST_CASE("sizes of up to 4 KiB, 1 to 4 pairs: intervals cover latency, rates and saturation") {
    auto const found = thousand({seconds{1e-6}, rate{1e10}, rate{2e10}}, 4, 4096);
    for (auto const* t : {&found.alpha, &found.process, &found.node, &found.saturation}) check_held(*t);
}
