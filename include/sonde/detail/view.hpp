// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <span>
#include <vector>

namespace sonde::detail {

/// The times. By pointer and size: a span made of a range checks the concepts of <ranges>, which alone
/// costs every including file a tenth of its compile time.
inline std::span<seconds const> from(std::vector<seconds> const& times) { return {times.data(), times.size()}; }

} // namespace sonde::detail
