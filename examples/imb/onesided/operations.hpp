// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "place.hpp"

namespace imb::operations {

/// What is timed of each row: make(ingredients) -> an operation of Sonde's.
inline constexpr auto put = [](ingredients const& m) { return sonde::mpi::put{m.there, m.to, m.out, m.each}; };
inline constexpr auto get = [](ingredients const& m) { return sonde::mpi::get{m.there, m.to, m.in, m.each}; };
inline constexpr auto accumulate = [](ingredients const& m) {
    return sonde::mpi::accumulate{m.there, m.to, m.out, m.each, m.sum};
};
inline constexpr auto get_accumulate = [](ingredients const& m) {
    return sonde::mpi::get_accumulate{m.there, m.to, m.out, m.in, m.each, m.sum};
};
inline constexpr auto fetch_and_op = [](ingredients const& m) {
    return sonde::mpi::fetch_and_op{m.there, m.to, m.out, m.in, m.each.type, m.sum};
};
inline constexpr auto compare_and_swap = [](ingredients const& m) {
    return sonde::mpi::compare_and_swap{m.there,    m.to, m.out, m.in.subspan(m.stored), m.in.subspan(2 * m.stored),
                                        m.each.type};
};

} // namespace imb::operations
