// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/process_state.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace tools::replay {

std::optional<process_state> process_state_in(std::string_view stat, long ticks_per_second) {
    auto const name_end = stat.rfind(')'); // the name may have blanks and brackets
    if (name_end == stat.npos) return std::nullopt;
    std::istringstream fields{std::string{stat.substr(name_end + 1)}};
    process_state found;
    fields >> found.letter;
    std::string skipped;
    for (int field = 4; field != 14; ++field) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    if (!fields) return std::nullopt;
    found.processor_seconds = (user + system) / static_cast<double>(ticks_per_second);
    return found;
}

std::optional<process_state> state_of_process(pid_t process) {
    if (process <= 0) return std::nullopt;
    std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
    return process_state_in(std::string{std::istreambuf_iterator<char>{file}, {}}, sysconf(_SC_CLK_TCK));
}

} // namespace tools::replay
