// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tables.hpp"
#include "text_lines.hpp"

#include <optional>

namespace tools::model {

bool is_imb_columns(std::vector<std::string> const& words);

/// Which column of a table of the Intel MPI Benchmarks is what.
struct imb_columns {
    std::optional<std::size_t> group{};
    std::size_t repetitions = 1;
    std::optional<std::size_t> time{};
    std::size_t bandwidth = 0;
    std::optional<std::size_t> rate{}; // of messages
    bool of_all_pairs = false;         // the bandwidth and the rate are those of all pairs together
    std::size_t count = 0;
};

/// Throws std::runtime_error for columns that are not those of what was timed, or in other units.
imb_columns columns_of(text_lines const& in, std::size_t line, std::vector<std::string> const& titles, timed what);

/// The time of half a ping-pong, or of a window. The bandwidth of the row must be that of `messages` messages of `size`
/// bytes in this time: throws std::runtime_error if they contradict each other.
sonde::seconds time_of(imb_columns const& columns, text_lines const& in, std::size_t line, double size,
                       std::vector<std::string> const& words, double messages);

/// Half a unit of its last digit, where it is printed; else none.
sonde::seconds resolution_of(imb_columns const& columns, std::vector<std::string> const& words);

} // namespace tools::model
