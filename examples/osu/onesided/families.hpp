// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "stage.hpp"

#include <string_view>

namespace osu {

/// A row of the table; its types are gone.
struct measured_access {
    one_sided of;
    sonde::record (*measure)(one_sided_stage& on, spot const& at) = nullptr;
};

/// The row of a name.
measured_access access_of(std::string_view name);

// The same without function where there is none. Each is a file, since each has many types to compile.
measured_access find_latency(std::string_view name);
measured_access find_atomic(std::string_view name);
measured_access find_bandwidth(std::string_view name);

} // namespace osu
