// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/sync.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace sonde::inline v0_1 {

/// Other traffic while an exchange is measured: on other ranks, on threads of these ranks, or by nonblocking calls.
///
///     l.start()    returns when the traffic flows; called on every rank of the group, outside of samples
///     l.stop()     returns when no traffic is left; called on every rank of the group, outside of samples, also on a
///                  rank where `start` has thrown
template <class L>
concept Load = requires(L& l) {
    l.start();
    l.stop();
};

/// The load of nothing.
struct no_load {
    void start() const {} ///< No traffic begins.
    void stop() const {}  ///< No traffic ends.
};

namespace detail {

/// Calls all functions, in their order, then throws the first exception of theirs.
void call_each(auto... functions) {
    std::exception_ptr failure;
    (detail::attempt(failure, functions), ...);
    if (failure) std::rethrow_exception(failure);
}

} // namespace detail

/// Pattern whose samples are taken while a load runs: `run(group, plan, beside{group, load, exchange})`, on all ranks
/// of the group. The load runs during the whole warm-up, and in each sample from its begin on the first rank to its end
/// on the last: three barriers a sample, outside of it, which a rank also passes if its load or a hook of the exchange
/// has thrown, so that a plan may agree on errors. Other alternatives of a comparison have no load. The load still runs
/// if the exchange has thrown in a plan that does not.
template <Group G, Load L, Pattern P>
class beside : public pattern_adaptor<beside<G, L, P>, P> {
public:
    beside(G& group, L&& load, P&& pattern)
        : beside::pattern_adaptor{std::forward<P>(pattern)}, group_{&group}, load_{std::forward<L>(load)} {}
    void before_sample() {
        detail::call_each([&] { begin_load(); }, [&] { sonde::before_sample(this->pattern_); });
    }
    void after_sample(auto const& begin, auto const& end) {
        detail::call_each([&] { sonde::after_sample(this->pattern_, begin, end); }, [&] { end_load(); });
    }
    void after_warmup() {
        detail::call_each([&] { end_load(); }, [&] { sonde::after_warmup(this->pattern_); });
    }

private:
    void begin_load() {
        if (runs_) return;
        group_->barrier(); // a rank may still be in the sample before
        runs_ = true;
        detail::call_each([&] { load_.start(); }, [&] { group_->barrier(); });
    }
    void end_load() {
        if (!runs_) return;
        group_->barrier();
        runs_ = false;
        load_.stop();
    }

    G* group_;
    L load_;
    bool runs_ = false;
};
template <class G, class L, class P>
beside(G&, L&&, P&&) -> beside<G, L, P>;

namespace detail {

/// A load, or none, of one type, so that both alternatives of a comparison run the same machine code.
template <Load L>
struct optional_load {
    L* load;

    void start() const {
        if (load != nullptr) load->start();
    }
    void stop() const {
        if (load != nullptr) load->stop();
    }
};

} // namespace detail

/// Compare an exchange alone, the base, with the same exchange beside a load, sample by sample in turns: see `compare`.
/// The records have the point `at` with the parameter "beside", which is "nothing" or `name`. Collective over the
/// group; the comparison is equal on all ranks. Throws what `compare` throws.
template <Group G, class Plan, class L, class P>
    requires(Synchronizer<decltype(Plan::synchronize), G> && Load<std::remove_reference_t<L>> &&
             Pattern<std::remove_reference_t<P>>)
[[nodiscard]] comparison compare_beside(G& group, Plan plan, L&& load, P&& exchange, point const& at,
                                        std::string name = "load") {
    auto const point_of = [&](std::string what) {
        auto found = at;
        found.parameters.emplace_back("beside", std::move(what));
        return found;
    };
    using load_or_none = detail::optional_load<std::remove_reference_t<L>>;
    beside alone{group, load_or_none{nullptr}, exchange}, loaded{group, load_or_none{&load}, exchange};
    return sonde::compare(group, std::move(plan), named{point_of("nothing"), alone},
                          named{point_of(std::move(name)), loaded});
}

/// Factor by which an alternative takes longer than the base, and its confidence interval; empty for too few samples.
struct slowdown {
    double value;                          // 1: as long as the base; 0 without times
    std::optional<speedup_range> interval; // of the factor
};

/// Slowdown of the median: 1 / `speedup`, with the interval of `speedup_interval`, of samples of the same round. Throws
/// what `speedup` throws.
[[nodiscard]] slowdown median_slowdown(comparison const& of, std::size_t alternative = 1, double confidence = 0.95);

/// Slowdown of the q-quantile, 0.99 for the 99th percentile: the quotient of the quantiles of both series. Its interval
/// follows from the quantiles' intervals, each of which misses with half of the probability, so that it holds with the
/// confidence whatever rounds have in common; it is wider than needed. Throws what `speedup` and `quantile_interval`
/// throw.
[[nodiscard]] slowdown quantile_slowdown(comparison const& of, double q, std::size_t alternative = 1,
                                         double confidence = 0.95);

/// Confidence interval of the q-quantile of a record's series, corrected by the upper bound of its autocorrelation
/// time; empty for too few samples. Throws what `quantile_interval` of times throws.
[[nodiscard]] std::optional<confidence_interval> quantile_interval(record const& of, double q,
                                                                   double confidence = 0.95);

} // namespace sonde

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1 {

SONDE_INLINE slowdown median_slowdown(comparison const& of, std::size_t alternative, double confidence) {
    auto const faster = speedup(of, alternative);
    if (!(faster > 0)) return {0, std::nullopt};
    auto const range = speedup_interval(of, alternative, confidence);
    if (!range) return {1 / faster, std::nullopt};
    return {1 / faster, speedup_range{1 / range->high, 1 / range->low}};
}

SONDE_INLINE std::optional<confidence_interval> quantile_interval(record const& of, double q, double confidence) {
    auto const times = detail::as_span(of.series);
    return quantile_interval(times, q, confidence, autocorrelation_time_bound(times));
}

SONDE_INLINE slowdown quantile_slowdown(comparison const& of, double q, std::size_t alternative, double confidence) {
    if (!(speedup(of, alternative) > 0)) return {0, std::nullopt};
    auto const &base = of.records.front(), &other = of.records[alternative];
    auto const value = quantile(other, q) / quantile(base, q);
    auto const each = 1 - (1 - confidence) / 2;
    auto const a = quantile_interval(base, q, each), b = quantile_interval(other, q, each);
    auto const tick_a = detail::sample_resolution(base) / 2, tick_b = detail::sample_resolution(other) / 2;
    if (!a || !b || !(a->low > tick_a)) return {value, std::nullopt};
    return {value, speedup_range{(b->low - tick_b) / (a->high + tick_a), (b->high + tick_b) / (a->low - tick_a)}};
}

} // namespace sonde

#endif
