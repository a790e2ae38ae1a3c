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
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A record of the C interface.
struct sonde_record {
    static constexpr auto noun = "the record"; // in messages

    explicit sonde_record(sonde::record r) : record{std::make_shared<sonde::record const>(std::move(r))} {}
    explicit sonde_record(std::shared_ptr<sonde::record const> of_comparison) : record{std::move(of_comparison)} {}

    std::shared_ptr<sonde::record const> record; // of a measurement, or of an alternative of a comparison
};

/// A comparison of the C interface, whose records have handles until it is freed.
struct sonde_comparison {
    static constexpr auto noun = "the comparison"; // in messages

    explicit sonde_comparison(sonde::comparison found)
        : comparison{std::make_shared<sonde::comparison>(std::move(found))} {
        for (auto const& r : comparison->records)
            records.push_back(
                sonde::detail::c::make_handle<sonde_record>(std::shared_ptr<sonde::record const>{comparison, &r}));
    }
    sonde_comparison(sonde_comparison const&) = delete;
    ~sonde_comparison() {
        for (auto* handle : records) sonde::detail::c::destroy(&handle);
    }

    std::shared_ptr<sonde::comparison> comparison; // of the patterns
    std::vector<sonde_record*> records;            // of the alternatives
};

namespace sonde::inline v0_1::detail::c {

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
    if (auto const* const found = find(handle)) times = part(*found->record);
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
    return guarded(error, [&] {
        auto const& r = *checked(record).record;
        require(summary, "the summary");
        require_size(summary->size, sizeof *summary, "the summary", "SONDE_SUMMARY_INIT");
        *summary = summary_of(r);
    });
}

sonde_status sonde_record_percentile(sonde_record const* record, double q, double* time, sonde_error* error) {
    return guarded(error, [&] {
        auto const& r = *checked(record).record;
        require(time, "the result");
        if (!(q > 0 && q < 1))
            throw std::invalid_argument{"sonde: the quantile is not between 0 and 1" + value_of(q) +
                                        " (0.99 is the 99th percentile)"};
        auto const found = percentile(r, q);
        if (!found) throw std::logic_error{"sonde: the samples are too few for this percentile"};
        *time = found->count();
    });
}

size_t sonde_record_series(sonde_record const* record, double const** times) {
    return array_of(record, times, [](sonde::record const& r) { return std::span{r.series}; });
}

size_t sonde_record_rank_means(sonde_record const* record, double const** times) {
    return array_of(record, times, [](sonde::record const& r) { return std::span{r.rank_means}; });
}

size_t sonde_record_rank_samples(sonde_record const* record, int rank, double const** times) {
    return array_of(record, times, [&](sonde::record const& r) {
        return rank < 0 || rank >= r.ranks ? std::span<sonde::seconds const>{} : samples_of(r, rank);
    });
}

size_t sonde_record_text(sonde_record const* record, char* text, size_t size) {
    size_t length = 0;
    guarded(nullptr, [&] {
        auto const* const found = find(record);
        auto const line = found == nullptr ? std::string{} : to_string(*found->record);
        length = copy_text(line, text, text == nullptr ? 0 : size);
    });
    return length;
}

void sonde_record_free(sonde_record** record) { destroy(record); }

size_t sonde_comparison_count(sonde_comparison const* comparison) {
    auto const* const found = find(comparison);
    return found == nullptr ? 0 : found->records.size();
}

sonde_record const* sonde_comparison_record(sonde_comparison const* comparison, size_t alternative) {
    if (alternative >= sonde_comparison_count(comparison)) return nullptr;
    return find(comparison)->records[alternative];
}

sonde_status sonde_comparison_speedup(sonde_comparison const* comparison, size_t alternative, double gain,
                                      double confidence, sonde_speedup* speedup, sonde_error* error) {
    return guarded(error, [&] {
        auto const& of = *checked(comparison).comparison;
        if (alternative >= of.records.size())
            throw std::invalid_argument{"sonde: there is no alternative " + std::to_string(alternative)};
        require(speedup, "the result");
        require_size(speedup->size, sizeof *speedup, "the speed-up", "SONDE_SPEEDUP_INIT");
        auto const criterion = criterion_of(gain, confidence);
        auto const interval = detail::interval_over_base(of, alternative, criterion);
        auto const outcome = alternative == 0 ? sonde::outcome::undecided : classify(of, alternative, criterion);
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
    return guarded(error, [&] {
        auto const& of = *checked(comparison).comparison;
        require(alternative, "the result");
        *alternative = sonde::fastest(of, criterion_of(gain, confidence));
    });
}

sonde_status sonde_comparison_set_application(sonde_comparison* comparison, char const* scope, double transfer,
                                              double waiting, double loop, sonde_error* error) {
    return guarded(error, [&] {
        auto& of = *checked(comparison).comparison;
        require(scope, "the name of the scope");
        for (auto const time : {transfer, waiting, loop})
            if (!sonde::detail::is_finite(time) || time < 0)
                throw std::invalid_argument{"sonde: a time of the application is not a number of at least 0" +
                                            value_of(time)};
        of.application = application_scope{scope, seconds{transfer}, seconds{waiting}, seconds{loop}};
    });
}

void sonde_comparison_free(sonde_comparison** comparison) { destroy(comparison); }

} // extern "C"

} // namespace sonde::detail::c
