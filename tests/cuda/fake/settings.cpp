// SPDX-License-Identifier: BSL-1.0
#include "settings.hpp"

#include <cstdlib>

namespace fake {

static std::string variable(char const* name, char const* otherwise) {
    auto const* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

static std::string rank_here() { return variable("OMPI_COMM_WORLD_RANK", variable("PMI_RANK", "0").c_str()); }

// call:n[@rank] without its rank; empty for another rank.
static std::string planned_here(std::string const& what) {
    auto const at = what.find('@');
    return at == what.npos || what.substr(at + 1) == rank_here() ? what.substr(0, at) : "";
}

settings read_environment() {
    settings read;
    read.devices = std::stoi(variable("FAKE_CUDA_DEVICES", "1"));
    read.first = variable("FAKE_CUDA_OWN", "0") == "1" ? std::stoi(rank_here()) : 0;
    read.driver = variable("FAKE_CUDA_DRIVER", "ok");
    read.memory = std::stoull(variable("FAKE_CUDA_MEMORY", std::to_string(read.memory).c_str()));
    read.readable = variable("FAKE_CUDA_READABLE", "0") == "1";
    read.concurrent = variable("FAKE_CUDA_CONCURRENT", "1") == "1";
    read.log = variable("FAKE_CUDA_LOG", "");
    read.fail = planned_here(variable("FAKE_CUDA_FAIL", ""));
    read.costs.copy_ns = std::stoll(variable("FAKE_CUDA_COPY_NS", "0"));
    return read;
}

settings& current_settings() {
    static auto& current = *new settings{read_environment()}; // never destroyed, because other destructors call CUDA
    return current;
}

void costs(cost const& what) { current_settings().costs = what; }

} // namespace fake
