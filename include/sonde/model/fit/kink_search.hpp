// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/kinked_data.hpp>
#include <sonde/model/fit/kinked_face.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <vector>

namespace sonde::model {

/// The sum of squares of (model - measured) / scale: for the kink in a gap, between two neighbouring positions or
/// beyond all, the model is linear, and its parameters are all sums of three rays. So the smallest sum, exactly, is
/// that of some of these rays.
class kink_search {
public:
    kink_search(kinked_data const& data, Eigen::VectorXd const& scale) : at_{data.at} {
        auto const n = static_cast<std::size_t>(data.points());
        std::vector<kinked_triangle> above(n + 1, kinked_triangle::Zero());
        auto row = [&](Eigen::MatrixX3d const& rows, std::size_t i) -> Eigen::RowVector4d {
            auto const k = static_cast<Eigen::Index>(i);
            return Eigen::RowVector4d{rows(k, 0), rows(k, 1), rows(k, 2), data.measured(k)} / scale(k);
        };
        for (auto i = n; i != 0; --i) {
            above[i - 1] = above[i];
            detail::rotate_in(above[i - 1], row(data.above, i - 1));
        }
        auto below = kinked_triangle::Zero().eval();
        for (std::size_t i = 0; i != n + 1; ++i) {
            gaps_.push_back(above[i]);
            for (int j = 0; j != 4; ++j) detail::rotate_in(gaps_.back(), below.row(j));
            if (i != n) detail::rotate_in(below, row(data.below, i));
        }
    }

    /// So many gaps, some of which are empty: `low` points lie below gap `low`.
    Eigen::Index gaps() const { return at_.size() + 1; }
    double from(Eigen::Index low) const { return low == 0 ? 0 : at_(low - 1); }
    double to(Eigen::Index low) const { return low == at_.size() ? std::numeric_limits<double>::infinity() : at_(low); }
    bool is_gap(Eigen::Index low) const { return low == 0 || from(low) < to(low); }
    /// No solution leaves less.
    double least(Eigen::Index low) const { return rows(low)(3, 3) * rows(low)(3, 3); }

    /// visit(face) of every face of a gap's solutions.
    template <class Visit>
    void each_face(Eigen::Index low, Visit visit) const {
        auto const rays = rays_of(low);
        for (auto const chosen : {7U, 5U, 6U, 4U, 3U, 1U, 2U})
            if (kinked_face const face{rows(low), rays, chosen}; face.independent()) visit(face);
    }
    /// Of a kink in this gap.
    kinked_solution best_in(Eigen::Index low) const {
        kinked_solution found;
        each_face(low, [&](kinked_face const& face) { keep_smaller(found, face, low); });
        return found;
    }
    /// Of a kink anywhere; one beyond all positions is as one at the last.
    kinked_solution best() const {
        kinked_solution found;
        for (Eigen::Index low = 0; low != at_.size(); ++low) {
            if (!is_gap(low) || least(low) >= found.squares) continue;
            auto const other = best_in(low);
            if (other.squares < found.squares) found = other;
        }
        return found;
    }
    /// Of a kink at or below the first position: all points are above.
    kinked_solution at_most_first() const { return best_in(0); }
    /// Of a kink at or above the last position: all points are below.
    kinked_solution at_least_last() const { return of_kink(at_(at_.size() - 1)); }
    /// Of a kink that is given.
    kinked_solution of_kink(double kink) const {
        auto const low = std::lower_bound(at_.begin(), at_.end(), kink) - at_.begin();
        Eigen::Matrix3d const rays{{1, 0, 0}, {kink, 0, 0}, {0, 0, 1}};
        kinked_solution found;
        for (auto const chosen : {5U, 4U, 1U})
            if (kinked_face const face{rows(low), rays, chosen}; face.independent()) keep_smaller(found, face, low);
        return found;
    }

private:
    kinked_triangle const& rows(Eigen::Index low) const { return gaps_[static_cast<std::size_t>(low)]; }
    /// With the kink at either end, and without any dependence on the position.
    Eigen::Matrix3d rays_of(Eigen::Index low) const {
        bool const last = low == at_.size();
        return Eigen::Matrix3d{{1, last ? 0.0 : 1.0, 0}, {from(low), last ? 1.0 : to(low), 0}, {0, 0, 1}};
    }
    static void keep_smaller(kinked_solution& found, kinked_face const& face, Eigen::Index low) {
        if (!(face.squares() < found.squares)) return;
        if (auto const values = face.best()) found = {*values, face.squares(), low};
    }

    Eigen::VectorXd at_;
    std::vector<kinked_triangle> gaps_;
};

} // namespace sonde::model
