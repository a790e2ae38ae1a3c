// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/multi_ping_pong.hpp>

#include <boost/program_options.hpp>

#include <string>
#include <vector>

namespace tools::model {

/// "time-line" or "published". Throws std::runtime_error.
sonde::model::latency_form form_of(std::string const& word);

/// What --plot and --terminal ask for. Throws std::runtime_error for a picture of another kind.
std::vector<std::string> plots_of(boost::program_options::variables_map const& found);

} // namespace tools::model
