// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Contributions of ranks to a collective, and expected results.
namespace ranks {

template <class T>
constexpr auto type_of = ncclNumTypes;
template <>
inline constexpr auto type_of<std::int8_t> = ncclInt8;
template <>
inline constexpr auto type_of<std::uint32_t> = ncclUint32;
template <>
inline constexpr auto type_of<std::int64_t> = ncclInt64;
template <>
inline constexpr auto type_of<float> = ncclFloat;
template <>
inline constexpr auto type_of<double> = ncclDouble;

/// Element i of a rank's contribution.
template <class T>
T value(int rank, std::size_t i) {
    return static_cast<T>(1 + rank + static_cast<int>(i % 3));
}

template <class T>
std::vector<T> contributed(int rank, std::size_t n) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = value<T>(rank, i);
    return all;
}

template <class T>
T combined(std::size_t i, int ranks, ncclRedOp_t op) {
    auto all = value<T>(0, i);
    for (int rank = 1; rank != ranks; ++rank) {
        auto const next = value<T>(rank, i);
        all = op == ncclMax    ? std::max(all, next)
              : op == ncclMin  ? std::min(all, next)
              : op == ncclProd ? static_cast<T>(all * next)
                               : static_cast<T>(all + next);
    }
    return op == ncclAvg ? static_cast<T>(all / static_cast<T>(ranks)) : all;
}

template <class T>
std::vector<T> combined_all(std::size_t n, int ranks, ncclRedOp_t op) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = combined<T>(i, ranks, op);
    return all;
}

/// The contents of `in` after two iterations of a pattern, completed.
template <class T, class P>
std::vector<T> after(P pattern, device_allocation const& in, std::size_t n) {
    pattern();
    pattern();
    sonde::complete(pattern);
    return read<T>(in, n);
}

/// A rank with `n` elements to send and to receive.
template <class T>
struct participant : connected {
    std::size_t n;
    device_allocation out, in;

    explicit participant(std::size_t elements, std::size_t blocks = 1)
        : n{elements}, out{elements * blocks * sizeof(T)}, in{elements * blocks * sizeof(T)} {
        write(out, contributed<T>(rank(), elements * blocks));
    }
    sonde::nccl::block block() const { return {type_of<T>, n}; }
    auto from() const { return out.first(out.bytes().size()); }
    auto into() const { return in.first(in.bytes().size()); }
};

inline std::size_t number_of_ranks() { return static_cast<std::size_t>(application::size()); }

} // namespace ranks
