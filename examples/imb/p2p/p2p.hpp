// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/component.hpp"

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>

namespace imb {

/// IMB-P2P: patterns of messages.
component p2p_component();

} // namespace imb

// Figures and text of its tables.

namespace imb::p2p {

/// Figures of a line.
struct figures {
    double microseconds; // one-way time of a message: the sum of the ranks' times, divided by the messages
    double megabytes;    // 10^6 bytes per second, of all messages, by the slowest rank
    double messages;     // per second, by the slowest rank
};

figures figures_of(sonde::record const& r);

/// Head of a table.
std::string head(benchmark const& test, int ranks, bool checked);
/// Line of a size.
std::string line(std::size_t bytes, sonde::record const& r);

} // namespace imb::p2p
