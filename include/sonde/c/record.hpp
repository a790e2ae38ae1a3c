// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/to_string.hpp>
#include <sonde/version.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Records and comparisons.

namespace sonde::inline v0_1::detail::c {

inline record const& checked(sonde_record const* handle) { return checked_as<record>(handle, "the record"); }

inline sonde_record* handle_of(record r) { return handle_for<sonde_record>(std::make_shared<record>(std::move(r))); }

/// A comparison, whose records have handles until it is freed.
class compared {
public:
    explicit compared(comparison c) : found{std::move(c)} {
        for (auto& r : found.records)
            records_.push_back(handle_for<sonde_record>(std::shared_ptr<record>{std::shared_ptr<void>{}, &r}));
    }
    compared(compared const&) = delete;
    ~compared() {
        for (auto* handle : records_) destroy<record>(&handle);
    }
    sonde_record const* record_of(std::size_t alternative) const { return records_[alternative]; }

    comparison found; // of the patterns

private:
    std::vector<sonde_record*> records_; // of the alternatives
};

inline sonde_comparison* handle_of(comparison found) {
    return handle_for<sonde_comparison>(std::make_shared<compared>(std::move(found)));
}

/// Throws for the handle of no comparison and for an alternative that there is not.
inline comparison const& checked(sonde_comparison const* handle, std::size_t alternative) {
    auto const& all = checked_as<compared>(handle, "the comparison").found;
    if (alternative >= all.records.size())
        throw std::invalid_argument{"sonde: there is no alternative " + std::to_string(alternative)};
    return all;
}

/// The criterion of an outcome. Throws std::invalid_argument for numbers that make none.
inline criterion criterion_of(double gain, double confidence) {
    if (!sonde::detail::is_finite(gain) || gain < 0 || gain >= 1)
        throw std::invalid_argument{"sonde: the gain is not a number of at least 0 and below 1" + value_of(gain) +
                                    " (0.02 is 2 %)"};
    if (!(confidence > 0 && confidence < 1))
        throw std::invalid_argument{"sonde: the confidence is not between 0 and 1" + value_of(confidence) +
                                    " (0.95 is 95 %)"};
    return {gain, confidence};
}

/// Number and address of the times that `part` returns of a record; none of the handle of no record.
template <class Part>
std::size_t array_of(sonde_record const* handle, double const** into, Part part) {
    std::span<seconds const> times;
    if (auto const* const r = find<record>(handle)) times = part(*r);
    if (into != nullptr) *into = times.empty() ? nullptr : reinterpret_cast<double const*>(times.data());
    return times.size();
}

inline int flags_of(flags const& f) {
    unsigned sum = 0, bit = 1;
    for (auto const& one : all_flags) sum |= f.*one.member ? bit : 0, bit <<= 1;
    return static_cast<int>(sum);
}

inline sonde_summary summary_of(record const& r) {
    sonde_summary s{};
    s.size = sizeof s;
    s.samples = sample_count(r);
    s.batch = r.batch;
    s.ranks = r.ranks;
    s.initiators = r.initiators;
    s.flags = flags_of(r.flags);
    copy_text(to_string(r.stop.reason), s.stop_reason, sizeof s.stop_reason);
    if (!has_times(r)) return s;
    auto const interval = median_interval(r);
    s.median = median(r).count();
    s.has_interval = interval ? 1 : 0;
    s.low = interval ? interval->low.count() : 0;
    s.high = interval ? interval->high.count() : 0;
    s.mean = mean(r).count();
    s.min = min(r).count();
    s.max = max(r).count();
    s.stddev = stddev(r).count();
    s.rank_min = r.over_ranks.min.count();
    s.rank_mean = r.over_ranks.mean.count();
    s.rank_max = r.over_ranks.max.count();
    s.first = r.first.value_or(seconds{}).count();
    s.latency = latency(r).count();
    s.bandwidth = bandwidth(r);
    s.bus_bandwidth = bus_bandwidth(r);
    s.message_rate = message_rate(r);
    return s;
}

} // namespace sonde::detail::c

extern "C" {

char const* sonde_version(void) { return SONDE_VERSION; }

int sonde_flag(char const* name) {
    for (int i = 0; auto const* const known = sonde_flag_name(i); ++i)
        if (name != nullptr && std::string_view{known} == name) return 1 << i;
    return 0;
}

char const* sonde_flag_name(int i) {
    return i < 0 || i >= static_cast<int>(std::size(sonde::all_flags)) ? nullptr : sonde::all_flags[i].name;
}

sonde_status sonde_record_summary(sonde_record const* record, sonde_summary* summary, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto const& r = sonde::detail::c::checked(record);
        sonde::detail::c::require(summary, "the summary");
        sonde::detail::c::require_size(summary->size, sizeof *summary, "the summary", "SONDE_SUMMARY_INIT");
        *summary = sonde::detail::c::summary_of(r);
    });
}

sonde_status sonde_record_percentile(sonde_record const* record, double q, double* time, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto const& r = sonde::detail::c::checked(record);
        sonde::detail::c::require(time, "the result");
        if (!(q > 0 && q < 1))
            throw std::invalid_argument{"sonde: the quantile is not between 0 and 1" + sonde::detail::c::value_of(q) +
                                        " (0.99 is the 99th percentile)"};
        auto const found = sonde::percentile(r, q);
        if (!found) throw std::logic_error{"sonde: the samples are too few for this percentile"};
        *time = found->count();
    });
}

size_t sonde_record_series(sonde_record const* record, double const** times) {
    return sonde::detail::c::array_of(record, times, [](sonde::record const& r) { return std::span{r.series}; });
}

size_t sonde_record_rank_means(sonde_record const* record, double const** times) {
    return sonde::detail::c::array_of(record, times, [](sonde::record const& r) { return std::span{r.rank_means}; });
}

size_t sonde_record_rank_samples(sonde_record const* record, int rank, double const** times) {
    return sonde::detail::c::array_of(record, times, [&](sonde::record const& r) { return samples_of(r, rank); });
}

size_t sonde_record_text(sonde_record const* record, char* text, size_t size) {
    size_t length = 0;
    sonde::detail::c::guarded(nullptr, [&] {
        auto const* const found = sonde::detail::c::find<sonde::record>(record);
        auto const line = found == nullptr ? std::string{} : sonde::to_string(*found);
        length = sonde::detail::c::copy_text(line, text, text == nullptr ? 0 : size);
    });
    return length;
}

void sonde_record_free(sonde_record** record) { sonde::detail::c::destroy<sonde::record>(record); }

size_t sonde_comparison_count(sonde_comparison const* comparison) {
    auto const* const all = sonde::detail::c::find<sonde::detail::c::compared>(comparison);
    return all == nullptr ? 0 : all->found.records.size();
}

sonde_record const* sonde_comparison_record(sonde_comparison const* comparison, size_t alternative) {
    if (alternative >= sonde_comparison_count(comparison)) return nullptr;
    return sonde::detail::c::find<sonde::detail::c::compared>(comparison)->record_of(alternative);
}

sonde_status sonde_comparison_speedup(sonde_comparison const* comparison, size_t alternative, double gain,
                                      double confidence, sonde_speedup* speedup, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto const& of = sonde::detail::c::checked(comparison, alternative);
        sonde::detail::c::require(speedup, "the result");
        sonde::detail::c::require_size(speedup->size, sizeof *speedup, "the speed-up", "SONDE_SPEEDUP_INIT");
        auto const criterion = sonde::detail::c::criterion_of(gain, confidence);
        auto const interval = sonde::detail::interval_over_base(of, alternative, criterion);
        auto const outcome = alternative == 0 ? sonde::outcome::undecided : sonde::classify(of, alternative, criterion);
        *speedup = {sizeof *speedup,
                    alternative == 0 ? 1 : sonde::speedup(of, alternative),
                    interval ? interval->low : 0,
                    interval ? interval->high : 0,
                    interval ? 1 : 0,
                    outcome == sonde::outcome::faster   ? SONDE_FASTER
                    : outcome == sonde::outcome::slower ? SONDE_SLOWER
                                                        : SONDE_UNDECIDED};
    });
}

sonde_status sonde_comparison_fastest(sonde_comparison const* comparison, double gain, double confidence,
                                      size_t* alternative, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto const& of = sonde::detail::c::checked(comparison, 0);
        sonde::detail::c::require(alternative, "the result");
        *alternative = sonde::fastest(of, sonde::detail::c::criterion_of(gain, confidence));
    });
}

void sonde_comparison_free(sonde_comparison** comparison) {
    sonde::detail::c::destroy<sonde::detail::c::compared>(comparison);
}

} // extern "C"
