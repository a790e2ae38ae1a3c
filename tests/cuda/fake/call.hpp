// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "devices.hpp"
#include "errors.hpp"
#include "log.hpp"
#include "settings.hpp"
#include "time.hpp"

#include <string>

namespace fake {

/// What every function does that needs a device: it is logged with its line, takes the host's time, fails where that
/// is planned, or where there is no device, and keeps its error.
template <class Body>
cudaError_t call(char const* function, std::string const& line, Body body) {
    if (!line.empty()) log(line);
    advance(current_settings().costs.call_ns);
    auto code = planned_failure(function);
    if (code == cudaSuccess) code = driver_state();
    if (code == cudaSuccess) code = spoiled();
    if (code == cudaSuccess) code = body();
    return remember(code);
}

} // namespace fake
