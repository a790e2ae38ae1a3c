// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/collectives/kind.hpp>

#include <cstddef>
#include <cstring>

namespace sonde::mpi {

// What a collective must do to contents follows from its hooks `parts` and `pieces`; what the contents are, the caller
// says: `value(rank, to, i) -> T` is element i of what a rank contributes to a rank, or to `everyone`.

/// Write what this rank contributes, for this root, into the regions. For `prepare` of sonde::check.
template <class T, Collective K, class Value>
void write_parts(K const& kind, int root, int rank, region out, region in, Value value) {
    for (auto const& p : kind.parts(root)) {
        auto const here = (p.in_receive ? in : out).subspan(p.at, p.bytes);
        for (std::size_t i = 0; i != here.size() / sizeof(T); ++i) {
            T const v = value(rank, p.to, i);
            std::memcpy(here.data() + i * sizeof(T), &v, sizeof(T));
        }
    }
}

/// Every element that this rank must have received: `found(at, expected, actual)`, `at` counting elements of the
/// region. `combine(a, b) -> T`: the operation of a reduction, applied in the order of ranks. For `verify` of
/// sonde::check.
template <class T, Collective K, class Value, class Combine, class Found>
void for_each_received(K const& kind, int root, region in, Value value, Combine combine, Found found) {
    for (auto const& p : kind.pieces(root)) {
        for (std::size_t i = 0; i != p.bytes / sizeof(T); ++i) {
            auto const at = p.at + i * sizeof(T);
            auto const element = p.skip / sizeof(T) + i;
            T expected = value(p.first, p.to, element), actual{};
            for (int rank = p.first + 1; rank <= p.last; ++rank)
                expected = combine(expected, value(rank, p.to, element));
            std::memcpy(&actual, in.data() + at, sizeof(T));
            found(at / sizeof(T), expected, actual);
        }
    }
}

} // namespace sonde::mpi
