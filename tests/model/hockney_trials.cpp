// SPDX-License-Identifier: BSL-1.0
#include "hockney_data.hpp"
#include "trials.hpp"

#include <sonde/model/fit/hockney.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace hockney_data;
using namespace sonde::model;

namespace {

/// A bound, too, has an interval: it ends at zero or nowhere.
bool covers(parameter const& p, double truth) { return p.low <= truth && truth <= p.high; }

/// What came of a thousand fits of a truth with 2 % noise.
struct trials {
    share right_breaks;
    share alpha, r_inf, n_half; // in their intervals, of all segments where breaks are right

    trials(piecewise_hockney const& truth, int of_an_octave) {
        auto const sizes = exponents(0, 22, of_an_octave);
        noise errors{0.02};
        for (int i = 0; i != 1000; ++i) add(truth, fit(measured(truth, sizes, errors)));
    }
    void add(piecewise_hockney const& truth, fitted<piecewise_hockney> const& found) {
        auto const n = truth.segments.size();
        bool right = found.model.segments.size() == n;
        for (std::size_t k = 0; right && k != n; ++k) right = found.model.segments[k].from == truth.segments[k].from;
        right_breaks.add(right);
        for (std::size_t k = 0; right && k != n; ++k) {
            auto const& model = truth.segments[k].model;
            alpha.add(covers(found("alpha", k), model.alpha.count()));
            r_inf.add(covers(found("r_inf", k), model.r_inf.count()));
            n_half.add(covers(found("n_half", k), model.n_half().count()));
        }
    }
};

} // namespace

TEST_CASE("with 2 % noise breaks are at the right size in 99 % of trials, and intervals cover in 93 to 97 %") {
    for (int const of_an_octave : {1, 2, 4}) {
        CAPTURE(of_an_octave);
        for (auto const* truth : {&one_protocol, &eager_rendezvous, &three_protocols}) {
            CAPTURE(truth->segments.size());
            trials const all{*truth, of_an_octave};
            CHECK_MESSAGE(all.right_breaks.of_all() >= 0.99, all.right_breaks.of_all());
            for (auto const* covered : {&all.alpha, &all.r_inf, &all.n_half}) {
                CHECK_MESSAGE(covered->of_all() >= 0.93, covered->of_all());
                CHECK_MESSAGE(covered->of_all() <= 0.97, covered->of_all());
            }
        }
    }
}
