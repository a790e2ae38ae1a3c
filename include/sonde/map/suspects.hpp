// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sonde {

/// The time of a message, or of any other transfer, from each rank to each other one: `[from * ranks + to]`. A time
/// that is not positive was not measured.
struct pair_times {
    int ranks = 0;
    std::vector<seconds> times{};

    explicit pair_times(int of_ranks = 0)
        : ranks{of_ranks}, times(static_cast<std::size_t>(of_ranks) * static_cast<std::size_t>(of_ranks)) {}
    seconds& at(int from, int to) { return times[index(from, to)]; }
    seconds at(int from, int to) const { return times[index(from, to)]; }

private:
    std::size_t index(int from, int to) const { return static_cast<std::size_t>(from * ranks + to); }
};

enum class suspect_kind : unsigned char { rank, pair };
enum class suspect_direction : unsigned char { both, from, to };

/// A rank, or a pair of ranks, that is slower than its class.
struct suspect {
    suspect_kind kind = suspect_kind::pair;
    suspect_direction direction = suspect_direction::both; // `from`: messages from `rank`; `to`: messages to it
    int rank = 0;
    int peer = -1;     // of a pair
    double factor = 1; // time over the median of the class
    bool operator==(suspect const&) const = default;
};

/// When something is a suspect. `false_alarms`: probability that anything at all is named on a system without a slow
/// part. `factor`: smaller differences are not named, even if they are significant.
struct suspect_options {
    double false_alarms = 0.01;
    double factor = 1.2;
};

namespace detail {

inline double middle_of(std::vector<double> values) {
    auto const half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    if (values.size() % 2 == 1) return *half;
    return (*half + *std::max_element(values.begin(), half)) / 2;
}

/// Standard deviation of normal values from the median of their absolute deviations (Hampel 1974): up to half of them
/// may be anything.
inline double robust_deviation(std::vector<double> values, double center) {
    for (auto& v : values) v = std::fabs(v - center);
    return 1.4826 * middle_of(std::move(values));
}

/// Probability that a standard normal variable exceeds z.
inline double normal_tail(double z) { return std::erfc(z / std::sqrt(2.)) / 2; }

/// The logarithms of all times over the median of their class; NaN: not measured, or the only pair of a class.
class residuals {
public:
    residuals(pair_times const& t, std::vector<int> const& class_of) : ranks_{t.ranks}, r_(t.times.size(), NAN) {
        if (class_of.size() != t.times.size())
            throw std::invalid_argument{"sonde::find_suspects: a class for each pair of ranks"};
        auto const classes = class_of.empty() ? 0 : *std::max_element(class_of.begin(), class_of.end()) + 1;
        for (int c = 0; c != classes; ++c) {
            std::vector<std::size_t> members;
            std::vector<double> logs;
            for (std::size_t i = 0; i != r_.size(); ++i)
                if (class_of[i] == c && t.times[i] > seconds{0}) {
                    members.push_back(i);
                    logs.push_back(std::log(t.times[i].count()));
                }
            if (members.size() < 2) continue;
            auto const median = middle_of(logs);
            for (std::size_t k = 0; k != members.size(); ++k) r_[members[k]] = logs[k] - median;
        }
    }

    int ranks() const { return ranks_; }
    double& at(int from, int to) { return r_[static_cast<std::size_t>(from * ranks_ + to)]; }
    /// Residuals of the messages from a rank, or to it, that were measured.
    std::vector<double> of(int rank, suspect_direction way) {
        std::vector<double> found;
        for (int peer = 0; peer != ranks_; ++peer)
            if (auto const r = way == suspect_direction::from ? at(rank, peer) : at(peer, rank); !std::isnan(r))
                found.push_back(r);
        return found;
    }
    std::vector<double> measured() const {
        auto found = r_;
        std::erase_if(found, [](double r) { return std::isnan(r); });
        return found;
    }

private:
    int ranks_;
    std::vector<double> r_;
};

} // namespace detail

/// Ranks and pairs of ranks that are slower than their class, ranks first, each kind by descending factor.
///
/// Classes contain pairs that should be equally fast, `class_of[from * ranks + to]`, counted from 0; negative: not to
/// be judged. Times are compared as logarithms with the median of the class. A rank is tested by the median of the
/// messages from it and of those to it, a pair by its time; noise is the robust deviation of all pairs, and of the
/// medians of all ranks, whichever is larger. Holm's step-down over all 2 P + P (P - 1) tests (Scandinavian Journal of
/// Statistics 6, 1979) holds the rate of false alarms, as far as the logarithms are normal. A pair of a rank that is
/// named is named only if it is slower than that rank explains.
[[nodiscard]] inline std::vector<suspect> find_suspects(pair_times const& times, std::vector<int> const& class_of,
                                                        suspect_options options = {}) {
    using way = suspect_direction;
    detail::residuals r{times, class_of};
    auto const ranks = times.ranks;
    auto const all = r.measured();
    if (all.size() < 6) return {};
    auto const noise = detail::robust_deviation(all, 0);
    struct test {
        suspect of;
        double excess; // logarithm of the factor
        double p;
    };
    std::vector<test> tests;
    std::vector<double> shift(2 * static_cast<std::size_t>(ranks)); // of named ranks: from, to
    auto const shift_of = [&](int rank, way w) -> double& {
        return shift[2 * static_cast<std::size_t>(rank) + (w == way::to)];
    };
    for (auto const w : {way::from, way::to}) {
        std::vector<double> medians;
        std::vector<test> of_ranks;
        for (int rank = 0; rank != ranks; ++rank) {
            auto const of_rank = r.of(rank, w);
            if (of_rank.size() < 3) continue;
            medians.push_back(detail::middle_of(of_rank));
            auto const error = 1.2533 * noise / std::sqrt(static_cast<double>(of_rank.size())); // sqrt(pi / 2)
            of_ranks.push_back({{suspect_kind::rank, w, rank}, medians.back(), error});
        }
        if (medians.empty()) continue;
        auto const between = detail::robust_deviation(medians, detail::middle_of(medians));
        for (auto& t : of_ranks) {
            t.p = detail::normal_tail(t.excess / std::max(t.p, between));
            tests.push_back(t);
        }
    }
    for (int from = 0; from != ranks; ++from)
        for (int to = 0; to != ranks; ++to)
            if (auto const e = r.at(from, to); !std::isnan(e))
                tests.push_back({{suspect_kind::pair, way::from, from, to}, e, detail::normal_tail(e / noise)});
    std::stable_sort(tests.begin(), tests.end(), [](test const& a, test const& b) { return a.p < b.p; });
    std::size_t rejected = 0;
    while (rejected != tests.size() &&
           tests[rejected].p < options.false_alarms / static_cast<double>(tests.size() - rejected))
        ++rejected;
    auto const limit =
        rejected == tests.size() ? 1 : options.false_alarms / static_cast<double>(tests.size() - rejected);
    tests.resize(rejected);
    std::erase_if(tests, [&](test const& t) { return t.excess < std::log(options.factor); });
    std::vector<suspect> found;
    for (auto const& t : tests)
        if (t.of.kind == suspect_kind::rank) shift_of(t.of.rank, t.of.direction) = t.excess;
    for (int rank = 0; rank != ranks; ++rank) {
        auto const from = shift_of(rank, way::from), to = shift_of(rank, way::to);
        if (from > 0 || to > 0)
            found.push_back({suspect_kind::rank,
                             from > 0 && to > 0 ? way::both
                             : from > 0         ? way::from
                                                : way::to,
                             rank, -1, std::exp(std::max(from, to))});
    }
    std::vector<suspect> pairs;
    for (auto const& t : tests) {
        if (t.of.kind == suspect_kind::rank) continue;
        auto const explained = std::max(shift_of(t.of.rank, way::from), shift_of(t.of.peer, way::to));
        auto const rest = t.excess - explained;
        if (explained > 0 && (rest < std::log(options.factor) || detail::normal_tail(rest / noise) > limit)) continue;
        auto const back = std::find_if(pairs.begin(), pairs.end(),
                                       [&](suspect const& s) { return s.rank == t.of.peer && s.peer == t.of.rank; });
        if (back != pairs.end()) {
            back->direction = way::both;
            back->factor = std::max(back->factor, std::exp(t.excess));
        } else {
            pairs.push_back({suspect_kind::pair, way::from, t.of.rank, t.of.peer, std::exp(t.excess)});
        }
    }
    auto const slower = [](suspect const& a, suspect const& b) { return a.factor > b.factor; };
    std::stable_sort(found.begin(), found.end(), slower);
    std::stable_sort(pairs.begin(), pairs.end(), slower);
    found.insert(found.end(), pairs.begin(), pairs.end());
    return found;
}

} // namespace sonde
