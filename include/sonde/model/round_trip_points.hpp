// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/log_gp.hpp>
#include <sonde/model/points.hpp>
#include <sonde/record.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::model {

namespace detail {

/// A parameter of a record's point; nullptr where there is none of that name.
inline sonde::parameter const* find_parameter(record const& r, std::string_view name) {
    for (auto const& p : r.at.parameters)
        if (p.name == name) return &p;
    return nullptr;
}

inline double number_of(record const& r, std::string_view name) {
    auto const* const p = find_parameter(r, name);
    if (p == nullptr || !p->number) no_point(r, "no number of " + std::string{name});
    return *p->number;
}

/// Which of a size's five times: PRTT(1, 0, s), PRTT(n, 0, s), PRTT(n, d, s), the receiver's T(1), T(n).
inline std::size_t place_of(record const& r) {
    auto const* const side = find_parameter(r, "side");
    auto const many = number_of(r, "messages") > 1;
    auto const waits = number_of(r, "wait_seconds") > 0;
    if (side != nullptr && side->text == "receive") return many ? 4 : 3;
    if (side == nullptr || side->text != "send" || (waits && !many)) no_point(r, "neither of a sender nor a receiver");
    return !many ? 0 : waits ? 2 : 1;
}

/// The times of a size that were found so far.
class round_trips_of_size {
public:
    explicit round_trips_of_size(record const& r) : size_{number_of(r, "bytes")} {}

    bool lacks(record const& r) const { return number_of(r, "bytes") == size_.count() && !times_[place_of(r)]; }
    void take(record const& r) {
        auto const place = place_of(r);
        times_[place] = time_of(r);
        if (place != 0 && place != 3) agree(r, messages_, "messages");
        if (place >= 2) agree(r, wait_, "wait_seconds");
    }
    piecewise_log_gp::point point() const {
        static constexpr std::array names{"PRTT(1, 0, s)", "PRTT(n, 0, s)", "PRTT(n, d, s)", "the receiver's T(1)",
                                          "the receiver's T(n)"};
        for (std::size_t i = 0; i != names.size(); ++i)
            if (!times_[i])
                throw cannot_fit{"round trips of " + sonde::detail::text_of(size_.count()) + " B: no " + names[i]};
        return {size_, *messages_, seconds{*wait_}, *times_[0], *times_[1], *times_[2], *times_[3], *times_[4]};
    }

private:
    static void agree(record const& r, std::optional<double>& known, char const* name) {
        auto const here = number_of(r, name);
        if (known && *known != here)
            no_point(r, std::string{name} + " " + sonde::detail::text_of(*known) + " in other records of this size");
        known = here;
    }

    bytes size_;
    std::optional<double> messages_;
    std::optional<double> wait_;
    std::array<std::optional<seconds>, 5> times_{};
};

} // namespace detail

/// The points of a LogGP model, of the records of a `log_gp_measurement`: `points_of<piecewise_log_gp>(records)`.
///
/// The five records of a size make a point; where a size was measured again, five more make another. Throws cannot_fit
/// for a record that is not one of the five, and for a size of which one is missing.
template <std::same_as<piecewise_log_gp> Model>
[[nodiscard]] std::vector<piecewise_log_gp::point> points_of(std::vector<record> const& records) {
    std::vector<detail::round_trips_of_size> sizes;
    for (auto const& r : records) {
        std::size_t i = 0;
        while (i != sizes.size() && !sizes[i].lacks(r)) ++i;
        if (i == sizes.size()) sizes.emplace_back(r);
        sizes[i].take(r);
    }
    std::vector<piecewise_log_gp::point> points;
    for (auto const& size : sizes) points.push_back(size.point());
    return points;
}

} // namespace sonde::model
