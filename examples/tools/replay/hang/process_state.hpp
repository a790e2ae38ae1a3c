// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string_view>

#include <sys/types.h>

namespace tools::replay {

/// What the kernel says of a process, in /proc.
struct process_state {
    char letter = 'R';            // as ps(1) shows it: T is stopped, t traced by a debugger, Z ended
    double processor_seconds = 0; // of all its threads
};

/// Empty for a process that is not there, or of another namespace.
std::optional<process_state> state_of_process(pid_t process);

/// The state in a text of /proc/PID/stat; empty for another text.
std::optional<process_state> process_state_in(std::string_view stat, long ticks_per_second);

} // namespace tools::replay
