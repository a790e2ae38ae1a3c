// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/record.hpp>

#include <array>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sonde {

/// A reporter: a callable that takes records one at a time, in the order of their measurement. It closes by itself the
/// files that it opens (RAII).
///
///     r(record)
template <class R>
concept Reporter = requires(R& r, record const& found) { r(found); };

namespace detail {

template <class F>
concept ReporterFactory = !Reporter<F> && requires(F& make) {
    { make() } -> Reporter;
};

/// The type of the reporter in `on_root{group, source}`; a placeholder if `source` is no reporter and makes none, which
/// the constructor refuses.
template <class Source>
struct root_reporter {
    using type = void (*)(record const&);
};
template <Reporter Source>
struct root_reporter<Source> {
    using type = Source;
};
template <ReporterFactory Source>
struct root_reporter<Source> {
    using type = decltype(std::declval<Source&>()());
};

} // namespace detail

/// A reporter that passes every record to each of several reporters, in order.
template <Reporter... R>
[[nodiscard]] auto tee(R... reporters) {
    return [... reporters = std::move(reporters)](record const& found) mutable { (reporters(found), ...); };
}

/// A reporter that passes records to another one on rank 0 only.
///
/// With a factory `make() -> reporter`, the other one is constructed on rank 0 only, so that a file is opened once:
/// `on_root{ranks, [&] { return csv{path}; }}`. The constructor is then collective over the group. If `make` throws,
/// rank 0 throws its exception and the other ranks std::runtime_error, so that no rank waits for rank 0.
template <Reporter R>
class on_root {
public:
    template <Group G, class ReporterOrFactory>
    on_root(G& group, ReporterOrFactory source) {
        static_assert(Reporter<ReporterOrFactory> || detail::ReporterFactory<ReporterOrFactory>,
                      "sonde::on_root takes a reporter, r(record) with a constant record, or a function without "
                      "arguments that returns one; static_assert(sonde::Reporter<my_reporter>) shows the fault");
        if constexpr (detail::ReporterFactory<ReporterOrFactory>) construct(group, source);
        else if constexpr (Reporter<ReporterOrFactory>)
            if (group.rank() == 0) reporter_.emplace(std::move(source));
    }
    void operator()(record const& found) {
        if (reporter_) (*reporter_)(found);
    }

private:
    template <Group G, class Make>
    void construct(G& group, Make& make) {
        std::exception_ptr failure;
        if (group.rank() == 0) {
            try {
                reporter_.emplace(make());
            } catch (...) {
                failure = std::current_exception();
            }
        }
        std::array<double, 1> failed{failure ? 1.0 : 0.0};
        group.all_reduce(failed, reduction::max);
        if (failure) std::rethrow_exception(failure);
        if (failed[0] != 0) throw std::runtime_error{"sonde::on_root: rank 0 could not make its reporter"};
    }

    std::optional<R> reporter_;
};
template <class G, class Source>
on_root(G&, Source) -> on_root<typename detail::root_reporter<Source>::type>;

} // namespace sonde
