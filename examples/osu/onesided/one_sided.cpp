// SPDX-License-Identifier: BSL-1.0
#include "one_sided.hpp"

#include <string>

namespace osu {

program program_of(one_sided const& what) {
    auto const latency = what.measures == pace::latency;
    return {.name = std::string{"osu_"} + what.name,
            .title = std::string{"OSU "} + what.title + " Test",
            .letters = std::string{"wshvmxidcGIzP"} + (latency ? "" : "W") + (what.typed ? "T" : ""),
            .shows = latency ? figure::latency : figure::bandwidth,
            .counted = what.counted,
            .blank_line = false,
            .one_sided = true,
            .one_element = what.one_element,
            .active_only = what.measures == pace::both_ways,
            .reals = what.leaves != effect::swaps,
            .suffixed = what.names_type};
}

} // namespace osu
