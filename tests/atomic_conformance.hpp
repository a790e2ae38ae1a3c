// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

/// What atomic operations of any backend do to the elements of another rank.
namespace conformance {

constexpr std::size_t atomic_elements = 6; // one of each transfer

/// The elements of the right neighbor after one iteration of each operation, and the values that it fetches. The
/// operations are members of `e` (`add`, `swap` and `compare_swap` where the backend has them for the type); each is
/// complete on all ranks when it returns, and returns the results of those that fetch.
template <class T>
void check_atomics(auto&& e) {
    using all = std::vector<T>;
    auto const each = [](int value) { return all(atomic_elements, static_cast<T>(value)); };
    auto const leaves = [&](char const* name, int value) {
        CAPTURE(name);
        CHECK(e.fetch() == each(value));
    };
    auto const fetches = [&](char const* name, all const& found, int value, int left) {
        CAPTURE(name);
        CHECK(found == each(value));
        leaves(name, left);
    };
    e.set(T{10}), leaves("set", 10);
    if constexpr (requires { e.add(T{4}); }) e.add(T{4}), leaves("add", 14);
    if constexpr (std::is_integral_v<T>) {
        e.inc(), leaves("inc", 15);
        fetches("fetch_add", e.fetch_add(T{6}), 15, 21);
        fetches("fetch_inc", e.fetch_inc(), 21, 22);
    }
    e.set(T{22});
    if constexpr (requires { e.compare_swap(T{1}, T{30}); }) {
        fetches("compare_swap of another value", e.compare_swap(T{1}, T{30}), 22, 22);
        fetches("compare_swap", e.compare_swap(T{22}, T{30}), 22, 30);
        e.set(T{22});
    }
    if constexpr (requires { e.swap(T{5}); }) fetches("swap", e.swap(T{5}), 22, 5);
}

/// One counter of all ranks: `next()` adds 1 some times and returns the previous values in order, `value()` is the
/// counter; a rank that only has the counter returns as many negative values. Each value is fetched once, and no
/// addition is lost. `value` is called on all ranks.
void check_counter(auto& ranks, int times, auto next, auto value) {
    std::vector<long long> mine;
    for (int i = 0; i != times; ++i)
        for (auto const v : next()) mine.push_back(v);
    CHECK(std::is_sorted(mine.begin(), mine.end()));
    ranks.barrier();
    auto seen = sonde::all_gather(ranks, mine);
    std::erase_if(seen, [](long long v) { return v < 0; });
    CHECK(value() == static_cast<long long>(seen.size()));
    std::sort(seen.begin(), seen.end());
    std::vector<long long> each_once(seen.size());
    std::iota(each_once.begin(), each_once.end(), 0LL);
    CHECK(seen == each_once);
    ranks.barrier();
}

} // namespace conformance
