// SPDX-License-Identifier: BSL-1.0
#include "control.hpp"

#include "allocations.hpp"
#include "call.hpp"
#include "events.hpp"
#include "streams.hpp"

namespace fake {

void reset() {
    for (int device = 0; device < current_settings().devices; ++device) wait_for_device(device);
    forget_streams(-1);
    forget_events(-1);
    forget_allocations(-1);
    forget_spoiled();
    current_settings() = read_environment();
    restart_planned_failures();
    forget_current_device();
    use_real_time();
    restart_log();
}

} // namespace fake
