// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sonde::detail {

/// Random enough for an order, and the same wherever it starts the same: splitmix64 (Steele, Lea, Flood, Fast
/// splittable pseudorandom number generators, 2014). <random> would cost every including file 0.1 s.
class splitmix {
public:
    std::uint64_t operator()() {
        state_ += 0x9e3779b97f4a7c15u;
        auto z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_ = 0;
};

/// 0 to n - 1, shuffled (Fisher and Yates).
inline std::vector<std::size_t> permutation(std::size_t n, splitmix& random) {
    std::vector<std::size_t> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = i;
    for (std::size_t i = n; i > 1; --i) std::swap(all[i - 1], all[static_cast<std::size_t>(random() % i)]);
    return all;
}

/// The order of n things in n rounds, round after round: each stands at each place once. A cyclic Latin square, its
/// rows and its symbols permuted at random; of two things ABBA or BAAB.
inline std::vector<std::size_t> balanced_order(std::size_t n, splitmix& random) {
    auto const things = permutation(n, random), shifts = permutation(n, random);
    std::vector<std::size_t> order;
    order.reserve(n * n);
    for (auto const shift : shifts)
        for (std::size_t place = 0; place != n; ++place) order.push_back(things[(shift + place) % n]);
    return order;
}

} // namespace sonde::detail
