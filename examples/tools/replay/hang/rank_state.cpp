// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/rank_state.hpp"

#include "tools/replay/trace/trace_reader.hpp"

namespace tools::replay {

std::vector<int> members_of(std::string const& object, int size) {
    auto const begin = object.find(' ') + 1; // behind "window", or at the begin
    return ranks_of_text(object.substr(begin, object.find('#') - begin), size);
}

} // namespace tools::replay
