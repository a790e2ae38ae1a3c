// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tools::replay {

/// The requests for which MPI_Waitany and the like wait, call after call. Which of them a call completes differs from
/// pass to pass, and with it those for which the next call waits. All calls that wait for what is left of a series have
/// the series' first requests, so that loops are folded. A call site that adds requests to those that are left would
/// have other ones in each pass: its calls have none.
class candidate_series {
public:
    using numbers = std::vector<std::int64_t>;

    /// The first requests of the series to which a call belongs; null: none are kept of its site. `waited`: the numbers
    /// of the open requests for which it waits, the first one first.
    numbers const* of(void const* site, numbers const& waited) {
        if (without_.count(site) != 0) return nullptr;
        auto const same = std::find_if(all_.begin(), all_.end(), [&](auto const& one) { return one.open == waited; });
        if (same != all_.end()) return &same->first;
        auto const is_open = [&](std::int64_t number) {
            return std::any_of(all_.begin(), all_.end(), [&](auto const& one) { return one.has_open(number); });
        };
        if (std::any_of(waited.begin(), waited.end(), is_open)) {
            without_.insert(site);
            return nullptr;
        }
        if (all_.size() == most) all_.erase(all_.begin());
        return &all_.emplace_back(one_series{waited, waited}).first;
    }

    /// A request is complete.
    void complete(std::int64_t number) {
        for (auto one = all_.begin(); one != all_.end(); ++one) {
            auto const at = std::lower_bound(one->open.begin(), one->open.end(), number);
            if (at == one->open.end() || *at != number) continue;
            one->open.erase(at);
            if (one->open.empty()) all_.erase(one);
            return;
        }
    }

private:
    static constexpr std::size_t most = 64; // series at a time, of requests that may never be completed

    struct one_series {
        numbers first, open;
        bool has_open(std::int64_t number) const { return std::binary_search(open.begin(), open.end(), number); }
    };

    std::vector<one_series> all_;
    std::set<void const*> without_; // call sites
};

} // namespace tools::replay
