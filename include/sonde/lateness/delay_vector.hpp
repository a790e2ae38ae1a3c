// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstddef>
#include <vector>

namespace sonde::inline v0_1::detail {

/// Amounts of time by cause, of which the largest are kept. Memory is bounded, because a loop has as many causes as
/// ranks.
class delay_vector {
public:
    struct entry {
        std::size_t cause;
        seconds amount;
    };
    void add(std::size_t cause, seconds amount);
    /// Call `visit(cause, amount)` for the amounts of `more` minus those of `less`.
    static void for_each_difference(delay_vector const& more, delay_vector const& less, auto visit) {
        auto a = more.entries_.begin(), b = less.entries_.begin();
        while (a != more.entries_.end() || b != less.entries_.end()) {
            auto const only_a = b == less.entries_.end() || (a != more.entries_.end() && a->cause < b->cause);
            auto const only_b = a == more.entries_.end() || (b != less.entries_.end() && b->cause < a->cause);
            auto const cause = only_b ? b->cause : a->cause;
            visit(cause, (only_b ? seconds{} : a->amount) - (only_a ? seconds{} : b->amount));
            if (!only_b) ++a;
            if (!only_a) ++b;
        }
    }
    /// Subtract `amounts[cause]` of the causes in `common`.
    void subtract(std::vector<seconds> const& amounts, std::vector<bool> const& common);
    std::vector<entry> const& entries() const { return entries_; }
    seconds of(std::size_t cause) const;

private:
    static constexpr std::size_t most = 32;
    std::vector<entry> entries_; // ascending by cause
};

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <algorithm>
#include <chrono>

namespace sonde::inline v0_1::detail {

SONDE_INLINE void delay_vector::add(std::size_t cause, seconds amount) {
    auto i = entries_.begin();
    while (i != entries_.end() && i->cause < cause) ++i;
    if (i != entries_.end() && i->cause == cause) i->amount += amount;
    else entries_.insert(i, {cause, amount});
    if (entries_.size() <= most) return;
    auto const smaller = [](entry const& a, entry const& b) {
        return std::chrono::abs(a.amount) < std::chrono::abs(b.amount);
    };
    entries_.erase(std::min_element(entries_.begin(), entries_.end(), smaller));
}

SONDE_INLINE void delay_vector::subtract(std::vector<seconds> const& amounts, std::vector<bool> const& common) {
    for (auto& e : entries_)
        if (common[e.cause]) e.amount -= amounts[e.cause];
    std::erase_if(entries_, [](entry const& e) { return e.amount == seconds{}; });
}

SONDE_INLINE seconds delay_vector::of(std::size_t cause) const {
    for (auto const& e : entries_)
        if (e.cause == cause) return e.amount;
    return {};
}

} // namespace sonde::detail

#endif
