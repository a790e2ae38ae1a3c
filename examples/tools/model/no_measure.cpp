// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"

#include <stdexcept>

namespace tools::model {

int measure(std::vector<std::string> const&) { throw std::runtime_error{"measure: this build has no MPI"}; }

} // namespace tools::model
