// SPDX-License-Identifier: BSL-1.0
#include "initial.hpp"

#include <cstdint>
#include <cstring>

namespace imb {

namespace {

template <class T>
void put(sonde::region slot, T (*value)(int rank, std::size_t i), int rank) {
    for (std::size_t i = 0; i != slot.size() / sizeof(T); ++i) {
        auto const v = value(rank, i);
        std::memcpy(slot.data() + i * sizeof v, &v, sizeof v);
    }
}

float real_value(int rank, std::size_t i) { return static_cast<float>(0.1 * (rank + 1) + static_cast<double>(i)); }

std::int32_t integer_value(int rank, std::size_t i) {
    return static_cast<std::int32_t>(10'000'000 * (1 + static_cast<std::int64_t>(rank)) +
                                     static_cast<std::int64_t>(i % 10'000'000));
}

} // namespace

void fill(sonde::region memory, slots const& where, int rank, bool io) {
    if (where.bytes() == 0) return;
    auto const first = memory.first(where.stride);
    if (io) put(first, integer_value, rank);
    else put(first, real_value, rank);
    for (std::size_t slot = 1; slot != where.count; ++slot)
        std::memcpy(memory.data() + slot * where.stride, first.data(), where.stride);
}

} // namespace imb
