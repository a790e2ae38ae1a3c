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

/// Something that takes records, one at a time, in the order they were made. What it opens it closes itself (RAII).
///
///     r(record)
template <class R>
concept Reporter = requires(R& r, record const& found) { r(found); };

/// Every record to each of several reporters, in order.
template <Reporter... R>
[[nodiscard]] auto tee(R... reporters) {
    return [... reporters = std::move(reporters)](record const& found) mutable { (reporters(found), ...); };
}

/// Records go to the reporter on rank 0 only.
///
/// From `make() -> reporter` it is made there only, so that a file is opened once: `on_root{ranks, [&] { return
/// csv{path}; }}`. That is collective over the group; where `make` throws, rank 0 throws what it threw, and the others
/// std::runtime_error, so that no rank waits for one that has gone.
template <Reporter R>
class on_root {
public:
    template <Group G, class Given>
    on_root(G& group, Given given) {
        if constexpr (!Reporter<Given>) make(group, given);
        else if (group.rank() == 0) reporter_.emplace(std::move(given));
    }
    void operator()(record const& found) {
        if (reporter_) (*reporter_)(found);
    }

private:
    template <Group G, class Make>
    void make(G& group, Make& made) {
        std::exception_ptr failure;
        if (group.rank() == 0) {
            try {
                reporter_.emplace(made());
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
template <class G, Reporter R>
on_root(G&, R) -> on_root<R>;
template <class G, class Make>
    requires(!Reporter<Make>)
on_root(G&, Make) -> on_root<decltype(std::declval<Make&>()())>;

} // namespace sonde
