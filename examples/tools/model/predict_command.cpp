// SPDX-License-Identifier: BSL-1.0
#include "predict_command.hpp"

#include <stdexcept>

namespace tools::model {

int predict_command(std::vector<std::string> const&) { throw std::runtime_error{"predict: not there yet"}; }

} // namespace tools::model
