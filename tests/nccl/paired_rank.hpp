// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../link_conformance.hpp"
#include "support.hpp"

#include <cstddef>

namespace ranks {

/// The largest number of pairs, and this rank's memory.
struct paired_rank : connected, conformance::paired_rank<sonde::mpi::group, sonde::cuda::device_memory> {
    explicit paired_rank(std::size_t bytes)
        : conformance::paired_rank<sonde::mpi::group, sonde::cuda::device_memory>{connected::all, bytes} {}
};

} // namespace ranks
