// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmarks.hpp"
#include "options.hpp"

#include <sonde/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace imb::p2p {

// What IMB-P2P prints.

std::string title();
std::string header(options const& asked, std::vector<benchmark const*> const& tests, std::string const& command_line);
/// Above a benchmark's lines.
std::string head(benchmark const& test, int ranks, bool checked);
/// Instead of them.
std::string invalid(benchmark const& test, int ranks);
std::string line(std::size_t bytes, sonde::record const& found);
/// What -list prints.
std::string list();

} // namespace imb::p2p
