// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/component.hpp"

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Figures and text of IMB-P2P's tables.

namespace imb::p2p {

/// Figures of a line.
struct figures {
    double microseconds; // one-way time of a message: the sum of the ranks' times, divided by the messages
    double megabytes;    // 10^6 bytes per second, of all messages, by the slowest rank
    double messages;     // per second, by the slowest rank
};

figures figures_of(sonde::record const& r);

/// The suite's name and version.
std::string title();
std::string header(program_run const& on);
/// Head of a table.
std::string head(benchmark const& test, int ranks, bool checked);
/// Line of a size.
std::string line(std::size_t bytes, sonde::record const& r);
/// Text of -list.
std::string list(std::vector<benchmark> const& rows);

} // namespace imb::p2p
