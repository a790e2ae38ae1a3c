// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace imb {

/// What a group found of a size.
struct finding {
    std::size_t repetitions = 0;
    outcome found;
    std::optional<double> defects;
};

// As text, to travel between ranks: numbers read back as the same.
std::string packed(finding const& f);
finding unpacked(std::string const& text);

} // namespace imb
