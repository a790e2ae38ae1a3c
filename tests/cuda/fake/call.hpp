// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "devices.hpp"
#include "errors.hpp"
#include "log.hpp"
#include "settings.hpp"
#include "time.hpp"

#include <string>

namespace fake {

/// Common part of every function that needs a device: it logs the call, takes the host's time, fails if planned or
/// without a device, and keeps its error.
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
