// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/correlation.hpp>
#include <sonde/detail/binomial.hpp>
#include <sonde/detail/order_statistics.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/record.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

namespace sonde {

/// What `compare` found: a record of each alternative, equal on every rank. Samples with the same index are of the same
/// round. The first alternative is the base that the others are held against.
struct comparison {
    std::vector<record> records;
};

/// What a verdict asks for: so much faster, or slower, at least (0.02: by 2 %), with this confidence for all
/// alternatives together.
struct demand {
    double gain = 0;
    double confidence = 0.95;
};

enum class outcome : unsigned char { undecided, faster, slower };

[[nodiscard]] inline char const* name(outcome of) {
    constexpr char const* names[] = {"undecided", "faster", "slower"};
    return names[static_cast<unsigned char>(of)];
}

/// The factors between which a speed-up lies.
struct factors {
    double low;
    double high;
};

namespace detail {

/// The base's time over another's; 1 for equal times, those of a clock that did not move included.
inline double ratio(seconds base, seconds other) { return base == other ? 1 : base / other; }

/// The ratios of all rounds, in the type that statistics take.
inline std::vector<seconds> ratios(comparison const& of, std::size_t alternative) {
    auto const &base = of.records.at(0).series, &other = of.records.at(alternative).series;
    if (base.empty()) throw std::invalid_argument{"sonde::comparison: there are no rounds"};
    std::vector<seconds> all;
    for (std::size_t i = 0; i != base.size(); ++i) all.emplace_back(ratio(base[i], other.at(i)));
    return all;
}

} // namespace detail

/// How many times as fast as the base an alternative is: exp of the median over rounds of ln(t_base / t), which is
/// the median ratio, of an even number of rounds the geometric mean of the two in the middle. Throws std::out_of_range
/// where there is no such alternative.
[[nodiscard]] inline double speedup(comparison const& of, std::size_t alternative) {
    auto const all = detail::ratios(of, alternative);
    detail::order_statistics ordered{detail::from(all)};
    auto const below = ordered[(all.size() - 1) / 2].count(), above = ordered[all.size() / 2].count();
    return below == above ? below : detail::square_root(below * above);
}

/// An interval of the speed-up; none where there are too few rounds for one.
///
/// That of the median, by ranks, so that a disturbed round is one round however long it took. With m alternatives
/// beside the base each interval may miss in (1 - confidence) / m of cases, so that all of them hold together
/// (Bonferroni). It is corrected by the largest correlation time that the rounds allow (`correlation_time_bound`), not
/// by the likeliest: a rule that looks until an interval is narrow stops where that comes out too small. Simulated,
/// intervals of equal alternatives miss 1 in at most 4.4 % of cases, whatever precision was asked for, and though each
/// time depends on the one before (AR(1), up to phi = 0.5).
[[nodiscard]] inline std::optional<factors> speedup_interval(comparison const& of, std::size_t alternative,
                                                             double confidence = 0.95) {
    auto const others = of.records.size() < 2 ? std::size_t{1} : of.records.size() - 1;
    auto const all = detail::ratios(of, alternative);
    auto const tau = correlation_time_bound(detail::from(all));
    auto const misses = (1 - confidence) / static_cast<double>(others);
    auto const between = median_interval(detail::from(all), 1 - misses, tau);
    if (!between) return std::nullopt;
    return factors{between->low.count(), between->high.count()};
}

/// Is an alternative faster than the base, or slower? Undecided where the interval of its speed-up holds less than the
/// gain that is asked for, or where there is none.
[[nodiscard]] inline outcome judge(comparison const& of, std::size_t alternative, demand wanted = {}) {
    auto const between = speedup_interval(of, alternative, wanted.confidence);
    if (!between) return outcome::undecided;
    if (between->low > 1 + wanted.gain) return outcome::faster;
    return between->high * (1 + wanted.gain) < 1 ? outcome::slower : outcome::undecided;
}

/// The alternative to go on with: the base, unless others are faster: then the one with the largest speed-up of them.
[[nodiscard]] inline std::size_t fastest(comparison const& of, demand wanted = {}) {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 1; i < of.records.size(); ++i) {
        if (judge(of, i, wanted) != outcome::faster || !(speedup(of, i) > most)) continue;
        best = i;
        most = speedup(of, i);
    }
    return best;
}

} // namespace sonde
