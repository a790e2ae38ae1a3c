// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sonde::detail {

/// Order statistics of times, each found when it is asked for: quickselect (Hoare, Algorithm 65, 1961), in time linear
/// in the number of times. A later question starts from the order that earlier ones made, which std::nth_element does
/// not; and <algorithm> would cost every including file 0.05 s.
class order_statistics {
public:
    explicit order_statistics(std::span<seconds const> times)
        : times_(times.begin(), times.end()), bounds_{0, times.size()} {}

    std::size_t size() const { return times_.size(); }

    /// The time at rank k of the ascending times, k from 0.
    seconds operator[](std::size_t k) {
        std::size_t right = 1;
        while (bounds_[right] <= k) ++right;
        for (;;) {
            auto const first = bounds_[right - 1], last = bounds_[right];
            if (last - first < 2) return times_[k];
            auto const chosen = choose_pivot(first, last, k);
            auto const pivot = chosen.time;
            auto const equal = partition(first, last, [&](seconds t) { return t < pivot; });
            add_bound(right, equal);
            if (k < equal) continue;
            right += equal != first;
            if (equal != first && !chosen.repeated) continue;
            auto const above = partition(equal, last, [&](seconds t) { return !(pivot < t); });
            if (k < above) return pivot; // no bound between equal times
            add_bound(right, above);
            ++right;
        }
    }

private:
    struct pivot_choice {
        seconds time;
        bool repeated; // several times in the range are likely to be equal to it
    };

    /// A time near rank k of [first, last), from a sorted random sample; rather on the far side of k from the nearer
    /// end, so that the part with k is short (Floyd and Rivest, Expected time bounds for selection, 1975).
    pivot_choice choose_pivot(std::size_t first, std::size_t last, std::size_t k) {
        constexpr std::size_t most = 33, few = 3, margin = 3;
        auto const n = last - first;
        auto const size = n < 20 * most ? few : most;
        seconds sample[most]{};
        for (std::size_t i = 0; i != size; ++i) {
            auto const t = any_of(first, n);
            auto at = i;
            for (; at != 0 && t < sample[at - 1]; --at) sample[at] = sample[at - 1];
            sample[at] = t;
        }
        auto const expected = (k - first) * size / n;
        auto const shift = size == few ? 0 : margin;
        auto const at = 2 * (k - first) < n ? expected + shift : expected < shift ? 0 : expected - shift;
        auto const chosen = sample[at];
        return {chosen, (at != 0 && sample[at - 1] == chosen) || (at + 1 != size && sample[at + 1] == chosen)};
    }
    seconds any_of(std::size_t first, std::size_t n) {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
        return times_[first + static_cast<std::size_t>((random_ >> 33) % n)];
    }

    /// Move times that satisfy `in_front` to the front of [first, last); the end of these. Without a branch on the
    /// times.
    template <class Front>
    std::size_t partition(std::size_t first, std::size_t last, Front in_front) {
        auto end = first;
        for (auto i = first; i != last; ++i) {
            auto const t = times_[i];
            times_[i] = times_[end];
            times_[end] = t;
            end += static_cast<std::size_t>(in_front(t));
        }
        return end;
    }

    /// Times before `at` are not above those from it on.
    void add_bound(std::size_t right, std::size_t at) {
        if (at != bounds_[right - 1] && at != bounds_[right])
            bounds_.insert(bounds_.begin() + static_cast<std::ptrdiff_t>(right), at);
    }

    std::vector<seconds> times_;
    std::vector<std::size_t> bounds_; // ascending, from 0 to the number of times
    std::uint64_t random_ = 0;
};

} // namespace sonde::detail
