// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/record.hpp>

#include <utility>

namespace sonde {

/// Something that takes records, one at a time, in the order they were made. What it opens it closes itself (RAII).
///
///     r(record)
template <class R>
concept Reporter = requires(R& r, record const& found) { r(found); };

/// Every record to each of several reporters, in order.
template <Reporter... R>
auto tee(R... reporters) {
    return [... reporters = std::move(reporters)](record const& found) mutable { (reporters(found), ...); };
}

/// Records go to the reporter on rank 0 only.
template <Reporter R>
class on_root {
public:
    template <Group G>
    on_root(G& group, R reporter) : is_root_{group.rank() == 0}, reporter_{std::move(reporter)} {}
    void operator()(record const& found) {
        if (is_root_) reporter_(found);
    }

private:
    bool is_root_;
    R reporter_;
};
template <class G, class R>
on_root(G&, R) -> on_root<R>;

} // namespace sonde
