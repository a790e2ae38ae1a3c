// SPDX-License-Identifier: BSL-1.0
#include "memory.hpp"

#include "common.hpp"

#include <sonde/memory/host.hpp>

namespace osu {

memory_calls const& calls_of(placement where) {
    if (where != placement::host) throw refusal{"CUDA Support Not Enabled; accepted: H H"};
    static constexpr auto calls = calls_for<sonde::host_memory>;
    return calls;
}

} // namespace osu
