// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/log_gp_fit.hpp"

#include "tools/model/regression/log_gp_segment.hpp"
#include "tools/model/regression/outliers.hpp"
#include "tools/model/regression/segmented_regression.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace tools::regression {

namespace {

/// Points in ascending order of size. Throws fit_error for an invalid point and for too few or too many sizes.
std::vector<tools::model_point<log_gp>> in_order(std::vector<tools::model_point<log_gp>> points) {
    for (auto const& p : points) {
        for (auto const t : {p.prtt_1, p.prtt_n, p.prtt_nd, p.wait, p.receive_1, p.receive_n})
            validate_point("LogGP", p.size, t, "messages", p.messages);
        if (p.size < bytes{1}) throw fit_error{"LogGP: a message of " + text_of(p.size) + "; it needs a byte at least"};
        if (p.messages < 2) throw fit_error{"LogGP: a series of one message of " + text_of(p.size)};
    }
    auto const sizes = sort_by_size(points);
    auto const found = "LogGP: " + std::to_string(sizes) + " sizes; ";
    if (sizes < 3) throw fit_error{found + "it needs three at least"};
    if (sizes > most_sizes) throw fit_error{found + "at most " + std::to_string(most_sizes)};
    return points;
}

/// Throws fit_error if a series takes no longer than its first message alone.
void validate_series(tools::model_point<log_gp> const& p) {
    auto const validate = [&](char const* how, seconds series, seconds single) {
        if (!(series > single))
            throw fit_error{"LogGP: at " + text_of(p.size) + " " + sonde::detail::text_of(p.messages) + " messages " +
                            how + " take " + text_of(series) + ", and one " + text_of(single)};
    };
    validate("in a row", p.prtt_n, p.prtt_1);
    validate("with a wait between them", p.prtt_nd, p.prtt_1);
    validate("received with a wait between them", p.receive_n, p.receive_1);
}

segment_costs interval_costs(log_gp_points points) {
    std::vector<regression_point> all;
    for (auto const& p : points) {
        auto const magnification = std::hypot(p.prtt_n.count(), p.prtt_1.count()) / (p.prtt_n - p.prtt_1).count();
        all.push_back({p.size.count(), p.interval().count(), rounding_residual * magnification});
    }
    return segment_costs{std::move(all)};
}

/// True if the interval lines of two segments intersect between them, as they do where the network becomes the limit
/// within one protocol.
bool intersect(log_gp_segment const& left, log_gp_segment const& right) {
    auto const difference = [&](bytes size) {
        auto const l = value_at(left.interval.free, size), r = value_at(right.interval.free, size);
        return uncertain_value{r.value - l.value, 2 * std::hypot(l.standard_error, r.standard_error) + 0.01 * l.value};
    };
    auto const before = difference(left.points.back().size), after = difference(right.points.front().size);
    return before.value <= before.standard_error && after.value >= -after.standard_error;
}

/// Segments of the interval between messages, without breakpoints within one protocol. A breakpoint within a protocol
/// changes only the limit of the interval: a processor for small messages, the network for large messages.
segment_boundaries find_protocols(std::vector<tools::model_point<log_gp>> const& points, segment_costs const& costs) {
    auto b = find_segments(costs);
    auto const segment = [&](std::size_t k, std::size_t end) {
        return log_gp_segment{costs.slice(points, b[k], b[end])};
    };
    auto const is_same_protocol = [&](std::size_t k) {
        auto const left = segment(k - 1, k);
        if (left.network_limits) return false;
        auto const right = segment(k, k + 1);
        return right.network_limits && intersect(left, right) && segment(k - 1, k + 1).network_limits;
    };
    for (std::size_t k = 1; k + 1 < b.size();)
        if (is_same_protocol(k)) b.erase(b.begin() + static_cast<std::ptrdiff_t>(k));
        else ++k;
    return b;
}

} // namespace

fit_result<piecewise_log_gp> fit(std::vector<tools::model_point<log_gp>> const& points) {
    auto ordered = in_order(points);
    using point = tools::model_point<log_gp>;
    auto const launches = launch_note(ordered, &point::prtt_1);
    auto const outliers = remove_outliers(
        ordered, {&point::prtt_1, &point::prtt_n, &point::prtt_nd, &point::receive_1, &point::receive_n},
        [](auto const& repetitions) { return *std::min_element(repetitions.begin(), repetitions.end()); },
        outlier_sides::slow); // a time that is too short is refused, with its size
    std::for_each(ordered.begin(), ordered.end(), validate_series);
    auto const costs = interval_costs(ordered);
    auto const boundaries = find_protocols(ordered, costs);
    fit_result<piecewise_log_gp> result;
    double squares = 0, freedom = 0;
    for (std::size_t k = 0; k + 1 != boundaries.size(); ++k) {
        log_gp_segment const segment{costs.slice(ordered, boundaries[k], boundaries[k + 1])};
        auto found = result_of(segment);
        if (k != 0) result.parameters.push_back(breakpoint_estimate(costs, boundaries, k));
        for (auto& p : found.parameters) {
            p.segment = k;
            result.parameters.push_back(std::move(p));
        }
        result.model.segments.push_back({segment.smallest().size, found.model});
        result.condition_number = std::max(result.condition_number, segment.interval.free.condition_number());
        append_note(result.note, found.note);
        squares += found.squares;
        freedom += found.degrees_of_freedom;
    }
    result.residual_rms = std::sqrt(squares / freedom);
    append_note(result.note, outlier_note(outliers, [](auto const& p) { return text_of(p.size); }));
    append_note(result.note, launches);
    return finish(std::move(result), ordered);
}

} // namespace tools::regression
