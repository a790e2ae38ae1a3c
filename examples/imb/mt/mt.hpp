// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/component.hpp"
#include "imb/driver/imb_table.hpp"

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>

namespace imb {

/// IMB-MT: threads, each with a communicator.
component mt_component();

} // namespace imb

// Figures and text of its tables.

namespace imb::mt {

/// Values that figures depend on, apart from a record. The record's initiators are the threads of all ranks that took
/// part.
struct line_inputs {
    double time_divisor = 1;     // IMB's f_t
    double bandwidth_factor = 1; // IMB's f_bw
    std::size_t message = 0;     // bytes
    int threads = 1;             // per rank

    /// Size of a line: bytes that all threads of a rank send.
    std::size_t bytes() const { return message * static_cast<std::size_t>(threads); }
};

/// Microseconds of a repetition over all threads.
times times_of(sonde::record const& r, line_inputs const& in);

/// 10^6 bytes per second of a rank, by the slowest thread.
double megabytes_of(sonde::record const& r, line_inputs const& in);

/// 10^6 bytes per second of all pairs, by the slowest thread.
double megabytes_of_pairs(sonde::record const& r, line_inputs const& in);

/// Messages per second of all pairs, rounded down, by the mean time.
long long rate_of_pairs(sonde::record const& r, line_inputs const& in);

// Text that IMB-MT prints.

/// Head of a table; `initiators`: threads of all ranks that took part.
std::string head(benchmark const& test, int initiators, int threads, std::size_t window);
/// Text in place of the table if all ranks are idle.
std::string no_success(benchmark const& test);
/// Line of a size.
std::string line(benchmark const& test, line_inputs const& in, std::size_t repetitions, sonde::record const& r);

} // namespace imb::mt
