// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/timed_calls.hpp"

namespace tools::replay {

char const* name_of(wait_pattern pattern) {
    switch (pattern) {
    case wait_pattern::late_sender:
        return "late sender";
    case wait_pattern::late_receiver:
        return "late receiver";
    case wait_pattern::wait_at_barrier:
        return "wait at barrier";
    case wait_pattern::wait_at_nxn:
        return "wait at NxN";
    case wait_pattern::late_broadcast:
        return "late broadcast";
    case wait_pattern::early_reduce:
        return "early reduce";
    case wait_pattern::early_scan:
        return "early scan";
    }
    return "";
}

} // namespace tools::replay
