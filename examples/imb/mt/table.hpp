// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "figures.hpp"
#include "rows.hpp"

#include <sonde/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace imb::mt {

// What IMB-MT prints.

std::string banner();
/// Above a benchmark's lines, of so many instances.
std::string head(benchmark const& test, int instances, int threads, std::size_t window);
/// Where no instance had anything to do.
std::string no_success(benchmark const& test);
std::string line(benchmark const& test, scale const& of, std::size_t repetitions, sonde::record const& found);
/// Of the ranks that have found some; "" where none has.
std::string check_failures(std::vector<double> const& wrong_elements);

} // namespace imb::mt
