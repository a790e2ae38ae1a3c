// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sonde::detail {

/// The times from one on. By pointer and size: a span made of a range checks the concepts of <ranges>, which alone
/// costs every including file a tenth of its compile time.
inline std::span<seconds const> from(std::vector<seconds> const& times, std::size_t first = 0) {
    return {times.data() + first, times.size() - first};
}

} // namespace sonde::detail
