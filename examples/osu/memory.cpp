// SPDX-License-Identifier: BSL-1.0
#include "memory.hpp"

#include "common.hpp"
#include "device.hpp"

#include <sonde/memory.hpp>

namespace osu {

memory_calls const& calls_of(placement where) {
    static constexpr auto host = calls_for<sonde::host_memory>;
    if (where == placement::host) return host;
    if constexpr (has_cuda()) return device_calls_of(where);
    else throw refusal{"CUDA Support Not Enabled; accepted: H H"};
}

} // namespace osu
