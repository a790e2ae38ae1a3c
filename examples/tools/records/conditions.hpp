// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/log.hpp"

#include <span>
#include <string>
#include <vector>

namespace tools {

/// Key that is equal for equal points without `repetitions`, for any order of their parameters. The IMB programs report
/// the number of repetitions, which depends on the time and differs between launches.
std::string key_of(sonde::point const& at);

/// Numbers of ranks, hosts and ranks per host of a record.
std::vector<condition> conditions_of(sonde::record const& r, sonde::run_file const& run);

/// Tables and records of equal identities whose conditions differ within a file (ranks, hosts, devices, the text before
/// a table) are no repetitions: these conditions become settings, in all files, and remarks of the files name them.
void tell_apart(std::span<log_contents> files);

} // namespace tools
