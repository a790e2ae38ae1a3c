// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>

#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <sonde/detail/hooks.inc>
#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1 {

/// A reporter: a callable that takes records one at a time, in the order of their measurement. Its destructor closes
/// the files that it opened.
///
///     r(record)
///     r.finish()    optional: writes what is left and throws if that fails; the destructor only prints the error
template <class R>
concept Reporter = requires(R& r, record const& found) { r(found); };

namespace detail::reporter_hook {
SONDE_HOOKS(SONDE_REPORTER_HOOKS);
} // namespace detail::reporter_hook

namespace detail {

template <class R, class Found>
concept takes = requires(R& r, Found const& found) { r(found); };

template <class Found, class... R>
concept taken_by = (takes<R, Found> && ...);

/// A reporter that also takes comparisons, with the criterion of their outcomes: `table`, `csv`, `json_lines`, `html`.
template <class R>
concept ComparisonReporter =
    Reporter<R> && requires(R& r, comparison const& found, criterion required) { r(found, required); };

template <class F>
concept ReporterFactory = !Reporter<F> && requires(F& make) {
    { make() } -> Reporter;
};

template <Reporter... R>
class tee_reporter {
public:
    explicit tee_reporter(R... reporters) : reporters_{std::move(reporters)...} {}

    void operator()(taken_by<R...> auto const& found) {
        std::apply([&](auto&... each) { (each(found), ...); }, reporters_);
    }
    void operator()(comparison const& found, criterion required = {})
        requires(ComparisonReporter<R> && ...)
    {
        std::apply([&](auto&... each) { (each(found, required), ...); }, reporters_);
    }
    /// Finishes the reporters that write at their end.
    void finish() {
        std::apply([](auto&... each) { (reporter_hook::finish(each), ...); }, reporters_);
    }

private:
    std::tuple<R...> reporters_;
};

} // namespace detail

/// A reporter that passes every record to each of several reporters, in order; also comparisons and the scopes of a
/// probe, if all of them take these. Its `finish()` calls that of each reporter that has one, such as a page.
template <Reporter... R>
[[nodiscard]] auto tee(R... reporters) {
    return detail::tee_reporter<R...>{std::move(reporters)...};
}

/// A reporter that passes records, and comparisons and the scopes of a probe if the other reporter takes them, to
/// another reporter, on rank 0 only.
///
/// With a factory `make() -> reporter`, the other reporter is constructed on rank 0 only, so that a file is opened
/// once: `on_root{ranks, [&] { return csv{path}; }}`. The constructor is then collective over the group. If `make`
/// throws, rank 0 throws its exception and the other ranks std::runtime_error, so that no rank waits for rank 0. Its
/// `finish()`, which is not collective, finishes the other reporter.
template <Reporter R>
class on_root {
public:
    template <Group G, class Other>
        requires(!Reporter<Other> && !detail::ReporterFactory<Other>)
    SONDE_REFUSE_CONSTRUCTOR("sonde::on_root takes a reporter, r(record) with a constant record, or a function without "
                             "arguments that returns one; static_assert(sonde::Reporter<my_reporter>) shows the fault",
                             on_root, G&, Other);
    template <Group G, class ReporterOrFactory>
        requires(Reporter<ReporterOrFactory> || detail::ReporterFactory<ReporterOrFactory>)
    on_root(G& group, ReporterOrFactory source) {
        if constexpr (detail::ReporterFactory<ReporterOrFactory>) {
            auto const make = [&] {
                if (group.rank() == 0) reporter_.push_back(source());
            };
            sonde::collectively(group, make, [](int) {
                return std::runtime_error{"sonde::on_root: rank 0 could not make its reporter"};
            });
        } else if (group.rank() == 0) {
            reporter_.push_back(std::move(source));
        }
    }
    /// Reports on rank 0; does nothing on other ranks.
    void operator()(detail::taken_by<R> auto const& found) {
        for (auto& each : reporter_) each(found);
    }
    void operator()(comparison const& found, criterion required = {})
        requires detail::ComparisonReporter<R>
    {
        for (auto& each : reporter_) each(found, required);
    }
    /// Finishes the other reporter on rank 0.
    void finish() {
        for (auto& each : reporter_) detail::reporter_hook::finish(each);
    }

private:
    std::vector<R> reporter_; // one on rank 0, and none elsewhere; g++ warns of an optional
};
template <class G, class Other>
on_root(G&, Other) -> on_root<void (*)(record const&)>; // refused by the constructor
template <class G, Reporter R>
on_root(G&, R) -> on_root<R>;
template <class G, detail::ReporterFactory F>
on_root(G&, F) -> on_root<std::decay_t<std::invoke_result_t<F&>>>;

} // namespace sonde

#include <sonde/detail/hooks.inc>
#include <sonde/detail/refuse.inc>
