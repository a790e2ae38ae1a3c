// SPDX-License-Identifier: BSL-1.0
#include "words.hpp"

#include "picture.hpp"

#include <stdexcept>

namespace tools::model {

sonde::model::latency_form form_of(std::string const& word) {
    if (word == "time-line") return sonde::model::latency_form::time_line;
    if (word == "published") return sonde::model::latency_form::published;
    throw std::runtime_error{"--form '" + word + "' is none of time-line, published"};
}

std::vector<std::string> plots_of(boost::program_options::variables_map const& found) {
    std::vector<std::string> targets;
    if (found.count("terminal") != 0) targets.emplace_back("-");
    if (found.count("plot") != 0) targets.push_back(found["plot"].as<std::string>());
    for (auto const& target : targets) check_target(target);
    return targets;
}

} // namespace tools::model
