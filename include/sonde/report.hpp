// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>
#include <sonde/measure/record.hpp>

#include <array>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <sonde/detail/refuse.inc>

namespace sonde {

/// A reporter: a callable that takes records one at a time, in the order of their measurement. Its destructor closes
/// the files that it opened.
///
///     r(record)
template <class R>
concept Reporter = requires(R& r, record const& found) { r(found); };

namespace detail {

template <class R, class... Found>
concept takes = requires(R& r, Found const&... found) { r(found...); };

template <class F>
concept ReporterFactory = !Reporter<F> && requires(F& make) {
    { make() } -> Reporter;
};

} // namespace detail

/// A reporter that passes every record, and whatever else all of them take, such as the scopes of a probe, to each of
/// several reporters, in order.
template <Reporter... R>
[[nodiscard]] auto tee(R... reporters) {
    return [... reporters = std::move(reporters)]<class... Found>(
               Found const&... found) mutable -> std::enable_if_t<(detail::takes<R, Found...> && ...)> {
        (reporters(found...), ...);
    };
}

/// A reporter that passes records, and whatever else it takes, such as the scopes of a probe, to another reporter, on
/// rank 0 only.
///
/// With a factory `make() -> reporter`, the other reporter is constructed on rank 0 only, so that a file is opened
/// once: `on_root{ranks, [&] { return csv{path}; }}`. The constructor is then collective over the group. If `make`
/// throws, rank 0 throws its exception and the other ranks std::runtime_error, so that no rank waits for rank 0.
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
            std::exception_ptr failure;
            try {
                if (group.rank() == 0) reporter_.emplace(source());
            } catch (...) {
                failure = std::current_exception();
            }
            std::array<double, 1> failed{failure ? 1.0 : 0.0};
            group.all_reduce(failed, reduction::max);
            if (failure) std::rethrow_exception(failure);
            if (failed[0] != 0) throw std::runtime_error{"sonde::on_root: rank 0 could not make its reporter"};
        } else {
            if (group.rank() == 0) reporter_.emplace(std::move(source));
        }
    }
    template <class... Found>
        requires detail::takes<R, Found...>
    void operator()(Found const&... found) {
        if (reporter_) (*reporter_)(found...);
    }

private:
    std::optional<R> reporter_;
};
template <class G, class Other>
on_root(G&, Other) -> on_root<void (*)(record const&)>; // refused by the constructor
template <class G, Reporter R>
on_root(G&, R) -> on_root<R>;
template <class G, detail::ReporterFactory F>
on_root(G&, F) -> on_root<std::decay_t<std::invoke_result_t<F&>>>;

} // namespace sonde

#include <sonde/detail/refuse.inc>
