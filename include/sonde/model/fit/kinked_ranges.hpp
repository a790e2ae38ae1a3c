// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/kink_search.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <limits>
#include <optional>

namespace sonde::model {

struct kinked_range {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// The smallest and the largest of parameters over all solutions, of all kinks, that leave at most so many squares:
/// exactly, for in each gap those solutions are an ellipsoid cut by a cone.
class kinked_ranges {
public:
    kinked_ranges(kink_search const& search, double squares) : search_{search}, squares_{squares} {
        for (Eigen::Index low = 0; low != search.gaps(); ++low)
            if (search.is_gap(low) && search.least(low) <= squares) add(low);
    }

    /// Of u, v or w.
    kinked_range const& of(int parameter) const { return parameters_[parameter]; }
    kinked_range const& kink() const { return kink_; }

private:
    void add(Eigen::Index low) {
        search_.each_face(low, [&](kinked_face const& face) {
            if (face.squares() > squares_) return;
            for (int i = 0; i != 3; ++i)
                for (auto const sign : {-1.0, 1.0})
                    if (auto const at = face.farthest(i, sign, squares_ - face.squares())) parameters_[i].add((*at)(i));
        });
        if (auto const best = search_.best_in(low); best.squares <= squares_) add_kinks(best);
    }
    void add_kinks(kinked_solution const& best) {
        auto const inside = std::clamp(best.kink(), search_.from(best.low), search_.to(best.low));
        if (inside <= kink_.low) kink_.low = farthest(inside, search_.from(best.low));
        if (best.low + 1 != search_.gaps()) kink_.high = farthest(inside, search_.to(best.low));
    }
    /// Towards an end of a gap, as far as solutions are: by halves.
    double farthest(double good, double bad) const {
        auto allowed = [&](double kink) { return search_.of_kink(kink).squares <= squares_; };
        if (allowed(bad)) return bad;
        for (int i = 0; i != 40; ++i) {
            auto const middle = (good + bad) / 2;
            (allowed(middle) ? good : bad) = middle;
        }
        return good;
    }

    kink_search const& search_;
    double squares_;
    kinked_range parameters_[3];
    kinked_range kink_;
};

} // namespace sonde::model
