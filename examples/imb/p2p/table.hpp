// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/p2p/benchmarks.hpp"
#include "imb/p2p/options.hpp"

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace imb::p2p {

/// Figures of a line.
struct figures {
    double microseconds; // one-way time of a message: the sum of the ranks' times, divided by the messages
    double megabytes;    // 10^6 bytes per second, of all messages, by the slowest rank
    double messages;     // per second, by the slowest rank
};

figures figures_of(sonde::record const& r);

// Text that IMB-P2P prints.

/// The suite's name and version.
std::string title();
std::string header(options const& asked, std::vector<benchmark const*> const& tests, std::string const& command_line);
/// Head of a table.
std::string head(benchmark const& test, int ranks, bool checked);
/// Text in place of the table of a benchmark that does not fit the number of ranks.
std::string invalid(benchmark const& test, int ranks);
/// Line of a size.
std::string line(std::size_t bytes, sonde::record const& r);
/// Text of -list.
std::string list();

} // namespace imb::p2p
